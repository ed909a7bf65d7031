//! The column of an implementation on every face of a record.

use std::{env, fs, path::Path, process::Command};

use crate::{
    common::{Done, ptodiff, root},
    mine, tests,
    verdicts::{run, three},
};

tests!(
    every_report_has_the_column,
    wrong_values_are_grouped_by_what_their_calls_have_in_common,
    a_crash_is_shown_with_what_the_implementation_said,
    the_command_that_shows_it_again_starts_the_implementation,
    the_gate_holds_an_implementation_to_what_it_ran,
    combinations_are_met_by_what_conforms,
    what_differs_where_nothing_is_promised_is_told_apart,
    the_command_that_shows_it_again_names_the_edition,
);

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join("out").join(name)).expect("a report")
}

fn every_report_has_the_column() {
    let folder = three();
    let done = run(folder.path(), "lacks", &[]);
    assert!(
        done.out.contains("\nPASSED  3 cases, 1 not run, "),
        "{}",
        done.out
    );
    assert!(done.out.contains("violates  unsupported\n"), "{}", done.out);
    let row = done
        .out
        .lines()
        .find(|l| l.trim_start().starts_with("a5:mine "));
    let counts: Vec<&str> = row.expect("a row").split_whitespace().collect();
    assert_eq!(counts, ["a5:mine", "2", "0", "0", "0", "0", "1"]);
    let junit = read(folder.path(), "junit.xml");
    let told = "a5:mine cannot run it: no such tables";
    let skipped = format!("<skipped message=\"{told}\"/>");
    assert!(junit.contains(&skipped), "{junit}");
    assert_eq!(junit.matches("<skipped").count(), 1, "{junit}");
    let markdown = read(folder.path(), "summary.md");
    assert!(
        markdown.contains("| MSCATTER | `a5/a5:mine` | 2 |"),
        "{markdown}"
    );
    assert!(markdown.contains("implementation `a5:mine`"), "{markdown}");
    let page = read(folder.path(), "report.html");
    assert!(page.contains("<th scope=\"row\">a5:mine</th>"), "no column");
    assert!(
        page.contains("<th scope=\"col\">unsupported</th>"),
        "no count"
    );
    let header = read(folder.path(), "run.jsonl");
    let header = header.lines().next().expect("a header");
    let implementations = r#""implementations":[{"party":"a5:mine","introduced":"toy a5"}]"#;
    assert!(header.contains(implementations), "{header}");
}

