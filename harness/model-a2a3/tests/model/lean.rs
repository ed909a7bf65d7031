//! Whole groups of lanes: what small calls never take, and a plain loop knows.

use ptodiff_isa::{
    Call, Coalesce, DType, Fault, GatherOob, Layout, Mgather, Mscatter, PaddedElem, Readings, Role,
    ScatterAtomicOp, ScatterOob, Tile,
};

use crate::common::{bytes, in_ub, legal_on, memory, mgather, mscatter, nd, run_on, table, tile};

/// Lanes of one group of the loop, twice.
const LANES: usize = 16;

/// Indices of 32 slots, out of order, no two alike.
fn scrambled() -> [usize; LANES] {
    std::array::from_fn(|k| (k * 13 + 5) % 32)
}

fn index_bytes() -> Vec<u8> {
    bytes(scrambled().map(|slot| slot as i32))
}

fn line(dtype: DType) -> Tile {
    tile(dtype, [1, LANES as u64], [1, LANES as u64])
}

/// MSCATTER-GAP-18 and MGATHER-GAP-07: slots of rows of eight, 16 apart, where
/// the reading sees the padding and where it does not.
#[test]
fn padding_counts_in_whole_groups() {
    let padded = table(
        DType::Half,
        [1, 1, 1, 4, 8],
        [64, 64, 64, 16, 1],
        Layout::ND,
    );
    let (half, index) = (line(DType::Half), line(DType::Int32));
    let scatter = mscatter(Coalesce::Elem, padded, half, index);
    let gather = mgather(Coalesce::Elem, half, padded, index);
    for (padded_elem, from_row_to_row) in [(PaddedElem::Flat, 8), (PaddedElem::Strided, 16)] {
        let readings = Readings {
            padded_elem,
            ..Readings::default()
        };
        let places = scrambled().map(|slot| slot / 8 * from_row_to_row + slot % 8);

        let operands = [bytes([0_u16; 56]), bytes(1..=LANES as u16), index_bytes()];
        let call = Call::Mscatter(scatter);
        let mut want = [0_u16; 56];
        for (place, value) in places.into_iter().zip(1..) {
            want[place] = value;
        }
        let ran = legal_on(call, readings, in_ub(&call, operands));
        assert_eq!(ran.table::<u16>(), want);

        let operands = [bytes(0..56_u16), bytes([0_u16; LANES]), index_bytes()];
        let call = Call::Mgather(gather);
        let ran = legal_on(call, readings, in_ub(&call, operands));
        assert_eq!(ran.dst::<u16>(), places.map(|place| place as u16));
    }
}

/// Operands come in any order in a memory; each plays its own role.
#[test]
fn operands_are_known_by_their_roles() {
    const ORDERS: [[usize; 3]; 6] = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let (word, index) = (line(DType::Int32), line(DType::Int32));
    let scatter: Mscatter = mscatter(Coalesce::Elem, nd(DType::Int32, 1, 32), word, index);
    let gather: Mgather = mgather(Coalesce::Elem, word, nd(DType::Int32, 1, 32), index);
    let mut scattered = [100_i32; 32];
    for (slot, value) in scrambled().into_iter().zip(1..) {
        scattered[slot] = value;
    }
    let gathered = scrambled().map(|slot| 100 + slot as i32);
    for order in ORDERS {
        let operands = [
            (Role::Table, bytes([100_i32; 32])),
            (Role::Source, bytes(1..=LANES as i32)),
            (Role::Index, index_bytes()),
        ];
        let before = memory(order.map(|k| operands[k].clone()));
        let ran = run_on(Call::Mscatter(scatter), Readings::default(), before);
        assert_eq!(ran.table::<i32>(), scattered);

        let operands = [
            (Role::Table, bytes(100..132_i32)),
            (Role::Destination, bytes([0_i32; LANES])),
            (Role::Index, index_bytes()),
        ];
        let before = memory(order.map(|k| operands[k].clone()));
        let ran = run_on(Call::Mgather(gather), Readings::default(), before);
        assert_eq!(ran.dst::<i32>(), gathered);
    }
}

/// Whole groups on a table of which nothing is in memory: each access strays.
#[test]
fn whole_groups_on_no_bytes() {
    let (word, index) = (line(DType::Int32), line(DType::Int32));
    let table = nd(DType::Int32, 1, 32);
    for call in [
        Call::Mscatter(mscatter(Coalesce::Elem, table, word, index)),
        Call::Mgather(mgather(Coalesce::Elem, word, table, index)),
    ] {
        let operands = [Vec::new(), bytes([0_i32; LANES]), index_bytes()];
        let ran = run_on(call, Readings::default(), in_ub(&call, operands));
        assert_eq!(ran.log.strays.count, LANES as u64);
    }
}

