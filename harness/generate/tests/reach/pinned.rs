//! Random cases and their stimuli, as they have been since they were first pinned.
//!
//! The digests were taken from this crate itself: they say that nothing
//! changed, not that it is right. A pin of the drawn cases follows the grammar
//! and the case format; a pin of the stimuli whose cases stayed the same must
//! never move.

use blake3::{Hash, Hasher};
use ptodiff_case::case_yaml;
use ptodiff_generate::random::Rules;
use ptodiff_generate::{Stimulus, stimulus};

use crate::reach::drawn;

/// Cases of each form.
const CASES: u64 = 100;

fn add(hasher: &mut Hasher, stimulus: &Stimulus) {
    for region in stimulus.steps.iter().flat_map(|memory| &memory.regions) {
        let body = region.body_range();
        let shape = [body.start, body.len(), region.bytes().len()];
        hasher.update(region.role.to_string().as_bytes());
        hasher.update(shape.map(|n| (n as u64).to_le_bytes()).as_flattened());
        hasher.update(region.bytes());
    }
}

/// Digests of the cases and of their stimuli under two seeds.
fn digests(rules: Rules) -> [Hash; 2] {
    let [mut cases, mut made] = [Hasher::new(), Hasher::new()];
    for case in drawn(5, rules, CASES) {
        cases.update(case_yaml(&case).as_bytes());
        for seed in [0, 9] {
            add(&mut made, &stimulus(&case, seed));
        }
    }
    [cases.finalize(), made.finalize()]
}

fn check(rules: Rules, expected: [&str; 2]) {
    let found = digests(rules).map(|hash| hash.to_hex().to_string());
    assert_eq!(found, expected, "the cases, their stimuli");
}

#[test]
fn legal_cases() {
    check(
        Rules::Legal,
        [
            "aa5e27f3347831fe037c4955fa66a485cd4fc038b1e577458027d2938d51c70b",
            "ee6d244141e316cfcdf1991871cb8dbd5c5e1824a1da90df76812300324901f1",
        ],
    );
}

#[test]
fn broken_cases() {
    check(
        Rules::Broken(1),
        [
            "fd10438b264f62e3d0eacc10ae5d4d46e96745124c2bc9458c6b56e06d2e24d7",
            "592e7fbddff164eb0b2e60a708fa1adba0d980c67c319fd0066f48e3ed2f97f1",
        ],
    );
}

#[test]
fn wild_cases() {
    check(
        Rules::Wild,
        [
            "0d5ec1d42af892d72e05310810988fce4185213298318d334e6767c60bff7bb7",
            "2f9b024802e14f01f5fdda2de7dcc6edbc41d24101532aa180350b53bf53e6a1",
        ],
    );
}
