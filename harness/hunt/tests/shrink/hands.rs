//! Single passes on cases made by hand.

use ptodiff_case::{Case, DataPlan, Fill, Form, IndexPattern, Style, case_yaml, load};
use ptodiff_generate::MAX_LITERALS;
use ptodiff_hunt::shrink::{shrink, shrink_within};
use ptodiff_isa::{
    BLayout, Call, DType, Dim, Mscatter, Operand, Role, ScatterAtomicOp, Target, Tgatherb, Tile,
    UnalignedOffset,
};

use crate::build::{case, mgather, mscatter, named, part, simplest, table, tile, words};
use crate::watch::{SEED, TRIES, capacity, elements, indices, shrunk};

fn scatter(rows: u64, lanes: u64) -> Case {
    scatter_with(rows, lanes, |_| {})
}

fn scatter_with(rows: u64, lanes: u64, change: impl Fn(&mut Mscatter)) -> Case {
    let mut call = mscatter(
        table(DType::Int32, rows, 8),
        part(DType::Int32, [lanes, 8], [lanes, 8]),
        part(DType::Int32, [1, 8 * lanes], [1, lanes]),
    );
    change(&mut call);
    case(Call::Mscatter(call))
}

/// Everything that a file may say is expected of a case holds of that case only.
#[test]
fn nothing_is_expected_of_a_smaller_case() {
    let says: [fn(&Case) -> bool; 6] = [
        |case| !case.expect.is_empty(),
        |case| !case.covers.is_empty(),
        |case| case.gap.is_some(),
        |case| !case.holes.is_empty(),
        |case| !case.rejected.is_empty(),
        |case| !case.undefined.is_empty(),
    ];
    let folders = ["clauses", "gaps", "holes"]
        .map(|folder| format!("{}/../../cases/{folder}", env!("CARGO_MANIFEST_DIR")).into());
    let corpus = load(&folders);
    let corpus = corpus.unwrap_or_else(|error| panic!("{}", error.render(Style::Plain)));
    for is in says {
        let told = || corpus.cases.iter().filter(|case| is(case));
        assert!(told().next().is_some());
        for case in told().step_by(100) {
            let mut case = case.clone();
            // What stands for the file's stem when it is read back.
            case.id = format!("random/{}", case.name);
            let result = shrunk(&case, |_| true);
            assert!(says.iter().all(|is| !is(&result)), "{}", case_yaml(&result));
            assert_eq!(result.about, case.about);
        }
    }
}

/// Rejections that are expected of a target go with it, and alone where the
/// target stays.
#[test]
fn expected_rejections_go_one_by_one() {
    let mut start = scatter(8, 8);
    let clauses = [
        ptodiff_isa::Clause("MSCATTER-OOB-01"),
        ptodiff_isa::Clause("MSCATTER-OOB-02"),
    ];
    start.rejected = vec![
        (Target::Cpu, clauses[0]),
        (Target::A5, clauses[0]),
        (Target::A5, clauses[1]),
    ];
    start.hangs = vec![(Target::A2a3, clauses[1])];
    let holds = |case: &Case| case.rejected.contains(&(Target::A5, clauses[1]));
    let result = shrunk(&start, holds);
    assert_eq!(result.targets, [Target::A5]);
    assert_eq!(result.rejected, [(Target::A5, clauses[1])]);
    assert!(result.hangs.is_empty());
}

/// An atomic gives way to the simplest that keeps what is kept, not to the
/// default alone.
#[test]
fn policies_get_simpler_step_by_step() {
    let start = scatter_with(8, 8, |call| call.atomic = ScatterAtomicOp::Min);
    let atomic = |case: &Case| match &case.call {
        Call::Mscatter(call) => call.atomic,
        _ => unreachable!("it stays a scatter"),
    };
    let result = shrunk(&start, |case| atomic(case) != ScatterAtomicOp::None);
    assert_eq!(atomic(&result), ScatterAtomicOp::Add);
}

/// An extent that is empty though nothing asks for it gets an entry; where
/// something does, one dimension is left empty.
#[test]
fn empty_extents_are_filled() {
    let start = scatter_with(8, 8, |call| {
        call.src.valid_row = Dim::Dynamic(0);
        call.idx.valid_col = Dim::Dynamic(0);
        call.table.shape[1] = Dim::Dynamic(0);
    });
    let result = shrunk(&start, |_| true);
    let mut least = named(simplest(Form::Mscatter), &start);
    least.data.index = IndexPattern::Literal(words(&[0]));
    assert!(result == least, "{}", case_yaml(&result));
    let none = |case: &Case| {
        let tile = case.call.data_tile();
        tile.valid_row.get() * tile.valid_col.get() == 0
    };
    let result = shrunk(&start, none);
    let src = Tile {
        valid_row: Dim::Static(0),
        ..tile(DType::Int32, [1, 1])
    };
    assert_eq!(*result.call.data_tile(), src);
    assert_eq!(capacity(&result.call), 1);
    assert_eq!(indices(&result), [0]);
}

