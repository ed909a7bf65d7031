//! What is left where the documents let anything be left, and what only a scratch shows.

use crate::common::*;
use ptodiff_isa::ScatterAtomicOp::{Add, Max, Min};

/// What slot 0 of eight holds after `new` went there.
fn slot<T: Item>(atomic: ScatterAtomicOp, dtype: DType, old: T, new: T) -> T {
    let part = |dtype| valid(dtype, 1, 16, 1, 2);
    let call = mscatter(Elem, flat(dtype, 8), part(dtype), part(Int32));
    let operands = [
        (Role::Table, bytes(&[old; 8])),
        (Role::Source, bytes(&[new; 16])),
        (
            Role::Index,
            bytes(&[0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ),
    ];
    let call = Call::Mscatter(call.with(|c| c.atomic = atomic));
    items(&left(call, How::default(), &operands, Role::Table))[0]
}

/// MSCATTER-GAP-03, -04: by default a slot stays where nothing is larger.
#[test]
fn nans_and_zeros_of_max_and_min() {
    const NAN: u32 = 0x7FC0_0000;
    const ONE: u32 = 0x3F80_0000;
    const NEG_ZERO: u32 = 0x8000_0000;
    for (old, new) in [(NAN, ONE), (ONE, NAN), (0, NEG_ZERO), (NEG_ZERO, 0)] {
        for atomic in [Max, Min] {
            assert_eq!(slot(atomic, Float, old, new), old, "{atomic}");
        }
    }
}

/// MSCATTER-GAP-81: a sum that is no number is one pattern for each type.
#[test]
fn nans_of_sums() {
    for (old, new) in [(0xFFA1_2345_u32, 0x3F80_0000), (0x7F80_0000, 0xFF80_0000)] {
        assert_eq!(slot(Add, Float, old, new), 0x7FC0_0000);
    }
    for (dtype, old, new, sum) in [
        (Half, 0x7C01_u16, 0x3C00, 0x7E00),
        (Half, 0xFC00, 0x7C00, 0x7E00),
        (Bfloat16, 0x3F80, 0xFFFF, 0x7FC0),
        (Bfloat16, 0x7F80, 0x7F80, 0x7F80),
    ] {
        assert_eq!(slot(Add, dtype, old, new), sum, "{dtype}");
    }
}

/// MGATHERL1-GAP-02, -08: the scratch is the image of the tile, with what it held before where
/// nothing zeroes it, and keeps its end. The SIMT executor covers the whole image.
#[test]
fn the_scratch_of_a_gather_to_l1() {
    let call = mgather_l1(
        Elem,
        flat(Int16, 100),
        nz(Int16, 16, 32, 2, 18),
        rows(Int32, 2, 18),
        Some(flat(Int16, 520)),
    );
    let how = reading(|r| r.l1_scratch_zero = L1ScratchZero::ZeroOnly);
    for (exec, oob, rows, padding) in [
        (GatherExec::Scalar, GatherOob::Undefined, 2, 7),
        (GatherExec::Scalar, GatherOob::Clamp, 2, 7),
        (GatherExec::Scalar, GatherOob::Wrap, 2, 7),
        (GatherExec::Scalar, GatherOob::Zero, 2, 0),
        (GatherExec::Simt, GatherOob::Clamp, 2, 0),
        // An extent of 0 leaves an image without an element.
        (GatherExec::Scalar, GatherOob::Zero, 0, 0),
        (GatherExec::Simt, GatherOob::Undefined, 0, 0),
    ] {
        let mut call = call.with(|c| (c.exec, c.oob) = (exec, oob));
        call.dst.valid_row = Dim::Dynamic(rows);
        let operands = [
            (Role::Table, bytes(&[1003_i16; 100])),
            (Role::Index, bytes(&[3; 36])),
            (Role::Destination, bytes(&[-1_i16; 512])),
            (Role::Scratch, bytes(&[7_i16; 520])),
        ];
        let call = Call::MgatherL1(call);
        let of = |role| items::<i16>(&left(call, how, &operands, role));
        let (tile, scratch) = (of(Role::Destination), of(Role::Scratch));
        let valid = |at: usize| rows == 2 && (at < 32 || (256..288).contains(&at) && at % 16 < 2);
        let image: Vec<i16> = (0..512)
            .map(|at| if valid(at) { 1003 } else { padding })
            .collect();
        assert_eq!(tile, image, "{exec} {oob} {rows}");
        assert_eq!(
            scratch,
            [&tile[..], &[7; 8]].concat(),
            "{exec} {oob} {rows}"
        );
    }
}

/// MGATHERL1-GAP-01: undefined padding is zero.
#[test]
fn the_tail_of_a_row_in_l1() {
    let dst = nz(Int32, 16, 24, 1, 10);
    let call = mgather_l1(Row, rows(Int32, 5, 12), dst, flat(Int32, 1), None);
    let how = reading(|r| r.l1_row_padding = L1RowPadding::Undefined);
    let operands = [
        (Role::Table, bytes(&count_from(0, 60))),
        (Role::Index, bytes(&[4])),
        (Role::Destination, bytes(&[-1; 384])),
    ];
    let tile = left(Call::MgatherL1(call), how, &operands, Role::Destination);
    let tile = items::<i32>(&tile);
    assert_eq!(tile[128..136], [56, 57, 0, 0, 0, 0, 0, 0]);
}

/// TSCATTER-GAP-02: nobody knows what slots that nothing addresses hold; they are kept.
#[test]
fn slots_that_nothing_addresses() {
    let one = valid(Int32, 1, 8, 1, 1);
    let call = TscatterIndex {
        dst: one,
        src: one,
        idx: one,
    };
    let how = reading(|r| r.tscatter_unaddressed = Unaddressed::Undefined);
    let operands = [
        (Role::Destination, bytes(&[5; 8])),
        (Role::Source, bytes(&[1; 8])),
        (Role::Index, bytes(&[2; 8])),
    ];
    let after = left(Call::TscatterIndex(call), how, &operands, Role::Destination);
    assert_eq!(items::<i32>(&after), [5, 5, 1, 5, 5, 5, 5, 5]);
}

/// MSCATTER-GAP-10: under Dropped what no slot owns goes nowhere, though the memory goes on
/// behind the table.
#[test]
fn an_index_that_no_slot_owns() {
    let how = reading(|r| r.undefined_last = UndefinedLast::Dropped);
    let by_row = mscatter(Row, rows(Int32, 4, 8), tile(Int32, 3, 8), tile(Int32, 1, 3));
    let by_element = mscatter(Elem, flat(Int32, 32), tile(Int32, 1, 3), tile(Int32, 1, 3));
    for (call, idx, taken) in [(by_row, [1, 4, 7], 8..16), (by_element, [1, 32, -1], 1..2)] {
        let operands = [
            (Role::Table, bytes(&[0; 64])),
            (Role::Source, bytes(&[5; 24])),
            (Role::Index, bytes(&idx)),
        ];
        let after = left(Call::Mscatter(call), how, &operands, Role::Table);
        let expected: Vec<i32> = (0..64)
            .map(|slot| if taken.contains(&slot) { 5 } else { 0 })
            .collect();
        assert_eq!(items::<i32>(&after), expected, "{idx:?}");
    }
}

/// MSCATTER-GAP-02, MGATHER-GAP-03: an empty table takes nothing, and gives nothing but
/// Zero's zeros.
#[test]
fn empty_tables() {
    let mut table = rows(Int32, 0, 8);
    table.shape[3] = Dim::Dynamic(0);
    let part = |cols| valid(Int32, 1, 8, 1, cols);
    for (mode, data, idx) in [
        (Row, tile(Int32, 2, 8), tile(Int32, 1, 2)),
        (Elem, part(2), part(2)),
        (Elem, part(1), part(1)),
    ] {
        for negative_index in [NegativeIndex::Unsigned, NegativeIndex::Signed] {
            let how = reading(|r| r.negative_index = negative_index);
            let of = |call, written| {
                let operands = [
                    (Role::Table, vec![]),
                    (Role::Source, vec![1; 64]),
                    (Role::Destination, bytes(&[9; 16])),
                    (Role::Index, bytes(&[-1, 0, 0, 0, 0, 0, 0, 0])),
                ];
                left(call, how, &operands, written)
            };
            for oob in [ScatterOob::Undefined, ScatterOob::Clamp, ScatterOob::Wrap] {
                for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
                    let call = mscatter(mode, table, data, idx);
                    let call = call.with(|c| (c.oob, c.conflict) = (oob, conflict));
                    assert_eq!(of(Call::Mscatter(call), Role::Table), [0; 0]);
                }
            }
            for (oob, given) in [
                (GatherOob::Undefined, 9),
                (GatherOob::Clamp, 9),
                (GatherOob::Wrap, 9),
                (GatherOob::Zero, 0),
            ] {
                let call = mgather(mode, table, data, idx).with(|c| c.oob = oob);
                let after = items::<i32>(&of(Call::Mgather(call), Role::Destination));
                assert_eq!(after[0], given, "{mode} {oob}");
            }
        }
    }
}
