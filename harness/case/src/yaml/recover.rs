//! What can be read of a text beside the case that breaks it.

use std::ops::Range;

use super::{Span, tree};

/// `text` without the case that breaks its syntax at `broken`, where the rest can be read:
/// spaces stand in its place.
pub(super) fn without_broken(text: &str, broken: &Span) -> Option<String> {
    let at = broken.bytes.start.min(text.len());
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