/// Indices that may be anything count from 0, and others sit at edges.
#[test]
fn indices_become_slots_and_edges() {
    let keeps = |least: usize, is: fn(i64) -> bool| {
        let mut start = scatter(12, 8);
        start.data.index = IndexPattern::Literal(words(&[
            11,
            3,
            3,
            7,
            1 << 31,
            u32::MAX - 4,
            0x7000_0000,
            300,
        ]));
        let result = shrunk(&start, |case| {
            let all = indices(case);
            all.len() >= least && all.into_iter().any(is)
        });
        indices(&result)
    };
    assert_eq!(keeps(1, |_| true), [0]);
    assert_eq!(keeps(4, |_| true), [0, 0, 0, 0], "there is one slot");
    assert_eq!(keeps(1, |index| index < 0), [-1]);
    assert_eq!(keeps(1, |index| index < -(1 << 30)), [-(1 << 31)]);
    assert_eq!(keeps(1, |index| index > 1 << 30), [(1 << 31) - 1]);
    assert_eq!(keeps(1, |index| (200..400).contains(&index)), [200]);
}

/// Equal indices get smaller together, and then each as far as it can.
#[test]
fn indices_get_smaller_one_by_one() {
    let mut start = scatter(100, 2);
    start.data.index = IndexPattern::Literal(words(&[90, 90]));
    let holds =
        |case: &Case| matches!(indices(case)[..], [first, second] if first > 65 && second > 62);
    assert_eq!(indices(&shrunk(&start, holds)), [66, 63]);
}

/// Where very many elements are needed it does not ask about each of them
/// again and again.
#[test]
fn much_that_is_needed_is_given_up() {
    let mut start = scatter_with(400, 1, |call| call.table = table(DType::Int32, 400, 1));
    let values: Vec<u32> = (0..400).map(|k| 77_777 + k).collect();
    start.data.table = Fill::Literal(words(&values));
    let mut asked = 0;
    let result = shrink(&start, 0, 20_000, &mut |case| {
        asked += 1;
        case.data.table == start.data.table
    });
    assert_eq!(elements(&result, Role::Source), [1]);
    assert!(asked < 1600, "{asked}");
}

/// What is needed for its number alone is plain before anything asks about each of its entries.
#[test]
fn many_that_are_needed_are_plain_within_few_tries() {
    let dims = [400, 2].map(Dim::Dynamic);
    let tall = |dtype| Tile {
        blayout: BLayout::ColMajor,
        valid_row: dims[0],
        valid_col: dims[1],
        ..tile(dtype, [880, 2])
    };
    let mut start = case(Call::Tgatherb(Tgatherb {
        dst: tall(DType::Int16),
        src: tile(DType::Int16, [4, 64]),
        offset: tall(DType::Int32),
    }));
    start.data.index = IndexPattern::Random;
    let mut asked = 0;
    let result = shrink(&start, SEED, 1000, &mut |case| {
        asked += 1;
        let Call::Tgatherb(call) = &case.call else {
            unreachable!("it is a gather");
        };
        let [rows, cols] = [call.dst.valid_row, call.dst.valid_col].map(Dim::get);
        let served = [call.offset.valid_row, call.offset.valid_col].map(Dim::get);
        rows * cols > 256 && served == [rows, cols]
    });
    let least = Tgatherb {
        dst: tile(DType::Int32, [129, 2]),
        src: tile(DType::Int32, [1, 1]),
        offset: tile(DType::Uint32, [129, 2]),
    };
    assert_eq!(result.call, Call::Tgatherb(least));
    assert_eq!(result.data.index, IndexPattern::Seq);
    assert!(asked < 300, "{asked}");
}

/// With slots for all of them, lanes that need not meet do not.
#[test]
fn duplicates_stay_only_where_they_are_needed() {
    let start = {
        let mut start = scatter(12, 8);
        start.data.index = IndexPattern::Literal(words(&[5, 5, 5, 9, 9, 2, 2, 2]));
        start
    };
    let wide = |case: &Case| indices(case).len() == 8 && capacity(&case.call) == 12;
    let result = shrunk(&start, wide);
    assert_eq!(indices(&result), [0, 1, 2, 3, 4, 5, 6, 7]);
    let same = |case: &Case| {
        let all = indices(case);
        wide(case) && all[0] == all[2] && all[3] == all[4] && all[5] == all[7]
    };
    let result = shrunk(&start, same);
    // As simple as slots get: these three pairs, and nothing else, are equal.
    let all = indices(&result);
    assert!(all.iter().all(|index| (0..8).contains(index)), "{all:?}");
    assert_eq!((all[1], all[6]), (1, 6));
}

