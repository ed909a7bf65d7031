//! MSCATTER with A5's template parameters, honoured in row-major order.

use ptodiff_isa::{
    Coalesce, CpuForm, DType, Dim, Memory, Mscatter, ScatterAtomicOp, ScatterConflict, ScatterOob,
};

use crate::common::{
    col_major, counted, dynamic, f32s, flat, full, i32s, rows, scatter, scatter_memory, table,
    tile, to_f32s, to_i32s,
};

fn scattered(call: &Mscatter, memory: Memory) -> Vec<u8> {
    crate::common::scattered(call, CpuForm::Templated, memory)
}

/// Scatters `int32_t` rows `r` filled with `10 * (r + 1)` over a 4x8 table of
/// zeroes; the value each table row is filled with.
fn row_fills(idx: &[i32], atomic: ScatterAtomicOp, oob: ScatterOob) -> [i32; 4] {
    let height = idx.len() as u64;
    let mut call = scatter(
        rows(DType::Int32, 4, 8),
        full(DType::Int32, [height, 8]),
        full(DType::Int32, [1, height]),
    );
    (call.mode, call.atomic, call.oob) = (Coalesce::Row, atomic, oob);
    let src: Vec<i32> = (1..=idx.len() as i32).flat_map(|r| [10 * r; 8]).collect();
    let memory = scatter_memory(&i32s(&[0; 32]), &i32s(&src), &i32s(idx));
    let table = to_i32s(&scattered(&call, memory));
    std::array::from_fn(|r| {
        let row = &table[8 * r..8 * r + 8];
        assert_eq!(row, [row[0]; 8], "row {r} is torn");
        row[0]
    })
}

const NONE: ScatterAtomicOp = ScatterAtomicOp::None;
const ADD: ScatterAtomicOp = ScatterAtomicOp::Add;

// MSCATTER-SEM-01
#[test]
fn a_row_goes_to_the_row_its_index_names() {
    let mut call = scatter(
        rows(DType::Float, 4, 8),
        full(DType::Float, [2, 8]),
        tile(DType::Int32, [1, 8], [1, 2]),
    );
    call.mode = Coalesce::Row;
    let src: Vec<f32> = (10..18).chain(20..28).map(|v| v as f32).collect();
    let idx = i32s(&[3, 0, 1, 1, 1, 1, 1, 1]);
    let memory = scatter_memory(&f32s(&[0.0; 32]), &f32s(&src), &idx);
    let out = to_f32s(&scattered(&call, memory));
    assert_eq!(out[..8], [20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0]);
    assert_eq!(out[8..24], [0.0; 16]);
    assert_eq!(out[24..], [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0]);
}

// MSCATTER-SEM-06, MSCATTER-CAP-04, MSCATTER-OOB-04, -07, -09, -12
#[test]
fn row_bounds_follow_the_policy() {
    use ScatterOob::{Clamp, Skip, Undefined, Wrap};
    assert_eq!(row_fills(&[2], NONE, Undefined), [0, 0, 10, 0]);
    assert_eq!(row_fills(&[9], NONE, Clamp), [0, 0, 0, 10]);
    assert_eq!(row_fills(&[1, 4, 2], NONE, Skip), [0, 10, 30, 0]);
    assert_eq!(row_fills(&[4, 9, 1], NONE, Clamp), [0, 30, 0, 20]);
    assert_eq!(row_fills(&[9], NONE, Wrap), [0, 10, 0, 0]);
    assert_eq!(row_fills(&[4], NONE, Wrap), [10, 0, 0, 0]);
    for oob in [Skip, Clamp, Wrap] {
        assert_eq!(row_fills(&[3], NONE, oob), [0, 0, 0, 10]);
    }
}

