//! One case: from stimulus to record.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use ptodiff_case::{Case, Fill};
use ptodiff_contract::Verbosity;
use ptodiff_generate::{Stimulus, stimulus_into};
use ptodiff_impl::Implementation;
use ptodiff_isa::{Model, Operand, Party, Role, Target, TargetReadings};
use ptodiff_record::{CaseRecord, Took};

use crate::{
    BufferPool, Options,
    confirm::judge_again,
    context::RunContext,
    convert,
    detail::{DetailInput, detail},
    execute, expectation, hole, implementation, models,
    party_run::{PartyRun, party_of},
    readings, unpromised, value_source,
    verdict::judge,
};

/// The models of the targets that take part in `case`.
pub(crate) fn selected(case: &Case, options: &Options) -> impl Iterator<Item = &'static dyn Model> {
    let all = models().into_iter();
    all.filter(|m| takes_part(m.target(), case, options))
}

/// Those of `models` whose targets take part in `case`.
fn taking_part<'a>(
    models: &[&'a dyn Model],
    case: &Case,
    options: &Options,
) -> impl Iterator<Item = &'a dyn Model> {
    let all = models.iter().copied();
    all.filter(|m| takes_part(m.target(), case, options))
}

fn takes_part(target: Target, case: &Case, options: &Options) -> bool {
    case.targets.contains(&target) && options.targets.contains(&target)
}

/// Memory that one thread uses from case to case.
#[derive(Default)]
pub(crate) struct Workspace {
    stimuli: Vec<Stimulus>,
    buffers: BufferPool,
}

/// Most cases whose implementations are asked together.
pub(crate) const TOGETHER: usize = 64;

/// Runs and judges cases on those of `models` and `implementations` that take part
/// in each, on `workspace`: one after the other, or where implementations are asked all
/// together.
pub(crate) fn run_cases(
    workspace: &mut Workspace,
    models: &[&dyn Model],
    implementations: &[Implementation],
    cases: &[&Case],
    options: &Options,
) -> Vec<(CaseRecord, Took)> {
    // A case is held several times over: before, and after each answer.
    static LARGE: Mutex<()> = Mutex::new(());
    let mut records = Vec::with_capacity(cases.len());
    for part in cases.chunk_by(|a, b| !implementations.is_empty() && !is_large(a) && !is_large(b)) {
        if part.iter().any(|case| is_large(case)) {
            let _alone = LARGE.lock().unwrap_or_else(PoisonError::into_inner);
            // Nothing so large is kept.
            let workspace = &mut Workspace::default();
            records.extend(run_on(workspace, models, implementations, part, options));
        } else {
            records.extend(run_on(workspace, models, implementations, part, options));
        }
    }
    records
}

/// Whether several of these at a time could take the machine's memory.
fn is_large(case: &Case) -> bool {
    const LARGE: u64 = 32 << 20;
    let bytes = |operand: Operand<'_>| {
        let elements = match operand {
            Operand::Tile(tile) => tile
                .rows
                .saturating_mul(tile.cols)
                .saturating_mul(u64::from(case.chunks)),
            Operand::Tensor(tensor) => tensor
                .shape
                .iter()
                .fold(1, |n: u64, d| n.saturating_mul(d.get())),
        };
        elements.saturating_mul(operand.dtype().size() as u64)
    };
    let operands = case.call.operands().into_iter();
    // Of a sparse table little is held.
    let sparse = matches!(case.data.table, Fill::Rows(_));
    let operands = operands.filter(|(role, _)| !sparse || *role != Role::Table);
    let all = operands.fold(0, |n: u64, (_, o)| n.saturating_add(bytes(o)));
    all > LARGE
}

