//! From verdicts to the record.

use std::collections::BTreeMap;

use ptodiff_case::Case;
use ptodiff_isa::{Clause, Schedule, Target};
use ptodiff_judge::{
    CaseVerdict, Cause, Coordinate, Detail, Differences, Lane, NotCompared, PairSlot, Permitted,
    SlotFinding, Value,
};
use ptodiff_record as record;
use ptodiff_record::{
    CaseRecord, Finding, PairRecord, ReadingUse, Reason, Slot, SlotValue, TargetRecord, Verdict,
};

use crate::{case::Account, describe};

/// The line of one case.
pub(crate) fn record(
    case: &Case,
    accounts: &[Account],
    verdict: &CaseVerdict,
    readings: Vec<ReadingUse>,
) -> CaseRecord {
    let instruction = case.call.instruction();
    let targets: BTreeMap<Target, TargetRecord> = verdict
        .targets
        .iter()
        .zip(accounts)
        .map(|((target, judged), account)| {
            let signatures = ptodiff_judge::target_signatures(instruction, *target, judged);
            (*target, target_record(case, account, judged, &signatures))
        })
        .collect();
    let pairs: Vec<PairRecord> = verdict
        .pairs
        .iter()
        .map(|(two, judged)| {
            let signatures = ptodiff_judge::pair_signatures(instruction, *two, judged);
            pair_record(*two, judged, signatures)
        })
        .collect();
    CaseRecord {
        id: case.id.clone(),
        name: case.name.clone(),
        suite: case.suite,
        instruction,
        file: case.place.file.to_string_lossy().replace('\\', "/"),
        line: case.place.line,
        call: describe(&case.call, case.chunks),
        verdict: overall(&targets, &pairs),
        odd_one_out: verdict.odd.map(|odd| odd.target),
        targets,
        pairs,
        readings,
        name_differs: case.name_differs.clone(),
    }
}

fn overall(targets: &BTreeMap<Target, TargetRecord>, pairs: &[PairRecord]) -> Verdict {
    use record::{PairVerdict as P, TargetVerdict as T};
    let count = |v: T| targets.values().filter(|t| t.verdict == v).count();
    let any = |v: P| pairs.iter().any(|p| p.verdict == v);
    if targets.is_empty() || count(T::Violates) > 0 || any(P::Violation) {
        Verdict::Violation
    } else if any(P::Permitted) {
        Verdict::Permitted
    } else if any(P::Agree) {
        Verdict::Agree
    } else if count(T::Conforms) > 0 {
        Verdict::Alone
    } else if count(T::Refused) == targets.len() {
        Verdict::Rejected
    } else {
        Verdict::Undefined
    }
}

fn target_record(
    case: &Case,
    account: &Account,
    judged: &ptodiff_judge::TargetVerdict,
    signatures: &[String],
) -> TargetRecord {
    use ptodiff_judge::TargetVerdict as J;
    let mut out = TargetRecord {
        verdict: record::TargetVerdict::Conforms,
        reasons: Vec::new(),
        findings: Vec::new(),
        unseen: Vec::new(),
    };
    match judged {
        J::Conforms { unseen, .. } => {
            let seen_as = |u: &ptodiff_judge::Unseen| record::Unseen {
                slots: u.slots,
                clause: u.clause.to_string(),
            };
            out.unseen = unseen.iter().map(seen_as).collect();
        }
        J::RefusedAsDocumented { reasons, .. } => {
            out.verdict = record::TargetVerdict::Refused;
            out.reasons = with_reasons(account, reasons);
        }
        J::Undefined(duties) => {
            out.verdict = record::TargetVerdict::Undefined;
            out.reasons = with_reasons(account, duties);
        }
        J::Violates { findings, .. } => {
            out.verdict = record::TargetVerdict::Violates;
            let instruction = case.call.instruction();
            let target = account.target;
            out.findings = findings
                .iter()
                .map(|f| {
                    let clause = f.clause.map_or("-", |c| c.0);
                    let signature = format!("{instruction} {target} {} {clause}", f.place);
                    finding(target, signature, f)
                })
                .collect();
        }
        J::Unjudged(why) => {
            out.verdict = record::TargetVerdict::Violates;
            out.findings = signatures
                .iter()
                .map(|s| told(s.clone(), format!("could not be judged: {why:?}")))
                .collect();
        }
    }
    if case.suite == Some(account.target)
        && out.verdict != record::TargetVerdict::Conforms
        && out.findings.is_empty()
        && !account.no_result_expected()
    {
        out.verdict = record::TargetVerdict::Violates;
        let signature = format!(
            "{} {} expectation suite",
            case.call.instruction(),
            account.target
        );
        let what =
            "the suite of this target runs the case, the documents promise nothing about it here"
                .to_owned();
        out.findings.push(told(signature, what));
    }
    out
}

