//! What a user is told, and that it is the same everywhere: names of operands, the options of
//! the terminal, what one cause is, what was not tested.

use std::{fs, path::Path};

use crate::common::{Done, folder_with, ptodiff, scatter};

/// Blocks 2 and 0 of a source of 64 bytes.
const BYTES: &str = "cases:\n  - name: bytes\n    instruction: TGATHERB\n    dtype: int32_t\n    \
     source: {shape: [1, 32], data: arange}\n    \
     offset: {shape: [1, 8], valid: [1, 2], data: {values: [64, 0]}}\n    \
     destination: {shape: [1, 16]}\n";

const GATHER: &str = "cases:\n  - name: rows\n    instruction: MGATHER\n    mode: Elem\n    \
     dtype: int32_t\n    tile: {shape: [1, 8]}\n    \
     index: {shape: [1, 8], data: permutation}\n    table: {shape: [1, 1, 1, 1, 8]}\n";

fn said(done: &Done, parts: &[&str]) {
    for part in parts {
        assert!(
            done.out.contains(part),
            "`{part}`: {}{}",
            done.out,
            done.err
        );
    }
}

#[test]
fn an_operand_has_the_name_of_its_key_in_traces_and_exports() {
    for (text, name, has, has_not, files) in [
        (
            BYTES,
            "bytes",
            ["UB offset+0 ", "UB destination+0 ", "UB source+"],
            "UB index",
            ["source", "offset", "destination"],
        ),
        (
            GATHER,
            "rows",
            ["UB index+0 ", "UB tile+0 ", "GM table+"],
            "destination",
            ["tile", "index", "table"],
        ),
    ] {
        let folder = folder_with(text);
        let trace = ptodiff(
            folder.path(),
            &["trace", name, "--target", "a5", "--cases", "a.yaml"],
        );
        said(&trace, &has);
        assert!(!trace.out.contains(has_not), "{}", trace.out);
        let export = ["export", name, "--cases", "a.yaml", "--npy", "npy"];
        let done = ptodiff(folder.path(), &export);
        assert_eq!(done.code, 0, "{}", done.err);
        for file in files {
            assert!(
                folder
                    .path()
                    .join("npy")
                    .join(format!("{file}.npy"))
                    .exists()
            );
        }
        assert!(!folder.path().join("npy/index.npy").exists() || name == "rows");
    }
}

/// Case files have patterns for a trace by key; those by role, as of before, still hold.
#[test]
fn a_trace_is_expected_by_key_and_by_role() {
    for (operand, code) in [("tile", 0), ("destination", 0), ("source", 1)] {
        let text = format!(
            "{GATHER}    targets: [a5]\n    expect:\n      \
             - trace: {{count: {{\"store UB {operand}+*\": 8}}}}\n"
        );
        let done = ptodiff(folder_with(&text).path(), &["run", "a.yaml"]);
        assert_eq!(done.code, code, "{operand}: {}{}", done.out, done.err);
    }
}

