//! The models and their peers on the same operation and data, in turns.

use std::{hint::black_box, path::Path, time::Instant};

use ptodiff_isa::{Call, CpuForm, End, How, Log, Memory, Model, Readings, Scope, Target};
use ptodiff_runner::models;

use crate::{
    data::on_lines,
    operation::{self, Operation},
    peer::{Failed, Peer},
};

/// One operation, for all that have it.
pub(crate) struct Contest {
    pub(crate) label: String,
    pub(crate) call: Call,
    pub(crate) memory: Memory,
    /// Readings other than those of every contest.
    pub(crate) readings: fn(&mut Readings),
}

/// What a contest came to.
pub(crate) struct Times {
    pub(crate) elements: usize,
    /// Nanoseconds of one call at best, of each peer that has the operation,
    /// by its place among the peers.
    pub(crate) peers: Vec<Option<f64>>,
    /// The same of each model that does not reject.
    pub(crate) models: Vec<(Target, f64)>,
}

/// A model in the contest.
struct Runner<'a> {
    model: &'static dyn Model,
    call: &'a Call,
    how: &'a How,
    memory: Memory,
    log: Log,
}

impl Runner<'_> {
    fn once(&mut self) -> Result<(), Failed> {
        let call = black_box(self.call);
        let memory = black_box(&mut self.memory);
        let end = self.model.execute(call, memory, self.how, &mut self.log);
        match end {
            Ok(End::Finished) => Ok(()),
            other => Err(Failed(format!("{}: {other:?}", self.model.target()))),
        }
    }

    /// Nanoseconds of one of `times` runs, after one that is not counted.
    fn turn(&mut self, times: usize) -> Result<f64, Failed> {
        self.once()?;
        let start = Instant::now();
        for _ in 0..times {
            self.once()?;
        }
        Ok(start.elapsed().as_nanos() as f64 / times as f64)
    }
}

impl Contest {
    /// How models run it.
    pub(crate) fn how(&self) -> How {
        let mut how = How::default();
        how.readings.cpu_form = CpuForm::Templated;
        how.readings.scope = Scope::AsTheSuite;
        (self.readings)(&mut how.readings);
        how
    }

    /// The models that do not reject it.
    pub(crate) fn models(&self) -> Vec<&'static dyn Model> {
        let readings = self.how().readings;
        let takes = |model: &&dyn Model| model.check(&self.call, &readings).is_empty();
        models().into_iter().filter(takes).collect()
    }

    /// Holds it over `rounds`, in each of which everyone takes a turn, so that a
    /// slow moment of the machine hits all alike; the best turn counts. Before
    /// that each runs once, and all results must be the same bytes.
    pub(crate) fn run(
        &self,
        peers: &mut [Peer],
        rounds: usize,
        folder: &Path,
    ) -> Result<Times, Failed> {
        let how = self.how();
        let elements = elements(&self.call);
        let mut runners = Vec::new();
        for model in self.models() {
            runners.push(Runner {
                model,
                call: &self.call,
                how: &how,
                memory: on_lines(&self.memory),
                log: Log::default(),
            });
        }
        let operation = Operation::of(&self.call, &how.readings);
        operation::write(&operation, &self.memory, folder)?;
        let mut there = Vec::with_capacity(peers.len());
        for peer in &mut *peers {
            there.push(peer.open(folder)?);
        }
        self.compare(&mut runners, peers, &there, folder)?;

        let times = (200_000 / elements).max(1);
        let mut best = Times {
            elements,
            peers: there.iter().map(|t| t.then_some(f64::INFINITY)).collect(),
            models: runners
                .iter()
                .map(|r| (r.model.target(), f64::INFINITY))
                .collect(),
        };
        for _ in 0..rounds {
            for (peer, best) in peers.iter_mut().zip(&mut best.peers) {
                if let Some(best) = best {
                    *best = best.min(peer.turn(times)?);
                }
            }
            for (runner, (_, best)) in runners.iter_mut().zip(&mut best.models) {
                *best = best.min(runner.turn(times)?);
            }
        }
        Ok(best)
    }

    /// Runs each once and holds its output against that of the first.
    fn compare(
        &self,
        runners: &mut [Runner<'_>],
        peers: &mut [Peer],
        there: &[bool],
        folder: &Path,
    ) -> Result<(), Failed> {
        let output = self.call.output();
        let mut first: Option<(String, Vec<u8>)> = None;
        let mut hold = |name: String, bytes: Vec<u8>| match &first {
            None => {
                first = Some((name, bytes));
                Ok(())
            }
            Some((_, known)) if *known == bytes => Ok(()),
            Some((other, known)) => {
                let at = known.iter().zip(&bytes).position(|(a, b)| a != b);
                let at = at.unwrap_or(known.len().min(bytes.len()));
                let label = &self.label;
                let why = format!("{label}: {name} and {other} differ from byte {at} on");
                Err(Failed(why))
            }
        };
        for runner in runners {
            runner.once()?;
            let name = runner.model.target().to_string();
            if runner.log.strays.count > 0 {
                return Err(Failed(format!("{}: {name} left an operand", self.label)));
            }
            let region = runner.memory.get(output);
            hold(name, region.map_or_else(Vec::new, |r| r.body().to_vec()))?;
        }
        for (peer, _) in peers.iter_mut().zip(there).filter(|(_, there)| **there) {
            let bytes = peer.result(&folder.join("result"))?;
            hold(peer.name().to_owned(), bytes)?;
        }
        Ok(())
    }
}

/// Elements of the data tile.
fn elements(call: &Call) -> usize {
    let tile = call.data_tile();
    (tile.rows * tile.cols) as usize
}
