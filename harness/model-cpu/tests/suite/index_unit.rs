//! Indices that count bytes (MSCATTER-GAP-87, MGATHER-GAP-76, MGATHERL1-GAP-35).

use ptodiff_isa::{
    Call, Coalesce, CpuForm, DType, GatherOob, IndexUnit, NegativeIndex, Readings, Role, ScatterOob,
};
use strum::VariantArray;

use crate::common::{
    With, counted, flat, full, gather, gather_l1, made, nz, ran, reading, scatter,
};

use DType::{Half, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64};

/// Slots of the table: 2^8, 2^16 and 2^32 leave 3, 9 and 4 of it, so a
/// negative index wraps to another slot for each width.
const SLOTS: usize = 11;

const INDICES: [DType; 8] = [Int8, Uint8, Int16, Uint16, Int32, Uint32, Int64, Uint64];

/// A scatter's policy and the gather's that goes with it.
const UNDEFINED: (ScatterOob, GatherOob) = (ScatterOob::Undefined, GatherOob::Undefined);
const DROP: (ScatterOob, GatherOob) = (ScatterOob::Skip, GatherOob::Zero);
const CLAMP: (ScatterOob, GatherOob) = (ScatterOob::Clamp, GatherOob::Clamp);
const WRAP: (ScatterOob, GatherOob) = (ScatterOob::Wrap, GatherOob::Wrap);

fn counting(index_unit: IndexUnit) -> Readings {
    reading(|r| {
        r.cpu_form = CpuForm::Templated;
        r.index_unit = index_unit;
    })
}

/// One element for each number.
fn elements(dtype: DType, numbers: impl IntoIterator<Item = u64>) -> Vec<u8> {
    let bytes = numbers.into_iter().map(u64::to_le_bytes);
    bytes.flat_map(|b| b[..dtype.size()].to_vec()).collect()
}

/// Scatter, gather and gather to L1 of one element of a table of `SLOTS`.
fn calls(data: DType, idx: DType, (to_gm, to_ub): (ScatterOob, GatherOob)) -> [Call; 3] {
    let (mode, table) = (Coalesce::Elem, flat(data, SLOTS as u64));
    let (one, index) = (full(data, [1, 1]), full(idx, [1, 1]));
    let in_l1 = nz(data, [16, 32 / data.size() as u64], [1, 1]);
    let scatter = scatter(table, one, index).with(|c| c.oob = to_gm);
    [
        Call::Mscatter(scatter),
        Call::Mgather(gather(mode, to_ub, one, table, index)),
        Call::MgatherL1(gather_l1(mode, to_ub, in_l1, table, flat(idx, 1))),
    ]
}

/// The slot that all three reach, whatever the reading of negative indices.
fn reached(
    data: DType,
    idx: DType,
    oob: (ScatterOob, GatherOob),
    displacement: i64,
) -> Option<usize> {
    let index = &displacement.to_le_bytes()[..idx.size()];
    let [to_gm, to_ub, to_l1] = calls(data, idx, oob);
    let mut found = vec![];
    for &negative_index in NegativeIndex::VARIANTS {
        let mut readings = counting(IndexUnit::Byte);
        readings.negative_index = negative_index;
        let (zeroes, seven) = (elements(data, [0; SLOTS]), elements(data, [7]));
        let table = made(readings, to_gm, &[&zeroes, &seven, index]);
        found.push(table.chunks(data.size()).position(|slot| slot[0] == 7));
        // Slot k holds k + 1.
        let table = elements(data, 1..=SLOTS as u64);
        for (call, bytes) in [(to_ub, data.size()), (to_l1, 512)] {
            let out = made(readings, call, &[&vec![0xCC; bytes], &table, index]);
            found.push(usize::from(out[0]).checked_sub(1));
        }
    }
    assert_eq!(found, [found[0]; 9], "{data} {idx} {displacement}");
    found[0]
}

fn wrapped(data: DType, idx: DType, displacement: i64) -> usize {
    reached(data, idx, WRAP, displacement).expect("Wrap always reaches a slot")
}

// Slot 3 begins at byte 3, 6 and 12, the last at 10, 20 and 40; slots 11 and 25
// are outside. With a remainder it is the quotient towards zero.
#[test]
fn a_displacement_is_divided_by_the_size_of_the_element() {
    for data in [Uint8, Half, Int32] {
        let size = data.size() as i64;
        for idx in INDICES {
            for oob in [UNDEFINED, DROP, CLAMP, WRAP] {
                for slot in [0, 3, 10] {
                    assert_eq!(reached(data, idx, oob, size * slot), Some(slot as usize));
                }
            }
            for (slot, folded) in [(11, 0), (25, 3)] {
                assert_eq!(reached(data, idx, DROP, size * slot), None);
                assert_eq!(reached(data, idx, CLAMP, size * slot), Some(10));
                assert_eq!(wrapped(data, idx, size * slot), folded, "{data} {idx}");
            }
        }
    }
    for idx in [Int8, Uint8, Int32, Uint32] {
        for (displacement, slot) in [(3, 0), (5, 1), (7, 1), (-1, 0), (-3, 0)] {
            assert_eq!(wrapped(Int32, idx, displacement), slot, "{idx}");
        }
    }
    // -7 by 4 is -1.
    assert_eq!(wrapped(Int32, Int32, -7), 3);
    assert_eq!(wrapped(Int32, Uint8, -7), 2);
}

#[test]
fn an_unbounded_quotient_leaves_the_table_where_it_leads() {
    for (idx, displacement, offset) in [
        (Int8, 44, 44),
        // The remainder is gone.
        (Uint8, 47, 44),
        (Uint8, -4, 4 * 255),
        (Uint16, -4, 4 * 65535),
        (Int16, -4, 4 * 4_294_967_295),
        (Uint32, -4, 4 * 4_294_967_295),
    ] {
        let index = &i64::to_le_bytes(displacement)[..idx.size()];
        let table = counted(1, SLOTS);
        let [to_gm, to_ub, to_l1] = calls(Int32, idx, UNDEFINED);
        for (call, bodies) in [
            (to_gm, [&table[..], &[7; 4], index]),
            (to_ub, [&[0; 4], &table, index]),
            (to_l1, [&[0; 512], &table, index]),
        ] {
            let left = ran(counting(IndexUnit::Byte), call, &bodies);
            let write = call.output() == Role::Table;
            let expected = crate::common::word(Role::Table, offset, write);
            assert_eq!(left.outside(), [expected], "{idx} {displacement}");
        }
    }
}
