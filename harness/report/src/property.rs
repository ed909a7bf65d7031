//! The properties of a call, as its record has them: names with values, and sizes.

use std::collections::BTreeMap;

use ptodiff_isa::DType;

/// A name and a value, the name as a number by which properties are in order.
pub(crate) type Property = (usize, String);

/// Properties in the order in which they are named: those that a call has of its own, then
/// [`INDICES`], [`TILE`], [`WIDTH`], [`INSTRUCTION`] and [`TARGET`], then sizes.
const NAMES: [&str; 28] = [
    "oob",
    "mode",
    "atomic",
    "conflict",
    "exec",
    "mask",
    "axis",
    "dtype",
    "index dtype",
    "table dtype",
    "source dtype",
    "destination dtype",
    "layout",
    "blayout",
    "slayout",
    "source layout",
    "destination layout",
    "flush",
    "revision",
    "indices",
    "tile",
    "dtype width",
    "instruction",
    "target",
    "elements",
    "rows",
    "row bytes",
    "table",
];
/// What stands out of the index values: each thing is a property.
pub(crate) const INDICES: usize = 19;
const TILE: usize = INDICES + 1;
/// What is moved as it is goes wrong by the width of its type: one fault, of several types.
pub(crate) const WIDTH: usize = TILE + 1;
pub(crate) const INSTRUCTION: usize = WIDTH + 1;
pub(crate) const TARGET: usize = INSTRUCTION + 1;
/// Valid elements of the data tile.
const ELEMENTS: usize = TARGET + 1;
/// Its valid rows.
const ROWS: usize = ELEMENTS + 1;
/// Bytes of a valid row.
const ROW_BYTES: usize = ROWS + 1;
/// Elements of the table.
const TABLE: usize = ROW_BYTES + 1;

/// What is kept of the sizes of a call, each a number that a property is above.
pub(crate) type Sizes = [u8; 6];
/// The size that each is of; of the first four the exponent of the next power of two, of the
/// others how far the largest power that divides it is below [`LARGEST`].
pub(crate) const OF: [usize; 6] = [ELEMENTS, ROWS, ROW_BYTES, TABLE, ELEMENTS, ROW_BYTES];
/// No multiple of a larger power of two than this is looked for, as an exponent.
const LARGEST: u8 = 6;

/// The properties of a call but for instruction, target and sizes.
pub(crate) fn own(call: &BTreeMap<String, String>) -> Vec<Property> {
    let mut has = Vec::with_capacity(NAMES.len());
    for (n, name) in NAMES[..INDICES].iter().enumerate() {
        has.extend(call.get(*name).map(|value| (n, value.clone())));
    }
    let indices = call.get(NAMES[INDICES]).into_iter();
    let indices = indices.flat_map(|all| all.split(", "));
    has.extend(indices.map(|one| (INDICES, one.to_owned())));
    if let Some(index) = call.get("index") {
        let is_column = matches!(extents(index)[..], [rows, 1] if rows > 1);
        let is = [
            (is_column, "one column"),
            (index.ends_with("ColMajor"), "ColMajor"),
        ];
        let is = is.into_iter().filter(|(is, _)| *is);
        has.extend(is.map(|(_, what)| (INDICES, what.to_owned())));
    }
    let tiles = ["tile", "source", "destination"].map(|name| call.get(name));
    for (sign, what) in [(" in ", "partly valid"), ("dyn ", "extents at run time")] {
        if tiles.iter().flatten().any(|text| text.contains(sign)) {
            has.push((TILE, what.to_owned()));
        }
    }
    if let Some(dtype) = dtype(call) {
        has.push((WIDTH, format!("{} bits", 8 * dtype.size())));
    }
    has
}

/// A property that a cause names.
pub(crate) fn read(property: &str) -> Property {
    let (name, value) = property.split_once('=').unwrap_or_default();
    let number = NAMES.iter().position(|known| *known == name);
    (number.unwrap_or(NAMES.len()), value.to_owned())
}

fn dtype(call: &BTreeMap<String, String>) -> Option<DType> {
    call.get("dtype")?.parse().ok()
}

/// The sizes of a call; what it does not have is 0.
pub(crate) fn sizes(call: &BTreeMap<String, String>) -> Sizes {
    // A gather by offsets has its lanes in the destination.
    let on_chip = match call.contains_key("offset") {
        true => "destination",
        false => "source",
    };
    let data = ["tile", on_chip]
        .into_iter()
        .find_map(|name| call.get(name));
    let tile = data.map(|text| extents(text)).unwrap_or_default();
    let table = call.get("table").map(|text| extents(text));
    let product = |all: &[u64]| all.iter().fold(1, |n: u64, one| n.saturating_mul(*one));
    let bytes = dtype(call).map_or(1, |dtype| dtype.size() as u64);
    let row_bytes = tile.get(1).map_or(0, |cols| cols.saturating_mul(bytes));
    let above = |n: u64| (u64::BITS - n.saturating_sub(1).leading_zeros()) as u8;
    let below = |n: u64| LARGEST - (n.trailing_zeros() as u8).min(LARGEST);
    [
        above(product(&tile)),
        above(tile.first().copied().unwrap_or_default()),
        above(row_bytes),
        above(table.map_or(0, |shape| product(&shape))),
        below(product(&tile)),
        below(row_bytes),
    ]
}

/// The extents in `2x8 in 4x8 RowMajor`, or `1x1x1xdyn 4x8`: of a tile its valid ones.
fn extents(text: &str) -> Vec<u64> {
    let valid = text.split(" in ").next().unwrap_or_default();
    let each = valid.split('x').map(|part| part.trim_start_matches("dyn "));
    each.map_while(|part| part.split(' ').next()?.parse().ok())
        .collect()
}

/// A size above a limit as a property.
pub(crate) fn named((size, limit): (usize, u8)) -> Property {
    let value = match size < 4 {
        true => format!("more than {}", 1_u64 << limit),
        false => format!("no multiple of {}", 1_u64 << (LARGEST - limit)),
    };
    (OF[size], value)
}

pub(crate) fn shown((name, value): &Property) -> String {
    format!("{}={value}", NAMES[*name])
}
