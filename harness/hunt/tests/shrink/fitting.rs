//! Operands that have to fit each other get smaller together: what no change
//! of a single extent, type or layout could do.

use ptodiff_case::{Case, Fill, Form, IndexPattern, case_yaml};
use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, Layout, MaskAxis, MaskPattern, OffsetGranularity, Operand,
    Role, SLayout, Tgatherb, Tile, TscatterIndex, TscatterMask,
};

use crate::build::{
    case, l1, l1_tile, mgather, mscatter, nz_tile, packed, part, table, tile, words,
};
use crate::watch::{SEED, capacity, indices, random, repeats, shrunk};

/// Whether a tile is aligned as the documents ask for.
fn is_aligned(tile: &Tile) -> bool {
    let bytes = |extent: u64| extent * tile.dtype.size() as u64;
    match (tile.slayout, tile.blayout) {
        (SLayout::NoneBox, BLayout::RowMajor) => bytes(tile.cols).is_multiple_of(32),
        (SLayout::NoneBox, BLayout::ColMajor) => bytes(tile.rows).is_multiple_of(32),
        _ => bytes(tile.cols).is_multiple_of(32) && tile.rows.is_multiple_of(16),
    }
}

/// Whether all operands with data have one type and the tiles are aligned.
fn is_regular(case: &Case) -> bool {
    let dtype = case.call.data_tile().dtype;
    case.call.operands().into_iter().all(|(role, operand)| {
        let same = role == Role::Index || operand.dtype() == dtype;
        same && operand.tile().is_none_or(is_aligned)
    })
}

fn valid(tile: &Tile) -> [u64; 2] {
    [tile.valid_row.get(), tile.valid_col.get()]
}

/// Row mode: a table as wide as the tile and packed, an index for every row.
fn is_by_row(case: &Case, tile: &Tile, idx: [u64; 2]) -> bool {
    let table = case.call.table().expect("it has a table");
    let [rows, cols] = valid(tile);
    let [.., step, _] = table.stride.map(Dim::get);
    table.shape[4].get() == cols && step == cols && idx == [1, rows]
}

fn shrinks_to(case: &Case, holds: impl Fn(&Case) -> bool, call: Call) -> Case {
    let result = shrunk(case, holds);
    assert!(result.call == call, "{}", case_yaml(&result));
    result
}

/// Elem becomes Row with the indices in a row and a table as wide as the tile,
/// though at least two columns and three rows have to stay.
#[test]
fn elem_becomes_row() {
    let mut call = mgather(
        part(DType::Float, [4, 8], [4, 5]),
        table(DType::Float, 9, 7),
        part(DType::Int32, [4, 8], [4, 5]),
    );
    call.mode = Coalesce::Elem;
    let fits = |case: &Case| {
        let Call::Mgather(c) = &case.call else {
            return false;
        };
        let [rows, cols] = valid(&c.dst);
        let fits = match c.mode {
            Coalesce::Elem => valid(&c.idx) == [rows, cols],
            Coalesce::Row => is_by_row(case, &c.dst, valid(&c.idx)),
        };
        fits && rows > 2 && is_regular(case)
    };
    let holds = |case: &Case| fits(case) && valid(case.call.data_tile())[1] > 1;
    let least = mgather(
        part(DType::Int32, [3, 8], [3, 2]),
        table(DType::Int32, 1, 2),
        part(DType::Int32, [1, 8], [1, 3]),
    );
    let mut start = case(Call::Mgather(call));
    shrinks_to(&start, holds, Call::Mgather(least));
    // Where each row has one index it keeps it.
    let Call::Mgather(call) = &mut start.call else {
        unreachable!("it is a gather");
    };
    (call.dst.valid_col, call.idx.valid_col) = (Dim::Static(1), Dim::Static(1));
    start.data.index = IndexPattern::Literal(words(&[5, 6, 7, 8]));
    let rises = |case: &Case| fits(case) && indices(case).starts_with(&[5, 6, 7]);
    let least = mgather(
        part(DType::Int32, [3, 8], [3, 1]),
        table(DType::Int32, 1, 1),
        part(DType::Int32, [1, 8], [1, 3]),
    );
    shrinks_to(&start, rises, Call::Mgather(least));
}

