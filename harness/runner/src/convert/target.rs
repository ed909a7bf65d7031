//! One party's verdict in the record.

use ptodiff_case::{Case, Form};
use ptodiff_isa::{Clause, Party, Target};
use ptodiff_judge::{Detail, InputChanged, Place};
use ptodiff_record::{self as record, Finding, Reason, TargetRecord, counted};

use super::slot::wrong_slot;
use crate::{expectation, party_run::PartyRun};

pub(super) fn target_record(
    case: &Case,
    party_run: &PartyRun,
    judged: &ptodiff_judge::TargetVerdict,
) -> TargetRecord {
    use ptodiff_judge::TargetVerdict as J;
    let (instruction, party) = (case.call.instruction(), &party_run.party);
    let mut out = TargetRecord {
        verdict: record::TargetVerdict::Violates,
        reasons: reasons(party_run, judged),
        findings: Vec::new(),
        wrong: None,
        out_of_bounds: party_run.oob_accesses(),
        excused_by: None,
        unseen: Vec::new(),
        wide: party_run.wide(),
        deviates_from: party_run.deviates_from.clone(),
        why: None,
        stderr: party_run.last_words.clone(),
        flaky: party_run.flaky.clone(),
    };
    match judged {
        J::Conforms { .. } => {
            out.verdict = record::TargetVerdict::Conforms;
            let written = |u: ptodiff_judge::UnusedFreedom| record::Unseen {
                slots: u.slots,
                clause: u.clause.to_string(),
            };
            let unused = ptodiff_judge::unused_freedom(&party_run.input());
            out.unseen = unused.into_iter().map(written).collect();
            let permits = party_run.promise.permits();
            let excused = permits.filter(|_| out.out_of_bounds > 0);
            let by = excused.and_then(|permits| permits.oob_accesses);
            out.excused_by = by.map(|clause| clause.to_string());
        }
        J::RejectedAsDocumented { .. } => {
            out.verdict = record::TargetVerdict::Rejected;
            out.why = party_run.said();
        }
        J::Unsupported(why) => {
            out.verdict = record::TargetVerdict::Unsupported;
            out.why = Some(why.clone());
        }
        J::Hangs(_) => out.verdict = record::TargetVerdict::Hangs,
        J::Undefined(_) => out.verdict = record::TargetVerdict::Undefined,
        J::Violates { findings, .. } => {
            let found = |f: &ptodiff_judge::Finding| {
                let group = ptodiff_judge::finding_group(instruction, party, f);
                let mut found = finding(case, party, group, f);
                if let Some(behind) = &party_run.behind {
                    found.what += &format!("{}{behind}, not alone", Finding::BEHIND);
                }
                found
            };
            out.findings = findings.iter().map(found).collect();
        }
        J::Unjudged(why) => {
            let groups = ptodiff_judge::target_failure_groups(instruction, party, judged);
            let found = |group| bare_finding(group, format!("could not be judged: {why:?}"));
            out.findings = groups.into_iter().map(found).collect();
        }
    }
    out
}

/// Why a party without a result has none.
fn reasons(party_run: &PartyRun, judged: &ptodiff_judge::TargetVerdict) -> Vec<Reason> {
    use ptodiff_judge::TargetVerdict as J;
    match judged {
        // An implementation need not name a clause, and none is put into its mouth.
        J::RejectedAsDocumented {
            reasons,
            documented,
        } => match party_run.said() {
            None if reasons.is_empty() => with_reasons(party_run, documented),
            _ => with_reasons(party_run, reasons),
        },
        J::Undefined(preconditions) => with_reasons(party_run, preconditions),
        J::Hangs(clause) => vec![Reason {
            clause: clause.to_string(),
            why: Reason::NEVER_RETURNS.to_owned(),
        }],
        // What came of the call says why the case expects too much.
        J::Violates { otherwise, .. } => {
            let otherwise = otherwise.as_deref();
            otherwise.map_or_else(Vec::new, |verdict| reasons(party_run, verdict))
        }
        J::Conforms { .. } | J::Unsupported(_) | J::Unjudged(_) => Vec::new(),
    }
}

/// Each of `clauses` once, with the first reason given for it, in the order in
/// which target and contract named them: what is wrong with the whole call
/// comes before its details.
fn with_reasons(party_run: &PartyRun, clauses: &[Clause]) -> Vec<Reason> {
    let mut out: Vec<Reason> = Vec::new();
    let given = party_run.reasons().filter(|(c, _)| clauses.contains(c));
    // The contract may leave every slot open though no precondition is broken.
    let open = clauses
        .iter()
        .map(|c| (*c, "every slot of the result is open"));
    for (clause, why) in given.chain(open) {
        if out.iter().all(|r| r.clause != clause.0) {
            out.push(Reason {
                clause: clause.to_string(),
                why: why.to_owned(),
            });
        }
    }
    out
}

/// A finding of these words alone.
pub(crate) fn bare_finding(failure_group: String, what: String) -> Finding {
    Finding {
        failure_group,
        what,
        clause: None,
        schedule: None,
        slot: None,
        line: None,
    }
}

fn finding(
    case: &Case,
    party: &Party,
    failure_group: String,
    found: &ptodiff_judge::Finding,
) -> Finding {
    let key = |role| Form::of(&case.call).key(role);
    let mut slot = None;
    let what = match &found.detail {
        Detail::Slot(wrong) => {
            slot = Some(wrong_slot(party, wrong, found));
            match found.place {
                Place::Expectation => "a slot does not hold what the case expects",
                _ => "a slot holds what no permit allows",
            }
            .to_owned()
        }
        Detail::Guard {
            role,
            offset,
            before,
            got,
            bytes,
        } => format!(
            "{} changed in a guard zone of the {}, the first at byte {offset}: {before:#04x} became {got:#04x}",
            counted(*bytes, "byte"),
            key(*role)
        ),
        Detail::Input(InputChanged { step, role }) => format!(
            "the {} of call {step} is only read, and changed",
            key(*role)
        ),
        Detail::OutOfBounds { first, count } => match first {
            Some(s) => format!(
                "{}, the first a {} of {} at byte {} of the {}",
                outside(*count),
                if s.write { "write" } else { "read" },
                counted(s.len, "byte"),
                s.offset,
                key(s.role)
            ),
            None => outside(*count),
        },
        Detail::Text(text) => text.clone(),
    };
    Finding {
        failure_group,
        what,
        clause: found.clause.map(|c| c.to_string()),
        schedule: found
            .schedule
            .filter(|_| party.target == Target::A5)
            .map(|s| s.to_string()),
        slot,
        line: (found.place == Place::Expectation)
            .then(|| expectation::line(case, party.target, found))
            .flatten(),
    }
}

fn outside(count: u64) -> String {
    counted(count, "out-of-bounds access")
}
