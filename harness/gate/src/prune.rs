//! Waivers that are no longer needed, taken out of the text of their file.

use std::ops::Range;

use ptodiff_case::waiver::{self, Waiver, Waivers};

/// `waivers` without those at the places `unused`, the rest of the file as it
/// was written; `None` where that cannot be done line by line.
pub(crate) fn without(waivers: &Waivers, unused: &[usize]) -> Option<Waivers> {
    let lines: Vec<&str> = waivers.file.text.split_inclusive('\n').collect();
    let starts: Option<Vec<usize>> = waivers.list.iter().map(|w| start(w, &lines)).collect();
    let starts = starts?;
    let removed: Option<Vec<Range<usize>>> = unused
        .iter()
        .map(|at| extent(&lines, &starts, *at))
        .collect();
    let removed = removed?;
    let all = unused.len() == waivers.list.len();
    let mut text = String::with_capacity(waivers.file.text.len());
    for (at, line) in lines.iter().enumerate() {
        if removed.iter().any(|range| range.contains(&at)) {
            continue;
        }
        match line.strip_prefix("waivers:") {
            Some(rest) if all => text.extend(["waivers: []", rest]),
            _ => text.push_str(line),
        }
    }
    // Text was cut by its lines: that it now says what it should is for the reader to find.
    let read = waiver::load_str(&waivers.file.path.to_string_lossy(), &text).ok()?;
    let kept = waivers
        .list
        .iter()
        .enumerate()
        .filter(|(at, _)| !unused.contains(at));
    let same = |(a, (_, b)): (&Waiver, (usize, &Waiver))| {
        Waiver {
            line: b.line,
            ..a.clone()
        } == *b
    };
    let counts = read.list.len() + unused.len() == waivers.list.len();
    (counts && read.list.iter().zip(kept).all(same)).then_some(read)
}

/// The line on which a waiver begins with its dash, from 0.
fn start(waiver: &Waiver, lines: &[&str]) -> Option<usize> {
    let at = usize::try_from(waiver.line).ok()?.checked_sub(1)?;
    lines.get(at)?.trim_start().starts_with("- ").then_some(at)
}

/// The lines of the waiver at place `at`, with the comment right above it and
/// the blank lines below it.
fn extent(lines: &[&str], starts: &[usize], at: usize) -> Option<Range<usize>> {
    let is_comment = |line: &str| line.trim_start().starts_with('#');
    let is_blank = |line: &str| line.trim().is_empty();
    let first = *starts.get(at)?;
    let limit = starts.get(at + 1).copied().unwrap_or(lines.len());
    // What follows the last line of its own belongs to the next, or to none.
    let body = lines.get(first..limit)?;
    let own = body
        .iter()
        .rposition(|line| !is_comment(line) && !is_blank(line))?
        + 1;
    let above = lines.get(..first)?;
    let above = above
        .iter()
        .rev()
        .take_while(|line| is_comment(line))
        .count();
    let below = body[own..].iter().take_while(|line| is_blank(line)).count();
    Some(first - above..first + own + below)
}
