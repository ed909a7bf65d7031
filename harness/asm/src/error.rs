//! What [`parse`](crate::parse()) says about a text it cannot read.

use std::borrow::Cow;

/// Why a text is no call.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: expected {expected}, found {found}")]
pub struct ParseError {
    /// Byte, from 0.
    pub at: usize,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What should stand there.
    pub expected: String,
    /// What stands there, shortened.
    pub found: String,
}

/// A mistake at a byte offset, before anybody needs its line.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) expected: Cow<'static, str>,
}

/// What a reader of the text answers.
pub(crate) type Read<T> = Result<T, Fault>;

/// Something read, and the byte offset where it began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<T> {
    pub(crate) value: T,
    pub(crate) at: usize,
}

impl Fault {
    pub(crate) fn new(at: usize, expected: impl Into<Cow<'static, str>>) -> Self {
        Self {
            at,
            expected: expected.into(),
        }
    }

    /// The same mistake by line and column of `text`.
    pub(crate) fn locate(self, text: &str) -> ParseError {
        let (before, rest) = text.split_at_checked(self.at).unwrap_or((text, ""));
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        ParseError {
            at: before.len(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            expected: self.expected.into_owned(),
            found: found(rest),
        }
    }
}

/// The token at the start of `rest`, cut off where it gets long.
fn found(rest: &str) -> String {
    const LONGEST: usize = 24;
    let Some(first) = rest.chars().next() else {
        return "the end".to_owned();
    };
    let part = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '.' | '%' | '!' | '@');
    let token: String = if part(&first) {
        rest.chars().take_while(part).take(LONGEST).collect()
    } else {
        first.to_string()
    };
    format!("`{}`", token.escape_debug())
}
