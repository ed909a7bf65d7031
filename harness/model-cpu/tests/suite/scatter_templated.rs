//! MSCATTER with A5's template parameters, honoured in row-major order.

use ptodiff_isa::{
    Coalesce, CpuForm, DType, Dim, Memory, Mscatter, ScatterAtomicOp, ScatterConflict, ScatterOob,
};

use crate::common::{
    bytes, col_major, counted, dynamic, f32s, flat, full, i32s, rows, scatter, scatter_memory,
    table, tile, to_f32s, to_i32s, u16s,
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

fn one_slot(dtype: DType, atomic: ScatterAtomicOp, slot: &[u8], src: &[u8], lanes: u64) -> Vec<u8> {
    let padded = [1, src.len() as u64 / dtype.size() as u64];
    let mut call = scatter(
        flat(dtype, 1),
        tile(dtype, padded, [1, lanes]),
        tile(DType::Uint32, padded, [1, lanes]),
    );
    call.atomic = atomic;
    let idx = vec![0; 4 * padded[1] as usize];
    scattered(&call, scatter_memory(slot, src, &idx))
}

// MSCATTER-ATOM-01, -02, -03, -05, -21, -26
#[test]
fn one_slot_takes_all_lanes_in_turn() {
    use ScatterAtomicOp::{Add, Max, Min};
    let int = |op, slot, src: &[i32]| {
        let out = one_slot(
            DType::Int32,
            op,
            &i32s(&[slot]),
            &i32s(src),
            src.len() as u64,
        );
        to_i32s(&out)[0]
    };
    assert_eq!(int(Add, 100, &[1, 2, 3, 4, 5, 6, 7, 8]), 136);
    assert_eq!(int(Max, 5, &[3, 9, -4]), 9);
    assert_eq!(int(Max, 5, &[3, 1, -4]), 5);
    assert_eq!(int(Min, 5, &[3, 9, -4]), -4);
    assert_eq!(int(Min, 5, &[7, 9, 6]), 5);
    assert_eq!(int(Add, i32::MAX, &[1]), i32::MIN);
    assert_eq!(int(Max, 1, &[i32::MIN]), 1);
    assert_eq!(int(Min, 1, &[i32::MIN]), i32::MIN);

    let words = |op| one_slot(DType::Uint32, op, &[1, 0, 0, 0], &[0, 0, 0, 0x80], 1);
    assert_eq!(words(Max), [0, 0, 0, 0x80]);
    assert_eq!(words(Min), [1, 0, 0, 0]);

    let float = |src: &[f32]| {
        let slot = f32s(&[0.0]);
        to_f32s(&one_slot(DType::Float, Add, &slot, &f32s(src), 3))[0]
    };
    assert_eq!(float(&[1e8, 1.0, -1e8]), 0.0);
    assert_eq!(float(&[1e8, -1e8, 1.0]), 1.0);

    let short = one_slot(DType::Int16, Add, &[0, 0], &u16s(&[1; 16]), 16);
    assert_eq!(short, u16s(&[16]));
}

// MSCATTER-GAP-06: every step rounds to binary16. 2048 + 1 is a tie that goes
// back to 2048, so three ones are lost one by one.
#[test]
fn a_half_sum_rounds_at_every_step() {
    let ones = u16s(&[0x3C00; 3]);
    let out = one_slot(
        DType::Half,
        ScatterAtomicOp::Add,
        &u16s(&[0x6800]),
        &ones,
        3,
    );
    assert_eq!(out, u16s(&[0x6800]));
    let bf = u16s(&[0x3F80; 3]);
    let out = one_slot(
        DType::Bfloat16,
        ScatterAtomicOp::Add,
        &u16s(&[0x4380]),
        &bf,
        3,
    );
    assert_eq!(out, u16s(&[0x4380]));
}

// MSCATTER-ATOM-06, -25
#[test]
fn many_ones_add_up() {
    let mut call = scatter(
        flat(DType::Int32, 2048),
        full(DType::Int32, [64, 32]),
        full(DType::Int32, [64, 32]),
    );
    call.atomic = ADD;
    let memory = scatter_memory(&counted(1000, 2048), &i32s(&[1; 2048]), &counted(0, 2048));
    assert_eq!(scattered(&call, memory), counted(1001, 2048));
    let memory = scatter_memory(&i32s(&[0; 2048]), &i32s(&[1; 2048]), &i32s(&[0; 2048]));
    let mut expected = [0; 2048];
    expected[0] = 2048;
    assert_eq!(to_i32s(&scattered(&call, memory)), expected);
}

// MSCATTER-ATOM-24: a Row Add equals an Elem Add of its elements; here over
// every dtype with arithmetic. The slots hold 1, sources hold 1 or 2.
#[test]
fn every_number_adds_in_both_modes() {
    let (one, two, three, four) = (1, 2, 3, 4);
    let cases = [
        (DType::Int8, [[one, 0], [two, 0], [three, 0], [four, 0]], 1),
        (DType::Uint8, [[one, 0], [two, 0], [three, 0], [four, 0]], 1),
        (
            DType::Int16,
            [[1, 0x3C], [2, 0x3C], [3, 0x78], [4, 0xB4]],
            2,
        ),
        (
            DType::Uint16,
            [[1, 0x3C], [2, 0x3C], [3, 0x78], [4, 0xB4]],
            2,
        ),
        (DType::Half, [[0, 0x3C], [0, 0x40], [0, 0x42], [0, 0x44]], 2),
        (
            DType::Bfloat16,
            [[0x80, 0x3F], [0, 0x40], [0x40, 0x40], [0x80, 0x40]],
            2,
        ),
    ];
    for (dtype, numbers, width) in cases {
        let [one, two, three, four] = numbers.map(|n| n[..width].to_vec());
        let row = |n: &[u8]| n.repeat(32);
        // Two source rows, 1 and 2, both onto table row 1 of [1; 1].
        let mut call = scatter(
            rows(dtype, 2, 32),
            full(dtype, [2, 32]),
            full(DType::Int32, [1, 2]),
        );
        (call.mode, call.atomic) = (Coalesce::Row, ADD);
        let memory = scatter_memory(
            &[row(&one), row(&one)].concat(),
            &[row(&one), row(&two)].concat(),
            &i32s(&[1, 1]),
        );
        let expected = [row(&one), row(&four)].concat();
        assert_eq!(scattered(&call, memory), expected, "{dtype} Row");
        // And one element of 2 onto slot 40.
        let mut call = scatter(
            rows(dtype, 2, 32),
            tile(dtype, [1, 32], [1, 1]),
            tile(DType::Int32, [1, 8], [1, 1]),
        );
        call.atomic = ADD;
        let memory = scatter_memory(&row(&one).repeat(2), &row(&two), &i32s(&[40; 8]));
        let mut expected = row(&one).repeat(2);
        expected[40 * width..41 * width].copy_from_slice(&three);
        assert_eq!(scattered(&call, memory), expected, "{dtype} Elem");
    }
}

// The same for the wide types, with a carry into the upper half.
#[test]
fn wide_integers_carry() {
    for dtype in [DType::Int64, DType::Uint64] {
        let src = bytes(&[0xFFFF_FFFF_u64, 2], u64::to_le_bytes);
        let slot = bytes(&[1_u64], u64::to_le_bytes);
        let out = one_slot(dtype, ADD, &slot, &src, 2);
        assert_eq!(out, bytes(&[0x1_0000_0002_u64], u64::to_le_bytes));
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