fn run_on(
    workspace: &mut Workspace,
    models: &[&dyn Model],
    implementations: &[Implementation],
    cases: &[&Case],
    options: &Options,
) -> Vec<(CaseRecord, Took)> {
    let Workspace { stimuli, buffers } = workspace;
    stimuli.resize_with(cases.len().max(stimuli.len()), Stimulus::default);
    let readings: Vec<TargetReadings> = cases.iter().map(|case| options.readings(case)).collect();
    for (case, stimulus) in cases.iter().zip(&mut *stimuli) {
        stimulus_into(case, options.seed, stimulus);
    }
    let schedules = execute::schedules(options.schedules);
    let scenes = cases.iter().zip(&*stimuli).zip(&readings);
    let mut all: Vec<StartedCase<'_>> = scenes
        .map(|((case, stimulus), readings)| {
            let context = RunContext {
                case,
                steps: &stimulus.steps,
                readings,
                schedules: &schedules,
                verbosity: Verbosity::Full,
            };
            StartedCase::new(buffers, context, models, options)
        })
        .collect();
    for implementation in implementations {
        let target = implementation.target();
        let mut asked = Vec::new();
        for begun in &mut all {
            let context = begun.context;
            if takes_part(target, context.case, options) {
                let party_run = context.of_implementation(implementation, &begun.party_runs);
                begun.party_runs.push(party_run);
                asked.extend(
                    begun
                        .party_runs
                        .last_mut()
                        .map(|party_run| (context, party_run)),
                );
            }
        }
        implementation::ask_all(implementation, &mut asked);
    }
    let records = all.into_iter();
    records
        .map(|begun| begun.end(buffers, implementations, options))
        .collect()
}

/// A case that the models ran.
struct StartedCase<'a> {
    context: RunContext<'a>,
    models: Vec<&'a dyn Model>,
    party_runs: Vec<PartyRun>,
    holes: Vec<String>,
    /// How long the models and the contract took.
    took: Duration,
}

