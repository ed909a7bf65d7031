//! Bad input of every kind: its codes, and no panic. What is said of each is in pages.

use std::collections::BTreeSet;

use proptest::prelude::*;
use ptodiff_case::{Code, explain, load_str};
use strum::VariantArray;

use crate::pages;

#[test]
fn every_code_is_produced_and_explained() {
    let mut produced: BTreeSet<Code> = pages::follow().into_iter().collect();
    // Files as a whole have these, and files of another kind: pages where they are read.
    produced.extend([
        Code::Unreadable,
        Code::NothingFound,
        Code::NotText,
        Code::FileTooLarge,
        Code::NpyDoesNotFit,
        Code::NotMlir,
        Code::NotFollowed,
        Code::BadOperation,
        Code::NoElementType,
        Code::UnusedName,
        Code::UnknownOperation,
    ]);
    for code in Code::VARIANTS {
        assert!(produced.contains(code), "nothing has {code}");
        let text = explain(code.id()).unwrap();
        assert!(text.starts_with(code.id()) && text.len() > 80, "{text}");
    }
    let ids: BTreeSet<_> = Code::VARIANTS.iter().map(|code| code.id()).collect();
    assert_eq!(ids.len(), Code::VARIANTS.len());
    assert_eq!(explain("c012"), explain("PTO-C012"));
    assert_eq!(explain("PTO-C999"), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_reader_panic(text in "(cases|defaults|- |: |\\[|\\]|\\{|\\}|&a|\\*a|<<|name|tile|shape|scratch|none|index|dyn|expect|rest|_|\\n  |\\n    |[0-9é\"',#!|>-]){0,60}") {
        let _ = load_str("any.yaml", &text).map_err(|error| error.to_string());
    }
}
