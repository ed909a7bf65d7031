//! What a subject answers to a case.

use ptodiff_isa::{Call, Clause, Memory, Readings, Schedule, Strays};
use ptodiff_judge::{Answer, Failing, Ran};
use ptodiff_record::SubjectRecord;
use ptodiff_subject::{Answered, Subject, Trouble};

use crate::{
    account::party_of,
    execute::{changed, reload},
};

/// What a record says of subjects that take part in a run.
#[must_use]
pub fn listed(subjects: &[Subject]) -> Vec<SubjectRecord> {
    let record = |subject: &Subject| SubjectRecord {
        party: party_of(subject),
        introduced: subject.introduced().to_owned(),
        command: None,
    };
    subjects.iter().map(record).collect()
}

/// What a subject answered.
#[derive(Default)]
pub(crate) struct Told {
    /// One answer a schedule, none after the first that is no answer.
    pub(crate) answers: Vec<Answer>,
    /// The last lines of standard error of the process that gave none.
    pub(crate) last_words: Vec<String>,
}

/// Asks `subject` for `call` on all `steps`, under each of `schedules`. It ends
/// with the first that has no answer: a hang costs its time once.
pub(crate) fn ask(
    subject: &Subject,
    call: &Call,
    steps: &[Memory],
    readings: &Readings,
    schedules: &[Schedule],
) -> Told {
    let mut told = Told::default();
    for schedule in schedules {
        let answer = once(subject, call, steps, readings, *schedule, &mut told);
        let ends = matches!(answer, Answer::Failed { .. } | Answer::Unsupported(_));
        told.answers.push(answer);
        if ends {
            break;
        }
    }
    told
}

fn once(
    subject: &Subject,
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
        match subject.answer(call, readings, schedule, &mut memory) {
            Answered::Done { strays } => noticed = noticed.saturating_add(strays),
            Answered::Refused { clause: None, why } => {
                return Answer::Declined { clause: None, why };
            }
            Answered::Refused {
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
                        format!("it refuses by {id}, which is no clause"),
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
        strays: Strays {
            count: noticed,
            ..Strays::default()
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
        Trouble::Garbage(_) | Trouble::Flood(_) => Failing::Protocol,
        Trouble::NoStart { .. } => Failing::Start,
    }
}
