//! One case: from stimulus to record.

use std::sync::{Mutex, PoisonError};

use ptodiff_case::Case;
use ptodiff_contract::{Broken, Enforced, Permits, data_duties, permits};
use ptodiff_isa::{Clause, How, Memory, Model, Readings, Refusal, Role, Schedule, Target};
use ptodiff_judge::{Answer, Expect, Ground, Lane, Side, judge_case};
use ptodiff_record::CaseRecord;

use crate::{Options, convert, execute, models, readings};

/// Whether a case is legal on a target, as the target's own checks and the
/// contract see it. The two were written apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Legality {
    /// The target.
    pub target: Target,
    /// What the model's checks refuse.
    pub refused: Vec<(Clause, String)>,
    /// What the contract says a check must refuse.
    pub by_check: Vec<(Clause, String)>,
    /// Duties of the caller that the call or its data breaks.
    pub duties: Vec<(Clause, String)>,
}

impl Legality {
    /// Whether checks and contract agree on whether the call is refused.
    #[must_use]
    pub fn consistent(&self) -> bool {
        self.refused.is_empty() == self.by_check.is_empty()
    }
}

/// Where `case` is legal, for each target that it selects.
#[must_use]
pub fn legality(case: &Case, options: &Options) -> Vec<Legality> {
    let readings = options.readings(case);
    let steps = ptodiff_generate::stimulus(case, options.seed).steps;
    let all: Vec<&Memory> = steps.iter().collect();
    selected(case, options)
        .map(|model| {
            let target = model.target();
            let broken = ptodiff_contract::legality(&case.call, target, &readings);
            let of = |by: Enforced| {
                let of_that = broken.iter().filter(move |b| b.enforced == by);
                of_that
                    .map(|b| (b.clause, b.why.clone()))
                    .collect::<Vec<_>>()
            };
            let mut duties = of(Enforced::ByCaller);
            let by_data = data_duties(&case.call, &all, target, &readings);
            duties.extend(by_data.into_iter().map(|b| (b.clause, b.why)));
            Legality {
                target,
                refused: refusals(model, case, &readings)
                    .into_iter()
                    .map(|r| (r.clause, r.why))
                    .collect(),
                by_check: of(Enforced::ByCheck),
                duties,
            }
        })
        .collect()
}

fn refusals(model: &dyn Model, case: &Case, readings: &Readings) -> Vec<Refusal> {
    execute::check(model, &case.call, readings).unwrap_or_else(|why| {
        vec![Refusal {
            clause: Clause("harness fault"),
            why,
        }]
    })
}

fn selected(case: &Case, options: &Options) -> impl Iterator<Item = &'static dyn Model> {
    models()
        .into_iter()
        .filter(|m| case.targets.contains(&m.target()) && options.targets.contains(&m.target()))
}

/// One target's account of a case, before it is judged.
pub(crate) struct Account {
    pub(crate) target: Target,
    legality: Vec<Broken>,
    duties: Vec<Broken>,
    permits: Option<Permits>,
    answers: Vec<Answer>,
    expected_refusals: Vec<Clause>,
    expected_duties: Vec<Clause>,
    own_suite: bool,
}

impl Account {
    fn side(&self) -> Side<'_> {
        Side {
            target: self.target,
            legality: &self.legality,
            duties: &self.duties,
            permits: self.permits.as_ref(),
            answers: &self.answers,
            expect: Expect {
                refused: &self.expected_refusals,
                undefined: &self.expected_duties,
                own_suite: self.own_suite,
            },
        }
    }

    /// Everything that speaks against a result here, with its reason.
    pub(crate) fn reasons(&self) -> impl Iterator<Item = (Clause, &str)> {
        let refusals = self.answers.iter().take(1).flat_map(|a| match a {
            Answer::Refused(refusals) => refusals.as_slice(),
            Answer::Ran(_) | Answer::Fault(_) => &[],
        });
        let broken = self.legality.iter().chain(&self.duties);
        refusals
            .map(|r| (r.clause, r.why.as_str()))
            .chain(broken.map(|b| (b.clause, b.why.as_str())))
    }

    /// Accesses outside operands, under the first schedule.
    pub(crate) fn strays(&self) -> u64 {
        match self.answers.first() {
            Some(Answer::Ran(ran)) => ran.strays.count,
            Some(Answer::Refused(_) | Answer::Fault(_)) | None => 0,
        }
    }
}

