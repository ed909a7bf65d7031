//! What the faces of a record show: the pages of `faces`.
//!
//! A block `yaml` is a record, over the cases of `made.yaml`, and `yaml then` one to compare it
//! with. A block `text FACE` is what that face shows of the record before it, or of the two.
//! Of a page in HTML, which has one line, each line of the block is a part, and one behind `! `
//! is none.

use std::path::Path;

use ptodiff_record::CaseRecord;
use ptodiff_report::{Groups, Summary, write_summary};

use crate::{
    coverage,
    html::read,
    junit,
    made::{self, Record, plain, text},
    shown::{differs, follow},
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
        "summary" => plain(|to| write_summary(to, &Summary::of(header, cases))),
        "markdown" => text(|to| ptodiff_report::write_markdown(to, header, cases)),
        "annotations" => text(|to| ptodiff_report::write_annotations(to, header, cases)),
        "junit" => junit::outline(junit::junit(record)),
        _ if face.starts_with("coverage ") => coverage::told(&face[9..], &header.targets, cases),
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

/// Whether a page has these parts, in order.
fn has(parts: &str, page: &str) -> bool {
    let is_none = |part: &&str| part.starts_with("! ");
    let parts = parts.lines();
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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faces");
    follow(&folder, |records: &mut Vec<Record>, tag, block| {
        let Some(face) = tag.strip_prefix("text ") else {
            records.truncate(usize::from(tag == "yaml then"));
            records.push(made::record(block));
            return None;
        };
        let shown = match &records[..] {
            [record] => shown(face, record),
            [a, b] => compared(face, [a, b]),
            _ => panic!("no record"),
        };
        match face.ends_with("html") {
            true => (!has(block, &shown)).then_some(shown),
            false => differs(block, shown),
        }
    });
}
