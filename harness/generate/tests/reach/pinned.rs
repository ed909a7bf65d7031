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
            "cda9cbe1f20b68b46142820472a736bbb4884759792878bba7cb65ae095628ed",
            "929688dd3faeb73ee756e9964bc4c55cecffcc052adc72a3d75e8541d96240dd",
        ],
    );
}

#[test]
fn broken_cases() {
    check(
        Rules::Broken(1),
        [
            "c6c3388c5b69346b24f6d8a895aeb722da68762072508d4838c7931e5806b312",
            "d256cadb0f62d531694b8c9eee44f8d8b44b2c7283ef185e0aad3f211b381749",
        ],
    );
}

#[test]
fn wild_cases() {
    check(
        Rules::Wild,
        [
            "c6a0df79ef64bb7ad65791324b949e45ef43dee7800b9223998e1b20c16cd2d9",
            "8cfb90c577040ab5687917406fca318f68e559c13982eed22d80e41489065c22",
        ],
    );
}