/// Offsets of TGATHERB that have to be unaligned become so by one byte.
#[test]
fn an_unaligned_offset() {
    let mut start = case(Call::Tgatherb(Tgatherb {
        dst: part(DType::Half, [4, 16], [4, 16]),
        src: tile(DType::Half, [4, 64]),
        offset: tile(DType::Uint32, [4, 16]),
    }));
    start.data.index =
        IndexPattern::Literal(words(&(0..64).map(|k| 6 * k + 1).collect::<Vec<_>>()));
    start
        .readings
        .set("tgatherb-unaligned", "rounded-down")
        .unwrap();
    let holds = |case: &Case| {
        let size = case.call.data_tile().dtype.size() as i64;
        let rounds = case.data_readings().tgatherb_unaligned == UnalignedOffset::RoundedDown;
        rounds && indices(case).iter().any(|offset| offset % size != 0)
    };
    let result = shrunk(&start, holds);
    assert_eq!(indices(&result), [1]);
    assert_eq!(result.call.data_tile().dtype, DType::Int32);
}

/// The numbers of lanes, zeros, and what has to differ from them.
#[test]
fn values_become_numbers_of_lanes() {
    let wide = |case: &Case| indices(case).len() >= 3 && elements(case, Role::Source).len() >= 4;
    let result = shrunk(&scatter(4, 8), wide);
    assert_eq!(elements(&result, Role::Source), [1, 2, 3, 4]);
    assert_eq!(result.data.table, Fill::Zeros);
    // A table of its own values: one of them is needed, the others are zeros.
    let mut start = scatter_with(4, 8, |call| call.table = table(DType::Int32, 3, 8));
    start.data.table = Fill::Literal(words(&(7000..7024).collect::<Vec<_>>()));
    let holds = |case: &Case| {
        wide(case) && capacity(&case.call) == 3 && elements(case, Role::Table).contains(&7021)
    };
    let mut left = elements(&shrunk(&start, holds), Role::Table);
    left.sort_unstable();
    assert_eq!(left, [0, 0, 7021]);
    // Equal elements stay equal where they have to, and get small together.
    let holds = |case: &Case| {
        let all = elements(case, Role::Source);
        all.len() >= 2 && all[0] == all[1] && all[0] != 0
    };
    let mut start = scatter(4, 8);
    start.data.source = Fill::Literal(words(&[99; 64]));
    assert_eq!(elements(&shrunk(&start, holds), Role::Source), [1, 1]);
}

/// Data that is too large to be given literally is drawn until it has become
/// small enough; and where it may not become smaller, it is made without a seed.
#[test]
fn large_data_ends_without_a_seed() {
    let rows = MAX_LITERALS / 8 + 1;
    let mut start = case(Call::Mgather(mgather(
        tile(DType::Int32, [1, 8]),
        table(DType::Int32, rows, 8),
        part(DType::Int32, [1, 8], [1, 1]),
    )));
    start.data = DataPlan {
        table: Fill::RandomBits,
        seed: 9,
        ..DataPlan::default()
    };
    let result = shrunk(&start, |_| true);
    let least = named(simplest(Form::Mgather), &start);
    assert!(result == least, "{}", case_yaml(&result));
    let wide = |case: &Case| capacity(&case.call) > MAX_LITERALS;
    let Call::Mgather(call) = &mut start.call else {
        unreachable!("it is a gather");
    };
    call.table = table(DType::Int8, MAX_LITERALS + 1, 1);
    let result = shrunk(&start, wide);
    assert_eq!(result.data.table, Fill::Zeros);
    assert_eq!(indices(&result), [0]);
    // So are indices of which there have to be too many.
    let lanes = MAX_LITERALS + 1;
    let mut start = case(Call::Mgather(mgather(
        tile(DType::Int32, [lanes, 1]),
        table(DType::Int32, 4, 1),
        tile(DType::Int32, [1, lanes]),
    )));
    start.data.index = IndexPattern::Random;
    let many = |case: &Case| {
        let index = case.call.operand(Role::Index).and_then(Operand::tile);
        index.is_some_and(|tile| tile.valid_col.get() == lanes)
    };
    assert_eq!(shrunk(&start, many).data.index, IndexPattern::Seq);
}

/// Literal data that nobody would read through gives way to a fill or a pattern that does.
#[test]
fn long_data_is_literal_only_where_it_matters() {
    let kept = |lanes: u64, holds: fn(&DataPlan) -> bool| {
        let case = case(Call::Mscatter(mscatter(
            table(DType::Int32, 4, 1),
            tile(DType::Int32, [lanes, 1]),
            tile(DType::Int32, [1, lanes]),
        )));
        let same_call = |call: &Call| *call == case.call;
        let mut is_kept = |other: &Case| holds(&other.data);
        shrink_within(&case, SEED, TRIES, &same_call, &mut is_kept).data
    };
    let short = kept(256, |_| true);
    assert!(matches!(short.source, Fill::Literal(_)));
    assert!(matches!(short.index, IndexPattern::Literal(_)));
    let long = kept(257, |data| {
        data.index != IndexPattern::Seq && !matches!(data.source, Fill::Zeros | Fill::Poison)
    });
    assert_eq!((long.source, long.index), (Fill::Ramp, IndexPattern::Same));
}
