//! The mutants: that they are many, that each is wrong, that each is caught.

use std::collections::BTreeSet;
use std::path::Path;

use ptodiff_case::{Case, Form};
use ptodiff_generate::{random::Rules, stimulus};
use ptodiff_hunt::{Drawer, Plan};
use ptodiff_isa::{How, Log, Model, Target};
use ptodiff_mutants::{HUNT, Mutant, caught, mutants};

#[test]
fn there_are_sixty_and_more_over_all_targets_and_forms() {
    let all = mutants();
    assert!(all.len() >= 60, "{}", all.len());
    let names: BTreeSet<&str> = all.iter().map(|m| m.name).collect();
    assert_eq!(names.len(), all.len(), "a name stands for one mutant");
    let spread: BTreeSet<(Target, Form)> = all.iter().map(|m| (m.target, m.form)).collect();
    use Form::{
        Mgather, MgatherL1, Mscatter, MscatterFirst, Tgatherb, TscatterIndex, TscatterMask,
    };
    use Target::{A2a3, A5, Cpu};
    let forms = [
        (Mscatter, &[Cpu, A2a3, A5][..]),
        (MscatterFirst, &[A5]),
        (Mgather, &[Cpu, A2a3, A5]),
        (MgatherL1, &[A2a3, A5]),
        (TscatterIndex, &[Cpu, A2a3, A5]),
        (TscatterMask, &[A5]),
        (Tgatherb, &[Cpu, A2a3, A5]),
    ];
    for (form, targets) in forms {
        for target in targets {
            assert!(spread.contains(&(*target, form)), "{target} {form:?}");
        }
    }
}

#[test]
fn each_names_its_mistake_and_a_clause_that_its_target_has() {
    let entries = ptodiff_register::entries();
    for mutant in mutants() {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(mutant.name.chars().all(plain), "{}", mutant.name);
        assert!(
            mutant.name.contains(<&str>::from(mutant.target)),
            "{}",
            mutant.name
        );
        assert!(!mutant.mistake.is_empty() && !mutant.mistake.contains('\n'));
        let entry = entries.iter().find(|e| e.id == mutant.clause.0);
        let entry = entry.unwrap_or_else(|| panic!("{}: no {}", mutant.name, mutant.clause));
        assert!(
            entry.targets.contains(&mutant.target),
            "{}: {}",
            mutant.name,
            entry.id
        );
    }
}

#[test]
fn a_mutant_does_right_by_calls_of_other_forms() {
    let gather = Drawer::new(&Plan {
        rules: Some(Rules::Legal),
        forms: vec![Form::Mgather],
        targets: vec![Target::A5],
        further: false,
        ..Plan::default()
    });
    let scatters = |m: &&Mutant| m.form == Form::Mscatter && m.target == Target::A5;
    for mutant in mutants().iter().filter(scatters) {
        for number in 0..20 {
            let draw = gather.number(number);
            let how = How {
                schedule: draw.schedule,
                readings: *draw.case.data_readings(),
            };
            let left_by = |model: &dyn Model| {
                let (mut memory, mut log) =
                    (stimulus(&draw.case, 0).steps.remove(0), Log::default());
                let end = model.execute(&draw.case.call, &mut memory, &how, &mut log);
                (memory, end.ok(), log)
            };
            assert_eq!(left_by(mutant), left_by(mutant.right()), "{}", mutant.name);
        }
    }
}

/// The cases that the project has, without those of the ST suites.
fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let folders = ["clauses", "gaps", "regressions"].map(|name| root.join(name));
    ptodiff_case::load(&folders).expect("cases").cases
}

#[test]
fn cases_and_a_hunt_catch_every_mutant() {
    let all: Vec<&'static Mutant> = mutants().iter().collect();
    let cases = cases();
    let done = caught(&all, &cases, HUNT, false);
    let missed: Vec<_> = done
        .iter()
        .filter(|c| !c.by_both())
        .map(|c| (c.mutant.name, c.cases.clone(), c.hunt))
        .collect();
    assert!(missed.is_empty(), "{} missed: {missed:#?}", missed.len());
}
