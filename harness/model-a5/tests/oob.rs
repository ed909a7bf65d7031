//! Out-of-bounds policies of both instructions (OOB), and negative indices under each
//! reading (MSCATTER-GAP-01, MGATHER-GAP-02).

use crate::common::*;

/// Row scatter of rows 1, 2, .. into a table of zeros; the first column afterwards.
fn row_values(call: Mscatter, height: u64, idx: &[i32]) -> Vec<i32> {
    let count = idx.len() as u64;
    let table = rows(Int32, height, 8);
    let call = call.with(|c| {
        (c.table, c.src, c.idx) = (table, tile(Int32, count, 8), tile(call.idx.dtype, 1, count))
    });
    let src: Vec<i32> = (0..8 * count as i32).map(|k| k / 8 + 1).collect();
    let table = scatter(&call, &vec![0; 8 * height as usize], &src, idx);
    let (rows, _) = table.as_chunks::<8>();
    assert!(rows.iter().all(|row| *row == [row[0]; 8]));
    rows.iter().map(|row| row[0]).collect()
}

#[test]
fn oob_04_07_09_and_12_to_15_rows() {
    use ScatterOob::{Clamp, Skip, Undefined, Wrap};
    let any = tile(Int32, 1, 1);
    let plain = mscatter(Row, flat(Int32, 1), any, any);
    for (oob, idx, expected) in [
        (Skip, &[1, 4, 2][..], [0, 1, 3, 0]),
        (Clamp, &[4, 9, 1], [0, 3, 0, 2]),
        (Wrap, &[9, 4], [2, 1, 0, 0]),
        (Skip, &[3], [0, 0, 0, 1]),
        (Wrap, &[3], [0, 0, 0, 1]),
        // OOB-15: folded indices collide like equal ones.
        (Clamp, &[3, 7, 100], [0, 0, 0, 3]),
    ] {
        let call = Mscatter { oob, ..plain };
        assert_eq!(row_values(call, 4, idx), expected, "{oob} {idx:?}");
    }
    // OOB-13: 4294967295 mod 10 is 5. OOB-14: the policy comes before the atomic.
    for (oob, large, added) in [
        (Skip, None, [0, 1, 0, 0]),
        (Clamp, Some(9), [0, 1, 0, 2]),
        (Wrap, Some(5), [0, 3, 0, 0]),
    ] {
        let idx = tile(Uint32, 1, 1);
        let rows = row_values(Mscatter { oob, idx, ..plain }, 10, &[-1]);
        assert_eq!(rows.iter().position(|row| *row == 1), large);
        let atomic = ScatterAtomicOp::Add;
        let call = plain.with(|c| (c.oob, c.atomic) = (oob, atomic));
        assert_eq!(row_values(call, 4, &[1, 5]), added);
    }
    // OOB-11: policies agree on indices in range.
    for oob in [Undefined, Skip, Clamp, Wrap] {
        let rows = row_values(Mscatter { oob, ..plain }, 4, &[2, 0, 3, 1]);
        assert_eq!(rows, [2, 4, 1, 3]);
    }
}

#[test]
fn oob_05_08_and_10_elements() {
    let data = tile(Int32, 1, 8);
    for (oob, first, last) in [
        (ScatterOob::Skip, [1, 3, 5, 6, 7, 0], 8),
        (ScatterOob::Clamp, [1, 3, 5, 6, 7, 0], 8),
        (ScatterOob::Wrap, [2, 3, 5, 6, 7, 4], 8),
    ] {
        let call = mscatter(Elem, flat(Int32, 30), data, data).with(|c| c.oob = oob);
        let idx = [0, 30, 1, 65, 2, 3, 4, 29];
        let table = scatter(&call, &[0; 30], &count_from(1, 8), &idx);
        assert_eq!((&table[..6], &table[6..29]), (&first[..], &[0; 23][..]));
        assert_eq!(table[29], last, "{oob}");
    }
    let call = mscatter(Elem, flat(Int32, 30), data, data);
    let call = call.with(|c| c.oob = ScatterOob::Clamp);
    let table = scatter(
        &call,
        &[0; 30],
        &count_from(1, 8),
        &[0, 1, 2, 1000, 3, 4, 5, 6],
    );
    assert_eq!(table[29], 4);
}

#[test]
fn gather_oob_04_to_09_and_17() {
    use GatherOob::{Clamp, Undefined, Wrap, Zero};
    let large = [1 << 31, u32::MAX, 3];
    for (mode, oob, idx, expected) in [
        (Elem, Wrap, [9, 10, 23], [9, 0, 3]),
        (Elem, Clamp, [9, 10, 23], [9, 9, 9]),
        (Elem, Zero, [7, 10, 1], [7, 0, 1]),
        (Elem, Clamp, large, [9, 9, 3]),
        (Elem, Wrap, large, [8, 5, 3]),
        (Elem, Zero, large, [0, 0, 3]),
        (Row, Clamp, [3, 10, 100], [3, 9, 9]),
        (Row, Wrap, [17, 1, 10], [7, 1, 0]),
        (Row, Zero, [1, 10, 3], [1, 0, 3]),
    ] {
        let part = |dtype| valid(dtype, 1, 8, 1, 3);
        let (dst, idx_) = match mode {
            Elem => (part(Int32), part(Uint32)),
            Row => (tile(Int32, 3, 1), tile(Uint32, 1, 3)),
        };
        let call = mgather(mode, rows(Int32, 10, 1), dst, idx_).with(|c| c.oob = oob);
        let before = vec![-1; area(&dst) / 4];
        let after = gather(&call, &before, &count_from(0, 10), &idx);
        assert_eq!(
            (&after[..3], &after[3..]),
            (&expected[..], &before[3..]),
            "{oob} {mode}"
        );
    }
    let data = tile(Int32, 1, 8);
    for oob in [Undefined, Clamp, Wrap, Zero] {
        let call = mgather(Elem, flat(Int32, 64), data, data).with(|c| c.oob = oob);
        let idx = [63, 0, 17, 62, 5, 6, 7, 8];
        assert_eq!(gather(&call, &[-1; 8], &count_from(0, 64), &idx), idx);
    }
}

