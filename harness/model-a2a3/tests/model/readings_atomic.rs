//! MSCATTER with Add: the readings of overflow, order and subnormals.

use ptodiff_isa::{
    AddOverflow, Call, Coalesce, DType, Event, Mscatter, Readings, Role, RowAddOrder,
    ScatterAtomicOp, Subnormals,
};

use crate::common::{Number, Ran, bytes, in_ub, legal_on, mscatter, nd, tile};

/// `src` one after the other into slot 0 of `slots`: in Row mode rows of one
/// element, in Elem mode one row.
fn into_slot_0<T: Number>(
    atomic: ScatterAtomicOp,
    mode: Coalesce,
    dtype: DType,
    readings: Readings,
    slots: &[T],
    src: &[T],
) -> Ran {
    let (count, size) = (src.len() as u64, dtype.size());
    let index = tile(DType::Int32, [1, 8], [1, count]);
    let rows = slots.len() as u64;
    let (data, pitch) = match mode {
        Coalesce::Row => (tile(dtype, [count, 32], [count, 1]), 32 * size),
        Coalesce::Elem => (tile(dtype, [1, 32], [1, count]), size),
    };
    let mut source = vec![0; (data.rows * data.cols) as usize * size];
    for (k, value) in src.iter().enumerate() {
        source[k * pitch..][..size].copy_from_slice(&bytes([*value]));
    }
    let call = Call::Mscatter(Mscatter {
        atomic,
        ..mscatter(mode, nd(dtype, rows, 1), data, index)
    });
    let operands = [bytes(slots.iter().copied()), source, bytes([0_i32; 8])];
    legal_on(call, readings, in_ub(&call, operands))
}

fn add<T: Number>(mode: Coalesce, dtype: DType, readings: Readings, slot: T, src: &[T]) -> T {
    let ran = into_slot_0(ScatterAtomicOp::Add, mode, dtype, readings, &[slot], src);
    ran.table()[0]
}

const BOTH: [Coalesce; 2] = [Coalesce::Row, Coalesce::Elem];

fn overflow(add_overflow: AddOverflow) -> Readings {
    Readings {
        add_overflow,
        ..Readings::default()
    }
}

/// MSCATTER-GAP-05: one past the greatest, one past the least.
#[test]
fn overflow_by_path() {
    use AddOverflow::{Mte3Saturates, Saturate, Wrap};
    for (reading, mode, saturates) in [
        (Wrap, Coalesce::Row, false),
        (Wrap, Coalesce::Elem, false),
        (Saturate, Coalesce::Row, true),
        (Saturate, Coalesce::Elem, true),
        (Mte3Saturates, Coalesce::Row, true),
        (Mte3Saturates, Coalesce::Elem, false),
    ] {
        let with = overflow(reading);
        let (up, down) = if saturates { (127, -128) } else { (-128, 127) };
        assert_eq!(add(mode, DType::Int8, with, 127_i8, &[1]), up);
        assert_eq!(add(mode, DType::Int8, with, -128_i8, &[-1]), down);
        let up = if saturates { 32_767 } else { -32_768 };
        assert_eq!(add(mode, DType::Int16, with, 32_767_i16, &[1]), up);
        let down = if saturates { i32::MIN } else { i32::MAX };
        assert_eq!(add(mode, DType::Int32, with, i32::MIN, &[-1]), down);
        // Floats have no such range.
        let sum = add(mode, DType::Float, with, f32::MAX, &[f32::MAX]);
        assert!(sum.is_infinite());
    }
}

/// MSCATTER-GAP-05: each addition by itself: 100 + 100 is 127, less 50 is 77,
/// where the whole sum would be in range.
#[test]
fn every_single_addition_saturates() {
    for mode in BOTH {
        let with = overflow(AddOverflow::Saturate);
        assert_eq!(add(mode, DType::Int8, with, 100_i8, &[100, -50]), 77);
        let with = overflow(AddOverflow::Wrap);
        assert_eq!(add(mode, DType::Int8, with, 100_i8, &[100, -50]), -106);
    }
}

fn any_order() -> Readings {
    Readings {
        row_add_order: RowAddOrder::Any,
        ..Readings::default()
    }
}

