//! From verdicts to the record.

mod pair;
mod slot;
mod target;

use std::{borrow::Cow, collections::BTreeMap, path::MAIN_SEPARATOR};

use ptodiff_case::Case;
use ptodiff_edge::place::from_here;
use ptodiff_isa::Party;
use ptodiff_judge::CaseVerdict;
use ptodiff_record::{CaseRecord, Covers, ReadingUse, TargetRecord, Verdict};

use crate::{Trial, describe_with};
use pair::pair_record;
pub(crate) use slot::value;
pub(crate) use target::bare_finding;
use target::target_record;

/// The line of one case.
pub(crate) fn record(trial: &Trial<'_>, readings: Vec<ReadingUse>) -> CaseRecord {
    let (case, verdict) = (trial.context.case, &trial.verdict);
    CaseRecord {
        id: case.id.clone(),
        name: case.name.clone(),
        suite: case.suite,
        instruction: case.call.instruction(),
        file: file(case),
        line: case.place.span.line,
        call: describe_with(case, trial.context.steps),
        verdict: overall(verdict),
        outlier: verdict.outlier.clone(),
        targets: targets(trial),
        pairs: verdict
            .pairs
            .iter()
            .map(|(two, judged)| pair_record(case.call.instruction(), two, judged))
            .collect(),
        readings,
        name_differs: case.name_differs.clone(),
        unpromised: Vec::new(),
        holes: Vec::new(),
        covers: Covers::default(),
        detail: None,
    }
}

/// The file of a case, with `/`: no path of a machine stands in a record.
fn file(case: &Case) -> String {
    let file = &case.place.file;
    let file = match file.is_absolute() {
        true => Cow::Owned(from_here(file)),
        false => Cow::Borrowed(file),
    };
    file.to_string_lossy().replace(MAIN_SEPARATOR, "/")
}

/// What each party did.
pub(crate) fn targets(trial: &Trial<'_>) -> BTreeMap<Party, TargetRecord> {
    let judged = trial.verdict.parties.iter().zip(&trial.party_runs);
    let of = |((party, judged), party_run): (&(Party, _), _)| {
        let record = target_record(trial.context.case, party_run, judged);
        (party.clone(), record)
    };
    judged.map(of).collect()
}

/// What came of a case as a whole.
pub(crate) fn overall(verdict: &CaseVerdict) -> Verdict {
    use ptodiff_judge::{PairVerdict as P, TargetVerdict as T};
    // A further form of the case has no result to give in its place.
    let itself = || {
        let parties = verdict.parties.iter();
        parties.filter_map(|(party, v)| party.form.is_none().then_some(v))
    };
    let pair = |which: fn(&P) -> bool| verdict.pairs.iter().any(|(_, v)| which(v));
    if verdict.fails() {
        Verdict::Violation
    } else if pair(|v| matches!(v, P::Permitted { .. })) {
        Verdict::Permitted
    } else if pair(|v| matches!(v, P::Agree { .. })) {
        Verdict::Agree
    } else if itself().any(|v| matches!(v, T::Conforms { .. })) {
        Verdict::Single
    } else if itself().all(|v| matches!(v, T::RejectedAsDocumented { .. })) {
        Verdict::Rejected
    } else if itself().any(|v| matches!(v, T::Hangs(_))) {
        Verdict::Hangs
    } else {
        Verdict::Undefined
    }
}