/// MGATHER-OOB-16: of an empty table everything is out of bounds.
#[test]
fn whole_groups_of_zeros() {
    let (word, index) = (line(DType::Int32), line(DType::Int32));
    let call = Call::Mgather(Mgather {
        oob: GatherOob::Zero,
        ..mgather(Coalesce::Elem, word, nd(DType::Int32, 1, 0), index)
    });
    let operands = [Vec::new(), bytes([7_i32; LANES]), index_bytes()];
    let ran = run_on(call, Readings::default(), in_ub(&call, operands));
    assert_eq!(ran.dst::<i32>(), [0; LANES]);
    assert_eq!(ran.strays(), []);
}

/// MSCATTER-OOB-04: a dropped row leaves out its own values, and rows after one
/// that strays are written as well, each once.
#[test]
fn rows_around_those_that_are_not_written() {
    const ROWS: usize = 6;
    const COLS: usize = 8;
    let (src, idx) = (
        tile(DType::Int32, [6, 8], [6, 8]),
        tile(DType::Int32, [1, 6], [1, 6]),
    );
    // Of five rows that the table claims, it has four.
    let call = Call::Mscatter(Mscatter {
        oob: ScatterOob::Skip,
        atomic: ScatterAtomicOp::Add,
        ..mscatter(Coalesce::Row, nd(DType::Int32, 5, 8), src, idx)
    });
    let values = (0..ROWS as i32).flat_map(|row| [1 << row; COLS]);
    let operands = [
        bytes([100_i32; 4 * COLS]),
        bytes(values),
        bytes([3, 5, 1, 4, 3, 0]),
    ];
    let ran = run_on(call, Readings::default(), in_ub(&call, operands));
    let want = [132, 104, 100, 117].map(|sum| [sum; COLS]);
    assert_eq!(ran.table::<i32>(), want.as_flattened());
    assert_eq!(ran.log.strays.count, 1);
}

/// Rows that a tile lacks in memory: dropped ones nobody reads.
#[test]
fn rows_of_a_short_tile() {
    let (src, idx) = (
        tile(DType::Int32, [4, 8], [4, 8]),
        tile(DType::Int32, [1, 4], [1, 4]),
    );
    for (oob, indices, strays) in [
        (ScatterOob::Undefined, [2, 0, 1, 3], 2),
        (ScatterOob::Skip, [2, 0, 9, 3], 1),
        (ScatterOob::Skip, [2, 0, 9, 9], 0),
    ] {
        let call = Call::Mscatter(Mscatter {
            oob,
            ..mscatter(Coalesce::Row, nd(DType::Int32, 4, 8), src, idx)
        });
        let operands = [bytes([100_i32; 32]), bytes(0..16), bytes(indices)];
        let ran = run_on(call, Readings::default(), in_ub(&call, operands));
        assert_eq!(ran.log.strays.count, strays);
        let table = ran.table::<i32>();
        assert_eq!((table[16], table[7]), (0, 15));
    }
}

/// MSCATTER-DTYPE-03 and MGATHER-DTYPE-08: no kernel reads such indices, be the
/// lanes ever so many, and nothing is written.
#[test]
fn whole_groups_of_other_indices_are_a_fault() {
    let table = nd(DType::Int32, 32, 8);
    for dtype in [DType::Int64, DType::Float] {
        let fault = Err(Fault(format!("no kernel reads indices of {dtype}")));
        for mode in [Coalesce::Row, Coalesce::Elem] {
            let data = match mode {
                Coalesce::Row => tile(DType::Int32, [LANES as u64, 8], [LANES as u64, 8]),
                Coalesce::Elem => line(DType::Int32),
            };
            for call in [
                Call::Mscatter(mscatter(mode, table, data, line(dtype))),
                Call::Mgather(mgather(mode, data, table, line(dtype))),
            ] {
                let operands = [bytes(0..256), bytes(1000..1128), bytes([1_i32; 2 * LANES])];
                let before = in_ub(&call, operands);
                let ran = run_on(call, Readings::default(), before.clone());
                assert_eq!(ran.outcome, fault);
                assert_eq!(ran.memory, before);
            }
        }
    }
}
