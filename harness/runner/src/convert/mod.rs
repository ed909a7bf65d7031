//! From verdicts to the record.

mod pair;
mod slot;
mod target;

use std::collections::BTreeMap;

use ptodiff_case::Case;
use ptodiff_isa::Party;
use ptodiff_judge::CaseVerdict;
use ptodiff_record::{self as record, CaseRecord, PairRecord, ReadingUse, TargetRecord, Verdict};

use crate::{account::Account, describe};
use pair::pair_record;
use target::target_record;

/// The line of one case.
pub(crate) fn record(
    case: &Case,
    accounts: &[Account],
    verdict: &CaseVerdict,
    readings: Vec<ReadingUse>,
) -> CaseRecord {
    let (targets, pairs) = parts(case, accounts, verdict);
    CaseRecord {
        id: case.id.clone(),
        name: case.name.clone(),
        suite: case.suite,
        instruction: case.call.instruction(),
        file: case.place.file.to_string_lossy().replace('\\', "/"),
        line: case.place.line,
        call: describe(case),
        verdict: overall(verdict.fails(), &targets, &pairs),
        odd_one_out: verdict.odd.as_ref().map(|odd| odd.party.clone()),
        targets,
        pairs,
        readings,
        name_differs: case.name_differs.clone(),
        witness: record::Witness::default(),
    }
}

/// What came of one case, without the rest of its line.
pub(crate) fn verdict(case: &Case, accounts: &[Account], verdict: &CaseVerdict) -> Verdict {
    let (targets, pairs) = parts(case, accounts, verdict);
    overall(verdict.fails(), &targets, &pairs)
}

type Parts = (BTreeMap<Party, TargetRecord>, Vec<PairRecord>);

fn parts(case: &Case, accounts: &[Account], verdict: &CaseVerdict) -> Parts {
    let instruction = case.call.instruction();
    let targets: BTreeMap<Party, TargetRecord> = verdict
        .parties
        .iter()
        .zip(accounts)
        .map(|((party, judged), account)| {
            let signatures = ptodiff_judge::target_signatures(instruction, party, judged);
            (
                party.clone(),
                target_record(case, account, judged, &signatures),
            )
        })
        .collect();
    let pairs: Vec<PairRecord> = verdict
        .pairs
        .iter()
        .map(|(two, judged)| {
            let signatures = ptodiff_judge::pair_signatures(instruction, two, judged);
            pair_record(two, judged, signatures)
        })
        .collect();
    (targets, pairs)
}

fn overall(fails: bool, targets: &BTreeMap<Party, TargetRecord>, pairs: &[PairRecord]) -> Verdict {
    use record::{PairVerdict as P, TargetVerdict as T};
    // A further form of the case has no result to give in its place.
    let itself = || targets.iter().filter(|(party, _)| party.form.is_none());
    let count = |v: T| itself().filter(|(_, t)| t.verdict == v).count();
    let any = |v: P| pairs.iter().any(|p| p.verdict == v);
    if fails {
        Verdict::Violation
    } else if any(P::Permitted) {
        Verdict::Permitted
    } else if any(P::Agree) {
        Verdict::Agree
    } else if count(T::Conforms) > 0 {
        Verdict::Alone
    } else if count(T::Refused) == itself().count() {
        Verdict::Rejected
    } else if count(T::Hangs) > 0 {
        Verdict::Hangs
    } else {
        Verdict::Undefined
    }
}
