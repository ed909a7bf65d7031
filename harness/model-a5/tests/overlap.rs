//! Elements that share a place, where a valid extent given at run time is too
//! large for its tile, and operands too short for one element.

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;
use ptodiff_model_a5::A5;

/// Runs without a trace; what the destination holds, and the out-of-bounds accesses.
fn silent(call: Call, memory: &mut Memory) -> (Vec<i32>, OobAccesses) {
    let mut log = Log::default();
    let end = A5.execute(&call, memory, &How::default(), &mut log);
    assert_eq!(end, Ok(End::Finished));
    let tile = memory.get(Role::Destination).unwrap();
    (items(tile.body()), log.oob_accesses)
}

/// Forty valid rows of four columns in a tile of two: element 2r + c is column
/// c of row r and column c + 2 of the row before.
#[test]
fn overlapping_rows_of_a_gather_are_stored_in_the_order_of_warps() {
    let dst = dynamic(Tile {
        cols: 2,
        ..valid(Int32, 41, 4, 40, 4)
    });
    let call = mgather(Row, rows(Int32, 40, 4), dst, tile(Int32, 1, 40));
    let value = |row: i32, col: i32| 100 * row + col;
    let table: Vec<i32> = (0..160).map(|k| value(k / 4, k % 4)).collect();
    let idx: Vec<i32> = (0..40).collect();
    let mut memory = memory(&[
        (Role::Table, bytes(&table)),
        (Role::Destination, bytes(&[-1; 82])),
        (Role::Index, bytes(&idx)),
    ]);
    let (got, oob_accesses) = silent(Call::Mgather(call), &mut memory);
    let mut expected: Vec<i32> = (0..80).map(|k| value(k / 2, k % 2)).collect();
    // Warp 31 serves row 31 after warp 0 has served rows 0 and 32.
    (expected[64], expected[65]) = (value(31, 2), value(31, 3));
    expected.extend([value(39, 2), value(39, 3)]);
    assert_eq!(got, expected);
    assert_eq!(oob_accesses.count, 0);
}

/// The same of single elements, of which the first lanes come last in reverse.
#[test]
fn overlapping_elements_are_stored_in_the_order_of_lanes() {
    let dst = dynamic(Tile {
        cols: 2,
        ..valid(Int32, 4, 4, 3, 4)
    });
    let src = tile(Int32, 3, 4);
    let offset = tile(Uint32, 3, 4);
    let numbers: Vec<i32> = (0..12).collect();
    let offsets: Vec<i32> = (0..12).map(|k| 4 * k).collect();
    for (call, from, idx) in [
        (
            Call::Mgather(mgather(Elem, rows(Int32, 3, 4), dst, src)),
            Role::Table,
            &numbers,
        ),
        (
            Call::Tgatherb(Tgatherb { dst, src, offset }),
            Role::Source,
            &offsets,
        ),
    ] {
        let mut memory = memory(&[
            (from, bytes(&numbers)),
            (Role::Destination, bytes(&[-1; 8])),
            (Role::Index, bytes(idx)),
        ]);
        execute_silently(call, &mut memory, how(Schedule::Reversed));
        let got: Vec<i32> = items(memory.get(Role::Destination).unwrap().body());
        assert_eq!(got, [0, 1, 2, 3, 6, 7, 10, 11]);
    }
}

/// Row 16 of a tile of 16 rows is where row 0 has its second block.
#[test]
fn what_no_index_selects_keeps_what_an_overlapping_row_stored() {
    let dst = Tile {
        valid_row: Dim::Dynamic(17),
        ..nz(Int32, 16, 16, 16, 16)
    };
    let scratch = flat(Int32, 17 * 16);
    let call = MgatherL1 {
        oob: GatherOob::Zero,
        ..mgather_l1(
            Elem,
            flat(Int32, 300),
            dst,
            rows(Int32, 17, 16),
            Some(scratch),
        )
    };
    let table: Vec<i32> = (1000..1300).collect();
    // Row 16 selects nothing.
    let idx: Vec<i32> = (0..17 * 16)
        .map(|k| if k < 256 { k } else { 300 })
        .collect();
    let mut memory = memory(&[
        (Role::Table, bytes(&table)),
        (Role::Destination, bytes(&[-1; 256])),
        (Role::Index, bytes(&idx)),
        (Role::Scratch, bytes(&[7; 17 * 16])),
    ]);
    let (got, oob_accesses) = silent(Call::MgatherL1(call), &mut memory);
    // Columns 8 to 15 of row 0.
    assert_eq!(
        got[128..136],
        [1008, 1009, 1010, 1011, 1012, 1013, 1014, 1015]
    );
    assert_eq!(oob_accesses.count, 0);
}

/// Element 0 of an operand without bytes is the first of the zone behind it.
#[test]
fn the_first_element_of_an_empty_operand_is_read_behind_it() {
    let one = |dtype| valid(dtype, 1, 8, 1, 1);
    let call = mgather(Elem, flat(Int32, 4), one(Int32), one(Int32));
    let mut all = vec![FENCE; GUARD];
    all.extend([1, 2, 3, 4]);
    let empty = Region::new(Role::Table, all, GUARD..GUARD);
    let tiles = memory(&[
        (Role::Destination, bytes(&[-1; 8])),
        (Role::Index, bytes(&[0; 8])),
    ]);
    let mut memory = Memory {
        regions: [vec![empty], tiles.regions].concat(),
    };
    let (got, oob_accesses) = silent(Call::Mgather(call), &mut memory);
    assert_eq!(got[..2], [i32::from_le_bytes([1, 2, 3, 4]), -1]);
    let read = OobAccess {
        role: Role::Table,
        offset: 0,
        len: 4,
        write: false,
    };
    assert_eq!(oob_accesses.first, [read]);
}
