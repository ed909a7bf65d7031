//! What fails under another schedule than the one that mistakes are tried under.

use std::{ops::ControlFlow, path::Path, time::Duration};

use ptodiff_case::Case;
use ptodiff_diagnose::{Evidence, diagnose};
use ptodiff_isa::{Call, Coalesce, End, Fault, How, Log, Memory, Model, Party, Schedule, Target};
use ptodiff_record::Diagnosis;
use ptodiff_runner::{Options, altered, models, run_as_implementations};

fn right() -> &'static dyn Model {
    models()[2]
}

/// Writes nothing by row, and nothing by element where the lanes come the other way round.
fn idle(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    match how.schedule == Schedule::Reversed || call.mode() == Some(Coalesce::Row) {
        true => Ok(End::Finished),
        false => right().execute(call, memory, how, log),
    }
}

/// What is told of `cases`, all of one failure group.
fn told(cases: &[Case]) -> Vec<Diagnosis> {
    let model = altered(right(), |_, call, memory, how, log| {
        idle(call, memory, how, log)
    });
    let options = Options {
        targets: vec![Target::A5],
        ..Options::default()
    };
    let mut evidence = Evidence::of(Party::of(Target::A5));
    run_as_implementations(&[&model], cases, &options, |_, record| {
        evidence.add(&record, [0]);
        ControlFlow::Continue(())
    })
    .expect("it runs");
    let (groups, time) = ([("all".to_owned(), vec![0])], Duration::from_secs(600));
    diagnose(&evidence, &groups, cases, &options, 1, time).expect("it is diagnosed")
}

#[test]
fn what_fails_under_another_schedule_only_is_counted_and_no_failure_of_a_diagnosis() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/clauses/mscatter.yaml");
    let mut cases = ptodiff_case::load(&[file]).expect("good cases").cases;
    cases.retain(|case| case.targets.contains(&Target::A5));
    let both = told(&cases);
    let (all, fit) = (&both[0], &both[0].fits[0]);
    assert_eq!(
        (&*fit.name, fit.explains),
        ("nothing-written", all.failures)
    );
    let more = format!(", {} more fail under another schedule only", all.elsewhere);
    assert!(all.elsewhere > 1 && all.lines(false)[0].0.contains(&more));
    cases.retain(|case| case.call.mode() == Some(Coalesce::Elem));
    assert_eq!(told(&cases), []);
}