/// MSCATTER-GAP-07: 1e8 - 1e8 + 1 is 1; from the end, 1 - 1e8 is -1e8 and the
/// sum 0. Elem has its order stated (MSCATTER-ATOM-26).
#[test]
fn rows_of_floats_in_any_order() {
    let src = [1e8_f32, -1e8, 1.];
    let sum = |mode, readings| add(mode, DType::Float, readings, 0., &src);
    assert_eq!(sum(Coalesce::Row, Readings::default()), 1.);
    assert_eq!(sum(Coalesce::Row, any_order()), 0.);
    assert_eq!(sum(Coalesce::Elem, any_order()), 1.);
    // 2048 + 1 + 1 stays 2048, 1 + 1 + 2048 does not.
    let src = [0x6800_u16, 0x3C00, 0x3C00];
    let sum = |readings| add(Coalesce::Row, DType::Half, readings, 0, &src);
    assert_eq!(
        (sum(Readings::default()), sum(any_order())),
        (0x6800, 0x6801)
    );
}

fn sources(ran: &Ran) -> Vec<i64> {
    let from = |event: &Event| match event {
        Event::Dma { from, .. } => Some(from.1),
        _ => None,
    };
    ran.events().iter().filter_map(from).collect()
}

/// MSCATTER-GAP-07: rows of integers have an order only where sums saturate:
/// 127 + 1 - 1 is 126 from the first row on, 127 from the last.
#[test]
fn rows_of_integers_in_any_order() {
    let row = |atomic, readings| {
        let src = [127_i8, 1, -1];
        let ran = into_slot_0(atomic, Coalesce::Row, DType::Int8, readings, &[0], &src);
        (ran.table::<i8>()[0], sources(&ran))
    };
    for add_overflow in [AddOverflow::Saturate, AddOverflow::Mte3Saturates] {
        let with = Readings {
            add_overflow,
            ..any_order()
        };
        assert_eq!(row(ScatterAtomicOp::Add, with), (127, vec![64, 32, 0]));
        let with = overflow(add_overflow);
        assert_eq!(row(ScatterAtomicOp::Add, with), (126, vec![0, 32, 64]));
    }
    let with = any_order();
    assert_eq!(row(ScatterAtomicOp::Add, with), (127, vec![0, 32, 64]));
    // Without Add the last row wins.
    assert_eq!(row(ScatterAtomicOp::None, with), (-1, vec![0, 32, 64]));
}

fn flushed() -> Readings {
    Readings {
        subnormals: Subnormals::Flushed,
        ..Readings::default()
    }
}

/// MSCATTER-GAP-80: least subnormals, twice, in every float type.
#[test]
fn subnormals_by_type() {
    for mode in BOTH {
        for dtype in [DType::Half, DType::Bfloat16] {
            assert_eq!(add(mode, dtype, Readings::default(), 1_u16, &[1]), 2);
            assert_eq!(add(mode, dtype, flushed(), 1_u16, &[1]), 0);
        }
        let least = f32::from_bits(1);
        let sum = |readings| add(mode, DType::Float, readings, least, &[least]).to_bits();
        assert_eq!((sum(Readings::default()), sum(flushed())), (2, 0));
    }
}

/// MSCATTER-GAP-80: half by hand; 0x0400 is the least normal.
#[test]
fn subnormal_operands_and_results() {
    for (slot, src, kept, zeroed) in [
        // A source that counts as zero.
        (0x0400_u16, 0x0001_u16, 0x0401_u16, 0x0400_u16),
        // A slot that does, with what is added a zero.
        (0x0001, 0x0000, 0x0001, 0x0000),
        (0x8001, 0x8000, 0x8001, 0x8000),
        // -0 and +0 give +0.
        (0x8001, 0x0000, 0x8001, 0x0000),
        // A result of two normal operands, of either sign.
        (0x0401, 0x8400, 0x0001, 0x0000),
        (0x8401, 0x0400, 0x8001, 0x8000),
        // Nothing subnormal.
        (0x3C00, 0x3C00, 0x4000, 0x4000),
    ] {
        for mode in BOTH {
            let sum = |readings| add(mode, DType::Half, readings, slot, &[src]);
            assert_eq!(sum(Readings::default()), kept, "{slot:#x} + {src:#x}");
            assert_eq!(sum(flushed()), zeroed, "{slot:#x} + {src:#x}");
        }
    }
}

/// MSCATTER-GAP-80 is about atomics, and about the slots that they address.
#[test]
fn other_subnormals_are_kept() {
    for mode in BOTH {
        let run = |atomic| {
            let (slots, src) = ([1_u16, 2], [3_u16]);
            into_slot_0(atomic, mode, DType::Half, flushed(), &slots, &src).table::<u16>()
        };
        assert_eq!(run(ScatterAtomicOp::Add), [0, 2]);
        assert_eq!(run(ScatterAtomicOp::None), [3, 2]);
    }
    // The source is only read.
    let ran = into_slot_0(
        ScatterAtomicOp::Add,
        Coalesce::Elem,
        DType::Half,
        flushed(),
        &[0_u16],
        &[3],
    );
    assert_eq!(ran.read::<u16>(Role::Source)[0], 3);
}
