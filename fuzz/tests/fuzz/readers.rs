//! The oracles of readers find what is wrong, and nothing where all is right.

use ptodiff_asm::{forms, parse};
use ptodiff_case::st_name;
use ptodiff_case::{Case, case_yaml, load_str};
use ptodiff_fuzz::corpus::small;
use ptodiff_fuzz::oracle::{asm, case_reader, st_name as names};
use ptodiff_isa::{BLayout, Call, Coalesce, Tile};

fn first() -> &'static Case {
    small().first().expect("a case")
}

#[test]
fn a_case_that_does_not_read_back_is_found() {
    let text = case_yaml(first());
    assert_eq!(case_reader::any_text(&text, &load_str, &case_yaml), Ok(()));
    // A writer that forgets a key, and one that writes nonsense.
    let forgets = |case: &Case| {
        let text = case_yaml(case);
        let kept = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("targets:"));
        kept.collect::<Vec<_>>().join("\n")
    };
    let forgetful = |text: &str| case_reader::any_text(text, &load_str, &forgets);
    let some = small()
        .iter()
        .find(|case| case_yaml(case).contains("    targets:"));
    let some = case_yaml(some.expect("a case of some targets"));
    assert!(forgetful(&some).is_err_and(|why| why.contains("another case once written")));
    let nonsense = |_: &Case| "cases: 3".to_owned();
    let found = case_reader::any_text(&text, &load_str, &nonsense);
    assert!(found.is_err_and(|why| why.contains("rejected once written")));
    let twice = |case: &Case| {
        let one = case_yaml(case);
        let (_, entry) = one.split_once("cases:\n").expect("a list");
        let other = entry.replacen("name: \"", "name: \"again ", 1);
        format!("{one}{other}")
    };
    let found = case_reader::reads_back(first(), &load_str, &twice);
    assert!(found.is_err_and(|why| why.contains("2 cases of one")));
}

#[test]
fn a_name_that_is_read_wrong_is_found() {
    // A reader that says everything again.
    let again = |instruction, text: &str| {
        let said = st_name::parse(instruction, text)?;
        Ok([said.clone(), said].concat())
    };
    let name = "case_row_float_8x32_64rows";
    assert_eq!(names::any_text(name, &st_name::parse), Ok(()));
    assert!(names::any_text(name, &again).is_err_and(|why| why.contains("twice")));
    let deaf = |instruction, text: &str| st_name::parse(instruction, &text.replace("_wrap", ""));
    let wraps = "case_row_float_wrap_8x32_64rows";
    assert_eq!(names::any_text(wraps, &st_name::parse), Ok(()));
    assert!(names::any_text(wraps, &deaf).is_err_and(|why| why.contains("`wrap`")));
    let silent = |_, _: &str| Err(String::new());
    assert!(names::any_text("x", &silent).is_err_and(|why| why.contains("without a word")));
}

#[test]
fn a_form_that_is_read_wrong_is_found() {
    let call = first().call;
    assert_eq!(asm::any_call(&call, &parse), Ok(()));
    // A reader that takes one layout for the other.
    let wrong = |text: &str| {
        let other = |tile: &mut Tile| tile.blayout = BLayout::ColMajor;
        let mut call = parse(text)?;
        match &mut call {
            Call::Mscatter(c) => other(&mut c.src),
            Call::Mgather(c) => other(&mut c.dst),
            _ => {}
        }
        Ok(call)
    };
    let row_major = |case: &&&Case| {
        let tile = case.call.data_tile();
        matches!(case.call, Call::Mscatter(_)) && tile.blayout == BLayout::RowMajor
    };
    let call = small().iter().find(row_major).expect("such a case").call;
    assert!(asm::any_call(&call, &wrong).is_err_and(|why| why.contains("is read as")));
    let form = forms(&call).pop().expect("a form").text;
    assert_eq!(asm::any_text(&form, &parse), Ok(()));
    // One that turns each call it reads into another.
    let flips = |text: &str| {
        let mut call = parse(text)?;
        if let Call::Mscatter(c) = &mut call {
            c.mode = match c.mode {
                Coalesce::Row => Coalesce::Elem,
                Coalesce::Elem => Coalesce::Row,
            };
        }
        Ok(call)
    };
    assert!(asm::any_text(&form, &flips).is_err());
    // One that reads what has lost most of the call.
    let generous = |text: &str| parse(text).or(Ok(call));
    assert!(asm::any_call(&call, &generous).is_err_and(|why| why.contains("sketch")));
    // One that points past the end of the text.
    let pointless = |text: &str| {
        parse(text).map_err(|mut mistake| {
            mistake.line += 7;
            mistake
        })
    };
    assert!(asm::any_text("mgather", &pointless).is_err_and(|why| why.contains("mistake")));
}
