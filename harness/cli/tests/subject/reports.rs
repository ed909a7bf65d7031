//! The column of a subject on every face of a record.

use std::{fs, path::Path};

use crate::{
    common::ptodiff,
    tests,
    verdicts::{run, three},
};

tests!(
    every_report_has_the_column,
    a_crash_is_shown_with_what_the_subject_said,
    the_gate_holds_a_subject_to_what_it_ran,
);

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join("out").join(name)).expect("a report")
}

fn every_report_has_the_column() {
    let folder = three();
    let done = run(folder.path(), "lacks", &[]);
    assert!(done.out.contains("a5:mine cannot run it"), "{}", done.out);
    assert!(done.out.contains("violates  unsupported\n"), "{}", done.out);
    let row = done
        .out
        .lines()
        .find(|l| l.trim_start().starts_with("a5:mine "));
    let counts: Vec<&str> = row.expect("a row").split_whitespace().collect();
    assert_eq!(counts, ["a5:mine", "2", "0", "0", "0", "0", "1"]);
    let junit = read(folder.path(), "junit.xml");
    let skipped = "<skipped message=\"a5:mine cannot run it: no such tables\"/>";
    assert!(junit.contains(skipped), "{junit}");
    assert_eq!(junit.matches("<skipped").count(), 1);
    let markdown = read(folder.path(), "summary.md");
    assert!(
        markdown.contains("| MSCATTER | `a5/a5:mine` | 2 |"),
        "{markdown}"
    );
    assert!(markdown.contains("subject `a5:mine`"), "{markdown}");
    let page = read(folder.path(), "report.html");
    assert!(page.contains("<th scope=\"row\">a5:mine</th>"), "no column");
    assert!(
        page.contains("<th scope=\"col\">unsupported</th>"),
        "no count"
    );
    let header = read(folder.path(), "run.jsonl");
    let header = header.lines().next().expect("a header");
    let subjects = r#""subjects":[{"party":"a5:mine","introduced":"toy a5"}]"#;
    assert!(header.contains(subjects), "{header}");
}

fn a_crash_is_shown_with_what_the_subject_said() {
    let folder = three();
    let done = run(folder.path(), "crashes", &[]);
    let said = "lane 3 \\u{1b}[31mfell";
    let faces = [
        done.out.clone(),
        read(folder.path(), "junit.xml"),
        read(folder.path(), "summary.md"),
        read(folder.path(), "run.jsonl").replace("\\\\", "\\"),
    ];
    for face in faces {
        assert!(face.contains(said), "{face}");
    }
    let again = "--subject mine=... --as a5";
    assert!(done.out.contains(again), "{}", done.out);
}

fn the_gate_holds_a_subject_to_what_it_ran() {
    let folder = three();
    let gate = |more: &[&str]| {
        let own = ["gate", "--from", "out/run.jsonl", "--baseline", "w.yaml"];
        ptodiff(folder.path(), &[&own, more].concat())
    };
    fs::write(folder.path().join("w.yaml"), "waivers: []\n").expect("a file");
    run(folder.path(), "right", &[]);
    let blessed = gate(&["--bless", "--write"]);
    assert_eq!(blessed.code, 0, "{}{}", blessed.out, blessed.err);
    assert_eq!(gate(&[]).code, 0);
    run(folder.path(), "lacks", &[]);
    let less = gate(&[]);
    assert_eq!(less.code, 1);
    assert!(
        less.out.contains("no result any more on a5:mine"),
        "{}",
        less.out
    );
    run(folder.path(), "crashes", &[]);
    let crash = gate(&[]);
    assert_eq!(crash.code, 1);
    assert!(
        crash.out.contains("MSCATTER a5:mine crash -"),
        "{}",
        crash.out
    );
}
