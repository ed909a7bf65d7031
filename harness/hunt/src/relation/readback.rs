//! What went in comes out: [`super::Relation::Readback`].

use ptodiff_isa::{
    CacheFlush, Call, Coalesce, GatherOob, GlobalTensor, Launch, Memory, Mgather, Region, Role,
    ScatterAtomicOp, Target, Tile,
};

use super::Finding;
use super::lanes::{Lanes, demand};
use super::reach::Policy;
use super::trial::{ModelCase, Seen, Two};

/// A scatter, then a gather through the same indices.
pub(super) fn check(base: &ModelCase<'_>) -> Finding {
    let seen = base.seen(|lanes| lanes.atomic == Some(ScatterAtomicOp::None))?;
    let mut lanes = 0..seen.slots.len();
    demand(lanes.any(|lane| seen.slots.sole(lane)))?;
    let (table, idx, launch) = match base.call {
        Call::Mscatter(c) => (&c.table, &c.idx, &c.launch),
        Call::MscatterFirst(c) => (&c.table, &c.idx, &c.launch),
        // TSCATTER has no gather: its slots are read as they stand.
        _ => {
            let places = (0..seen.slots.len()).map(|lane| seen.slots.of(lane) as usize);
            let scattered = base.run(base.call, seen.memory.clone());
            return Some(scattered.and_then(|result| returned(&seen, places, &result)));
        }
    };
    // The host may read what was there before (MSCATTER-CACHE-02).
    demand(base.target != Target::A5 || launch.flush == CacheFlush::Appended)?;
    let gather = gather(&seen.lanes, table, idx, launch)?;
    let back = base.lanes(&gather)?;
    let mut memory = gathering(seen.memory)?;
    demand(back.slots(&memory)? == seen.slots)?;

    let judge = || {
        let scattered = base.run(base.call, seen.memory.clone())?;
        if let (Some(old), Some(table)) = (memory.get_mut(Role::Table), scattered.get(Role::Table))
        {
            old.clone_from(table);
        }
        let gathered = base.run(&gather, memory)?;
        let places = back.places(Role::Destination).unwrap_or_default();
        returned(&seen, places, &gathered)
    };
    Some(judge())
}

/// The gather that selects what the scatter did; where that dropped a lane it
/// delivers a zero.
fn gather(lanes: &Lanes, table: &GlobalTensor, idx: &Tile, launch: &Launch) -> Option<Call> {
    Some(Call::Mgather(Mgather {
        dst: *lanes.data(),
        table: *table,
        idx: *idx,
        mode: if lanes.by_row {
            Coalesce::Row
        } else {
            Coalesce::Elem
        },
        oob: match lanes.reach.policy {
            Policy::Undefined => GatherOob::Undefined,
            Policy::Drop => GatherOob::Zero,
            Policy::Clamp => GatherOob::Clamp,
            Policy::Wrap => GatherOob::Wrap,
            Policy::Storage { .. } | Policy::Bytes { .. } => return None,
        },
        launch: *launch,
    }))
}

/// The operands of the gather: a destination that differs from the source in
/// every element, the table as it was before.
fn gathering(memory: &Memory) -> Option<Memory> {
    let source = memory.get(Role::Source)?;
    let other = source.bytes().iter().map(|byte| !byte).collect();
    let destination = Region::new(Role::Destination, other, source.body_range());
    Some(Memory {
        regions: vec![
            destination,
            memory.get(Role::Table)?.clone(),
            memory.get(Role::Index)?.clone(),
        ],
    })
}

/// What went in stands in the destination of `result` at `places`, as far as no other
/// lane selects the slot, and a zero for a lane that selects none.
fn returned(
    seen: &Seen<'_>,
    places: impl IntoIterator<Item = usize>,
    result: &Memory,
) -> Result<(), String> {
    let Seen { lanes, slots, .. } = seen;
    let source = lanes.values(seen.memory, Role::Source).unwrap_or_default();
    let size = lanes.data().dtype.size();
    let two = Two::of(Role::Destination, size, [result; 2], "")?;
    for (at, (place, value)) in places.into_iter().zip(source).enumerate() {
        let lane = at / lanes.width;
        if slots.sole(lane) {
            two.holds(place, value, "was scattered from there")?;
        } else if slots.dropped(lane) {
            two.holds(place, 0, "is what an index out of bounds gives")?;
        }
    }
    Ok(())
}
