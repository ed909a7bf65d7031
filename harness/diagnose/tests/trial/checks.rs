//! Implementations whose checks are others, or that read several gaps otherwise.

use ptodiff_case::Form;
use ptodiff_diagnose::explanations;
use ptodiff_isa::{Call, End, Fault, How, Log, Memory, Model, Readings, Rejection, Target};
use strum::VariantArray as _;

use super::{CLAUSES, right, told};

/// Reads the gaps as the public library does, in its checks, too.
struct Library;

impl Library {
    fn readings(readings: &Readings) -> Readings {
        let mut own = *readings;
        for (gap, choice) in [
            ("cpu-form", "templated"),
            ("scope", "as-the-suite"),
            ("tgatherb-granularity", "block"),
            ("tgatherb-unaligned", "byte-exact"),
            ("tscatter-extent", "index"),
            ("tscatter-unaddressed", "zero"),
            ("mask-p1111-padding", "kept"),
        ] {
            own.set(gap, choice).expect("a reading");
        }
        own
    }
}

impl Model for Library {
    fn target(&self) -> Target {
        Target::A5
    }

    fn check(&self, call: &Call, readings: &Readings) -> Vec<Rejection> {
        right().check(call, &Self::readings(readings))
    }

    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<End, Fault> {
        let mut how = *how;
        how.readings = Self::readings(&how.readings);
        right().execute(call, memory, &how, log)
    }
}

/// Of several gaps that it reads otherwise no single one explains it, and what it runs that a
/// check must reject is told with its values.
#[test]
fn an_edition_explains_what_reads_the_gaps_as_it_does() {
    let mut cases = CLAUSES.clone();
    cases.retain(|case| !matches!(case.call, Call::Mscatter(_) | Call::Mgather(_)));
    let told = told(&Library, &cases).remove(0);
    let edition = &told.fits[0];
    let sentence = "does what the edition library-2026-08 says";
    assert_eq!((&*edition.sentence, edition.contradicts), (sentence, 0));
    assert_eq!(edition.explains + edition.unpromised, told.failures);
    for part in ["TSCATTER", "TGATHERB", " rejection "] {
        let all = [&told.failure_group].into_iter().chain(&told.also);
        assert!(
            all.into_iter().any(|group| group.contains(part)),
            "{told:#?}"
        );
    }
}

/// A model of A5 with checks of its own.
struct Checks(fn(Vec<Rejection>) -> Vec<Rejection>);

impl Model for Checks {
    fn target(&self) -> Target {
        Target::A5
    }

    fn check(&self, call: &Call, readings: &Readings) -> Vec<Rejection> {
        self.0(right().check(call, readings))
    }

    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<End, Fault> {
        match right().check(call, &how.readings).is_empty() {
            true => right().execute(call, memory, how, log),
            false => Ok(End::Finished),
        }
    }
}

#[test]
fn what_checks_nothing_is_one_mistake() {
    let told = told(&Checks(|_| Vec::new()), &CLAUSES).remove(0);
    let (all, first) = (told.also.len(), &told.fits[0]);
    assert_eq!(
        (&*first.sentence, first.explains, first.contradicts),
        ("rejects no call", told.failures, 0)
    );
    assert!(all > 20, "{told:#?}");
}

fn lacks_one(mut rejections: Vec<Rejection>, clause: &str) -> Vec<Rejection> {
    rejections.retain(|rejection| rejection.clause.0 != clause);
    rejections
}

/// The finding says what a check does wrong: that nothing explains it, or a part of it, says no
/// more. Of those by TSCATTER-DTYPE-02 a reading would run one.
#[test]
fn a_check_that_nothing_explains_is_not_spoken_of() {
    let one = Checks(|all| lacks_one(all, "MSCATTER-SHAPE-02"));
    let other = Checks(|all| lacks_one(all, "TSCATTER-DTYPE-02"));
    for model in [one, other] {
        let told = told(&model, &CLAUSES);
        assert!(told.is_empty(), "{told:#?}");
    }
}

/// Whatever an implementation does would be explained by a reading that promises nothing.
#[test]
fn a_reading_that_says_nothing_explains_nothing() {
    let told = explanations(Target::Cpu, Form::VARIANTS, &Readings::default());
    let of = |gap: &str| -> Vec<String> {
        let names = told.iter().map(|one| one.name.clone());
        names.filter(|name| name.starts_with(gap)).collect()
    };
    assert_eq!(
        of("tgatherb-unaligned="),
        ["tgatherb-unaligned=rounded-down"]
    );
    assert_eq!(of("row-capacity="), [""; 0]);
}
