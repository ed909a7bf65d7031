//! TSCATTER by index, which names a slot or a row, and by mask; TGATHERB by element and by
//! block.

use ptodiff_isa::{
    Call, DType, MaskAxis, MaskPadding, MaskPattern, OffsetGranularity, Readings, Role,
    ScatterExtent, ScatterIndex, Scope, Space, Tgatherb, Tile, TscatterIndex, TscatterMask,
    Unaddressed, UnalignedOffset,
};
use strum::VariantArray;

use crate::common::{
    Number, Ran, With, bytes, count, dynamic, image, legal_on, load, memory, reading, run_on,
    store, tile,
};

use DType::{Half, Int32, Uint16, Uint32};

fn by_row() -> Readings {
    reading(|r| r.tscatter_index = ScatterIndex::Row)
}

fn call([dst, src, idx]: [Tile; 3]) -> Call {
    Call::TscatterIndex(TscatterIndex { dst, src, idx })
}

/// Scatters 1, 2, 3, ... into words of -1, which it must not leave; decoys around them.
fn scattered(readings: Readings, tiles: [Tile; 3], indices: &[i32]) -> Vec<i32> {
    let [dst, src, idx] = tiles;
    let values = count(1, indices.len() as i32);
    let before = memory([
        (
            Role::Destination,
            bytes(vec![-1; (dst.rows * dst.cols) as usize]),
        ),
        (Role::Source, bytes(image(&src, &values, 55))),
        (Role::Index, bytes(image(&idx, indices, 7))),
    ]);
    legal_on(call(tiles), readings, before).dst()
}

/// TSCATTER-GAP-03: two valid columns of the source, three of the index. TSCATTER-SHAPE-01
/// does not see extents given at run time: of rows of 16 in tiles of four columns, the
/// second one begins at the fifth element.
#[test]
fn the_source_or_the_index_tile_says_how_much() {
    let (src, idx) = (tile(Int32, [1, 8], [1, 2]), tile(Int32, [1, 8], [1, 3]));
    let tiles = [tile(Int32, [1, 8], [1, 8]), src, idx];
    for (extent, third) in [(ScatterExtent::Source, -1), (ScatterExtent::Index, 55)] {
        let readings = reading(|r| r.tscatter_extent = extent);
        let before = memory([
            (Role::Destination, bytes([-1; 8])),
            (Role::Source, bytes(image(&src, &[1, 2], 55))),
            (Role::Index, bytes(image(&idx, &[4, 5, 6], 7))),
        ]);
        let got = legal_on(call(tiles), readings, before).dst::<i32>();
        assert_eq!(got, [-1, -1, -1, -1, 1, 2, third, -1]);
    }
    let long = |dtype| dynamic(tile(dtype, [8, 4], [2, 16]));
    let tiles = [tile(Half, [2, 16], [2, 16]), long(Half), long(Uint16)];
    let before = memory([
        (Role::Destination, bytes([99_u16; 32])),
        (Role::Source, bytes(1000..1032_u16)),
        (Role::Index, bytes(0..32_u16)),
    ]);
    let got = legal_on(call(tiles), Readings::default(), before).dst::<u16>();
    assert!(got[..20].iter().copied().eq(1000..1020));
    assert_eq!(got[20..], [99; 12]);
}

/// TSCATTER-GAP-02, padding included.
#[test]
fn slots_that_nothing_addresses() {
    let one = tile(Int32, [1, 8], [1, 1]);
    let tiles = [tile(Int32, [2, 8], [1, 4]), one, one];
    for &choice in Unaddressed::VARIANTS {
        let rest = if choice == Unaddressed::Zero { 0 } else { -1 };
        for (index, slot, base) in [(2, 2, Readings::default()), (1, 8, by_row())] {
            let readings = base.with(|c| c.tscatter_unaddressed = choice);
            let mut want = [rest; 16];
            want[slot] = 1;
            assert_eq!(scattered(readings, tiles, &[index]), want, "{choice}");
        }
    }
}

/// Masked TSCATTER exists here only where the suites drive it (TSCATTER-GAP-09).
fn suite(mask_p1111_padding: MaskPadding) -> Readings {
    Readings::default()
        .with(|c| (c.scope, c.mask_p1111_padding) = (Scope::AsTheSuite, mask_p1111_padding))
}

fn mask(pattern: MaskPattern, dst: Tile, src: Tile) -> TscatterMask {
    TscatterMask {
        dst,
        src,
        pattern,
        axis: MaskAxis::Row,
    }
}

/// The destination, which held 0x55 in every byte.
fn masked<T: Number>(call: TscatterMask, padding: MaskPadding, src: &[T]) -> Vec<T> {
    let size = (call.dst.rows * call.dst.cols) as usize * call.dst.dtype.size();
    let source = bytes(image(&call.src, src, T::default()));
    let before = memory([
        (Role::Destination, vec![0x55; size]),
        (Role::Source, source),
    ]);
    legal_on(Call::TscatterMask(call), suite(padding), before).dst()
}

