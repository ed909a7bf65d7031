//! A page written, and read as a browser would.

use std::io::Read;

use base64::{Engine, prelude::BASE64_STANDARD};
use flate2::read::DeflateDecoder;
use ptodiff_record::{CaseRecord, Diagnosis, Header};
use ptodiff_report::write_html;
use serde_json::Value;

use super::records;
use crate::made::{self, Record};

/// The page of `cases`.
pub(crate) fn page(cases: &[CaseRecord]) -> String {
    page_of(&records::header(cases), cases)
}

/// The page of `cases` under this header.
pub(crate) fn page_of(header: &Header, cases: &[CaseRecord]) -> String {
    text_of(header, cases, &[])
}

/// The page of a run that was diagnosed.
pub(crate) fn page_of_run((header, cases, diagnoses): &Record) -> String {
    text_of(header, cases, diagnoses)
}

fn text_of(header: &Header, cases: &[CaseRecord], diagnoses: &[Diagnosis]) -> String {
    made::text(|to| write_html(to, header, cases, diagnoses))
}

/// What stands between the tags of the first element that begins like this.
pub(crate) fn inside<'a>(page: &'a str, begins: &str, ends: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(begins)?;
    Some(rest.split_once(ends)?.0)
}

/// A piece of packed data, in base64, if the page has it.
pub(crate) fn packed<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    inside(page, &format!(" id=\"d-{name}\">"), "<")
}

/// A piece of packed data.
pub(crate) fn unpacked(page: &str, name: &str) -> Value {
    let text = packed(page, name).unwrap_or_else(|| panic!("no {name} in the page"));
    let bytes = BASE64_STANDARD.decode(text).expect("base64");
    let mut json = String::new();
    let read = DeflateDecoder::new(&bytes[..]).read_to_string(&mut json);
    read.expect("deflated text");
    serde_json::from_str(&json).expect("JSON")
}

/// The page without its style, its script and its packed data: what is markup.
pub(crate) fn markup(page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    while let Some((before, element)) = rest.split_once("<s").filter(|_| true) {
        out.push_str(before);
        let tag = ["cript", "tyle"]
            .into_iter()
            .find(|tag| element.starts_with(tag));
        rest = match tag {
            Some(tag) => {
                let (_, after) = element.split_once(&format!("</s{tag}>")).expect("an end");
                after
            }
            None => {
                out.push_str("<s");
                element
            }
        };
    }
    out.push_str(rest);
    out
}

/// The page's text as people see it, markup and data left out, characters put back.
pub(crate) fn text(page: &str) -> String {
    let mut out = String::new();
    let markup = markup(page);
    let mut inside = false;
    for c in markup.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            _ if inside => {}
            _ => out.push(c),
        }
    }
    for (name, c) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#x27;", "'"),
        ("&#x2f;", "/"),
        ("&amp;", "&"),
    ] {
        out = out.replace(name, c);
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}
