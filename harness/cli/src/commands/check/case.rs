//! What is against one case, target by target.

use ptodiff_case::{Case, Expectation, ExpectedOutcome, Hole, HoleKind, HolePlace, limits};
use ptodiff_data::place;
use ptodiff_isa::{
    CacheFlush, Call, Clause, CpuForm, L1IndexPitch, Launch, Party, Role, ScatterAtomicOp,
    ScatterConflict, ScatterOob, Target,
};
use ptodiff_runner::{Duty, Options};

use super::{Findings, finding::Finding, remarks};
use crate::{caller, text::joined};

impl Findings<'_> {
    /// Adds what is against `case`.
    pub(super) fn case(&mut self, case: &Case) {
        let options = self.options.clone();
        let read = &Case {
            readings: options.readings(case),
            ..case.clone()
        };
        let (mut undefined, mut runs_on) = (Vec::new(), Vec::new());
        for mut legality in ptodiff_runner::legality(case, &options) {
            let target = legality.target;
            if !self.args.looks_at(target) {
                continue;
            }
            // Indices that are drawn in range of one target may be out of that of another: that is
            // chance, and the caller has others. What stands between them is none of his.
            let between = read.readings[target].l1_index_pitch == L1IndexPitch::Linear;
            let by_chance = case.data.index.is_drawn_in_range() && !(between && has_gaps(case));
            if !legality.consistent() {
                let told = match joined(legality.by_check.iter().map(|(c, _)| c), ", ") {
                    none if none.is_empty() => "nothing".to_owned(),
                    told => told,
                };
                let message =
                    format!("its checks and the contract disagree: the contract finds {told}");
                self.add(Finding::of(case, target, "disagreement", message));
            }
            let clauses = |list: &[(Clause, String)]| list.iter().map(|(c, _)| *c).collect();
            let rejected_by: Vec<Clause> = clauses(&legality.rejected);
            let rejected = self.states(case, target, ExpectedOutcome::Rejected, &rejected_by);
            let mut undefined_by: Vec<Clause> = clauses(&legality.preconditions);
            // `undefined` is of all of a result.
            let open = legality.undefined.iter();
            let whole = open.filter(|open| open.elements.is_none());
            undefined_by.extend(whole.map(|open| open.clause));
            let is_undefined = self.states(case, target, ExpectedOutcome::Undefined, &undefined_by);
            let legal = legality.rejected.is_empty();
            // Of what nothing is promised it is not promised that it hangs.
            let is_promised = legal && legality.preconditions.is_empty();
            // Of indices of a call that is promised nothing, nothing is to be said.
            let runs = legal && legality.preconditions.len() == legality.by_data;
            if runs {
                runs_on.push(target);
            }
            if rejected {
                self.expected += legality.rejected.len() as u64;
            } else {
                for (clause, why) in &legality.rejected {
                    let finding = Finding::of(case, target, "rejected", why.clone());
                    let help = lifted(case, target, *clause, &options);
                    self.add(Finding { help, ..finding }.by(*clause));
                }
            }
            if by_chance && !is_undefined {
                let by_call = legality.preconditions.len() - legality.by_data;
                legality.preconditions.truncate(by_call);
            }
            if is_undefined {
                self.expected += legality.preconditions.len() as u64;
            } else if legality.rejected.is_empty() {
                for (clause, why) in legality.preconditions {
                    // The case may be there to show it.
                    match case.holes.iter().any(|hole| is_of(hole, target, clause)) {
                        true => self.expected += 1,
                        false => undefined.push((target, clause, why)),
                    }
                }
            }
            let open = legality.undefined;
            if let Some(undefined) = open.filter(|open| !(by_chance && open.is_by_index())) {
                let shows = |hole: &Hole| {
                    hole.targets.contains(&target) && hole.clauses.contains(&undefined.clause)
                };
                // A run looks whether it says so.
                let is_said = says_of_each_element(case, target);
                match is_undefined || is_said || case.holes.iter().any(shows) {
                    true => self.expected += 1,
                    false => {
                        let message = undefined.said(case);
                        let finding = Finding::of(case, target, "undefined-result", message);
                        self.add(finding.by(undefined.clause));
                    }
                }
            }
            let hangs = ptodiff_runner::hangs(read, target).filter(|_| legal);
            self.hang(case, target, hangs.as_slice(), is_promised);
            if legal {
                if hangs.is_none() {
                    self.unflushed(case, target);
                }
                self.dropped(case, target);
                self.caller(case, target);
                self.reading(case, target, !by_chance);
            }
        }
        self.preconditions(case, read, undefined);
        remarks::of_data(read, &runs_on, |remark| self.add(remark));
    }

    /// Whether the case says that this comes on `target`: by one of the clauses that are `found`,
    /// or without one. What it says that is not so is a finding.
    fn states(
        &mut self,
        case: &Case,
        target: Target,
        outcome: ExpectedOutcome,
        found: &[Clause],
    ) -> bool {
        let by = match outcome {
            ExpectedOutcome::Rejected => &case.rejected[..],
            ExpectedOutcome::Undefined => &case.undefined,
            ExpectedOutcome::Hangs => &case.hangs,
            ExpectedOutcome::Result => &[],
        };
        let by = by.iter().filter(|(known, _)| *known == target);
        let bare = |own: &Expectation| {
            own.answer.is_none() && own.outcome == outcome && own.targets.contains(&target)
        };
        let bare = case.expect.iter().any(bare).then_some(None);
        let stated = by.map(|(_, clause)| Some(*clause)).chain(bare);
        let is_so = |by: &Option<Clause>| by.map_or(!found.is_empty(), |by| found.contains(&by));
        let (right, wrong): (Vec<_>, Vec<_>) = stated.partition(is_so);
        // What leaves a result open is looked for to the end by a run alone.
        let open = outcome == ExpectedOutcome::Undefined && !found.is_empty();
        if !wrong.is_empty() && ptodiff_runner::is_as_stated(case, target, &self.options) {
            let unmet = open.then(|| unmet(case, target, &self.options));
            let is_wrong = |by: &Option<Clause>| unmet.as_ref().is_none_or(|all| all.contains(by));
            for clause in wrong.into_iter().filter(is_wrong) {
                let message = match found {
                    [] => format!("the case states `{outcome}`, and that is not so"),
                    by => format!(
                        "the case states `{outcome}`, and it is by {}",
                        joined(by, ", ")
                    ),
                };
                let mut finding = Finding::of(case, target, "expectation", message);
                if outcome == ExpectedOutcome::Undefined && found.is_empty() {
                    finding = finding.help(
                        "it is of all of a result: `expect` says what each element holds, or `any`",
                    );
                }
                self.add(Finding { clause, ..finding });
            }
        }
        !right.is_empty()
    }

    /// What the caller owes, if somebody asks.
    fn caller(&mut self, case: &Case, target: Target) {
        let mut owed = caller::owed(&case.call, target);
        owed.retain(|(_, by)| self.is_asked("caller", Some(*by)));
        for (duty, by) in owed {
            self.add(Finding::of(case, target, "caller", duty).by(by));
        }
    }

    /// Under which readings the call is not legal, if somebody asks.
    fn reading(&mut self, case: &Case, target: Target, with_data: bool) {
        if !self.is_asked("reading", None) || !missing_flushes(case, target).is_empty() {
            return;
        }
        for bar in ptodiff_runner::barring(case, target, with_data, &self.options) {
            let message = format!(
                "legal, but under `--reading {}={}`: {}",
                bar.gap, bar.choice, bar.why
            );
            self.add(Finding::of(case, target, "reading", message).by(bar.clause));
        }
    }

    /// Broken preconditions, with what comes of them where `case` is `read` so.
    fn preconditions(&mut self, case: &Case, read: &Case, broken: Vec<(Target, Clause, String)>) {
        if broken.is_empty() {
            return;
        }
        let stimulus = ptodiff_generate::stimulus(case, 0);
        let schedule = ptodiff_runner::schedule(0);
        let holes = ptodiff_runner::trial(read, &stimulus.steps, &schedule).holes();
        let targets: Vec<Target> = broken.iter().map(|(target, ..)| *target).collect();
        for (target, clause, why) in broken {
            let hole = holes.iter().find(|hole| is_of(hole, target, clause));
            // Which of several does it nobody knows.
            let alone = targets.iter().filter(|other| **other == target).count() == 1;
            let it = if alone { "it" } else { "with the others it" };
            let comes = match hole.map(|hole| hole.place) {
                Some(HolePlace::OutOfBoundsWrite) => format!("{it} writes outside its operand"),
                Some(HolePlace::OutOfBoundsRead) => format!("{it} reads outside its operand"),
                Some(HolePlace::Hang) => format!("{it} never returns"),
                _ => "nothing is promised of the result".to_owned(),
            };
            let message = format!("{why}; nobody checks it, and {comes}");
            let kind = match family(clause) {
                "UB" => "budget",
                "ALIGN" => "alignment",
                _ => "precondition",
            };
            let finding = Finding::of(case, target, kind, message);
            let help = lifted(case, target, clause, &self.options);
            self.add(Finding { help, ..finding }.by(clause));
        }
    }

    /// That it never returns, by a clause, which may be promised.
    fn hang(&mut self, case: &Case, target: Target, by: &[Clause], is_promised: bool) {
        let promised = if is_promised { by } else { &[] };
        let stated = self.states(case, target, ExpectedOutcome::Hangs, promised);
        // Where there is nothing to do nothing may be launched; who states it is told above.
        let mut operands = case.call.operands().into_iter();
        let idle = operands.any(|(_, own)| place::count(&place::extents(own)) == Some(0));
        let is_told = case.hangs.iter().any(|(own, _)| *own == target);
        let Some(clause) = by.first().filter(|_| is_promised || !(idle || is_told)) else {
            return;
        };
        if stated {
            self.expected += 1;
            return;
        }
        let message = "it never returns: a kernel that is called through a function pointer has \
                       no SIMT context";
        let finding = Finding::of(case, target, "hang", message.to_owned()).by(*clause);
        self.add(finding.help(match case.call {
            Call::Mscatter(_) | Call::Mgather(_) => {
                "launch the kernel itself, or use Elem with one element"
            }
            _ => "launch the kernel itself",
        }));
    }

    /// A flush that the call says is left out.
    fn unflushed(&mut self, case: &Case, target: Target) {
        for by in missing_flushes(case, target) {
            if case.covers.contains(&by) || says_of_each_element(case, target) {
                self.expected += 1;
                continue;
            }
            let message = "no cache is flushed behind the call: the host may read what the table \
                           held before it; nobody checks it";
            let finding = Finding::of(case, target, "precondition", message.to_owned());
            self.add(finding.by(by));
        }
    }

    /// Policies that the target does not look at.
    fn dropped(&mut self, case: &Case, target: Target) {
        let Call::Mscatter(call) = &case.call else {
            return;
        };
        let cpu_form = self.options.readings(case)[target].cpu_form;
        let (adds, no_default) = (
            call.atomic != ScatterAtomicOp::None,
            call.conflict != ScatterConflict::default(),
        );
        let atomic = format!(
            "there is no {} here: the value replaces what stands there",
            call.atomic
        );
        let beside = format!("the conflict policy says nothing beside {}", call.atomic);
        let oob = format!(
            "there is no {} here: every index must be in range",
            call.oob
        );
        let conflict = match target {
            Target::A2a3 if adds => format!("{} takes every lane", call.atomic),
            _ => "the last in the order of the walk wins".to_owned(),
        };
        let conflict = format!("there is no conflict policy here: {conflict}");
        let policies = match (target, cpu_form) {
            (Target::A5, _) => vec![("MSCATTER-CONF-09", adds && no_default, beside)],
            (Target::A2a3, _) => vec![("MSCATTER-CONF-10", no_default, conflict)],
            (Target::Cpu, CpuForm::Templated) => Vec::new(),
            (Target::Cpu, CpuForm::Documented) => vec![
                ("MSCATTER-ATOM-18", adds, atomic),
                ("MSCATTER-OOB-17", call.oob != ScatterOob::default(), oob),
                ("MSCATTER-CONF-14", no_default, conflict),
            ],
        };
        for (clause, _, message) in policies.into_iter().filter(|(_, is_given, _)| *is_given) {
            self.add(Finding::of(case, target, "dropped-policy", message).by(Clause(clause)));
        }
    }
}

