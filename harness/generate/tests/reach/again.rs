//! A stimulus that is made in the memory of another one.

use ptodiff_case::{Case, Fill, IndexPattern};
use ptodiff_generate::random::{Rules, Series, Wish, draw, name};
use ptodiff_generate::{Stimulus, stimulus, stimulus_into};

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
