//! Every rule is broken by some case, and only on targets that have it.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_generate::random::{Form, Rule, Rules, Series, Wish, draw};
use ptodiff_isa::Target;
use strum::VariantArray;

/// Cases drawn of each form: the rarest rule is broken in the 1,263rd.
const CASES: u64 = 5_000;

#[test]
fn every_rule_is_broken_in_every_form_that_has_it() {
    let mut broken: BTreeMap<Form, BTreeSet<Rule>> = BTreeMap::new();
    for form in Form::ALL {
        let wish = Wish {
            forms: vec![*form],
            rules: Rules::Broken(1),
            ..Wish::default()
        };
        let series = Series::new(2);
        for number in 0..CASES {
            let drawn = draw(&mut series.number(number), &wish);
            broken.entry(*form).or_default().extend(drawn.broken);
        }
    }
    for form in Form::ALL {
        let has: BTreeSet<Rule> = Rule::ALL
            .iter()
            .copied()
            .filter(|rule| rule.forms().any(|of| of == *form))
            .collect();
        assert_eq!(broken.get(form), Some(&has), "{form:?}");
    }
}

#[test]
fn as_many_rules_are_broken_as_were_asked_for() {
    for count in [0, 2, 3] {
        let wish = Wish {
            rules: Rules::Broken(count),
            forms: vec![Form::Mscatter, Form::Mgather],
            ..Wish::default()
        };
        let series = Series::new(3);
        let enough = (0..1000)
            .filter(|number| {
                let broken = draw(&mut series.number(*number), &wish).broken;
                let set: BTreeSet<Rule> = broken.iter().copied().collect();
                assert_eq!(set.len(), broken.len());
                broken.len() == count
            })
            .count();
        // A case runs out of rules about different things now and then.
        assert!(enough > 850, "{enough} with {count}");
    }
}

#[test]
fn rules_cite_clauses_of_the_register() {
    for rule in Rule::ALL {
        assert!(rule.forms().next().is_some(), "{rule:?} is no form's");
        for form in Form::ALL {
            for target in Target::VARIANTS {
                for cited in rule.clauses(*form, *target) {
                    assert!(
                        ptodiff_register::find(cited.0).is_some(),
                        "{rule:?} {cited}"
                    );
                }
            }
        }
    }
}
