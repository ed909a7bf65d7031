//! What the faces of a record show: the pages of `faces`.
//!
//! A block `yaml` is a record, over the cases of `made.yaml`, and `yaml then` one to compare it
//! with. A block `text FACE` is what that face shows of the record before it, or of the two.
//! `...` stands for any text, and in a line of its own for any lines. Of a page in HTML, which
//! has one line, each line of the block is a part, and one behind `! ` is none.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use ptodiff_record::CaseRecord;
use ptodiff_report::Groups;

use crate::{
    blocks::blocks,
    html::read,
    junit,
    made::{self, Record, plain, text},
};

/// What a face shows of a record; of the page the text, word by word in a line.
fn shown(face: &str, record: &Record) -> String {
    let (header, cases, diagnoses) = record;
    let mut groups = Groups::default();
    cases.iter().for_each(|case| drop(groups.add(case)));
    diagnoses.iter().for_each(|one| groups.diagnosed(one));
    let groups = groups.sorted();
    match face {
        "lines" => {
            let line = |case: &CaseRecord| plain(|to| ptodiff_report::write_line(to, case));
            cases.iter().map(line).collect()
        }
        "groups" => plain(|to| ptodiff_report::write_groups(to, header, &groups)),
        "summary" => plain(|to| ptodiff_report::write_summary(to, cases)),
        "markdown" => text(|to| ptodiff_report::write_markdown(to, header, cases)),
        "annotations" => text(|to| ptodiff_report::write_annotations(to, header, cases)),
        "junit" => junit::outline(junit::junit(record)),
        "html" => read::text(&read::page_of_run(record)),
        _ => panic!("no face {face}"),
    }
}

/// What a face shows of the difference of two; behind the text whether the second is worse.
fn compared(face: &str, [a, b]: [&Record; 2]) -> String {
    let diff = ptodiff_report::compare(["A", "B"], [&a.0, &b.0], [&a.1, &b.1]);
    let ends = match (diff.is_empty(), diff.regressed()) {
        (true, false) => "the same",
        (false, false) => "no worse",
        (_, true) => "worse",
    };
    match face {
        "diff" => plain(|to| ptodiff_report::write_diff(to, &diff)) + ends,
        "diff markdown" => text(|to| ptodiff_report::write_diff_markdown(to, &diff)),
        "diff html" => read::text(&text(|to| ptodiff_report::write_diff_html(to, &diff))),
        _ => panic!("no face {face}"),
    }
}

/// Whether a line is as shown.
fn fits(shown: &str, line: &str) -> bool {
    match shown.split_once("...") {
        None => shown == line,
        Some((first, rest)) => line.strip_prefix(first).is_some_and(|line| {
            let mut ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
            ends.any(|at| fits(rest, &line[at..]))
        }),
    }
}

/// Whether lines are as shown.
fn fit(shown: &[&str], lines: &[&str]) -> bool {
    // How many lines may be those that were looked at.
    let mut ends = BTreeSet::from([0]);
    for shown in shown {
        let fits = |at: &usize| lines.get(*at).is_some_and(|line| fits(shown, line));
        ends = match (*shown, ends.first()) {
            ("...", Some(first)) => (*first..=lines.len()).collect(),
            _ => ends.into_iter().filter(fits).map(|at| at + 1).collect(),
        };
    }
    ends.contains(&lines.len())
}

/// Whether a page has these parts, in order.
fn has(parts: &[&str], page: &str) -> bool {
    let is_none = |part: &&&str| part.starts_with("! ");
    let parts = parts.iter();
    let none = parts
        .clone()
        .filter(is_none)
        .all(|part| !page.contains(&part[2..]));
    let mut rest = Some(page);
    for part in parts.filter(|part| !is_none(part)) {
        rest = rest.and_then(|rest| Some(rest.split_once(part)?.1));
    }
    none && rest.is_some()
}

#[test]
fn each_face_shows_what_its_page_has() {
    let (mut wrong, mut count) = (String::new(), 0);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faces");
    for entry in fs::read_dir(folder).expect("the pages") {
        let path = entry.expect("an entry").path();
        let page = fs::read_to_string(&path).expect("a page");
        let mut records: Vec<Record> = Vec::new();
        for (line, tag, block) in blocks(&page) {
            let face = match tag {
                "yaml" => {
                    records = vec![made::record(&block)];
                    continue;
                }
                "yaml then" => {
                    records.truncate(1);
                    records.push(made::record(&block));
                    continue;
                }
                _ => tag.strip_prefix("text ").expect(tag),
            };
            let shown = match &records[..] {
                [record] => shown(face, record),
                [a, b] => compared(face, [a, b]),
                _ => panic!("{}:{line}: no record", path.display()),
            };
            let lines: Vec<&str> = block.lines().collect();
            let right = match face.ends_with("html") {
                true => has(&lines, &shown),
                false => fit(
                    &lines,
                    &shown.trim_matches('\n').lines().collect::<Vec<_>>(),
                ),
            };
            if !right {
                let _ = writeln!(wrong, "{}:{line}: {face}\n{shown}", path.display());
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count > 30, "{count}");
}
