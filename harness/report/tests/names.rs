//! What is very much is cut, and a page asks for nothing.

use crate::made::{agreeing, header, made, text};
use ptodiff_record::CaseRecord;
use ptodiff_report::{compare, write_diff_html, write_diff_markdown, write_markdown};

fn markdown(cases: &[CaseRecord]) -> String {
    text(|to| write_markdown(to, &header(), cases))
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
fn the_page_of_a_difference_asks_for_nothing() {
    let before = [agreeing("gone"), agreeing("worse")];
    let after = [agreeing("new"), made("violating", "worse", "S")];
    let diff = compare(["A", "B"], [&header(); 2], [&before, &after]);
    let page = text(|to| write_diff_html(to, &diff));
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
