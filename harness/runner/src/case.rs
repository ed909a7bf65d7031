//! One case: from stimulus to record.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use ptodiff_case::{Case, limits::case_memory};
use ptodiff_contract::Verbosity;
use ptodiff_impl::Implementation;
use ptodiff_isa::{Model, Party, Target};
use ptodiff_record::{CaseRecord, Took};

use crate::{
    Options, Trial,
    confirm::judge_again,
    context::{Prepared, RunContext},
    convert,
    detail::detail,
    expectation, hole, implementation, models,
    party_run::{PartyRun, party_of},
    readings, unpromised,
};

/// The models of the targets that take part in `case`.
pub(crate) fn selected(case: &Case, options: &Options) -> impl Iterator<Item = &'static dyn Model> {
    let all = models().into_iter();
    all.filter(|m| takes_part(m.target(), case, options))
}

pub(crate) fn takes_part(target: Target, case: &Case, options: &Options) -> bool {
    case.targets.contains(&target) && options.targets.contains(&target)
}

/// Most cases whose implementations are asked together.
pub(crate) const TOGETHER: usize = 64;

/// Runs and judges cases on those of `models` and `implementations` that take part
/// in each: one after the other, or where implementations are asked all together.
pub(crate) fn run_cases(
    models: &[&dyn Model],
    implementations: &[Implementation],
    cases: &[Case],
    options: &Options,
) -> Vec<(CaseRecord, Took)> {
    let mut records = Vec::with_capacity(cases.len());
    for part in cases.chunk_by(|a, b| !implementations.is_empty() && !is_large(a) && !is_large(b)) {
        let _alone = part.first().and_then(alone);
        records.extend(run_on(models, implementations, part, options));
    }
    records
}

/// What the one of several threads has that runs `case`, where it is large.
pub(crate) fn alone(case: &Case) -> Option<MutexGuard<'static, ()>> {
    // A case is held several times over: before, and after each answer.
    static LARGE: Mutex<()> = Mutex::new(());
    is_large(case).then(|| LARGE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Whether several of these at a time could take the machine's memory.
fn is_large(case: &Case) -> bool {
    const LARGE: u64 = 256 << 20;
    case_memory(&case.call, case.chunks.into(), &case.data.table) > LARGE
}

fn run_on(
    models: &[&dyn Model],
    implementations: &[Implementation],
    cases: &[Case],
    options: &Options,
) -> Vec<(CaseRecord, Took)> {
    let prepared = cases.iter().map(|case| Prepared::new(case, options));
    let prepared: Vec<Prepared<'_>> = prepared.collect();
    let mut all = Vec::with_capacity(cases.len());
    for one in &prepared {
        let models = models.iter().copied();
        let taking_part = models.filter(|m| takes_part(m.target(), one.case, options));
        all.push(StartedCase::new(one.context(), taking_part.collect()));
    }
    for implementation in implementations {
        let target = implementation.target();
        let trials = all.iter_mut().map(|case| &mut case.trial);
        let those = trials.filter(|trial| takes_part(target, trial.context.case, options));
        implementation::ask_all(implementation, those);
    }
    let trials = all.iter_mut().map(|case| &mut case.trial);
    judge_again(implementations, &mut trials.collect::<Vec<_>>());
    all.into_iter()
        .map(|case| case.end(implementations, options))
        .collect()
}

/// A case that the models ran.
struct StartedCase<'a> {
    trial: Trial<'a>,
    models: Vec<&'a dyn Model>,
    holes: Vec<String>,
    /// How long the models and the contract took.
    took: Duration,
}

impl<'a> StartedCase<'a> {
    fn new(context: RunContext<'a>, models: Vec<&'a dyn Model>) -> Self {
        let begun = Instant::now();
        let mut party_runs = context.party_runs(&models);
        let holes = hole::expected(&context, &models, &mut party_runs);
        Self {
            trial: Trial::new(context, party_runs),
            models,
            holes,
            took: begun.elapsed(),
        }
    }

