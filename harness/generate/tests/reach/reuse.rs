//! A case that is drawn, or a stimulus that is made, in the memory of another one.

use std::path::Path;

use ptodiff_case::{Case, Fill, IndexPattern, Style, load};
use ptodiff_generate::random::{Rules, Series, Wish, draw, draw_into, name};
use ptodiff_generate::{Stimulus, stimulus, stimulus_into};

use crate::mirrored::corpus;

/// Cases of files, which say all that a case can say.
fn written() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let paths = ["holes", "gaps", "clauses/mgather_launches.yaml"].map(|path| folder.join(path));
    let loaded = load(&paths).unwrap_or_else(|error| panic!("{}", error.render(Style::Plain)));
    [corpus::cases(), &loaded.cases].concat()
}

#[test]
fn a_case_drawn_over_a_written_one_has_nothing_of_it() {
    let series = Series::new(8);
    let mut said = [false; 12];
    for (number, mut case) in (0..).zip(written()) {
        let says = [
            case.suite.is_some(),
            case.place.line > 1 && case.place.column > 1,
            case.place.file != Path::new(""),
            !case.rejected.is_empty(),
            !case.undefined.is_empty(),
            !case.hangs.is_empty(),
            !case.covers.is_empty(),
            case.gap.is_some(),
            !case.holes.is_empty(),
            !case.expect.is_empty(),
            case.name_differs.is_some(),
            case.about.is_some(),
        ];
        said.iter_mut()
            .zip(says)
            .for_each(|(said, says)| *said |= says);
        let rules = [Rules::Legal, Rules::Broken(1), Rules::Wild][number as usize % 3];
        let wish = Wish {
            rules,
            ..Wish::default()
        };
        let drawn = draw(&mut series.number(number), &wish);
        let broken = draw_into(&mut series.number(number), &wish, &mut case);
        assert_eq!((broken, case), (drawn.broken, drawn.case), "{number}");
    }
    assert_eq!(said, [true; 12], "some case says each");
}

/// Named cases of all kinds and forms in turn, some with literals that are too short.
fn cases() -> impl Iterator<Item = Case> {
    let series = Series::new(6);
    (0..1200).map(move |number| {
        let rules = [Rules::Legal, Rules::Broken(1), Rules::Wild][number as usize % 3];
        let wish = Wish {
            rules,
            ..Wish::default()
        };
        let mut case = draw(&mut series.number(number), &wish).case;
        name(&mut case, 6, number);
        if number % 5 == 4 {
            case.data.index = IndexPattern::Literal(vec![1; 19]);
            case.data.source = Fill::Literal(vec![2; 19]);
        }
        case
    })
}

#[test]
fn it_is_the_same_whatever_was_there_before() {
    let mut again = Stimulus::default();
    for case in cases() {
        stimulus_into(&case, 3, &mut again);
        let steps = stimulus(&case, 3).steps;
        assert_eq!(again.steps, steps, "{}", case.id);
        // What a model left behind.
        for region in again.steps.iter_mut().flat_map(|step| &mut step.regions) {
            region.bytes_mut().fill(0x55);
        }
    }
}

/// Where the bytes of the regions lie.
fn places(stimulus: &Stimulus) -> Vec<*const u8> {
    let regions = stimulus.steps.iter().flat_map(|step| &step.regions);
    regions.map(|region| region.bytes().as_ptr()).collect()
}

#[test]
fn regions_of_the_same_size_stay_where_they_are() {
    let mut again = Stimulus::default();
    let mut made = 0;
    for case in cases().filter(|case| case.chunks == 1).take(200) {
        stimulus_into(&case, 0, &mut again);
        let before = places(&again);
        stimulus_into(&case, 1, &mut again);
        assert_eq!(places(&again), before, "{}", case.id);
        made += before.len();
    }
    assert!(made >= 400, "{made}");
}