/// All targets have the value; the case wants another.
#[test]
fn what_several_targets_do_not_meet_is_one_group() {
    let text = scatter(
        "one",
        "    expect:\n      - table: {0: 123456, 1-31: _}\n    data: x\n",
    );
    let text = text.replace("    data: x\n", "");
    let folder = folder_with(&text);
    let done = ptodiff(folder.path(), &["run", "a.yaml"]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert_eq!(done.out.matches("expectation not met").count(), 1);
    said(
        &done,
        &[
            "expectation not met MSCATTER cpu+a2a3+a5 expectation -, 1 case\n",
            "  a/one  cpu not as expected (a slot does not hold what the case expects); ",
            "all 3 models agree against what the case expects",
            " from cpu, a2a3 and a5\n",
            " in 1 group, ",
        ],
    );
    // Another value on one of them is told apart.
    let other = scatter(
        "one",
        "    rejected: {a5: MSCATTER-TILE-01, a2a3: MSCATTER-TILE-01}\n",
    );
    let done = ptodiff(folder_with(&other).path(), &["run", "a.yaml"]);
    said(
        &done,
        &[
            "MSCATTER a2a3+a5 expectation MSCATTER-TILE-01, 1 case",
            "a2a3 not as expected (runs; expected to reject by MSCATTER-TILE-01)",
        ],
    );
}

fn gate(at: &Path, more: &[&str]) -> Done {
    ptodiff(at, &[&["gate"], more].concat())
}

/// A folder with a baseline of the cases in it.
fn blessed(text: &str) -> tempfile::TempDir {
    let folder = folder_with(text);
    let at = folder.path();
    for name in ["reports", "cases"] {
        fs::create_dir(at.join(name)).expect("a folder");
    }
    fs::rename(at.join("a.yaml"), at.join("cases/a.yaml")).expect("moved");
    fs::write(at.join("reports/waivers.yaml"), "waivers: []\n").expect("a file");
    let done = gate(at, &["--bless", "--write"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    folder
}

#[test]
fn a_gate_takes_the_options_of_the_terminal() {
    let covers = "    covers: [MSCATTER-SEM-02, MSCATTER-SEM-04]\n";
    let expects = "    expect:\n      - outcome: result\n";
    let folder = blessed(&scatter("one", &format!("{covers}{expects}")));
    let at = folder.path();
    assert_eq!(
        gate(at, &[]).out,
        "the gate passed: 1 case, no implementation tested\n"
    );
    said(&gate(at, &["--status-level", "all"]), &["agree", "a/one"]);
    let wants = "      - table: {0: 123456, 1-31: _}\n";
    let red = scatter("one", &format!("{covers}{expects}{wants}"));
    let red = format!("{red}{}", scatter("new", "").replace("cases:\n", ""));
    fs::write(at.join("cases/a.yaml"), red).expect("a file");
    let folded = gate(at, &[]);
    assert_eq!(folded.code, 1, "{}", folded.out);
    said(
        &folded,
        &["of that comes", ": --show all", "not yet in the baseline"],
    );
    let all = gate(at, &["-v"]);
    said(
        &all,
        &[" violation  a/one", "not yet in the baseline a/new\n"],
    );
    assert!(all.out.matches("of that comes").count() > 1, "{}", all.out);
    let quiet = gate(at, &["-q"]);
    assert!(
        !quiet.out.contains("not yet in the baseline"),
        "{}",
        quiet.out
    );
    said(&quiet, &["violation MSCATTER", "the gate failed"]);
    let coloured = gate(at, &["--color", "always"]);
    assert!(coloured.out.contains('\u{1b}'));
    // A record is told as a run is.
    ptodiff(at, &["run", "--out", "out"]);
    let from = gate(at, &["--from", "out/run.jsonl", "--status-level", "fail"]);
    said(&from, &[" violation  a/one"]);
}

#[test]
fn junit_has_the_time_of_each_case_of_a_run_and_a_record_none() {
    let folder = folder_with(&scatter("one", ""));
    let at = folder.path();
    assert_eq!(ptodiff(at, &["run", "a.yaml", "--out", "out"]).code, 0);
    let first = fs::read(at.join("out/run.jsonl")).expect("a record");
    let junit = fs::read_to_string(at.join("out/junit.xml")).expect("JUnit");
    let case = "<testcase name=\"a/one\" classname=\"a.yaml\"";
    assert!(junit.contains(&format!("{case} time=\"0.")), "{junit}");
    let from = ["report", "--from", "out/run.jsonl", "--junit", "-"];
    let later = ptodiff(at, &from);
    assert!(later.out.contains(&format!("{case}>")) || later.out.contains(&format!("{case}/>")));
    assert!(!later.out.contains(" time="), "{}", later.out);
    ptodiff(at, &["run", "a.yaml", "--out", "out"]);
    assert_eq!(fs::read(at.join("out/run.jsonl")).expect("a record"), first);
}

/// No target has a result, and no case says that this is so.
#[test]
fn where_nothing_was_tested_nothing_passes() {
    let nothing = scatter("one", "").replace("index: {", "index: {dtype: int16_t, ");
    let folder = blessed(&nothing);
    let at = folder.path();
    let run = ptodiff(at, &["run", "--out", "out"]);
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    said(&run, &["\nNOTHING TESTED  1 case, "]);
    for from in [&[][..], &["--from", "out/run.jsonl"]] {
        let gate = gate(at, from);
        assert_eq!(gate.code, 3, "{}{}", gate.out, gate.err);
        said(&gate, &["nothing was tested: "]);
    }
    // A part is as small as chance makes it; it does not say that it passed.
    let part = ptodiff(at, &["run", "--out", "part", "--partition", "1/1"]);
    assert_eq!(part.code, 0);
    said(&part, &["\nNOTHING TESTED  1 case, "]);
}
