//! What can be read of a document beside its mistakes, so that all of them are told at once.

use std::ops::Range;

use super::fault::Fault;
use super::tree::{Kind, Node};
use super::{Span, tree};
use crate::code::Code;
use crate::suggest::closest;

/// Takes `fault` out of the tree of a case file, so that the next one can be found: a key is
/// read as the one that was meant, and else its case is left out. Whether that could be.
pub(super) fn recover(root: &mut Node, fault: &Fault) -> bool {
    let Some(span) = &fault.span else {
        return false;
    };
    let unknown = fault
        .unknown
        .as_ref()
        .filter(|_| fault.code == Code::UnknownKey);
    let meant = unknown.and_then(|(word, known)| match closest(word, known)[..] {
        [one] => Some(one),
        _ => None,
    });
    // A key that is like no other or like several may be any that would then be missing.
    meant.is_some_and(|meant| rename(root, span, meant)) || without_case(root, span)
}

/// Gives the key at `span` the name `meant`, unless its mapping has that already.
fn rename(node: &mut Node, span: &Span, meant: &'static str) -> bool {
    match &mut node.kind {
        Kind::Null | Kind::Text(_) | Kind::Plain => false,
        Kind::List(list) => list.iter_mut().any(|item| rename(item, span, meant)),
        Kind::Map(pairs) => {
            if let Some(at) = pairs.iter().position(|(key, _)| key.span == *span) {
                let free = !pairs.iter().any(|(key, _)| key.word() == meant);
                if free {
                    pairs[at].0.kind = Kind::Text(meant.to_owned());
                }
                return free;
            }
            pairs
                .iter_mut()
                .any(|(_, value)| rename(value, span, meant))
        }
    }
}

/// Leaves out the case in which `span` stands; not the last one that there is.
fn without_case(root: &mut Node, span: &Span) -> bool {
    let mut done = false;
    root.each_entry("cases", |cases| {
        if let Kind::List(list) = &mut cases.kind {
            let begins = |case: &Node| case.span.bytes.start;
            let own = list
                .iter()
                .rposition(|case| begins(case) <= span.bytes.start);
            if let Some(own) = own.filter(|_| list.len() > 1) {
                list.remove(own);
                done = true;
            }
        }
    });
    done
}

/// `text` without the case that breaks its syntax at `fault`, where the rest can be read:
/// spaces stand in its place.
pub(super) fn without_broken(text: &str, fault: &Fault) -> Option<String> {
    let at = fault.span.as_ref()?.bytes.start.min(text.len());
    let cases = cases(text);
    let own = cases.iter().rposition(|case| case.start <= at)?;
    // What is not closed is only seen in the case behind it.
    let before = own.saturating_sub(1);
    let mut tries = [own..own + 1, before..own, before..own + 1].into_iter();
    tries.find_map(|which| {
        let left = cases.len().checked_sub(which.len())?;
        let (first, last) = (
            cases.get(which.start)?,
            cases.get(which.end.checked_sub(1)?)?,
        );
        let rest = blanked(text, first.start..last.end);
        (left > 0 && tree(&rest).is_ok()).then_some(rest)
    })
}

/// The bytes of each entry of the list `cases`, by its indentation.
fn cases(text: &str) -> Vec<Range<usize>> {
    let mut begins = Vec::new();
    let (mut at, mut inside, mut indent) = (0, false, None);
    for line in text.split_inclusive('\n') {
        let own = line.len() - line.trim_start().len();
        inside |= line.starts_with("cases:");
        if inside && line.trim_start().starts_with("- ") && *indent.get_or_insert(own) == own {
            begins.push(at);
        }
        at += line.len();
    }
    let ends = begins.iter().skip(1).copied().chain([text.len()]);
    begins
        .iter()
        .zip(ends)
        .map(|(begin, end)| *begin..end)
        .collect()
}

fn blanked(text: &str, range: Range<usize>) -> String {
    let (before, rest) = text.split_at(range.start);
    let (broken, after) = rest.split_at(range.end - range.start);
    let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
    let blank: String = broken.bytes().map(blank).collect();
    format!("{before}{blank}{after}")
}
