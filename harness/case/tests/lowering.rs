//! What a case file means: the pages of `means`.
//!
//! A block `yaml` is a file of cases, or the keys of one; each line of the block `text` behind it
//! is a part of what they mean, in the order of the fields, with `dyn` before what is known at run
//! time only. A line behind `! ` is none. What is written of each case is read back to it; a block
//! `text written` is a part of that.

use std::{fmt::Write, path::Path};

use ptodiff_case::{Case, Expectation, ExpectedOutcome, ExpectedSlot, case_yaml, load_str};
use ptodiff_isa::{Call, GatherOob, Readings, Target, reading::GAPS};

use crate::blocks::blocks;

const MINIMAL: &str = "
cases:
  - name: least
    instruction: MSCATTER
    dtype: half
    tile: {shape: [8, 32]}
    index: {shape: [1, 8]}
    table: {shape: [2, 3, 4, 5, 6]}
";

fn only(text: &str) -> Case {
    let corpus = load_str("folder/file.yaml", text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(corpus.cases.len(), 1);
    corpus.cases[0].clone()
}

/// All fields of a case, what it reads otherwise than by default, and what it expects.
fn meant(case: &Case) -> String {
    let mut out = String::new();
    let debug = format!("{case:?}").replace("Dynamic(", "Static(dyn ");
    let mut parts = debug.split("Static(");
    out += parts.next().unwrap_or_default();
    for (extent, rest) in parts.filter_map(|part| part.split_once(')')) {
        out += extent;
        out += rest;
    }
    if case.leaves_all_out() {
        out += "\nleaves all policies out";
    }
    let (own, default) = (case.data_readings(), Readings::default());
    for gap in GAPS {
        let choice = gap.choice(own);
        if choice != gap.choice(&default) {
            let _ = write!(out, "\nreads {}={choice}", gap.name);
        }
    }
    out.push('\n');
    case.expect.iter().for_each(|entry| out += &expected(entry));
    out
}

/// Most elements that a page shows one by one.
const MOST: u64 = 1000;

/// What an entry says, each followed by a semicolon.
fn expected(entry: &Expectation) -> String {
    let targets: Vec<String> = entry.targets.iter().map(Target::to_string).collect();
    let mut out = format!("expects of {}", targets.join(" "));
    if let Some(answer) = entry.answer {
        let _ = write!(out, ", answer {answer}");
    }
    out.push(':');
    if entry.outcome != ExpectedOutcome::Result {
        let _ = write!(out, " {};", entry.outcome);
    }
    for held in &entry.slots {
        let _ = write!(out, " {}", held.role);
        for (run, slot) in held.runs() {
            let word = match slot {
                ExpectedSlot::Kept => "_".to_owned(),
                ExpectedSlot::Any => "any".to_owned(),
                ExpectedSlot::OneOf { bits, or_kept } => {
                    let mut words: Vec<_> = bits.iter().map(|bits| format!("{bits:X}")).collect();
                    words.extend(or_kept.then(|| "_".to_owned()));
                    words.join("|")
                }
            };
            // One word each, unless there are very many.
            if held.elements() <= MOST {
                run.for_each(|_| out.extend([" ", &word]));
                continue;
            }
            let lead = if run.start == 0 { "" } else { "," };
            let _ = match run.end - run.start {
                1 => write!(out, "{lead} {} {word}", run.start),
                _ => write!(out, "{lead} {}-{} {word}", run.start, run.end - 1),
            };
        }
        out.push(';');
    }
    for (pattern, count) in &entry.trace.count {
        let _ = write!(out, " count {pattern} {count};");
    }
    for pattern in &entry.trace.order {
        let _ = write!(out, " order {pattern};");
    }
    for (spelling, pattern) in &entry.spelled {
        let _ = write!(out, " spelled {spelling} {pattern};");
    }
    out + "\n"
}

#[test]
fn each_case_means_what_its_page_has() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/means");
    let mut texts = 0;
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let page = std::fs::read_to_string(&path).unwrap();
        let (mut all, mut written) = (String::new(), Vec::new());
        for (line, tag, text) in blocks(&page) {
            let place = format!("{}:{line}", path.display());
            if tag == "yaml" {
                let file = match text.starts_with("instruction") {
                    true => format!("cases:\n  - name: a\n    {}", text.replace('\n', "\n    ")),
                    false => text,
                };
                let corpus = load_str("folder/file.yaml", &file);
                let corpus = corpus.unwrap_or_else(|e| panic!("{place}: {e}"));
                all = corpus.cases.iter().map(meant).collect();
                written = corpus.cases.iter().map(case_yaml).collect();
                for (case, text) in corpus.cases.iter().zip(&written) {
                    let again = Case {
                        id: case.id.clone(),
                        place: case.place.clone(),
                        ..only(text)
                    };
                    assert_eq!(again, *case, "{place}: {text}");
                }
                continue;
            }
            if tag == "text written" {
                let is_there = written.iter().any(|all| all.contains(text.trim_end()));
                assert!(is_there, "{place}: not in\n{}", written.concat());
                continue;
            }
            let mut rest = &*all;
            for part in text.lines() {
                if let Some(none) = part.strip_prefix("! ") {
                    assert!(!all.contains(none), "{place}: `{none}` is in\n{all}");
                    continue;
                }
                let after = rest.split_once(part);
                rest = after
                    .unwrap_or_else(|| panic!("{place}: `{part}` is not in\n{rest}"))
                    .1;
            }
            texts += 1;
        }
    }
    assert!(texts > 15);
}

/// As that of a case that a shrinker made of one that leaves all out.
#[test]
fn a_policy_that_is_no_default_is_not_left_out() {
    let mut gather = only(&MINIMAL.replace("MSCATTER", "MGATHER"));
    assert!(gather.leaves_all_out());
    let Call::Mgather(call) = &mut gather.call else {
        panic!("a gather")
    };
    call.oob = GatherOob::Clamp;
    assert!(!gather.leaves_all_out());
}
