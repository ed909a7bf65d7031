//! Bad input of every kind: code, place, and no panic.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use ptodiff_case::{Code, Diagnostic, LoadError, Style, explain, load, load_str};
use strum::VariantArray;

use crate::pages;

fn mistakes(text: &str) -> Vec<Diagnostic> {
    load_str("bad.yaml", text).unwrap_err().diagnostics()
}

/// A case that is right but for what a test puts into it.
fn with(key: &str) -> String {
    format!(
        "cases:\n  - name: a\n    instruction: MGATHER\n    dtype: float\n    \
         tile: {{shape: [1, 8]}}\n    index: {{shape: [1, 8]}}\n    \
         table: {{shape: [1, 1, 1, 1, 8]}}\n    {key}\n"
    )
}

#[test]
fn every_code_is_produced_and_explained() {
    let mut produced: BTreeSet<Code> = pages::follow().into_iter().collect();
    produced.extend(file_mistakes().iter().map(|(_, code)| *code));
    // Files of another kind have these, and tests where they are read.
    produced.extend([
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

/// Mistakes about files as a whole: what was given, and the code that answers it.
fn file_mistakes() -> Vec<(PathBuf, Code)> {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("empty")).unwrap();
    fs::write(at("latin.yaml"), b"cases: \xE9\n").unwrap();
    let large = fs::File::create(at("large.yaml")).unwrap();
    large.set_len((16 << 20) + 1).unwrap();
    let misfit = with("").replace(
        "shape: [1, 1, 1, 1, 8]",
        "shape: [1, 1, 1, 1, 8], data: {npy: a.npy}",
    );
    fs::write(at("misfit.yaml"), misfit).unwrap();
    fs::write(at("a.npy"), "no array").unwrap();
    let given = [
        ("missing.yaml", Code::Unreadable),
        ("empty", Code::NothingFound),
        ("latin.yaml", Code::NotText),
        ("large.yaml", Code::FileTooLarge),
        ("misfit.yaml", Code::NpyDoesNotFit),
    ];
    let check = |(name, code): (&str, Code)| {
        let error = load(&[at(name)]).unwrap_err();
        assert_eq!(error.diagnostics()[0].code, code, "{error}");
        assert!(error.render(Style::Plain).contains(name), "{error}");
        let nothing = matches!(error, LoadError::NothingFound { .. });
        assert_eq!(nothing, code == Code::NothingFound);
        (at(name), code)
    };
    given.into_iter().map(check).collect()
}

#[test]
fn files_that_cannot_be_read_are_named() {
    assert_eq!(file_mistakes().len(), 5);
}

#[cfg(unix)]
#[test]
fn a_link_to_nowhere_and_a_device_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join("a.yaml")).unwrap();
    let error = load(&[folder.path().to_owned()]).unwrap_err();
    assert!(matches!(error, LoadError::Io { .. }), "{error}");
    let error = load(&[PathBuf::from("/dev/zero")]).unwrap_err();
    assert!(matches!(error, LoadError::Io { .. }), "{error}");
}

#[test]
fn an_alias_bomb_ends_early() {
    let values = vec!["1"; 1000].join(",");
    let mut text = String::from("defaults:\n  tile: &t {shape: [1, 1000], data: {values: [");
    text.push_str(&values);
    text.push_str("]}}\ncases:\n");
    for at in 0..1000 {
        text.push_str(&format!("  - {{name: c{at}, tile: *t}}\n"));
    }
    assert_eq!(mistakes(&text)[0].code, Code::TooComplex);
}

#[test]
fn a_duplicate_case_shows_both_places_also_across_files() {
    let folder = tempfile::tempdir().unwrap();
    for sub in ["one", "two"] {
        fs::create_dir(folder.path().join(sub)).unwrap();
        fs::write(folder.path().join(sub).join("same.yaml"), with("")).unwrap();
    }
    let error = load(&[folder.path().to_owned()]).unwrap_err();
    let found = error.diagnostics();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].code, Code::DuplicateCase);
    let place = found[0].place.as_ref().unwrap();
    assert!(place.file.ends_with("two/same.yaml"), "{:?}", place.file);
    let related = &found[0].related[0].spot;
    assert!(
        related.file.ends_with("one/same.yaml"),
        "{:?}",
        related.file
    );
    let shown = error.render(Style::Plain);
    assert!(
        shown.contains("the first") && shown.contains("the second"),
        "{shown}"
    );
}

/// What is cheap to write may not be dear to read.
#[test]
fn expectations_that_repeat_themselves_end_early() {
    let start = std::time::Instant::now();
    let large = with("expect: [&e {tile: {rest: any}}").replace("[1, 8]}", "[512, 512]}");
    let aliases = format!("{}{}]\n", large.trim_end(), ", *e".repeat(4_000));
    assert_eq!(mistakes(&aliases)[0].code, Code::TooLarge);
    let numbers: Vec<_> = (0..500_000).map(|n| n.to_string()).collect();
    let wide = with("expect: [{index: {0-7: W}}]").replace('W', &numbers.join("|"));
    assert_eq!(mistakes(&wide)[0].code, Code::TooLarge);
    let answers = with("gap: MGATHER-GAP-18\n    expect: [&e {answer: a, tile: {}}");
    let answers = format!("{}{}]\n", answers.trim_end(), ", *e".repeat(4_000));
    assert_eq!(mistakes(&answers)[0].code, Code::BadAnswer);
    assert!(start.elapsed().as_secs() < 30);
}
