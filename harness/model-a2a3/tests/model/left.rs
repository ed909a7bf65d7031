//! What is left where the documents let anything be left, and what only a trace or a scratch
//! shows of it.

use ptodiff_isa::{
    AddOverflow, Call, Coalesce, DType, Dim, EmptyExtent, Event, GatherOob, L1RowPadding,
    L1ScratchZero, Layout, Mscatter, NdZeroFill, NegativeIndex, OffsetGranularity, OuterStrides,
    Readings, Role, RowAddOrder, ScatterAtomicOp, Space, Tgatherb, TscatterIndex, Unaddressed,
    UnalignedOffset,
};

use crate::common::{
    Number, Ran, With, bytes, dynamic, legal, legal_on, line, load, mat, memory, mgather,
    mgather_l1, mscatter, nd, reading, run, store, table, tile,
};

use Coalesce::{Elem, Row};
use DType::{Bfloat16, Float, Half, Int8, Int32, Uint16, Uint32};
use ScatterAtomicOp::Add;

/// A run in which slot 0 takes `src`, one after the other: in Row mode rows of one element, in
/// Elem mode one row.
fn into_slot<T: Number>(
    (mode, atomic): (Coalesce, ScatterAtomicOp),
    dtype: DType,
    readings: Readings,
    slot: T,
    src: &[T],
) -> Ran {
    let count = src.len() as u64;
    let (padded, valid) = match mode {
        Row => ([count, 32], [count, 1]),
        Elem => ([1, 32], [1, count]),
    };
    let mut all = vec![T::default(); (padded[0] * 32) as usize];
    for (k, value) in src.iter().enumerate() {
        all[if mode == Row { 32 * k } else { k }] = *value;
    }
    let idx = tile(Int32, [1, 16], [1, count]);
    let call = mscatter(mode, nd(dtype, 1, 1), tile(dtype, padded, valid), idx);
    let call = Call::Mscatter(Mscatter { atomic, ..call });
    legal(call, readings, [bytes([slot]), bytes(all), bytes([0; 16])])
}

/// What the slot holds after that.
fn slot<T: Number>(
    op: (Coalesce, ScatterAtomicOp),
    dtype: DType,
    readings: Readings,
    slot: T,
    src: &[T],
) -> T {
    into_slot(op, dtype, readings, slot, src).table()[0]
}

/// MSCATTER-GAP-81: a sum that is no number is one pattern for each type; neither sign nor
/// payload comes through.
#[test]
fn nans_of_sums() {
    for mode in [Row, Elem] {
        let sum = |dtype, old, new| slot((mode, Add), dtype, Readings::default(), old, &[new]);
        for (dtype, old, new, want) in [
            (Half, 0x7C01_u16, 0x3C00, 0x7E00),
            (Half, 0xFC00, 0x7C00, 0x7E00),
            (Bfloat16, 0x7F80, 0xFF80, 0x7FC0),
            (Bfloat16, 0x3F80, 0xFFFF, 0x7FC0),
        ] {
            assert_eq!(sum(dtype, old, new), want, "{dtype} {old:#x}");
        }
        let sum = |new| {
            slot(
                (mode, Add),
                Float,
                Readings::default(),
                0x7F80_0000_u32,
                &[new],
            )
        };
        assert_eq!([sum(0xFF80_0000), sum(0xFFC1_2345)], [0x7FC0_0000; 2]);
    }
}

