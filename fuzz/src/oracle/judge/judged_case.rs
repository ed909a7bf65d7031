//! What the judge is given, from the bytes of a fuzzer.

use arbitrary::Unstructured;
use ptodiff_contract::{Permit, Permits, Promise, Question, Verbosity};
use ptodiff_generate::random::{Bytes, Choices};
use ptodiff_generate::stimulus;
use ptodiff_isa::{
    Call, Clause, Memory, OobAccess, OobAccesses, Party, Rejection, Role, Schedule, Target,
    TargetReadings,
};
use ptodiff_judge::{
    Answer, Detail, Expect, Finding, InputChanged, Outcome, PartyInput, Place, Ran,
};
use strum::VariantArray as _;

use crate::input::{self, Recipe};

/// Most members: more show nothing new.
const MOST_MEMBERS: u64 = 4;

/// Clauses to cite: which ones does not matter to the judge.
const CLAUSES: [Clause; 4] = [
    Clause("MSCATTER-SEM-01"),
    Clause("MSCATTER-CONF-06"),
    Clause("MSCATTER-OOB-01"),
    Clause("MGATHER-OOB-01"),
];

/// What the judge is given.
#[derive(Clone, Debug)]
pub struct JudgedCase {
    /// The call.
    pub call: Call,
    /// The memory before.
    pub before: Memory,
    /// Who takes part.
    pub members: Vec<Member>,
}

/// One that takes part: what it is promised, what it did, what is expected of it.
#[derive(Clone, Debug)]
pub struct Member {
    /// Who it is.
    pub party: Party,
    /// Whether it violates its contract, where that is known before it is judged: one that
    /// did what it may does not, one that changed a byte that it had to keep does.
    pub violates: Option<bool>,
    promise: Promise,
    answers: Vec<Answer>,
    expect: Expect,
}

impl Member {
    /// What the judge is given of it.
    #[must_use]
    pub fn input(&self) -> PartyInput<'_> {
        PartyInput::of(&self.party, &self.promise, &self.answers, &self.expect)
    }
}

/// The judged case that `bytes` stand for: a case, its memory, and what up to
/// four parties did.
#[must_use]
pub fn draw(bytes: &[u8]) -> JudgedCase {
    let mut left = Unstructured::new(bytes);
    let case = input::take(&mut left, &Recipe::UNCHANGED).case;
    let choices = &mut Bytes::new(&mut left);
    let steps = stimulus(&case, 0).steps;
    // The output as before the first step, the inputs as the last one got them.
    let mut before = steps.first().cloned().unwrap_or_default();
    for fresh in steps[1..].iter().flat_map(|step| &step.regions) {
        if let Some(old) = before.get_mut(fresh.role) {
            old.clone_from(fresh);
        }
    }
    let play = Play {
        call: &case.call,
        steps: &steps,
        readings: &case.readings,
        before: &before,
    };
    let count = choices.below(MOST_MEMBERS + 1);
    let members = (0..count).map(|_| play.member(choices)).collect();
    JudgedCase {
        call: case.call,
        before,
        members,
    }
}

/// What the members of a judged case share.
struct Play<'a> {
    call: &'a Call,
    steps: &'a [Memory],
    readings: &'a TargetReadings,
    before: &'a Memory,
}