/// The same to L1, where the scratch goes with Elem mode.
#[test]
fn elem_to_l1_becomes_row() {
    let call = l1(
        l1_tile(DType::Half, [16, 32], [9, 20]),
        table(DType::Half, 9, 20),
        table(DType::Int32, 9, 20),
        Coalesce::Elem,
    );
    let holds = |case: &Case| {
        let Call::MgatherL1(c) = &case.call else {
            return false;
        };
        let [rows, cols] = valid(&c.dst);
        let [.., r, k] = c.idx.shape.map(Dim::get);
        let fits = match (c.mode, c.scratch) {
            (Coalesce::Elem, Some(scratch)) => {
                let needed = c.dst.rows * c.dst.cols;
                [r, k] == [rows, cols] && scratch.shape[4].get() == needed
            }
            (Coalesce::Row, None) => is_by_row(case, &c.dst, [r, k]),
            _ => false,
        };
        fits && rows > 1 && is_regular(case)
    };
    let least = l1(
        l1_tile(DType::Int32, [16, 8], [2, 1]),
        table(DType::Int32, 1, 1),
        table(DType::Int32, 1, 2),
        Coalesce::Row,
    );
    shrinks_to(&case(Call::MgatherL1(call)), holds, Call::MgatherL1(least));
    // Where Elem stays, so does a scratch of the size of the tile.
    let elem = |case: &Case| holds(case) && case.call.mode() == Some(Coalesce::Elem);
    let least = l1(
        l1_tile(DType::Int32, [16, 8], [2, 1]),
        table(DType::Int32, 1, 1),
        table(DType::Int32, 2, 1),
        Coalesce::Elem,
    );
    shrinks_to(&case(Call::MgatherL1(call)), elem, Call::MgatherL1(least));
}

fn nz_start() -> Case {
    case(Call::Mscatter(mscatter(
        packed(DType::Half, [1, 3, 2, 16, 16], Layout::NZ),
        nz_tile(DType::Half, [32, 48], [20, 40]),
        part(DType::Int32, [1, 24], [1, 20]),
    )))
}

/// An NZ table and its boxed tile become plain at once.
#[test]
fn nz_becomes_nd_with_its_tile() {
    let holds = |case: &Case| {
        let Call::Mscatter(c) = &case.call else {
            return false;
        };
        let nz = c.table.layout == Layout::NZ;
        nz == (c.src.slayout != SLayout::NoneBox) && is_regular(case)
    };
    let aligned = part(DType::Int32, [1, 8], [1, 1]);
    let least = mscatter(table(DType::Int32, 1, 1), aligned, aligned);
    shrinks_to(&nz_start(), holds, Call::Mscatter(least));
}

/// Blocks of an NZ table go with those of the tile, and get narrower with a
/// wider type.
#[test]
fn blocks_of_nz_stay_whole() {
    let holds = |case: &Case| {
        let Call::Mscatter(c) = &case.call else {
            return false;
        };
        let [s0, s1, _, s3, s4] = c.table.shape.map(Dim::get);
        let block = s3 == 16 && s4 * c.table.dtype.size() as u64 == 32;
        let nz = c.table.layout == Layout::NZ && c.src.slayout == SLayout::RowMajor;
        let [rows, _] = valid(&c.src);
        nz && block && c.src.cols == s0 * s1 * s4 && valid(&c.idx) == [1, rows] && is_regular(case)
    };
    let least = mscatter(
        packed(DType::Int32, [1, 1, 1, 16, 8], Layout::NZ),
        nz_tile(DType::Int32, [16, 8], [1, 1]),
        part(DType::Int32, [1, 8], [1, 1]),
    );
    let result = shrunk(&nz_start(), holds);
    let Call::Mscatter(call) = &result.call else {
        panic!("it stays a scatter");
    };
    // By columns is how NZ has its boxes, but nothing here asks for it.
    let src = Tile {
        blayout: BLayout::RowMajor,
        ..least.src
    };
    assert_eq!(*call, ptodiff_isa::Mscatter { src, ..least });
}

/// The destination of a mask is as much larger as the mask says.
#[test]
fn a_mask_and_its_destination() {
    let start = case(Call::TscatterMask(TscatterMask {
        dst: part(DType::Half, [7, 192], [5, 136]),
        src: part(DType::Half, [7, 48], [5, 34]),
        pattern: MaskPattern::P0010,
        axis: MaskAxis::Row,
    }));
    let holds = |case: &Case| {
        let Call::TscatterMask(c) = &case.call else {
            return false;
        };
        let lanes = match c.pattern {
            MaskPattern::P1111 => 1,
            MaskPattern::P0101 | MaskPattern::P1010 => 2,
            _ => 4,
        };
        let [rows, cols] = valid(&c.src);
        valid(&c.dst) == [rows, lanes * cols] && is_regular(case)
    };
    let aligned = part(DType::Int32, [1, 8], [1, 1]);
    let least = TscatterMask {
        dst: aligned,
        src: aligned,
        pattern: MaskPattern::P1111,
        axis: MaskAxis::Row,
    };
    shrinks_to(&start, holds, Call::TscatterMask(least));
    let expands = |case: &Case| match &case.call {
        Call::TscatterMask(c) => c.pattern != MaskPattern::P1111 && holds(case),
        _ => false,
    };
    let least = TscatterMask {
        dst: part(DType::Int32, [1, 8], [1, 2]),
        pattern: MaskPattern::P0101,
        ..least
    };
    shrinks_to(&start, expands, Call::TscatterMask(least));
}

