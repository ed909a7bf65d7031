//! What the pages say: their size, their form, and that what they name is there.

use std::{fs, path::Path};

use ptodiff_case::Code;

use super::chapters;
use crate::{
    blocks::blocks,
    common::{ptodiff, root},
};

/// Written by `ptodiff` itself; their size is that of what they list.
const GENERATED: [&str; 2] = ["command-line.md", "messages.md"];

#[test]
fn the_readme_is_short() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().count() <= 180, "{}", readme.lines().count());
    assert!(readme.len() <= 12 << 10, "{}", readme.len());
}

/// `# Title`, then one sentence that says what the chapter is for.
#[test]
fn every_chapter_begins_the_same_way() {
    for (name, page) in chapters() {
        if GENERATED.contains(&&*name) {
            continue;
        }
        let mut paragraphs = page.split("\n\n");
        let title = paragraphs.next().unwrap();
        assert!(
            title.starts_with("# ") && !title.contains('\n'),
            "{name}: {title}"
        );
        let purpose = paragraphs.next().unwrap().trim_end();
        let sentences = purpose.matches(". ").count() + purpose.matches(".\n").count();
        assert!(
            purpose.ends_with('.') && sentences == 0,
            "{name}: {purpose}"
        );
        let lines = page.lines().count();
        assert!(lines <= 250, "{name}: {lines} lines");
    }
}

#[test]
fn the_first_chapter_leads_to_every_other_and_each_is_listed() {
    let first = fs::read_to_string(root().join("harness/cli/guide/start-here.md")).unwrap();
    let listed = ptodiff(&root(), &["guide"]).out;
    for (name, _) in chapters() {
        let topic = name.trim_end_matches("md").replace('.', " ");
        assert!(
            listed.lines().any(|line| line.starts_with(&topic)),
            "{name}"
        );
        assert!(
            name == "start-here.md" || first.contains(&format!("({name})")),
            "{name}"
        );
    }
}

/// Numbers of clauses are those of `clauses.rs`.
#[test]
fn every_code_exists() {
    let mut codes = 0;
    for (name, mut page) in pages() {
        // Examples that are wrong on purpose name what does not exist.
        for (_, tag, text) in blocks(&page.clone()) {
            if tag.starts_with("yaml error") {
                page = page.replace(&text, "");
            }
        }
        for rest in page.split("PTO-C").skip(1) {
            codes += 1;
            let code = format!("PTO-C{}", rest.get(..3).unwrap_or_default());
            assert!(Code::from_id(&code).is_some(), "{name}: {code}");
        }
    }
    assert!(codes > 3, "{codes}");
}

/// Every page that a reader is led to, by its path from the root.
fn pages() -> Vec<(String, String)> {
    let mut pages: Vec<_> = chapters()
        .into_iter()
        .map(|(name, page)| (format!("harness/cli/guide/{name}"), page))
        .collect();
    for name in [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "cases/README.md",
        "cases/holes/README.md",
        "fuzz/README.md",
        "harness/README.md",
        "harness/impl/PROTOCOL.md",
        "reports/README.md",
        "scripts/implementations/README.md",
    ] {
        let page = fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        pages.push((name.to_owned(), page));
    }
    pages
}

/// Every file that a link names is there. `scripts/site` looks at the parts of pages.
#[test]
fn every_link_leads_to_a_file() {
    let mut links = 0;
    for (name, page) in pages() {
        let mut text = page.clone();
        for (_, _, block) in blocks(&page) {
            text = text.replace(&block, "");
        }
        for rest in text.split("](").skip(1) {
            let (target, _) = rest.split_once(')').expect("a link ends");
            let file = target.split('#').next().unwrap_or_default();
            if target.contains("://") || file.is_empty() {
                continue;
            }
            links += 1;
            let from = root().join(&name);
            let place = from.parent().unwrap_or(Path::new("")).join(file);
            assert!(place.exists(), "{name}: {target}");
        }
    }
    assert!(links > 50, "{links}");
}

/// The words of the project, one entry each.
#[test]
fn the_glossary_has_every_word() {
    let glossary = fs::read_to_string(root().join("harness/cli/guide/glossary.md")).unwrap();
    let entries: Vec<&str> = glossary
        .lines()
        .filter_map(|line| line.strip_prefix("| **")?.split_once("**"))
        .map(|(words, _)| words)
        .collect();
    for word in [
        "target",
        "implementation",
        "case",
        "stimulus",
        "model",
        "contract",
        "clause",
        "gap",
        "reading",
        "permit",
        "agree",
        "permitted",
        "violation",
        "single",
        "undefined",
        "rejected",
        "precondition",
        "out-of-bounds access",
        "covered",
        "distinguished",
        "hole",
        "failure group",
        "deviates from",
        "passed",
        "failed",
        "outlier",
        "rule",
        "reproduce",
        "initial",
        "fix",
        "remark",
        "seed",
        "schedule",
        "record",
        "baseline",
        "waiver",
    ] {
        assert!(
            entries.iter().any(|e| e.split(", ").any(|w| w == word)),
            "{word}"
        );
    }
}
