//! MSCATTER with ScatterAtomicOp::Add, and its readings of overflow, order and subnormals.

use ptodiff_isa::{
    AddOverflow, Call, Coalesce, DType, Dim, Event, Fault, Mscatter, Readings, Role, RowAddOrder,
    ScatterAtomicOp, Subnormals,
};

use crate::common::{
    Number, Ran, bytes, in_ub, mgather, mscatter, nd, reading, run, run_on, scatter, tile,
};

use Coalesce::{Elem, Row};
use DType::{Bfloat16, Float, Half, Int8, Int16, Int32};

const BOTH: [Coalesce; 2] = [Row, Elem];

/// `src` one after the other into slot 0 of `slots`: in Row mode rows of one
/// element, in Elem mode one row.
fn into_slot_0<T: Number>(
    (atomic, mode): (ScatterAtomicOp, Coalesce),
    dtype: DType,
    readings: Readings,
    slots: &[T],
    src: &[T],
) -> Ran {
    let count = src.len() as u64;
    let data = match mode {
        Row => tile(dtype, [count, 32], [count, 1]),
        Elem => tile(dtype, [1, 32], [1, count]),
    };
    let idx = tile(Int32, [1, 16], [1, count]);
    let call = mscatter(mode, nd(dtype, slots.len() as u64, 1), data, idx);
    scatter(
        Mscatter { atomic, ..call },
        readings,
        slots,
        src,
        &vec![0; src.len()],
    )
}

/// What slot 0 holds after all of `src` were added to it.
fn add<T: Number>(mode: Coalesce, dtype: DType, readings: Readings, slot: T, src: &[T]) -> T {
    let op = (ScatterAtomicOp::Add, mode);
    into_slot_0(op, dtype, readings, &[slot], src).table()[0]
}

/// The same by default, in both modes.
fn sum<T: Number>(dtype: DType, slot: T, src: &[T]) -> T {
    let [by_row, by_element] = BOTH.map(|mode| add(mode, dtype, Readings::default(), slot, src));
    assert_eq!(by_row, by_element);
    by_row
}

/// MSCATTER-ATOM-08: each dtype; MSCATTER-ATOM-26, MSCATTER-GAP-06, -07, -60: floats are
/// added one after the other, every sum rounded to its type, ties to even. NaN results
/// are one pattern for each dtype: neither sign nor payload comes through.
#[test]
fn floats_add_one_after_the_other() {
    assert_eq!(sum(Float, 0_f32, &[1e8, 1., -1e8]), 0.);
    assert_eq!(sum(Float, 0_f32, &[1e8, -1e8, 1.]), 1.);
    for (dtype, slot, src, want) in [
        (Half, 0_u16, &[0x3C00][..], 0x3C00),
        (Bfloat16, 0, &[0x3F80], 0x3F80),
        // 2048 + 1 + 1 + 1 stays 2048; in bfloat16 256 + 3 is 260.
        (Half, 0x6800, &[0x3C00; 3], 0x6800),
        (Bfloat16, 0x4380, &[0x4040], 0x4382),
        (Half, 0x7C01, &[0x3C00], 0x7E00),
        (Bfloat16, 0x7F80, &[0xFF80], 0x7FC0),
    ] {
        assert_eq!(sum(dtype, slot, src), want, "{dtype} {slot:#x}");
    }
    for src in [0xFF80_0000_u32, 0xFFC1_2345] {
        assert_eq!(sum(Float, 0x7F80_0000, &[src]), 0x7FC0_0000);
    }
}

