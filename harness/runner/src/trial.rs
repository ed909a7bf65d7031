//! One case on every model, judged, and nothing written: what a hunt does
//! hundreds of thousands of times a second.

use ptodiff_case::{Case, Hole};
use ptodiff_isa::{Clause, Memory, Model, Schedule};
use ptodiff_judge::{CaseVerdict, PairVerdict, pair_signatures, target_signatures};
use ptodiff_record::Verdict;

use crate::{
    account::{Account, Scene},
    case::judge,
    convert, hole, models,
};

/// What came of one case under one schedule.
pub struct Trial<'a> {
    scene: Scene<'a>,
    accounts: Vec<Account>,
    verdict: CaseVerdict,
}

/// Tries `case` on the models of its targets. `steps` is its stimulus, lanes
/// of a concurrent target take effect in the order of `schedule`.
///
/// Nothing that the case expects is looked at, and no further form of it is run.
#[must_use]
pub fn trial<'a>(case: &'a Case, steps: &'a [Memory], schedule: &'a Schedule) -> Trial<'a> {
    on(&models(), case, steps, schedule)
}

fn on<'a>(
    models: &[&dyn Model],
    case: &'a Case,
    steps: &'a [Memory],
    schedule: &'a Schedule,
) -> Trial<'a> {
    let scene = Scene {
        case,
        steps,
        readings: &case.readings,
        schedules: std::slice::from_ref(schedule),
    };
    let accounts = scene.bare(models);
    let verdict = judge(&scene, &accounts);
    Trial {
        scene,
        accounts,
        verdict,
    }
}

impl Trial<'_> {
    /// What came of it as a whole.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        convert::overall(&self.verdict)
    }

    /// What no clause explains: signatures of what a model did against the
    /// contract, or of two models that differ. In order, each once; mostly none.
    #[must_use]
    pub fn unexplained(&self) -> Vec<String> {
        if !self.verdict.fails() {
            return Vec::new();
        }
        let instruction = self.scene.case.call.instruction();
        let parties = self.verdict.parties.iter();
        let by_party = parties.flat_map(|(party, v)| target_signatures(instruction, party, v));
        let permitted = |v: &PairVerdict| matches!(v, PairVerdict::Permitted { .. });
        let pairs = self.verdict.pairs.iter().filter(|(_, v)| !permitted(v));
        let by_pair = pairs.flat_map(|(two, v)| pair_signatures(instruction, two, v));
        let mut all: Vec<String> = by_party.chain(by_pair).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The holes that show, but for those of open readings: in order, each once.
    #[must_use]
    pub fn holes(&self) -> Vec<Hole> {
        hole::holes(&self.scene, &self.models(), &self.accounts)
    }

    /// The gaps on whose reading it depends what comes of the case, as holes.
    /// Runs the case again under every other choice that may matter; only for
    /// the gaps of `only`, where that is not empty.
    #[must_use]
    pub fn open_readings(&self, only: &[Clause]) -> Vec<Hole> {
        hole::open_readings(&self.scene, &self.models(), only)
    }

    fn models(&self) -> Vec<&'static dyn Model> {
        let runs = |m: &&dyn Model| self.scene.case.targets.contains(&m.target());
        models().into_iter().filter(runs).collect()
    }
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::{Call, End, Fault, How, Log, Readings, Refusal, Role, Target};
    use ptodiff_model_a5::A5;
    use ptodiff_model_cpu::Cpu;

    use super::*;

    /// A5 with the first byte of the output flipped.
    struct Wrong;

    impl Model for Wrong {
        fn target(&self) -> Target {
            Target::A5
        }

        fn check(&self, call: &Call, readings: &Readings) -> Vec<Refusal> {
            A5.check(call, readings)
        }

        fn execute(
            &self,
            call: &Call,
            memory: &mut Memory,
            how: &How,
            log: &mut Log,
        ) -> Result<End, Fault> {
            let end = A5.execute(call, memory, how, log)?;
            memory.get_mut(Role::Table).expect("a table").body_mut()[0] ^= 1;
            Ok(end)
        }
    }

    #[test]
    fn what_a_wrong_model_does_is_not_explained() {
        let text = "cases:\n  - name: x\n    instruction: MSCATTER\n    mode: Elem\n    \
                    dtype: int32_t\n    targets: [cpu, a5]\n    tile: {shape: [1, 8]}\n    \
                    index: {shape: [1, 8], data: seq}\n    table: {shape: [1, 1, 1, 1, 8]}\n";
        let case = &ptodiff_case::load_str("x.yaml", text)
            .expect("a case")
            .cases[0];
        let steps = ptodiff_generate::stimulus(case, 0).steps;
        let right = trial(case, &steps, &Schedule::Reversed);
        assert_eq!(
            (right.verdict(), right.unexplained()),
            (Verdict::Agree, vec![])
        );
        let wrong = on(&[&Cpu, &Wrong], case, &steps, &Schedule::InOrder);
        assert_eq!(wrong.verdict(), Verdict::Violation);
        assert_eq!(wrong.unexplained(), ["MSCATTER a5 valid MSCATTER-SEM-02"]);
    }
}
