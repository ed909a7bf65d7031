//! What an implementation answers to a case.

use ptodiff_impl::{Answered, Ask, Implementation, Trouble, Whom};
use ptodiff_isa::{Call, Clause, Memory, OobAccesses, Readings, Schedule};
use ptodiff_judge::{Answer, Failing, Ran};
use ptodiff_record::ImplementationRecord;

use crate::{
    account::party_of,
    execute::{changed, reload},
};

/// What a record says of implementations that take part in a run.
#[must_use]
pub fn listed(implementations: &[Implementation]) -> Vec<ImplementationRecord> {
    let record = |implementation: &Implementation| ImplementationRecord {
        party: party_of(implementation),
        introduced: implementation.introduced().to_owned(),
        command: None,
    };
    implementations.iter().map(record).collect()
}

/// What an implementation answered.
#[derive(Default)]
pub(crate) struct Told {
    /// One answer a schedule, none after the first that is no answer.
    pub(crate) answers: Vec<Answer>,
    /// The last lines of standard error of the process that gave none.
    pub(crate) last_words: Vec<String>,
}

/// Asks `implementation` for `call`, which is that of the case `of`, on all `steps`, under each of `schedules`. It ends
/// with the first that has no answer: a hang costs its time once.
pub(crate) fn ask(
    implementation: &Implementation,
    of: &str,
    call: &Call,
    steps: &[Memory],
    readings: &Readings,
    schedules: &[Schedule],
) -> Told {
    let mut told = Told::default();
    for schedule in schedules {
        let answer = once(
            implementation,
            of,
            call,
            steps,
            readings,
            *schedule,
            &mut told,
        );
        let ends = matches!(answer, Answer::Failed { .. } | Answer::Unsupported(_));
        told.answers.push(answer);
        if ends {
            break;
        }
    }
    told
}

fn once(
    implementation: &Implementation,
    of: &str,
    call: &Call,
    steps: &[Memory],
    readings: &Readings,
    schedule: Schedule,
    told: &mut Told,
) -> Answer {
    let Some(first) = steps.first() else {
        return Answer::Fault("the case has no step".to_owned());
    };
    let failed = |kind, why| Answer::Failed {
        kind,
        schedule,
        why,
    };
    let mut memory = first.clone();
    let mut noticed = 0_u64;
    let mut inputs_changed = Vec::new();
    for (n, step) in steps.iter().enumerate() {
        if n > 0 {
            reload(&mut memory, step);
        }
        let ask = Ask {
            of,
            call,
            readings,
            schedule,
        };
        match implementation.answer(Whom::Kept, &ask, &mut memory) {
            Answered::Done { out_of_bounds } => noticed = noticed.saturating_add(out_of_bounds),
            Answered::Rejected { clause: None, why } => {
                return Answer::Declined { clause: None, why };
            }
            Answered::Rejected {
                clause: Some(id),
                why,
            } => {
                return match ptodiff_register::find(&id) {
                    Some(entry) => Answer::Declined {
                        clause: Some(Clause(entry.id)),
                        why,
                    },
                    None => failed(
                        Failing::Protocol,
                        format!("it rejects by {id}, which is no clause"),
                    ),
                };
            }
            Answered::Hangs => return Answer::Hung(schedule),
            Answered::Unsupported { why } => return Answer::Unsupported(why),
            Answered::Failed(failure) => {
                told.last_words = failure.stderr;
                return failed(failing(&failure.trouble), failure.trouble.to_string());
            }
        }
        if n + 1 < steps.len() {
            inputs_changed.extend(changed(call, &memory, step, n));
        }
    }
    Answer::Ran(Ran {
        memory,
        oob_accesses: OobAccesses {
            count: noticed,
            ..OobAccesses::default()
        },
        inputs_changed,
        schedule,
    })
}

const fn failing(trouble: &Trouble) -> Failing {
    match trouble {
        Trouble::Crash(_) | Trouble::Half { .. } => Failing::Crash,
        Trouble::Time { .. } => Failing::Time,
        Trouble::Memory { .. } => Failing::Memory,
        Trouble::Garbage(_) | Trouble::Flood(_) | Trouble::Late { .. } => Failing::Protocol,
        // No record has the machine's: the run ends.
        Trouble::NoStart { .. } | Trouble::Machine(_) => Failing::Start,
    }
}
