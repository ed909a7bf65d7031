//! How two parties compare, in the record.

use ptodiff_isa::{Instruction, Party};
use ptodiff_judge::{Cause, Differences, NotCompared, pair_failure_groups};
use ptodiff_record::{self as record, PairRecord, joined};

use super::slot::pair_slot;

pub(super) fn pair_record(
    instruction: Instruction,
    parties: &[Party; 2],
    judged: &ptodiff_judge::PairVerdict,
) -> PairRecord {
    use ptodiff_judge::PairVerdict as J;
    let mut out = PairRecord {
        targets: parties.clone().into(),
        verdict: record::PairVerdict::Agree,
        why: None,
        clauses: Vec::new(),
        compared: 0,
        differing: 0,
        slots: Vec::new(),
        failure_groups: pair_failure_groups(instruction, parties, judged),
    };
    let mut differ = |verdict, differences: &Differences| {
        out.verdict = verdict;
        out.differing = differences.slots;
        out.slots = differences
            .described
            .iter()
            .map(|s| pair_slot(parties, s))
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
                Cause::Broken(who) => match who.as_slice() {
                    [one] => format!("{one} breaks its contract"),
                    all => format!("{} break their contracts", joined(all, " and ")),
                },
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
        NotCompared::Unsupported(who) => format!("{} cannot run it", joined(who, " and ")),
        NotCompared::Rejected(who) => joined(who, " and ") + PairRecord::REJECTED,
        NotCompared::Hangs(who) => joined(who, " and ") + ": hangs",
        NotCompared::Undefined(who) => joined(who, " and ") + ": undefined",
        // A comparison that compares nothing must not pass for one.
        NotCompared::Unjudged(who) => {
            out.verdict = record::PairVerdict::Violation;
            format!("{} could not be judged", joined(who, " and "))
        }
        NotCompared::Open => "every slot is left open by one of them".to_owned(),
        NotCompared::NothingCompared => {
            out.verdict = record::PairVerdict::Violation;
            "there is no result to compare".to_owned()
        }
    };
    out.why = Some(text);
}
