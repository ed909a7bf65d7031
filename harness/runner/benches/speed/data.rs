//! Operands for the benchmarks.

use ptodiff_isa::{
    BLayout, DType, Dim, GlobalTensor, Layout, Memory, Region, Role, SLayout, Tile, TileType,
};

/// A full row-major tile in UB.
pub(crate) fn tile(dtype: DType, rows: usize, cols: usize) -> Tile {
    let (rows, cols) = (rows as u64, cols as u64);
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

/// A full NZ tile in L1.
pub(crate) fn l1_tile(dtype: DType, rows: usize, cols: usize) -> Tile {
    Tile {
        location: TileType::Mat,
        blayout: BLayout::ColMajor,
        slayout: SLayout::RowMajor,
        ..tile(dtype, rows, cols)
    }
}

/// A packed tensor of `rows` rows.
pub(crate) fn tensor(dtype: DType, rows: usize, cols: usize) -> GlobalTensor {
    let (r, c) = (rows as u64, cols as u64);
    GlobalTensor {
        dtype,
        shape: [1, 1, 1, r, c].map(Dim::Static),
        stride: [r * c, r * c, r * c, c, 1].map(Dim::Static),
        layout: Layout::ND,
    }
}

/// Bytes of a guard zone.
const GUARD: usize = 64;

/// An operand between guard zones.
pub(crate) fn region(role: Role, body: Vec<u8>) -> Region {
    let room = vec![0xA5; body.len() + 2 * GUARD];
    placed(role, room, GUARD, &body)
}

/// An operand that begins at `at` of its `bytes`.
fn placed(role: Role, mut bytes: Vec<u8>, at: usize, body: &[u8]) -> Region {
    let range = at..at + body.len();
    bytes[range.clone()].copy_from_slice(body);
    Region::new(role, bytes, range)
}

/// The same operands, each of which begins with a line of the cache, as those of
/// the peers do: copying rows that lie across lines takes up to 1.5 times as long.
pub(crate) fn on_lines(memory: &Memory) -> Memory {
    const LINE: usize = 64;
    let on_line = |region: &Region| {
        let body = region.body();
        let room = vec![0xA5; LINE + body.len() + 2 * GUARD];
        let at = GUARD + room[GUARD..].as_ptr().align_offset(LINE);
        placed(region.role, room, at, body)
    };
    Memory {
        regions: memory.regions.iter().map(on_line).collect(),
    }
}

/// `count` elements that differ from one to the next: 0, 1, 2, ... where the
/// type holds that, and of half those from 1 to 2, over and over.
pub(crate) fn ramp(dtype: DType, count: usize) -> Vec<u8> {
    let elements = 0..count;
    match dtype {
        DType::Float => elements.flat_map(|k| (k as f32).to_le_bytes()).collect(),
        DType::Half => elements
            .flat_map(|k| (0x3C00 + (k % 0x400) as u16).to_le_bytes())
            .collect(),
        _ => elements
            .flat_map(|k| k.to_le_bytes().into_iter().take(dtype.size()))
            .collect(),
    }
}

/// Indices as bytes.
pub(crate) fn bytes_of(indices: &[u32]) -> Vec<u8> {
    indices.iter().flat_map(|i| i.to_le_bytes()).collect()
}
