//! Running one case on one model, whatever the model does.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ptodiff_isa::{Call, End, How, Log, Memory, Model, Readings, Rejection, Role, Schedule};
use ptodiff_judge::{Answer, InputChanged, Ran};

/// The schedules that a concurrent target runs under: the first `count` of them.
#[must_use]
pub fn schedules(count: u32) -> Vec<Schedule> {
    (0..count).map(schedule).collect()
}

/// The schedule with this number: in order, reversed, then shuffled with seeds
/// 1, 2, ...
#[must_use]
pub fn schedule(number: u32) -> Schedule {
    match number {
        0 => Schedule::InOrder,
        1 => Schedule::Reversed,
        n => Schedule::Shuffled(u64::from(n) - 1),
    }
}

/// What the model's static checks reject, or how it died over them.
pub(crate) fn check(
    model: &dyn Model,
    call: &Call,
    readings: &Readings,
) -> Result<Vec<Rejection>, String> {
    caught(|| model.check(call, readings))
}

/// What comes of `call` where it is issued once for each of `steps`.
pub(crate) fn execute(model: &dyn Model, call: &Call, steps: &[Memory], how: &How) -> Answer {
    let mut log = Log::default();
    let run = || {
        each_step(call, steps, how.schedule, |ran| {
            match model.execute(call, &mut ran.memory, how, &mut log) {
                Ok(End::Finished) => Ok(()),
                Ok(End::Hung) => Err(Answer::Hung(how.schedule)),
                Err(fault) => Err(Answer::Fault(fault.0)),
            }
        })
    };
    match caught(run) {
        Ok(Ok(ran)) => Answer::Ran(Ran {
            oob_accesses: log.oob_accesses,
            ..ran
        }),
        Ok(Err(ends)) => ends,
        Err(why) => Answer::Fault(why),
    }
}

/// What is left where a call is issued for each of `steps` on one memory: the table
/// persists, tiles are loaded anew.
///
/// # Errors
/// The first that `issue` gives.
pub(crate) fn each_step<E>(
    call: &Call,
    steps: &[Memory],
    schedule: Schedule,
    mut issue: impl FnMut(&mut Ran) -> Result<(), E>,
) -> Result<Ran, E> {
    let mut ran = Ran {
        schedule,
        ..Ran::default()
    };
    for (n, step) in steps.iter().enumerate() {
        reload(&mut ran.memory, step);
        issue(&mut ran)?;
        if n + 1 < steps.len() {
            let changed = changed(call, &ran.memory, step, n);
            ran.inputs_changed.extend(changed);
        }
    }
    Ok(ran)
}

/// Loads the operands of the next step; what is not among them stays.
pub(crate) fn reload(memory: &mut Memory, step: &Memory) {
    for fresh in &step.regions {
        match memory.get_mut(fresh.role) {
            Some(old) => old.clone_from(fresh),
            None => memory.regions.push(fresh.clone()),
        }
    }
}

/// Inputs of a step that is not the last: after it they must be what they were,
/// since only the last step's are judged slot by slot.
fn changed<'a>(
    call: &Call,
    memory: &'a Memory,
    step: &'a Memory,
    n: usize,
) -> impl Iterator<Item = InputChanged> + 'a {
    let output = call.output();
    step.regions
        .iter()
        .filter(move |before| before.role != output && before.role != Role::Scratch)
        .filter(|before| memory.get(before.role) != Some(before))
        .map(move |before| InputChanged {
            step: n,
            role: before.role,
        })
}

/// What comes of `run`, which a model may die over: then how.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|cause| {
        let text = cause
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| cause.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no message");
        format!("the model panicked: {text}")
    })
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::{Fault, Target};

    use super::*;

    /// A model that does one thing to the memory of every call, and dies over every check.
    struct Does(fn(&mut Memory) -> Result<End, Fault>);

    impl Model for Does {
        fn target(&self) -> Target {
            Target::A5
        }

        fn check(&self, _: &Call, _: &Readings) -> Vec<Rejection> {
            panic!("no check")
        }

        fn execute(
            &self,
            _: &Call,
            memory: &mut Memory,
            _: &How,
            _: &mut Log,
        ) -> Result<End, Fault> {
            (self.0)(memory)
        }
    }

    /// What comes of a scatter of two calls, of which the model does this in each.
    fn run(does: fn(&mut Memory) -> Result<End, Fault>) -> Answer {
        let text = "cases:\n  - {name: x, instruction: MSCATTER, mode: Row, dtype: float, chunks: 2, \
                    tile: {shape: [1, 8]}, index: {shape: [1, 8], valid: [1, 1]}, \
                    table: {shape: [1, 1, 1, 4, 8]}}\n";
        let cases = ptodiff_case::load_str("x.yaml", text)
            .expect("a case")
            .cases;
        let steps = ptodiff_generate::stimulus(&cases[0], 0).steps;
        let why = check(&Does(does), &cases[0].call, &Readings::default());
        assert_eq!(why, Err("the model panicked: no check".to_owned()));
        execute(&Does(does), &cases[0].call, &steps, &How::default())
    }

    #[test]
    fn a_tile_that_an_earlier_call_changed_is_noted_though_it_is_loaded_anew() {
        let answer = run(|memory| {
            memory.get_mut(Role::Index).expect("an index").bytes_mut()[2] ^= 1;
            Ok(End::Finished)
        });
        let Answer::Ran(ran) = answer else {
            panic!("{answer:?}")
        };
        let (step, role) = (0, Role::Index);
        assert_eq!(ran.inputs_changed, [InputChanged { step, role }]);
    }

    #[test]
    fn a_model_that_panics_or_gives_up_fails_its_case_and_nothing_else() {
        let fault = |why: &str| Answer::Fault(why.to_owned());
        let panics = run(|_| panic!("lane {}", 3));
        assert_eq!(panics, fault("the model panicked: lane 3"));
        let gives_up = run(|_| Err(Fault("no index".to_owned())));
        assert_eq!(gives_up, fault("no index"));
        assert_eq!(run(|_| Ok(End::Hung)), Answer::Hung(Schedule::InOrder));
    }

    #[test]
    fn schedules_begin_in_order_and_reversed() {
        use Schedule::{InOrder, Reversed, Shuffled};
        assert_eq!(schedules(1), [InOrder]);
        assert_eq!(schedules(4), [InOrder, Reversed, Shuffled(1), Shuffled(2)]);
    }
}
