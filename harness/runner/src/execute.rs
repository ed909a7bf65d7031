//! Running one case on one model, whatever the model does.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ptodiff_isa::{Call, How, Log, Memory, Model, Readings, Refusal, Schedule};
use ptodiff_judge::{Answer, InputChanged, Ran};

/// The schedules that a concurrent target runs under: in order, reversed, then
/// shuffles with seeds 1, 2, ...
#[must_use]
pub fn schedules(count: u32) -> Vec<Schedule> {
    (0..count)
        .map(|n| match n {
            0 => Schedule::InOrder,
            1 => Schedule::Reversed,
            n => Schedule::Shuffled(u64::from(n) - 1),
        })
        .collect()
}

/// What the model's static checks refuse, or how it died over them.
pub(crate) fn check(
    model: &dyn Model,
    call: &Call,
    readings: &Readings,
) -> Result<Vec<Refusal>, String> {
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
            if let Err(fault) = model.execute(call, &mut memory, how, &mut log) {
                return Answer::Fault(fault.0);
            }
            if n + 1 < steps.len() {
                inputs_changed.extend(changed(&memory, step, n));
            }
        }
        Answer::Ran(Ran {
            memory,
            strays: log.strays,
            inputs_changed,
            schedule: how.schedule,
        })
    };
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|cause| Answer::Fault(panic_text(&*cause)))
}

/// Loads the tiles of the next step; what is not among them stays.
fn reload(memory: &mut Memory, step: &Memory) {
    for fresh in &step.regions {
        if let Some(old) = memory.get_mut(fresh.role) {
            old.clone_from(fresh);
        }
    }
}

/// Tiles of a step that is not the last: after it they must be what they were,
/// since only the last step's are judged slot by slot.
fn changed<'a>(
    memory: &'a Memory,
    step: &'a Memory,
    n: usize,
) -> impl Iterator<Item = InputChanged> + 'a {
    let table = ptodiff_isa::Role::Table;
    step.regions
        .iter()
        .filter(move |before| before.role != table && memory.get(before.role) != Some(before))
        .map(move |before| InputChanged {
            step: n,
            role: before.role,
        })
}

fn panic_text(cause: &(dyn std::any::Any + Send)) -> String {
    let text = cause
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| cause.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    format!("the model panicked: {text}")
}
