//! Checksums of a record: one in each line, and one over all lines at its end.
//!
//! A line is an object whose last entry is `check`: the first eight bytes, in
//! hexadecimal digits, of the BLAKE3 hash of the line as it is without that entry.
//! The last line of a record is `{"end":"..."}`: the whole hash of all lines before
//! it, each with a line feed.

use std::borrow::Cow;

use serde::Serialize;

const KEY: &str = ",\"check\":\"";
/// Digits of the checksum of a line.
const DIGITS: usize = 16;
const CLOSE: &str = "\"}";
const END: &str = "{\"end\":\"";

/// The checksum of a line without one.
fn digits(body: &str) -> String {
    let mut digits = blake3::hash(body.as_bytes()).to_hex().to_string();
    digits.truncate(DIGITS);
    digits
}

/// Adds its checksum to `line`, an object with something in it.
fn seal(line: &mut String) {
    let check = digits(line);
    line.pop();
    line.push_str(KEY);
    line.push_str(&check);
    line.push_str(CLOSE);
}

/// The line of `value`, an object with something in it, with its checksum.
pub(crate) fn line(value: &impl Serialize) -> serde_json::Result<String> {
    let mut line = serde_json::to_string(value)?;
    seal(&mut line);
    Ok(line)
}

/// `line` without its checksum, and that.
fn split(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_suffix(CLOSE)?;
    let (rest, check) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
    Some((rest.strip_suffix(KEY)?, check))
}

/// `line` without its checksum, which is right.
pub(crate) fn checked(line: &str) -> Result<String, &'static str> {
    let (rest, check) = split(line).ok_or("it has no checksum at its end")?;
    let body = format!("{rest}}}");
    match digits(&body) == check {
        true => Ok(body),
        false => Err("it was changed: its checksum is another"),
    }
}

/// The last line of a record of these lines.
pub(crate) fn end(all: &blake3::Hasher) -> String {
    format!("{END}{}{CLOSE}", all.finalize().to_hex())
}

/// Whether a line means to be the last.
pub(crate) fn is_end(line: &str) -> bool {
    line.starts_with(END)
}

/// A record of today with the checksums that its lines should have: for tools
/// that change one and mean it, and for tests.
#[must_use]
pub fn sealed(record: &str) -> String {
    let mut all = blake3::Hasher::new();
    let mut out = String::with_capacity(record.len() + 128);
    for line in record.lines().filter(|line| !is_end(line)) {
        let mut line = match split(line) {
            Some((rest, _)) => Cow::Owned(format!("{rest}}}")),
            None => Cow::Borrowed(line),
        };
        if line.len() > 2 && line.starts_with('{') && line.ends_with('}') {
            seal(line.to_mut());
        }
        out.push_str(&line);
        out.push('\n');
    }
    all.update(out.as_bytes());
    out.push_str(&end(&all));
    out.push('\n');
    out
}
