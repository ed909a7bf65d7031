//! A case made concrete, and how it is run.

use std::borrow::Cow;

use ptodiff_case::Case;
use ptodiff_contract::{Question, Verbosity};
use ptodiff_generate::stimulus;
use ptodiff_impl::Ask;
use ptodiff_isa::{Call, Form, Memory, Readings, Schedule, Target, TargetReadings, reading::GAPS};
use ptodiff_judge::CaseContext;

use crate::{
    Options,
    execute::{reload, schedules},
};

/// A case made concrete, as options say.
pub(crate) struct Prepared<'a> {
    pub(crate) case: &'a Case,
    pub(crate) steps: Vec<Memory>,
    pub(crate) readings: TargetReadings,
    schedules: Vec<Schedule>,
}

impl<'a> Prepared<'a> {
    pub(crate) fn new(case: &'a Case, options: &Options) -> Self {
        Self {
            case,
            steps: stimulus(case, options.seed).steps,
            readings: options.readings(case),
            schedules: schedules(options.schedules),
        }
    }

    pub(crate) fn context(&self) -> RunContext<'_> {
        RunContext {
            case: self.case,
            steps: &self.steps,
            readings: &self.readings,
            schedules: &self.schedules,
            verbosity: Verbosity::Full,
        }
    }
}

/// A case with its data, and how it is run.
#[derive(Clone, Copy)]
pub(crate) struct RunContext<'a> {
    pub(crate) case: &'a Case,
    pub(crate) steps: &'a [Memory],
    pub(crate) readings: &'a TargetReadings,
    /// Those that a concurrent target runs under.
    pub(crate) schedules: &'a [Schedule],
    /// In how many words contract and judge say what they find.
    pub(crate) verbosity: Verbosity,
}

impl RunContext<'_> {
    /// Which reading the case is about and is not in force here, in words: what comes of it
    /// says nothing of the case. The case answers a gap otherwise than by default.
    pub(crate) fn read_otherwise(&self, target: Target) -> Option<String> {
        let (own, here) = (&self.case.readings[target], &self.readings[target]);
        if own == here {
            return None;
        }
        let default = Readings::default();
        let form = Form::of(&self.case.call);
        let about = GAPS.iter().filter(|gap| gap.is_about(form, target));
        let mut pinned = about.filter_map(|gap| {
            let [own, here, default] = [own, here, &default].map(|r| gap.choice(r));
            (own != default && own != here).then_some((gap.name, own, here))
        });
        let (gap, own, here) = pinned.next()?;
        Some(format!(
            "the case is about {gap}={own}, and the run reads {gap}={here}"
        ))
    }

    /// Bytes of all operands of all steps that have memory.
    pub(crate) fn bytes(&self) -> usize {
        let regions = self.steps.iter().flat_map(|step| &step.regions);
        let parts = regions.flat_map(|region| region.touched());
        parts.map(|part| part.len()).sum()
    }

    /// What the judge measures against: the output as it was before the first step, the
    /// inputs as the last step got them.
    pub(crate) fn before(&self) -> Cow<'_, Memory> {
        match self.steps {
            [] => Cow::default(),
            [only] => Cow::Borrowed(only),
            [first, .., last] => {
                let mut before = first.clone();
                reload(&mut before, last);
                Cow::Owned(before)
            }
        }
    }

    /// What `call` is judged by, which ran on what was there [`before`](Self::before).
    pub(crate) const fn judged<'c>(
        &'c self,
        call: &'c Call,
        before: &'c Memory,
    ) -> CaseContext<'c> {
        CaseContext {
            call,
            before,
            steps: self.steps,
            brief: true,
            readings: self.readings,
        }
    }

    pub(crate) fn question<'q>(&'q self, call: &'q Call, target: Target) -> Question<'q> {
        Question {
            call,
            target,
            readings: &self.readings[target],
            verbosity: self.verbosity,
        }
    }
}

impl<'a> RunContext<'a> {
    /// The question of this case.
    pub(crate) fn ask(&self, target: Target, schedule: Schedule) -> Ask<'a> {
        Ask {
            of: &self.case.id,
            call: &self.case.call,
            readings: &self.readings[target],
            schedule,
        }
    }

    /// The schedules that `target` runs under.
    pub(crate) const fn orders(&self, target: Target) -> &'a [Schedule] {
        match target {
            // Only its lanes are concurrent: the others have one order.
            Target::A5 => self.schedules,
            Target::Cpu | Target::A2a3 => &[Schedule::InOrder],
        }
    }
}
