//! One event of a trace as a line of text.

use std::io::{self, Write};

use ptodiff_case::Form;
use ptodiff_isa::Event;

/// Writes `event` of a call of `form` as one line, what it is about in a column of its own.
///
/// # Errors
/// What the writer gives.
pub(crate) fn write_event(out: &mut impl Write, form: Form, event: &Event) -> io::Result<()> {
    let line = event.named(|role| form.key(role));
    let (kind, about) = line.split_once(' ').unwrap_or((&line, ""));
    writeln!(out, "{kind:<9} {about}")
}
