//! TSCATTER by index, which names a slot or a row, and by mask.

use ptodiff_isa::{
    BLayout, Call, DType, Dim, End, MaskAxis, MaskPadding, MaskPattern, NegativeIndex, Readings,
    Role, ScatterExtent, ScatterIndex, ScatterRange, Scope, Space, Tile, TscatterIndex,
    TscatterMask, Unaddressed,
};
use strum::VariantArray;

use crate::common::{
    GUARD, GUARD_BYTE, Number, Ran, With, bytes, count, dynamic, image, legal_on, load, memory,
    outside, reading, run_on, store, tile,
};

use DType::{Half, Int8, Int16, Int32, Uint16, Uint32};

fn by_row() -> Readings {
    reading(|r| r.tscatter_index = ScatterIndex::Row)
}

fn column_major(tile: Tile) -> Tile {
    tile.with(|c| c.blayout = BLayout::ColMajor)
}

/// Tiles of words, those of source and index alike.
fn words(dst: [u64; 2], from: Tile) -> [Tile; 3] {
    [tile(Int32, dst, dst), from, from]
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

/// The same of other types, and where it may leave the destination.
fn ran<T: Number, I: Number>(readings: Readings, tiles: [Tile; 3], src: &[T], idx: &[I]) -> Ran {
    let bytes_of = |tile: &Tile| (tile.rows * tile.cols) as usize * tile.dtype.size();
    let before = memory([
        (Role::Destination, vec![9; bytes_of(&tiles[0])]),
        (Role::Source, bytes(image(&tiles[1], src, T::default()))),
        (Role::Index, bytes(image(&tiles[2], idx, I::default()))),
    ]);
    let ran = run_on(call(tiles), readings, before);
    assert_eq!(ran.outcome, Ok(End::Finished));
    ran
}

/// TSCATTER-SEM-01, -02, TSCATTER-GAP-22 (their witnesses).
#[test]
fn an_index_names_a_slot_or_a_row() {
    let tiles = words([2, 8], tile(Int32, [2, 8], [1, 8]));
    let flat = scattered(Readings::default(), tiles, &[15, 14, 13, 12, 11, 10, 9, 8]);
    assert_eq!(flat, [[-1; 8], [8, 7, 6, 5, 4, 3, 2, 1]].concat());
    let rows = scattered(by_row(), tiles, &[1; 8]);
    assert_eq!(rows, [[-1; 8], [1, 2, 3, 4, 5, 6, 7, 8]].concat());
    let tiles = words([4, 3], tile(Int32, [2, 8], [2, 3]));
    let rows = scattered(by_row(), tiles, &[3, 0, 2, 1, 3, 0]);
    assert_eq!(rows, [-1, 2, 6, 4, -1, -1, -1, -1, 3, 1, 5, -1]);
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

/// TSCATTER-SEM-04, TSCATTER-GAP-07: storage order of the destination, whatever
/// its layout; source and index through their own. By row the destination's counts:
/// eight rows high, (r, c) is element 8c + r.
#[test]
fn layouts() {
    let by_rows = tile(Int32, [2, 4], [2, 2]);
    let tiles = [
        tile(Int32, [2, 4], [2, 4]),
        by_rows,
        tile(Int32, [4, 2], [2, 2]),
    ];
    for tiles in [tiles, tiles.map(column_major)] {
        let got = scattered(Readings::default(), tiles, &[6, 1, 4, 3]);
        assert_eq!(got, [-1, 2, -1, 4, 3, -1, 1, -1]);
    }
    let one_column = column_major(tile(Int32, [8, 2], [3, 1]));
    let got = scattered(Readings::default(), words([1, 8], one_column), &[2, 0, 5]);
    assert_eq!(got, [2, -1, 1, -1, -1, 3, -1, -1]);
    let mut tiles = words([8, 2], tile(Int32, [1, 2], [1, 2]));
    tiles[0] = column_major(tiles[0]);
    let got = scattered(by_row(), tiles, &[5, 3]);
    assert_eq!((got[5], got[11], got.iter().sum::<i32>()), (1, 2, 3 - 14));
}

/// TSCATTER-CONF-02: increasing (r, c), the last one stays; by row, of one column.
/// TSCATTER-DTYPE-07: bytes go by 16-bit indices.
#[test]
fn the_last_writer_stays() {
    let (src, idx) = (tile(Int8, [2, 32], [2, 2]), tile(Uint16, [2, 16], [2, 2]));
    let tiles = [tile(Int8, [1, 32], [1, 32]), src, idx];
    let left = ran(
        Readings::default(),
        tiles,
        &[1_u8, 2, 3, 4],
        &[5_u16, 5, 6, 5],
    );
    assert_eq!(left.dst::<u8>()[4..8], [9, 4, 3, 9]);
    let tiles = [tile(Int8, [2, 16], [2, 16]), src, idx];
    let left = ran(by_row(), tiles, &[1_u8, 2, 3, 4], &[1_u16, 0, 1, 1]);
    let got = left.dst::<u8>();
    assert_eq!((got[16], got[1], got[17], got[0]), (3, 2, 4, 9));
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

/// TSCATTER-OOB-01 and TSCATTER-GAP-06: int16_t -1 is slot 65535, or the slot before the
/// first; by row the same of rows.
#[test]
fn negative_indices() {
    let half = |dtype| tile(dtype, [1, 16], [1, 1]);
    let small = [tile(Half, [1, 16], [1, 16]), half(Half), half(Int16)];
    let of = |base: Readings, negative_index, tiles| {
        let readings = base.with(|c| c.negative_index = negative_index);
        ran(readings, tiles, &[0x1234_u16], &[-1_i16])
    };
    for (base, far, before) in [
        (Readings::default(), 131_070, -2),
        (by_row(), 2_097_120, -32),
    ] {
        let left = of(base, NegativeIndex::Unsigned, small);
        let got = left.oob_accesses();
        assert_eq!(got, [outside(Role::Destination, far, 2, true)]);
        for negative in [NegativeIndex::Signed, NegativeIndex::Intended] {
            let left = of(base, negative, small);
            let got = left.oob_accesses();
            assert_eq!(got, [outside(Role::Destination, before, 2, true)]);
            let (front, back) = left.guards(Role::Destination);
            let at = (GUARD as i64 + before) as usize;
            assert_eq!(front[at..at + 2], [0x34, 0x12]);
            assert!(back.iter().all(|b| *b == GUARD_BYTE));
        }
    }
    // 32 bits: 4294967295 rows of 32 bytes.
    let word = tile(Int32, [1, 1], [1, 1]);
    let left = ran(by_row(), words([2, 8], word), &[1], &[-1]);
    let far = outside(Role::Destination, 137_438_953_440, 4, true);
    assert_eq!(left.oob_accesses(), [far]);
    let unsigned = [
        tile(Int32, [1, 8], [1, 8]),
        word,
        tile(Uint32, [1, 1], [1, 1]),
    ];
    let signed = reading(|r| r.negative_index = NegativeIndex::Signed);
    let far = outside(Role::Destination, 4 * 4_294_967_295, 4, true);
    assert_eq!(ran(signed, unsigned, &[1], &[-1]).oob_accesses(), [far]);
}

/// No bounds are checked, whatever the range: of two rows, one of them valid, row 1 is
/// written and row 2 begins where the storage ends. A column beyond the destination is the
/// slot that many on from the row's first: of rows of eight, column 9 of row 0 is slot 9.
#[test]
fn rows_and_columns_out_of_range() {
    let src = tile(Int32, [1, 10], [1, 10]);
    let tiles = [tile(Int32, [2, 8], [1, 4]), src, src];
    for tscatter_range in [ScatterRange::Storage, ScatterRange::Valid] {
        let readings = by_row().with(|c| c.tscatter_range = tscatter_range);
        let after = |row| ran(readings, tiles, &count(1, 10), &[row; 10]);
        let write = |offset| outside(Role::Destination, offset, 4, true);
        let left = after(0);
        let got = (&left.dst::<i32>()[..10], left.oob_accesses());
        assert_eq!(got, (&count(1, 10)[..], &[][..]));
        let left = after(1);
        assert_eq!(left.dst::<i32>()[8..], count(1, 8));
        assert_eq!(left.oob_accesses(), [write(64), write(68)]);
        let left = after(2);
        assert_eq!(left.oob_accesses()[..2], [write(64), write(68)]);
        let (_, back) = left.guards(Role::Destination);
        assert_eq!(back[..40], bytes(count(1, 10)));
    }
}

/// The accesses of an element, and TSCATTER-GAP-21: no extent, no work.
#[test]
fn trace_and_empty_extents() {
    let load = |role, offset| load(Space::Ub, role, offset, 4);
    let store = |offset| store(Space::Ub, Role::Destination, offset, 4);
    let two = tile(Int32, [1, 8], [1, 2]);
    for (readings, first) in [(Readings::default(), 4), (by_row(), 32)] {
        let left = ran(readings, words([2, 8], two), &[5, 6], &[1, 0]);
        let second = if first == 4 { 0 } else { 4 };
        let want = [
            load(Role::Index, 0),
            load(Role::Source, 0),
            store(first),
            load(Role::Index, 4),
            load(Role::Source, 4),
            store(second),
        ];
        assert_eq!(left.events(), want);
        let mut none = dynamic(two);
        none.valid_row = Dim::Dynamic(0);
        let left = ran::<i32, i32>(readings, words([2, 8], none), &[], &[]);
        assert_eq!((left.dst::<u8>(), left.events()), (vec![9; 64], &[][..]));
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

/// TSCATTER-MASK-11: everything outside the valid region is zero; TSCATTER-GAP-15: each
/// tile through its own layout, columns 16 and two rows high.
#[test]
fn the_allocation_is_zeroed() {
    let src = column_major(tile(Half, [16, 16], [2, 16]));
    let call = mask(MaskPattern::P1010, tile(Half, [4, 64], [2, 32]), src);
    let values: Vec<u16> = (1..33).collect();
    let got = masked(call, MaskPadding::Zero, &values);
    for (at, found) in got.into_iter().enumerate() {
        let (r, c) = (at / 64, at % 64);
        let written = r < 2 && c < 32 && c % 2 == 1;
        let want = if written { 16 * r + c / 2 + 1 } else { 0 };
        assert_eq!(usize::from(found), want, "({r}, {c})");
    }
    let dst = column_major(tile(Int8, [2, 16], [2, 3]));
    let call = mask(MaskPattern::P1111, dst, tile(Int8, [2, 32], [2, 3]));
    let got = masked(call, MaskPadding::Zero, &[1_u8, 2, 3, 4, 5, 6]);
    assert_eq!(
        (&got[..6], &got[6..]),
        (&[1, 4, 2, 5, 3, 6][..], &[0; 26][..])
    );
    // One byte of padding stands between two rows.
    let rows = tile(Int8, [2, 32], [2, 31]);
    let values: Vec<u8> = (1..63).collect();
    let call = mask(MaskPattern::P1111, rows, rows);
    assert_eq!(
        masked(call, MaskPadding::Zero, &values),
        image(&rows, &values, 0)
    );
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
