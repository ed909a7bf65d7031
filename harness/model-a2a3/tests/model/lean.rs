//! Whole groups of lanes: what small calls never take, and a plain loop knows.

use ptodiff_isa::{
    Call, Coalesce, DType, Fault, Layout, Mgather, Mscatter, PaddedElem, Readings, Role, Tile,
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
