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
            "d0c6210668b44a609475b70b817b923e30cbb7c06a3fdd42ab1525329876f430",
            "dd28068cbac86225b8d6c8efce1cec2d9b362d0b512d85daa7b60d54f6d3aa27",
        ],
    );
}

#[test]
fn broken_cases() {
    check(
        Rules::Broken(1),
        [
            "469fd1e32a0f2f40a3b350de8981ceda9971c0613a85b6530e55bf855da31d98",
            "cbbbfcede159bd36207513ccd984d07c07d72f035c614cc4fb8dfba9b2fc5dd3",
        ],
    );
}

#[test]
fn wild_cases() {
    check(
        Rules::Wild,
        [
            "876760644a9f86e0ec1a55561336607ff6d73325f7103c83f735aee066fcb2b9",
            "bc84055bc36ea2ca1a733be42678066db7ea5503eb5c393c8ca8066d45adca6f",
        ],
    );
}
