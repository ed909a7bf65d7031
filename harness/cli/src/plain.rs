//! Names and texts of others, without what a terminal would obey.

use std::path::Path;

pub(crate) use ptodiff_edge::consumer::json;
use ptodiff_edge::text;

/// `text` in one line: what is hidden is spelled out.
pub(crate) fn text(own: &str) -> String {
    text::line(own).into_owned()
}

/// A path as [`text()`].
pub(crate) fn path(own: &Path) -> String {
    text::path(own)
}
