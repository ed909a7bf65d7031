//! Texts of others on a terminal and in a message.

use std::{borrow::Cow, path::Path};

use ptodiff_edge::text::{MOST_QUOTED, QUOTES, commands, is_hidden, line, lines, path, short};

#[test]
fn what_is_hidden_is_spelled_out() {
    for (text, shown) in [
        ("a\u{1b}[31mb", "a\\u{1b}[31mb"),
        ("a\r\n\tb", "a\\r\\n\\tb"),
        ("\u{0}\u{7}\u{7f}\u{9b}", "\\u{0}\\u{7}\\u{7f}\\u{9b}"),
        (
            "x\u{202e}y\u{2066}z\u{feff}",
            "x\\u{202e}y\\u{2066}z\\u{feff}",
        ),
        (
            "\u{2028}\u{61c}\u{200d}\u{e0041}",
            "\\u{2028}\\u{61c}\\u{200d}\\u{e0041}",
        ),
    ] {
        assert_eq!(line(text), shown);
        assert!(!shown.chars().any(is_hidden));
    }
}

#[test]
fn what_is_seen_stays_and_costs_nothing() {
    for text in [
        "",
        "plain \\ \"q\" \\u{1b}",
        "\u{e9}\u{4e2d}\u{5d0}\u{1f980} \u{a0}x",
    ] {
        assert!(matches!(line(text), Cow::Borrowed(same) if same == text));
    }
}

#[test]
fn lines_keep_their_ends_and_nothing_else() {
    assert_eq!(lines("a\nb\r\n\u{1b}c"), "a\nb\\r\n\\u{1b}c");
    assert!(matches!(lines("a\nb\n"), Cow::Borrowed(_)));
}

#[test]
fn no_line_is_a_command() {
    assert_eq!(line("::error::x"), "\\u{3a}:error::x");
    assert_eq!(line("  ::error::x"), "  \\u{3a}:error::x");
    assert_eq!(lines("a\n ::b\n"), "a\n \\u{3a}:b\n");
    for text in ["Coalesce::Row", ":x", "a ::b", "\n\u{1b}::x"] {
        assert!(!commands(&line(text)), "{text:?}");
    }
    assert!(matches!(line("Coalesce::Row"), Cow::Borrowed(_)));
}

#[test]
fn no_mark_of_a_command_is_left_anywhere() {
    for (text, shown) in [
        ("##[error]x", "\\u{23}#[error]x"),
        ("a ##vso[task.complete]", "a \\u{23}#vso[task.complete]"),
        ("####[x", "\\u{23}\\u{23}\\u{23}#[x"),
        ("##a##b-c_1[", "##a\\u{23}#b-c_1["),
        ("a\u{e9}##[", "a\u{e9}\\u{23}#["),
    ] {
        assert_eq!(line(text), shown);
        assert_eq!(lines(text), shown);
    }
    for text in ["## [x]", "#[x]", "##", "##a b[", "# ##\u{e9}["] {
        assert!(matches!(line(text), Cow::Borrowed(_)), "{text}");
    }
}

#[test]
fn a_quotation_has_an_end() {
    let most = "\u{e9}".repeat(MOST_QUOTED);
    let said = |text: &str| short(text, QUOTES).into_owned();
    let whole = format!("no `{most}` nor \"{most}\" there\nand it's `x`");
    assert_eq!(said(&whole), whole);
    let long = format!("no `{most}xyz` nor \"{most}\u{e9}\"\n`{most}xx`");
    let less = format!("no `{most}\u{2026}` nor \"{most}\u{2026}\"\n`{most}\u{2026}`");
    assert_eq!(said(&long), less);
    for hostile in [
        "`x".repeat(9999),
        "x".repeat(9999),
        format!("`{}", "\"".repeat(9999)),
    ] {
        assert!(said(&hostile).chars().count() <= 1000 + 1);
    }
}

#[test]
fn a_path_is_one_line() {
    assert_eq!(path(Path::new("x/\u{7}\n.jsonl")), "x/\\u{7}\\n.jsonl");
}

/// Every control character, whatever the list of hidden ones looks like.
#[test]
fn no_control_character_is_forgotten() {
    for c in '\0'..=char::MAX {
        assert!(is_hidden(c) || !c.is_control(), "{c:?}");
    }
}
