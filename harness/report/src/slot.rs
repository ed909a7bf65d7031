//! A slot as text: where it is, what stands there, who wrote it.

use ptodiff_isa::Party;
use ptodiff_record::{CaseRecord, Lane, Slot, SlotValue};

/// Where a slot is.
pub(crate) fn place(case: &CaseRecord, slot: &Slot) -> String {
    format!("{} {}, byte {}", case.key(slot.role), slot.at, slot.offset)
}

/// Where a slot is, what stands there and what may, in one line.
pub(crate) fn line(case: &CaseRecord, slot: &Slot) -> String {
    let mut out = format!("{}: initial {}", place(case, slot), value(&slot.initial));
    for (party, got) in &slot.got {
        out.push_str(&format!(", {party} {}", value(got)));
    }
    if let Some(schedule) = &slot.schedule {
        out.push_str(&format!(" {schedule}"));
    }
    if let Some(permitted) = &slot.permitted {
        out.push_str(&format!("; permitted {permitted}"));
    }
    out
}

/// The lanes that wrote there, to stand one after the other. An index stands
/// before the first of several lanes that have it.
pub(crate) fn lanes(slot: &Slot) -> Vec<String> {
    let lanes = &slot.lanes;
    let before = |i: usize| i.checked_sub(1).map(|i| &lanes[i]);
    let all = lanes.iter().enumerate();
    all.map(|(i, lane)| text(lane, before(i), lanes.get(i + 1)))
        .collect()
}

/// The text of `lane`, between two others.
fn text(lane: &Lane, before: Option<&Lane>, after: Option<&Lane>) -> String {
    let like = |other: Option<&Lane>| other.map(|other| other.index == lane.index);
    let mut out = match lane.index {
        Some(index) if like(before) != Some(true) => format!("index {index} at "),
        _ => String::new(),
    };
    out.push_str(&format!("({}, {})", lane.r, lane.c));
    if lane.step > 0 {
        out.push_str(&format!(" of call {}", lane.step));
    }
    if like(after) == Some(false) {
        out.push(',');
    }
    out
}

/// A value and its bits.
pub(crate) fn value(value: &SlotValue) -> String {
    format!("{} ({})", value.value, value.bits)
}

/// Values in the order in which they come, each with the parties that left it.
pub(crate) fn alike<'a>(
    got: impl IntoIterator<Item = (&'a Party, &'a SlotValue)>,
) -> Vec<(&'a SlotValue, Vec<String>)> {
    let mut all: Vec<(&SlotValue, Vec<String>)> = Vec::new();
    for (party, value) in got {
        let party = party.to_string();
        match all.iter_mut().find(|(known, _)| known.bits == value.bits) {
            Some((_, parties)) => parties.push(party),
            None => all.push((value, vec![party])),
        }
    }
    all
}
