//! What the judge is given, from the bytes of a fuzzer.

use arbitrary::Unstructured;
use ptodiff_contract::{Broken, Enforced, Permits, data_preconditions, legality, permits};
use ptodiff_generate::random::{Bytes, Choices};
use ptodiff_generate::stimulus;
use ptodiff_isa::{Call, Clause, Memory, Party, Target, TargetReadings};
use ptodiff_judge::{Answer, Detail, Expect, Finding, Outcome, PartyInput, Place};
use strum::VariantArray as _;

use super::answer;
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
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedCase {
    /// The call.
    pub call: Call,
    /// The memory before.
    pub before: Memory,
    /// Who takes part.
    pub members: Vec<Member>,
}

/// One that takes part: what it is promised, what it did, what is expected of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    /// Who it is.
    pub party: Party,
    /// What is known about its verdict.
    pub kept: Kept,
    legality: Vec<Broken>,
    preconditions: Vec<Broken>,
    hangs: Option<Clause>,
    permits: Option<Permits>,
    answers: Vec<Answer>,
    lists: [Vec<Clause>; 3],
    own_suite: bool,
    outcomes: Vec<Outcome>,
    unmet: Vec<Finding>,
}

/// What is known about the verdict on a member before it is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// Nothing.
    Unknown,
    /// It did what the contract permits, and nothing else is wrong.
    Permits,
    /// As [`Kept::Permits`], but for one byte that it had to keep.
    AllBut {
        /// Number of the operand in the memory.
        region: usize,
        /// Number of the byte, from the first of the guard zone before the operand.
        byte: usize,
    },
}

impl Member {
    /// What the judge is given of it.
    #[must_use]
    pub fn input(&self) -> PartyInput<'_> {
        let [rejected, undefined, hangs] = &self.lists;
        PartyInput {
            party: &self.party,
            legality: &self.legality,
            preconditions: &self.preconditions,
            hangs: self.hangs,
            permits: self.permits.as_ref(),
            answers: &self.answers,
            expect: Expect {
                rejected,
                undefined,
                hangs,
                own_suite: self.own_suite,
                outcomes: &self.outcomes,
                unmet: &self.unmet,
            },
        }
    }

    fn new(party: Party) -> Self {
        Self {
            party,
            kept: Kept::Unknown,
            legality: Vec::new(),
            preconditions: Vec::new(),
            hangs: None,
            permits: None,
            answers: Vec::new(),
            lists: Default::default(),
            own_suite: false,
            outcomes: Vec::new(),
            unmet: Vec::new(),
        }
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
    let before = before(&steps);
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

/// The output as before the first step, the inputs as the last one got them.
fn before(steps: &[Memory]) -> Memory {
    let mut before = steps.first().cloned().unwrap_or_default();
    for fresh in steps[1..].iter().flat_map(|step| &step.regions) {
        if let Some(old) = before.get_mut(fresh.role) {
            old.clone_from(fresh);
        }
    }
    before
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
        let promised = if choices.one_in(4) {
            None
        } else {
            self.promised(target)
        };
        match promised {
            Some(permits) => self.keeps(party, permits, choices),
            None => self.any(party, choices),
        }
    }

    /// What the contract promises on `target`, if it does.
    fn promised(&self, target: Target) -> Option<Permits> {
        let (call, readings) = (self.call, &self.readings[target]);
        let steps: Vec<&Memory> = self.steps.iter().collect();
        let legal = legality(call, target, readings).is_empty();
        let sound = legal && data_preconditions(call, &steps, target, readings).is_empty();
        sound.then(|| permits(call, &steps, target, readings).ok())?
    }

    /// One that does what it may, but perhaps for one byte.
    fn keeps(&self, party: Party, permits: Permits, choices: &mut Bytes<'_, '_>) -> Member {
        let mut obedient: Vec<Memory> = (0..=choices.below(2))
            .map(|_| answer::obey(&permits, self.before, choices))
            .collect();
        let mut kept = Kept::Permits;
        if choices.one_in(2)
            && let Some(last) = obedient.last_mut()
        {
            kept = spoil(&permits, last, choices);
        }
        let answers = obedient.into_iter();
        Member {
            kept,
            answers: answers.map(|memory| answer::ran(memory, choices)).collect(),
            permits: Some(permits),
            ..Member::new(party)
        }
    }

    /// One of which nothing is known, least of all whether it makes sense.
    fn any(&self, party: Party, choices: &mut Bytes<'_, '_>) -> Member {
        let permits = match choices.one_in(4) {
            true => None,
            false => self.promised(party.target),
        };
        let answers = (0..choices.below(4))
            .map(|_| answer::any(self.before, permits.as_ref(), choices))
            .collect();
        let outcomes = [
            Outcome::Result,
            Outcome::Rejected,
            Outcome::Undefined,
            Outcome::Hangs,
        ];
        Member {
            answers,
            permits,
            legality: broken(choices),
            preconditions: broken(choices),
            hangs: choices.one_in(6).then(|| clause(choices)),
            lists: [(); 3].map(|()| some(choices, clause)),
            own_suite: choices.one_in(4),
            outcomes: some(choices, |choices| choices.pick(&outcomes)),
            unmet: some(choices, unmet),
            ..Member::new(party)
        }
    }
}

/// Spoils one byte of `memory`; what is known then.
fn spoil(permits: &Permits, memory: &mut Memory, choices: &mut Bytes<'_, '_>) -> Kept {
    let region = choices.below(memory.regions.len() as u64) as usize;
    let Some(spoilt) = memory.regions.get_mut(region) else {
        return Kept::Permits;
    };
    let byte = choices.below(spoilt.bytes().len() as u64) as usize;
    let Some(at) = spoilt.bytes_mut().get_mut(byte) else {
        return Kept::Permits;
    };
    *at ^= 1 << choices.below(8);
    let body = spoilt.body_range();
    let told = permits.operands.get(region);
    let must_stay = told.is_some_and(|operand| match byte.checked_sub(body.start) {
        Some(at) if byte < body.end => {
            let mut runs = operand.runs.iter();
            runs.all(|run| !(run.offset..run.offset + run.len).contains(&at))
        }
        _ => operand.guards_free.is_none(),
    });
    match must_stay {
        true => Kept::AllBut { region, byte },
        false => Kept::Unknown,
    }
}

/// Any clause.
pub(super) fn clause(choices: &mut Bytes<'_, '_>) -> Clause {
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

fn broken(choices: &mut Bytes<'_, '_>) -> Vec<Broken> {
    some(choices, |choices| Broken {
        clause: clause(choices),
        enforced: choices.pick(&[Enforced::ByCheck, Enforced::ByCaller]),
        why: String::new(),
    })
}

fn unmet(choices: &mut Bytes<'_, '_>) -> Finding {
    Finding {
        place: Place::Expectation,
        clause: choices.one_in(2).then(|| clause(choices)),
        schedule: None,
        detail: Detail::Text("unmet".to_owned()),
    }
}