#[test]
fn gap_35_and_41_the_scalar_path_honours_every_policy() {
    let one = |dtype| valid(dtype, 1, 8, 1, 1);
    for (oob, changed) in [
        (ScatterOob::Skip, None),
        (ScatterOob::Clamp, Some(3)),
        (ScatterOob::Wrap, Some(0)),
    ] {
        let call = mscatter(Elem, flat(Int32, 4), one(Int32), one(Int32)).with(|c| c.oob = oob);
        let table = scatter(&call, &[0; 4], &[9, 0, 0, 0, 0, 0, 0, 0], &[4]);
        assert_eq!(table.iter().position(|v| *v == 9), changed);
    }
    for (oob, value) in [
        (GatherOob::Clamp, 13),
        (GatherOob::Wrap, 10),
        (GatherOob::Zero, 0),
    ] {
        let call = mgather(Elem, flat(Int32, 4), one(Int32), one(Int32)).with(|c| c.oob = oob);
        let dst = gather(&call, &[7; 8], &[10, 11, 12, 13], &[4]);
        assert_eq!(dst[..2], [value, 7]);
    }
}

const READINGS: [NegativeIndex; 3] = [
    NegativeIndex::Unsigned,
    NegativeIndex::Signed,
    NegativeIndex::Intended,
];

/// Row -1 of ten rows, Default conflict: the row written, -1 for the one before the table.
#[test]
fn gap_01_scatter() {
    let written = |oob, negative_index| {
        let call = mscatter(
            Row,
            rows(Int32, 10, 8),
            tile(Int32, 1, 8),
            tile(Int32, 1, 1),
        );
        let conflict = ScatterConflict::Default;
        let call = Call::Mscatter(call.with(|c| (c.oob, c.conflict) = (oob, conflict)));
        let mut memory = memory(&[
            (Role::Table, vec![0; 320]),
            (Role::Source, vec![1; 32]),
            (Role::Index, bytes(&[-1])),
        ]);
        let how = reading(|r| r.negative_index = negative_index);
        execute(call, &mut memory, how);
        let table = memory.get(Role::Table).expect("a table");
        // Two rows of guard zone come first.
        let row = table.bytes().chunks(32).position(|row| row == [1; 32]);
        row.map(|row| row as i64 - 2)
    };
    use ScatterOob::{Clamp, Skip, Wrap};
    let of = |oob| READINGS.map(|reading| written(oob, reading));
    assert_eq!(of(Skip), [None, Some(-1), None]);
    assert_eq!(of(Clamp), [Some(9), Some(-1), Some(0)]);
    assert_eq!(of(Wrap), [Some(5), Some(-1), Some(9)]);
    // A Last kernel owns no slot before the table.
    for oob in [Skip, Clamp, Wrap] {
        let call = mscatter(
            Row,
            rows(Int32, 10, 8),
            tile(Int32, 1, 8),
            tile(Int32, 1, 1),
        );
        let how = reading(|r| r.negative_index = NegativeIndex::Signed);
        let after = scatter_how(&Mscatter { oob, ..call }, how, &[0; 80], &[1; 8], &[-1]);
        assert_eq!(after, [0; 80]);
    }
}

#[test]
fn gap_02_gather() {
    let run = |oob, negative_index| {
        let part = |dtype| valid(dtype, 1, 8, 1, 2);
        let call = mgather(Elem, flat(Int32, 10), part(Int32), part(Int32)).with(|c| c.oob = oob);
        let mut memory = memory(&[
            (Role::Table, bytes(&count_from(0, 10))),
            (Role::Destination, bytes(&[77; 8])),
            (Role::Index, bytes(&[-1, 2])),
        ]);
        let how = reading(|r| r.negative_index = negative_index);
        execute(Call::Mgather(call), &mut memory, how);
        let dst: Vec<i32> = items(memory.get(Role::Destination).unwrap().body());
        assert_eq!(dst[1..3], [2, 77]);
        dst[0]
    };
    let guard = i32::from_le_bytes([FENCE; 4]);
    let of = |oob| READINGS.map(|reading| run(oob, reading));
    assert_eq!(of(GatherOob::Clamp), [9, guard, 0]);
    assert_eq!(of(GatherOob::Wrap), [5, guard, 9]);
    assert_eq!(of(GatherOob::Zero), [0, guard, 0]);
}
