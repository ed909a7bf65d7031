//! No relation is broken by a model, and none binds a call that breaks a rule.

use ptodiff_generate::random::{Rules, Series, Wish, draw, name};
use ptodiff_generate::stimulus;
use ptodiff_hunt::Relation;
use ptodiff_hunt::relation::check;
use ptodiff_isa::Target;
use strum::VariantArray as _;

use crate::survey::{LEGAL, SEED, Survey, survey};
use crate::written::right;

fn nothing_broken(survey: &Survey) {
    let broken = &survey.broken;
    let shown = broken.iter().take(5).cloned().collect::<Vec<_>>();
    assert!(
        broken.is_empty(),
        "{} broken:\n{}",
        broken.len(),
        shown.join("\n")
    );
}

#[test]
fn on_legal_cases() {
    nothing_broken(&LEGAL);
}

#[test]
fn on_cases_that_break_a_rule() {
    nothing_broken(&survey(Rules::Broken(1), 6_000));
}

#[test]
fn on_wild_cases() {
    nothing_broken(&survey(Rules::Wild, 20_000));
}

/// Cases a target.
const CASES: u64 = 8000;

/// Calls that break a rule on their only target: no relation binds them,
/// though most pass the checks.
#[test]
fn no_relation_binds_a_call_that_breaks_a_rule() {
    let series = Series::new(SEED);
    for target in Target::VARIANTS {
        let wish = Wish {
            rules: Rules::Broken(1),
            targets: vec![*target],
            ..Wish::default()
        };
        let model = right(*target);
        let mut accepted = 0;
        for number in 0..CASES {
            let drawn = draw(&mut series.number(number), &wish);
            let mut case = drawn.case;
            name(&mut case, SEED, number);
            if drawn.broken.is_empty() || case.targets != [*target] {
                continue;
            }
            let steps = stimulus(&case, SEED).steps;
            for relation in Relation::VARIANTS {
                let says = check(*relation, model, &case, &steps);
                let broken = &drawn.broken;
                assert_eq!(says, None, "{relation} on {target}, {broken:?}: {case:?}");
            }
            accepted += u64::from(
                model
                    .check(&case.call, &case.readings[model.target()])
                    .is_empty(),
            );
        }
        assert!(accepted > CASES / 10, "{target}: {accepted}");
    }
}
