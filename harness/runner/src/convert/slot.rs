//! One slot, with its values as people read them.

use std::collections::BTreeMap;

use ptodiff_isa::{Party, Target};
use ptodiff_judge::{Coordinate, Finding, PairSlot, Permitted, Place, SlotFinding, Value};
use ptodiff_record::{Slot, SlotValue, joined};

pub(super) fn wrong_slot(party: &Party, wrong: &SlotFinding, found: &Finding) -> Slot {
    let by = match found.place {
        Place::Expectation => Slot::BY_THE_CASE,
        _ => "",
    };
    let clauses = [found.clause, wrong.freedom, wrong.or_kept];
    let mut clauses: Vec<String> = clauses.iter().flatten().map(ToString::to_string).collect();
    clauses.dedup();
    Slot {
        role: wrong.role,
        offset: wrong.offset as i64,
        element: wrong.element as u64,
        at: at(wrong.coordinate, false),
        initial: value(wrong.before),
        got: BTreeMap::from([(party.clone(), value(wrong.got))]),
        permitted: Some(match wrong.or_kept {
            None => format!("{}{by}", permitted(&wrong.permitted)),
            Some(_) => format!(
                "{}, or {}{by}",
                permitted(&wrong.permitted),
                permitted(&Permitted::Kept(wrong.before))
            ),
        }),
        clauses,
        lanes: Vec::new(),
        more_lanes: 0,
        schedule: None,
        whose: Vec::new(),
        due: Vec::new(),
    }
}

pub(super) fn pair_slot(parties: &[Party; 2], slot: &PairSlot) -> Slot {
    let mut clauses: Vec<String> = slot
        .ruled
        .iter()
        .flatten()
        .chain(&slot.clauses)
        .map(ToString::to_string)
        .collect();
    clauses.sort_unstable();
    clauses.dedup();
    Slot {
        role: slot.role,
        offset: slot.offset as i64,
        element: slot.element as u64,
        at: at(slot.coordinate, slot.place == Place::Padding),
        initial: value(slot.before),
        got: parties.iter().cloned().zip(slot.got.map(value)).collect(),
        permitted: None,
        clauses,
        lanes: Vec::new(),
        more_lanes: 0,
        schedule: parties
            .iter()
            .zip(slot.schedules)
            .find(|(party, _)| party.target == Target::A5)
            .map(|(_, s)| s.to_string()),
        whose: Vec::new(),
        due: Vec::new(),
    }
}

fn permitted(permitted: &Permitted) -> String {
    let text = |v: &Value| {
        let v = value(*v);
        format!("{} ({})", v.value, v.bits)
    };
    match permitted {
        Permitted::Kept(v) => format!("kept {}", text(v)),
        Permitted::Exactly(v) => text(v),
        Permitted::OneOf { first, count } => {
            let shown = joined(first.iter().map(text), ", ");
            let more = if *count > first.len() {
                format!(" or {} more", count - first.len())
            } else {
                String::new()
            };
            format!("one of {shown}{more}")
        }
        Permitted::Between { low, high, more } => {
            let (low, high) = (text(low), text(high));
            let more: String = more.iter().map(|v| format!(", or {}", text(v))).collect();
            match low.starts_with("NaN") {
                true => format!("any NaN{more}"),
                false => format!("from {low} to {high}{more}"),
            }
        }
    }
}

fn at(coordinate: Option<Coordinate>, padding: bool) -> String {
    match (coordinate, padding) {
        (Some(c), false) => c.to_string(),
        (Some(c), true) => format!("{c} padding"),
        (None, _) => "no logical place".to_owned(),
    }
}

/// A value as bits and as people read it.
pub(crate) fn value(value: Value) -> SlotValue {
    SlotValue {
        bits: value.hex(),
        value: value.text().unwrap_or_else(|| value.hex()),
    }
}
