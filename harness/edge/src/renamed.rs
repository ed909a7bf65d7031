//! Words that the version before spelled otherwise, and what each is called now.
//!
//! Files and records with an old word are read for one version. All
//! of that is made from these tables, and goes with them.

/// Old words, each with the new one.
pub type Table = [(&'static str, &'static str)];

/// Keys of a case.
pub const CASE_KEYS: &Table = &[("refused", "rejected"), ("witnesses", "covers")];
/// Values of `outcome` in an entry of `expect`.
pub const OUTCOMES: &Table = &[("refused", "rejected")];
/// Choices of readings.
pub const CHOICES: &Table = &[("duty", "precondition"), ("refused", "rejected")];
/// Kinds and places of holes.
pub const HOLES: &Table = &[
    ("unchecked-duty", "unchecked-precondition"),
    ("legal-stray", "legal-out-of-bounds"),
    ("one-sided-refusal", "one-sided-rejection"),
    ("stray-write", "out-of-bounds-write"),
    ("stray-read", "out-of-bounds-read"),
    ("refusal", "rejection"),
];
/// Keys of a waiver.
pub const WAIVER_KEYS: &Table = &[("signature", "failure-group")];
/// Words of the name of a failure group.
pub const FAILURE_GROUPS: &Table = &[
    ("stray", "out-of-bounds"),
    ("refusal", "rejection"),
    ("witness", "coverage"),
    ("told apart", "distinguished"),
];
/// What `word` is called now, where it is an old one.
#[must_use]
pub fn now(table: &Table, word: &str) -> Option<&'static str> {
    let renamed = table.iter().find(|(old, _)| *old == word);
    renamed.map(|(_, new)| *new)
}

/// The old words in `text`, which stand between its ends and spaces: each with
/// its place in bytes and the new one, in the order of the text.
#[must_use]
pub fn places(table: &Table, text: &str) -> Vec<(usize, &'static str, &'static str)> {
    let mut all = Vec::new();
    for (old, new) in table {
        let whole = |at: &usize| {
            let (before, rest) = text.split_at(*at);
            let after = &rest[old.len()..];
            let ends = |c: char| c.is_whitespace();
            before.chars().next_back().is_none_or(ends) && after.chars().next().is_none_or(ends)
        };
        let places = text.match_indices(old).map(|(at, _)| at).filter(whole);
        all.extend(places.map(|at| (at, *old, *new)));
    }
    all.sort_unstable();
    all
}

/// `text` with its old words replaced; none where it has none.
#[must_use]
pub fn in_text(table: &Table, text: &str) -> Option<String> {
    let places = places(table, text);
    if places.is_empty() {
        return None;
    }
    let mut out = String::new();
    let mut done = 0;
    for (at, old, new) in places {
        out.push_str(&text[done..at]);
        out.push_str(new);
        done = at + old.len();
    }
    out.push_str(&text[done..]);
    Some(out)
}
