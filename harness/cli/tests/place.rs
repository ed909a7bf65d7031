//! Where the values of an operand stand.

use crate::common::suites;
use ptodiff_case::{Case, Fill, Form, IndexPattern};
use ptodiff_data::place;
use ptodiff_generate::{
    random::{Rules, Series, Wish, case, name},
    stimulus, written_out,
};
use ptodiff_isa::{Role, SLayout};

/// Puts the literals of a case where they already stand: nothing changes.
/// Where two places of an operand are one, the last value stays in either account.
fn compare(case: &Case, seed: u64) -> usize {
    let literal = written_out(case, seed);
    let steps = stimulus(&literal, seed).steps;
    let mut compared = 0;
    for (role, operand) in literal.call.operands() {
        let given = match (role, literal.data.fill(role), &literal.data.index) {
            (_, Some(Fill::Literal(values)), _) => values,
            (Role::Index, _, IndexPattern::Literal(values)) => values,
            _ => continue,
        };
        let mut left = &given[..];
        let part = place::bytes(operand).expect("a size") as usize;
        for region in steps.iter().filter_map(|step| step.get(role)) {
            let (now, later) = left.split_at(part);
            left = later;
            let mut body = region.body().to_vec();
            if place::put(operand, now, &mut body).is_none() {
                // Boxes that the padded extents cut off.
                let tile = operand.tile().expect("a tensor is as long as it reaches");
                assert_ne!(tile.slayout, SLayout::NoneBox, "{} {role}", case.id);
                continue;
            }
            assert_eq!(body, region.body(), "{} {role}", case.id);
            compared += 1;
        }
        assert!(left.is_empty(), "{} {role}", case.id);
    }
    compared
}

/// Two accounts of where values stand, written apart, agree on every layout.
#[test]
fn values_are_taken_from_where_they_were_put() {
    let corpus = ptodiff_case::load(&[suites()]).expect("the suites");
    let compared: usize = corpus.cases.iter().map(|case| compare(case, 3)).sum();
    assert!(compared > 551, "{compared}");
    let wish = Wish {
        rules: Rules::Wild,
        forms: Form::ALL.to_vec(),
        ..Wish::default()
    };
    let series = Series::new(11);
    let compared: usize = (0..4000)
        .map(|number| {
            let mut case = case(&mut series.number(number), &wish);
            name(&mut case, 11, number);
            compare(&case, 11)
        })
        .sum();
    assert!(compared > 4000, "{compared}");
}