/// Each of `clauses` once, with the first reason given for it, in the order in
/// which target and contract named them: what is wrong with the whole call
/// comes before its details.
fn with_reasons(account: &Account, clauses: &[Clause]) -> Vec<Reason> {
    let mut out: Vec<Reason> = Vec::new();
    for (clause, why) in account.reasons().filter(|(c, _)| clauses.contains(c)) {
        if out.iter().all(|r| r.clause != clause.0) {
            out.push(Reason {
                clause: clause.to_string(),
                why: why.to_owned(),
            });
        }
    }
    // The contract may leave every slot open though no duty is broken.
    for clause in clauses {
        if out.iter().all(|r| r.clause != clause.0) {
            out.push(Reason {
                clause: clause.to_string(),
                why: "every slot of the result is open".to_owned(),
            });
        }
    }
    out
}

fn told(signature: String, what: String) -> Finding {
    Finding {
        signature,
        what,
        clause: None,
        schedule: None,
        slot: None,
    }
}

fn finding(target: Target, signature: String, found: &ptodiff_judge::Finding) -> Finding {
    let mut slot = None;
    let what = match &found.detail {
        Detail::Slot(wrong) => {
            slot = Some(wrong_slot(target, wrong, found.clause));
            "a slot holds what no permit allows".to_owned()
        }
        Detail::Guard {
            role,
            offset,
            before,
            got,
            bytes,
        } => format!(
            "{bytes} bytes changed in a guard zone of the {role}, the first at byte {offset}: {before:#04x} became {got:#04x}"
        ),
        Detail::Input { step, role } => {
            format!("the {role} of call {step} is only read, and changed")
        }
        Detail::Stray { first, count } => match first {
            Some(s) => format!(
                "{count} accesses outside operands, the first a {} of {} bytes at byte {} of the {}",
                if s.write { "write" } else { "read" },
                s.len,
                s.offset,
                s.role
            ),
            None => format!("{count} accesses outside operands"),
        },
        Detail::Text(text) => text.clone(),
    };
    Finding {
        signature,
        what,
        clause: found.clause.map(|c| c.to_string()),
        schedule: found
            .schedule
            .filter(|_| target == Target::A5)
            .map(schedule),
        slot,
    }
}

fn schedule(schedule: Schedule) -> String {
    match schedule {
        Schedule::InOrder => "in order".to_owned(),
        Schedule::Reversed => "reversed".to_owned(),
        Schedule::Shuffled(seed) => format!("shuffled {seed}"),
    }
}

fn wrong_slot(target: Target, wrong: &SlotFinding, clause: Option<Clause>) -> Slot {
    Slot {
        role: wrong.role,
        offset: wrong.offset as i64,
        element: wrong.element as u64,
        at: at(wrong.coordinate, false),
        before: value(wrong.before),
        got: BTreeMap::from([(target, value(wrong.got))]),
        permitted: Some(permitted(&wrong.permitted)),
        clauses: clause
            .into_iter()
            .chain(wrong.freedom)
            .map(|c| c.to_string())
            .collect(),
        lanes: named(&wrong.lanes),
        more_lanes: unnamed(&wrong.lanes),
        schedule: None,
    }
}

fn permitted(permitted: &Permitted) -> String {
    let text = |v: &Value| {
        let v = value(*v);
        format!("{} ({})", v.value, v.bits)
    };
    match permitted {
        Permitted::Kept(v) => format!("kept {}", text(v)),
        Permitted::Exactly(v) => text(v),
        Permitted::OneOf { first, count } => {
            let shown: Vec<String> = first.iter().map(text).collect();
            let more = if *count > first.len() {
                format!(" or {} more", count - first.len())
            } else {
                String::new()
            };
            format!("one of {}{more}", shown.join(", "))
        }
        Permitted::Between { low, high } => format!("from {} to {}", text(low), text(high)),
    }
}

