//! Scenes for the judge, and judges that are wrong.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ptodiff_fuzz::oracle::judge::{JUDGE, Judge, JudgedCase, consistent, draw};
use ptodiff_fuzz::seeds::of_case;
use ptodiff_judge::{
    CaseVerdict, PairVerdict, TargetVerdict, judge_case, judge_pair, judge_target,
};

use crate::Noise;

/// Scenes drawn: as many from the grammar as from `cases/`, whose small cases are 3,000.
fn scenes(count: u16) -> impl Iterator<Item = JudgedCase> {
    let mut noise = Noise::new(5);
    (0..count).map(move |number| {
        let mut bytes = if number % 2 == 0 {
            of_case(number / 2)
        } else {
            noise.bytes(3)
        };
        bytes.extend(noise.bytes(600));
        draw(&bytes)
    })
}

/// How many of `count` scenes `judge` is at fault in, and one reason.
fn faults(count: u16, judge: Judge<'_>) -> (usize, String) {
    let found = scenes(count).filter_map(|judged| {
        let run = AssertUnwindSafe(|| consistent(&judged, judge));
        catch_unwind(run)
            .unwrap_or_else(|_| Err("panicked".to_owned()))
            .err()
    });
    let found: Vec<String> = found.collect();
    (found.len(), found.first().cloned().unwrap_or_default())
}

/// The judge is consistent, and every kind of verdict is reached, and every kind of what
/// is known.
#[test]
fn scenes_reach_every_verdict() {
    let mut seen = BTreeSet::new();
    let mut kept = BTreeSet::new();
    for judged in scenes(6000) {
        for member in &judged.members {
            kept.insert(member.violates);
        }
        let seen = std::cell::RefCell::new(&mut seen);
        let judge = Judge {
            case: &|context, inputs| {
                let verdict = judge_case(context, inputs);
                let parties = verdict.parties.iter().map(|(_, v)| word(v));
                let pairs = verdict.pairs.iter().map(|(_, v)| word(v));
                seen.borrow_mut().extend(parties.chain(pairs));
                verdict
            },
            ..JUDGE
        };
        assert_eq!(consistent(&judged, judge), Ok(()));
    }
    assert_eq!(kept.len(), 3, "{kept:?}");
    for word in [
        "Conforms",
        "RejectedAsDocumented",
        "Hangs",
        "Undefined",
        "Violates",
        "Unjudged NoAnswer",
        "Unjudged NoPermits",
        "Agree",
        "Permitted",
        "Violation",
        "NotCompared",
    ] {
        assert!(seen.contains(word), "no `{word}` in {seen:?}");
    }
}

/// The name of a verdict, and why there is none.
fn word(verdict: impl Debug) -> String {
    let said = format!("{verdict:?}");
    let mut words = said.split(|c: char| !c.is_alphanumeric());
    match (words.next(), words.next()) {
        (Some("Unjudged"), Some(why)) => format!("Unjudged {why}"),
        (word, _) => word.unwrap_or_default().to_owned(),
    }
}

/// A judge that is wrong in one way is found, and so is one that panics.
#[test]
fn a_wrong_judge_is_found() {
    let wrong: [(&str, Judge<'_>); 6] = [
        (
            "sees nothing",
            Judge {
                target: &|context, input| blind(judge_target(context, input)),
                case: &|context, inputs| {
                    let mut verdict = judge_case(context, inputs);
                    for (_, of_party) in &mut verdict.parties {
                        *of_party = blind(of_party.clone());
                    }
                    verdict
                },
                ..JUDGE
            },
        ),
        (
            "judges together as it does not alone",
            Judge {
                case: &|context, inputs| {
                    let mut verdict = judge_case(context, inputs);
                    if let [_, (_, second), ..] = verdict.parties.as_mut_slice() {
                        *second = TargetVerdict::Undefined(Vec::new());
                    }
                    verdict
                },
                ..JUDGE
            },
        ),
        (
            "counts the other way round",
            Judge {
                pair: &|context, a, b| match judge_pair(context, a, b) {
                    PairVerdict::Agree { compared } if a.0.party > b.0.party => {
                        PairVerdict::Agree {
                            compared: compared + 1,
                        }
                    }
                    verdict => verdict,
                },
                ..JUDGE
            },
        ),
        (
            "loses a party",
            Judge {
                case: &|context, inputs| {
                    let mut verdict = judge_case(context, inputs);
                    verdict.parties.pop();
                    verdict
                },
                ..JUDGE
            },
        ),
        (
            "panics where a party gave two answers",
            Judge {
                case: &|context, inputs| {
                    assert!(inputs.iter().all(|input| input.answers.len() < 2));
                    judge_case(context, inputs)
                },
                ..JUDGE
            },
        ),
        (
            "lets all pass",
            Judge {
                case: &|context, inputs| CaseVerdict {
                    pairs: Vec::new(),
                    ..judge_case(context, inputs)
                },
                target: &|_, _| TargetVerdict::Undefined(Vec::new()),
                ..JUDGE
            },
        ),
    ];
    for (what, judge) in wrong {
        assert!(faults(600, judge).0 > 0, "a judge that {what} passes");
    }
}

fn blind(verdict: TargetVerdict) -> TargetVerdict {
    match verdict {
        TargetVerdict::Violates { .. } => TargetVerdict::Conforms { compared: 1 },
        verdict => verdict,
    }
}