/// The clauses that a run of `case` on `target` does not find where the case expects them.
fn unmet(case: &Case, target: Target, options: &Options) -> Vec<Option<Clause>> {
    let options = Options {
        targets: vec![target],
        ..options.clone()
    };
    let ran = ptodiff_runner::run(std::slice::from_ref(case), &options).unwrap_or_default();
    let own = ran
        .iter()
        .filter_map(|case| case.targets.get(&Party::of(target)));
    let findings = own.flat_map(|own| &own.findings);
    let stated = case.undefined.iter().map(|(_, clause)| *clause);
    let is_unmet = |clause: &Clause| {
        let mut found = findings.clone();
        found.any(|finding| finding.clause.as_deref() == Some(clause.0))
    };
    stated.filter(is_unmet).map(Some).collect()
}

/// The clauses by which the caller owes a flush that the call says is left out.
fn missing_flushes(case: &Case, target: Target) -> Vec<Clause> {
    let missing = |launch: &Launch| launch.flush == CacheFlush::Missing;
    if !case.call.launch().is_some_and(missing) {
        return Vec::new();
    }
    let owed = ptodiff_runner::duties(&case.call, target).into_iter();
    let flushes = owed.filter(|(duty, _)| *duty == Duty::Flush);
    flushes.map(|(_, by)| by).collect()
}

