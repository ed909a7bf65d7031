//! Operands for unit tests.

use ptodiff_isa::{BLayout, DType, Dim, Memory, Region, Role, SLayout, Tile, TileType};

/// An ND tile, all of it valid.
pub(crate) fn tile(dtype: DType, rows: u64, cols: u64) -> Tile {
    Tile {
        location: TileType::Vec,
        dtype,
        rows,
        cols,
        valid_row: Dim::Static(rows),
        valid_col: Dim::Static(cols),
        blayout: BLayout::RowMajor,
        slayout: SLayout::NoneBox,
        fractal: 512,
    }
}

/// The bytes of `words`.
pub(crate) fn bytes(words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Table and tile of `words` and indices, each between guard zones.
pub(crate) fn memory(data: Role, [table, tile, index]: [Vec<u32>; 3]) -> Memory {
    let region = |(role, words): (Role, Vec<u32>)| {
        let body = bytes(words);
        let all = [&[0xA5; 64][..], &body, &[0xA5; 64]].concat();
        Region::new(role, all, 64..64 + body.len())
    };
    let operands = [(Role::Table, table), (data, tile), (Role::Index, index)];
    Memory {
        regions: operands.map(region).into(),
    }
}

/// `count` of `of` slots, out of order, no two alike.
pub(crate) fn scrambled(count: u64, of: u64) -> Vec<u32> {
    (0..count).map(|k| ((k * 13 + 5) % of) as u32).collect()
}

/// `count` numbers that count up.
pub(crate) fn numbers(from: u32, count: u64) -> Vec<u32> {
    (from..).take(count as usize).collect()
}
