//! Records of others made plain.

use std::borrow::Cow;

use ptodiff_edge::text;
use ptodiff_record::CaseRecord;
use ptodiff_report::plain;
use serde_json::json;

use crate::made::{agreeing, case};

fn stays(case: &CaseRecord) -> bool {
    matches!(plain::cleaned(case), Cow::Borrowed(_))
}

#[test]
fn a_text_that_needs_a_look_is_found() {
    for bad in [
        "\u{1b}[31m",
        "a\rb",
        "a\nb",
        "\u{8}",
        "\u{7f}",
        "\u{9b}",
        "\u{202e}",
        "\\\u{1b}",
        " ::error::",
        "a ##[error]",
    ] {
        let shown = text::line(bad);
        assert_ne!(shown, bad);
        assert_eq!(plain::cleaned(&agreeing(bad)).name, shown);
        let lines = json!({"id": bad, "detail": {"yaml": "a\nb\n"}});
        assert_eq!(plain::cleaned(&case(lines)).name, shown);
    }
    for good in ["", "C:\\new\\\\r \"q\" :x"] {
        assert!(stays(&agreeing(good)), "{good:?}");
        let lines = json!({"id": good, "detail": {"yaml": format!("{good}\nb\n")}});
        assert!(stays(&case(lines)), "{good:?}");
    }
}

#[test]
fn keys_and_values_at_any_depth_are_cleaned_and_details_keep_their_lines() {
    let of = |key: &str, value: &str, lines: &str| {
        let pair = json!({"targets": ["cpu", "a5"], "verdict": "not-compared", "why": value});
        case(json!({"id": "c", "call": {key: value}, "pairs": [pair], "detail": {"yaml": lines}}))
    };
    let own = of("a\u{1b}", "c\n\u{1b}", "a\n\u{1b}");
    let clean = of("a\\u{1b}", "c\\n\\u{1b}", "a\n\\u{1b}");
    assert_eq!(*plain::cleaned(&own), clean);
    assert!(stays(&clean));
}
