//! From verdicts to the record.

mod pair;
mod slot;
mod target;

use std::collections::BTreeMap;

use ptodiff_case::Case;
use ptodiff_isa::Target;
use ptodiff_judge::CaseVerdict;
use ptodiff_record::{self as record, CaseRecord, PairRecord, ReadingUse, TargetRecord, Verdict};

use crate::{case::Account, describe};
use pair::pair_record;
use target::target_record;

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
        verdict: overall(verdict.fails(), &targets, &pairs),
        odd_one_out: verdict.odd.map(|odd| odd.target),
        targets,
        pairs,
        readings,
        name_differs: case.name_differs.clone(),
    }
}

fn overall(fails: bool, targets: &BTreeMap<Target, TargetRecord>, pairs: &[PairRecord]) -> Verdict {
    use record::{PairVerdict as P, TargetVerdict as T};
    let count = |v: T| targets.values().filter(|t| t.verdict == v).count();
    let any = |v: P| pairs.iter().any(|p| p.verdict == v);
    if fails {
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
