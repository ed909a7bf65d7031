//! A run with an implementation under test that takes the first writer of a slot.

use ptodiff_isa::{Instruction, Party, Role};
use ptodiff_record::{
    CaseRecord, Diagnosis, Finding, Header, PairRecord, PairVerdict, TargetVerdict, Verdict,
};
use serde_json::json;

use super::{A2a3, A5, case, did, made, mixed, pair, violating};

/// Its failure group, the most frequent one.
const GROUP: &str = "MSCATTER a5:mine valid MSCATTER-SEM-02";

/// The run: header, cases and what was diagnosed.
pub(crate) fn tested() -> (Header, Vec<CaseRecord>, Vec<Diagnosis>) {
    let cases = cases();
    let header = Header {
        implementations: made(json!([{"party": mine(), "introduced": "simulator 3"}])),
        ..super::header(&cases)
    };
    let fit = json!({
        "name": "first-writer", "sentence": "takes the first writer of a slot, not the last",
        "explains": 3, "contradicts": 0,
    });
    let diagnosis = json!({
        "party": mine(), "failure_group": GROUP, "failures": 3, "passes": 41, "fits": [fit],
    });
    (header, cases, vec![made(diagnosis)])
}

fn mine() -> Party {
    Party::form(A5, "mine")
}

fn cases() -> Vec<CaseRecord> {
    let mut all: Vec<_> = mixed();
    all.retain(|case| case.verdict != Verdict::Violation);
    for case in &mut all {
        case.targets.insert(mine(), did(TargetVerdict::Conforms));
        if !case.pairs.is_empty() {
            case.pairs.push(with_mine(PairVerdict::Agree));
        }
    }
    // Every instruction in every form: as many pairs as a run may have.
    let forms = ["Scalar", "Simt", "current"];
    let instructions = [
        Instruction::Mgather,
        Instruction::Mscatter,
        Instruction::Tscatter,
        Instruction::Tgatherb,
    ];
    for instruction in instructions {
        for form in forms {
            let mut one = case("cases/axes/forms.yaml", &format!("{instruction}_{form}"));
            one.instruction = instruction;
            let form = Party::form(A5, form);
            one.targets
                .insert(form.clone(), did(TargetVerdict::Conforms));
            one.targets.insert(mine(), did(TargetVerdict::Conforms));
            one.pairs.push(with_mine(PairVerdict::Agree));
            for other in [Party::of(A5), mine()] {
                let mut targets = [form.clone(), other];
                targets.sort();
                let [a, b] = targets;
                one.pairs.push(pair(a, b, PairVerdict::Agree));
            }
            all.push(one);
        }
    }
    all.push(flaky());
    all.extend((0..3).map(wrong));
    all.push(crash());
    all
}

fn with_mine(verdict: PairVerdict) -> PairRecord {
    pair(Party::of(A5), mine(), verdict)
}

/// The same slots are wrong under two schedules.
fn wrong(n: usize) -> CaseRecord {
    let mut one = violating(
        "cases/clauses/mscatter.yaml",
        &format!("last_writer_{n}"),
        GROUP,
    );
    let mut theirs = did(TargetVerdict::Violates);
    if let Some(a5) = one.targets.get_mut(&Party::of(A5)) {
        theirs.findings = std::mem::take(&mut a5.findings);
        a5.verdict = TargetVerdict::Conforms;
    }
    for slot in theirs.findings.iter_mut().filter_map(|f| f.slot.as_mut()) {
        let got = std::mem::take(&mut slot.got).into_values();
        slot.got = got.map(|value| (mine(), value)).collect();
        slot.whose = vec!["tile (0, 5)".into()];
        slot.due = vec!["tile (5, 30)".into()];
        for (index, lane) in (7..).zip(&mut slot.lanes) {
            lane.index = Some(index);
        }
    }
    let again = |finding: &Finding| Finding {
        schedule: Some("in order".into()),
        ..finding.clone()
    };
    let more: Vec<_> = theirs.findings.iter().map(again).collect();
    theirs.findings.extend(more);
    one.targets.insert(mine(), theirs);
    one.outlier = Some(mine());
    one.pairs = [(0, A2a3), (1, A5)]
        .map(|(n, other)| {
            let mut two = one.pairs[n + 1].clone();
            two.targets = (Party::of(other), mine());
            two.why = Some("a5:mine breaks its contract".into());
            two.failure_groups.clear();
            for slot in &mut two.slots {
                let got = std::mem::take(&mut slot.got).into_iter();
                slot.got = got
                    .map(|(party, value)| match party == Party::of(A5) {
                        true => (mine(), value),
                        false => (Party::of(other), value),
                    })
                    .collect();
            }
            two
        })
        .into();
    one
}

/// Wrong when it was asked first, and right when it was asked again alone.
fn flaky() -> CaseRecord {
    let mut one = case("cases/clauses/mscatter.yaml", "wrong_once");
    let mut theirs = did(TargetVerdict::Conforms);
    let wrong = wrong(9).targets.remove(&mine());
    theirs.flaky = wrong.map(|t| t.findings).unwrap_or_default();
    theirs.flaky.truncate(1);
    // An operand is called by its key: here a scatter changed what it reads.
    for slot in theirs.flaky.iter_mut().filter_map(|f| f.slot.as_mut()) {
        (slot.role, slot.at) = (Role::Source, "(2, 5)".into());
    }
    one.targets.insert(mine(), theirs);
    one.pairs.push(with_mine(PairVerdict::Agree));
    one
}

/// No slot to show.
fn crash() -> CaseRecord {
    let mut one = case("cases/clauses/tgatherb.yaml", "falls_over");
    one.instruction = Instruction::Tgatherb;
    one.verdict = Verdict::Violation;
    let finding = json!({
        "failure_group": "TGATHERB a5:mine crash -",
        "what": "the implementation ended with signal 11",
    });
    let theirs = json!({
        "verdict": "violates", "findings": [finding], "stderr": ["mine: bad descriptor"],
    });
    one.targets.insert(mine(), made(theirs));
    one
}