/// TSCATTER of one tile for all.
fn three(like: Tile) -> Call {
    let [dst, src, idx] = [like; 3];
    Call::TscatterIndex(TscatterIndex { dst, src, idx })
}

/// Source, indices and destination of TSCATTER, full tiles all of them.
#[test]
fn three_full_tiles() {
    let full = |dtype| tile(dtype, [6, 48]);
    let start = case(Call::TscatterIndex(TscatterIndex {
        dst: full(DType::Int16),
        src: full(DType::Int16),
        idx: full(DType::Uint16),
    }));
    let holds = |case: &Case| {
        let Call::TscatterIndex(c) = &case.call else {
            return false;
        };
        let tiles = [c.dst, c.src, c.idx];
        let full = tiles
            .iter()
            .all(|tile| valid(tile) == [tile.rows, tile.cols]);
        full && valid(&c.src) == valid(&c.idx) && is_regular(case)
    };
    shrinks_to(&start, holds, three(tile(DType::Int32, [1, 8])));
}

/// What is padded as far as alignment asks stays so, and a full tile stays full whatever
/// it asks for.
#[test]
fn padding_goes_with_what_is_valid() {
    let aligned = |tile: &Tile| tile.cols == tile.valid_col.get().next_multiple_of(16);
    let full = |tile: &Tile| tile.cols == tile.valid_col.get();
    for (is, cols) in [(aligned as fn(&Tile) -> bool, 48), (full, 37)] {
        let like = |dtype| part(dtype, [6, cols], [6, 37]);
        let start = case(Call::TscatterIndex(TscatterIndex {
            dst: like(DType::Int16),
            src: like(DType::Int16),
            idx: like(DType::Uint16),
        }));
        let holds = |case: &Case| {
            let operands = case.call.operands();
            let mut tiles = operands.iter().filter_map(|(_, operand)| operand.tile());
            tiles.all(|tile| tile.dtype.size() == 2 && is(tile))
        };
        let result = shrunk(&start, holds);
        for (_, operand) in result.call.operands() {
            assert_eq!(operand.tile().map(valid), Some([1, 1]));
        }
    }
}

/// Tiles of one size get smaller together.
#[test]
fn padding_goes_from_all_tiles_together() {
    let like = part(DType::Int32, [6, 24], [1, 1]);
    let start = case(three(like));
    let holds = |case: &Case| {
        let operands = case.call.operands();
        let tiles = operands.iter().filter_map(|(_, operand)| operand.tile());
        let sizes: Vec<[u64; 2]> = tiles.map(|tile| [tile.rows, tile.cols]).collect();
        sizes.windows(2).all(|two| two[0] == two[1])
    };
    shrinks_to(&start, holds, three(tile(DType::Int32, [1, 1])));
}

/// The last element stays the last one while its type gets wider.
#[test]
fn offsets_go_with_the_size_of_elements() {
    let mut start = case(Call::Tgatherb(Tgatherb {
        dst: tile(DType::Half, [4, 16]),
        src: tile(DType::Half, [1, 64]),
        offset: tile(DType::Uint32, [4, 16]),
    }));
    start.data.index = IndexPattern::Literal(words(&[126; 64]));
    let holds = |case: &Case| {
        let Call::Tgatherb(c) = &case.call else {
            return false;
        };
        let last = 63 * c.src.dtype.size() as i64;
        c.src.rows * c.src.cols == 64 && indices(case).contains(&last)
    };
    let result = shrunk(&start, holds);
    assert_eq!(result.call.data_tile().dtype, DType::Int32);
    assert_eq!(indices(&result), [252]);
}

