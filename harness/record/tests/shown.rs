//! Pages whose blocks `text` have what is made of the blocks before them: `...` stands for any
//! text, and in a line of its own for any lines.

use std::{collections::BTreeSet, fmt::Write, fs, path::Path};

use crate::blocks::blocks;

/// Follows the pages of a folder: what is made of each block by its tag and text, where a page
/// has something else, fails.
pub(crate) fn follow<State: Default>(
    folder: &Path,
    differs: impl Fn(&mut State, &str, &str) -> Option<String>,
) {
    let mut wrong = String::new();
    for entry in fs::read_dir(folder).expect("the pages") {
        let path = entry.expect("an entry").path();
        let page = fs::read_to_string(&path).expect("a page");
        let mut state = State::default();
        for (line, tag, text) in blocks(&page) {
            if let Some(made) = differs(&mut state, tag, &text) {
                let _ = writeln!(wrong, "{}:{line}: {tag}\n{made}", path.display());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// `made`, if it is not as shown.
pub(crate) fn differs(shown: &str, made: String) -> Option<String> {
    let lines: Vec<&str> = made.trim_matches('\n').lines().collect();
    // How many lines may be those that were looked at.
    let mut ends = BTreeSet::from([0]);
    for shown in shown.lines() {
        let fits = |at: &usize| lines.get(*at).is_some_and(|line| fits(shown, line));
        ends = match (shown, ends.first()) {
            ("...", Some(first)) => (*first..=lines.len()).collect(),
            _ => ends.into_iter().filter(fits).map(|at| at + 1).collect(),
        };
    }
    (!ends.contains(&lines.len())).then_some(made)
}

/// Whether a line is as shown.
pub(crate) fn fits(shown: &str, line: &str) -> bool {
    match shown.split_once("...") {
        None => shown == line,
        Some((first, rest)) => line.strip_prefix(first).is_some_and(|line| {
            let mut ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
            ends.any(|at| fits(rest, &line[at..]))
        }),
    }
}
