//! That the steps of a walk are right where none is said to be wrong.

use ptodiff_record::Verdict;
use ptodiff_runner::trial_on;

use super::*;
use crate::catch::{drawer, stimulus};

/// So many legal calls of every form and target.
const DRAWS: u64 = 600;

// A mutant then shows its own mistake and no other.
#[test]
fn a_walk_without_a_wrong_step_conforms() {
    let mut seen = Vec::new();
    for mutant in crate::mutants() {
        let kind = (mutant.target, mutant.form);
        if seen.contains(&kind) || mutant.form == Form::TscatterMask {
            continue;
        }
        seen.push(kind);
        let mutant = Mutant {
            wrong: Wrong::Pitch(Walk::RIGHT.pitch),
            ..*mutant
        };
        let drawer = drawer(&mutant);
        let mut own = 0;
        for number in 0..DRAWS {
            let draw = drawer.number(number);
            let case = &draw.case;
            let steps = stimulus(case);
            let trial = trial_on(&[&mutant], case, &steps, &draw.schedule);
            let what = trial.unexplained();
            assert_ne!(
                trial.verdict(),
                Verdict::Violation,
                "{kind:?} {number} {what:?}"
            );
            let how = How {
                schedule: draw.schedule,
                readings: case.readings[kind.0],
            };
            let (memory, log) = (&mut steps[0].clone(), &mut Log::default());
            let ran = Walk::RIGHT.run(&case.call, mutant.right(), memory, &how, log);
            own += u64::from(ran.expect("it runs"));
        }
        assert!(own > DRAWS / 10, "{kind:?} walked {own} calls itself");
    }
}