/// Whether the indices of a gather to L1 do not lie one behind the other in GM.
fn has_gaps(case: &Case) -> bool {
    let index = case.call.operand(Role::Index);
    index.is_some_and(|index| {
        let all = limits::data_elements(Role::Index, index, 1);
        matches!(case.call, Call::MgatherL1(_)) && all < limits::stored_elements(index)
    })
}

/// Whether an entry of `case` says what each element of its output holds on `target`.
fn says_of_each_element(case: &Case, target: Target) -> bool {
    let output = case.call.output();
    let mut entries = case
        .expect
        .iter()
        .filter(|own| own.targets.contains(&target));
    entries.any(|own| own.answer.is_none() && own.slots.iter().any(|slots| slots.role == output))
}

/// Whether `hole` is that no check enforces `clause` on `target`.
fn is_of(hole: &Hole, target: Target, clause: Clause) -> bool {
    hole.kind == HoleKind::UncheckedPrecondition
        && hole.targets.contains(&target)
        && hole.clauses.contains(&clause)
}

/// What kind of statement a clause is, by the middle of its number.
fn family(clause: Clause) -> &'static str {
    clause.0.split('-').nth(1).unwrap_or_default()
}

/// The readings under which the call is legal, as options of a command; where none is, those
/// under which the clause at least is not broken.
fn lifted(case: &Case, target: Target, clause: Clause, options: &Options) -> Option<String> {
    let all = ptodiff_runner::lifting(case, target, clause, options);
    let told = |legal: bool| {
        let those = all.iter().filter(|lifting| lifting.legal == legal);
        let those = those.map(|one| format!("--reading {}={}", one.gap, one.choice));
        Some(joined(those, " or ")).filter(|told| !told.is_empty())
    };
    let goes = |told| format!("this goes under {told}, and the rest stays");
    let flushed = missing_flushes(case, target).is_empty();
    let legal = told(true).map(|told| match flushed {
        true => format!("legal under {told}"),
        false => goes(told),
    });
    legal.or_else(|| told(false).map(goes))
}
