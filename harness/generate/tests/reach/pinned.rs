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
            "f633536e6bc002540d906139a5e6df847e5008442c9ce5030403d31e4b89edf2",
            "108f45556bf36a2747fef2e7b63b193103867441bdf403cb681ecf0546df935f",
        ],
    );
}

#[test]
fn broken_cases() {
    check(
        Rules::Broken(1),
        [
            "f6318ba2fbe1d54e90383dbdc29cf99a9e1d120c88695b926fcd43f47d174ea9",
            "d87b215c3e399017bbcc4216d1459ced892c70ed3aedbc4e641feb07702d4924",
        ],
    );
}

#[test]
fn wild_cases() {
    check(
        Rules::Wild,
        [
            "814a28561d61f71f4622bffd965bc53b24e66e7b79f4518faf88b3b7e6afabc8",
            "cac341b071c39e9375e244e91a269cc24eed77e2e84a1c84d8541da52b9aa0e6",
        ],
    );
}