/// One offset serves the elements of 32 bytes.
#[test]
fn offsets_and_the_blocks_that_they_serve() {
    let mut start = case(Call::Tgatherb(Tgatherb {
        dst: part(DType::Int8, [3, 96], [3, 96]),
        src: tile(DType::Int8, [2, 64]),
        offset: part(DType::Uint32, [3, 8], [3, 3]),
    }));
    start.readings.set("tgatherb-granularity", "block").unwrap();
    let holds = |case: &Case| {
        let Call::Tgatherb(c) = &case.call else {
            return false;
        };
        let [rows, cols] = valid(&c.dst);
        let bytes = cols * c.dst.dtype.size() as u64;
        let block = case.data_readings().tgatherb_granularity == OffsetGranularity::Block;
        block
            && valid(&c.offset) == [rows, bytes / 32]
            && bytes.is_multiple_of(32)
            && is_regular(case)
    };
    let least = Tgatherb {
        dst: tile(DType::Int32, [1, 8]),
        src: part(DType::Int32, [1, 8], [1, 1]),
        offset: part(DType::Uint32, [1, 8], [1, 1]),
    };
    shrinks_to(&start, holds, Call::Tgatherb(least));
}

/// Two lanes with one index: just those two are left, in slot 0.
#[test]
fn two_lanes_that_meet() {
    let forms = [
        Form::Mscatter,
        Form::Mgather,
        Form::MgatherL1,
        Form::TscatterIndex,
    ];
    let lanes = |case: &Case| match (case.call.mode(), case.call.operand(Role::Index)) {
        (Some(Coalesce::Row), Some(Operand::Tile(idx))) => {
            valid(idx) == [1, valid(case.call.data_tile())[0]]
        }
        (_, Some(Operand::Tile(idx))) => valid(idx) == valid(case.call.data_tile()),
        (mode, Some(Operand::Tensor(idx))) => {
            let [rows, cols] = valid(case.call.data_tile());
            let [.., r, k] = idx.shape.map(Dim::get);
            let of_mode = match mode {
                Some(Coalesce::Row) => [1, rows],
                _ => [rows, cols],
            };
            [r, k] == of_mode && idx.shape[..3].iter().all(|dim| dim.get() == 1)
        }
        (_, None) => false,
    };
    let holds = |case: &Case| lanes(case) && repeats(case);
    let mut seen = 0;
    for case in random(&forms, 8).filter(holds) {
        let result = shrunk(&case, holds);
        let first = indices(&result);
        assert_eq!(first, [0, 0], "{}", case_yaml(&result));
        let tile = result.call.data_tile();
        // Of one call, or of one lane each of two.
        let lanes = valid(tile).iter().product::<u64>() * u64::from(result.chunks);
        assert_eq!(lanes, 2, "{}", case_yaml(&result));
        assert_eq!((tile.rows, tile.cols), (valid(tile)[0], valid(tile)[1]));
        seen += 1;
    }
    assert!(seen > 15, "{seen}");
}

/// An index that is the number of slots stays it while the table gets smaller.
#[test]
fn an_index_at_the_end_of_the_slots() {
    let mut start = case(Call::Mscatter(mscatter(
        table(DType::Float, 37, 8),
        part(DType::Float, [3, 8], [3, 8]),
        part(DType::Int32, [1, 8], [1, 3]),
    )));
    start.data.index = IndexPattern::Literal(words(&[36, 37, 38]));
    let holds = |case: &Case| {
        let end = capacity(&case.call) as i64;
        [end - 1, end, end + 1]
            .iter()
            .all(|edge| indices(case).contains(edge))
            && end > 1
    };
    let result = shrunk(&start, holds);
    assert_eq!(indices(&result), [1, 2, 3]);
    assert_eq!(capacity(&result.call), 2);
}

/// The element that counts is kept wherever it stands: in the middle of the
/// tile and in the middle chunk.
#[test]
fn a_value_in_the_middle() {
    let mut start = case(Call::Mscatter(mscatter(
        table(DType::Int32, 5, 8),
        part(DType::Int32, [4, 8], [4, 6]),
        part(DType::Int32, [1, 8], [1, 4]),
    )));
    start.chunks = 3;
    let mut values: Vec<u32> = (100..172).collect();
    values[24 + 6 + 4] = 0xDEAD_BEEF;
    start.data.source = Fill::Literal(words(&values));
    let holds = |case: &Case| {
        matches!(&case.data.source, Fill::Literal(bytes)
            if bytes.chunks(4).any(|word| word == 0xDEAD_BEEF_u32.to_le_bytes()))
    };
    let result = shrunk(&start, holds);
    assert_eq!(result.chunks, 1);
    assert_eq!(result.data.source, Fill::Literal(words(&[0xDEAD_BEEF])));
    assert_eq!(SEED, 3, "the data above does not depend on it");
}
