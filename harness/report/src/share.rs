//! What of a pair one of its signatures is about.

use ptodiff_record::{PairRecord, Slot};

/// The clauses of `pair` that `signature` is about: all where it is the only one.
pub(crate) fn clauses<'a>(
    pair: &'a PairRecord,
    signature: &'a str,
) -> impl Iterator<Item = &'a str> {
    let all = pair.signatures.len() == 1;
    let clauses = pair.clauses.iter().map(String::as_str);
    clauses.filter(move |clause| all || named(signature).any(|name| name == *clause))
}

/// The slots of `pair` that `signature` is about: all where it is the only one.
pub(crate) fn slots<'a>(pair: &'a PairRecord, signature: &str) -> Vec<&'a Slot> {
    let all = pair.signatures.len() == 1;
    let own = |slot: &&Slot| all || best(pair, slot) == Some(signature);
    pair.slots.iter().filter(own).collect()
}

/// The signature of `pair` that says most of `slot`. The clauses of a slot are
/// more than those of its signature, which may hold those of another one.
fn best<'a>(pair: &'a PairRecord, slot: &Slot) -> Option<&'a str> {
    let place = if slot.is_padding() {
        "padding"
    } else {
        "valid"
    };
    let has = |name: &str| slot.clauses.iter().any(|clause| clause == name);
    let fits = |signature: &&str| {
        let at = signature.rsplit(' ').nth(1) == Some(place);
        at && named(signature).all(has)
    };
    let all = pair.signatures.iter().map(String::as_str);
    all.filter(fits)
        .max_by_key(|signature| named(signature).count())
}

/// The clauses that a signature names: those that permit, or those that clash.
fn named(signature: &str) -> impl Iterator<Item = &str> {
    let last = signature.rsplit(' ').next().unwrap_or_default();
    last.split(['+', '/']).filter(|name| *name != "-")
}
