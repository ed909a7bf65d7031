//! The difference of two records as a page: one file, no script, no request.

use std::io::{self, Write};

use minijinja::{Environment, value::Serde};
use ptodiff_edge::consumer::html;

use super::RunDiff;
use crate::html::environment;

/// Writes what differs as one static page.
///
/// # Errors
/// What the writer gives.
pub fn write_diff_html(mut to: impl Write, diff: &RunDiff<'_>) -> io::Result<()> {
    let mut page: Environment<'_> = environment()?;
    page.set_formatter(|to, _, value| Ok(to.write_str(&html(&value.to_string()))?));
    let template = include_str!("../../../../reports/page/diff.html");
    let text = page.render_str(template, Serde(diff));
    writeln!(to, "{}", text.map_err(io::Error::other)?)
}
