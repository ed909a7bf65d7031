//! Models in the place of an implementation.

use std::{io, ops::ControlFlow};

use ptodiff_case::Case;
use ptodiff_isa::{Model, Party};
use ptodiff_record::CaseRecord;

use crate::{
    Options, Trial,
    case::{alone, takes_part},
    context::Prepared,
    convert, in_order, threads, value_source,
};

/// Models for which a case is made concrete once.
const TOGETHER: usize = 16;

/// Runs each of `models` on each of `cases`, alone, and judges it as an implementation of its
/// target: nothing that the case expects of models is looked at. Where a target takes no part in
/// a case, the record has no party. `seen` gets the number of a model and what came of a case,
/// for all cases of the first few models, then of the next few; it may end the run.
///
/// A record tells which slots are wrong and what they hold, how many there are, and not by which
/// lanes.
///
/// # Errors
/// That the threads could not be started.
pub fn run_as_implementations(
    models: &[&dyn Model],
    cases: &[Case],
    options: &Options,
    mut seen: impl FnMut(usize, CaseRecord) -> ControlFlow<()>,
) -> io::Result<()> {
    let pool = threads(options)?;
    let models: Vec<(usize, &dyn Model)> = models.iter().copied().enumerate().collect();
    let parts = models.chunks(TOGETHER);
    let parts: Vec<_> = parts
        .flat_map(|part| cases.iter().map(move |case| (part, case)))
        .collect();
    let judged = |(part, case): &(&[(usize, &dyn Model)], &Case)| judged(part, case, options);
    // That it is enough is no error.
    let _ = in_order(&pool, &parts, judged, |records| {
        let mut records = records.into_iter();
        match records.try_for_each(|(number, record)| seen(number, record)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(()),
        }
    });
    Ok(())
}

fn judged(
    models: &[(usize, &dyn Model)],
    case: &Case,
    options: &Options,
) -> Vec<(usize, CaseRecord)> {
    let _alone = alone(case);
    let prepared = Prepared::new(case, options);
    let context = prepared.context();
    let mut runs = Vec::new();
    let record = |(number, model): &(usize, &dyn Model)| {
        // Of the one before what the contract says is known.
        let mut now = Vec::new();
        if takes_part(model.target(), case, options) {
            let mut run = context.of_implementation(Party::of(model.target()), &runs);
            if run.answers.is_empty() {
                let answers = context.answers(*model, &case.call);
                run.answers = answers.unwrap_or_else(|ends| vec![ends]);
            }
            now.push(run);
        }
        let trial = Trial::new(context, now).judged();
        let mut record = convert::record(&trial, Vec::new());
        value_source::count(&trial, &mut record);
        runs = trial.party_runs;
        (*number, record)
    };
    models.iter().map(record).collect()
}
