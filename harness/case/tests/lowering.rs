//! What a case file means: the pages of `means`, and how files are found and read.
//!
//! A block `yaml` is a file of cases, or the keys of one; each line of the block `text` behind it
//! is a part of what they mean, in the order of the fields, with `dyn` before what is known at run
//! time only. A line behind `! ` is none. What is written of each case is read back to it; a block
//! `text written` is a part of that.

use std::{fmt::Write, path::Path};

use ptodiff_case::{Case, Expectation, ExpectedOutcome, ExpectedSlot, case_yaml, load, load_str};
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

/// What is written of it tells the defaults and gives none either.
#[test]
fn a_policy_that_is_not_given_is_left_out_in_what_is_written() {
    let case = only(MINIMAL);
    assert!(case.leaves_all_out());
    let written = case_yaml(&case);
    assert!(written.contains("\n    # mode: Row\n"), "{written}");
    assert!(only(&written).leaves_all_out());
    for key in [
        "mode: Row",
        "atomic: None",
        "oob: Undefined",
        "conflict: Last",
    ] {
        let given = only(&MINIMAL.replace("dtype: half", &format!("dtype: half\n    {key}")));
        assert!(!given.leaves_all_out(), "{key}");
        assert_eq!(given.call, case.call);
        assert!(case_yaml(&given).contains("\n    mode: Row\n"));
    }
    let mut gather = only(&MINIMAL.replace("MSCATTER", "MGATHER"));
    assert!(gather.leaves_all_out());
    let Call::Mgather(call) = &mut gather.call else {
        panic!("a gather")
    };
    call.oob = GatherOob::Clamp;
    assert!(!gather.leaves_all_out());
}

#[test]
fn windows_line_ends_and_byte_order_marks_are_read() {
    let text = format!("\u{FEFF}{}", MINIMAL.replace('\n', "\r\n"));
    assert_eq!(only(&text).call, only(MINIMAL).call);
    assert_eq!(only(&text).place, only(MINIMAL).place);
}

#[test]
fn folders_are_read_in_order_and_files_once() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, case: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, MINIMAL.replace("least", case)).unwrap();
        path
    };
    write("b/z.yaml", "three");
    write("b/a.yml", "two");
    write("c.YAML", "four");
    let first = write("a.yaml", "one");
    let odd = write("b/notes.txt", "five");
    let root = folder.path().to_owned();

    let corpus = load(&[root.clone(), first.clone()]).unwrap();
    let names: Vec<_> = corpus.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["one", "two", "three", "four"]);
    assert_eq!(corpus.files.len(), 4);
    assert_eq!(corpus.passed_over, std::slice::from_ref(&odd));
    assert_eq!(corpus.cases[0].place.file, first);

    // In which order they are given says nothing.
    let alone = [root.join("c.YAML"), root.join("b/z.yaml"), first.clone()];
    let mut turned = alone.clone();
    turned.reverse();
    assert_eq!(load(&alone).unwrap(), load(&turned).unwrap());
    assert_eq!(load(&turned).unwrap().cases[0].place.file, first);

    // A file that is named is read whatever it is called.
    let corpus = load(&[odd]).unwrap();
    assert_eq!(corpus.cases[0].id, "notes/five");
}

/// A tile may be as large as UB; only values are counted against the limit.
#[test]
fn large_operands_may_be_named() {
    let expect = "    expect: [{tile: {0-65535: 1, rest: any}}]\n";
    let text = MINIMAL.replace("tile: {shape: [8, 32]}", "tile: {shape: [256, 512]}") + expect;
    assert_eq!(only(&text).expect[0].slots[0].elements(), 131_072);
}

#[test]
fn a_result_alone_is_an_expectation_and_is_written() {
    let case = only(&format!("{MINIMAL}    expect: [{{outcome: result}}]\n"));
    assert_eq!(case.expect[0].outcome, ExpectedOutcome::Result);
    let text = case_yaml(&case);
    assert!(text.contains("outcome: result"), "{text}");
    assert_eq!(only(&text).expect, case.expect);
}
