//! What every search keeps to: how often it asks, about what, and in which order.

use ptodiff_case::{Case, Fill, Form, IndexPattern};
use ptodiff_generate::literal;
use ptodiff_hunt::shrink;
use ptodiff_hunt::shrink::Measure;
use ptodiff_isa::{Call, DType, Dim, Mscatter, Target, Tgatherb, Tile};

use crate::build::{case, mscatter, part, table, tile};
use crate::watch::{SEED, TRIES, again, bytes, random, repeats};

/// It never asks more often than it may, and what it has then holds and is called as before.
#[test]
fn tries_are_respected() {
    let all = random(&[Form::Mscatter, Form::Tgatherb], 6).filter(repeats);
    let mut seen = 0;
    for mut case in all {
        case.suite = Some(Target::Cpu);
        let mut whole = 0;
        let least = shrink(&case, SEED, TRIES, &mut |case| {
            whole += 1;
            repeats(case)
        });
        for tries in (0..20).chain((20..whole).step_by(37)) {
            let mut asked = 0;
            let result = shrink(&case, SEED, tries, &mut |case| {
                asked += 1;
                repeats(case)
            });
            assert!(asked <= tries, "{asked} of {tries}");
            assert!(repeats(&result));
            let called = |case: &Case| (case.id.clone(), case.name.clone(), case.suite);
            assert_eq!(called(&result), called(&case));
            assert!(
                tries > 1 || result == case,
                "there was no try for the literal data"
            );
        }
        // So many suffice.
        let again = shrink(&case, SEED, whole, &mut |case| repeats(case));
        assert_eq!(again, least);
        seen += 1;
    }
    assert!(seen > 10, "{seen}");
}

/// The same questions in the same order, and so the same result.
#[test]
fn every_search_is_the_same() {
    for case in random(Form::ALL, 3) {
        let search = || {
            let mut asked = Vec::new();
            let result = shrink(&case, SEED, TRIES, &mut |candidate| {
                asked.push(candidate.clone());
                candidate.chunks == case.chunks && candidate.call.data_tile().rows % 2 == 1
                    || asked.len() == 1
            });
            (result, asked)
        };
        let (result, asked) = search();
        assert!((result, &asked) == (search().0, &search().1));
        for (at, one) in asked.iter().enumerate() {
            assert!(!asked[..at].contains(one), "it asks once about each");
        }
    }
}

/// Everything that is asked about can be written as a case file and read back.
#[test]
fn every_candidate_is_a_case() {
    let mut asked = 0;
    for case in random(Form::ALL, 1) {
        // An answer that goes to and fro takes the search through many cases.
        let mut count = 0_u64;
        let most = bytes(&case);
        let result = shrink(&case, SEED, 150, &mut |candidate| {
            count += 1;
            assert_eq!(again(candidate), *candidate);
            assert!(bytes(candidate) <= most);
            count < 3 || (count * 7 + most).is_multiple_of(3)
        });
        assert_eq!(again(&result), result);
        asked += count;
    }
    assert!(asked > 1000, "{asked}");
}

#[test]
fn a_case_that_is_not_kept_comes_back() {
    for case in random(Form::ALL, 3) {
        let mut asked = 0;
        let result = shrink(&case, SEED, TRIES, &mut |_| {
            asked += 1;
            false
        });
        assert_eq!((result, asked), (case, 1));
    }
}

/// Kept only as it is: its data may be given literally at most.
#[test]
fn a_case_that_cannot_be_smaller_is_given_literally() {
    for case in random(&[Form::Mgather, Form::TscatterIndex], 1) {
        let wanted = literal(&case, SEED);
        let result = shrink(&case, SEED, TRIES, &mut |one| {
            *one == case || *one == wanted
        });
        assert_eq!(result, wanted);
        let result = shrink(&case, SEED, TRIES, &mut |one| *one == case);
        assert!(result == case);
    }
}

/// Four rows of eight.
fn rows() -> Mscatter {
    mscatter(
        table(DType::Float, 4, 8),
        tile(DType::Float, [4, 8]),
        part(DType::Int32, [1, 8], [1, 4]),
    )
}

/// Extents whose product is 0, whatever else they are, and the longest strides.
#[test]
fn the_largest_numbers_of_a_case_file_do_no_harm() {
    let huge = Dim::Dynamic(u64::MAX);
    let mut call = rows();
    call.table.shape = [huge, huge, Dim::Dynamic(0), huge, Dim::Static(u64::MAX)];
    call.table.stride = [Dim::Static(1 << 40); 5];
    call.src.fractal = 1 << 20;
    let start = case(Call::Mscatter(call));
    assert_eq!(again(&start), start);
    let least = shrink(&start, SEED, TRIES, &mut |_| true);
    assert_eq!(again(&least), least);
    assert_eq!(bytes(&least), 12);
}

/// What no case file can say is no reason to panic either.
#[test]
fn sizes_beyond_all_bounds_do_no_harm() {
    let huge = Dim::Dynamic(u64::MAX);
    let mut call = rows();
    call.src.rows = u64::MAX;
    call.src.valid_row = huge;
    (call.idx.rows, call.idx.cols) = (0, u64::MAX);
    call.table.shape = [huge; 5];
    call.table.stride = [huge; 5];
    let start = case(Call::Mscatter(call));
    let least = shrink(&start, SEED, TRIES, &mut |_| true);
    assert!(Measure::of(&least) <= Measure::of(&start));
    let size = Tile {
        rows: 1 << 40,
        cols: 1 << 40,
        ..tile(DType::Int8, [1, 1])
    };
    let mut start = case(Call::Tgatherb(Tgatherb {
        dst: tile(DType::Int8, [1, 4]),
        src: size,
        offset: tile(DType::Uint64, [1, 4]),
    }));
    start.data.index = IndexPattern::Literal(vec![0xFF; 32]);
    assert_eq!(shrink(&start, SEED, TRIES, &mut |_| true).id, start.id);
    // Literal data that is too short.
    let mut start = case(Call::Mscatter(rows()));
    start.data.source = Fill::Literal(vec![1; 7]);
    let least = shrink(&start, SEED, TRIES, &mut |_| true);
    assert_eq!(again(&least), least);
}
