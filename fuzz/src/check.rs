//! A target on a bounded number of inputs, without a fuzzer.

use ptodiff_case::Corpus;

use crate::seeds::{self, Seed};
use crate::target::{HOLES, RECORD, Target};

/// Of so many inputs of a record one is checked: a page is made of each.
const RECORDS: usize = 10;

/// The inputs of a check of `target`: its seeds, and `near` inputs near them;
/// fewer where they are slow.
#[must_use]
pub fn inputs(target: &Target, corpus: &Corpus, near: usize) -> Vec<Seed> {
    let mut inputs = seeds::of(target, corpus);
    // A new hole is a find, not a fault, and near a case there may be one.
    if target.name != HOLES.name {
        inputs.extend(seeds::near(&inputs, near));
    }
    if target.name == RECORD.name {
        inputs = inputs.into_iter().step_by(RECORDS).collect();
    }
    inputs
}

/// Runs `target` on each of `inputs`.
///
/// # Errors
/// The first input with which something is wrong, and what.
pub fn run<'a>(target: &Target, inputs: &'a [Seed]) -> Result<(), (&'a Seed, String)> {
    inputs.iter().try_for_each(|seed| {
        let (_, bytes) = seed;
        target.find(bytes).map_err(|why| (seed, why))
    })
}
