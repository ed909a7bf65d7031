//! MGATHER, GM to UB.

use ptodiff_isa::{
    Call, Coalesce, CpuForm, CpuPaddedTable, CpuRowCheck, DType, Dim, GatherOob, GlobalTensor,
    Readings, Role, Tile,
};
use strum::VariantArray;

use crate::common::{
    GUARD_WORD, NOWHERE, With, by_default, bytes, col_major, counted, dynamic, flat, full, gather,
    gather_l1, i32s, made, nz, ran, reading, rows, scatter, table, tile, to_i32s, word,
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

/// Which row of eight comes to each row of the destination; none where zeroes do.
fn rows_taken(oob: GatherOob, table: GlobalTensor, indices: &[i32]) -> Vec<Option<i32>> {
    let count = indices.len() as u64;
    let (dst, idx) = (full(Int32, [count, 8]), full(Int32, [1, count]));
    let out = gathered(Row, oob, dst, table, idx, indices);
    let (out, _) = out.as_chunks::<8>();
    let number = |row: &[i32; 8]| {
        let number = (*row != [0; 8]).then_some(row[0] / 8);
        let first = number.map(|number| std::array::from_fn(|c| 8 * number + c as i32));
        assert_eq!(*row, first.unwrap_or([0; 8]));
        number
    };
    out.iter().map(number).collect()
}

#[test]
fn rows_come_from_where_index_and_policy_say() {
    let of = |height| rows(Int32, height, 8);
    // Rows 3 to 5 of the memory are those of the next index of dimension 2.
    let planes = table(Int32, [1, 1, 2, 3, 8]);
    for (oob, table, indices, expected) in [
        // MGATHER-SEM-01, -04, -06, MGATHER-CONF-01, MGATHER-INDEX-01
        (Undefined, of(5), &[4, 0, 4][..], &[4, 0, 4][..]),
        (Undefined, of(3), &[2], &[2]),
        (Wrap, of(6), &[7, 1, 6, 0], &[1, 1, 0, 0]),
        (Undefined, of(4), &[3, 3, 3, 3], &[3, 3, 3, 3]),
        // MGATHER-OOB-04, -06, -09
        (Clamp, of(4), &[3, 4, 100], &[3, 3, 3]),
        (Zero, of(4), &[1, 4, 3], &[1, -1, 3]),
        (Zero, of(4), &[3, 4], &[3, -1]),
        // MGATHER-CAP-01, MGATHER-GAP-05
        (Clamp, planes, &[3, 4, 1], &[2, 2, 1]),
        (Wrap, planes, &[3, 4, 1], &[0, 1, 1]),
        (Zero, planes, &[3, 4, 1], &[-1, -1, 1]),
        (Undefined, planes, &[3, 4, 1], &[3, 4, 1]),
    ] {
        let expected: Vec<_> = expected
            .iter()
            .map(|row| (*row >= 0).then_some(*row))
            .collect();
        assert_eq!(
            rows_taken(oob, table, indices),
            expected,
            "{oob} {indices:?}"
        );
    }
}

/// Elements of a flat table, by indices of either type.
fn elements(oob: GatherOob, size: u64, indices: &[i32]) -> Vec<i32> {
    let shape = [1, indices.len() as u64];
    let by = |idx| {
        let (dst, table) = (full(Int32, shape), flat(Int32, size));
        gathered(Elem, oob, dst, table, full(idx, shape), indices)
    };
    assert_eq!(by(DType::Uint32), by(Int32));
    by(Int32)
}

#[test]
fn elements_come_from_where_index_and_policy_say() {
    for (oob, indices, expected) in [
        // MGATHER-OOB-05, -07, -10, -17, MGATHER-DTYPE-03; 2^32 - 1 is 5 modulo 10.
        (Wrap, [9, 10, 23], [9, 0, 3]),
        (Zero, [9, 10, 1], [9, 0, 1]),
        (Clamp, [9, 10, 1], [9, 9, 1]),
        (Clamp, [-1, i32::MIN, 0], [9, 9, 0]),
        (Wrap, [-1, i32::MIN, 0], [5, 8, 0]),
        (Zero, [-1, i32::MIN, 1], [0, 0, 1]),
    ] {
        assert_eq!(elements(oob, 10, &indices), expected, "{oob} {indices:?}");
    }
    // MGATHER-SEM-02, MGATHER-OOB-08
    let down: Vec<i32> = (0..64).rev().collect();
    for &oob in GatherOob::VARIANTS {
        assert_eq!(elements(oob, 64, &down), down);
    }
    // MGATHER-CAP-04, MGATHER-GAP-07: all five extents.
    let two = tile(Int32, [1, 8], [1, 2]);
    let planes = table(Int32, [1, 1, 2, 3, 8]);
    let out = gathered(Elem, Zero, two, planes, two, &[47, 48, 0, 0, 0, 0, 0, 0]);
    assert_eq!(out, [47, 0, -5, -5, -5, -5, -5, -5]);
}

// MGATHER-SEM-05, MGATHER-MIN-09
#[test]
fn one_element_is_a_tile() {
    let one = tile(Int32, [1, 8], [1, 1]);
    for &mode in Coalesce::VARIANTS {
        let out = gathered(mode, Undefined, one, rows(Int32, 32, 1), one, &[7; 8]);
        assert_eq!(out, [7, -5, -5, -5, -5, -5, -5, -5], "{mode}");
    }
}

// MGATHER-SEM-03, MGATHER-GAP-18, -45; a row of zeroes too
#[test]
fn padding_is_kept() {
    for make in [|t| t, dynamic] {
        let dst = make(tile(Int32, [2, 16], [2, 9]));
        let idx = make(tile(Int32, [2, 12], [2, 9]));
        let indices: Vec<i32> = (0..9).chain([0; 3]).chain(22..31).chain([0; 3]).collect();
        let out = gathered(Elem, Zero, dst, rows(Int32, 3, 10), idx, &indices);
        assert_eq!(out[..9], [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(out[16..25], [22, 23, 24, 25, 26, 27, 28, 29, 0]);
        assert_eq!((&out[9..16], &out[25..]), (&[-5; 7][..], &[-5; 7][..]));

        let dst = make(tile(Int32, [3, 4], [2, 3]));
        let idx = make(tile(Int32, [1, 8], [1, 2]));
        let indices = [4, 2, 0, 0, 0, 0, 0, 0];
        let out = gathered(Row, Zero, dst, rows(Int32, 4, 3), idx, &indices);
        assert_eq!(out, [0, 0, 0, -5, 6, 7, 8, -5, -5, -5, -5, -5]);
    }
}

// MGATHER-GAP-10: a tile wider than the table's rows reads on into the next row.
#[test]
fn a_wide_tile_reads_on() {
    let (dst, idx) = (full(Int32, [1, 8]), full(Int32, [1, 1]));
    let out = gathered(Row, Undefined, dst, rows(Int32, 4, 6), idx, &[1]);
    assert_eq!(out, [6, 7, 8, 9, 10, 11, 12, 13]);
}

// MGATHER-OOB-11, -12, MGATHER-GAP-36
#[test]
fn every_dtype_is_copied_bit_by_bit_and_zero_is_positive() {
    for &dtype in DType::VARIANTS {
        let width = dtype.size();
        let table: Vec<u8> = (0..4 * width).map(|k| (k * 31 + 0x81) as u8).collect();
        for &mode in Coalesce::VARIANTS {
            let (dst, idx) = (full(dtype, [2, 1]), full(Int32, [2, 1]));
            let call = Call::Mgather(gather(mode, Zero, dst, rows(dtype, 4, 1), idx));
            let operands: [&[u8]; 3] = [&vec![0xCC; 2 * width], &table, &i32s(&[3, 4])];
            let out = by_default(call, &operands);
            assert_eq!(out[..width], table[3 * width..], "{dtype} {mode}");
            assert_eq!(out[width..], vec![0; width], "{dtype} {mode}");
        }
    }
    // A NaN that signals; MGATHER-GAP-13: types of equal size.
    let nan = 0x7FA0_0001_u32.to_le_bytes();
    for table in [flat(DType::Float, 1), flat(Int32, 1)] {
        let (dst, idx) = (full(DType::Float, [1, 1]), full(Int32, [1, 1]));
        let call = Call::Mgather(gather(Elem, Undefined, dst, table, idx));
        let out = by_default(call, &[&[0; 4], &nan, &[0; 4]]);
        assert_eq!(out, nan);
    }
}

// A ColMajor destination is a broken precondition; its own layout still says where.
#[test]
fn a_tile_is_written_in_its_own_layout() {
    let dst = col_major(full(Int32, [2, 3]));
    let six = full(Int32, [2, 3]);
    let (table, all) = (flat(Int32, 6), [0, 1, 2, 3, 4, 5]);
    let out = gathered(Elem, Undefined, dst, table, six, &all);
    assert_eq!(out, [0, 3, 1, 4, 2, 5]);
    let idx = full(Int32, [1, 2]);
    let out = gathered(Row, Zero, dst, rows(Int32, 2, 3), idx, &[1, 2]);
    assert_eq!(out, [3, 0, 4, 0, 5, 0]);
}

// MGATHER-GAP-03
#[test]
fn an_empty_table_gives_no_value_but_zero() {
    let shape = full(Int32, [1, 8]);
    for &mode in Coalesce::VARIANTS {
        for (oob, value) in [(Clamp, -5), (Wrap, -5), (Zero, 0)] {
            let out = gathered(mode, oob, shape, rows(Int32, 0, 8), shape, &[0; 8]);
            assert_eq!(out, [value; 8], "{mode} {oob}");
        }
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

// MGATHER-DTYPE-04, MGATHER-GAP-14: whatever integral type passes the header
// is cast to `uint32_t`. 2^32 mod 300 is 196, so -1 wraps to 195.
#[test]
fn every_integral_index_is_cast_to_32_bits() {
    let element = |dtype, index: &[u8], oob| {
        let (one, idx) = (full(Int32, [1, 1]), full(dtype, [1, 1]));
        let call = Call::Mgather(gather(Elem, oob, one, flat(Int32, 300), idx));
        let operands: [&[u8]; 3] = [&[0; 4], &counted(0, 300), index];
        to_i32s(&by_default(call, &operands))[0]
    };
    assert_eq!(element(DType::Int8, &[0x7F], Undefined), 127);
    assert_eq!(element(DType::Int8, &[0xFF], Wrap), 195);
    assert_eq!(element(DType::Uint8, &[0xFF], Undefined), 255);
    assert_eq!(element(DType::Int16, &[0x2B, 0x01], Undefined), 299);
    assert_eq!(element(DType::Int16, &[0xFE, 0xFF], Wrap), 194);
    assert_eq!(element(DType::Uint16, &[0xFE, 0xFF], Wrap), 134);
    let wide = bytes(&[(1_u64 << 32) + 1], u64::to_le_bytes);
    for dtype in [DType::Int64, DType::Uint64] {
        assert_eq!(element(dtype, &wide, Zero), 1);
        assert_eq!(element(dtype, &[0xFF; 8], Wrap), 195);
    }
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

// MGATHER-GAP-12: where nobody checks the shape of row indices, what is not one
// column is taken for a row.
#[test]
fn a_row_index_of_another_shape_runs() {
    let readings = reading(|r| r.cpu_row_check = CpuRowCheck::Precondition);
    let call = |idx| {
        let (dst, table) = (full(Int32, [4, 2]), rows(Int32, 4, 2));
        Call::Mgather(gather(Row, Zero, dst, table, full(Int32, idx)))
    };
    let (dst, table) = (i32s(&[-1; 8]), counted(0, 8));
    let indices = i32s(&[3, 0, 2, 1]);
    let out = made(readings, call([2, 2]), &[&dst, &table, &indices]);
    assert_eq!(to_i32s(&out), [6, 7, 0, 1, 4, 5, 2, 3]);
    // Indices 2 and 3 lie behind the tile, where a guard zone names no row.
    let left = ran(readings, call([1, 2]), &[&dst, &table, &i32s(&[3, 1])]);
    let got = left.outside();
    assert_eq!(got, [8, 12].map(|at| word(Role::Index, at, false)));
    let out = to_i32s(left.body(Role::Destination));
    assert_eq!(out, [6, 7, 2, 3, 0, 0, 0, 0]);
}

// MGATHER-OOB-03: slot 30 is the first word of the guard zone. Offsets beyond 64
// bits are told as the greatest there is.
#[test]
fn a_read_outside_the_table_is_told_and_brings_what_lies_there() {
    let five = full(Int32, [1, 5]);
    let call = Call::Mgather(gather(Elem, Undefined, five, flat(Int32, 30), five));
    let operands: [&[u8]; 3] = [&[0; 20], &counted(0, 30), &i32s(&[30, 29, -1, 0, 31])];
    let left = ran(Readings::default(), call, &operands);
    let out = to_i32s(left.body(Role::Destination));
    assert_eq!(out, [GUARD_WORD, 29, NOWHERE, 0, GUARD_WORD]);
    let far = 4 * 4_294_967_295;
    let got = left.outside();
    assert_eq!(got, [120, far, 124].map(|at| word(Role::Table, at, false)));

    let one = full(Int32, [1, 1]);
    let call = Call::Mgather(gather(Row, Undefined, one, rows(Int32, 4, 1 << 40), one));
    for (index, offset) in [(-1, i64::MAX), (3, 3 << 42)] {
        let operands: [&[u8]; 3] = [&[0; 4], &counted(0, 4), &i32s(&[index])];
        let left = ran(Readings::default(), call, &operands);
        assert_eq!(left.outside(), [word(Role::Table, offset, false)]);
        assert_eq!(to_i32s(left.body(Role::Destination)), [NOWHERE]);
    }
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

// MSCATTER-GAP-41 (c), MGATHERL1-GAP-14: no other instruction reads a stride.
#[test]
fn rows_that_lie_apart_are_a_matter_of_gathers_to_ub() {
    let readings = reading(|r| {
        r.cpu_form = CpuForm::Templated;
        r.cpu_padded_table = CpuPaddedTable::Strided;
    });
    let mut call = scatter(padded(), full(Int32, [1, 8]), full(Int32, [1, 1]));
    call.mode = Row;
    let operands: [&[u8]; 3] = [&[0; 224], &counted(1, 8), &i32s(&[1])];
    let table = to_i32s(&made(readings, Call::Mscatter(call), &operands));
    assert_eq!(table[..8], [0; 8]);
    assert_eq!(table[8..16], [1, 2, 3, 4, 5, 6, 7, 8]);
    let dst = nz(Int32, [1, 8], [1, 8]);
    let call = gather_l1(Row, Undefined, dst, padded(), flat(Int32, 1));
    let operands: [&[u8]; 3] = [&[0; 32], &counted(0, 56), &i32s(&[1])];
    let got = made(readings, Call::MgatherL1(call), &operands);
    assert_eq!(got, counted(8, 8));
}
