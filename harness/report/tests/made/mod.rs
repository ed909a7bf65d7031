//! Records made by hand.

use ptodiff_record::{CaseRecord, FORMAT, Header};
use serde_json::{Value, json};

/// A name that is markup in every format there is.
pub(crate) const HOSTILE: &str =
    "a<script>alert(1)</script>\"'&amp;|`x`]]>\n::error::%0A\u{1b}[31m\u{0}\u{ffff}";

pub(crate) fn header() -> Header {
    let header = json!({
        "ptodiff_record": FORMAT, "version": "0.1.0", "seed": 7, "schedules": 4,
        "targets": ["cpu", "a2a3", "a5"], "cases": 0,
    });
    serde_json::from_value(header).expect("a header")
}

/// A case in which cpu and a5 agree, with `more` laid over it.
pub(crate) fn case(id: &str, more: Value) -> CaseRecord {
    let mut case = json!({
        "id": id, "name": id, "instruction": "MSCATTER", "file": "cases/a.yaml", "line": 3,
        "call": {}, "verdict": "agree",
        "targets": {"cpu": {"verdict": "conforms"}, "a5": {"verdict": "conforms"}},
        "pairs": [{"targets": ["cpu", "a5"], "verdict": "agree", "compared": 8}],
    });
    lay(&mut case, more);
    serde_json::from_value(case).expect("a case")
}

/// Lays `over` over an object: what is in both is of `over`.
pub(crate) fn lay(under: &mut Value, over: Value) {
    match (under, over) {
        (Value::Object(under), Value::Object(over)) => {
            for (key, value) in over {
                lay(under.entry(key).or_insert(Value::Null), value);
            }
        }
        (under, over) => *under = over,
    }
}

pub(crate) fn agreeing(id: &str) -> CaseRecord {
    case(id, json!({}))
}

pub(crate) fn permitted(id: &str, failure_group: &str) -> CaseRecord {
    let pair = json!({
        "targets": ["cpu", "a5"], "verdict": "permitted", "differing": 4,
        "clauses": ["MSCATTER-CONF-06"], "failure_groups": [failure_group],
    });
    case(id, json!({"verdict": "permitted", "pairs": [pair]}))
}

pub(crate) fn violating(id: &str, failure_group: &str) -> CaseRecord {
    let value = |v: &str| json!({"bits": "0x01", "value": v});
    let finding = json!({
        "failure_group": failure_group, "what": "a slot holds what no permit allows",
        "clause": "MSCATTER-SEM-02", "schedule": "reversed",
        "slot": {
            "role": "table", "offset": 12, "element": 3, "at": "[0, 3]",
            "initial": value("0"), "got": {"a5": value("5")}, "permitted": "9",
        },
    });
    let pair = json!({
        "targets": ["cpu", "a5"], "verdict": "violation", "differing": 1,
        "why": "a5 breaks its contract",
    });
    let a5 = json!({"verdict": "violates", "findings": [finding]});
    case(
        id,
        json!({"verdict": "violation", "targets": {"a5": a5}, "pairs": [pair]}),
    )
}

/// A case in which `a5:mine` left a wrong value at first, and conforms.
pub(crate) fn flaky(id: &str) -> CaseRecord {
    let value = |v: &str| json!({"bits": "0x01", "value": v});
    let first = json!({
        "failure_group": "MSCATTER a5:mine valid MSCATTER-SEM-02",
        "what": "a slot holds what no permit allows",
        "slot": {
            "role": "table", "offset": 12, "element": 3, "at": "[0, 3]",
            "initial": value("0"), "got": {"a5:mine": value("5")}, "permitted": "9",
        },
    });
    let mine = json!({"verdict": "conforms", "flaky": [first]});
    case(id, json!({"targets": {"a5:mine": mine}}))
}

/// Both answers of [`flaky`].
pub(crate) const BOTH: &str = "first a slot holds what no permit allows: \
    table [0, 3], byte 12: initial 0 (0x01), a5:mine 5 (0x01); permitted 9; then conforms";

/// A case that a5 rejects, so that nothing is compared.
pub(crate) fn single(id: &str) -> CaseRecord {
    let a5 = json!({
        "verdict": "rejected", "reasons": [{"clause": "MSCATTER-ATOM-10", "why": "no such atomic"}],
    });
    let pair = json!({"targets": ["cpu", "a5"], "verdict": "not-compared", "why": "a5: rejected"});
    case(
        id,
        json!({"verdict": "single", "targets": {"a5": a5}, "pairs": [pair]}),
    )
}

pub(crate) fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).expect("a vector takes everything");
    String::from_utf8(out).expect("text")
}

/// As [`text`], without colours.
pub(crate) fn plain(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    anstream::adapter::strip_str(&text(write)).to_string()
}

/// How a clause is told.
pub(crate) fn first_sentence(clause: &str) -> String {
    let says = ptodiff_register::find(clause).expect("a clause").says;
    let (first, _) = says.split_once(". ").unwrap_or((says, ""));
    first.trim_end_matches('.').to_owned()
}

/// What a reader of Markdown sees outside of code; no HTML may be in it but line breaks.
pub(crate) fn outside_code(markdown: &str) -> String {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
    let mut seen = String::new();
    let mut in_block = false;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_block = true,
            Event::End(TagEnd::CodeBlock) => in_block = false,
            Event::Text(text) if !in_block => seen.extend([&text, " "]),
            Event::Html(html) => panic!("{html}"),
            Event::InlineHtml(html) => assert_eq!(&*html, "<br>"),
            Event::Start(Tag::Link { dest_url, .. }) => panic!("{dest_url}"),
            _ => {}
        }
    }
    seen
}