impl<'a> StartedCase<'a> {
    fn new(
        buffers: &mut BufferPool,
        context: RunContext<'a>,
        models: &[&'a dyn Model],
        options: &Options,
    ) -> Self {
        let begun = Instant::now();
        let models: Vec<&dyn Model> = taking_part(models, context.case, options).collect();
        let mut party_runs = context.party_runs(buffers, &models);
        let holes = hole::expected(&context, &models, &mut party_runs);
        Self {
            context,
            models,
            party_runs,
            holes,
            took: begun.elapsed(),
        }
    }

    /// Judges it, and says what came of it.
    fn end(
        self,
        buffers: &mut BufferPool,
        implementations: &[Implementation],
        options: &Options,
    ) -> (CaseRecord, Took) {
        let Self {
            context,
            models,
            mut party_runs,
            holes,
            took,
        } = self;
        let (case, readings) = (context.case, context.readings);
        let models = &models[..];
        let verdict = judge_again(buffers, &context, implementations, &mut party_runs);
        // The models under other readings, with what `asked` did.
        let under = |buffers: &mut BufferPool, other: &RunContext<'_>, asked: &[PartyRun]| {
            let mut theirs = other.party_runs(buffers, models);
            hole::expected(other, models, &mut theirs);
            let parties: Vec<Party> = implementations.iter().map(party_of).collect();
            for party_run in asked.iter().filter(|a| parties.contains(&a.party)) {
                theirs.push(other.again(party_run, &theirs));
            }
            let verdict = judge(buffers, other, &theirs);
            (theirs, verdict)
        };
        let mut uses = readings::that_matter(&context, models, &party_runs, buffers);
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
                    let (theirs, verdict) = under(buffers, &other, &party_runs);
                    let came_of_it = convert::overall(&verdict);
                    reading.verdict_under.insert(choice.clone(), came_of_it);
                    buffers.take_party_runs(theirs);
                }
            }
        }
        let mut record = convert::record(case, &party_runs, &verdict, uses);
        record.holes = holes;
        value_source::note(buffers, &context, &party_runs, &mut record);
        let own: Vec<Party> = implementations.iter().map(party_of).collect();
        let asked = party_runs.iter().filter(|a| own.contains(&a.party));
        let took = Took {
            models: took,
            implementations: asked.map(|a| (a.party.clone(), a.took)).collect(),
        };
        let is_own = |party: &Party| own.contains(party);
        unpromised::note(&context, &party_runs, &verdict, is_own, &mut record);
        // A run under readings of its own asks another question.
        if *readings == case.readings {
            expectation::note_coverage(case, &mut record, |readings| {
                let other = RunContext {
                    readings,
                    ..context
                };
                let (theirs, verdict) = under(buffers, &other, &[]);
                let record = convert::record(case, &theirs, &verdict, Vec::new());
                buffers.take_party_runs(theirs);
                record
            });
        }
        record.detail = options.details.then(|| {
            let seen = DetailInput {
                context: &context,
                models,
                party_runs: &party_runs,
                verdict: &verdict,
            };
            detail(&seen, &record)
        });
        buffers.take_party_runs(party_runs);
        (record, took)
    }
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::{Call, Clause, End, Fault, How, Log, Memory, Readings, Rejection};
    use ptodiff_model_a2a3::A2a3;
    use ptodiff_model_a5::A5;
    use ptodiff_model_cpu::Cpu;
    use ptodiff_record::{TargetVerdict, Verdict};

    use super::*;

    /// A right model with one thing wrong.
    struct Wrong {
        rejects: Option<Rejection>,
        accepts_all: bool,
        after: fn(&mut Memory),
    }

    const RIGHT: Wrong = Wrong {
        rejects: None,
        accepts_all: false,
        after: |_| {},
    };

    impl Model for Wrong {
        fn target(&self) -> Target {
            A5.target()
        }

        fn check(&self, call: &Call, readings: &Readings) -> Vec<Rejection> {
            match &self.rejects {
                Some(rejection) => vec![rejection.clone()],
                None if self.accepts_all => Vec::new(),
                None => A5.check(call, readings),
            }
        }

        fn execute(
            &self,
            call: &Call,
            memory: &mut Memory,
            how: &How,
            log: &mut Log,
        ) -> Result<End, Fault> {
            let end = A5.execute(call, memory, how, log)?;
            (self.after)(memory);
            Ok(end)
        }
    }

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

    fn run(wrong: &Wrong, case: &Case) -> CaseRecord {
        let models: [&dyn Model; 3] = [&Cpu, &A2a3, wrong];
        let workspace = &mut Workspace::default();
        let (record, _) = run_on(workspace, &models, &[], &[case], &Options::default()).remove(0);
        record
    }

    /// The failure groups of what A5 did wrong, which must make the case a violation.
    fn found(wrong: &Wrong, case: &Case) -> Vec<String> {
        let record = run(wrong, case);
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

    fn flip(memory: &mut Memory, role: Role, at: usize) {
        memory.get_mut(role).expect("the operand").bytes_mut()[at] ^= 1;
    }

    fn body(memory: &Memory, role: Role) -> usize {
        memory.get(role).expect("the operand").body_range().start
    }

    #[test]
    fn the_right_model_agrees() {
        let record = run(&RIGHT, &case(""));
        assert_eq!(record.verdict, Verdict::Agree);
        assert_eq!(record.pairs.len(), 3);
    }

    #[test]
    fn a_wrong_value_is_found_with_its_place_and_its_lane() {
        let after =
            |memory: &mut Memory| flip(memory, Role::Table, body(memory, Role::Table) + 4 * 5);
        let wrong = Wrong { after, ..RIGHT };
        assert_eq!(
            found(&wrong, &case("")),
            ["MSCATTER a5 valid MSCATTER-SEM-02"]
        );
        let record = run(&wrong, &case(""));
        let slot = record.targets[&Party::of(Target::A5)].findings[0]
            .slot
            .as_ref()
            .expect("a slot");
        assert_eq!(
            (slot.offset, slot.element, slot.at.as_str()),
            (20, 5, "[0, 0, 0, 0, 5]")
        );
        // Lane 2 has index 5.
        assert_eq!(
            slot.lanes
                .iter()
                .map(|l| (l.step, l.r, l.c, l.index))
                .collect::<Vec<_>>(),
            [(0, 0, 2, Some(5))]
        );
        assert!(slot.permitted.is_some());
    }

    #[test]
    fn a_write_to_a_kept_slot_an_input_or_a_guard_zone_is_found() {
        let kept =
            |memory: &mut Memory| flip(memory, Role::Table, body(memory, Role::Table) + 4 * 12);
        let input = |memory: &mut Memory| flip(memory, Role::Source, body(memory, Role::Source));
        let guard = |memory: &mut Memory| flip(memory, Role::Index, 0);
        for (after, failure_group) in [
            (kept as fn(&mut Memory), "MSCATTER a5 valid MSCATTER-SEM-04"),
            (input, "MSCATTER a5 input MSCATTER-GAP-61"),
            (guard, "MSCATTER a5 guard MSCATTER-GAP-61"),
        ] {
            assert_eq!(found(&Wrong { after, ..RIGHT }, &case("")), [failure_group]);
        }
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
            (
                lost as fn(&mut Memory),
                "valid MSCATTER-SEM-02",
                Some(3_000_000_000),
            ),
            (kept, "valid MSCATTER-SEM-04", Some(3_999_999_993)),
            (elsewhere, "valid MSCATTER-SEM-04", Some(2_000_000_000)),
            (before, "guard MSCATTER-SEM-04", None),
        ] {
            let wrong = Wrong { after, ..RIGHT };
            assert_eq!(found(&wrong, case), [format!("MSCATTER a5 {group}")]);
            let record = run(&wrong, case);
            let found = &record.targets[&Party::of(Target::A5)].findings[0];
            assert_eq!(found.slot.as_ref().map(|slot| slot.element), element);
        }
        assert_eq!(run(&RIGHT, case).verdict, Verdict::Agree);
    }

    #[test]
    fn a_rejection_that_no_clause_asks_for_is_found_and_so_is_one_that_is_missing() {
        let rejection = Rejection {
            clause: Clause("MSCATTER-TILE-01"),
            why: "made up".to_owned(),
        };
        let rejects = Wrong {
            rejects: Some(rejection),
            ..RIGHT
        };
        assert_eq!(
            found(&rejects, &case("")),
            ["MSCATTER a5 rejection MSCATTER-TILE-01"]
        );
        let accepts = Wrong {
            accepts_all: true,
            ..RIGHT
        };
        let mut int16_index = case("");
        if let Call::Mscatter(call) = &mut int16_index.call {
            call.idx.dtype = ptodiff_isa::DType::Int16;
        }
        let (workspace, options) = (&mut Workspace::default(), Options::default());
        let (record, _) = run_on(workspace, &[&accepts], &[], &[&int16_index], &options).remove(0);
        assert_eq!(record.verdict, Verdict::Violation);
    }

    #[test]
    fn a_model_that_panics_fails_its_case() {
        let wrong = Wrong {
            after: |_| panic!("out of lanes"),
            ..RIGHT
        };
        assert_eq!(found(&wrong, &case("")), ["MSCATTER a5 fault -"]);
    }

    #[test]
    fn a_suite_whose_own_target_promises_nothing_is_no_green_run() {
        let mut mirrored = case("    oob: Undefined\n");
        mirrored.suite = Some(Target::A5);
        mirrored.data.index = ptodiff_case::IndexPattern::AllOutOfBounds;
        // It does what its contract says: only the case has it otherwise.
        let record = run(&RIGHT, &mirrored);
        assert_eq!(record.verdict, Verdict::Violation);
        assert_eq!(record.outlier, None);
        let [finding] = &record.targets[&Party::of(Target::A5)].findings[..] else {
            panic!("{record:?}");
        };
        let expected = "MSCATTER a5 expectation MSCATTER-OOB-02";
        assert_eq!(finding.failure_group, expected);
        mirrored.undefined = vec![(Target::A5, Clause("MSCATTER-OOB-02"))];
        let record = run(&RIGHT, &mirrored);
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
