//! Indices that count bytes (MSCATTER-GAP-87, MGATHER-GAP-76, MGATHERL1-GAP-35).

use ptodiff_isa::{
    Call, Coalesce, CpuForm, DType, GatherOob, IndexUnit, Mscatter, NegativeIndex, Readings, Role,
    ScatterAtomicOp, ScatterOob, Tgatherb, TscatterIndex,
};
use strum::VariantArray;

use crate::common::{
    With, counted, flat, full, gather, gather_l1, i32s, made, nz, ran, reading, rows, scatter,
    to_i32s,
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

// The gaps' own experiments; the documented form has Elem semantics whatever the mode.
#[test]
fn an_index_counts_what_the_reading_says() {
    for (unit, slot) in [(IndexUnit::Element, 4), (IndexUnit::Byte, 1)] {
        let [to_gm, to_ub, to_l1] = calls(Int32, Int32, UNDEFINED);
        let (table, index) = (counted(0, SLOTS), i32s(&[4]));
        for (call, dst) in [(to_ub, vec![0; 4]), (to_l1, vec![0; 512])] {
            let out = to_i32s(&made(counting(unit), call, &[&dst, &table, &index]));
            assert_eq!(out[0], slot);
        }
        let Call::Mscatter(to_gm) = to_gm else {
            unreachable!("a scatter")
        };
        for (mode, cpu_form) in [
            (Coalesce::Elem, CpuForm::Templated),
            (Coalesce::Elem, CpuForm::Documented),
            (Coalesce::Row, CpuForm::Documented),
        ] {
            let (mut readings, call) = (counting(unit), Mscatter { mode, ..to_gm });
            readings.cpu_form = cpu_form;
            let out = made(
                readings,
                Call::Mscatter(call),
                &[&[0; 44], &i32s(&[7]), &index],
            );
            let got = to_i32s(&out).iter().position(|v| *v == 7);
            assert_eq!(got, Some(slot as usize));
        }
    }
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

// One element back is -1, of which `uint8_t` makes 255, `uint16_t` 65535 and
// all others 2^32 - 1: slots 2, 8 and 3 of eleven.
#[test]
fn a_negative_displacement_is_signed_and_its_quotient_is_not() {
    for data in [Uint8, Half, Int32] {
        let back = -(data.size() as i64);
        for idx in INDICES {
            let slot = match idx {
                Uint8 => 2,
                Uint16 => 8,
                _ => 3,
            };
            assert_eq!(wrapped(data, idx, back), slot, "{data} {idx}");
            assert_eq!(reached(data, idx, DROP, back), None);
            assert_eq!(reached(data, idx, CLAMP, back), Some(10));
        }
    }
    // The least of each width by 4: -32 is 224 of a byte or 2^32 - 32, -2^13 is
    // 57344 or 2^32 - 8192, -2^29 is 3758096384.
    for (idx, least, slot) in [
        (Uint8, -128, 4),
        (Int8, -128, 5),
        (Uint16, -32768, 1),
        (Int16, -32768, 7),
        (Uint32, i64::from(i32::MIN), 9),
        (Int32, i64::from(i32::MIN), 9),
    ] {
        assert_eq!(wrapped(Int32, idx, least), slot, "{idx}");
    }
    // A wide one is divided before it is cast: 2^34 by 4 is 2^32, of which the cast
    // leaves nothing; 2^33 by 4 is 2^31, which is 2 above a multiple of eleven.
    for idx in [Int64, Uint64] {
        assert_eq!(wrapped(Int32, idx, 1 << 34), 0);
        assert_eq!(wrapped(Int32, idx, (1 << 34) + 8), 2);
        assert_eq!(wrapped(Int32, idx, 1 << 33), 2);
    }
    assert_eq!(wrapped(Int64, Int32, 16), 2);
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

// Displacements 4, 8, 4: slot 1 takes 10 + 1 + 3, slot 2 takes 20 + 2.
#[test]
fn displacements_accumulate() {
    let three = full(Int32, [1, 3]);
    let mut call = scatter(flat(Int32, 4), three, three);
    call.atomic = ScatterAtomicOp::Add;
    let operands: [&[u8]; 3] = [&i32s(&[0, 10, 20, 30]), &counted(1, 3), &i32s(&[4, 8, 4])];
    let out = made(counting(IndexUnit::Byte), Call::Mscatter(call), &operands);
    assert_eq!(to_i32s(&out), [0, 14, 22, 30]);
}

// Row index 2 is row 2 either way, 3 is out of three rows; TSCATTER's index 1 is a
// slot and TGATHERB's offset 4 a byte either way.
#[test]
fn rows_and_other_instructions_count_as_ever() {
    let (two, idx, three) = (full(Int32, [2, 2]), full(Int32, [1, 2]), rows(Int32, 3, 2));
    for &unit in IndexUnit::VARIANTS {
        let (table, indices) = (counted(0, 6), i32s(&[2, 3]));
        let call = Call::Mgather(gather(Coalesce::Row, GatherOob::Wrap, two, three, idx));
        let out = made(counting(unit), call, &[&[0; 16], &table, &indices]);
        assert_eq!(to_i32s(&out), [4, 5, 0, 1]);

        let (dst, idx_) = (nz(Int32, [16, 8], [2, 2]), flat(Int32, 2));
        let call = gather_l1(Coalesce::Row, GatherOob::Wrap, dst, three, idx_);
        let operands: [&[u8]; 3] = [&[0; 512], &table, &indices];
        let out = to_i32s(&made(counting(unit), Call::MgatherL1(call), &operands));
        assert_eq!([out[0], out[1], out[8], out[9]], [4, 5, 0, 1]);

        let mut call = scatter(three, two, idx);
        (call.mode, call.oob) = (Coalesce::Row, ScatterOob::Wrap);
        let operands: [&[u8]; 3] = [&table, &counted(10, 4), &indices];
        let out = made(counting(unit), Call::Mscatter(call), &operands);
        assert_eq!(to_i32s(&out), [12, 13, 2, 3, 10, 11]);

        let (dst, src) = (idx, idx);
        let by_slot = Call::TscatterIndex(TscatterIndex { dst, src, idx });
        let offset = full(Uint32, [1, 2]);
        let by_byte = Call::Tgatherb(Tgatherb { dst, src, offset });
        for (call, indices) in [(by_slot, [1, 0]), (by_byte, [4, 0])] {
            let operands: [&[u8]; 3] = [&[0; 8], &i32s(&[7, 8]), &i32s(&indices)];
            assert_eq!(to_i32s(&made(counting(unit), call, &operands)), [8, 7]);
        }
    }
}
