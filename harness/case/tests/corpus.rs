//! The cases that come with the harness, their documentation and their schema.

use std::fs;
use std::path::{Path, PathBuf};

use ptodiff_case::{
    Case, Form, Spelling, Style, case_yaml, check_names, files, load, load_str, render, schema,
};
use serde_json::json;
use strum::VariantNames;

use crate::blocks::blocks;

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases")
}

#[test]
fn the_schema_knows_what_the_reader_knows() {
    let schema = schema();
    let keys = |definition: &str| -> Vec<String> {
        let properties = &schema["definitions"][definition]["properties"];
        properties.as_object().unwrap().keys().cloned().collect()
    };
    let mut case = keys("Case");
    case.retain(|key| !["name", "covers", "gap", "holes", "expect"].contains(&key.as_str()));
    assert_eq!(keys("Defaults"), case);
    for (definition, key, limits) in [
        ("Case", "chunks", json!({ "minimum": 1, "maximum": 4096 })),
        (
            "Case",
            "targets",
            json!({ "minItems": 1, "uniqueItems": true }),
        ),
        (
            "Expectation",
            "targets",
            json!({ "minItems": 1, "uniqueItems": true }),
        ),
        ("Case", "expect", json!({ "minItems": 1 })),
        ("Case", "holes", json!({ "minItems": 1 })),
        ("TileOfFill", "fractal", json!({ "minimum": 1 })),
        ("Index", "fractal", json!({ "minimum": 1 })),
    ] {
        let said = &schema["definitions"][definition]["properties"][key];
        for (limit, at) in limits.as_object().unwrap() {
            assert_eq!(said[limit], *at, "{limit} of {key} in {definition}");
        }
    }
    let mut spelled = keys("Spelled");
    spelled.sort();
    let mut spellings = Spelling::VARIANTS.to_vec();
    spellings.sort();
    assert_eq!(spelled, spellings);
}

/// A block `yaml error CODE` is rejected so.
#[test]
fn the_examples_of_the_readme_do_what_it_says() {
    let readme = fs::read_to_string(cases().join("README.md")).unwrap();
    let (mut good, mut bad) = (0, 0);
    for (_, tag, text) in blocks(&readme) {
        let Some(tag) = tag.strip_prefix("yaml") else {
            continue;
        };
        let code = tag.strip_prefix(" error ");
        assert!(code.is_some() || tag.is_empty(), "unknown tag: {tag}");
        *if code.is_some() { &mut bad } else { &mut good } += 1;
        match (load_str("example.yaml", &text), code) {
            (Ok(corpus), None) => assert!(!corpus.cases.is_empty()),
            (Ok(_), Some(code)) => panic!("{code} was expected:\n{text}"),
            (Err(error), None) => panic!("{}\n{text}", error.render(Style::Plain)),
            (Err(error), Some(code)) => {
                let found = &error.diagnostics;
                assert_eq!(found[0].code.id(), code, "{}", error.render(Style::Plain));
            }
        }
    }
    assert!(good >= 5 && bad >= 3, "{good}, {bad}");
}

#[test]
fn the_readme_names_every_key() {
    let readme = fs::read_to_string(cases().join("README.md")).unwrap();
    // The readings have a chapter of their own.
    let guide = cases().join("../harness/cli/guide/readings-and-editions.md");
    let readme = readme + &fs::read_to_string(guide).unwrap();
    let schema = schema();
    for (name, definition) in schema["definitions"].as_object().unwrap() {
        let Some(keys) = definition["properties"].as_object() else {
            continue;
        };
        for key in keys.keys() {
            assert!(readme.contains(&format!("`{key}`")), "{name}: {key}");
        }
    }
}

#[test]
fn every_case_file_tells_editors_its_schema() {
    let folder = cases().canonicalize().unwrap();
    for path in files(&[cases()]).unwrap() {
        let real = path.canonicalize().unwrap();
        let below = real.strip_prefix(&folder).unwrap().components().count() - 1;
        let up = "../".repeat(below);
        let expected = format!("# yaml-language-server: $schema={up}case-file.schema.json");
        let text = fs::read_to_string(&path).unwrap();
        let first = text.lines().next().unwrap_or_default();
        assert_eq!(first, expected, "{}", path.display());
    }
}

#[test]
fn every_case_is_written_so_that_it_reads_back() {
    let corpus = load(&[cases()]).unwrap();
    assert!(corpus.cases.len() > 1000);
    for case in &corpus.cases {
        let text = case_yaml(case);
        let read = load_str("a.yaml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let [again] = &read.cases[..] else {
            panic!("{text}")
        };
        let again = Case {
            id: case.id.clone(),
            place: case.place.clone(),
            ..again.clone()
        };
        assert_eq!(again, *case, "{text}");
    }
}

/// The mirrored suites: all load, and their names say what they do.
#[test]
fn the_mirrored_suites_are_consistent() {
    let folder = cases().join("st");
    let corpus = load(&[folder]).unwrap_or_else(|e| panic!("{}", e.render(Style::Plain)));
    let mistakes = check_names(&corpus);
    let shown = render(&mistakes, &corpus.files, Style::Plain);
    assert!(mistakes.is_empty(), "{shown}");
    // 204 MSCATTER, 133 MGATHER, 96 to L1, 94 TSCATTER, 24 TGATHERB.
    assert_eq!(corpus.cases.len(), 551);
}

/// Another YAML parser sees the same cases: a differential test of the reader itself.
#[test]
fn a_second_parser_agrees_on_the_corpus() {
    let corpus = load(&[cases()]).unwrap_or_else(|e| panic!("{}", e.render(Style::Plain)));
    for file in &corpus.files {
        let value: yaml_serde::Value = yaml_serde::from_str(&file.text).unwrap();
        let ours = corpus
            .cases
            .iter()
            .filter(|case| case.place.file == file.path);
        let ours: Vec<_> = ours.collect();
        let theirs = value["cases"].as_sequence().unwrap();
        assert_eq!(ours.len(), theirs.len(), "{}", file.path.display());
        for (ours, theirs) in ours.iter().zip(theirs) {
            assert_eq!(Some(ours.name.as_str()), theirs["name"].as_str());
            for (role, operand) in ours.call.operands() {
                let key = Form::of(&ours.call).key(role);
                let theirs = theirs.get(key).and_then(|operand| operand.get("shape"));
                let (Some(tile), Some(theirs)) = (operand.tile(), theirs) else {
                    continue;
                };
                let shape = [Some(tile.rows), Some(tile.cols)];
                let theirs = [theirs[0].as_u64(), theirs[1].as_u64()];
                assert_eq!(theirs, shape, "{}: {key}", ours.id);
            }
            let chunks = theirs["chunks"].as_u64();
            assert!(
                chunks.is_none_or(|chunks| chunks == u64::from(ours.chunks)),
                "{}",
                ours.id
            );
        }
    }
}
