//! Names that are markup, commands or very long stay names on every face but JUnit, and what
//! is very much is cut.

use crate::made::{HOSTILE, agreeing, case, header, header_with, made, plain, text};
use ptodiff_record::{CaseRecord, Header};
use ptodiff_report::diff::RunDiff;
use ptodiff_report::{
    compare, write_annotations, write_diff, write_diff_html, write_diff_markdown, write_markdown,
};
use serde_json::json;

fn markdown(cases: &[CaseRecord]) -> String {
    text(|to| write_markdown(to, &header(), cases))
}

/// The faces of a difference: the page, Markdown, text.
fn faces(diff: &RunDiff<'_>) -> [String; 3] {
    [
        text(|to| write_diff_html(to, diff)),
        text(|to| write_diff_markdown(to, diff)),
        plain(|to| write_diff(to, diff)),
    ]
}

/// What a reader of Markdown sees outside of code; no HTML may be in it but line breaks.
fn outside_code(markdown: &str) -> String {
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

#[test]
fn a_summary_stays_below_a_mebibyte_and_says_that_it_is_cut() {
    let long = "x".repeat(200_000);
    let mut cases: Vec<CaseRecord> = (0..19)
        .map(|n| made("violating", &format!("{n}{long}"), &format!("S{n:02}")))
        .collect();
    // It would fit.
    cases.push(made("violating", "short", "S19"));
    let out = markdown(&cases);
    assert!(!out.contains("S19"), "the order would be another");
    assert!(out.len() < 1 << 20, "{}", out.len());
    assert!(out.len() > 1 << 19, "{}", out.len());
    assert!(out.ends_with("have all.*\n"), "{}", &out[out.len() - 200..]);
    assert_eq!(
        out.matches("```sh\n").count() * 4,
        out.matches("```").count()
    );
}

#[test]
fn the_markdown_of_very_many_changes_is_cut_and_says_so() {
    let one = agreeing("one");
    let named = |n: usize| CaseRecord {
        id: format!("case{n:0>60}"),
        ..one.clone()
    };
    let cases: Vec<CaseRecord> = (0..20_000).map(named).collect();
    let diff = compare(["A", "B"], [&header(); 2], [&[], &cases]);
    let out = text(|to| write_diff_markdown(to, &diff));
    assert!(out.len() < 1 << 20 && out.len() > 1 << 19, "{}", out.len());
    assert!(out.starts_with("## ptodiff: `A` to `B`\n\n20000 new,"));
    assert!(out.ends_with("has all.*\n"));
}

#[test]
fn names_in_a_summary_are_code() {
    let hostile = json!({"is": "violating", "id": HOSTILE, "group": HOSTILE, "file": HOSTILE});
    let out = markdown(&[case(hostile)]);
    let shown =
        "``a<script>alert(1)</script>\"'&amp;\\|`x`]]> ::error::%0A\u{FFFD}[31m\u{FFFD}\u{ffff}``";
    assert!(
        out.contains(&format!("### Violation {shown}, 1 case\n")),
        "{out}"
    );
    assert!(!out.contains(|c: char| c.is_control() && c != '\n'));
    let seen = outside_code(&out);
    assert!(seen.contains("Violation"), "{seen}");
    assert!(
        !seen.contains("script") && !seen.contains("alert"),
        "{seen}"
    );
}

#[test]
fn no_name_ends_a_command_or_begins_one() {
    let file = "a,line=1::x%\r\n::error::y";
    let hostile = json!({"is": "violating", "id": HOSTILE, "group": HOSTILE, "file": file});
    let out = text(|to| write_annotations(to, &header(), &[case(hostile)]));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:#?}");
    let start =
        "::error file=a%2Cline=1%3A%3Ax%25%0D%0A%3A%3Aerror%3A%3Ay,line=3,title=a<script>alert(1)";
    assert!(lines[0].starts_with(start), "{}", lines[0]);
    assert!(
        lines[0].contains("%0A%3A%3Aerror%3A%3A%250A"),
        "{}",
        lines[0]
    );
    assert!(!lines[0].contains(char::is_control));
}

/// Names on both sides, and in every place that shows one.
#[test]
fn no_face_of_a_difference_takes_a_name_for_markup() {
    let hostile = |is: &str, id: &str, group: &str| {
        case(json!({"is": is, "id": id, "group": group, "file": HOSTILE}))
    };
    let new = format!("{HOSTILE}new");
    let before = [
        hostile("permitted", HOSTILE, HOSTILE),
        hostile("agreeing", "gone<b>", ""),
    ];
    let after = [
        hostile("violating", HOSTILE, &new),
        hostile("agreeing", &new, ""),
    ];
    let one: Header = header_with(json!({"version": HOSTILE}));
    let two = header_with(json!({"readings": [[HOSTILE, HOSTILE]]}));
    let diff = compare([HOSTILE, &new], [&one, &two], [&before, &after]);
    let faces = faces(&diff);
    let [page, markdown, _] = &faces;
    assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
    assert!(page.contains("a&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;amp;|"));
    let seen = outside_code(markdown);
    assert!(seen.contains("worse") && !seen.contains("script"), "{seen}");
    let rows = markdown.lines().filter(|line| line.starts_with('|'));
    for row in rows.filter(|row| row.contains("script")) {
        let cells = row.replace("\\|", "").matches('|').count();
        assert!(cells == 6 || cells == 4, "{row}");
    }
    for face in &faces {
        assert!(
            !face.contains(|c: char| c.is_control() && c != '\n'),
            "{face:?}"
        );
        assert!(
            !face.lines().any(|line| line.starts_with("::error")),
            "{face}"
        );
    }
}

#[test]
fn the_page_of_a_difference_asks_for_nothing() {
    let before = [agreeing("gone"), agreeing("worse")];
    let after = [agreeing("new"), made("violating", "worse", "S")];
    let diff = compare(["A", "B"], [&header(); 2], [&before, &after]);
    let [page, ..] = faces(&diff);
    assert!(page.contains("default-src 'none'") && page.contains("<span class=\"worse\">worse<"));
    for word in [
        "http:", "https:", "<script", "src=", "url(", "@import", "href",
    ] {
        assert!(!page.contains(word), "{word}");
    }
    let open = |tag: &str| page.matches(&format!("<{tag}")).count();
    let closed = |tag: &str| page.matches(&format!("</{tag}>")).count();
    for tag in [
        "table>", "tr>", "td>", "th ", "ul>", "li>", "code>", "main>", "body>", "div ",
    ] {
        assert_eq!(open(tag), closed(tag.trim_end_matches(['>', ' '])), "{tag}");
    }
}
