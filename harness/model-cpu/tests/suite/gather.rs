//! MGATHER, GM to UB.

use ptodiff_isa::{Call, Coalesce, CpuPaddedTable, DType, Dim, GatherOob, GlobalTensor, Tile};

use crate::common::{
    With, by_default, col_major, counted, dynamic, flat, full, gather, i32s, made, reading, rows,
    scatter, table, tile, to_i32s,
};

use Coalesce::{Elem, Row};
use DType::Int32;
use GatherOob::{Clamp, Undefined, Wrap, Zero};

/// Gathers from a table counted up from 0 into a tile of -5.
fn gathered(
    mode: Coalesce,
    oob: GatherOob,
    dst: Tile,
    table: GlobalTensor,
    idx: Tile,
    indices: &[i32],
) -> Vec<i32> {
    let slots: u64 = table.shape.iter().map(|extent| extent.get()).product();
    let operands = [
        i32s(&vec![-5; (dst.rows * dst.cols) as usize]),
        counted(0, slots as usize),
        i32s(indices),
    ];
    let call = Call::Mgather(gather(mode, oob, dst, table, idx));
    let operands = operands.each_ref().map(|body| &body[..]);
    to_i32s(&by_default(call, &operands))
}

// MGATHER-CAP-01, MGATHER-GAP-05: rows 3 to 5 of the memory are those of the next index
// of dimension 2.
#[test]
fn a_row_is_one_of_shape_3() {
    let planes = table(Int32, [1, 1, 2, 3, 8]);
    for (oob, taken) in [
        (Clamp, [2, 2, 1]),
        (Wrap, [0, 1, 1]),
        (Zero, [-1, -1, 1]),
        (Undefined, [3, 4, 1]),
    ] {
        let (dst, idx) = (full(Int32, [3, 8]), full(Int32, [1, 3]));
        let out = gathered(Row, oob, dst, planes, idx, &[3, 4, 1]);
        let row = |row| match row {
            -1 => [0; 8],
            _ => std::array::from_fn(|c| 8 * row + c as i32),
        };
        assert_eq!(out, taken.map(row).concat(), "{oob}");
    }
}

// MSCATTER-SEM-10
#[test]
fn a_gather_undoes_a_scatter() {
    let idx: Vec<i32> = (0..256).map(|k| (k * 77 + 13) % 256).collect();
    let (shape, flat) = (full(Int32, [8, 32]), flat(Int32, 256));
    let (src, idx) = (counted(5000, 256), i32s(&idx));
    let there = Call::Mscatter(scatter(flat, shape, shape));
    let table = by_default(there, &[&[0; 1024], &src, &idx]);
    assert_ne!(table, src);
    let back = Call::Mgather(gather(Elem, Undefined, shape, flat, shape));
    let out = by_default(back, &[&[0; 1024], &table, &idx]);
    assert_eq!(out, src);
}

// MGATHER-TILE-12, MGATHER-GAP-15: element r of the index tile, decoys (7) in the padding.
#[test]
fn a_row_index_is_read_through_its_tile() {
    let (across, down) = (tile(Int32, [2, 4], [1, 4]), tile(Int32, [4, 2], [4, 1]));
    let (dst, table) = (full(Int32, [4, 1]), rows(Int32, 8, 1));
    let (close, apart) = ([3, 0, 2, 1, 7, 7, 7, 7], [3, 7, 0, 7, 2, 7, 1, 7]);
    for (idx, indices) in [
        (across, close),
        (down, apart),
        (col_major(down), close),
        (col_major(across), apart),
    ] {
        for idx in [idx, dynamic(idx)] {
            let out = gathered(Row, Zero, dst, table, idx, &indices);
            assert_eq!(out, [3, 0, 2, 1]);
        }
    }
}

// MGATHER-GAP-25: the destination's extents drive the walk.
#[test]
fn the_data_tile_drives_the_loops() {
    let (dst, idx) = (full(Int32, [2, 8]), tile(Int32, [2, 8], [1, 3]));
    let (dst, idx) = (dynamic(dst), dynamic(idx));
    let all: Vec<i32> = (0..16).collect();
    let out = gathered(Elem, Zero, dst, flat(Int32, 16), idx, &all);
    assert_eq!(out, all);
    let (none, idx) = (dynamic(tile(Int32, [3, 1], [3, 0])), full(Int32, [1, 3]));
    let out = gathered(Row, Undefined, none, rows(Int32, 9, 1), idx, &[3, -1, 9]);
    assert_eq!(out, [-5; 3]);
}

/// Four rows of eight, `DIM_3` 16 apart; the outer strides would take one elsewhere.
fn padded() -> GlobalTensor {
    rows(Int32, 4, 8).with(|c| c.stride = [1000, 1000, 1000, 16, 1].map(Dim::Static))
}

// MGATHER-GAP-08; MGATHER-TABLE-04: without it the pitch is the width, whatever the strides.
#[test]
fn rows_that_lie_apart() {
    use CpuPaddedTable::{Precondition, Strided};
    let firsts = |reading_, table, oob, indices: &[i32]| -> Vec<i32> {
        let readings = reading(|r| r.cpu_padded_table = reading_);
        let count = indices.len() as u64;
        let (dst, idx) = (tile(Int32, [count, 4], [count, 3]), full(Int32, [1, count]));
        let call = Call::Mgather(gather(Row, oob, dst, table, idx));
        let before = i32s(&vec![-5; 4 * indices.len()]);
        let out = made(readings, call, &[&before, &counted(0, 56), &i32s(indices)]);
        let out = to_i32s(&out);
        let rows = out.chunks(4).map(|row| {
            let next = i32::from(row[..3] != [0; 3]);
            assert_eq!(row[1..], [row[0] + next, row[0] + 2 * next, -5]);
            row[0]
        });
        rows.collect()
    };
    let all = firsts(Strided, padded(), Undefined, &[3, 0, 2, 1]);
    assert_eq!(all, [48, 0, 32, 16]);
    assert_eq!(firsts(Precondition, padded(), Undefined, &[3, 1]), [24, 8]);
    // The capacity is Shape[3] all the same (MGATHER-CAP-01).
    assert_eq!(firsts(Strided, padded(), Clamp, &[4, 3, -1]), [48, 48, 48]);
    assert_eq!(firsts(Strided, padded(), Wrap, &[4, 7, 1]), [0, 48, 16]);
    assert_eq!(firsts(Strided, padded(), Zero, &[4, 1]), [0, 16]);
    // A packed table is no other under either choice.
    let mut packed = padded();
    packed.stride[3] = Dim::Dynamic(8);
    for reading in [Precondition, Strided] {
        assert_eq!(firsts(reading, packed, Undefined, &[2]), [16]);
    }
    // MGATHER-GAP-07: an element is a number in the flat table, pads included.
    let two = full(Int32, [1, 2]);
    let call = Call::Mgather(gather(Elem, Zero, two, padded(), two));
    for (indices, expected) in [([8, 31], [8, 31]), ([32, 1], [0, 1])] {
        let readings = reading(|r| r.cpu_padded_table = Strided);
        let out = made(readings, call, &[&[0; 8], &counted(0, 56), &i32s(&indices)]);
        assert_eq!(to_i32s(&out), expected);
    }
}
