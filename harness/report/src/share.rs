//! What of a pair one of its failure groups is about.

use ptodiff_record::{PairRecord, Slot};

/// The clauses of `pair` that `failure group` is about: all where it is the only one.
pub(crate) fn clauses<'a>(
    pair: &'a PairRecord,
    failure_group: &'a str,
) -> impl Iterator<Item = &'a str> {
    let all = pair.failure_groups.len() == 1;
    let clauses = pair.clauses.iter().map(String::as_str);
    clauses.filter(move |clause| all || named(failure_group).any(|name| name == *clause))
}

/// The slots of `pair` that `failure group` is about: all where it is the only one.
pub(crate) fn slots<'a>(
    pair: &'a PairRecord,
    failure_group: &'a str,
) -> impl Iterator<Item = &'a Slot> {
    let all = pair.failure_groups.len() == 1;
    let slots = pair.slots.iter();
    slots.filter(move |slot| all || best(pair, slot) == Some(failure_group))
}

/// The failure group of `pair` that says most of `slot`. The clauses of a slot are
/// more than those of its failure group, which may hold those of another one.
fn best<'a>(pair: &'a PairRecord, slot: &Slot) -> Option<&'a str> {
    let place = if slot.is_padding() {
        "padding"
    } else {
        "valid"
    };
    let has = |name: &str| slot.clauses.iter().any(|clause| clause == name);
    let fits = |failure_group: &&str| {
        let at = failure_group.rsplit(' ').nth(1) == Some(place);
        at && named(failure_group).all(has)
    };
    let all = pair.failure_groups.iter().map(String::as_str);
    all.filter(fits)
        .max_by_key(|failure_group| named(failure_group).count())
}

/// The clauses that a failure group names: those that permit, or those that clash.
fn named(failure_group: &str) -> impl Iterator<Item = &str> {
    let last = failure_group.rsplit(' ').next().unwrap_or_default();
    last.split(['+', '/']).filter(|name| *name != "-")
}
