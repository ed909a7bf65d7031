//! What went in comes out: [`super::Relation::Readback`].

use ptodiff_isa::{
    Call, Coalesce, GatherOob, GlobalTensor, Launch, Memory, Mgather, Region, Role,
    ScatterAtomicOp, Tile,
};

use super::Finding;
use super::order::Combine;
use super::place::read;
use super::reach::Policy;
use super::trial::{ModelCase, Seen, Two};
use super::view::{View, demand};

/// A scatter, then a gather through the same indices.
pub(super) fn check(base: &ModelCase<'_>) -> Finding {
    let (table, idx, launch) = match base.call {
        Call::Mscatter(c) => (&c.table, &c.idx, &c.launch),
        Call::MscatterFirst(c) => (&c.table, &c.idx, &c.launch),
        Call::TscatterIndex(_) => return by_slot(base),
        _ => return None,
    };
    let seen = settled(base)?;
    let gather = gather(&seen.view, table, idx, launch)?;
    let back = base.view(&gather)?;
    let mut memory = gathering(seen.memory)?;
    demand(back.slots(&memory)? == seen.slots)?;

    let judge = || {
        let scattered = base.run(base.call, seen.memory.clone())?;
        if let (Some(old), Some(table)) = (memory.get_mut(Role::Table), scattered.get(Role::Table))
        {
            old.clone_from(table);
        }
        let gathered = base.run(&gather, memory)?;
        returned(&seen, &back, &gathered)
    };
    Some(judge())
}

/// A scatter that stores what it is given, to some slot from one lane only.
fn settled<'a>(base: &ModelCase<'a>) -> Option<Seen<'a>> {
    let stores = |combine: &Combine| combine.atomic == ScatterAtomicOp::None;
    let seen = base.seen(|view| view.combine.as_ref().is_some_and(stores))?;
    let mut lanes = 0..seen.slots.len();
    demand(lanes.any(|lane| seen.slots.sole(lane)))?;
    Some(seen)
}

/// The gather that selects what the scatter did; where that dropped a lane it
/// delivers a zero.
fn gather(view: &View<'_>, table: &GlobalTensor, idx: &Tile, launch: &Launch) -> Option<Call> {
    Some(Call::Mgather(Mgather {
        dst: *view.data,
        table: *table,
        idx: *idx,
        mode: if view.by_row {
            Coalesce::Row
        } else {
            Coalesce::Elem
        },
        oob: match view.reach.policy {
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

fn returned(seen: &Seen<'_>, back: &View<'_>, gathered: &Memory) -> Result<(), String> {
    let Seen {
        view,
        memory,
        slots,
    } = seen;
    let size = view.data.dtype.size();
    let source = memory.get(Role::Source).map_or(&[][..], Region::body);
    let two = Two::of(Role::Destination, size, [gathered; 2], "")?;
    for lane in 0..slots.len() {
        let (sole, dropped) = (slots.sole(lane), slots.dropped(lane));
        if !sole && !dropped {
            continue;
        }
        let (r, c) = view.lane(lane);
        for k in 0..view.width {
            let at = view.places.at(r, c + k);
            let (wanted, but) = if sole {
                (read(source, at, size), "was scattered from there")
            } else {
                (0, "is what an index out of bounds gives")
            };
            two.holds(back.places.at(r, c + k), wanted, but)?;
        }
    }
    Ok(())
}

/// TSCATTER: the slots of its destination are read as they stand.
fn by_slot(base: &ModelCase<'_>) -> Finding {
    let seen = settled(base)?;
    let judge = || {
        let scattered = base.run(base.call, seen.memory.clone())?;
        let Seen {
            view,
            memory,
            slots,
        } = &seen;
        let size = view.data.dtype.size();
        let source = memory.get(Role::Source).map_or(&[][..], Region::body);
        let two = Two::of(Role::Destination, size, [&scattered; 2], "")?;
        let mut lanes = (0..slots.len()).filter(|lane| slots.sole(*lane));
        lanes.try_for_each(|lane| {
            let (r, c) = view.lane(lane);
            let wanted = read(source, view.places.at(r, c), size);
            let but = format!("was scattered to it from ({r}, {c})");
            two.holds(slots.of(lane) as usize, wanted, &but)
        })
    };
    Some(judge())
}
