//! Work whose instructions are counted: each model on a call, the contract on
//! a question, the judge on a case. Nothing is timed here. A tool that counts
//! is told to look at [`count_instructions_here`] alone.

use std::hint::black_box;

use ptodiff_contract::{Promise, Question, Telling};
use ptodiff_isa::{Call, How, Log, Memory, Party, Role, Schedule, Strays, Target};
use ptodiff_judge::{Answer, CaseVerdict, Expect, Ground, Lane, Ran, Side, judge_case_briefly};
use ptodiff_runner::models;

use crate::{chip, contest::Contest, gm, peer::Failed};

/// Runs of a row while it is counted.
const TIMES: u64 = 10;

/// Largest memory of a call that is counted: counting is slow.
const BYTES: usize = 160 << 10;

/// Runs everything in turn, each after a run that is not counted, and hands
/// over its label and how often it ran.
pub(crate) fn rows(
    wanted: impl Fn(&str) -> bool,
    mut row: impl FnMut(&str, u64),
) -> Result<(), Failed> {
    let small = |contest: &Contest| bytes(&contest.memory) <= BYTES;
    for contest in gm::contests().chain(chip::contests()).filter(small) {
        let told = Told {
            how: contest.how(),
            contest: &contest,
        };
        let mut count = |label: String, work: &mut dyn FnMut() -> Result<(), Failed>| {
            if wanted(&label) {
                work()?;
                count_instructions_here(work)?;
                row(&label, TIMES);
            }
            Ok(())
        };
        let name = &contest.label;
        for model in contest.models() {
            let target = model.target();
            let (mut memory, mut log) = (contest.memory.clone(), Log::default());
            count(format!("{target} {name}"), &mut || {
                let end = model.execute(&contest.call, &mut memory, &told.how, &mut log);
                black_box(end).map(|_| ()).map_err(|why| Failed(why.0))
            })?;
        }
        let mut promise = Promise::default();
        count(format!("contract a5 {name}"), &mut || {
            told.ask(Target::A5, &mut promise);
            black_box(&mut promise);
            Ok(())
        })?;
        let parties = told.parties()?;
        let sides: Vec<Side<'_>> = parties.iter().map(Judged::side).collect();
        let ground = Ground {
            call: &contest.call,
            before: &contest.memory,
            lanes: &nobody,
        };
        let mut verdict = CaseVerdict::default();
        count(format!("judge {name}"), &mut || {
            judge_case_briefly(black_box(&ground), black_box(&sides), &mut verdict);
            match verdict.fails() {
                true => Err(Failed(format!("{name}: {:?}", verdict.parties))),
                false => Ok(()),
            }
        })?;
    }
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

fn bytes(memory: &Memory) -> usize {
    memory.regions.iter().map(|r| r.bytes().len()).sum()
}

/// Nothing is described that would need the lanes behind it.
fn nobody(_: &Party, _: Role, _: usize) -> Vec<Lane> {
    Vec::new()
}

/// A contest and how it is run.
struct Told<'a> {
    contest: &'a Contest,
    how: How,
}

/// One model's part of a case, to be judged.
struct Judged {
    party: Party,
    promise: Promise,
    answers: Vec<Answer>,
}

impl Told<'_> {
    const fn call(&self) -> &Call {
        &self.contest.call
    }

    fn ask(&self, target: Target, promise: &mut Promise) {
        let question = Question {
            call: black_box(self.call()),
            target,
            readings: &self.how.readings,
            telling: Telling::Brief,
        };
        promise.of_call(&question);
        promise.of_data(&question, std::slice::from_ref(&self.contest.memory));
    }

    /// What every model that takes the call did, and may do.
    fn parties(&self) -> Result<Vec<Judged>, Failed> {
        let mut parties = Vec::new();
        for model in models() {
            let rejected = model.check(self.call(), &self.how.readings);
            let answer = if rejected.is_empty() {
                let (mut memory, mut log) = (self.contest.memory.clone(), Log::default());
                let end = model.execute(self.call(), &mut memory, &self.how, &mut log);
                let _ = end.map_err(|why| Failed(why.0))?;
                Answer::Ran(Ran {
                    memory,
                    strays: Strays::default(),
                    inputs_changed: Vec::new(),
                    schedule: Schedule::InOrder,
                })
            } else {
                Answer::Rejected(rejected)
            };
            let mut promise = Promise::default();
            self.ask(model.target(), &mut promise);
            parties.push(Judged {
                party: Party::of(model.target()),
                promise,
                answers: vec![answer],
            });
        }
        Ok(parties)
    }
}

impl Judged {
    fn side(&self) -> Side<'_> {
        Side {
            party: &self.party,
            legality: self.promise.legality(),
            duties: self.promise.duties(),
            hangs: self.promise.hangs(),
            permits: self.promise.permits(),
            answers: &self.answers,
            expect: Expect::default(),
        }
    }
}
