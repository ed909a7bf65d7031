//! Numbers of clauses wherever the project names them: each is one of the
//! register, and each of the register is in use.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

use crate::common::{Done, files, ptodiff, root};
use ptodiff_register::{entries, find};

/// The words of `text` that have the form of a clause's number of one of `documents`.
fn numbers<'a>(text: &'a str, documents: &BTreeSet<&str>) -> impl Iterator<Item = &'a str> {
    text.split(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-'))
        .filter(|word| {
            let parts: Vec<&str> = word.split('-').collect();
            matches!(parts.as_slice(), [document, group, number]
                if documents.contains(document)
                    && !group.is_empty()
                    && number.len() == 2
                    && number.bytes().all(|b| b.is_ascii_digit()))
        })
}

#[test]
fn the_project_names_no_clause_that_the_register_has_not() {
    // Cases and clauses that are wrong on purpose name what does not exist.
    let mut all = files(&root(), &|name| {
        !["target", ".git", "out", "bad", "tests"].contains(&name)
    });
    all.retain(|path| {
        let end = path.extension().unwrap_or_default();
        ["rs", "yaml", "md"].iter().any(|known| end == *known)
    });
    let documents = entries().iter().filter_map(|e| e.id.split('-').next());
    let documents: BTreeSet<&str> = documents.collect();
    let mut unknown: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut named = 0;
    for path in all {
        let text = fs::read_to_string(&path).expect("text");
        for number in numbers(&text, &documents) {
            named += 1;
            // `99` stands for a number that is wrong on purpose.
            if find(number).is_none() && !number.ends_with("-99") {
                unknown.insert(number.to_owned(), path.clone());
            }
        }
    }
    assert!(named > 5000, "only {named} numbers found");
    assert!(unknown.is_empty(), "{unknown:#?}");
}

/// Whatever cases are asked. That all cases cover all that can be covered is an example of the
/// guide.
#[test]
fn coverage_has_a_line_of_every_clause_and_gap() {
    let Done { code, out, err } = ptodiff(&root(), &["coverage", "--all", "cases/regressions"]);
    assert_eq!(code, 1, "{out}{err}");
    for entry in entries() {
        assert!(out.contains(&format!("  {} ", entry.id)), "{}", entry.id);
    }
}
