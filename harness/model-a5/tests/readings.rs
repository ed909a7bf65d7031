//! Negative indices under each reading (MSCATTER-GAP-01, MGATHER-GAP-02).

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;

const READINGS: [NegativeIndex; 3] = [
    NegativeIndex::Unsigned,
    NegativeIndex::Signed,
    NegativeIndex::Intended,
];

fn reading(negative_index: NegativeIndex) -> How {
    let mut how = How::default();
    how.readings.negative_index = negative_index;
    how
}

/// Row -1 of ten rows, Default conflict: the row written, -1 for the one before the table.
fn row_written(oob: ScatterOob, negative_index: NegativeIndex) -> Option<i64> {
    let call = Mscatter {
        oob,
        conflict: ScatterConflict::Default,
        ..mscatter(
            Row,
            rows(Int32, 10, 8),
            tile(Int32, 1, 8),
            tile(Int32, 1, 1),
        )
    };
    let mut memory = memory(&[
        (Role::Table, vec![0; 320]),
        (Role::Source, bytes(&[0x0101_0101; 8])),
        (Role::Index, bytes(&[-1])),
    ]);
    execute(Call::Mscatter(call), &mut memory, reading(negative_index));
    let table = memory.get(Role::Table).expect("a table");
    let row = table.bytes().chunks(32).position(|row| row == [1; 32]);
    // Two rows of guard zone come first.
    row.map(|row| row as i64 - 2)
}

#[test]
fn gap_01_scatter() {
    use ScatterOob::{Clamp, Skip, Wrap};
    let of = |oob| READINGS.map(|reading| row_written(oob, reading));
    assert_eq!(of(Skip), [None, Some(-1), None]);
    assert_eq!(of(Clamp), [Some(9), Some(-1), Some(0)]);
    assert_eq!(of(Wrap), [Some(5), Some(-1), Some(9)]);
}

#[test]
fn gap_01_a_last_kernel_owns_no_slot_before_the_table() {
    for oob in [ScatterOob::Skip, ScatterOob::Clamp, ScatterOob::Wrap] {
        let call = Mscatter {
            oob,
            ..mscatter(
                Row,
                rows(Int32, 10, 8),
                tile(Int32, 1, 8),
                tile(Int32, 1, 1),
            )
        };
        let how = reading(NegativeIndex::Signed);
        assert_eq!(scatter_how(&call, how, &[0; 80], &[1; 8], &[-1]), [0; 80]);
    }
}

#[test]
fn gap_02_gather() {
    let run = |oob, negative_index| {
        let part = |dtype| valid(dtype, 1, 8, 1, 2);
        let call = Mgather {
            oob,
            ..mgather(Elem, flat(Int32, 10), part(Int32), part(Int32))
        };
        let mut memory = memory(&[
            (Role::Table, bytes(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9])),
            (Role::Destination, bytes(&[77; 8])),
            (Role::Index, bytes(&[-1, 2])),
        ]);
        execute(Call::Mgather(call), &mut memory, reading(negative_index));
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
