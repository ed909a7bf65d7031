//! The cases that come with the harness, their documentation and their schema.

use std::fs;
use std::path::{Path, PathBuf};

use ptodiff_case::{Case, Spelling, Style, case_yaml, check_names, load, load_str, render, schema};
use ptodiff_isa::{Operand, Role};
use strum::VariantNames;

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases")
}

#[test]
fn the_schema_is_fresh() {
    let path = cases().join("case-file.schema.json");
    let mut fresh = serde_json::to_string_pretty(&schema()).unwrap();
    fresh.push('\n');
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        fs::write(&path, &fresh).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == fresh,
        "{} is stale: run the test with UPDATE_SCHEMA=1",
        path.display()
    );
}

#[test]
fn the_schema_knows_what_the_reader_knows() {
    let schema = schema();
    let keys = |definition: &str| -> Vec<String> {
        let properties = &schema["definitions"][definition]["properties"];
        properties.as_object().unwrap().keys().cloned().collect()
    };
    let mut case = keys("Case");
    assert!(case.contains(&"name".to_owned()) && case.contains(&"rejected".to_owned()));
    case.retain(|key| !["name", "covers", "gap", "holes", "expect"].contains(&key.as_str()));
    assert_eq!(keys("Defaults"), case);
    assert_eq!(schema["definitions"]["Case"]["additionalProperties"], false);
    assert!(
        !schema.to_string().contains("null\""),
        "no key may be empty"
    );
    let readings = &schema["definitions"]["Readings"]["properties"];
    assert_eq!(readings["cpu-form"]["enum"][1], "templated");
    let modes = &schema["definitions"]["Case"]["properties"]["mode"];
    assert!(modes.to_string().contains("Elem"), "{modes}");
    let case = &schema["definitions"]["Case"]["properties"];
    for key in ["tile", "source", "table"] {
        assert_eq!(case[key]["required"], serde_json::json!(["shape"]), "{key}");
    }
    assert!(case["scratch"].to_string().contains("\"none\""));
    let entry = &schema["definitions"]["Expectation"]["properties"];
    assert_eq!(entry["outcome"]["enum"][3], "hangs");
    let spelled = keys("Spelled");
    assert_eq!(spelled.len(), Spelling::VARIANTS.len());
    for spelling in Spelling::VARIANTS {
        assert!(spelled.iter().any(|key| key == spelling), "{spelling}");
    }
}

/// Every fenced block of YAML in the README: its text, and the code that it
/// should be rejected with, if any.
fn examples(readme: &str) -> Vec<(String, Option<String>)> {
    let mut all = Vec::new();
    let mut lines = readme.lines();
    while let Some(line) = lines.next() {
        let Some(tag) = line.strip_prefix("```yaml") else {
            continue;
        };
        let code = tag.trim().strip_prefix("error ").map(str::to_owned);
        assert!(
            code.is_some() || tag.trim().is_empty(),
            "unknown tag: {tag}"
        );
        let text: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
        all.push((text.join("\n"), code));
    }
    all
}

#[test]
fn the_examples_of_the_readme_do_what_it_says() {
    let readme = fs::read_to_string(cases().join("README.md")).unwrap();
    let examples = examples(&readme);
    assert!(examples.iter().filter(|(_, code)| code.is_none()).count() >= 5);
    assert!(examples.iter().filter(|(_, code)| code.is_some()).count() >= 3);
    for (text, code) in examples {
        match (load_str("example.yaml", &text), code) {
            (Ok(corpus), None) => assert!(!corpus.cases.is_empty()),
            (Ok(_), Some(code)) => panic!("{code} was expected:\n{text}"),
            (Err(error), None) => panic!("{}\n{text}", error.render(Style::Plain)),
            (Err(error), Some(code)) => {
                let found = error.diagnostics();
                assert_eq!(found[0].code.id(), code, "{}", error.render(Style::Plain));
            }
        }
    }
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

fn yaml_files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            yaml_files(&path, all);
        } else if path.extension().is_some_and(|e| e == "yaml" || e == "yml") {
            all.push(path);
        }
    }
}

#[test]
fn every_case_file_tells_editors_its_schema() {
    let mut all = Vec::new();
    yaml_files(&cases(), &mut all);
    for path in all {
        let below = path.strip_prefix(cases()).unwrap().components().count() - 1;
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
            let tiles = [
                ("tile", Some(*ours.call.data_tile())),
                (
                    "source",
                    ours.call
                        .operand(Role::Source)
                        .and_then(Operand::tile)
                        .copied(),
                ),
                (
                    "destination",
                    ours.call
                        .operand(Role::Destination)
                        .and_then(Operand::tile)
                        .copied(),
                ),
            ];
            for (key, tile) in tiles {
                let Some(theirs) = theirs.get(key).and_then(|tile| tile.get("shape")) else {
                    continue;
                };
                let shape = tile.map(|tile| [Some(tile.rows), Some(tile.cols)]);
                let theirs = [theirs[0].as_u64(), theirs[1].as_u64()];
                assert_eq!(Some(theirs), shape, "{}: {key}", ours.id);
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