fn at(coordinate: Option<Coordinate>, padding: bool) -> String {
    match (coordinate, padding) {
        (Some(c), false) => c.to_string(),
        (Some(c), true) => format!("{c} padding"),
        (None, _) => "no logical place".to_owned(),
    }
}

fn value(value: Value) -> SlotValue {
    SlotValue {
        bits: value.hex(),
        value: value.text().unwrap_or_else(|| value.hex()),
    }
}

/// The first lanes, for the record.
fn named(lanes: &[Lane]) -> Vec<record::Lane> {
    let lane = |lane: &Lane| record::Lane {
        step: u32::try_from(lane.step).unwrap_or(u32::MAX),
        r: lane.r,
        c: lane.c,
    };
    lanes.iter().take(Slot::LANES).map(lane).collect()
}

/// How many lanes [`named`] leaves out.
fn unnamed(lanes: &[Lane]) -> u64 {
    lanes.len().saturating_sub(Slot::LANES) as u64
}

fn pair_record(
    targets: [Target; 2],
    judged: &ptodiff_judge::PairVerdict,
    signatures: Vec<String>,
) -> PairRecord {
    use ptodiff_judge::PairVerdict as J;
    let mut out = PairRecord {
        targets: targets.into(),
        verdict: record::PairVerdict::Agree,
        why: None,
        clauses: Vec::new(),
        compared: 0,
        differing: 0,
        slots: Vec::new(),
        signatures,
    };
    let mut differ = |verdict, differences: &Differences| {
        out.verdict = verdict;
        out.differing = differences.slots;
        out.slots = differences
            .described
            .iter()
            .map(|s| pair_slot(targets, s))
            .collect();
    };
    match judged {
        J::Agree { compared } => out.compared = *compared,
        J::Permitted {
            clauses,
            differences,
        } => {
            differ(record::PairVerdict::Permitted, differences);
            out.clauses = clauses.iter().map(ToString::to_string).collect();
        }
        J::Violation { cause, differences } => {
            differ(record::PairVerdict::Violation, differences);
            out.why = Some(match cause {
                Cause::Broken(who) => format!("{} breaks its contract", names(who)),
                Cause::Contradiction => {
                    "both keep their contract, and no clause lets them differ".to_owned()
                }
            });
        }
        J::NotCompared(why) => not_compared(&mut out, why),
    }
    out
}

fn not_compared(out: &mut PairRecord, why: &NotCompared) {
    out.verdict = record::PairVerdict::NotCompared;
    let text = match why {
        NotCompared::Refused(who) => format!("{} refuses", names(who)),
        NotCompared::Undefined(who) => format!("{} promises nothing", names(who)),
        // A comparison that compares nothing must not pass for one.
        NotCompared::Unjudged(who) => {
            out.verdict = record::PairVerdict::Violation;
            format!("{} could not be judged", names(who))
        }
        NotCompared::Open => "every slot is left open by one of them".to_owned(),
        NotCompared::NothingCompared => {
            out.verdict = record::PairVerdict::Violation;
            "there is no result to compare".to_owned()
        }
    };
    out.why = Some(text);
}

fn names(targets: &[Target]) -> String {
    let names: Vec<String> = targets.iter().map(ToString::to_string).collect();
    names.join(" and ")
}

fn pair_slot(targets: [Target; 2], slot: &PairSlot) -> Slot {
    let mut lanes: Vec<Lane> = slot.lanes.iter().flatten().copied().collect();
    lanes.sort_unstable();
    lanes.dedup();
    let mut clauses: Vec<String> = slot
        .ruled
        .iter()
        .flatten()
        .chain(&slot.clauses)
        .map(ToString::to_string)
        .collect();
    clauses.sort_unstable();
    clauses.dedup();
    Slot {
        role: slot.role,
        offset: slot.offset as i64,
        element: slot.element as u64,
        at: at(slot.coordinate, slot.place == ptodiff_judge::Place::Padding),
        before: value(slot.before),
        got: targets.into_iter().zip(slot.got.map(value)).collect(),
        permitted: None,
        clauses,
        lanes: named(&lanes),
        more_lanes: unnamed(&lanes),
        schedule: targets
            .into_iter()
            .zip(slot.schedules)
            .find(|(t, _)| *t == Target::A5)
            .map(|(_, s)| schedule(s)),
    }
}