/// What no kernel exists for is a fault, not a panic, even with nothing to do.
#[test]
fn missing_kernels_are_faults() {
    for (atomic, dtype) in [
        (ScatterAtomicOp::Max, Int32),
        (ScatterAtomicOp::Min, Float),
        (ScatterAtomicOp::Add, DType::Uint32),
        (ScatterAtomicOp::Add, DType::Float8E4M3),
    ] {
        for mode in BOTH {
            for rows in [Dim::Static(1), Dim::Dynamic(0)] {
                let (src, idx) = (tile(dtype, [1, 32], [1, 1]), tile(Int32, [1, 8], [1, 1]));
                let mut call = mscatter(mode, nd(dtype, 1, 8), src, idx);
                (call.atomic, call.src.valid_row) = (atomic, rows);
                let operands = [vec![0; 32], vec![0; 128], vec![0; 32]];
                let ran = run(Call::Mscatter(call), Readings::default(), operands);
                assert!(ran.outcome.is_err(), "{atomic} {dtype}");
            }
        }
    }
    // MSCATTER-DTYPE-03 and MGATHER-DTYPE-08: no kernel reads such indices.
    for dtype in [DType::Int64, Float] {
        let fault = Err(Fault(format!("no kernel reads indices of {dtype}")));
        let (data, idx) = (tile(Int32, [1, 8], [1, 1]), tile(dtype, [1, 4], [1, 1]));
        for mode in BOTH {
            for call in [
                Call::Mscatter(mscatter(mode, nd(Int32, 32, 8), data, idx)),
                Call::Mgather(mgather(mode, data, nd(Int32, 32, 8), idx)),
            ] {
                let operands = [bytes(0..256), bytes(1000..1008), bytes([1; 8])];
                let before = in_ub(&call, operands);
                let ran = run_on(call, Readings::default(), before.clone());
                assert_eq!(ran.outcome, fault);
                assert_eq!(ran.memory, before);
            }
        }
    }
}

fn overflow(add_overflow: AddOverflow) -> Readings {
    reading(|r| r.add_overflow = add_overflow)
}

/// MSCATTER-GAP-05: one past the greatest, one past the least. Each addition by itself:
/// 100 + 100 is 127, less 50 is 77, where the whole sum would be in range.
#[test]
fn overflow_by_path() {
    use AddOverflow::{Mte3Saturates, Saturate, Wrap};
    for (reading, mode, saturates) in [
        (Wrap, Row, false),
        (Wrap, Elem, false),
        (Saturate, Row, true),
        (Saturate, Elem, true),
        (Mte3Saturates, Row, true),
        (Mte3Saturates, Elem, false),
    ] {
        let with = overflow(reading);
        let either = |end: i32, wrapped: i32| if saturates { end } else { wrapped };
        let bytes = |slot, src: &[i8]| i32::from(add(mode, Int8, with, slot, src));
        assert_eq!(bytes(127, &[1]), either(127, -128));
        assert_eq!(bytes(-128, &[-1]), either(-128, 127));
        assert_eq!(bytes(100, &[100, -50]), either(77, -106));
        let short = i32::from(add(mode, Int16, with, i16::MAX, &[1]));
        assert_eq!(short, either(32_767, -32_768));
        let down = either(i32::MIN, i32::MAX);
        assert_eq!(add(mode, Int32, with, i32::MIN, &[-1]), down);
        // Floats have no such range.
        let sum = add(mode, Float, with, f32::MAX, &[f32::MAX]);
        assert!(sum.is_infinite());
    }
}

/// MSCATTER-GAP-60: every half is its own sum with minus zero, NaNs apart.
#[test]
fn halves_are_kept() {
    const ALL: u64 = 1 << 16;
    let row = |dtype| tile(dtype, [1, ALL], [1, ALL]);
    let call = Call::Mscatter(Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..mscatter(Elem, nd(Half, ALL, 1), row(Half), row(Int32))
    });
    let halves = || 0..=u16::MAX;
    let operands = [
        bytes(halves()),
        bytes(halves().map(|_| 0x8000_u16)),
        bytes(halves().map(i32::from)),
    ];
    let sums: Vec<u16> = run(call, Readings::default(), operands).table();
    let kept = |half: u16| match half & 0x7FFF > 0x7C00 {
        true => 0x7E00,
        false => half,
    };
    for (half, sum) in halves().zip(sums) {
        assert_eq!(sum, kept(half), "{half:#x}");
    }
}

fn any_order() -> Readings {
    reading(|r| r.row_add_order = RowAddOrder::Any)
}

