//! A plain loop and the models on the same work, in turns.

use std::{hint::black_box, time::Instant};

use ptodiff_isa::{Call, CpuForm, End, How, Log, Memory, Model, Readings, Scope, Target};
use ptodiff_runner::models;

/// Rounds in which everything that is compared takes its turn, so that a
/// slow moment of the machine hits all alike; the best round counts.
pub(crate) const ROUNDS: usize = 300;

/// One operation, for the models that have it and a plain loop.
pub(crate) struct Contest {
    pub(crate) label: String,
    pub(crate) elements: usize,
    pub(crate) call: Call,
    pub(crate) memory: Memory,
    /// Readings other than those of every contest.
    pub(crate) readings: fn(&mut Readings),
    pub(crate) plain: Box<dyn FnMut()>,
}

/// Nanoseconds of one call, at best: the plain loop's, and each target's that
/// does not refuse.
pub(crate) struct Times {
    pub(crate) plain: f64,
    pub(crate) models: Vec<(Target, f64)>,
}

impl Contest {
    /// Holds it.
    pub(crate) fn run(mut self) -> Times {
        let mut how = How::default();
        how.readings.cpu_form = CpuForm::Templated;
        how.readings.scope = Scope::AsTheSuite;
        (self.readings)(&mut how.readings);
        let mut subjects: Vec<(&dyn Model, Memory, Log)> = Vec::new();
        for model in models() {
            if model.check(&self.call, &how.readings).is_empty() {
                let (mut memory, mut log) = (self.memory.clone(), Log::default());
                run(model, &self.call, &mut memory, &how, &mut log);
                assert_eq!(log.strays.count, 0, "{} strays", model.target());
                subjects.push((model, memory, log));
            }
        }
        let batch = (200_000 / self.elements).max(1);
        let mut plain = f64::INFINITY;
        let mut best = vec![f64::INFINITY; subjects.len()];
        for _ in 0..ROUNDS {
            plain = plain.min(time(batch, &mut self.plain));
            for ((model, memory, log), best) in subjects.iter_mut().zip(&mut best) {
                *best = best.min(time(batch, || {
                    run(*model, black_box(&self.call), black_box(memory), &how, log)
                }));
            }
        }
        let targets = subjects.iter().map(|(model, ..)| model.target());
        Times {
            plain,
            models: targets.zip(best).collect(),
        }
    }
}

/// Nanoseconds of one of `batch` calls.
pub(crate) fn time(batch: usize, mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..batch {
        work();
    }
    start.elapsed().as_nanos() as f64 / batch as f64
}

fn run(model: &dyn Model, call: &Call, memory: &mut Memory, how: &How, log: &mut Log) {
    let end = model.execute(call, memory, how, log);
    assert_eq!(end, Ok(End::Finished), "the model runs the call");
}
