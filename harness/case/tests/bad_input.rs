//! Bad input of every kind: its codes. What is said of each is in pages, and that no text
//! makes the reader panic is asked by the fuzz target `case_reader`.

use std::collections::BTreeSet;

use ptodiff_case::{Code, explain};
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
        Code::LoneReturn,
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
