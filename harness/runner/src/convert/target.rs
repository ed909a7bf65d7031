//! One party's verdict in the record.

use ptodiff_case::Case;
use ptodiff_isa::{Clause, Party, Target};
use ptodiff_judge::{Detail, Place};
use ptodiff_record::{self as record, Finding, Reason, TargetRecord, counted};

use super::slot::{schedule, wrong_slot};
use crate::account::Account;

pub(super) fn target_record(
    case: &Case,
    account: &Account,
    judged: &ptodiff_judge::TargetVerdict,
    failure_groups: &[String],
) -> TargetRecord {
    use ptodiff_judge::TargetVerdict as J;
    let mut out = TargetRecord {
        verdict: record::TargetVerdict::Conforms,
        reasons: Vec::new(),
        findings: Vec::new(),
        out_of_bounds: account.oob_accesses(),
        unseen: Vec::new(),
        wide: account.wide(),
        deviates_from: account.deviates_from(),
        why: None,
        stderr: account.last_words().to_vec(),
        flaky: account.flaky().to_vec(),
    };
    match judged {
        J::Conforms { unseen, .. } => {
            let seen_as = |u: &ptodiff_judge::Unseen| record::Unseen {
                slots: u.slots,
                clause: u.clause.to_string(),
            };
            out.unseen = unseen.iter().map(seen_as).collect();
        }
        J::RejectedAsDocumented {
            reasons,
            documented,
        } => {
            out.verdict = record::TargetVerdict::Rejected;
            // An implementation need not name a clause, and none is put into its mouth.
            let named = match account.said() {
                None if reasons.is_empty() => documented,
                _ => reasons,
            };
            out.reasons = with_reasons(account, named);
            out.why = account.said();
        }
        J::Unsupported(why) => {
            out.verdict = record::TargetVerdict::Unsupported;
            out.why = Some(why.clone());
        }
        J::Hangs(clause) => {
            out.verdict = record::TargetVerdict::Hangs;
            out.reasons = vec![Reason {
                clause: clause.to_string(),
                why: "the first async_invoke has no SIMT context".to_owned(),
            }];
        }
        J::Undefined(preconditions) => {
            out.verdict = record::TargetVerdict::Undefined;
            out.reasons = with_reasons(account, preconditions);
        }
        J::Violates { findings, .. } => {
            out.verdict = record::TargetVerdict::Violates;
            let instruction = case.call.instruction();
            let party = &account.party;
            out.findings = findings
                .iter()
                .map(|f| {
                    let failure_group = ptodiff_judge::finding_group(instruction, party, f);
                    finding(party, failure_group, f)
                })
                .collect();
        }
        J::Unjudged(why) => {
            out.verdict = record::TargetVerdict::Violates;
            out.findings = failure_groups
                .iter()
                .map(|s| told(s.clone(), format!("could not be judged: {why:?}")))
                .collect();
        }
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
    // The contract may leave every slot open though no precondition is broken.
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

fn told(failure_group: String, what: String) -> Finding {
    Finding {
        failure_group,
        what,
        clause: None,
        schedule: None,
        slot: None,
    }
}

fn finding(party: &Party, failure_group: String, found: &ptodiff_judge::Finding) -> Finding {
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
            "{} changed in a guard zone of the {role}, the first at byte {offset}: {before:#04x} became {got:#04x}",
            counted(*bytes, "byte")
        ),
        Detail::Input { step, role } => {
            format!("the {role} of call {step} is only read, and changed")
        }
        Detail::OutOfBounds { first, count } => match first {
            Some(s) => format!(
                "{}, the first a {} of {} at byte {} of the {}",
                outside(*count),
                if s.write { "write" } else { "read" },
                counted(s.len, "byte"),
                s.offset,
                s.role
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
            .map(schedule),
        slot,
    }
}

fn outside(count: u64) -> String {
    counted(count, "out-of-bounds access")
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::Role;
    use ptodiff_judge::Place;

    use super::*;

    #[test]
    fn one_is_no_plural() {
        let what = |detail| {
            let found = ptodiff_judge::Finding {
                place: Place::Guard,
                clause: None,
                schedule: None,
                detail,
            };
            finding(&Party::of(Target::A5), String::new(), &found).what
        };
        let guard = |bytes| Detail::Guard {
            role: Role::Table,
            offset: -1,
            before: 1,
            got: 2,
            bytes,
        };
        assert!(what(guard(1)).starts_with("1 byte changed in"));
        assert!(what(guard(2)).starts_with("2 bytes changed in"));
        let oob_accesses = |count| Detail::OutOfBounds { first: None, count };
        assert_eq!(what(oob_accesses(1)), "1 out-of-bounds access");
        assert_eq!(what(oob_accesses(2)), "2 out-of-bounds accesses");
    }
}
