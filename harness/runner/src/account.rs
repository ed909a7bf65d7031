//! One party's account of a case, before it is judged.

use std::mem;

use ptodiff_case::Case;
use ptodiff_contract::{Broken, Enforced, Permit, Promise, Question, Run, Telling, data_duties};
use ptodiff_isa::{Call, Clause, How, Memory, Model, Party, Readings, Role, Schedule, Target};
use ptodiff_judge::{Answer, Expect, Finding, Lane, Outcome, Side};
use ptodiff_record::Reason;

use ptodiff_subject::Subject;

use crate::{Room, counterpart::further_forms, execute, subject, witness};

/// What the contract says of a call on a target.
#[derive(Clone, Default)]
struct Promised {
    said: Promise,
    /// Whether it was asked about more than the legality of the call.
    whole: bool,
}

/// What the contract says of one party, and what the party did.
pub(crate) struct Account {
    pub(crate) party: Party,
    /// The call that this party ran.
    pub(crate) call: Call,
    promised: Promised,
    answers: Vec<Answer>,
    refused: Vec<Clause>,
    undefined: Vec<Clause>,
    expected_hangs: Vec<Clause>,
    own_suite: bool,
    outcomes: Vec<Outcome>,
    unmet: Vec<Finding>,
    contradicts: Vec<Reason>,
    last_words: Vec<String>,
}

/// A case made concrete, and how it is run.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) case: &'a Case,
    pub(crate) steps: &'a [Memory],
    pub(crate) readings: &'a Readings,
    /// Those that a concurrent target runs under.
    pub(crate) schedules: &'a [Schedule],
    /// In how many words contract and judge say what they find.
    pub(crate) telling: Telling,
}

