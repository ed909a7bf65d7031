//! The page's own files, and the template filled.

use std::{io, sync::LazyLock};

use base64::{Engine, prelude::BASE64_STANDARD};
use minijinja::{
    AutoEscape, Environment, UndefinedBehavior, context, syntax::SyntaxConfig, value::Serde,
};
use sha2::{Digest, Sha256};

use super::{blocks::Blocks, context::Context};

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

/// Writes the page.
///
/// # Errors
/// What the writer gives.
pub(super) fn render(
    context: &Context<'_>,
    blocks: Blocks,
    to: &mut impl io::Write,
) -> io::Result<()> {
    let mut page = Environment::new();
    page.set_undefined_behavior(UndefinedBehavior::Strict);
    page.set_auto_escape_callback(|_| AutoEscape::Html);
    page.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()
            .map_err(io::Error::other)?,
    );
    page.add_filter("count", count);
    page.add_filter("word", word);
    page.add_filter("address", address);
    let filled = context! {
        policy => &*POLICY,
        style => STYLE,
        script => SCRIPT,
        blocks => BLOCKS,
        ..Serde(context)
    };
    let template = page.template_from_str(TEMPLATE).map_err(io::Error::other)?;
    let text = template.render(filled).map_err(io::Error::other)?;
    let missing = || io::Error::other("the template has no place for the cases");
    let (before, after) = text.split_once(BLOCKS).ok_or_else(missing)?;
    to.write_all(before.as_bytes())?;
    blocks.write(to)?;
    to.write_all(after.as_bytes())
}

/// Where the blocks of cases belong: no text has this character.
const BLOCKS: &str = "\0";

/// `12,345`.
fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (n, digit) in digits.char_indices() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `no result` of `no-result`.
fn word(name: String) -> String {
    name.replace('-', " ")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(count(number), text);
        }
    }

    #[test]
    fn what_means_something_in_an_address_is_written_in_numbers() {
        assert_eq!(address("a&b=c #\"<é".into()), "a%26b%3Dc%20%23%22%3C%C3%A9");
    }
}
