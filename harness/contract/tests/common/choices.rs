//! Readings by name, and scatters under them.

use ptodiff_contract::{Permits, data_preconditions};
use ptodiff_isa::{Call, Dim, GlobalTensor, Mscatter, Readings, Role, Target};

use super::{Slot, memory, runs, scattered, slots};

/// The default readings but for these gaps.
pub(crate) fn with(choices: &[(&str, &str)]) -> Readings {
    let mut readings = Readings::default();
    for (gap, choice) in choices {
        readings.set(gap, choice).expect("a choice of the gap");
    }
    readings
}

/// A table with other strides.
pub(crate) fn strided(mut t: GlobalTensor, strides: &[(usize, u64)]) -> GlobalTensor {
    for &(dim, stride) in strides {
        t.stride[dim] = Dim::Static(stride);
    }
    t
}

/// Permits and the preconditions that indices break, of one call.
pub(crate) fn run(
    call: &Mscatter,
    [table, src, idx]: [&[u8]; 3],
    target: Target,
    choices: &[(&str, &str)],
) -> (Permits, Vec<&'static str>) {
    let readings = with(choices);
    let m = memory(&[
        (Role::Table, table),
        (Role::Source, src),
        (Role::Index, idx),
    ]);
    let preconditions = data_preconditions(&Call::Mscatter(*call), &[&m], target, &readings);
    let p = scattered(call, table, src, idx, target, &readings);
    (p, preconditions.iter().map(|b| b.clause.0).collect())
}

/// The slots that are written: number and float.
pub(crate) fn written(p: &Permits, len: usize) -> Vec<(usize, f32)> {
    let all = slots(p, Role::Table, len);
    let value = |(at, s): (usize, &Slot)| match s {
        Slot::One(b) => Some((at, f32::from_le_bytes(b[..].try_into().unwrap()))),
        Slot::Kept => None,
        other => panic!("{other:?}"),
    };
    all.iter().enumerate().filter_map(value).collect()
}

/// What the first run is free by.
pub(crate) fn freedom(p: &Permits) -> Option<&'static str> {
    runs(p, Role::Table)[0].freedom.map(|c| c.0)
}

/// Whether the whole table may hold anything.
pub(crate) fn all_open(p: &Permits, len: usize) -> bool {
    slots(p, Role::Table, len)
        .iter()
        .all(|s| *s == Slot::Anything)
}

/// Eight slots from each start, filled with the number beside it.
pub(crate) fn filled(rows: &[(usize, f32)]) -> Vec<(usize, f32)> {
    rows.iter()
        .flat_map(|&(start, v)| (start..start + 8).map(move |at| (at, v)))
        .collect()
}
