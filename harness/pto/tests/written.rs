//! What is written is read back to the same call.

use std::path::PathBuf;

use ptodiff_case::{Case, DataPlan, case_yaml, load, load_str};
use ptodiff_isa::{Call, Launch, Target};
use ptodiff_pto::module;

use crate::cases;

#[test]
fn every_case_that_has_a_spelling_comes_back() {
    let corpus = load(&[PathBuf::from("../../cases")]).expect("the corpus");
    let (mut written, mut none) = (0, std::collections::BTreeMap::new());
    for case in &corpus.cases {
        let text = match module(case) {
            Ok(text) => text,
            Err(why) => {
                *none.entry(why.to_string()).or_insert(0) += 1;
                continue;
            }
        };
        let read = cases(&text);
        assert_eq!(read.len(), 1, "{text}");
        let said = said(&case.call);
        assert_eq!(read[0].call, said, "{}\n{text}", case.id);
        // A comment tells of all else.
        let comment = text.contains("// not in this text");
        let whole = said == case.call && case.chunks == 1 && case.readings == read[0].readings;
        assert_eq!(comment, !whole || read[0].data != data(case), "{text}");
        if matches!(case.targets[..], [Target::A2a3] | [Target::A5] | [_, _, _]) {
            assert_eq!(read[0].targets, case.targets, "{text}");
        }
        // And what was read is a case like any other.
        let yaml = case_yaml(&read[0]);
        let again = load_str("f.yaml", &yaml).expect("a case");
        assert_eq!(again.cases[0].call, said, "{yaml}");
        written += 1;
    }
    assert!(written * 10 > corpus.cases.len() * 8, "{written}: {none:?}");
    for why in none.keys() {
        assert!(why.starts_with("the assembler has no word for"), "{why}");
    }
}

/// What of a call the text says.
fn said(call: &Call) -> Call {
    let mut call = *call;
    match &mut call {
        Call::Mscatter(c) => c.launch = Launch::default(),
        Call::Mgather(c) => c.launch = Launch::default(),
        Call::MgatherL1(c) => (c.launch, c.exec) = Default::default(),
        _ => {}
    }
    call
}

/// The data of a case, its seed aside.
fn data(case: &Case) -> DataPlan {
    DataPlan {
        seed: 0,
        ..case.data.clone()
    }
}

#[test]
fn what_has_no_spelling_is_told_in_a_comment() {
    let text = "cases:
  - name: a
    instruction: MSCATTER
    mode: Elem
    dtype: int32_t
    tile: {shape: [1, 8]}
    index: {shape: [1, 8]}
    table: {shape: [1, 1, 1, 1, 8]}
";
    let own = "    launch: {dispatch: Direct, dyn_ub: 4096, flush: Missing}\n    chunks: 2\n    \
               readings: {negative-index: signed}\n";
    let data = text.replace("[1, 8]}\n    table", "[1, 8], data: seq}\n    table");
    let l1 = "cases:\n  - name: a\n    instruction: MGATHER\n    mode: Elem\n    exec: Simt\n    dtype: half\n    \
              tile: {location: Mat, shape: [16, 16]}\n    table: {shape: [1, 1, 1, 1, 256]}\n";
    for (text, expected) in [
        (text.to_owned(), None),
        (data, Some("the data of idx")),
        (
            format!("{text}{own}"),
            Some("chunks: 2, dyn_ub: 4096, dispatch: Direct, flush: Missing, its readings"),
        ),
        (l1.to_owned(), Some("exec: Simt")),
    ] {
        let corpus = load_str("f.yaml", &text).expect("a case");
        let written = module(&corpus.cases[0]).expect("a text");
        let told = written.lines().find_map(|line| {
            let line = line.strip_prefix("// not in this text, which has no word for it: ")?;
            line.strip_suffix(" (`ptodiff asm --yaml` has all)")
        });
        assert_eq!(told, expected, "{written}");
    }
}
