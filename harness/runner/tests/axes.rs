//! The combinations that are asked about are all that there are: no call that has a
//! promised result is of one that the list of the promised does not have.

use std::collections::BTreeSet;

use ptodiff_case::Case;
use ptodiff_generate::random::{Series, Wish, draw};
use ptodiff_isa::{Readings, Target, reading::GAPS};
use ptodiff_runner::axes::{Combination, combination, promised, promises};
use strum::VariantArray as _;

/// Whether `readings` are the default ones, but for those that make a form of the suites.
fn is_usual(readings: &Readings) -> bool {
    let usual = Readings::default();
    let suites = ["cpu-form", "scope", "tgatherb-granularity"];
    let mut others = GAPS.iter().filter(|gap| !suites.contains(&gap.name));
    others.all(|gap| gap.choice(readings) == gap.choice(&usual))
}

/// Those of `case` that have a promised result.
fn has(case: &Case) -> Vec<Combination> {
    let readings = case.data_readings();
    let targets = case.targets.iter().copied();
    let at = targets.filter_map(|target| combination(&case.call, target, readings));
    at.filter(|of| promises(case, 0, of.target, readings))
        .collect()
}

fn all() -> BTreeSet<Combination> {
    Target::VARIANTS
        .iter()
        .copied()
        .flat_map(promised)
        .collect()
}

#[test]
fn no_case_has_a_promised_result_that_is_not_listed() {
    let (all, mut seen) = (all(), 0);
    for case in crate::CASES
        .iter()
        .filter(|case| is_usual(case.data_readings()))
    {
        for of in has(case) {
            assert!(all.contains(&of), "{}: {of:?}", case.id);
            seen += 1;
        }
    }
    assert!(seen > 2000, "{seen}");
}

#[test]
fn no_drawn_call_has_a_promised_result_that_is_not_listed() {
    let (all, mut seen) = (all(), BTreeSet::new());
    let (series, wish) = (Series::new(5), Wish::default());
    for number in 0..20_000 {
        let case = draw(&mut series.number(number), &wish).case;
        if is_usual(case.data_readings()) {
            for of in has(&case) {
                assert!(all.contains(&of), "{of:?} {:?}", case.call);
                seen.insert(of);
            }
        }
    }
    assert!(seen.len() > 500, "{}", seen.len());
}

/// What NaN leaves under Max is open, and an index past the table breaks a precondition.
#[test]
fn a_case_has_no_promised_result_where_all_is_open_or_nothing_is_promised() {
    let promised = |table: &str, index: &str| {
        let text = format!(
            "cases:\n  - name: x\n    instruction: MSCATTER\n    mode: Elem\n    atomic: Max\n    \
             dtype: float\n    targets: [a5]\n    tile: {{shape: [1, 8], valid: [1, 2]}}\n    \
             index: {{shape: [1, 8], valid: [1, 2], data: {{values: [{index}]}}}}\n    \
             table: {{shape: [1, 1, 1, 1, 2], data: {{values: [{table}]}}}}\n"
        );
        let cases = ptodiff_case::load_str("x.yaml", &text)
            .expect("a case")
            .cases;
        !has(&cases[0]).is_empty()
    };
    assert!(promised("1, nan", "0, 1"));
    assert!(!promised("nan, nan", "0, 1"));
    assert!(!promised("1, 2", "0, 2"));
}