/// One fault is one group in every report, whatever instruction, form and clause it shows
/// in, and two are two.
fn wrong_values_are_grouped_by_what_their_calls_have_in_common() {
    let folder = tempfile::tempdir().expect("a folder");
    // Where what is wrong shows and where it does not.
    let files = "mgather_bounds mscatter_bounds mscatter_atomics mscatter_dtypes \
                 mscatter_atomic_dtypes";
    let cases: Vec<String> = files
        .split(' ')
        .map(|name| format!("{}/cases/clauses/{name}.yaml", root().display()))
        .collect();
    let cases: Vec<&str> = cases.iter().map(String::as_str).collect();
    let failing = |behaviour: &str, as_who: &[&str]| -> (Done, Vec<String>) {
        let implementation = mine(behaviour);
        let own = [
            &["run", "--quiet", "--no-details", "--out", "out"],
            &cases[..],
        ]
        .concat();
        let more = [
            "--schedules",
            "1",
            "--diagnosis",
            "0",
            "--impl",
            &implementation,
        ];
        let done = ptodiff(folder.path(), &[&own[..], &more, as_who].concat());
        assert_eq!(done.code, 1, "{}{}", done.out, done.err);
        let lines = done.out.lines();
        let groups = lines.filter_map(|line| line.strip_prefix("violation "));
        let groups = groups.map(str::to_owned).collect();
        (done, groups)
    };
    let (done, groups) = failing("wrong-once", &[]);
    let [group] = &groups[..] else {
        panic!("{groups:#?}");
    };
    let name = "MGATHER+MSCATTER cpu:mine+a2a3:mine+a5:mine oob=Wrap";
    assert!(group.starts_with(&format!("{name}, ")), "{group}");
    let common = done.out.lines().find(|l| l.starts_with("  in common  "));
    let common = common.expect("what they have in common");
    assert!(
        common.starts_with("  in common  oob=Wrap: ") && common.ends_with(" calls with it fail"),
        "{common}"
    );
    let markdown = read(folder.path(), "summary.md");
    assert_eq!(markdown.matches("### Violation").count(), 1, "{markdown}");
    assert!(markdown.contains(&format!("### Violation `{name}`, ")));
    assert!(markdown.contains("  in common  oob=Wrap: "), "{markdown}");
    let junit = read(folder.path(), "junit.xml");
    for party in ["cpu:mine", "a2a3:mine", "a5:mine"] {
        assert!(
            junit.contains(&format!("<testsuite name=\"{party}\"")),
            "{party}"
        );
    }
    let failures = junit.matches("<failure ").count();
    assert_eq!(
        junit.matches(&format!(" type=\"{name}\"")).count(),
        failures
    );
    let page = read(folder.path(), "report.html");
    assert_eq!(
        page.matches("<details class=\"group s-violation\"").count(),
        1
    );
    assert!(page.contains("In common: <b>oob=Wrap: "));

    let (_, mut groups) = failing("wrong-twice", &["--as", "a5", "--target", "a5"]);
    groups.sort();
    let [one, other] = &groups[..] else {
        panic!("{groups:#?}");
    };
    let alone = "MGATHER+MSCATTER a5:mine oob=Wrap, ";
    assert!(one.starts_with(alone), "{one}");
    let sums = "MSCATTER a5:mine atomic=Add, dtype=half, ";
    assert!(other.starts_with(sums), "{other}");
}

fn a_crash_is_shown_with_what_the_implementation_said() {
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
}

/// Runs what a user copies from the terminal.
fn pasted(folder: &Path, command: &str) -> Done {
    let bin = Path::new(env!("CARGO_BIN_EXE_ptodiff")).parent();
    let path = format!(
        "{}:{}",
        bin.expect("a folder").display(),
        env::var("PATH").expect("a path")
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).env("PATH", path);
    let output = shell.current_dir(folder).output();
    output.expect("it starts").into()
}

fn after<'a>(text: &'a str, mark: &str) -> &'a str {
    let (_, rest) = text.split_once(mark).expect(mark);
    rest.lines().next().unwrap_or_default()
}

fn the_command_that_shows_it_again_starts_the_implementation() {
    let folder = three();
    let at = folder.path();
    fs::write(at.join("w.yaml"), "waivers: []\n").expect("a file");
    run(at, "right", &[]);
    let bless = ["gate", "--from", "out/run.jsonl", "--baseline", "w.yaml"];
    let blessed = ptodiff(at, &[&bless[..], &["--bless", "--write"]].concat());
    assert_eq!(blessed.code, 0, "{}{}", blessed.out, blessed.err);

    // A quote within quotes is a quote to a shell, too.
    let ran = run(at, "one-slot '\"it s\"'", &[]);
    let command = after(&ran.out, "\n  reproduce  ");
    let implementation = mine("one-slot '\"it s\"'");
    let gate = ["gate", "--cases", "a.yaml", "--baseline", "w.yaml"];
    let failed = ptodiff(
        at,
        &[&gate[..], &["--as", "a5", "--impl", &implementation]].concat(),
    );
    assert_eq!(failed.code, 1, "{}{}", failed.out, failed.err);
    assert_eq!(after(&failed.out, "to see it: "), command);
    let again = pasted(at, command);
    assert_eq!(again.code, 1, "{command}: {}{}", again.out, again.err);
    let failure_group = "MSCATTER a5:mine valid MSCATTER-SEM-02";
    assert!(again.out.contains(failure_group), "{}", again.out);

    // The record is not of one machine, nor is what is made of it alone.
    for name in ["run.jsonl", "summary.txt", "summary.md", "junit.xml"] {
        assert!(!read(at, name).contains("mock one-slot"), "{name}");
    }
    // The page of a run is for who made it.
    let page = read(at, "report.html");
    assert!(page.contains("mock one-slot") && !page.contains("--impl mine=..."));
    let command = after(&read(at, "summary.txt"), "\n  reproduce  ").to_owned();
    assert!(command.ends_with("--impl mine=... --as a5"), "{command}");
    let told = pasted(at, &command);
    assert_eq!(told.code, 2, "{}", told.out);
    assert!(
        told.err.contains("stands for the implementation's command"),
        "{}",
        told.err
    );
}