impl Scene<'_> {
    /// The accounts of the case itself on each of `models`, then of its further forms.
    pub(crate) fn accounts(&self, models: &[&dyn Model]) -> Vec<Account> {
        let itself = models.iter().map(|model| self.itself(*model));
        let further = models.iter().flat_map(|model| {
            let target = model.target();
            let forms = further_forms(&self.case.call, target, self.readings);
            forms.into_iter().map(move |(form, call)| {
                let party = Party::form(target, form);
                self.account(&mut Room::default(), *model, party, call)
            })
        });
        itself.chain(further).collect()
    }

    /// The accounts of the case itself on each of `models` that it runs on,
    /// without anything that it expects, held in `room`.
    pub(crate) fn bare(&self, room: &mut Room, models: &[&dyn Model]) -> Vec<Account> {
        let mut accounts = room.accounts();
        for model in models {
            let target = model.target();
            if self.case.targets.contains(&target) {
                // Filled where it stands: it is large, and moving it takes long.
                accounts.push(self.empty(Party::of(target), self.case.call));
                if let Some(account) = accounts.last_mut() {
                    self.fill(room, *model, account);
                }
            }
        }
        accounts
    }

    /// Calls `f` with the memory of every step; no list is made for one.
    fn with_steps<T>(&self, f: impl FnOnce(&[&Memory]) -> T) -> T {
        match self.steps {
            [only] => f(&[only]),
            steps => f(&steps.iter().collect::<Vec<_>>()),
        }
    }

    fn itself(&self, model: &dyn Model) -> Account {
        let (case, target) = (self.case, model.target());
        // What a case expects holds for its own readings.
        let expects = *self.readings == case.readings;
        let clauses = |of: &[(Target, Clause)]| {
            let those = of.iter().filter(|(t, _)| expects && *t == target);
            those.map(|(_, clause)| *clause).collect()
        };
        let account = self.account(&mut Room::default(), model, Party::of(target), case.call);
        let writers = |role, element| self.writers(&case.call, target, role, element);
        let wanted = witness::wanted(self, model, &account.answers, &writers);
        Account {
            refused: clauses(&case.refused),
            undefined: clauses(&case.undefined),
            expected_hangs: clauses(&case.hangs),
            own_suite: expects && case.suite == Some(target),
            outcomes: wanted.outcomes,
            unmet: wanted.unmet,
            ..account
        }
    }

    /// The lanes that by the contract wrote element `element` of an operand.
    pub(crate) fn writers(
        &self,
        call: &Call,
        target: Target,
        role: Role,
        element: usize,
    ) -> Vec<Lane> {
        let feeders = self.with_steps(|steps| {
            ptodiff_contract::feeders(call, steps, target, self.readings, role, element)
        });
        let lane = |w: ptodiff_contract::Feeder| Lane {
            step: w.step,
            r: w.r,
            c: w.c,
        };
        feeders.into_iter().map(lane).collect()
    }

    /// The account of `subject` on the case as it stands. What a case expects
    /// it expects of models; what the contract said of the same call is taken
    /// from `known`.
    pub(crate) fn of_subject(&self, subject: &Subject, known: &[Account]) -> Account {
        let (target, call) = (subject.target(), self.case.call);
        let itself = Party::of(target);
        let known = known.iter().find(|account| account.party == itself);
        let mut account = self.empty(party_of(subject), call);
        match known {
            Some(known) => account.promised = known.promised.clone(),
            None => account.promised.said.of_call(&self.question(&call, target)),
        }
        let checked = |b: &Broken| b.enforced == Enforced::ByCheck;
        // What a check must refuse is owed nothing more.
        if !account.promised.whole && !account.promised.said.legality().iter().any(checked) {
            self.promise(&mut account);
        }
        account.contradicts = known.map(Account::contradicts).unwrap_or_default();
        let orders = orders(target, self.schedules);
        let told = subject::ask(subject, &call, self.steps, self.readings, orders);
        (account.answers, account.last_words) = (told.answers, told.last_words);
        if let Some(known) = known {
            account.accept_reasons_of(known);
        }
        account
    }

    const fn question<'q>(&'q self, call: &'q Call, target: Target) -> Question<'q> {
        Question {
            call,
            target,
            readings: self.readings,
            telling: self.telling,
        }
    }

    /// Asks the contract about all but the legality of the call.
    fn promise(&self, account: &mut Account) {
        let question = self.question(&account.call, account.party.target);
        account.promised.said.of_data(&question, self.steps);
        account.promised.whole = true;
    }

    #[inline]
    fn empty(&self, party: Party, call: Call) -> Account {
        Account {
            party,
            call,
            promised: Promised::default(),
            answers: Vec::new(),
            refused: Vec::new(),
            undefined: Vec::new(),
            expected_hangs: Vec::new(),
            own_suite: false,
            outcomes: Vec::new(),
            unmet: Vec::new(),
            contradicts: Vec::new(),
            last_words: Vec::new(),
        }
    }

    fn account(&self, room: &mut Room, model: &dyn Model, party: Party, call: Call) -> Account {
        let mut account = self.empty(party, call);
        self.fill(room, model, &mut account);
        account
    }

    /// Fills an empty account with what `model` does and what it may do.
    fn fill(&self, room: &mut Room, model: &dyn Model, account: &mut Account) {
        let target = account.party.target;
        account.answers = room.answers();
        account.promised.said = room.promise();
        let question = self.question(&account.call, target);
        account.promised.said.of_call(&question);
        match execute::check(model, &account.call, self.readings) {
            Err(why) => account.answers.push(Answer::Fault(why)),
            Ok(refusals) if !refusals.is_empty() => {
                account.answers.push(Answer::Refused(refusals));
            }
            Ok(_) => {
                for schedule in orders(target, self.schedules) {
                    let how = How {
                        schedule: *schedule,
                        readings: *self.readings,
                    };
                    let answer = execute::execute(room, model, &account.call, self.steps, &how);
                    account.answers.push(answer);
                }
                self.promise(account);
                account.contradicts = self.contradicted(account);
            }
        }
    }

    /// What would keep this party from a result under the default readings and
    /// does not under those in force. These are words for people.
    fn contradicted(&self, account: &Account) -> Vec<Reason> {
        let default = Readings::default();
        if self.telling == Telling::Brief || *self.readings == default {
            return Vec::new();
        }
        let (call, target) = (&account.call, account.party.target);
        let mut broken = ptodiff_contract::legality(call, target, &default);
        broken.extend(self.with_steps(|all| data_duties(call, all, target, &default)));
        let mut reasons: Vec<Reason> = Vec::new();
        for b in broken {
            let known = reasons.iter().any(|r| r.clause == b.clause.0);
            if !known && account.broken().all(|now| now.clause != b.clause) {
                reasons.push(Reason {
                    clause: b.clause.to_string(),
                    why: b.why,
                });
            }
        }
        reasons
    }
}