/// MSCATTER-GAP-60: every half is its own sum with minus zero, NaNs apart.
#[test]
fn halves_are_kept() {
    const ALL: u64 = 1 << 16;
    let row = |dtype| tile(dtype, [1, ALL], [1, ALL]);
    let call = Call::Mscatter(Mscatter {
        atomic: Add,
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

/// MSCATTER-GAP-07: under Any rows are added from the last one on where the order shows, as
/// it does of floats and of sums that saturate. Elem has its order stated
/// (MSCATTER-ATOM-26), and without Add the last row wins.
#[test]
fn rows_in_any_order() {
    let any = reading(|r| r.row_add_order = RowAddOrder::Any);
    // 1e8 - 1e8 + 1 is 1; from the end, 1 - 1e8 is -1e8 and the sum 0.
    let floats = |mode, with| slot((mode, Add), Float, with, 0., &[1e8_f32, -1e8, 1.]);
    assert_eq!(floats(Row, Readings::default()), 1.);
    assert_eq!([floats(Row, any), floats(Elem, any)], [0., 1.]);
    // 127 + 1 - 1 is 126 from the first row on, 127 from the last.
    let bytes = |atomic, with| {
        let ran = into_slot((Row, atomic), Int8, with, 0, &[127_i8, 1, -1]);
        let from = |event: &Event| match event {
            Event::Dma { from, .. } => Some(from.1),
            _ => None,
        };
        let order: Vec<i64> = ran.events().iter().filter_map(from).collect();
        (ran.table::<i8>()[0], order)
    };
    let (up, down) = (vec![0, 32, 64], vec![64, 32, 0]);
    for add_overflow in [AddOverflow::Saturate, AddOverflow::Mte3Saturates] {
        let with = any.with(|r| r.add_overflow = add_overflow);
        assert_eq!(bytes(Add, with), (127, down.clone()));
        let with = with.with(|r| r.row_add_order = Readings::default().row_add_order);
        assert_eq!(bytes(Add, with), (126, up.clone()));
    }
    assert_eq!(bytes(Add, any), (127, up.clone()));
    assert_eq!(bytes(ScatterAtomicOp::None, any), (-1, up));
}

/// MSCATTER-GAP-16: row 4 of 2x4, the two halves 64 elements apart, where the caller owes
/// that there is none.
#[test]
fn a_row_beyond_shape_3() {
    let apart = table(Int32, [1, 1, 2, 4, 8], [128, 128, 64, 8, 1], Layout::ND);
    let call = mscatter(
        Row,
        apart,
        tile(Int32, [1, 8], [1, 8]),
        tile(Int32, [1, 8], [1, 1]),
    );
    let readings = reading(|r| r.outer_strides = OuterStrides::Precondition);
    let operands = [bytes([0; 96]), bytes([1; 8]), bytes([4; 8])];
    let table: Vec<i32> = legal(Call::Mscatter(call), readings, operands).table();
    assert_eq!(table, [vec![0; 32], vec![1; 8], vec![0; 56]].concat());
}

/// TSCATTER-GAP-02: nobody knows what slots that nothing addresses hold; they are kept.
#[test]
fn slots_that_nothing_addresses() {
    let one = tile(Int32, [1, 8], [1, 1]);
    let call = Call::TscatterIndex(TscatterIndex {
        dst: one,
        src: one,
        idx: one,
    });
    let before = memory([
        (Role::Destination, bytes([-1; 8])),
        (Role::Source, bytes([1; 8])),
        (Role::Index, bytes([2; 8])),
    ]);
    let readings = reading(|r| r.tscatter_unaddressed = Unaddressed::Undefined);
    let got: Vec<i32> = legal_on(call, readings, before).dst();
    assert_eq!(got, [-1, -1, 1, -1, -1, -1, -1, -1]);
}

/// TGATHERB-GAP-01 (its witness): bytes 1 2 3 4, offset 1, which nothing speaks of.
#[test]
fn an_unaligned_offset() {
    let dst = tile(Uint16, [1, 16], [1, 1]);
    let offset = tile(Uint32, [1, 8], [1, 1]);
    let call = Call::Tgatherb(Tgatherb {
        dst,
        src: dst,
        offset,
    });
    let before = memory([
        (Role::Destination, bytes([0_u16; 16])),
        (Role::Source, bytes(1..33_u8)),
        (Role::Index, bytes([1; 8])),
    ]);
    let readings = reading(|r| r.tgatherb_unaligned = UnalignedOffset::Undefined);
    assert_eq!(legal_on(call, readings, before).dst::<u16>()[0], 0x0302);
}

/// A block is loaded whole and stops where the padded row does.
#[test]
fn a_block_at_the_end_of_a_row() {
    let call = Call::Tgatherb(Tgatherb {
        dst: tile(Int32, [2, 4], [1, 4]),
        src: tile(Int32, [1, 8], [1, 8]),
        offset: tile(Uint32, [1, 8], [1, 1]),
    });
    let before = memory([
        (Role::Destination, bytes([-1; 8])),
        (Role::Source, bytes(0..8)),
        (Role::Index, bytes([0; 8])),
    ]);
    let readings = reading(|r| r.tgatherb_granularity = OffsetGranularity::Block);
    let ran = legal_on(call, readings, before);
    assert_eq!(ran.dst::<i32>(), [0, 1, 2, 3, -1, -1, -1, -1]);
    let read = |role, len| load(Space::Ub, role, 0, len);
    let write = store(Space::Ub, Role::Destination, 0, 16);
    let expected = [read(Role::Index, 4), read(Role::Source, 32), write];
    assert_eq!(ran.events(), expected);
}

/// MSCATTER-GAP-38, MGATHER-GAP-26: not even a fill, nor an event.
#[test]
fn empty_extents_do_nothing() {
    let with = reading(|r| {
        r.empty_extent = EmptyExtent::NoOp;
        r.nd_zero_fill = NdZeroFill::WholeTile;
    });
    for (valid, mode) in [([0, 3], Row), ([3, 0], Row), ([0, 3], Elem), ([3, 0], Elem)] {
        let data = dynamic(tile(Int32, [16, 8], valid));
        let idx = match mode {
            Row => dynamic(tile(Int32, [16, 8], [1, valid[0]])),
            Elem => data,
        };
        let gather = mgather(mode, data, nd(Int32, 16, 8), idx).with(|c| c.oob = GatherOob::Zero);
        let scatter = mscatter(mode, gather.table, data, idx).with(|c| c.atomic = Add);
        for call in [Call::Mgather(gather), Call::Mscatter(scatter)] {
            let operands = [bytes([1; 128]), bytes([2; 128]), bytes([0; 128])];
            assert_eq!(legal(call, with, operands).events(), [], "{call:?}");
        }
    }
}

/// MGATHERL1-GAP-01, -02, -08, -09: undefined padding of a row is zero; a scratch is the image
/// of the tile, with what it held before where nothing zeroes it, and keeps its end.
#[test]
fn padding_and_scratch_of_gathers_to_l1() {
    const STALE: u16 = 0x7777;
    let ran = |call, readings| {
        let before = memory([
            (Role::Destination, bytes([0x5555_u16; 512])),
            (Role::Table, bytes(8..264_u16)),
            (Role::Index, bytes([0; 25])),
            (Role::Scratch, bytes([STALE; 600])),
        ]);
        legal_on(Call::MgatherL1(call), readings, before)
    };
    let call = mgather_l1(Row, mat(Half, [16, 32], [10, 20]), nd(Half, 8, 32));
    let readings = reading(|r| r.l1_row_padding = L1RowPadding::Undefined);
    let tile: Vec<u16> = ran(call, readings).dst();
    // (0, 19), (0, 20) and (10, 0).
    assert_eq!([tile[259], tile[260], tile[160]], [27, 0, 0x5555]);
    for (zero, oob, padding) in [
        (L1ScratchZero::Always, GatherOob::Clamp, 0),
        (L1ScratchZero::ZeroOnly, GatherOob::Clamp, STALE),
        (L1ScratchZero::ZeroOnly, GatherOob::Undefined, STALE),
        (L1ScratchZero::ZeroOnly, GatherOob::Zero, 0),
    ] {
        let readings = reading(|r| r.l1_scratch_zero = zero);
        let call = mgather_l1(Elem, mat(Half, [16, 32], [5, 5]), line(Half, 4));
        let call = call.with(|c| (c.oob, c.scratch) = (oob, Some(line(Half, 600))));
        let ran = ran(call, readings);
        let (tile, scratch) = (ran.dst::<u16>(), ran.read::<u16>(Role::Scratch));
        // (4, 4), (4, 5) and (5, 0).
        assert_eq!([tile[68], tile[69], tile[80]], [8, padding, padding]);
        let got = (&scratch[..512], &scratch[512..]);
        assert_eq!(got, (&tile[..], &[STALE; 88][..]));
    }
}

/// MGATHER-GAP-03: an empty table gives nothing but Zero's zeros.
#[test]
fn empty_tables() {
    let one = tile(Int32, [1, 8], [1, 1]);
    for oob in [
        GatherOob::Undefined,
        GatherOob::Clamp,
        GatherOob::Wrap,
        GatherOob::Zero,
    ] {
        for mode in [Row, Elem] {
            let mut call = mgather(mode, one, nd(Int32, 0, 1), one);
            (call.oob, call.table.shape[3]) = (oob, Dim::Dynamic(0));
            for index in [0, -1] {
                let signed = reading(|r| r.negative_index = NegativeIndex::Signed);
                let operands = [vec![], bytes([9; 8]), bytes([index; 8])];
                let got: Vec<i32> = legal(Call::Mgather(call), signed, operands).dst();
                let want = if oob == GatherOob::Zero { 0 } else { 9 };
                assert_eq!(got, [want, 9, 9, 9, 9, 9, 9, 9], "{oob} {mode}");
            }
        }
    }
}