/// Runs and judges one case.
pub(crate) fn run_case(case: &Case, options: &Options) -> CaseRecord {
    // A case is held several times over: before, and after each answer.
    static LARGE: Mutex<()> = Mutex::new(());
    let _alone = is_large(case).then(|| LARGE.lock().unwrap_or_else(PoisonError::into_inner));
    let models: Vec<&dyn Model> = selected(case, options).map(|m| m as &dyn Model).collect();
    run_on(&models, case, options)
}

/// Whether several of these at a time could take the machine's memory.
fn is_large(case: &Case) -> bool {
    const LARGE: u64 = 32 << 20;
    let call = &case.call;
    let table = call
        .table()
        .shape
        .iter()
        .fold(1, |n: u64, d| n.saturating_mul(d.get()));
    let tile = call.data_tile();
    let tiles = tile
        .rows
        .saturating_mul(tile.cols)
        .saturating_mul(u64::from(case.chunks));
    let bytes = table
        .saturating_add(tiles)
        .saturating_mul(tile.dtype.size() as u64);
    bytes > LARGE
}

fn run_on(models: &[&dyn Model], case: &Case, options: &Options) -> CaseRecord {
    let readings = options.readings(case);
    let steps = ptodiff_generate::stimulus(case, options.seed).steps;
    let accounts: Vec<Account> = models
        .iter()
        .map(|model| account(*model, case, &steps, &readings, options.schedules))
        .collect();
    let sides: Vec<Side<'_>> = accounts.iter().map(Account::side).collect();
    let before = before(&steps);
    let all: Vec<&Memory> = steps.iter().collect();
    let lanes = |target: Target, role: Role, element: usize| -> Vec<Lane> {
        ptodiff_contract::feeders(&case.call, &all, target, &readings, role, element)
            .into_iter()
            .map(|w| Lane {
                step: w.step,
                r: w.r,
                c: w.c,
            })
            .collect()
    };
    let ground = Ground {
        call: &case.call,
        before: &before,
        lanes: &lanes,
    };
    let verdict = judge_case(&ground, &sides);
    let mattered = readings::that_matter(&case.call, &steps, &readings, models);
    convert::record(case, &accounts, &verdict, mattered)
}

fn account(
    model: &dyn Model,
    case: &Case,
    steps: &[Memory],
    readings: &Readings,
    schedules: u32,
) -> Account {
    let target = model.target();
    let clauses = |of: &[(Target, Clause)]| {
        of.iter()
            .filter(|(t, _)| *t == target)
            .map(|(_, c)| *c)
            .collect()
    };
    let all: Vec<&Memory> = steps.iter().collect();
    let mut account = Account {
        target,
        legality: ptodiff_contract::legality(&case.call, target, readings),
        duties: Vec::new(),
        permits: None,
        answers: Vec::new(),
        expected_refusals: clauses(&case.refused),
        expected_duties: clauses(&case.undefined),
        own_suite: case.suite == Some(target),
    };
    match execute::check(model, &case.call, readings) {
        Err(why) => account.answers.push(Answer::Fault(why)),
        Ok(refusals) if !refusals.is_empty() => account.answers.push(Answer::Refused(refusals)),
        Ok(_) => {
            let run = |schedule| {
                execute::execute(
                    model,
                    &case.call,
                    steps,
                    &How {
                        schedule,
                        readings: *readings,
                    },
                )
            };
            account
                .answers
                .extend(orders(target, schedules).into_iter().map(run));
            account.duties = data_duties(&case.call, &all, target, readings);
            if account.legality.is_empty() && account.duties.is_empty() {
                account.permits = permits(&case.call, &all, target, readings).ok();
            }
        }
    }
    account
}

/// Only A5's lanes are concurrent; the other targets have one order.
fn orders(target: Target, count: u32) -> Vec<Schedule> {
    match target {
        Target::A5 => execute::schedules(count),
        Target::Cpu | Target::A2a3 => vec![Schedule::InOrder],
    }
}

