//! Traces of scatters and gathers, and the events they are held against.

use super::*;

pub(crate) fn load(space: Space, role: Role, offset: i64, len: u64) -> Event {
    Event::Load {
        space,
        role,
        offset,
        len,
    }
}

pub(crate) fn store(space: Space, role: Role, offset: i64, len: u64) -> Event {
    Event::Store {
        space,
        role,
        offset,
        len,
    }
}

/// The trace of a call that stays inside its operands, which are zeros but for indices.
pub(crate) fn traced(call: Call, how: How, idx: &[i32]) -> Vec<Event> {
    let body = |role, operand: Operand<'_>| match operand {
        _ if role == Role::Index => bytes(idx),
        Operand::Tile(tile) => vec![0; area(tile)],
        Operand::Tensor(tensor) => {
            let slots: u64 = tensor.shape.iter().map(|dim| dim.get()).product();
            vec![0; slots as usize * tensor.dtype.size()]
        }
    };
    let operands = call.operands();
    let regions: Vec<_> = operands
        .iter()
        .map(|&(role, operand)| (role, body(role, operand)))
        .collect();
    let log = execute(call, &mut memory(&regions), how);
    assert_eq!(log.oob_accesses, OobAccesses::default());
    log.trace.expect("a trace")
}

/// Where a call stores to, in units of `size` bytes.
pub(crate) fn stores(call: Call, how: How, idx: &[i32], size: i64) -> Vec<i64> {
    let events = traced(call, how, idx).into_iter();
    let place = |event| match event {
        Event::Store { offset, .. } => Some(offset / size),
        _ => None,
    };
    events.filter_map(place).collect()
}

pub(crate) fn gathered(call: Mgather, idx: &[i32]) -> Vec<Event> {
    traced(Call::Mgather(call), How::default(), idx)
}

/// A launch of `warps` warps whose lanes take one of what it serves at a time.
pub(crate) fn launch(kernel: &str, mode: Coalesce, warps: u64, trips: u64) -> Event {
    // By the names of the kernels: LAUNCH-07 for the Last ones, MGATHERL1-EXEC-08.
    let last = kernel.ends_with("_last_kernel");
    let serves = match mode {
        _ if kernel.contains("_l1_") => Serves::Offset,
        Elem if last => Serves::Slot,
        Elem => Serves::Element,
        Row if last => Serves::TableRow,
        Row => Serves::Row,
    };
    // The first revision's warps own rows one by one.
    let stride = if serves == Serves::Row {
        warps
    } else {
        32 * warps
    };
    Event::Launch {
        kernel: kernel.into(),
        mode,
        dim3: (32, warps),
        row_warps: None,
        warps_per_row: None,
        serves,
        stride,
        trips,
    }
}

pub(crate) fn row_launch(kernel: &str, row_warps: u64, warps_per_row: u64, trips: u64) -> Event {
    Event::Launch {
        kernel: kernel.into(),
        mode: Row,
        dim3: (32, row_warps * warps_per_row),
        row_warps: Some(row_warps),
        warps_per_row: Some(warps_per_row),
        serves: Serves::Row,
        stride: row_warps,
        trips,
    }
}

pub(crate) fn count(events: &[Event], matching: impl Fn(&Event) -> bool) -> usize {
    events.iter().filter(|event| matching(event)).count()
}

pub(crate) fn is_launch(event: &Event) -> bool {
    matches!(event, Event::Launch { .. })
}

pub(crate) fn is_gm_store(event: &Event) -> bool {
    matches!(event, Event::Store { space, .. } if *space == Space::Gm)
}

pub(crate) fn is_gm_load(event: &Event) -> bool {
    matches!(event, Event::Load { space, .. } if *space == Space::Gm)
}

pub(crate) fn is_index_load(event: &Event) -> bool {
    matches!(event, Event::Load { role, .. } if *role == Role::Index)
}

pub(crate) fn is_flag(event: &Event) -> bool {
    matches!(event, Event::SetFlag { .. } | Event::WaitFlag { .. })
}

pub(crate) fn fill(name: Option<&str>, space: Space, role: Role, len: u64) -> Event {
    Event::Fill {
        name: name.map(Into::into),
        space,
        role,
        offset: 0,
        len,
    }
}