// MSCATTER-OOB-13 on a row table of ten rows, -1 being 0xFFFFFFFF
#[test]
fn a_negative_index_is_a_large_one() {
    for (oob, row) in [
        (ScatterOob::Skip, None),
        (ScatterOob::Clamp, Some(9)),
        (ScatterOob::Wrap, Some(5)),
    ] {
        let mut call = scatter(
            rows(DType::Int32, 10, 8),
            full(DType::Int32, [1, 8]),
            tile(DType::Int32, [1, 8], [1, 1]),
        );
        (call.mode, call.oob) = (Coalesce::Row, oob);
        let memory = scatter_memory(&i32s(&[0; 80]), &i32s(&[7; 8]), &i32s(&[-1; 8]));
        let mut expected = [0; 80];
        if let Some(row) = row {
            expected[8 * row..8 * row + 8].fill(7);
        }
        assert_eq!(to_i32s(&scattered(&call, memory)), expected, "{oob}");
    }
}

// MSCATTER-CONF-01, -11, MSCATTER-OOB-15
#[test]
fn the_last_row_wins_under_both_conflict_policies() {
    use ScatterOob::{Clamp, Skip, Wrap};
    assert_eq!(row_fills(&[2, 2, 2], NONE, Skip), [0, 0, 30, 0]);
    assert_eq!(row_fills(&[1, 1, 9], NONE, Skip), [0, 20, 0, 0]);
    assert_eq!(row_fills(&[1, 1, 9], NONE, Wrap), [0, 30, 0, 0]);
    assert_eq!(row_fills(&[3, 7, 100], NONE, Clamp), [0, 0, 0, 30]);
    let mut call = scatter(
        flat(DType::Int32, 7),
        full(DType::Int32, [8, 32]),
        full(DType::Int32, [8, 32]),
    );
    let idx: Vec<i32> = (0..256).map(|i| i % 7).collect();
    for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
        call.conflict = conflict;
        let memory = scatter_memory(&i32s(&[-1; 7]), &counted(0, 256), &i32s(&idx));
        // MSCATTER-CONF-04
        assert_eq!(
            to_i32s(&scattered(&call, memory)),
            [252, 253, 254, 255, 249, 250, 251]
        );
    }
}

// MSCATTER-OOB-14, MSCATTER-ATOM-04 in integers
#[test]
fn rows_accumulate() {
    use ScatterOob::{Clamp, Skip, Wrap};
    assert_eq!(row_fills(&[1, 5], ADD, Skip), [0, 10, 0, 0]);
    assert_eq!(row_fills(&[1, 5], ADD, Clamp), [0, 10, 0, 20]);
    assert_eq!(row_fills(&[1, 5], ADD, Wrap), [0, 30, 0, 0]);
    assert_eq!(row_fills(&[1, 1, 1, 0], ADD, Skip), [40, 60, 0, 0]);
}

/// Elem-scatters an `int32_t` row into 30 slots of -1.
fn elements(idx: [i32; 8], oob: ScatterOob) -> Vec<i32> {
    let mut call = scatter(
        rows(DType::Int32, 3, 10),
        full(DType::Int32, [1, 8]),
        full(DType::Int32, [1, 8]),
    );
    call.oob = oob;
    let memory = scatter_memory(&i32s(&[-1; 30]), &counted(1, 8), &i32s(&idx));
    to_i32s(&scattered(&call, memory))
}

// MSCATTER-OOB-05, -08, -10
#[test]
fn element_bounds_follow_the_policy() {
    let skipped = elements([0, 30, 1, 100, 2, 3, 4, 29], ScatterOob::Skip);
    assert_eq!(skipped[..6], [1, 3, 5, 6, 7, -1]);
    assert_eq!(skipped[5..29], [-1; 24]);
    assert_eq!(skipped[29], 8);
    let clamped = elements([0, 1, 2, 1000, 3, 4, 5, 6], ScatterOob::Clamp);
    assert_eq!(clamped[..8], [1, 2, 3, 5, 6, 7, 8, -1]);
    assert_eq!(clamped[29], 4);
    let wrapped = elements([65, 30, 1, 2, 3, 4, 6, 7], ScatterOob::Wrap);
    assert_eq!(wrapped[..9], [2, 3, 4, 5, 6, 1, 7, 8, -1]);
}

