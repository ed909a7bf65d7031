//! That the pieces are right where none is said to be wrong, and that every
//! mistake shows.

use ptodiff_isa::Schedule;
use ptodiff_record::Verdict;
use ptodiff_runner::trial_on;

use super::*;
use crate::catch::{drawer, stimulus};

/// So many legal calls of every form and target.
const DRAWS: u64 = 600;

/// A model of `target` of whose pieces for `form` none is wrong.
fn whole(target: Target, form: Form) -> Mutant {
    let wrong = match form {
        Form::Mscatter | Form::MscatterFirst => Wrong::Scatter(Scatter::RIGHT),
        Form::Mgather | Form::MgatherL1 => Wrong::Gather(Gather::RIGHT),
        Form::TscatterIndex => Wrong::Index(Index::RIGHT),
        Form::TscatterMask => Wrong::Mask(Mask::RIGHT),
        Form::Tgatherb => Wrong::ByteGather(ByteGather::RIGHT),
    };
    Mutant::new("", target, form, "", "", wrong)
}

// A mutant then shows its own mistake and no other.
#[test]
fn pieces_of_which_none_is_wrong_conform() {
    let mut seen = Vec::new();
    for mutant in crate::mutants() {
        let kind = (mutant.target, mutant.form);
        if seen.contains(&kind) {
            continue;
        }
        seen.push(kind);
        let mutant = whole(mutant.target, mutant.form);
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
            let mut log = Log::default();
            let ran = mutant.ran(&case.call, &mut steps[0].clone(), &how, &mut log);
            own += u64::from(ran.expect("it runs"));
        }
        assert!(own > DRAWS / 10, "{kind:?} ran {own} calls itself");
    }
}

/// What `model` leaves of the first call of a case, and what it notes.
fn done(
    model: &dyn Model,
    call: &Call,
    memory: &Memory,
    readings: Readings,
) -> (Memory, Result<End, Fault>, Log) {
    let mut after = memory.clone();
    let mut log = Log::default();
    let how = How {
        schedule: Schedule::Reversed,
        readings,
    };
    let end = model.execute(call, &mut after, &how, &mut log);
    (after, end, log)
}

// Of pieces it must be the wrong one that differs: what the documents leave
// open, the right model may do otherwise than the right pieces.
#[test]
fn each_differs_in_a_legal_call_by_its_mistake_alone() {
    for mutant in crate::mutants() {
        let whole = whole(mutant.target, mutant.form);
        let like: &dyn Model = match mutant.wrong {
            Wrong::Call(_) | Wrong::Reading(_) | Wrong::Rejects(_) | Wrong::Spoil(_) => {
                mutant.right()
            }
            _ => &whole,
        };
        let drawer = drawer(mutant);
        let differs = |number: &u64| {
            let case = drawer.number(*number).case;
            let memory = &stimulus(&case)[0];
            let run = |model| done(model, &case.call, memory, *case.data_readings());
            let check = |model: &dyn Model| model.check(&case.call, case.data_readings());
            run(mutant) != run(like) || check(mutant) != check(like)
        };
        let found = (0..crate::HUNT).find(differs);
        assert!(found.is_some(), "{} is right", mutant.name);
    }
}