impl Play<'_> {
    fn member(&self, choices: &mut Bytes<'_, '_>) -> Member {
        let target = choices.pick(Target::VARIANTS);
        let party = match choices.one_in(6) {
            true => Party::form(target, "other"),
            false => Party::of(target),
        };
        let question = Question {
            call: self.call,
            target,
            readings: &self.readings[target],
            verbosity: Verbosity::Brief,
        };
        let promise = match choices.one_in(8) {
            // Nothing is said of the data.
            true => Promise::of_call(&question),
            false => Promise::of(&question, self.steps),
        };
        let mut member = Member {
            party,
            violates: None,
            promise,
            answers: Vec::new(),
            expect: Expect::default(),
        };
        // One that returns where it must hang keeps no permits.
        let returns = member.promise.hangs().is_none();
        let permits = member.promise.permits().filter(|_| returns);
        if let Some(permits) = permits.filter(|_| !choices.one_in(4)) {
            (member.violates, member.answers) = self.keeps(permits, choices);
            return member;
        }
        // Of another one nothing is known, least of all whether it makes sense.
        let answers = (0..choices.below(4)).map(|_| self.any(&member.promise, choices));
        member.answers = answers.collect();
        // Of most cases nothing is expected, and what is may hide what is judged.
        if choices.one_in(2) {
            return member;
        }
        let outcomes = [
            Outcome::Result,
            Outcome::Rejected,
            Outcome::Undefined,
            Outcome::Hangs,
        ];
        member.expect = Expect {
            rejected: some(choices, clause),
            undefined: some(choices, clause),
            hangs: some(choices, clause),
            own_suite: choices.one_in(4),
            outcomes: some(choices, |choices| choices.pick(&outcomes)),
            unmet: some(choices, unmet),
        };
        member
    }

    /// What one may do, but perhaps for one byte; whether that violates the contract, if
    /// it is known.
    fn keeps(&self, permits: &Permits, choices: &mut Bytes<'_, '_>) -> (Option<bool>, Vec<Answer>) {
        let mut obedient: Vec<Memory> = (0..=choices.below(2))
            .map(|_| obey(permits, self.before, choices))
            .collect();
        let mut violates = Some(false);
        if choices.one_in(2)
            && let Some(last) = obedient.last_mut()
        {
            violates = spoil(permits, last, choices);
        }
        let ran = |memory| {
            Answer::Ran(Ran {
                memory,
                oob_accesses: OobAccesses::default(),
                inputs_changed: Vec::new(),
                schedule: schedule(choices),
            })
        };
        (violates, obedient.into_iter().map(ran).collect())
    }

    /// Any answer; one that cannot return mostly does not.
    fn any(&self, promise: &Promise, choices: &mut Bytes<'_, '_>) -> Answer {
        let hangs = if promise.hangs().is_some() { 20 } else { 2 };
        match choices.weighted(&[(9, 0), (3, 1), (hangs, 2), (1, 3)]) {
            0 => Answer::Ran(Ran {
                memory: self.left_behind(promise.permits(), choices),
                oob_accesses: oob_accesses(choices),
                inputs_changed: if choices.one_in(6) {
                    vec![InputChanged {
                        step: choices.below(3) as usize,
                        role: choices.pick(Role::VARIANTS),
                    }]
                } else {
                    Vec::new()
                },
                schedule: schedule(choices),
            }),
            1 => {
                let count = choices.below(3);
                let rejection = |_| Rejection {
                    clause: clause(choices),
                    why: String::new(),
                };
                Answer::Rejected((0..count).map(rejection).collect())
            }
            2 => Answer::Hung(schedule(choices)),
            _ => Answer::Fault(String::new()),
        }
    }

    /// What is permitted, or what was there, with a few bytes wrong.
    fn left_behind(&self, permits: Option<&Permits>, choices: &mut Bytes<'_, '_>) -> Memory {
        let mut memory = match permits {
            Some(permits) => obey(permits, self.before, choices),
            None => self.before.clone(),
        };
        for _ in 0..choices.weighted(&[(2, 0), (1, 1), (1, 4)]) {
            if let Some((_, _, byte)) = any_byte(&mut memory, choices) {
                *byte = choices.below(256) as u8;
            }
        }
        memory
    }
}

/// `before` after stores that `permits` allow.
fn obey(permits: &Permits, before: &Memory, choices: &mut Bytes<'_, '_>) -> Memory {
    let mut memory = before.clone();
    for (operand, region) in permits.operands.iter().zip(&mut memory.regions) {
        for run in &operand.runs {
            if run.or_kept.is_none() || choices.one_in(2) {
                let slots = &mut region.body_mut()[run.offset..run.offset + run.len];
                let size = operand.dtype.size();
                store(slots, run.permit, size, &permits.pool, choices);
            }
        }
    }
    memory
}