// MSCATTER-OOB-11
#[test]
fn no_policy_touches_an_index_in_bounds() {
    let idx: Vec<i32> = (0..256).map(|k| (k * 101 + 5) % 256).collect();
    let mut expected = [0; 256];
    for k in 0..256 {
        expected[(k * 101 + 5) % 256] = k as i32;
    }
    for oob in [
        ScatterOob::Undefined,
        ScatterOob::Skip,
        ScatterOob::Clamp,
        ScatterOob::Wrap,
    ] {
        let mut call = scatter(
            flat(DType::Int32, 256),
            full(DType::Int32, [8, 32]),
            full(DType::Int32, [8, 32]),
        );
        call.oob = oob;
        let memory = scatter_memory(&i32s(&[-1; 256]), &counted(0, 256), &i32s(&idx));
        assert_eq!(to_i32s(&scattered(&call, memory)), expected, "{oob}");
    }
}

// MSCATTER-CAP-01, -02: Elem counts all five extents, Row counts Shape[3] only.
#[test]
fn capacity_depends_on_the_mode() {
    let shape = table(DType::Int32, [2, 1, 3, 4, 8]);
    let src = tile(DType::Int32, [1, 8], [1, 2]);
    let mut call = scatter(shape, src, src);
    call.oob = ScatterOob::Skip;
    let idx = i32s(&[191, 192, 0, 0, 0, 0, 0, 0]);
    let memory = scatter_memory(&i32s(&[0; 192]), &counted(1, 8), &idx);
    let mut expected = [0; 192];
    expected[191] = 1;
    assert_eq!(to_i32s(&scattered(&call, memory)), expected);

    call.mode = Coalesce::Row;
    call.src = full(DType::Int32, [2, 8]);
    let idx = i32s(&[3, 4, 0, 0, 0, 0, 0, 0]);
    let memory = scatter_memory(&i32s(&[0; 192]), &counted(1, 16), &idx);
    let mut expected = [0; 192];
    expected[24..32].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(to_i32s(&scattered(&call, memory)), expected);
}

// MSCATTER-OOB-12: rows 3 to 5 of the memory are those of the next index of
// dimension 2. Source rows begin with 1, 9 and 17.
#[test]
fn a_row_behind_the_capacity_is_out_of_range() {
    for (oob, expected) in [
        (ScatterOob::Skip, [-1, 17, -1, -1, -1, -1]),
        (ScatterOob::Clamp, [-1, 17, 9, -1, -1, -1]),
        (ScatterOob::Wrap, [1, 17, -1, -1, -1, -1]),
        (ScatterOob::Undefined, [-1, 17, -1, 1, 9, -1]),
    ] {
        let mut call = scatter(
            table(DType::Int32, [1, 1, 2, 3, 8]),
            full(DType::Int32, [3, 8]),
            full(DType::Int32, [1, 3]),
        );
        (call.mode, call.oob) = (Coalesce::Row, oob);
        let memory = scatter_memory(&i32s(&[-1; 48]), &counted(1, 24), &i32s(&[3, 4, 1]));
        let out = to_i32s(&scattered(&call, memory));
        let firsts: Vec<i32> = out.into_iter().step_by(8).collect();
        assert_eq!(firsts, expected, "{oob}");
    }
}

