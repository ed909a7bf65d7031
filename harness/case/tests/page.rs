//! Pages of texts and of what is said of them, for the tests of readers.
//!
//! The block `text` behind a text has all that is said of it; without one nothing is. A block
//! `text shown` has it as a user sees it.

use std::{fmt::Write, fs, path::Path};

use ptodiff_case::{Code, Diagnostic, SourceFile, Style, render};

use crate::blocks::blocks;

/// The text that was read, what of it, a line each, and what is said.
pub(crate) struct Said {
    pub(crate) file: SourceFile,
    pub(crate) read: String,
    pub(crate) found: Vec<Diagnostic>,
}

impl Said {
    /// Each mistake in a line, and what is said beside it in lines of their own.
    fn short(&self) -> String {
        let mut all = self.read.clone();
        let file = format!("{}:", self.file.path.display());
        for one in &self.found {
            let summary = one.summary();
            let _ = writeln!(all, "{}", summary.trim_start_matches(&file).trim_start());
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

    fn rendered(&self, style: Style) -> String {
        render(&self.found, std::slice::from_ref(&self.file), style)
    }

    /// Whether this is what a page has in a block with this tag.
    fn is(&self, tag: &str, text: &str) -> bool {
        match tag {
            "text" => text == self.short(),
            "text shown" => {
                let coloured = self.rendered(Style::Coloured).contains('\u{1b}');
                coloured && text.trim_end() == self.rendered(Style::Plain).trim_end()
            }
            _ => panic!("unknown: {tag}"),
        }
    }
}

/// Follows the pages of a folder, where `read` reads a text of a kind: the codes of all that is
/// said.
pub(crate) fn follow(folder: &Path, read: impl Fn(&str, &str) -> Said) -> Vec<Code> {
    let (mut codes, mut wrong) = (Vec::new(), String::new());
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let page = fs::read_to_string(&path).unwrap();
        let blocks = blocks(&page);
        let is_text = |(_, tag, _): &(usize, &str, String)| !tag.starts_with("text");
        let expected = blocks.split(is_text).skip(1);
        for ((line, kind, text), expected) in blocks.iter().filter(|b| is_text(b)).zip(expected) {
            let said = read(kind, text);
            let shown = said.rendered(Style::Plain);
            let told = !expected.is_empty() || said.found.is_empty();
            let right = expected.iter().all(|(_, tag, text)| said.is(tag, text));
            if !told || !right || shown.contains('\u{1b}') {
                let name = path.file_name().unwrap().display();
                let _ = writeln!(wrong, "{name}:{line}:\n{}\n{shown}", said.short());
            }
            codes.extend(said.found.iter().map(|one| one.code));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(!codes.is_empty());
    codes
}