fn store(slots: &mut [u8], permit: Permit, size: usize, pool: &[u8], choices: &mut Bytes<'_, '_>) {
    let len = slots.len();
    match permit {
        Permit::Exactly { at } => slots.copy_from_slice(&pool[at..at + len]),
        Permit::OneOf { at, count } => {
            // Another candidate in each slot, beginning anywhere.
            let first = choices.below(count as u64) as usize;
            for (number, slot) in slots.chunks_mut(size).enumerate() {
                let at = at + (first + number) % count * len + number * size;
                slot.copy_from_slice(&pool[at..at + slot.len()]);
            }
        }
        Permit::Between {
            low, high, more, ..
        } => {
            let at = choices.pick(&[low, high, high + more * size]);
            slots.copy_from_slice(&pool[at..at + len]);
        }
        Permit::Anything => slots.fill(choices.below(256) as u8),
    }
}

/// Any byte, with the numbers of its operand and of it, from the guard zone before the
/// operand on.
fn any_byte<'m>(
    memory: &'m mut Memory,
    choices: &mut Bytes<'_, '_>,
) -> Option<(usize, usize, &'m mut u8)> {
    let region = choices.below(memory.regions.len() as u64) as usize;
    let bytes = memory.regions.get_mut(region)?.bytes_mut();
    let at = choices.below(bytes.len() as u64) as usize;
    Some((region, at, bytes.get_mut(at)?))
}

/// Spoils one byte of what was permitted; whether that violates the contract, if it is
/// known.
fn spoil(permits: &Permits, memory: &mut Memory, choices: &mut Bytes<'_, '_>) -> Option<bool> {
    let Some((region, at, byte)) = any_byte(memory, choices) else {
        return Some(false);
    };
    *byte ^= 1 << choices.below(8);
    let body = memory.regions[region].body_range();
    let operand = permits.operands.get(region)?;
    let must_stay = match at.checked_sub(body.start) {
        Some(at) if at < body.len() => operand.run_at(at).is_none(),
        _ => operand.guards_free.is_none(),
    };
    must_stay.then_some(true)
}

fn schedule(choices: &mut Bytes<'_, '_>) -> Schedule {
    choices.pick(&[Schedule::InOrder, Schedule::Reversed, Schedule::Shuffled(1)])
}

/// Out-of-bounds accesses whose count need not go with those that are kept.
fn oob_accesses(choices: &mut Bytes<'_, '_>) -> OobAccesses {
    let mut oob_accesses = OobAccesses::default();
    if choices.one_in(6) {
        oob_accesses.count = choices.below(3);
        if choices.one_in(2) {
            oob_accesses.first.push(OobAccess {
                role: choices.pick(Role::VARIANTS),
                offset: choices.below(64) as i64 - 32,
                len: 1,
                write: choices.one_in(2),
            });
        }
    }
    oob_accesses
}

/// Any clause.
fn clause(choices: &mut Bytes<'_, '_>) -> Clause {
    choices.pick(&CLAUSES)
}

/// Mostly nothing, otherwise one or two.
fn some<'u, 'a, T>(
    choices: &mut Bytes<'u, 'a>,
    mut one: impl FnMut(&mut Bytes<'u, 'a>) -> T,
) -> Vec<T> {
    let count = choices.weighted(&[(6, 0), (1, 1), (1, 2)]);
    (0..count).map(|_| one(choices)).collect()
}

fn unmet(choices: &mut Bytes<'_, '_>) -> Finding {
    Finding {
        place: Place::Expectation,
        clause: choices.one_in(2).then(|| clause(choices)),
        schedule: None,
        detail: Detail::Text("unmet".to_owned()),
    }
}
