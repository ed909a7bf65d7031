//! Random cases and their stimuli, as they have been since they were first pinned.
//!
//! The digests were taken from this crate itself: they say that nothing
//! changed, not that it is right. A pin of the drawn cases follows the grammar
//! and the case format; a pin of the stimuli whose cases stayed the same must
//! never move.

use blake3::{Hash, Hasher};
use ptodiff_case::{Case, case_yaml};
use ptodiff_generate::random::{Form, Rules, Series, Wish, draw, name};
use ptodiff_generate::{Stimulus, stimulus};

/// Cases of each form.
const CASES: u64 = 100;

/// `CASES` cases of every form, named.
fn cases(rules: Rules) -> impl Iterator<Item = Case> {
    let series = Series::new(5);
    Form::ALL.iter().flat_map(move |form| {
        let wish = Wish {
            rules,
            forms: vec![*form],
            ..Wish::default()
        };
        let series = series.clone();
        (0..CASES).map(move |number| {
            let mut case = draw(&mut series.number(number), &wish).case;
            name(&mut case, 5, number);
            case
        })
    })
}

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
    let [mut drawn, mut made] = [Hasher::new(), Hasher::new()];
    for case in cases(rules) {
        drawn.update(case_yaml(&case).as_bytes());
        for seed in [0, 9] {
            add(&mut made, &stimulus(&case, seed));
        }
    }
    [drawn.finalize(), made.finalize()]
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
            "83c4fed6948902ea64aadc93e6fe89ec6466e29ea0ac75d21d060ea5d8af45fc",
            "11c400f4edbec15471c29c25d6f32e71f82a98f75c5a6d4b1cd2f90587412521",
        ],
    );
}

#[test]
fn broken_cases() {
    check(
        Rules::Broken(1),
        [
            "92581f5a560e28df14241b99703725473bfa87f880d8c5da9acd9244a08415f9",
            "c8c57d380c805a66505ef319ec8fbbb16629bda195c60cf0c2ca1743bef7af88",
        ],
    );
}

#[test]
fn wild_cases() {
    check(
        Rules::Wild,
        [
            "714c271dc28b4ddf2e6ea27eab850ebc077412730e51e15876f2a225504f22f2",
            "678bd8450cf602155803286d948e57643570f5e2180e122e2c8b7cb4ffb011ef",
        ],
    );
}