// The pitch is Shape[4], so a narrower tile leaves the rest of each row alone.
#[test]
fn a_narrow_row_keeps_the_rest() {
    let mut call = scatter(
        rows(DType::Int32, 3, 6),
        tile(DType::Int32, [2, 8], [2, 4]),
        tile(DType::Int32, [1, 8], [1, 2]),
    );
    call.mode = Coalesce::Row;
    let idx = i32s(&[2, 1, 0, 0, 0, 0, 0, 0]);
    let memory = scatter_memory(&i32s(&[-1; 18]), &counted(1, 16), &idx);
    let mut expected = [-1; 18];
    expected[12..16].copy_from_slice(&[1, 2, 3, 4]);
    expected[6..10].copy_from_slice(&[9, 10, 11, 12]);
    assert_eq!(to_i32s(&scattered(&call, memory)), expected);
}

// MSCATTER-INDEX-05 and the upright form
#[test]
fn row_indices_lie_along_a_row_or_down_a_column() {
    let across = full(DType::Int32, [1, 8]);
    let down = full(DType::Int32, [8, 1]);
    for idx in [across, down, col_major(down), col_major(across)] {
        let mut call = scatter(rows(DType::Int32, 8, 8), full(DType::Int32, [8, 8]), idx);
        call.mode = Coalesce::Row;
        let memory = scatter_memory(
            &i32s(&[0; 64]),
            &counted(0, 64),
            &i32s(&[7, 6, 5, 4, 3, 2, 1, 0]),
        );
        let expected: Vec<i32> = (0..8).rev().flat_map(|r| 8 * r..8 * r + 8).collect();
        assert_eq!(to_i32s(&scattered(&call, memory)), expected, "{idx:?}");
    }
}

// MSCATTER-DYN-02, -03
#[test]
fn run_time_table_extents_bound() {
    for oob in [ScatterOob::Skip, ScatterOob::Clamp, ScatterOob::Wrap] {
        let tiles = tile(DType::Int32, [1, 8], [1, 2]);
        let mut call = scatter(rows(DType::Int32, 3, 10), tiles, tiles);
        call.oob = oob;
        let mut other = call;
        other.table.shape[3] = Dim::Dynamic(3);
        other.table.shape[4] = Dim::Dynamic(10);
        (other.src, other.idx) = (dynamic(tiles), dynamic(tiles));
        let memory = scatter_memory(
            &i32s(&[0; 30]),
            &counted(1, 8),
            &i32s(&[28, 30, 1, 1, 1, 1, 1, 1]),
        );
        let out = to_i32s(&scattered(&call, memory.clone()));
        assert_eq!(out, to_i32s(&scattered(&other, memory)));
        let hit = match oob {
            ScatterOob::Clamp => Some(29),
            ScatterOob::Wrap => Some(0),
            _ => None,
        };
        let mut expected = [0; 30];
        expected[28] = 1;
        if let Some(slot) = hit {
            expected[slot] = 2;
        }
        assert_eq!(out, expected, "{oob}");
    }
}

// Rows without columns take nothing, whatever their index.
#[test]
fn rows_without_columns_take_nothing() {
    let mut call = scatter(
        rows(DType::Int32, 9, 1),
        tile(DType::Int32, [3, 1], [3, 0]),
        full(DType::Int32, [1, 3]),
    );
    call.mode = Coalesce::Row;
    let memory = scatter_memory(&counted(1, 9), &counted(101, 3), &i32s(&[3, -1, 9]));
    assert_eq!(scattered(&call, memory), counted(1, 9));
}

// MSCATTER-GAP-02
#[test]
fn an_empty_table_takes_no_write() {
    for mode in [Coalesce::Row, Coalesce::Elem] {
        for oob in [ScatterOob::Skip, ScatterOob::Clamp, ScatterOob::Wrap] {
            let mut call = scatter(
                rows(DType::Int32, 0, 8),
                full(DType::Int32, [1, 8]),
                full(DType::Int32, [1, 8]),
            );
            (call.mode, call.oob) = (mode, oob);
            let memory = scatter_memory(&[], &counted(1, 8), &counted(0, 8));
            assert_eq!(scattered(&call, memory), [], "{mode} {oob}");
        }
    }
}
