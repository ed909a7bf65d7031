//! Two records side by side.

use crate::made::{
    HOSTILE, agreeing, case, header, outside_code, permitted, plain, single, text, violating,
};
use ptodiff_isa::Target;
use ptodiff_record::{CaseRecord, StData};
use ptodiff_report::diff::{Case, RunDiff};
use ptodiff_report::{compare, write_diff, write_diff_html, write_diff_markdown};
use serde_json::json;

fn with<T>(before: &[CaseRecord], after: &[CaseRecord], look: impl FnOnce(&RunDiff<'_>) -> T) -> T {
    let names = ["A.jsonl", "B.jsonl"];
    look(&compare(names, [&header(); 2], [before, after]))
}

const TORN: &str = "MSCATTER a5 valid MSCATTER-SEM-02";
const CONF: &str = "MSCATTER cpu/a5 permitted valid MSCATTER-CONF-06";

fn before() -> Vec<CaseRecord> {
    vec![
        agreeing("same"),
        agreeing("gone"),
        agreeing("better"),
        permitted("other", CONF),
        agreeing("worse"),
        agreeing("rejected"),
    ]
}

fn after() -> Vec<CaseRecord> {
    vec![
        agreeing("new"),
        agreeing("same"),
        permitted("better", CONF),
        permitted("other", "MSCATTER cpu/a5 permitted valid MSCATTER-CONF-07"),
        violating("worse", TORN),
        single("rejected"),
    ]
}

#[test]
fn cases_are_new_gone_changed_or_the_same() {
    with(&before(), &after(), |diff| {
        let ids = |cases: &[Case]| cases.iter().map(|c| c.id.clone()).collect::<Vec<_>>();
        assert_eq!(
            (ids(&diff.new), ids(&diff.gone)),
            (vec!["new".into()], vec!["gone".into()])
        );
        let changed: Vec<_> = diff
            .changed
            .iter()
            .map(|c| (c.case.id.as_str(), c.worse))
            .collect();
        let expected = [
            ("worse", true),
            ("rejected", true),
            ("better", false),
            ("other", false),
        ];
        assert_eq!(changed, expected);
        assert!(!diff.is_empty() && diff.regressed());
    });
    with(&before(), &before(), |diff| {
        assert!(diff.is_empty() && !diff.regressed() && diff.told.is_empty());
        assert_eq!(diff.counts, "0 new, 0 gone, 0 changed, 6 the same");
    });
    // The order of a record is not what it says.
    let mut backwards = before();
    backwards.reverse();
    with(&before(), &backwards, |diff| assert!(diff.is_empty()));
}

#[test]
fn the_second_is_worse_for_a_case_that_is_gone_or_a_violation_that_was_not() {
    let one = [agreeing("a")];
    let regressed =
        |before: &[CaseRecord], after: &[CaseRecord]| with(before, after, |diff| diff.regressed());
    assert!(regressed(&one, &[]));
    assert!(!regressed(&[], &one));
    assert!(regressed(&[], &[violating("a", TORN)]));
    assert!(regressed(&one, &[violating("a", TORN)]));
    assert!(!regressed(&[violating("a", TORN)], &one));
    assert!(!regressed(&one, &[permitted("a", CONF)]));
    // The same verdict by another failure group is another violation.
    assert!(regressed(
        &[violating("a", TORN)],
        &[violating("a", "MSCATTER a5 guard -")]
    ));
    assert!(!regressed(&[violating("a", TORN)], &[violating("a", TORN)]));
    // And a failure group that was permitted and is a violation is one, too.
    let contradiction = json!({"verdict": "violation", "pairs": [
        {"targets": ["cpu", "a5"], "verdict": "violation", "failure_groups": [CONF]},
    ]});
    let mut wrong = violating("a", TORN);
    wrong.pairs = permitted("a", CONF).pairs;
    let mut worse = violating("a", TORN);
    worse.pairs = case("a", contradiction).pairs;
    assert!(regressed(&[wrong], &[worse]));
}

/// A case that came to `verdict`, and what `a5` and an implementation did there.
fn came_to(verdict: &str, a5: &str, implementation: (&str, &str)) -> CaseRecord {
    let (name, did) = implementation;
    let targets = json!({"a5": {"verdict": a5}, name: {"verdict": did}});
    case("a", json!({"verdict": verdict, "targets": targets}))
}

#[test]
fn the_second_is_worse_for_a_result_that_is_gone() {
    let worse = |before: &CaseRecord, after: &CaseRecord| {
        let [before, after] = [before, after].map(|case| [case.clone()]);
        with(&before, &after, |diff| diff.regressed())
    };
    let own = ("a5:own", "conforms");
    let of = |verdict: &str| came_to(verdict, "conforms", own);
    // Compared, with one result, with none: downwards is worse, and nothing else is.
    let levels = [
        &["agree", "permitted"][..],
        &["single"],
        &["rejected", "undefined", "hangs"],
    ];
    for (a, before) in levels.iter().enumerate() {
        for (b, after) in levels.iter().enumerate() {
            for (was, is) in before
                .iter()
                .flat_map(|w| after.iter().map(move |i| (w, i)))
            {
                assert_eq!(worse(&of(was), &of(is)), b > a, "{was} -> {is}");
            }
        }
    }
    // What was wrong and is gone is no loss.
    assert!(!worse(&of("violation"), &of("undefined")));
    // The same verdict, and one party shows less.
    for lost in ["rejected", "undefined", "hangs", "unsupported"] {
        let after = came_to("agree", "conforms", ("a5:own", lost));
        assert!(worse(&of("agree"), &after), "{lost}");
        assert!(!worse(&after, &of("agree")), "{lost}");
        assert!(!worse(&after, &after), "{lost}");
    }
    // An implementation of another name is another one.
    let other = came_to("agree", "conforms", ("a5:other", "unsupported"));
    assert!(!worse(&of("agree"), &other));
}

#[test]
fn a_change_that_the_verdict_does_not_show_is_shown() {
    let silent = |verdict: &str| case("a", json!({"targets": {"a2a3": {"verdict": verdict}}}));
    with(&[silent("undefined")], &[silent("rejected")], |diff| {
        let [change] = &diff.changed[..] else {
            panic!()
        };
        let [part] = &change.parts[..] else { panic!() };
        assert_eq!(part.name, "a2a3");
        assert_eq!((&*part.before, &*part.after), ("undefined", "rejected"));
        assert!(!change.worse);
    });
    with(&[agreeing("a")], &[silent("rejected")], |diff| {
        assert_eq!(diff.changed[0].parts[0].before, "none");
    });
    with(&[silent("rejected")], &[agreeing("a")], |diff| {
        assert_eq!(diff.changed[0].parts[0].after, "none");
    });
}

#[test]
fn what_the_runs_were_told_is_compared_too() {
    let mut other = header();
    other.seed = 9;
    other.readings = vec![("scope".into(), "as-the-suite".into())];
    other.st_data = Some(StData {
        folder: "out/data".into(),
        suite: Target::A5,
        held_to: Target::A5,
    });
    let header = header();
    let diff = compare(["A", "B"], [&header, &other], [&[], &[]]);
    assert!(diff.is_empty() && !diff.regressed());
    let shown = text(|to| write_diff(to, &diff));
    let expected = "\n  seed 7 -> 9\n  data none -> out/data\n  reading scope documented (or a case's own) -> as-the-suite\n\n";
    assert!(shown.contains(expected), "{shown}");
    let markdown = text(|to| write_diff_markdown(to, &diff));
    assert!(
        markdown.contains("- `seed`: `7` became `9`\n"),
        "{markdown}"
    );
    let page = text(|to| write_diff_html(to, &diff));
    assert!(
        page.contains("<li>seed: <code>7</code> became <code>9</code></li>"),
        "{page}"
    );
}

#[test]
fn what_changes_as_a_party_took_part_in_one_run_alone_is_one_line() {
    let mine = |verdict: &str| came_to("agree", "conforms", ("a5:mine", verdict));
    let mut with = header();
    let listed = json!([{"party": "a5:mine", "introduced": ""}]);
    with.implementations = serde_json::from_value(listed).expect("implementations");
    let without = case("a", json!({"targets": {"a5": {"verdict": "conforms"}}}));
    for (headers, two, told) in [
        (
            [&with, &header()],
            [[mine("conforms")], [without.clone()]],
            "a5:mine -> none",
        ),
        (
            [&header(), &with],
            [[without.clone()], [mine("conforms")]],
            "none -> a5:mine",
        ),
    ] {
        let diff = compare(["A", "B"], headers, [&two[0], &two[1]]);
        let shown = plain(|to| write_diff(to, &diff));
        let expected = format!(
            "A -> B\n  implementations {told}\n\nchanged\n        \
             1 case changed: a5:mine took part in one run alone\n\n\
             0 new, 0 gone, 1 changed, 0 the same\n"
        );
        assert_eq!(shown, expected);
        assert!(!diff.is_empty() && !diff.regressed());
        assert!(text(|to| write_diff_markdown(to, &diff)).contains("took part in one run alone"));
        assert!(text(|to| write_diff_html(to, &diff)).contains("took part in one run alone"));
    }
    // Nor is a run on fewer targets worse, and what it still runs is compared.
    let mut fewer = header();
    fewer.targets = vec![Target::A5];
    let on = |target: Target, id: &str, did: &str| {
        let targets = json!({"cpu": {"verdict": did}, "a5": {"verdict": did}});
        let mut case = case(id, json!({"verdict": "single", "targets": targets}));
        case.targets.retain(|party, _| party.target == target);
        case.pairs.clear();
        case
    };
    let before = [agreeing("a"), on(Target::Cpu, "b", "conforms")];
    let mut all = header();
    all.targets = vec![Target::Cpu, Target::A5];
    let same = [on(Target::A5, "a", "conforms")];
    let diff = compare(["A", "B"], [&all, &fewer], [&before, &same]);
    let shown = plain(|to| write_diff(to, &diff));
    let told = "1 case changed, 1 case gone: cpu took part in one run alone\n\n\
                0 new, 1 gone, 1 changed, 0 the same\n";
    assert!(shown.ends_with(told) && !diff.regressed(), "{shown}");
    let lost = [on(Target::A5, "a", "undefined")];
    let diff = compare(["A", "B"], [&all, &fewer], [&before, &lost]);
    assert!(diff.regressed() && diff.gone.is_empty());
    // What it does wrong is news, and so is what another one lost.
    let finding = json!({"failure_group": "MSCATTER a5:mine valid -", "what": "wrong"});
    let wrong = json!({"verdict": "violation", "targets": {
        "a5": {"verdict": "conforms"}, "a5:mine": {"verdict": "violates", "findings": [finding]},
    }});
    let lost = came_to("agree", "rejected", ("a5:mine", "conforms"));
    for case in [case("a", wrong), lost] {
        let diff = compare(
            ["A", "B"],
            [&header(), &with],
            [std::slice::from_ref(&without), &[case]],
        );
        assert_eq!((diff.changed.len(), diff.by_parties.as_deref()), (1, None));
        assert!(diff.regressed());
    }
}

#[test]
fn the_text_shows_it_all() {
    let out = with(&before(), &after(), |diff| plain(|to| write_diff(to, diff)));
    let expected = "\
A.jsonl -> B.jsonl

new
     agree  new  cases/a.yaml:3

gone
     agree  gone  cases/a.yaml:3

changed
 worse  agree -> violation  worse  cases/a.yaml:3
          a5: conforms -> violates
          cpu/a5: agree -> violation
        + MSCATTER a5 valid MSCATTER-SEM-02
 worse  agree -> single  rejected  cases/a.yaml:3
          a5: conforms -> rejected
          cpu/a5: agree -> not-compared
        agree -> permitted  better  cases/a.yaml:3
          cpu/a5: agree -> permitted
        + MSCATTER cpu/a5 permitted valid MSCATTER-CONF-06
        permitted  other  cases/a.yaml:3
        - MSCATTER cpu/a5 permitted valid MSCATTER-CONF-06
        + MSCATTER cpu/a5 permitted valid MSCATTER-CONF-07

1 new, 1 gone, 4 changed of which 2 are worse, 1 the same
";
    assert_eq!(out, expected);
}

#[test]
fn the_markdown_shows_it_all() {
    let out = with(&before(), &after(), |diff| {
        text(|to| write_diff_markdown(to, diff))
    });
    for part in [
        "## ptodiff: `A.jsonl` to `B.jsonl`\n\n1 new, 1 gone, 4 changed of which 2 are worse, 1 the same\n",
        "| **worse** | `worse` | agree | violation | `a5` conforms to violates<br>`cpu/a5` agree to \
         violation<br>now `MSCATTER a5 valid MSCATTER-SEM-02` |\n",
        "|  | `other` | permitted | permitted | no longer",
        "### Gone\n\n| case | verdict | place |\n|---|---|---|\n| `gone` | agree | `cases/a.yaml:3` |\n",
        "### New\n\n| case | verdict | place |\n|---|---|---|\n| `new` | agree | `cases/a.yaml:3` |\n",
    ] {
        assert!(out.contains(part), "`{part}` is not in:\n{out}");
    }
}

#[test]
fn the_markdown_of_very_many_changes_is_cut_and_says_so() {
    let cases: Vec<CaseRecord> = (0..20_000)
        .map(|n| agreeing(&format!("case{n:0>60}")))
        .collect();
    let out = with(&[], &cases, |diff| text(|to| write_diff_markdown(to, diff)));
    assert!(out.len() < 1 << 20 && out.len() > 1 << 19, "{}", out.len());
    assert!(out.starts_with("## ptodiff: `A.jsonl` to `B.jsonl`\n\n20000 new,"));
    assert!(out.ends_with("have all.*\n"));
}

#[test]
fn the_page_shows_it_all_and_asks_for_nothing() {
    let out = with(&before(), &after(), |diff| {
        text(|to| write_diff_html(to, diff))
    });
    for part in [
        "<title>ptodiff: A.jsonl to B.jsonl</title>",
        "<p>1 new, 1 gone, 4 changed of which 2 are worse, 1 the same</p>",
        "<tr><td><span class=\"worse\">worse</span></td><td><code>worse</code></td><td>agree</td>\
         <td>violation</td><td><ul><li>a5: conforms to violates</li>",
        "<li>now <code>MSCATTER a5 valid MSCATTER-SEM-02</code></li>",
        "<h2>Gone</h2>",
        "<tr><td><code>new</code></td><td>agree</td><td><code>cases/a.yaml:3</code></td></tr>",
        "default-src 'none'",
    ] {
        assert!(out.contains(part), "`{part}` is not in:\n{out}");
    }
    for word in [
        "http:", "https:", "<script", "src=", "url(", "@import", "href",
    ] {
        assert!(!out.contains(word), "{word}");
    }
    let open = |tag: &str| out.matches(&format!("<{tag}")).count();
    let closed = |tag: &str| out.matches(&format!("</{tag}>")).count();
    for tag in [
        "table>", "tr>", "td>", "th ", "ul>", "li>", "code>", "main>", "body>", "div ",
    ] {
        assert_eq!(open(tag), closed(tag.trim_end_matches(['>', ' '])), "{tag}");
    }
}

/// Names on both sides, and in every place that shows one.
#[test]
fn no_face_takes_a_name_for_markup() {
    let hostile = |case: CaseRecord| CaseRecord {
        file: HOSTILE.into(),
        ..case
    };
    let new = format!("{HOSTILE}new");
    let before = [
        hostile(permitted(HOSTILE, HOSTILE)),
        hostile(agreeing("gone<b>")),
    ];
    let after = [hostile(violating(HOSTILE, &new)), hostile(agreeing(&new))];
    let (mut one, mut two) = (header(), header());
    one.version = HOSTILE.into();
    two.readings = vec![(HOSTILE.into(), HOSTILE.into())];
    let diff = compare([HOSTILE, &new], [&one, &two], [&before, &after]);
    let page = text(|to| write_diff_html(to, &diff));
    assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
    assert!(page.contains("a&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;amp;|"));
    let markdown = text(|to| write_diff_markdown(to, &diff));
    let seen = outside_code(&markdown);
    assert!(seen.contains("worse") && !seen.contains("script"), "{seen}");
    let rows = markdown.lines().filter(|line| line.starts_with('|'));
    for row in rows.filter(|row| row.contains("script")) {
        let cells = row.replace("\\|", "").matches('|').count();
        assert!(cells == 6 || cells == 4, "{row}");
    }
    let terminal = plain(|to| write_diff(to, &diff));
    for face in [&page, &markdown, &terminal] {
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
