//! A slot as text: where it is, what stands there, who wrote it.

use std::io::{self, Write};

use ptodiff_record::{Lane, Slot, SlotValue};

/// Where a slot is, what stands there and what may, in one line.
pub(crate) fn line(slot: &Slot) -> String {
    let before = value(&slot.before);
    let mut out = format!(
        "{} {} at byte {}: before {before}",
        slot.role, slot.at, slot.offset
    );
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

/// Writes [`line`], and in a second one the lanes that wrote there.
pub(crate) fn write_slot(to: &mut impl Write, slot: &Slot) -> io::Result<()> {
    writeln!(to, "          {}", line(slot))?;
    if slot.lanes.is_empty() {
        return Ok(());
    }
    let lanes: Vec<String> = slot.lanes.iter().map(lane).collect();
    write!(to, "            written by {}", lanes.join(" "))?;
    if slot.more_lanes > 0 {
        write!(to, " and {} more", slot.more_lanes)?;
    }
    writeln!(to)
}

pub(crate) fn lane(lane: &Lane) -> String {
    match lane.step {
        0 => format!("({}, {})", lane.r, lane.c),
        step => format!("({}, {}) of call {step}", lane.r, lane.c),
    }
}

fn value(value: &SlotValue) -> String {
    format!("{} ({})", value.value, value.bits)
}
