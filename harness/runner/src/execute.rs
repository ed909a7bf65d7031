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
    catch_unwind(AssertUnwindSafe(|| model.check(call, readings)))
        .map_err(|cause| panic_text(&*cause))
}

/// Issues `call` once for each step on one memory: the table persists, tiles
/// are loaded anew.
pub(crate) fn execute(model: &dyn Model, call: &Call, steps: &[Memory], how: &How) -> Answer {
    let run = || {
        let Some(first) = steps.first() else {
            return Answer::Fault("the case has no step".to_owned());
        };
        let mut memory = first.clone();
        let mut log = Log::default();
        let mut inputs_changed = Vec::new();
        for (n, step) in steps.iter().enumerate() {
            if n > 0 {
                reload(&mut memory, step);
            }
            match model.execute(call, &mut memory, how, &mut log) {
                Ok(End::Finished) => {}
                Ok(End::Hung) => return Answer::Hung(how.schedule),
                Err(fault) => return Answer::Fault(fault.0),
            }
            if n + 1 < steps.len() {
                inputs_changed.extend(changed(call, &memory, step, n));
            }
        }
        Answer::Ran(Ran {
            memory,
            oob_accesses: log.oob_accesses,
            inputs_changed,
            schedule: how.schedule,
        })
    };
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|cause| Answer::Fault(panic_text(&*cause)))
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
pub(crate) fn changed<'a>(
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

pub(crate) fn panic_text(cause: &(dyn std::any::Any + Send)) -> String {
    let text = cause
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| cause.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    format!("the model panicked: {text}")
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::Region;
    use ptodiff_isa::{Fault, Instruction, Target};

    use super::*;

    /// A model that does one thing to the memory of every call.
    struct Does(fn(&mut Memory) -> Result<End, Fault>);

    impl Model for Does {
        fn target(&self) -> Target {
            Target::A5
        }

        fn check(&self, call: &Call, _: &Readings) -> Vec<Rejection> {
            assert_eq!(
                call.instruction(),
                Instruction::Mscatter,
                "no check for a gather"
            );
            Vec::new()
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

    fn memory(regions: &[(Role, u8)]) -> Memory {
        let region = |(role, byte): &(Role, u8)| Region::new(*role, vec![*byte; 3], 1..2);
        Memory {
            regions: regions.iter().map(region).collect(),
        }
    }

    fn steps() -> [Memory; 2] {
        [
            memory(&[(Role::Table, 0), (Role::Source, 5), (Role::Index, 1)]),
            memory(&[(Role::Source, 7), (Role::Index, 2)]),
        ]
    }

    fn call(yaml: &str) -> Call {
        let text = format!(
            "cases:\n  - name: x\n    dtype: float\n    tile: {{shape: [1, 8]}}\n    {yaml}\n"
        );
        ptodiff_case::load_str("x.yaml", &text)
            .expect("a case")
            .cases[0]
            .call
    }

    fn scatter() -> Call {
        call(
            "instruction: MSCATTER\n    index: {shape: [1, 8], valid: [1, 1]}\n    table: {shape: [1, 1, 1, 4, 8]}",
        )
    }

    fn run(model: &Does, call: &Call, steps: &[Memory]) -> Answer {
        execute(model, call, steps, &How::default())
    }

    fn add_source(memory: &mut Memory) -> Result<End, Fault> {
        let source = memory.get(Role::Source).map_or(0, |r| r.body()[0]);
        if let Some(table) = memory.get_mut(Role::Table) {
            table.body_mut()[0] += source;
        }
        Ok(End::Finished)
    }

    #[test]
    fn the_table_persists_and_tiles_are_loaded_anew() {
        let answer = run(&Does(add_source), &scatter(), &steps());
        let Answer::Ran(ran) = answer else {
            panic!("{answer:?}")
        };
        let bytes = |role| ran.memory.get(role).map(|r| r.body()[0]);
        assert_eq!(bytes(Role::Table), Some(12));
        assert_eq!(
            (bytes(Role::Source), bytes(Role::Index)),
            (Some(7), Some(2))
        );
        assert_eq!(ran.inputs_changed, []);
    }

    #[test]
    fn a_tile_that_an_earlier_call_changed_is_noted_though_it_is_loaded_anew() {
        let spoil = |memory: &mut Memory| {
            memory.get_mut(Role::Index).expect("an index").bytes_mut()[2] = 9;
            Ok(End::Finished)
        };
        let answer = run(&Does(spoil), &scatter(), &steps());
        let Answer::Ran(ran) = answer else {
            panic!("{answer:?}")
        };
        assert_eq!(
            ran.inputs_changed,
            [InputChanged {
                step: 0,
                role: Role::Index
            }]
        );
    }

    #[test]
    fn a_model_that_panics_or_gives_up_fails_its_case_and_nothing_else() {
        let answer = run(&Does(|_| panic!("lane {}", 3)), &scatter(), &steps());
        assert_eq!(
            answer,
            Answer::Fault("the model panicked: lane 3".to_owned())
        );
        let answer = run(
            &Does(|_| Err(Fault("no index".to_owned()))),
            &scatter(),
            &steps(),
        );
        assert_eq!(answer, Answer::Fault("no index".to_owned()));
        let answer = run(&Does(|_| Ok(End::Finished)), &scatter(), &[]);
        assert_eq!(answer, Answer::Fault("the case has no step".to_owned()));
        let hung = Does(|_| Ok(End::Hung));
        let answer = run(&hung, &scatter(), &steps());
        assert_eq!(answer, Answer::Hung(Schedule::InOrder));
        let gather = call(
            "instruction: MGATHER\n    index: {shape: [1, 8], valid: [1, 1]}\n    table: {shape: [1, 1, 1, 4, 8]}",
        );
        let why = check(&Does(|_| Ok(End::Finished)), &gather, &Readings::default())
            .expect_err("it panics");
        assert!(why.contains("no check for a gather"), "{why}");
    }

    #[test]
    fn schedules_begin_in_order_and_reversed() {
        use Schedule::{InOrder, Reversed, Shuffled};
        assert_eq!(schedules(1), [InOrder]);
        assert_eq!(schedules(4), [InOrder, Reversed, Shuffled(1), Shuffled(2)]);
    }
}
