//! What a hole is, in a plain sentence.

use std::collections::BTreeSet;

use ptodiff_case::{Hole, HoleKind, HolePlace};
use ptodiff_isa::{Clause, Target};
use ptodiff_record::joined;

/// What goes wrong in `holes`, which are of one kind and about the same
/// clauses, on which targets, and which clause leaves it open.
#[must_use]
pub fn explain(holes: &[Hole]) -> String {
    let Some(first) = holes.first() else {
        return String::new();
    };
    let clauses = joined(&first.clauses, ", ");
    let says = statement(&first.clauses);
    let targets = every(holes, |h| &h.targets);
    match first.kind {
        HoleKind::UncheckedPrecondition => format!(
            "{says} No check of {} stops the call ({clauses}): {}.",
            list(&targets, "or"),
            each(holes, effect)
        ),
        HoleKind::LegalOutOfBounds => format!(
            "The call is legal, and yet {}; {clauses} leaves it open: {says}",
            each(holes, effect)
        ),
        HoleKind::OneSidedRejection => {
            let reject = every(holes, |h| &h.targets[1..]);
            let accept = every(holes, |h| &h.targets[..1]);
            format!(
                "{} {} what {} {}, and the documents are silent on it ({clauses}). {says}",
                list(&reject, "and"),
                of("rejects", reject.len() > 1),
                list(&accept, "and"),
                of("accepts", accept.len() > 1),
            )
        }
        HoleKind::StaticOnlyCheck => format!(
            "{says} On {} this is checked ({clauses}) of static dimensions only: {}.",
            list(&targets, "and"),
            each(holes, when_dynamic)
        ),
        HoleKind::OpenReading => format!(
            "The documents are silent ({clauses}), and it shows: {}. {says}",
            each(holes, depends)
        ),
    }
}

/// What the register says of the first of `clauses`, with a full stop.
fn statement(clauses: &[Clause]) -> String {
    let entry = clauses.first().and_then(|c| ptodiff_register::find(c.0));
    let says = entry.map_or("", |entry| entry.says).trim();
    let stop = if says.is_empty() || says.ends_with(['.', '?']) {
        ""
    } else {
        "."
    };
    format!("{says}{stop}")
}

/// The targets that `of` has of any of `holes`.
fn every<'h>(
    holes: impl IntoIterator<Item = &'h Hole>,
    of: impl Fn(&'h Hole) -> &'h [Target],
) -> Vec<Target> {
    let all: BTreeSet<Target> = holes.into_iter().flat_map(of).copied().collect();
    all.into_iter().collect()
}

/// `a5`, `cpu and a5`, `cpu, a2a3 and a5`.
fn list(targets: &[Target], and: &str) -> String {
    let names: Vec<&str> = targets.iter().map(|t| (*t).into()).collect();
    match &names[..] {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [front @ .., last] => format!("{} {and} {last}", front.join(", ")),
    }
}

/// What `says` of each place, with the targets where it shows.
fn each(holes: &[Hole], says: fn(HolePlace, &str, bool) -> String) -> String {
    let places: BTreeSet<HolePlace> = holes.iter().map(|h| h.place).collect();
    let part = |place: &HolePlace| {
        let here = holes.iter().filter(|h| h.place == *place);
        let targets = every(here, |h| &h.targets);
        says(*place, &list(&targets, "and"), targets.len() > 1)
    };
    joined(places.iter().map(part), "; ")
}

/// `verb`, which is of one target, as several have it.
fn of(verb: &'static str, several: bool) -> &'static str {
    match verb.strip_suffix('s') {
        Some(many) if several => many,
        _ => verb,
    }
}

fn effect(place: HolePlace, who: &str, several: bool) -> String {
    let of = |verb| of(verb, several);
    match place {
        HolePlace::OutOfBoundsWrite => format!("{who} {} out of bounds", of("writes")),
        HolePlace::OutOfBoundsRead => format!("{who} {} out of bounds", of("reads")),
        HolePlace::Hang => format!("{who} {}", of("hangs")),
        HolePlace::Differs => format!(
            "{who} {} other bytes than a target whose result is defined",
            of("leaves")
        ),
        _ => format!("{who} {} undefined", if several { "are" } else { "is" }),
    }
}

fn when_dynamic(place: HolePlace, who: &str, several: bool) -> String {
    let which = match place {
        HolePlace::DataExtents => "the valid extents of a data tile",
        HolePlace::IndexExtents => "the extents of the indices",
        HolePlace::TableShape => "the extents of the table",
        HolePlace::TableStrides => "the table's strides",
        _ => "several dimensions together",
    };
    let accept = of("accepts", several);
    format!("{who} {accept} the same numbers where {which} come at run time")
}

fn depends(place: HolePlace, who: &str, several: bool) -> String {
    let of = |verb| of(verb, several);
    let what = match place {
        HolePlace::Rejection => format!("whether {who} {} the call", of("rejects")),
        HolePlace::Promise => format!("what is promised of {who}"),
        HolePlace::Hang => format!("whether {who} returns"),
        _ => format!("what {who} {}", of("leaves")),
    };
    format!("{what} depends on the reading")
}
