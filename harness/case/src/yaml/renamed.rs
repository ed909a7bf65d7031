//! Old words in a document: found, and replaced before anything is read from it.

use ptodiff_edge::renamed::{
    CASE_KEYS, CHOICES, FAILURE_GROUPS, HOLES, OUTCOMES, Table, WAIVER_KEYS, places,
};

use super::Span;
use super::tree::{Kind, Node};
use crate::diagnostic::Spot;
use crate::notes::Notes;
use crate::old_words::OldWord;

/// Replaces the old words of the document, and notes them in the order of the
/// text, each place once.
pub(super) fn renew(root: &mut Node, notes: &mut Notes<'_>) {
    let mut renewal = Renewal(notes);
    for cases in [&["defaults"][..], &["cases", "*"]] {
        root.each(cases, &mut |case| {
            renewal.keys(CASE_KEYS, case);
            case.each(&["readings", "*"], &mut |it| renewal.words(CHOICES, it));
            case.each(&["expect", "*", "outcome"], &mut |it| {
                renewal.words(OUTCOMES, it)
            });
            case.each(&["holes", "*"], &mut |it| renewal.words(HOLES, it));
        });
    }
    root.each(&["waivers", "*"], &mut |waiver| {
        renewal.keys(WAIVER_KEYS, waiver);
        waiver.each(&["failure-group"], &mut |it| {
            renewal.words(FAILURE_GROUPS, it)
        });
    });
    // What cases share through an alias stands in the tree once for each.
    let found = &mut notes.old_words;
    found.sort_by_key(|word| word.spot.span.bytes.start);
    found.dedup();
}

struct Renewal<'n, 't>(&'n mut Notes<'t>);

impl Renewal<'_, '_> {
    /// The keys of a mapping. An old one that stands beside the new one stays:
    /// that is a mistake, which the reader of the mapping sees.
    fn keys(&mut self, table: &Table, map: &mut Node) {
        let Kind::Map(pairs) = &mut map.kind else {
            return;
        };
        for at in 0..pairs.len() {
            let key = &pairs[at].0;
            let Some((old, new)) = table.iter().find(|(old, _)| key.word() == *old) else {
                continue;
            };
            if pairs.iter().all(|(key, _)| key.word() != *new) {
                self.words(table, &mut pairs[at].0);
                continue;
            }
            let file = self.0.file.to_owned();
            let span = without_bytes(&key.span);
            self.0.old_words.push(OldWord {
                spot: Spot { file, span },
                is_double: true,
                old,
                new,
            });
        }
    }

    /// The old words of one scalar.
    fn words(&mut self, table: &Table, node: &mut Node) {
        let Kind::Text(text) = &mut node.kind else {
            return;
        };
        let Some(renewed) = ptodiff_edge::renamed::in_text(table, text) else {
            return;
        };
        let mut from = 0;
        for (_, old, new) in places(table, text) {
            let span = self.place_of(&node.span, old, &mut from);
            let file = self.0.file.to_owned();
            let spot = Spot { file, span };
            self.0.old_words.push(OldWord {
                spot,
                is_double: false,
                old,
                new,
            });
        }
        *text = renewed;
    }

    /// Where `old` stands in the text of `node`, after the first `from` bytes of
    /// that; the place of the node, without bytes, where an escape hides it.
    fn place_of(&self, node: &Span, old: &str, from: &mut usize) -> Span {
        let written = self.0.text(node);
        let Some(at) = written.get(*from..).and_then(|rest| rest.find(old)) else {
            return without_bytes(node);
        };
        let at = *from + at;
        *from = at + old.len();
        let before = &written[..at];
        let lines = before.matches('\n').count() as u32;
        let column = match before.rfind('\n') {
            None => node.column + before.chars().count() as u32,
            Some(end) => before[end + 1..].chars().count() as u32 + 1,
        };
        let start = node.bytes.start + at;
        Span {
            line: node.line + lines,
            column,
            bytes: start..start + old.len(),
        }
    }
}

fn without_bytes(span: &Span) -> Span {
    Span {
        bytes: span.bytes.start..span.bytes.start,
        ..span.clone()
    }
}
