//! Each relation binds each form that it speaks of, on each target, and has its name.

use ptodiff_case::Form;
use ptodiff_hunt::Relation;
use ptodiff_isa::Target;
use strum::VariantArray as _;

use crate::survey::LEGAL;

/// How often a relation binds at least, in all the cases of the survey.
const LEAST: u64 = 20;

#[test]
fn every_relation_binds() {
    let mut seldom = Vec::new();
    for relation in Relation::VARIANTS {
        for form in Form::ALL {
            for target in Target::VARIANTS {
                let bound = LEGAL.bound.get(&(*relation, *form, *target)).copied();
                if relation.speaks_of(*form, *target) {
                    println!("{relation} {form:?} {target} {bound:?}");
                }
                if relation.speaks_of(*form, *target) && bound.unwrap_or(0) < LEAST {
                    seldom.push(format!("{relation} of {form:?} on {target}: {bound:?}"));
                }
            }
        }
    }
    assert!(seldom.is_empty(), "{}", seldom.join("\n"));
}

/// In records of hunts, and in the order in which cases are drawn for them.
#[test]
fn names_stay() {
    let names: Vec<_> = Relation::VARIANTS.iter().map(Relation::to_string).collect();
    assert_eq!(
        names.join(" "),
        "readback permutation expansion chunks period clamped relayout executor schedules"
    );
}