    /// What comes of the case under other readings: of the models, and of what `asked` did.
    fn under<'o, 'r>(
        &'o self,
        other: RunContext<'o>,
        asked: impl Iterator<Item = &'r PartyRun>,
    ) -> Trial<'o> {
        let mut trial = StartedCase::new(other, self.models.clone()).trial;
        for party_run in asked {
            let again = other.rejudged(party_run, &trial.party_runs);
            trial.party_runs.push(again);
        }
        trial.judged()
    }

    /// Says what came of it, once it is judged.
    fn end(self, implementations: &[Implementation], options: &Options) -> (CaseRecord, Took) {
        let (trial, context) = (&self.trial, self.trial.context);
        let (case, readings) = (context.case, context.readings);
        let own: Vec<Party> = implementations.iter().map(party_of).collect();
        let is_own = |party: &Party| own.contains(party);
        let asked = || trial.party_runs.iter().filter(|a| is_own(&a.party));
        let mut uses = readings::that_matter(&context, &self.models);
        if options.all_readings {
            for reading in &mut uses {
                for choice in reading.differs_under.keys() {
                    let mut other = *readings;
                    // Gap and choice come from the list of them: they exist.
                    let _ = other.set(&reading.gap, choice);
                    let other = RunContext {
                        readings: &other,
                        verbosity: Verbosity::Brief,
                        ..context
                    };
                    let came_of_it = self.under(other, asked()).verdict();
                    reading.verdict_under.insert(choice.clone(), came_of_it);
                }
            }
        }
        let mut record = trial.record(uses);
        record.holes.clone_from(&self.holes);
        unpromised::note(trial, is_own, &mut record);
        // Under readings that matter a run asks another question.
        let stated = case.targets.iter().copied();
        let aside: Vec<_> = stated
            .filter(|target| !context.is_as_stated(*target))
            .collect();
        if aside.is_empty() {
            expectation::note_coverage(case, &mut record, |readings| {
                let other = RunContext {
                    readings,
                    ..context
                };
                convert::record(&self.under(other, std::iter::empty()), Vec::new())
            });
        } else {
            expectation::note_aside(case, &mut record, &aside);
        }
        record.detail = (options.details).then(|| detail(trial, &self.models, &record));
        let took = Took {
            models: self.took,
            implementations: asked().map(|a| (a.party.clone(), a.took)).collect(),
        };
        (record, took)
    }
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::{Call, Clause, Memory, Role};
    use ptodiff_model_a2a3::A2a3;
    use ptodiff_model_a5::A5;
    use ptodiff_model_cpu::Cpu;
    use ptodiff_record::{TargetVerdict, Verdict};

    use super::*;
    use crate::altered;

    /// What A5 does to the memory at the end of a call, beside what is right.
    type After = fn(&mut Memory);

    const RIGHT: After = |_| {};

    fn case(more: &str) -> Case {
        let text = format!(
            "cases:\n  - name: x\n    instruction: MSCATTER\n    mode: Elem\n    dtype: int32_t\n    \
             tile: {{shape: [1, 8]}}\n    index: {{shape: [1, 8], data: {{values: [7, 6, 5, 4, 3, 2, 1, 0]}}}}\n    \
             table: {{shape: [1, 1, 1, 1, 16]}}\n{more}"
        );
        ptodiff_case::load_str("x.yaml", &text)
            .expect("a case")
            .cases
            .remove(0)
    }

    fn run(after: After, case: &Case) -> CaseRecord {
        let a5 = altered(&A5, move |a5, call, memory, how, log| {
            let end = a5.execute(call, memory, how, log)?;
            after(memory);
            Ok(end)
        });
        let models: [&dyn Model; 3] = [&Cpu, &A2a3, &a5];
        let case = std::slice::from_ref(case);
        run_on(&models, &[], case, &Options::default()).remove(0).0
    }

    /// The failure groups of what A5 did wrong, which must make the case a violation.
    fn found(after: After, case: &Case) -> Vec<String> {
        let record = run(after, case);
        assert_eq!(record.verdict, Verdict::Violation);
        assert_eq!(record.outlier, Some(Party::of(Target::A5)));
        let a5 = &record.targets[&Party::of(Target::A5)];
        assert_eq!(a5.verdict, TargetVerdict::Violates);
        let mut all: Vec<String> = a5
            .findings
            .iter()
            .map(|f| f.failure_group.clone())
            .collect();
        all.dedup();
        all
    }

    #[test]
    fn what_is_wrong_in_a_sparse_table_is_found_wherever_it_stands() {
        let text = "cases:\n  - name: x\n    instruction: MSCATTER\n    mode: Elem\n    dtype: int32_t\n    \
             tile: {shape: [1, 8], valid: [1, 2], data: {values: [5, 6]}}\n    \
             index: {dtype: uint32_t, shape: [1, 8], valid: [1, 2], data: {values: [3000000000, 7]}}\n    \
             table: {shape: [1, 1, 1, 500000000, 8], data: {rows: {499999999: [1, 2]}}}\n";
        let case = ptodiff_case::load_str("x.yaml", text).expect("a case");
        let case = &case.cases[0];
        fn write(memory: &mut Memory, element: usize, value: u8) {
            let table = memory.get_mut(Role::Table).expect("a table");
            let at = table.body_range().start + 4 * element;
            table.part_mut(at..at + 1).expect("inside").fill(value);
        }
        let lost = |memory: &mut Memory| write(memory, 3_000_000_000, 0);
        let kept = |memory: &mut Memory| write(memory, 3_999_999_993, 0);
        let elsewhere = |memory: &mut Memory| write(memory, 2_000_000_000, 9);
        let before = |memory: &mut Memory| {
            let table = memory.get_mut(Role::Table).expect("a table");
            table.part_mut(0..1).expect("inside").fill(9);
        };
        for (after, group, element) in [
            (lost as After, "valid MSCATTER-SEM-02", Some(3_000_000_000)),
            (kept, "valid MSCATTER-SEM-04", Some(3_999_999_993)),
            (elsewhere, "valid MSCATTER-SEM-04", Some(2_000_000_000)),
            (before, "guard MSCATTER-SEM-04", None),
        ] {
            assert_eq!(found(after, case), [format!("MSCATTER a5 {group}")]);
            let record = run(after, case);
            let found = &record.targets[&Party::of(Target::A5)].findings[0];
            assert_eq!(found.slot.as_ref().map(|slot| slot.element), element);
        }
        assert_eq!(run(RIGHT, case).verdict, Verdict::Agree);
    }

    #[test]
    fn a_suite_whose_own_target_promises_nothing_is_no_green_run() {
        let mut mirrored = case("    oob: Undefined\n");
        mirrored.suite = Some(Target::A5);
        mirrored.data.index = ptodiff_case::IndexPattern::AllOutOfBounds;
        // It does what its contract says: only the case has it otherwise.
        let record = run(RIGHT, &mirrored);
        assert_eq!(record.verdict, Verdict::Violation);
        assert_eq!(record.outlier, None);
        let [finding] = &record.targets[&Party::of(Target::A5)].findings[..] else {
            panic!("{record:?}");
        };
        let expected = "MSCATTER a5 expectation MSCATTER-OOB-02";
        assert_eq!(finding.failure_group, expected);
        mirrored.undefined = vec![(Target::A5, Clause("MSCATTER-OOB-02"))];
        let record = run(RIGHT, &mirrored);
        assert_eq!(record.verdict, Verdict::Undefined);
        let told = &record.targets[&Party::of(Target::A5)].reasons;
        assert!(!told.is_empty() && told.iter().all(|r| !r.why.is_empty()));
        // Eight lanes, each with one store beyond the table.
        assert_eq!(record.targets[&Party::of(Target::A2a3)].out_of_bounds, 8);
    }

    #[test]
    fn only_large_cases_run_alone() {
        let mut large = case("");
        assert!(!is_large(&large));
        if let Call::Mscatter(call) = &mut large.call {
            call.table.shape[3] = ptodiff_isa::Dim::Static(1 << 20);
        }
        assert!(is_large(&large), "16 MiB elements of 4 bytes");
    }
}
