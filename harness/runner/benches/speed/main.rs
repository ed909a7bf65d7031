//! Figures for `scripts/bench`, a line each with tabs between what it has:
//! `contest`, `table` or `count`, a label, then numbers, `-` where there is none.
//!
//! - `contests`: nanoseconds of a call of each model and of each peer, a
//!   program of its own, on the same operation and data in turns.
//! - `tables`: nanoseconds of a trial with a large table beside a small one.
//! - `counts`: work for a tool that counts instructions.

mod chip;
mod contest;
mod counts;
mod data;
mod gm;
mod operation;
mod peer;
mod tables;

use std::{path::Path, process::ExitCode};

use ptodiff_isa::Target;

use peer::{Failed, Peer};

const USAGE: &str = "usage: speed contests|tables|counts [--rounds N] \
    [--peer NAME=PROGRAM[=ARGUMENT..]].. [WORD..]";

/// What the command line asks for.
struct Asked {
    verb: String,
    rounds: usize,
    peers: Vec<String>,
    /// A row is wanted if its label has one of these, or if there are none.
    words: Vec<String>,
}

impl Asked {
    fn read() -> Result<Self, Failed> {
        // cargo passes one of its own.
        let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
        let usage = || Failed(USAGE.to_owned());
        let mut asked = Self {
            verb: words.next().ok_or_else(usage)?,
            rounds: 300,
            peers: Vec::new(),
            words: Vec::new(),
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(usage);
            match word.as_str() {
                "--rounds" => asked.rounds = value()?.parse().map_err(|_| usage())?,
                "--peer" => asked.peers.push(value()?),
                _ => asked.words.push(word),
            }
        }
        Ok(asked)
    }

    fn wants(&self, label: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| label.contains(word))
    }
}

fn main() -> ExitCode {
    let done = Asked::read().and_then(|asked| match asked.verb.as_str() {
        "contests" => contests(&asked),
        "tables" => tables::rows(
            asked.rounds,
            |label| asked.wants(label),
            |label, [a, b]| {
                println!("table\t{label}\t{a:.1}\t{b:.1}");
            },
        ),
        "counts" => counts::rows(
            |label| asked.wants(label),
            |label, times| {
                println!("count\t{label}\t{times}");
            },
        ),
        _ => Err(Failed(USAGE.to_owned())),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("speed: {why}");
            ExitCode::from(2)
        }
    }
}

/// A line a contest: elements, then nanoseconds of the peers in the order
/// given, of cpu, of a2a3, of a5.
fn contests(asked: &Asked) -> Result<(), Failed> {
    let folder = std::env::temp_dir().join(format!("ptodiff-speed-{}", std::process::id()));
    let done = contests_by(&folder, asked);
    // What is in it was for the peers.
    let _ = std::fs::remove_dir_all(folder);
    done
}

fn contests_by(folder: &Path, asked: &Asked) -> Result<(), Failed> {
    let mut peers = Vec::with_capacity(asked.peers.len());
    for told in &asked.peers {
        peers.push(Peer::start(told)?);
    }
    let all = gm::contests().chain(chip::contests());
    for contest in all.filter(|contest| asked.wants(&contest.label)) {
        let times = contest.run(&mut peers, asked.rounds, folder)?;
        let of = |target: Target| {
            let model = times.models.iter().find(|(t, _)| *t == target);
            model.map(|(_, took)| *took)
        };
        let models = [Target::Cpu, Target::A2a3, Target::A5].map(of);
        print!("contest\t{}\t{}", contest.label, times.elements);
        for took in times.peers.iter().chain(&models) {
            match took {
                Some(took) => print!("\t{took:.1}"),
                None => print!("\t-"),
            }
        }
        println!();
    }
    Ok(())
}
