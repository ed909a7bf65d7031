//! Texts of others in what other programs read: nothing of it is obeyed.

use ptodiff_edge::{
    consumer::{block, code, html, json, message, property, xml, xml_lines},
    text::{is_hidden, marks},
};

#[test]
fn json_hides_nothing_and_says_the_same() {
    let own = [
        "a\u{202e}b",
        "\u{1b}[31m\n\u{9b}\u{7f}",
        "\u{e0041}x",
        "\u{e9} \"q\" \\",
        "###[error]##vso[x]\u{202e}##",
    ];
    let mut out = Vec::new();
    json(&mut out, &own).unwrap();
    let shown = String::from_utf8(out).unwrap();
    assert!(!shown.trim_end().chars().any(is_hidden), "{shown}");
    assert!(marks(&shown).next().is_none(), "{shown}");
    assert!(shown.starts_with("[\"a\\u202eb\","), "{shown}");
    assert_eq!(serde_json::from_str::<Vec<String>>(&shown).unwrap(), own);
}

#[test]
fn code_holds_any_text() {
    assert_eq!(code("a_b*c*<b>"), "`a_b*c*<b>`");
    assert_eq!(code("a`b"), "``a`b``");
    assert_eq!(code("`"), "`` ` ``");
    assert_eq!(code("a|b\nc\u{1b}[0m"), "`a\\|b c\u{FFFD}[0m`");
    assert_eq!(code("##[error]"), "`\\u{23}#[error]`");
    assert_eq!(code(" "), "(nothing)");
    assert_eq!(code(&"\u{e9}".repeat(500)).chars().count(), 400 + 3);
}

#[test]
fn a_block_is_not_ended_by_what_it_holds() {
    let text = block("sh", &["echo ```` '", "```'\u{1b}", " ::error::x"]);
    let shown = "`````sh\necho ```` '\n```'\u{FFFD}\n \\u{3a}:error::x\n`````\n";
    assert_eq!(text, shown);
}

#[test]
fn markup_and_annotations_hold_any_text() {
    assert_eq!(
        html("<a b='\"'>&\n##[x"),
        "&lt;a b=&#39;&quot;&#39;&gt;&amp;\u{FFFD}\\u{23}#[x"
    );
    assert_eq!(xml("a\nb\u{0}\u{FFFE}<&"), "a\u{FFFD}b\u{FFFD}\u{FFFD}<&");
    assert_eq!(
        xml_lines("a\n::error::\n##[x]"),
        "a\n\\u{3a}:error::\n\\u{23}#[x]"
    );
    assert_eq!(message("50%\r\n::x##[y"), "50%25%0D%0A::x\\u{23}#[y");
    assert_eq!(property("a:b,c\u{1b}"), "a%3Ab%2Cc\u{FFFD}");
}