impl Account {
    /// What of it another account can be made of.
    pub(crate) fn take_parts(&mut self) -> (Vec<Answer>, Promise) {
        let said = mem::take(&mut self.promised.said);
        (mem::take(&mut self.answers), said)
    }

    pub(crate) fn side(&self) -> Side<'_> {
        let said = &self.promised.said;
        Side {
            party: &self.party,
            legality: said.legality(),
            duties: said.duties(),
            hangs: said.hangs(),
            permits: said.permits(),
            answers: &self.answers,
            expect: Expect {
                refused: &self.refused,
                undefined: &self.undefined,
                hangs: &self.expected_hangs,
                own_suite: self.own_suite,
                outcomes: &self.outcomes,
                unmet: &self.unmet,
            },
        }
    }

    /// Clauses overlap, and model and contract need not cite the same: one that
    /// a subject names and the model of its target too is as good as none.
    fn accept_reasons_of(&mut self, model: &Self) {
        let refusals = model.answers.iter().flat_map(Answer::refusals);
        let given: Vec<Clause> = refusals.map(|refusal| refusal.clause).collect();
        let owed = |c: &Clause| {
            let mut broken = self.promised.said.legality().iter();
            broken.any(|b| b.clause == *c)
        };
        for answer in &mut self.answers {
            if let Answer::Declined { clause, .. } = answer {
                *clause = clause.filter(|c| owed(c) || !given.contains(c));
            }
        }
    }

    /// Duties and constraints that the call or its data breaks.
    pub(crate) fn broken(&self) -> impl Iterator<Item = &Broken> {
        let said = &self.promised.said;
        said.legality().iter().chain(said.duties())
    }

    /// Everything that speaks against a result here, with its reason.
    pub(crate) fn reasons(&self) -> impl Iterator<Item = (Clause, &str)> {
        let refusals = self.answers.iter().take(1).flat_map(Answer::refusals);
        refusals
            .map(|r| (r.clause, r.why.as_str()))
            .chain(self.broken().map(|b| (b.clause, b.why.as_str())))
    }

    /// What it did, under the first schedule.
    pub(crate) fn answer(&self) -> Option<&Answer> {
        self.answers.first()
    }

    /// Whether the case itself has one result here, and no clause lets it be
    /// another than elsewhere.
    pub(crate) fn is_exact(&self) -> bool {
        let exact = |run: &Run| {
            matches!(run.permit, Permit::Exactly { .. })
                && run.freedom.is_none()
                && run.or_kept.is_none()
        };
        let permits = self.promised.said.permits();
        self.party.form.is_none()
            && permits.is_some_and(|p| p.operands.iter().flat_map(|o| &o.runs).all(exact))
    }

    /// The clause that excuses accesses outside operands, if one does.
    pub(crate) fn strays_by(&self) -> Option<Clause> {
        self.promised.said.permits()?.strays
    }

    /// The clause by which the call never returns, if one says so.
    pub(crate) const fn hangs_by(&self) -> Option<Clause> {
        self.promised.said.hangs()
    }

    /// Notes something that the case expects and that is not so.
    pub(crate) fn miss(&mut self, finding: Finding) {
        self.unmet.push(finding);
    }

    /// What its readings let pass that the documents do not; nothing in a brief scene.
    pub(crate) fn contradicts(&self) -> Vec<Reason> {
        self.contradicts.clone()
    }

    /// What a subject said of the call that it refused.
    pub(crate) fn said(&self) -> Option<String> {
        self.answers.iter().find_map(|answer| match answer {
            Answer::Declined { why, .. } => Some(why.clone()),
            _ => None,
        })
    }

    /// The last lines of standard error of a subject that gave no answer.
    pub(crate) fn last_words(&self) -> &[String] {
        &self.last_words
    }

    /// Accesses outside operands, under the first schedule.
    pub(crate) fn strays(&self) -> u64 {
        let ran = self.answers.first().and_then(Answer::ran);
        ran.map_or(0, |ran| ran.strays.count)
    }
}

/// The column of `subject`.
pub(crate) fn party_of(subject: &Subject) -> Party {
    Party::form(subject.target(), subject.name())
}

/// Only A5's lanes are concurrent; the other targets have one order.
const fn orders(target: Target, schedules: &[Schedule]) -> &[Schedule] {
    match target {
        Target::A5 => schedules,
        Target::Cpu | Target::A2a3 => &[Schedule::InOrder],
    }
}
