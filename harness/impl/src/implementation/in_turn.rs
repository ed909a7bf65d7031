//! Calls of one process, one after another.

use ptodiff_isa::Memory;

use super::{Ask, Implementation};
use crate::{Answered, Failure, Trouble, pool::Whom, process::Running};

/// Calls that are asked one after another.
pub struct InTurn<'i> {
    pub(super) of: &'i Implementation,
    pub(super) whom: Whom,
    /// The process that is asked nothing else, once there is one.
    pub(super) own: Option<Running>,
}

impl InTurn<'_> {
    /// As [`Implementation::answer`].
    pub fn answer(&mut self, ask: &Ask<'_>, memory: &mut Memory) -> Answered {
        let mut answered = None;
        let part = &mut [(ask, &mut *memory)];
        self.of
            .answer_part(self.whom, &mut self.own, part, &mut |_, a, _| {
                answered = Some(a);
            });
        answered.unwrap_or_else(|| {
            // Every question of a part has an answer.
            let why = "nothing was asked".to_owned();
            Answered::Failed(Failure {
                trouble: Trouble::Machine(why),
                stderr: Vec::new(),
            })
        })
    }
}

impl Drop for InTurn<'_> {
    fn drop(&mut self) {
        self.of.end(self.own.take());
    }
}
