//! What cases of files show, and kept ones beside what they are kept for.

use ptodiff_case::{Case, Form, Hole, HoleKind, HolePlace};
use ptodiff_generate::stimulus;
use ptodiff_hunt::{Known, Plan, complete, shows};
use ptodiff_isa::{Schedule, Target};
use ptodiff_runner::trial;

use crate::{BEHIND_THE_TABLE, cases, hole, naming};

/// Those of `case` that `known` lacks.
fn lacked(case: &Case, known: &Known) -> Vec<Hole> {
    let steps = stimulus(case, 0).steps;
    let mut holes = trial(case, &steps, &Schedule::InOrder).holes();
    holes.retain(|hole| known.lacks(Form::of(&case.call), hole));
    holes
}

fn all(plan: &Plan, given: &[Case]) -> Vec<Case> {
    complete(plan, given, Vec::new(), &Known::default())
}

/// The targets of the preconditions that `kept` names.
fn preconditions(kept: &[Case]) -> Vec<Target> {
    let holes = kept.iter().flat_map(|case| &case.holes);
    let preconditions = holes.filter(|hole| hole.kind == HoleKind::UncheckedPrecondition);
    let mut targets: Vec<Target> = preconditions
        .flat_map(|hole| hole.targets.clone())
        .collect();
    targets.sort_unstable();
    targets
}

#[test]
fn what_cases_of_files_show_is_kept_as_cases_of_its_own() {
    let mut given = cases(BEHIND_THE_TABLE);
    given[0].about = Some("a line".to_owned());
    given[0].suite = Some(Target::A5);
    assert_eq!(lacked(&given[0], &Known::default()).len(), 3);
    let kept = all(&Plan::default(), &given);
    assert_eq!(
        preconditions(&kept),
        [Target::Cpu, Target::A2a3, Target::A5]
    );
    let known = Known::of(&kept);
    for case in given.iter().chain(&kept) {
        assert_eq!(lacked(case, &known), []);
    }
    for case in &kept {
        assert!(!case.holes.is_empty());
        assert!(case.about.as_ref().is_some_and(|about| about != "a line"));
        assert_eq!((case.suite, case.covers.len()), (None, 0));
        for seed in [0, 7] {
            assert!(shows(case, seed, &case.holes), "{}", case.name);
        }
    }
    // What is known is not kept again.
    assert_eq!(complete(&Plan::default(), &given, Vec::new(), &known), []);
}

#[test]
fn only_cases_that_the_plan_could_draw_are_looked_at() {
    let given = cases(BEHIND_THE_TABLE);
    let of = |forms: &[Form], targets: &[Target]| {
        let plan = Plan {
            forms: forms.to_vec(),
            targets: targets.to_vec(),
            ..Plan::default()
        };
        all(&plan, &given).len()
    };
    assert_ne!(of(&[Form::Mgather], &[]), 0);
    assert_eq!(of(&[Form::Mscatter], &[]), 0);
    assert_ne!(of(&[], &[Target::Cpu, Target::A2a3, Target::A5]), 0);
    assert_eq!(of(&[], &[Target::Cpu, Target::A5]), 0);
}

#[test]
fn what_shows_beside_the_hole_that_a_case_is_kept_for_is_kept_too() {
    let shown = lacked(&naming(&[]), &Known::default());
    let on_cpu = shown.iter().find(|hole| hole.targets == [Target::Cpu]);
    let first = naming(&[&on_cpu.expect("a hole of cpu").to_string()]);
    let kept = complete(
        &Plan::default(),
        &[],
        vec![first.clone()],
        &Known::default(),
    );
    assert_eq!(kept[0], first);
    assert_eq!(preconditions(&kept[1..]), [Target::A2a3, Target::A5]);
    for case in &kept {
        assert_eq!(lacked(case, &Known::of(&kept)), []);
    }
}

#[test]
fn a_case_of_which_others_show_the_hole_is_not_kept() {
    let mut whole = naming(&[]);
    whole.holes = lacked(&whole, &Known::default());
    let mut weak = whole.clone();
    for hole in &mut weak.holes {
        hole.place = HolePlace::Undefined;
    }
    let kept = |kept: &[&Case]| {
        let kept = kept.iter().map(|case| (*case).clone()).collect();
        complete(&Plan::default(), &[], kept, &Known::default())
    };
    assert_eq!(kept(&[&weak, &whole]), [whole.clone()]);
    assert_eq!(kept(&[&whole, &whole]), [whole.clone()]);
    let known = Known::of([&whole]);
    assert_eq!(complete(&Plan::default(), &[], vec![whole], &known), []);
}

/// `P1111` and padding: legal, and the documents say two things of it.
#[test]
fn open_readings_of_cases_with_a_result_are_kept() {
    let given = cases(
        "cases:
  - name: whole
    instruction: TSCATTER
    mask: P1111
    dtype: int32_t
    targets: [a5]
    source: {shape: [1, 16], valid: [1, 8]}
    destination: {shape: [1, 16], valid: [1, 8]}
",
    );
    let open = hole("open-reading a5 TSCATTER-GAP-13 result");
    let kept = all(&Plan::default(), &given);
    assert!(
        kept.iter().any(|case| case.holes.contains(&open)),
        "{kept:?}"
    );
}
