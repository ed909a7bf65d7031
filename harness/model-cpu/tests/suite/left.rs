//! What is left where the documents let anything be left.

use ptodiff_isa::{
    Call, Coalesce, DType, MaxMinNan, OffsetGranularity, Readings, Role, ScatterAtomicOp, Tgatherb,
};

use crate::common::{GUARD_WORD, counted, full, i32s, ran, scatter, table, templated, word};

use DType::{Float, Int32, Uint32};

/// MSCATTER-GAP-04 (a): of two zeros it is the slot's, whatever NaNs do.
#[test]
fn of_two_zeros_the_slots_is_left() {
    const NEGATIVE: i32 = i32::MIN;
    for max_min_nan in [MaxMinNan::Anything, MaxMinNan::Ignored, MaxMinNan::PassedOn] {
        let readings = Readings {
            max_min_nan,
            ..templated()
        };
        for atomic in [ScatterAtomicOp::Max, ScatterAtomicOp::Min] {
            for (slot, src) in [(0, NEGATIVE), (NEGATIVE, 0)] {
                let one = full(Float, [1, 1]);
                let idx = full(Int32, [1, 1]);
                let mut call = scatter(Coalesce::Elem, table(Float, 1, 1), one, idx);
                call.atomic = atomic;
                let operands: [&[u8]; 3] = [&i32s(&[slot]), &i32s(&[src]), &[0; 4]];
                let ran = ran(readings, Call::Mscatter(call), &operands);
                assert_eq!(ran.words(Role::Table), [slot], "{atomic} {max_min_nan}");
            }
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