/// MSCATTER-GAP-07: 1e8 - 1e8 + 1 is 1; from the end, 1 - 1e8 is -1e8 and the
/// sum 0. Elem has its order stated (MSCATTER-ATOM-26).
#[test]
fn rows_of_floats_in_any_order() {
    let sum = |mode, readings| add(mode, Float, readings, 0., &[1e8_f32, -1e8, 1.]);
    assert_eq!(sum(Row, Readings::default()), 1.);
    assert_eq!(sum(Row, any_order()), 0.);
    assert_eq!(sum(Elem, any_order()), 1.);
    // 2048 + 1 + 1 stays 2048, 1 + 1 + 2048 does not.
    let sum = |readings| add(Row, Half, readings, 0, &[0x6800_u16, 0x3C00, 0x3C00]);
    let got = (sum(Readings::default()), sum(any_order()));
    assert_eq!(got, (0x6800, 0x6801));
}

/// MSCATTER-GAP-07: rows of integers have an order only where sums saturate:
/// 127 + 1 - 1 is 126 from the first row on, 127 from the last.
#[test]
fn rows_of_integers_in_any_order() {
    let row = |atomic, readings| {
        let ran = into_slot_0((atomic, Row), Int8, readings, &[0_i8], &[127, 1, -1]);
        let from = |event: &Event| match event {
            Event::Dma { from, .. } => Some(from.1),
            _ => None,
        };
        let order: Vec<i64> = ran.events().iter().filter_map(from).collect();
        (ran.table::<i8>()[0], order)
    };
    let (up, down) = (vec![0, 32, 64], vec![64, 32, 0]);
    for add_overflow in [AddOverflow::Saturate, AddOverflow::Mte3Saturates] {
        let mut with = overflow(add_overflow);
        assert_eq!(row(ScatterAtomicOp::Add, with), (126, up.clone()));
        with.row_add_order = RowAddOrder::Any;
        assert_eq!(row(ScatterAtomicOp::Add, with), (127, down.clone()));
    }
    assert_eq!(row(ScatterAtomicOp::Add, any_order()), (127, up.clone()));
    // Without Add the last row wins.
    assert_eq!(row(ScatterAtomicOp::None, any_order()), (-1, up));
}

/// MSCATTER-GAP-80: half by hand, where 0x0400 is the least normal; the least
/// subnormals, twice, in the other types.
#[test]
fn subnormal_operands_and_results() {
    let flushed = reading(|r| r.subnormals = Subnormals::Flushed);
    for mode in BOTH {
        for (dtype, slot, src, kept, zeroed) in [
            (Half, 1_u16, 1_u16, 2_u16, 0_u16),
            (Bfloat16, 1, 1, 2, 0),
            // A source that counts as zero.
            (Half, 0x0400, 0x0001, 0x0401, 0x0400),
            // A slot that does, with what is added a zero.
            (Half, 0x0001, 0x0000, 0x0001, 0x0000),
            (Half, 0x8001, 0x8000, 0x8001, 0x8000),
            // -0 and +0 give +0.
            (Half, 0x8001, 0x0000, 0x8001, 0x0000),
            // A result of two normal operands, of either sign.
            (Half, 0x0401, 0x8400, 0x0001, 0x0000),
            (Half, 0x8401, 0x0400, 0x8001, 0x8000),
            // Nothing subnormal.
            (Half, 0x3C00, 0x3C00, 0x4000, 0x4000),
        ] {
            let sum = |readings| add(mode, dtype, readings, slot, &[src]);
            let found = (sum(Readings::default()), sum(flushed));
            assert_eq!(found, (kept, zeroed), "{dtype} {slot:#x} + {src:#x}");
        }
        let sum = |readings| add(mode, Float, readings, 1_u32, &[1]);
        assert_eq!((sum(Readings::default()), sum(flushed)), (2, 0));
        // It is about atomics, and about the slots that they address.
        for (atomic, want) in [
            (ScatterAtomicOp::Add, [0, 2]),
            (ScatterAtomicOp::None, [3, 2]),
        ] {
            let ran = into_slot_0((atomic, mode), Half, flushed, &[1_u16, 2], &[3]);
            assert_eq!(ran.table::<u16>(), want);
            // The source is only read.
            assert_eq!(ran.read::<u16>(Role::Source)[0], 3);
        }
    }
}
