//! Each wrong model as an implementation over all cases: is its own mistake named?

use std::{io, path::Path, time::Duration};

use ptodiff_case::Case;
use ptodiff_diagnose::{Evidence, diagnose};
use ptodiff_isa::{Model, Party};
use ptodiff_mutants::{Mutant, mutants};
use ptodiff_record::Diagnosis;
use ptodiff_runner::{Options, run_with};

fn cases(of: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(of);
    ptodiff_case::load(&[folder]).expect("good cases").cases
}

/// What is told of a model that is judged as an implementation is.
fn told(model: &dyn Model, cases: &[Case]) -> Vec<Diagnosis> {
    let options = Options {
        targets: vec![model.target()],
        ..Options::default()
    };
    let mut evidence = Evidence::of(Party::of(model.target()));
    run_with(&[model], cases, &options, io::sink(), |record| {
        evidence.add(record)
    })
    .expect("it runs");
    diagnose(&evidence, cases, &options, 1, Duration::from_secs(600)).expect("it is diagnosed")
}

/// Whether what is named first is the mistake, or leaves the same in all cases.
fn is_named(mutant: &Mutant, diagnosis: &Diagnosis) -> bool {
    let Some(first) = diagnosis.fits.first() else {
        return false;
    };
    let same = first.explains == diagnosis.failures && first.contradicts == 0;
    first.name == mutant.name || same
}

fn trial<'a>(of: impl Iterator<Item = &'a Mutant>, cases: &[Case]) {
    let (mut named, mut all) = (0, 0);
    for mutant in of {
        let told = told(mutant, cases);
        let Some(diagnosis) = told.first() else {
            println!("{}: nothing to explain", mutant.name);
            continue;
        };
        all += 1;
        let is_named = is_named(mutant, diagnosis);
        named += usize::from(is_named);
        let first = diagnosis.fits.first();
        let first = first.map_or("nothing".to_owned(), |fit| {
            format!(
                "{} ({} of {}, contradicts {})",
                fit.name, fit.explains, diagnosis.failures, fit.contradicts
            )
        });
        println!(
            "{} {}: {first}",
            if is_named { "+" } else { "-" },
            mutant.name
        );
    }
    println!("{named} of {all}");
    assert!(named * 100 >= all * 95, "{named} of {all}");
}

#[test]
fn a_mistake_that_is_known_is_named() {
    trial(mutants().iter().step_by(58), &cases("cases/clauses"));
}

#[test]
#[ignore = "takes minutes"]
fn every_mistake_that_is_known_is_named() {
    trial(mutants().iter(), &cases("cases"));
}
