//! What is left where the documents let anything be left.

use ptodiff_isa::{
    Call, Coalesce, DType, Dim, MaskAxis, MaskPadding, MaskPattern, MaxMinNan, OffsetGranularity,
    Readings, Role, ScatterAtomicOp, Scope, Tgatherb, Tile, TscatterMask,
};

use crate::common::{GUARD_WORD, counted, full, i32s, ran, scatter, table, templated, word};

use DType::{Bfloat16, Float, Half, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64};
use ScatterAtomicOp::{Add, Max, Min};

/// What a slot holds after one element went there.
fn slot(dtype: DType, atomic: ScatterAtomicOp, nan: MaxMinNan, old: u64, new: u64) -> u64 {
    let readings = Readings {
        max_min_nan: nan,
        ..templated()
    };
    let (one, idx) = (full(dtype, [1, 1]), full(Int32, [1, 1]));
    let mut call = scatter(Coalesce::Elem, table(dtype, 1, 1), one, idx);
    call.atomic = atomic;
    let [old, new] = [old, new].map(|bits| bits.to_le_bytes()[..dtype.size()].to_vec());
    let ran = ran(readings, Call::Mscatter(call), &[&old, &new, &[0; 4]]);
    let mut left = [0; 8];
    left[..dtype.size()].copy_from_slice(ran.body(Role::Table));
    u64::from_le_bytes(left)
}

/// MSCATTER-GAP-04 (a): of two zeros it is the slot's, but where NaNs rank by their bits.
#[test]
fn of_two_zeros_the_slots_is_left() {
    const NEGATIVE: u64 = 0x8000_0000;
    for nan in [MaxMinNan::Anything, MaxMinNan::Ignored, MaxMinNan::PassedOn] {
        for atomic in [Max, Min] {
            for (old, new) in [(0, NEGATIVE), (NEGATIVE, 0)] {
                assert_eq!(slot(Float, atomic, nan, old, new), old, "{atomic} {nan}");
            }
        }
    }
    // Bits have an order.
    for (old, new) in [(0, NEGATIVE), (NEGATIVE, 0)] {
        let of = |atomic| slot(Float, atomic, MaxMinNan::ByBits, old, new);
        assert_eq!([of(Max), of(Min)], [0, NEGATIVE]);
    }
}

/// MSCATTER-ATOM-16, -17: the caller owes a type of the list; others combine as numbers do.
#[test]
fn atomics_of_types_in_no_list() {
    for (dtype, old, new, sum, greater, less) in [
        (Int8, 0x7F, 0x82, 0x01, 0x7F, 0x82),
        (Uint8, 0x7F, 0x82, 0x01, 0x82, 0x7F),
        (Int16, 0x7FFF, 0x8002, 1, 0x7FFF, 0x8002),
        (Uint16, 0x7FFF, 0x8002, 1, 0x8002, 0x7FFF),
        (Uint32, 1, 0x8000_0000, 0x8000_0001, 0x8000_0000, 1),
        // Into the upper half.
        (Int64, 1, 0xFFFF_FFFF, 0x1_0000_0000, 0xFFFF_FFFF, 1),
        (Uint64, 1, u64::MAX, 0, u64::MAX, 1),
        // 1 + 2; 1 and -2; a number of bfloat16 whose bits are a NaN of half.
        (Half, 0x3C00, 0x4000, 0x4200, 0x4000, 0x3C00),
        (Half, 0x3C00, 0xC000, 0xBC00, 0x3C00, 0xC000),
        (Bfloat16, 0x3F80, 0x4000, 0x4040, 0x4000, 0x3F80),
        (Bfloat16, 0x3F80, 0xC000, 0xBF80, 0x3F80, 0xC000),
        (Bfloat16, 0x3F80, 0x7E00, 0x7E00, 0x7E00, 0x3F80),
        // 256 + 1 is a tie that goes back to 256.
        (Bfloat16, 0x4380, 0x3F80, 0x4380, 0x4380, 0x3F80),
    ] {
        let of = |atomic| slot(dtype, atomic, MaxMinNan::Ignored, old, new);
        let found = [of(Add), of(Max), of(Min)];
        assert_eq!(found, [sum, greater, less], "{dtype} {old:#x} {new:#x}");
    }
    // Of a NaN and the number that the other side would pick last; a NaN that is passed on;
    // and one by its bits.
    for (dtype, nan, bottom) in [(Half, 0x7C01, 0xFC00), (Bfloat16, 0x7F81, 0xFF80)] {
        for (old, new) in [(nan, bottom), (bottom, nan)] {
            let of = |reading| slot(dtype, Max, reading, old, new);
            assert_eq!(of(MaxMinNan::Ignored), bottom, "{dtype}");
            assert_eq!(of(MaxMinNan::PassedOn), nan, "{dtype}");
            let least = slot(dtype, Min, MaxMinNan::ByBits, old, new);
            assert_eq!((of(MaxMinNan::ByBits), least), (nan, bottom), "{dtype}");
        }
    }
}

/// A source of 16 bytes has no whole block: it is read from its start.
#[test]
fn a_source_without_a_block_is_read_from_its_start() {
    let call = Call::Tgatherb(Tgatherb {
        dst: full(Int32, [1, 8]),
        src: full(Int32, [1, 4]),
        offset: full(Uint32, [1, 1]),
    });
    let readings = Readings {
        tgatherb_granularity: OffsetGranularity::Block,
        ..Readings::default()
    };
    let ran = ran(readings, call, &[&[0; 32], &counted(10, 4), &i32s(&[8])]);
    let read = [16, 20, 24, 28].map(|offset| word(Role::Source, offset, false));
    assert_eq!(ran.outside(), (4, &read[..]));
    let out = ran.words(Role::Destination);
    assert_eq!(out, [[10, 11, 12, 13], [GUARD_WORD; 4]].concat());
}

/// TSCATTER-GAP-09, -13: nothing is promised of padding here; only P1111 may keep it.
#[test]
fn padding_of_the_mask_form() {
    let part = |cols| Tile {
        valid_col: Dim::Static(cols),
        ..full(Int32, [1, 8])
    };
    for (pattern, cols, padding, expected) in [
        (MaskPattern::P1111, 2, MaskPadding::Zero, [1, 2, 0, 0]),
        (MaskPattern::P1111, 2, MaskPadding::Kept, [1, 2, 9, 9]),
        (MaskPattern::P0101, 1, MaskPadding::Zero, [1, 0, 0, 0]),
        (MaskPattern::P0101, 1, MaskPadding::Kept, [1, 0, 0, 0]),
    ] {
        let call = Call::TscatterMask(TscatterMask {
            dst: part(2),
            src: part(cols),
            pattern,
            axis: MaskAxis::Row,
        });
        let readings = Readings {
            scope: Scope::AsTheSuite,
            mask_p1111_padding: padding,
            ..Readings::default()
        };
        let ran = ran(readings, call, &[&i32s(&[9; 8]), &counted(1, 8)]);
        let left = ran.words(Role::Destination);
        assert_eq!(left[..4], expected, "{pattern} {padding}");
    }
}
