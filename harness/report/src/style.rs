//! Colours, always beside a word that says the same. The writer strips them
//! where they are not wanted.

use anstyle::{AnsiColor, Style};
use ptodiff_record::{TargetVerdict, Verdict};

/// Emphasis.
pub const BOLD: Style = Style::new().bold();
/// What is there for completeness.
pub const DIM: Style = Style::new().dimmed();
/// A name that can be passed to `explain`.
pub const CLAUSE: Style = AnsiColor::Cyan.on_default();
/// Something that is well now and will not be.
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// Something well.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Something wrong.
pub const BAD: Style = AnsiColor::Red.on_default().bold();

/// The style of a verdict's word.
#[must_use]
pub fn verdict(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Agree => AnsiColor::Green.on_default(),
        Verdict::Permitted => AnsiColor::Yellow.on_default(),
        Verdict::Single => AnsiColor::Blue.on_default(),
        Verdict::Rejected | Verdict::Undefined | Verdict::Hangs => AnsiColor::Magenta.on_default(),
        Verdict::Violation => BAD,
    }
}

/// What a target did, in a word or two after its name.
#[must_use]
pub(crate) const fn did(verdict: TargetVerdict) -> &'static str {
    match verdict {
        TargetVerdict::Conforms => "conforms",
        TargetVerdict::Rejected => "rejected",
        TargetVerdict::Undefined => "undefined",
        TargetVerdict::Hangs => "hangs",
        TargetVerdict::Violates => "violates",
        TargetVerdict::Unsupported => "cannot run it",
    }
}
