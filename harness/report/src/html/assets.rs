//! The page's own files, and the template filled.

use std::{io, sync::LazyLock};

use base64::{Engine, prelude::BASE64_STANDARD};
use minijinja::{
    AutoEscape, Environment, UndefinedBehavior, context, syntax::SyntaxConfig, value::Serde,
};
use ptodiff_record::grouped;
use serde_json::Value;
use sha2::{Digest, Sha256};

macro_rules! page {
    ($name:literal) => {
        include_str!(concat!("../../../../reports/page/", $name))
    };
}

const TEMPLATE: &str = page!("page.html");
/// In this order.
const STYLE: &str = concat!(
    page!("style/theme.css"),
    page!("style/base.css"),
    page!("style/summary.css"),
    page!("style/cases.css"),
    page!("style/case.css"),
    page!("style/register.css"),
    page!("style/small.css"),
);
/// One module, in this order.
const SCRIPT: &str = concat!(
    page!("script/dom.js"),
    page!("script/data.js"),
    page!("script/address.js"),
    page!("script/copy.js"),
    page!("script/filter.js"),
    page!("script/list.js"),
    page!("script/slots.js"),
    page!("script/squares.js"),
    page!("script/map.js"),
    page!("script/results.js"),
    page!("script/beside.js"),
    page!("script/case.js"),
    page!("script/register.js"),
    page!("script/main.js"),
);

/// Nothing is loaded, nothing is sent, no script runs but the page's own, and
/// that one cannot make markup of text.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        source(SCRIPT),
        source(STYLE)
    )
});

/// A file as a policy names it.
fn source(file: &str) -> String {
    let digest = Sha256::digest(file.as_bytes());
    format!("'sha256-{}'", BASE64_STANDARD.encode(digest))
}

/// Where a template has a line for itself, its tags leave none.
///
/// # Errors
/// None in practice: the signs of the language are the usual ones.
pub(crate) fn environment() -> io::Result<Environment<'static>> {
    let mut page = Environment::new();
    page.set_undefined_behavior(UndefinedBehavior::Strict);
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true);
    page.set_syntax(syntax.build().map_err(io::Error::other)?);
    Ok(page)
}

/// The page.
///
/// # Errors
/// None in practice: the template fits what it is filled with.
pub(super) fn render(context: &Value) -> io::Result<String> {
    let mut page = environment()?;
    page.set_auto_escape_callback(|_| AutoEscape::Html);
    page.add_filter("count", |n: u64| grouped(n));
    // `no result` of `no-result`.
    page.add_filter("word", |name: String| name.replace('-', " "));
    page.add_filter("address", address);
    let filled = context! {
        policy => &*POLICY,
        style => STYLE,
        script => SCRIPT,
        ..Serde(context)
    };
    page.render_str(TEMPLATE, filled).map_err(io::Error::other)
}

/// A value as part of the page's own address.
fn address(value: String) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.~".contains(&b);
    let part = |b: u8| match plain(b) {
        true => char::from(b).to_string(),
        false => format!("%{b:02X}"),
    };
    value.bytes().map(part).collect()
}
