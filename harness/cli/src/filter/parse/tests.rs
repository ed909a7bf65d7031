use std::{collections::HashMap, ops::Range};

use super::*;
use crate::filter::Facts;

/// A case with these values.
struct Fake(HashMap<&'static str, &'static str>);

impl Facts for Fake {
    fn values(&self, key: Key) -> Vec<String> {
        let text = self.0.get(<&str>::from(key)).copied();
        text.into_iter()
            .flat_map(|t| t.split(' '))
            .map(str::to_owned)
            .collect()
    }
}

fn takes(text: &str) -> bool {
    let case = Fake(HashMap::from([
        ("id", "dtypes/half(rows)"),
        ("dtype", "half"),
        ("instruction", "MSCATTER"),
        ("target", "cpu a5"),
        ("clause", "MSCATTER-OOB-04"),
    ]));
    parse(text)
        .unwrap_or_else(|m| panic!("{text}: {m:?}"))
        .takes(&case)
}

#[test]
fn and_binds_closer_than_or_and_not_closest() {
    assert!(takes("all() | none() & none()"));
    assert!(!takes("(all() | none()) & none()"));
    assert!(takes("none() & none() | all()"));
    assert!(!takes("!all() & none()"));
    assert!(takes("!none() | none()"));
    assert!(takes("not none() and not (none() or none())"));
    // From left to right: (all - all) | all, and all - (none) - all.
    assert!(takes("all() - all() + all()"));
    assert!(!takes("all() - none() - all()"));
    assert!(takes("!!all()"));
}

#[test]
fn fixed_words_are_found_whatever_their_capitals() {
    assert!(takes("instruction(mscatter) & dtype(HALF)"));
    assert!(takes("instruction(=MScatter)"));
    assert!(takes("instruction(m*) & !instruction(t*)"));
    assert!(takes("target(a5) & target(cpu) & !target(a2a3)"));
    assert!(takes("clause(MSCATTER-OOB-*)"));
    assert!(!takes("clause(mscatter-oob-01)"));
}

#[test]
fn ids_are_globs_exact_parts_or_regexes() {
    for (text, taken) in [
        ("id(dtypes/*)", true),
        ("id(dtypes)", false),
        ("id(#d?ypes/*)", true),
        ("id(~ypes/h)", true),
        ("id(=dtypes/half)", false),
        (r"id(/^dtypes\/half\(rows\)$/)", true),
        ("id(/rows/)", true),
        ("id(DTYPES/*)", false),
        // A glob's other signs stand for themselves.
        ("id(dtypes.half*)", false),
    ] {
        assert_eq!(takes(text), taken, "{text}");
    }
}

fn wrong(text: &str) -> (Range<usize>, String, String) {
    match parse(text) {
        Err(Mistake { message, at, help }) => (at, message, help.unwrap_or_default()),
        Ok(expr) => panic!("{text} is {expr:?}"),
    }
}

#[test]
fn mistakes_have_a_place_and_advice() {
    for (text, at, says, help) in [
        ("", 0..0, "expected a predicate", "instruction(mscatter)"),
        ("dtyp(half)", 0..4, "`dtyp`", "`dtype`"),
        ("all() & dtype(f16)", 14..17, "no dtype is `f16`", "`half`"),
        ("dtype(halff)", 6..11, "no dtype is `halff`", "`half`"),
        (
            "instruction(tgather)",
            12..19,
            "no instruction",
            "did you mean `TGATHERB` or `MGATHER`?",
        ),
        ("target(z*)", 7..9, "no target is `z*`", "cpu, a2a3, a5"),
        (
            "clause(MSCATTER-OOB-99)",
            7..22,
            "no clause",
            "MSCATTER-OOB-",
        ),
        ("mscatter", 0..8, "no parentheses", "instruction(mscatter)"),
        ("mscater", 0..7, "no parentheses", "instruction(mscatter)"),
        ("smoke", 0..5, "no parentheses", "id(~smoke)"),
        ("dtype(half", 10..10, "`)` of `dtype(`", ""),
        ("dtype()", 6..7, "expected a text", ""),
        ("(all()", 0..1, "never closed", ""),
        ("all())", 5..6, "never opened", ""),
        (
            "all() && all()",
            7..8,
            "expected a predicate",
            "write one `&`",
        ),
        ("all() all()", 6..7, "expected an operator", "`and`"),
        ("all(x)", 4..5, "takes nothing", ""),
        ("dtype(half, float)", 10..11, "one text", "dtype(half) |"),
        ("id(/a)", 3..4, "no second one", ""),
        ("id(/(/)", 4..5, "not a regex", ""),
        ("!", 1..1, "expected a predicate", ""),
    ] {
        let (place, message, advice) = wrong(text);
        assert_eq!(place, at, "{text}: {message}");
        assert!(message.contains(says), "{text}: {message}");
        assert!(advice.contains(help), "{text}: {advice}");
    }
}

#[test]
fn what_is_too_deep_is_no_crash() {
    for deep in ["!".repeat(10_000), "(".repeat(10_000)] {
        assert!(wrong(&deep).1.contains("more than 64 levels"));
    }
    let wide = "none() | ".repeat(1000);
    assert!(takes(&format!("{wide} all()")));
    assert!(wrong(&wide.repeat(10)).1.contains("more than 16384 bytes"));
    assert!(takes(&format!("{}all()", "! ".repeat(60))));
}