/// What the judge measures against: the output as it was before the first
/// step, the inputs as the last step got them.
fn before(steps: &[Memory]) -> Memory {
    let mut before = steps.first().cloned().unwrap_or_default();
    if let [_, .., last] = steps {
        execute::reload(&mut before, last);
    }
    before
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::{Call, Fault, Log};
    use ptodiff_model_a2a3::A2a3;
    use ptodiff_model_a5::A5;
    use ptodiff_model_cpu::Cpu;
    use ptodiff_record::{TargetVerdict, Verdict};

    use super::*;

    /// A right model with one thing wrong.
    struct Wrong {
        refuses: Option<Refusal>,
        accepts_all: bool,
        after: fn(&mut Memory),
    }

    const RIGHT: Wrong = Wrong {
        refuses: None,
        accepts_all: false,
        after: |_| {},
    };

    impl Model for Wrong {
        fn target(&self) -> Target {
            A5.target()
        }

        fn check(&self, call: &Call, readings: &Readings) -> Vec<Refusal> {
            match &self.refuses {
                Some(refusal) => vec![refusal.clone()],
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
        ) -> Result<(), Fault> {
            A5.execute(call, memory, how, log)?;
            (self.after)(memory);
            Ok(())
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
        run_on(&[&Cpu, &A2a3, wrong], case, &Options::default())
    }

    /// The signatures of what A5 did wrong, which must make the case a violation.
    fn found(wrong: &Wrong, case: &Case) -> Vec<String> {
        let record = run(wrong, case);
        assert_eq!(record.verdict, Verdict::Violation);
        assert_eq!(record.odd_one_out, Some(Target::A5));
        let a5 = &record.targets[&Target::A5];
        assert_eq!(a5.verdict, TargetVerdict::Violates);
        let mut all: Vec<String> = a5.findings.iter().map(|f| f.signature.clone()).collect();
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
        let slot = record.targets[&Target::A5].findings[0]
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
                .map(|l| (l.step, l.r, l.c))
                .collect::<Vec<_>>(),
            [(0, 0, 2)]
        );
        assert!(slot.permitted.is_some());
    }

    #[test]
    fn a_write_to_a_kept_slot_an_input_or_a_guard_zone_is_found() {
        let kept =
            |memory: &mut Memory| flip(memory, Role::Table, body(memory, Role::Table) + 4 * 12);
        let input = |memory: &mut Memory| flip(memory, Role::Source, body(memory, Role::Source));
        let guard = |memory: &mut Memory| flip(memory, Role::Index, 0);
        for (after, signature) in [
            (kept as fn(&mut Memory), "MSCATTER a5 valid MSCATTER-SEM-04"),
            (input, "MSCATTER a5 input MSCATTER-GAP-61"),
            (guard, "MSCATTER a5 guard MSCATTER-GAP-61"),
        ] {
            assert_eq!(found(&Wrong { after, ..RIGHT }, &case("")), [signature]);
        }
    }

    #[test]
    fn a_refusal_that_no_clause_asks_for_is_found_and_so_is_one_that_is_missing() {
        let refusal = Refusal {
            clause: Clause("MSCATTER-TILE-01"),
            why: "made up".to_owned(),
        };
        let refuses = Wrong {
            refuses: Some(refusal),
            ..RIGHT
        };
        assert_eq!(
            found(&refuses, &case("")),
            ["MSCATTER a5 refusal MSCATTER-TILE-01"]
        );
        let accepts = Wrong {
            accepts_all: true,
            ..RIGHT
        };
        let mut int16_index = case("");
        if let Call::Mscatter(call) = &mut int16_index.call {
            call.idx.dtype = ptodiff_isa::DType::Int16;
        }
        let record = run_on(&[&accepts], &int16_index, &Options::default());
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
        assert_eq!(
            found(&RIGHT, &mirrored),
            ["MSCATTER a5 expectation MSCATTER-OOB-02"]
        );
        mirrored.undefined = vec![(Target::A5, Clause("MSCATTER-OOB-02"))];
        let record = run(&RIGHT, &mirrored);
        assert_eq!(record.verdict, Verdict::Undefined);
        // Eight lanes, each with one store beyond the table.
        assert_eq!(record.targets[&Target::A2a3].strays, 8);
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
