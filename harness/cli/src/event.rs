//! One event of a trace as a line of text.

use std::io::{self, Write};

use ptodiff_isa::Event;

/// Writes `event` as one line, what it is about in a column of its own.
///
/// # Errors
/// What the writer gives.
pub(crate) fn write_event(out: &mut impl Write, event: &Event) -> io::Result<()> {
    let line = event.to_string();
    let (kind, about) = line.split_once(' ').unwrap_or((&line, ""));
    writeln!(out, "{kind:<9} {about}")
}