fn the_gate_holds_an_implementation_to_what_it_ran() {
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

fn combinations_are_met_by_what_conforms() {
    let folder = three();
    run(folder.path(), "lacks", &[]);
    let args = ["coverage", "--axes", "--from", "out/run.jsonl", "a.yaml"];
    let of =
        "mode=Elem oob=Undefined atomic=None conflict=Last elements=int32 tile=RowMajor table=ND";
    let done = ptodiff(folder.path(), &args);
    let rows: Vec<&str> = done.out.lines().take_while(|l| !l.is_empty()).collect();
    let cells: Vec<&str> = rows[1].split_whitespace().collect();
    assert_eq!(
        (rows.len(), cells[0], cells[2]),
        (2, "a5:mine", "1"),
        "{rows:?}"
    );
    assert!(!done.out.contains(of), "{}", done.out);
    assert_eq!((done.code, done.err.as_str()), (1, ""));
    // The one that it does not support is no result, and the others are not asked for.
    let odd = ptodiff(
        folder.path(),
        &[&args[..], &["--filter", "=a/odd"]].concat(),
    );
    let line = format!("  mscatter {of}  unsupported a/odd\n");
    assert!(odd.out.contains(&line), "{}", odd.out);
    assert_eq!(odd.err, "2 cases of the record left out: not selected\n");
}

/// Offsets beyond the source: the models read what lies there, this implementation gives 0.
fn what_differs_where_nothing_is_promised_is_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let minimal = root().join("scripts/implementations/minimal.py");
    let python = root().join("target/impl-venv/bin/python3");
    let minimal = format!("mine='{}' '{}'", python.display(), minimal.display());
    let cases = root().join("cases/clauses/tgatherb.yaml");
    let cases = cases.to_str().expect("UTF-8");
    let told = [
        "run", cases, "--out", "out", "--impl", &minimal, "--as", "a5",
    ];
    let done = ptodiff(folder.path(), &told);
    assert_eq!(done.code, 0, "{}", done.out);
    let differs = done.out.find("differs where nothing is promised");
    let differs = &done.out[differs.expect("it is told")..];
    let first = differs.lines().nth(1).expect("a line");
    assert!(first.contains("a5:mine 0"), "{first}");
    assert!(first.contains("(TGATHERB-"), "{first}");
    assert!(first.contains("first tgatherb/"), "{first}");
    let strict = ptodiff(folder.path(), &[&told[..], &["--fail-unpromised"]].concat());
    assert_eq!(strict.code, 1, "{}", strict.out);
    assert!(strict.out.contains("\nFAILED  "), "{}", strict.out);
}

fn the_command_that_shows_it_again_names_the_edition() {
    let folder = three();
    let done = run(
        folder.path(),
        "plant-zeros",
        &[
            "--edition",
            "library-2026-08",
            "--reading",
            "scope=documented",
        ],
    );
    let reproduce = done.out.lines().find(|line| line.contains("  reproduce  "));
    let reproduce = reproduce.unwrap_or_else(|| panic!("{}", done.out));
    assert!(
        reproduce.contains("--edition library-2026-08"),
        "{reproduce}"
    );
    assert!(
        reproduce.contains("--reading scope=documented"),
        "{reproduce}"
    );
    assert_eq!(reproduce.matches("--reading").count(), 1, "{reproduce}");
}
