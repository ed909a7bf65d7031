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
            "74a232fb6ef5e4c7141b8fc046a204510733fbfc8449c17a4dc33b892418ace7",
            "233bfc17e5344b3ad9c2c1aa3194ebde8b2084d6f1a6d6bdc5589831ba839f19",
        ],
    );
}

#[test]
fn broken_cases() {
    check(
        Rules::Broken(1),
        [
            "a48338d4b6d1b690cdee2fa49ea0cbe2af1343b07412d528c5ea62a0c927efaf",
            "abeea39238733b9b587f8ef78fc9b3ab4701ac30c597e8eae07419e5e3de064d",
        ],
    );
}

#[test]
fn wild_cases() {
    check(
        Rules::Wild,
        [
            "ced874f5afea2386d98cd22edfbb17f7039401c2528d8e5c01cea4e000bf66f0",
            "080292f114f86f19ef850458a961891107a6dfad83a8a4eea4d4988c76b5192b",
        ],
    );
}
