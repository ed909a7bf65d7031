//! Texts, and what is said of them: the pages of `said`.
//!
//! A block `yaml` is a file of cases, `yaml names` one of a suite whose names are checked,
//! `yaml waivers` one of waivers. The block `text` behind it has all that is said of it, warnings
//! included; without one nothing is. A block `text shown` has it as a user sees it.

use std::{fmt::Write, fs, path::Path};

use ptodiff_case::{Code, Diagnostic, SourceFile, Style, check_names, load_str, render};
use ptodiff_case::{LoadError, waiver, warnings};

/// What is said of `text`, and the file that it is.
fn said(kind: &str, text: &str) -> (Vec<Diagnostic>, Vec<SourceFile>) {
    let read = match kind {
        "yaml waivers" => waiver::load_str("a.yaml", text)
            .map(|waivers| (warnings(&waivers.old_words), vec![waivers.file])),
        _ => load_str("a.yaml", text).map(|corpus| {
            let mut found = warnings(&corpus.old_words);
            if kind == "yaml names" {
                found.extend(check_names(&corpus));
            }
            (found, corpus.files)
        }),
    };
    read.unwrap_or_else(|error| {
        let shown = error.to_string();
        let LoadError::Bad { diagnostics, files } = error else {
            panic!("{shown}")
        };
        assert!(shown.starts_with(&diagnostics[0].summary()), "{shown}");
        (diagnostics, files)
    })
}

/// Each mistake in a line, and what is said beside it in lines of their own.
fn short(found: &[Diagnostic]) -> String {
    let mut all = String::new();
    for one in found {
        let summary = one.summary();
        let _ = writeln!(
            all,
            "{}",
            summary.trim_start_matches("a.yaml:").trim_start()
        );
        if !one.label.is_empty() {
            let _ = writeln!(all, "  here: {}", one.label);
        }
        for other in &one.related {
            let span = &other.spot.span;
            let _ = writeln!(all, "  {}:{}: {}", span.line, span.column, other.label);
        }
        if let Some(help) = &one.help {
            let _ = writeln!(all, "  help: {help}");
        }
    }
    all
}

/// The fenced blocks of a page: line, tag and text.
fn blocks(page: &str) -> Vec<(usize, &str, String)> {
    let (mut blocks, mut lines) = (Vec::new(), page.lines().enumerate());
    while let Some((at, line)) = lines.next() {
        if let Some(tag) = line.strip_prefix("```") {
            let body = lines.by_ref().map(|(_, line)| line);
            let body = body.take_while(|line| *line != "```");
            let text = body.fold(String::new(), |text, line| text + line + "\n");
            blocks.push((at + 1, tag, text));
        }
    }
    blocks
}

/// Follows all pages: the codes of all that is said.
pub(crate) fn follow() -> Vec<Code> {
    let (mut codes, mut wrong) = (Vec::new(), String::new());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/said");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let page = fs::read_to_string(&path).unwrap();
        let blocks = blocks(&page);
        let texts = blocks.split(|(_, tag, _)| tag.starts_with("yaml"));
        let files = blocks.iter().filter(|(_, tag, _)| tag.starts_with("yaml"));
        for ((line, kind, text), expected) in files.zip(texts.skip(1)) {
            let (found, files) = said(kind, text);
            let plain = render(&found, &files, Style::Plain);
            let mut right = !plain.contains('\u{1b}') && (!expected.is_empty() || found.is_empty());
            for (_, tag, text) in expected {
                right &= match *tag {
                    "text" => *text == short(&found),
                    "text shown" => {
                        let coloured = render(&found, &files, Style::Coloured);
                        coloured.contains('\u{1b}') && text.trim_end() == plain.trim_end()
                    }
                    tag => panic!("unknown: {tag}"),
                };
            }
            if !right {
                let name = path.file_name().unwrap().display();
                let _ = writeln!(wrong, "{name}:{line}:\n{}\n{plain}", short(&found));
            }
            codes.extend(found.iter().map(|one| one.code));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    codes
}

#[test]
fn what_is_said_of_each_text_is_what_its_page_has() {
    assert!(!follow().is_empty());
}
