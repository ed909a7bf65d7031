//! Small operands, and answers as text.

pub(crate) mod scatters;

pub(crate) use ptodiff_enumerate::world::build::{nz_tile, tile};
use ptodiff_enumerate::{Out, Reachable, Values, enumerate};
use ptodiff_isa::*;

/// A tensor of these extents and strides.
pub(crate) fn tensor(dtype: DType, layout: Layout, dims: [[u64; 5]; 2]) -> GlobalTensor {
    GlobalTensor {
        dtype,
        shape: dims[0].map(Dim::Static),
        stride: dims[1].map(Dim::Static),
        layout,
    }
}

/// A [rows, cols] ND table whose rows are `pitch` apart.
pub(crate) fn rows(dtype: DType, rows: u64, cols: u64, pitch: u64) -> GlobalTensor {
    let all = rows * pitch;
    let dims = [[1, 1, 1, rows, cols], [all, all, all, pitch, 1]];
    tensor(dtype, Layout::ND, dims)
}

/// Operands by role, in elements of `dtype` but for 32-bit indices.
pub(crate) fn memory(dtype: DType, operands: &[(Role, &[i64])]) -> Memory {
    let region = |(role, values): &(Role, &[i64])| {
        let size = match role {
            Role::Index => 4,
            _ => dtype.size(),
        };
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|v| v.to_le_bytes()[..size].to_vec())
            .collect();
        let body = 0..bytes.len();
        Region::new(*role, bytes, body)
    };
    Memory {
        regions: operands.iter().map(region).collect(),
    }
}

/// The operands of a move from tile to tile, of a scatter to a table, of a gather from one.
pub(crate) const TILES: [Role; 3] = [Role::Destination, Role::Source, Role::Index];
pub(crate) const STORES: [Role; 3] = [Role::Table, Role::Source, Role::Index];
pub(crate) const LOADS: [Role; 3] = [Role::Destination, Role::Table, Role::Index];

/// The operands of these roles.
pub(crate) fn operands(roles: [Role; 3], dtype: DType, [a, b, c]: [&[i64]; 3]) -> Memory {
    memory(dtype, &[(roles[0], a), (roles[1], b), (roles[2], c)])
}

/// The default readings but for these.
pub(crate) fn with(choices: &[(&str, &str)]) -> Readings {
    let mut readings = Readings::default();
    for (gap, choice) in choices {
        readings.set(gap, choice).unwrap();
    }
    readings
}

/// `.` for kept, `*` for anything, else the values; `!` at the end of what
/// goes outside.
pub(crate) fn text(slots: &[Values]) -> String {
    let slot = |values: &Values| match values {
        Values::Kept => ".".to_owned(),
        Values::Anything => "*".to_owned(),
        Values::These(all) => {
            let all: Vec<_> = all.iter().map(u64::to_string).collect();
            all.join("|")
        }
    };
    let all: Vec<_> = slots.iter().map(slot).collect();
    all.join(" ")
}

fn line(r: &Reachable) -> String {
    let outside = if r.outside { " !" } else { "" };
    text(&r.slots) + outside
}

/// The answer as text.
pub(crate) fn told(
    call: &Call,
    steps: &[&Memory],
    target: Target,
    choices: &[(&str, &str)],
) -> String {
    match enumerate(call, steps, target, &with(choices)) {
        Out::Of(r) => line(&r),
        Out::Undefined(None) => "undefined".to_owned(),
        Out::Undefined(Some(r)) => format!("undefined: {}", line(&r)),
        Out::TooLarge => "too large".to_owned(),
        Out::NotCovered(why) => why.to_owned(),
    }
}
