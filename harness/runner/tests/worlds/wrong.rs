//! Wrong models, one mistake each.

use std::panic::resume_unwind;

use ptodiff_isa::*;
use ptodiff_runner::altered;

/// One mistake.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Mistake {
    /// Every policy is taken for Clamp.
    Clamps,
    /// The first byte that changes is what it was: behind it padding may be open.
    Forgets,
    /// The byte behind the last one that changes changes too.
    Spills,
    /// A byte of the index changes, or of the source where there is none.
    Scribbles,
    /// It panics.
    Panics,
    /// It never returns.
    Hangs,
}

/// `model`, which makes one mistake.
pub(crate) fn wrong(model: &'static dyn Model, mistake: Mistake) -> impl Model {
    altered(model, move |model, call, memory, how, log| {
        let before = memory.clone();
        let (given, output) = (*call, call.output());
        let call = match mistake {
            Mistake::Clamps => clamping(given).unwrap_or(given),
            // Says nothing on the way.
            Mistake::Panics => resume_unwind(Box::new("planted")),
            Mistake::Hangs => return Ok(End::Hung),
            Mistake::Forgets | Mistake::Spills | Mistake::Scribbles => given,
        };
        let end = model.execute(&call, memory, how, log)?;
        let was = before.get(output).unwrap().bytes();
        let is = memory.get_mut(output).unwrap().bytes_mut();
        let mut changed = (0..was.len()).filter(|&at| was[at] != is[at]);
        let [first, last] = [changed.clone().next(), changed.next_back()];
        match (mistake, first, last) {
            (Mistake::Forgets, Some(first), _) => is[first] = was[first],
            (Mistake::Spills, _, Some(last)) => is[last + 1] ^= 0xFF,
            (Mistake::Scribbles, ..) => {
                let role = [Role::Index, Role::Source].into_iter();
                let role = role.rev().find(|r| before.get(*r).is_some()).unwrap();
                memory.get_mut(role).unwrap().body_mut()[0] ^= 0xFF;
            }
            _ => {}
        }
        Ok(end)
    })
}

/// The same call under Clamp, if it has a policy.
pub(crate) fn clamping(mut call: Call) -> Option<Call> {
    call.set_argument("oob", "Clamp").then_some(call)
}
