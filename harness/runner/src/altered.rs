//! A model that runs calls in another way.

use ptodiff_isa::{Call, End, Fault, How, Log, Memory, Model, Readings, Rejection, Target};

struct Altered<'a, F> {
    model: &'a dyn Model,
    execute: F,
}

/// `model`, but for how it executes a call: as `execute` does, which is given it.
pub fn altered<'a, F>(model: &'a dyn Model, execute: F) -> impl Model + 'a
where
    F: Fn(&dyn Model, &Call, &mut Memory, &How, &mut Log) -> Result<End, Fault> + Send + Sync + 'a,
{
    Altered { model, execute }
}

impl<F> Model for Altered<'_, F>
where
    F: Fn(&dyn Model, &Call, &mut Memory, &How, &mut Log) -> Result<End, Fault> + Send + Sync,
{
    fn target(&self) -> Target {
        self.model.target()
    }

    fn check(&self, call: &Call, readings: &Readings) -> Vec<Rejection> {
        self.model.check(call, readings)
    }

    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<End, Fault> {
        (self.execute)(self.model, call, memory, how, log)
    }
}
