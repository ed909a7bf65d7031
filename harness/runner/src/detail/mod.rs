//! What a page about one case shows beside its verdict.

mod shape;
mod sources;
mod states;
mod winners;

use std::collections::BTreeMap;

use ptodiff_case::{Case, DataPlan, Fill, Form, IndexPattern};
use ptodiff_isa::{Event, Model, Party, Schedule, Target};
use ptodiff_judge::{Answer, CaseVerdict, PairVerdict, PartyInput, Ran, TargetVerdict};
use ptodiff_record::{CaseDetail, CaseRecord, SlotMap, TraceText, Verdict};

pub(crate) use sources::Sources;

use crate::{Trial, context::RunContext, party_run::PartyRun, trace::Trace};

/// More lanes than this are not traced and not asked who won: the lists would
/// take more memory than the case does.
const MOST_LANES: u64 = 1 << 18;

/// The detail of the case whose line is `record`.
pub(crate) fn detail(trial: &Trial<'_>, models: &[&dyn Model], record: &CaseRecord) -> CaseDetail {
    let context = &trial.context;
    let yaml = text_of_case(context.case);
    let differs = |(_, v): &(_, PairVerdict)| {
        matches!(
            v,
            PairVerdict::Permitted { .. } | PairVerdict::Violation { .. }
        )
    };
    if record.verdict != Verdict::Violation && !trial.verdict.pairs.iter().any(differs) {
        return CaseDetail {
            yaml,
            ..CaseDetail::default()
        };
    }
    CaseDetail {
        yaml,
        traces: traces(context, models),
        slots: slots(trial),
        sources: match lanes_are_few(context) {
            true => sources::named(context, record),
            false => Vec::new(),
        },
    }
}

/// Data of more bytes than these, given literally, is not written out.
const MOST_DATA: usize = 1 << 16;

/// A longer text of a case is not kept.
const MOST_TEXT: usize = 1 << 20;

/// The case as a case file, or why that is not kept: a record is not the place
/// for megabytes of data, which stand where the case does.
fn text_of_case(case: &Case) -> String {
    let text = (literal_bytes(&case.data) <= MOST_DATA).then(|| ptodiff_case::case_yaml(case));
    text.filter(|text| text.len() <= MOST_TEXT)
        .unwrap_or_else(|| "# too much data to be shown here\n".to_owned())
}

/// Bytes of the data that `plan` gives literally.
fn literal_bytes(plan: &DataPlan) -> usize {
    let fills = [&plan.table, &plan.source, &plan.destination, &plan.scratch];
    let fill = |fill: &Fill| match fill {
        Fill::Literal(bytes) => bytes.len(),
        Fill::Rows(rows) => rows.values().map(Vec::len).sum(),
        _ => 0,
    };
    let index = match &plan.index {
        IndexPattern::Literal(bytes) => bytes.len(),
        _ => 0,
    };
    fills.into_iter().map(fill).sum::<usize>() + index
}

/// Whether the lanes of a case, over all its calls, are few enough to be listed.
fn lanes_are_few(context: &RunContext<'_>) -> bool {
    let tile = context.case.call.data_tile();
    let lanes = tile.rows.saturating_mul(tile.cols);
    lanes.saturating_mul(context.case.chunks.into()) <= MOST_LANES
}

/// What each target that accepts the case issues, under the first schedule.
fn traces(context: &RunContext<'_>, models: &[&dyn Model]) -> BTreeMap<Target, TraceText> {
    let schedule = context.schedules.first().copied().unwrap_or_default();
    let few = lanes_are_few(context);
    let text = |model: &&dyn Model| {
        let text = if few {
            let trace = context.issued(*model, schedule).ok()?;
            text_of(Form::of(&context.case.call), &trace)
        } else {
            TraceText::of([format!(
                "not traced here: more than {MOST_LANES} elements; see `ptodiff trace`"
            )])
        };
        Some((model.target(), text))
    };
    models.iter().filter_map(text).collect()
}

/// A trace as lines: an event each, a heading each call where there are several.
fn text_of(form: Form, trace: &Trace) -> TraceText {
    let several = trace.calls.len() > 1;
    let calls = trace.calls.iter().enumerate().flat_map(|(n, events)| {
        let heading = several.then(|| format!("call {n}"));
        let named = |event: &Event| event.named(|role| form.key(role));
        let events = events.iter().map(named);
        heading.into_iter().chain(events)
    });
    let end = trace.hung.then(|| "hangs".to_owned());
    TraceText::of(calls.chain(end))
}

/// How the slots of the output came out; none where no party has a result.
fn slots(trial: &Trial<'_>) -> Option<SlotMap> {
    let (context, verdict) = (&trial.context, &trial.verdict);
    let case = context.case;
    let before = context.before();
    let judged = trial.party_runs.iter().zip(&verdict.parties);
    let has_result = |verdict: &TargetVerdict| {
        matches!(
            verdict,
            TargetVerdict::Conforms { .. } | TargetVerdict::Violates { .. }
        )
    };
    let judged = judged.filter(|(run, (_, v))| has_result(v) && run.promise.permits().is_some());
    let shown = judged.filter_map(|(run, _)| Some((run, shown(run, verdict)?)));
    let results: Vec<(&PartyRun, &Ran)> = shown.collect();
    if results.is_empty() {
        return None;
    }
    let role = case.call.output();
    // A picture of so many slots cannot be read.
    if before.get(role)?.is_sparse() {
        return None;
    }
    let operand = case.call.operand(role)?;
    let slot_bytes = operand.dtype().size();
    let slots = (before.get(role)?.body().len() / slot_bytes) as u64;
    let inputs: Vec<PartyInput<'_>> = results.iter().map(|(run, _)| run.input()).collect();
    let shape = shape::shape(operand, slots)?;
    let mut map = SlotMap {
        role,
        rows: shape.rows,
        cols: shape.cols,
        band: shape.band,
        slot_bytes: slot_bytes as u64,
        slots,
        states: states::states(&context.judged(&case.call, &before), &inputs, slots),
        winners: BTreeMap::new(),
    };
    if lanes_are_few(context) {
        for (run, left) in results {
            winners::note(&mut map, context, run, left);
        }
    }
    Some(map)
}

/// What a party left under the schedule that the first slot of its first pair names.
fn shown<'a>(run: &'a PartyRun, verdict: &CaseVerdict) -> Option<&'a Ran> {
    let named = named_schedule(&run.party, verdict);
    let mut ran = run.answers.iter().filter_map(Answer::ran);
    let first = ran.clone().next();
    ran.find(|ran| Some(ran.schedule) == named).or(first)
}

fn named_schedule(party: &Party, verdict: &CaseVerdict) -> Option<Schedule> {
    verdict.pairs.iter().find_map(|(two, verdict)| {
        let at = two.iter().position(|p| p == party)?;
        let differences = match verdict {
            PairVerdict::Permitted { differences, .. }
            | PairVerdict::Violation { differences, .. } => differences,
            PairVerdict::Agree { .. } | PairVerdict::NotCompared(_) => return None,
        };
        Some(differences.described.first()?.schedules[at])
    })
}
