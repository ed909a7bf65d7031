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
            "e905172839396d1db73ff50b81c41534d85deb4ae426c021a00702d7c2f62476",
            "416cb4a040c6ece0bbebecde060a27029ef87520c62a4d0776d701064ecdbf05",
        ],
    );
}

#[test]
fn broken_cases() {
    check(
        Rules::Broken(1),
        [
            "3f80942c2cbea6d54b62547cfa70ab0229a7b73a1cbbb3a122cfc88192d69028",
            "62a802e30f07ad7efc8c8174accc32fb61d0408f6afe1e6aa544fac28dc36c4e",
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
