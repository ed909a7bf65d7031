//! What is written is read back to the same call.

use std::path::PathBuf;

use ptodiff_case::{case_yaml, load, load_str};
use ptodiff_isa::Target;
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
        assert_eq!(read[0].call, case.call, "{}\n{text}", case.id);
        if matches!(case.targets[..], [Target::A2a3] | [Target::A5] | [_, _, _]) {
            assert_eq!(read[0].targets, case.targets, "{text}");
        }
        // And what was read is a case like any other.
        let yaml = case_yaml(&read[0]);
        let again = load_str("f.yaml", &yaml).expect("a case");
        assert_eq!(again.cases[0].call, case.call, "{yaml}");
        written += 1;
    }
    // Most have one, and nothing else keeps a case from it.
    assert!(written * 10 > corpus.cases.len() * 8, "{written}: {none:?}");
    for why in none.keys() {
        assert!(why.starts_with("the assembler has no word for"), "{why}");
    }
}

#[test]
fn what_has_no_spelling_says_what() {
    let text = "cases:
  - name: a
    instruction: MSCATTER
    mode: Elem
    dtype: int32_t
    tile: {shape: [1, 8]}
    index: {shape: [1, 8]}
    table: {shape: [1, 1, 1, 1, 8]}
";
    for (key, expected) in [
        (
            "    launch: {dispatch: Direct}\n",
            "how a kernel is launched",
        ),
        ("    chunks: 2\n", "a call that is issued in chunks"),
    ] {
        let corpus = load_str("f.yaml", &format!("{text}{key}")).expect("a case");
        let why = module(&corpus.cases[0]).expect_err("no spelling");
        assert_eq!(
            why.to_string(),
            format!("the assembler has no word for {expected}")
        );
    }
}
