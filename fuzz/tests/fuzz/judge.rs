//! The judge on what models do and might do, and judges that are wrong.

use std::cell::RefCell;
use std::collections::BTreeSet;

use ptodiff_fuzz::oracle::judge::{Judge, consistent};
use ptodiff_fuzz::seeds::of_case;
use ptodiff_judge::{CaseVerdict, PairVerdict, TargetVerdict, judge_case};

use crate::Noise;

/// What is found in so many cases, of which every other one is of `cases/`.
fn found(count: u16, judge: Judge<'_>) -> Vec<String> {
    let mut noise = Noise::new(5);
    let mut inputs = (0..count).map(|number| {
        let mut bytes = match number % 2 {
            0 => of_case(number / 2),
            _ => noise.bytes(3),
        };
        bytes.extend(noise.bytes(600));
        bytes
    });
    let wrong = |bytes: Vec<u8>| consistent(&bytes, judge).err();
    inputs.by_ref().filter_map(wrong).collect()
}

#[test]
fn the_judge_is_consistent_and_comes_to_every_verdict() {
    let seen = RefCell::new(BTreeSet::new());
    let judge: Judge<'_> = &|context, inputs| {
        let verdict = judge_case(context, inputs);
        let kind = |said: String| said.split([' ', '(']).next().map(str::to_owned);
        let parties = verdict.parties.iter().map(|(_, v)| format!("{v:?}"));
        let pairs = verdict.pairs.iter().map(|(_, v)| format!("{v:?}"));
        seen.borrow_mut()
            .extend(parties.chain(pairs).filter_map(kind));
        verdict
    };
    assert_eq!(found(8000, judge), [""; 0]);
    let expected = [
        "Agree",
        "Conforms",
        "Hangs",
        "NotCompared",
        "Permitted",
        "RejectedAsDocumented",
        "Undefined",
        "Violates",
        "Violation",
    ];
    assert_eq!(seen.into_inner(), expected.map(str::to_owned).into());
}

/// That a judge whose verdicts `change` makes others of is found.
fn is_found(what: &str, change: fn(&mut CaseVerdict)) {
    let judge: Judge<'_> = &|context, inputs| {
        let mut verdict = judge_case(context, inputs);
        change(&mut verdict);
        verdict
    };
    assert_ne!(found(100, judge), [""; 0], "a judge that {what} passes");
}

#[test]
fn a_wrong_judge_is_found() {
    is_found("sees nothing", |verdict| {
        for (_, of_party) in &mut verdict.parties {
            *of_party = TargetVerdict::Conforms { compared: 1 };
        }
    });
    is_found("blames what is permitted", |verdict| {
        for (_, of_party) in &mut verdict.parties {
            if let TargetVerdict::Conforms { .. } = of_party {
                *of_party = TargetVerdict::Violates {
                    findings: Vec::new(),
                    otherwise: None,
                };
            }
        }
    });
    is_found("judges together as it does not alone", |verdict| {
        if let [_, (_, second), ..] = verdict.parties.as_mut_slice() {
            *second = TargetVerdict::Undefined(Vec::new());
        }
    });
    is_found("goes by the order of two", |verdict| {
        for ([a, b], of_pair) in &mut verdict.pairs {
            if a > b {
                *of_pair = PairVerdict::Agree { compared: 1 };
            }
        }
    });
}
