//! MSCATTER's plain stores: as document 000 gives them, element semantics and
//! nothing else, and with A5's template parameters, in row-major order.

use ptodiff_isa::{
    Call, Coalesce, DType, GlobalTensor, Mscatter, Readings, Role, ScatterAtomicOp, ScatterOob,
};
use strum::VariantArray;

use crate::common::{
    With, col_major, counted, dynamic, full, i32s, made, ran, rows, scatter, table, templated,
    tile, to_i32s, word,
};

use Coalesce::{Elem, Row};
use DType::Int32;
use ScatterOob::{Clamp, Skip, Undefined, Wrap};

/// Scatters words into a table of -1.
fn scattered(readings: Readings, call: Mscatter, src: &[i32], indices: &[i32]) -> Vec<i32> {
    let slots: u64 = call.table.shape.iter().map(|extent| extent.get()).product();
    let table = i32s(&vec![-1; slots as usize]);
    let operands: [&[u8]; 3] = [&table, &i32s(src), &i32s(indices)];
    to_i32s(&made(readings, Call::Mscatter(call), &operands))
}

fn documented(call: Mscatter, src: &[i32], indices: &[i32]) -> Vec<i32> {
    scattered(Readings::default(), call, src, indices)
}

fn count(first: i32, len: i32) -> Vec<i32> {
    (first..first + len).collect()
}

// MSCATTER-ATOM-18, MSCATTER-INDEX-06, MSCATTER-OOB-17: element by element, plain,
// whatever the call says.
#[test]
fn the_documented_form_has_no_parameters() {
    for &atomic in ScatterAtomicOp::VARIANTS {
        for &oob in ScatterOob::VARIANTS {
            let mut call = scatter(rows(Int32, 2, 4), full(Int32, [1, 8]), full(Int32, [1, 8]));
            (call.mode, call.atomic, call.oob) = (Row, atomic, oob);
            let table = documented(call, &count(1, 8), &[0, 1, 2, 3, 4, 0, 6, 0]);
            assert_eq!(table, [8, 2, 3, 4, 5, -1, 7, -1], "{atomic} {oob}");
        }
    }
}

// MSCATTER-GAP-02, -38
#[test]
fn an_extent_of_zero_scatters_nothing() {
    for mode in [Elem, Row] {
        for valid in [[0, 8], [2, 0]] {
            let tile = dynamic(tile(Int32, [2, 8], valid));
            let call = scatter(rows(Int32, 9, 1), tile, tile).with(|c| c.mode = mode);
            let got = scattered(templated(), call, &count(0, 16), &[-1; 16]);
            assert_eq!(got, [-1; 9]);
        }
        for oob in [Skip, Clamp, Wrap] {
            let tile = full(Int32, [1, 8]);
            let call =
                scatter(rows(Int32, 0, 8), tile, tile).with(|c| (c.mode, c.oob) = (mode, oob));
            assert_eq!(scattered(templated(), call, &count(1, 8), &count(0, 8)), []);
        }
    }
}

/// Scatters rows of eight: the first filled with 1, the next with 2, and so on.
/// What each row of the table is filled with, 0 if with nothing.
fn fills(oob: ScatterOob, table: GlobalTensor, indices: &[i32]) -> Vec<i32> {
    let count = indices.len() as u64;
    let call = scatter(table, full(Int32, [count, 8]), full(Int32, [1, count]))
        .with(|c| (c.mode, c.oob) = (Row, oob));
    let src: Vec<i32> = (1..=indices.len() as i32).flat_map(|r| [r; 8]).collect();
    let table = scattered(templated(), call, &src, indices);
    let (rows, _) = table.as_chunks::<8>();
    let fill = |row: &[i32; 8]| {
        assert_eq!(*row, [row[0]; 8], "torn");
        row[0].max(0)
    };
    rows.iter().map(fill).collect()
}

#[test]
fn rows_go_where_index_and_policy_say() {
    let four = rows(Int32, 4, 8);
    // Rows 3 to 5 of the memory are those of the next index of dimension 2.
    let planes = table(Int32, [1, 1, 2, 3, 8]);
    for (oob, table, indices, expected) in [
        // MSCATTER-SEM-01, -06
        (Undefined, four, &[3, 0][..], &[2, 0, 0, 1][..]),
        // MSCATTER-OOB-04, -07, -09, -12, MSCATTER-CAP-04
        (Skip, four, &[1, 4, 2], &[0, 1, 3, 0]),
        (Clamp, four, &[4, 9, 1], &[0, 3, 0, 2]),
        (Wrap, four, &[9, 4], &[2, 1, 0, 0]),
        (Skip, four, &[3, -1], &[0, 0, 0, 1]),
        (Clamp, four, &[-1, 3], &[0, 0, 0, 2]),
        (Wrap, four, &[-1, 0], &[2, 0, 0, 1]),
        // MSCATTER-CONF-01, -11, MSCATTER-OOB-15
        (Skip, four, &[2, 2, 2], &[0, 0, 3, 0]),
        (Skip, four, &[1, 1, 9], &[0, 2, 0, 0]),
        (Wrap, four, &[1, 1, 9], &[0, 3, 0, 0]),
        (Clamp, four, &[3, 7, 100], &[0, 0, 0, 3]),
        // MSCATTER-GAP-15: Shape[3], not all rows of the memory.
        (Skip, planes, &[3, 4, 1], &[0, 3, 0, 0, 0, 0]),
        (Clamp, planes, &[3, 4, 1], &[0, 3, 2, 0, 0, 0]),
        (Wrap, planes, &[3, 4, 1], &[1, 3, 0, 0, 0, 0]),
        (Undefined, planes, &[3, 4, 1], &[0, 3, 0, 1, 2, 0]),
    ] {
        assert_eq!(fills(oob, table, indices), expected, "{oob} {indices:?}");
    }
}

// MSCATTER-INDEX-05 and the upright form
#[test]
fn row_indices_lie_along_a_row_or_down_a_column() {
    let (across, down) = (full(Int32, [1, 8]), full(Int32, [8, 1]));
    for idx in [across, down, col_major(down), col_major(across)] {
        let call = scatter(rows(Int32, 8, 8), full(Int32, [8, 8]), idx);
        let call = Mscatter { mode: Row, ..call };
        let table = scattered(templated(), call, &count(0, 64), &[7, 6, 5, 4, 3, 2, 1, 0]);
        let expected: Vec<i32> = (0..8).rev().flat_map(|r| 8 * r..8 * r + 8).collect();
        assert_eq!(table, expected, "{idx:?}");
    }
}

// MSCATTER-GAP-39: index tile [4,1] under a source [4,8]. Index (r,c) is read
// at element r + c of four, so 22 of the 32 reads leave it, and what the guard
// zone gives is no slot.
#[test]
fn a_row_index_tile_is_too_small_for_elements() {
    let mut call = scatter(rows(Int32, 4, 8), full(Int32, [4, 8]), full(Int32, [4, 1]));
    call.mode = Row;
    let operands: [&[u8]; 3] = [&i32s(&[-1; 32]), &counted(0, 32), &counted(0, 4)];
    let ran = ran(Readings::default(), Call::Mscatter(call), &operands);
    assert_eq!(ran.log.oob_accesses.count, 44);
    let first = [
        word(Role::Index, 16, false),
        word(Role::Table, 4 * 0xA5A5_A5A5, true),
    ];
    assert_eq!(ran.outside()[..2], first);
    // Last writer of slots 0..4 of the table: r + c = slot, r greatest.
    let table = to_i32s(ran.body(Role::Table));
    assert_eq!(table[..5], [0, 8, 16, 24, -1]);
}