/// TSCATTER-MASK-02 to -09 (their witnesses: source 1, 2).
#[test]
fn patterns() {
    use MaskPattern::{P0001, P0010, P0100, P0101, P1000, P1010, P1111};
    for (pattern, want) in [
        (P1111, &[1, 2][..]),
        (P0101, &[1, 0, 2, 0]),
        (P1010, &[0, 1, 0, 2]),
        (P0001, &[1, 0, 0, 0, 2, 0, 0, 0]),
        (P0010, &[0, 1, 0, 0, 0, 2, 0, 0]),
        (P0100, &[0, 0, 1, 0, 0, 0, 2, 0]),
        (P1000, &[0, 0, 0, 1, 0, 0, 0, 2]),
    ] {
        let dst = tile(Half, [1, 16], [1, want.len() as u64]);
        let call = mask(pattern, dst, tile(Half, [1, 16], [1, 2]));
        let mut all = want.to_vec();
        all.resize(16, 0);
        assert_eq!(
            masked(call, MaskPadding::Zero, &[1_u16, 2]),
            all,
            "{pattern}"
        );
    }
}

/// The reading of TSCATTER-GAP-13, which speaks of P1111 only.
#[test]
fn padding_after_p1111() {
    let (one, two) = (tile(Half, [1, 16], [1, 1]), tile(Half, [1, 16], [1, 2]));
    for (call, rest) in [
        (mask(MaskPattern::P1111, one, one), 0x5555),
        (mask(MaskPattern::P0101, two, one), 0),
    ] {
        let got = masked(call, MaskPadding::Kept, &[1_u16]);
        assert_eq!((got[0], &got[1..]), (1, &[rest; 15][..]));
    }
}

/// TSCATTER-MODE-02, TSCATTER-SHAPE-02: no kernel, no run.
#[test]
fn mask_forms_that_do_not_exist() {
    let half = tile(Half, [1, 16], [1, 1]);
    let row = mask(MaskPattern::P1111, half, half);
    let column = row.with(|c| c.axis = MaskAxis::Col);
    for (call, readings) in [
        (row, Readings::default()),
        (column, suite(MaskPadding::Zero)),
    ] {
        let before = memory([
            (Role::Destination, vec![9; 32]),
            (Role::Source, vec![1; 32]),
        ]);
        let ran = run_on(Call::TscatterMask(call), readings, before);
        assert!(ran.outcome.is_err());
        assert_eq!(ran.dst::<u8>(), [9; 32]);
    }
}

fn gather(call: Tgatherb, readings: Readings, [dst, src, offset]: [Vec<u8>; 3]) -> Ran {
    let before = memory([
        (Role::Destination, dst),
        (Role::Source, src),
        (Role::Index, offset),
    ]);
    legal_on(Call::Tgatherb(call), readings, before)
}

/// The reading of TGATHERB-GAP-01 (its witness): bytes 1 2 3 4, offset 1.
#[test]
fn unaligned_offsets() {
    let dst = tile(Uint16, [1, 16], [1, 1]);
    let offset = tile(Uint32, [1, 8], [1, 1]);
    let call = Tgatherb {
        dst,
        src: dst,
        offset,
    };
    for (unaligned, want) in [
        (UnalignedOffset::ByteExact, 0x0302),
        (UnalignedOffset::Undefined, 0x0302),
        (UnalignedOffset::RoundedDown, 0x0201),
    ] {
        let readings = reading(|r| r.tgatherb_unaligned = unaligned);
        let operands = [bytes([0_u16; 16]), bytes(1..33_u8), bytes([1_u32; 8])];
        assert_eq!(gather(call, readings, operands).dst::<u16>()[0], want);
    }
}

/// A block stops where the padded row does.
#[test]
fn a_block_at_the_end_of_a_row() {
    let dst = tile(Int32, [2, 4], [1, 4]);
    let src = tile(Int32, [1, 8], [1, 8]);
    let offset = tile(Uint32, [1, 8], [1, 1]);
    let call = Tgatherb { dst, src, offset };
    let readings = reading(|r| r.tgatherb_granularity = OffsetGranularity::Block);
    let operands = [bytes([-1_i32; 8]), bytes(0..8_i32), bytes([0_u32; 8])];
    let ran = gather(call, readings, operands);
    assert_eq!(ran.dst::<i32>(), [0, 1, 2, 3, -1, -1, -1, -1]);
    let read = |role, len| load(Space::Ub, role, 0, len);
    let write = store(Space::Ub, Role::Destination, 0, 16);
    assert_eq!(
        ran.events(),
        [read(Role::Index, 4), read(Role::Source, 32), write]
    );
}
