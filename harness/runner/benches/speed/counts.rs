//! Work whose instructions are counted: each model on a call, the contract on a
//! question, the judge on a case; and whole cases. A tool that counts is told to
//! look at [`count_instructions_here`] alone. Nothing is timed.

use std::hint::black_box;

use ptodiff_case::Case;
use ptodiff_contract::{Promise, Question, Verbosity};
use ptodiff_generate::stimulus;
use ptodiff_isa::{Log, Memory, OobAccesses, Party, Schedule, Target};
use ptodiff_judge::{Answer, CaseContext, Expect, PartyInput, Ran, judge_case};
use ptodiff_record::Verdict;
use ptodiff_runner::{models, trial};

use crate::{Failed, cases, execute, how, operands};

/// Runs of a row while it is counted.
const TIMES: u64 = 10;

/// Runs everything in turn. A line a row: its label, and how many units were counted.
pub(crate) fn rows() -> Result<(), Failed> {
    for case in cases("parts")? {
        parts(&case)?;
    }
    for case in cases("whole")? {
        whole(&case)?;
    }
    Ok(())
}

/// Counts `work`, which does so many units, after a run that is not counted.
fn count(
    label: &str,
    units: u64,
    work: &mut dyn FnMut() -> Result<(), Failed>,
) -> Result<(), Failed> {
    work()?;
    count_instructions_here(work)?;
    println!("{label}\t{}", TIMES * units);
    Ok(())
}

/// All that is counted happens in here.
#[inline(never)]
fn count_instructions_here(work: &mut dyn FnMut() -> Result<(), Failed>) -> Result<(), Failed> {
    for _ in 0..TIMES {
        black_box(work())?;
    }
    Ok(())
}

/// What one model did with a case, and what it is promised.
type Judged = (Party, Promise, [Answer; 1]);

/// A call of each model, a question about A5 to the contract, a case for the judge.
fn parts(case: &Case) -> Result<(), Failed> {
    let (name, how, before) = (&case.name, how(case), operands(case)?);
    let mut judged: Vec<Judged> = Vec::new();
    for model in models() {
        let (mut memory, mut log) = (before.clone(), Log::default());
        // Once: what it leaves is judged.
        execute(model, &case.call, &how, &mut memory, &mut log)?;
        let ran = Answer::Ran(Ran {
            memory: memory.clone(),
            oob_accesses: OobAccesses::default(),
            inputs_changed: Vec::new(),
            schedule: Schedule::InOrder,
        });
        let target = model.target();
        judged.push((Party::of(target), ask(case, target, &before), [ran]));
        count(&format!("{target} {name}"), 1, &mut || {
            execute(model, &case.call, &how, &mut memory, &mut log)
        })?;
    }
    count(&format!("contract a5 {name}"), 1, &mut || {
        black_box(ask(black_box(case), Target::A5, &before));
        Ok(())
    })?;
    let inputs: Vec<PartyInput<'_>> = judged.iter().map(input).collect();
    let context = CaseContext {
        call: &case.call,
        before: &before,
        steps: std::slice::from_ref(&before),
        brief: true,
        readings: &case.readings,
    };
    count(&format!("judge {name}"), 1, &mut || {
        let verdict = judge_case(black_box(&context), black_box(&inputs));
        match verdict.fails() {
            true => Err(format!("{name}: {:?}", verdict.parties).into()),
            false => Ok(()),
        }
    })
}

fn ask(case: &Case, target: Target, before: &Memory) -> Promise {
    let question = Question {
        call: &case.call,
        target,
        readings: case.data_readings(),
        verbosity: Verbosity::Brief,
    };
    Promise::of(&question, std::slice::from_ref(before))
}

fn input((party, promise, answers): &Judged) -> PartyInput<'_> {
    PartyInput::of(party, promise, answers, Expect::NOTHING)
}

/// From stimulus to verdict, a unit a lane, which is an element of the data tile.
/// Each run has data of its own.
fn whole(case: &Case) -> Result<(), Failed> {
    let tile = case.call.data_tile();
    let mut seed = 0;
    let label = format!("whole {}, a lane", case.name);
    count(&label, tile.rows * tile.cols, &mut || {
        seed += 1;
        let stimulus = stimulus(black_box(case), seed);
        match trial(case, &stimulus.steps, &Schedule::InOrder).verdict() {
            Verdict::Agree | Verdict::Permitted => Ok(()),
            other => Err(format!("{label}: {other}").into()),
        }
    })
}
