//! The commands over every instruction: assembly, C++, handshakes, readings, launches.

use std::{fs, io::Write, process::Stdio};

use crate::common::{Done, command, folder_with, ptodiff, root, suites};
use serde_json::Value;

/// One case of every form of every instruction.
const EVERY_FORM: &str = "\
cases:
  - name: scatter
    instruction: MSCATTER
    mode: Row
    atomic: Add
    oob: Skip
    dtype: half
    tile: {shape: [4, 16], valid: [3, 9]}
    index: {shape: [1, 8], valid: [1, 3], data: out-of-bounds}
    table: {shape: [1, 1, 1, 8, 9]}
  - name: first
    instruction: MSCATTER
    revision: first
    atomic: None
    dtype: float
    tile: {shape: [16, 8]}
    index: {shape: [16, 1], data: permutation}
    table: {shape: [1, 1, 1, 32, 8]}
  - name: gather
    instruction: MGATHER
    mode: Elem
    oob: Wrap
    dtype: float
    tile: {shape: [1, 16], valid: [dyn 1, dyn 9]}
    index: {shape: [1, 16], valid: [dyn 1, dyn 9], data: out-of-bounds}
    table: {shape: [1, 1, 1, dyn 3, dyn 10]}
  - name: gather_l1
    instruction: MGATHER
    mode: Elem
    oob: Zero
    dtype: half
    tile: {location: Mat, shape: [16, 32], valid: [5, 20]}
    index: {data: out-of-bounds}
    table: {shape: [1, 1, 1, 1, 64]}
  - name: index
    instruction: TSCATTER
    dtype: int16_t
    source: {shape: [4, 16]}
    index: {dtype: uint16_t, data: permutation}
  - name: mask
    instruction: TSCATTER
    mask: P1010
    dtype: half
    source: {shape: [4, 16]}
    readings: {scope: as-the-suite}
  - name: bytes
    instruction: TGATHERB
    dtype: int32_t
    source: {shape: [2, 8]}
    offset: {data: permutation}
";

const NAMES: [&str; 7] = [
    "scatter",
    "first",
    "gather",
    "gather_l1",
    "index",
    "mask",
    "bytes",
];

fn on(folder: &tempfile::TempDir, args: &[&str]) -> Done {
    ptodiff(folder.path(), args)
}

/// Runs `ptodiff ARGS` with `input` on standard input.
fn fed(folder: &tempfile::TempDir, args: &[&str], input: &str) -> Done {
    let mut child = command(folder.path())
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    child.wait_with_output().expect("it ends").into()
}

/// What follows `case` in its YAML, from the operands on.
fn call_of(yaml: &str) -> String {
    let data = |line: &&str| {
        let line = line.trim_start();
        ![
            "data:",
            "name:",
            "- name:",
            "readings:",
            "scope:",
            "targets:",
            "#",
            "suite:",
        ]
        .iter()
        .any(|key| line.starts_with(key))
    };
    yaml.lines().filter(data).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_assembly_form_reads_back_to_its_case() {
    let folder = folder_with(EVERY_FORM);
    for name in NAMES {
        let printed = on(&folder, &["asm", name, "--cases", "."]);
        assert_eq!(printed.code, 0, "{}", printed.err);
        let forms: Vec<&str> = printed.out.split("\n\n").collect();
        let mut read_back = Vec::new();
        for form in forms.iter().filter(|f| f.starts_with("# ")) {
            if !form.contains("does not read back") {
                let case = fed(&folder, &["asm", "--read", "-"], form);
                assert_eq!(case.code, 0, "{name}: {form}\n{}", case.err);
                read_back.push(call_of(&case.out));
            }
        }
        // Document 003 shows the form with suffixes only.
        let least = if name == "first" { 1 } else { 4 };
        assert!(
            read_back.len() >= least,
            "{name} has {} forms",
            read_back.len()
        );
        let explained = on(&folder, &["explain", name, "--cases", "."]);
        let whole = call_of(&explained.out.replace("\n  ", "\n"));
        for case in read_back {
            assert!(
                whole.contains(case.trim_end()),
                "{name}:\n{case}\nis not in\n{whole}"
            );
        }
    }
}

/// What is printed runs: nothing that `run` rejects is.
#[test]
fn assembly_of_no_case_that_runs_is_rejected() {
    let folder = folder_with(EVERY_FORM);
    let printed = on(&folder, &["asm", "bytes", "--cases", "."]).out;
    let form = printed.lines().nth(1).expect("a form");
    assert_eq!(fed(&folder, &["asm", "--read", "-"], form).code, 0);
    for (from, to, says) in [
        ("valid = 2x8", "valid = 1x1099511627776", "valid"),
        ("valid = 2x8", "valid = 3x8", "valid"),
        (
            " 2, 8, RowMajor",
            " 65536, 65536, RowMajor",
            "MiB of memory",
        ),
    ] {
        let done = fed(&folder, &["asm", "--read", "-"], &form.replace(from, to));
        assert_eq!((done.code, &done.out[..]), (2, ""), "{to}");
        assert!(
            done.err.contains("ptodiff runs no such case"),
            "{}",
            done.err
        );
        assert!(done.err.contains(says), "{}", done.err);
    }
}

#[test]
fn assembly_that_cannot_be_read_is_shown_with_its_place() {
    let folder = folder_with(EVERY_FORM);
    for (text, place) in [("mgather.row %dst, ", "1:"), ("\n  what is this", "2:3")] {
        let done = fed(&folder, &["asm", "--read", "-"], text);
        assert_eq!(done.code, 2, "{}", done.out);
        assert!(done.err.contains(place), "{}", done.err);
    }
    let none = on(&folder, &["asm", "--read", "nowhere.asm"]);
    assert_eq!((none.code, none.err.contains("nowhere.asm")), (2, true));
    let unnamed = on(&folder, &["asm"]);
    assert_eq!(unnamed.code, 2);
}

#[test]
fn the_intrinsic_is_written_for_the_targets_that_have_it() {
    let folder = folder_with(EVERY_FORM);
    for (name, call) in [
        (
            "scatter",
            "MSCATTER<Coalesce::Row, ScatterAtomicOp::Add, ScatterOOB::Skip",
        ),
        (
            "first",
            "MSCATTER<ScatterAtomicOp::None, ScatterOOB::Undefined>(",
        ),
        ("gather", "MGATHER<Coalesce::Elem, GatherOOB::Wrap>("),
        ("gather_l1", "MGATHER<Coalesce::Elem, GatherOOB::Zero"),
        ("index", "TSCATTER("),
        ("mask", "TSCATTER<MaskPattern::P1010>("),
        ("bytes", "TGATHERB("),
    ] {
        let done = on(&folder, &["cpp", name, "--cases", ".", "--target", "a5"]);
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(done.out.contains(call), "{name}:\n{}", done.out);
    }
    let none = on(
        &folder,
        &["cpp", "mask", "--cases", ".", "--target", "a2a3"],
    );
    assert_eq!(none.code, 2);
    assert!(none.err.contains("TSCATTER-MODE-02"), "{}", none.err);
    let all = on(&folder, &["cpp", "mask", "--cases", "."]);
    assert_eq!(all.code, 0);
    assert!(all.out.contains("no such form"), "{}", all.out);
}

#[test]
fn a_handshake_left_out_shows_its_hazard() {
    let folder = folder_with(EVERY_FORM);
    let trace = |extra: &[&str]| {
        let mut args = vec!["trace", "gather", "--cases", ".", "--target", "a2a3"];
        args.extend(extra);
        on(&folder, &args)
    };
    let whole = trace(&[]);
    let broken = trace(&["--without", "before V->S"]);
    assert_eq!((whole.code, broken.code), (0, 0), "{}", broken.err);
    let flags = |done: &Done| done.out.lines().filter(|l| l.contains("V->S")).count();
    assert_eq!(flags(&whole), 2);
    assert_eq!(flags(&broken), 0, "{}", broken.out);
    assert!(
        broken
            .out
            .contains("hazard  call 0, the tile after the call")
    );
    assert!(!whole.out.contains("hazard"));
    let json = trace(&["--without", "before V->S", "--format", "json"]);
    let last: Value = serde_json::from_str(json.out.lines().last().unwrap()).unwrap();
    assert!(last["difference"]["bytes"].as_u64().unwrap() > 0, "{last}");
    let unknown = trace(&["--without", "MTE3"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("before V->S"), "{}", unknown.err);
    let cpu = on(
        &folder,
        &[
            "trace",
            "gather",
            "--cases",
            ".",
            "--target",
            "cpu",
            "--without",
            "before V->S",
        ],
    );
    assert_eq!(cpu.code, 2);
    assert!(cpu.err.contains("cpu has no pipes"), "{}", cpu.err);
}

/// A report of a user: rows come wrong from run to run, since nothing orders the load of
/// the indices before the kernel reads them.
#[test]
fn what_the_caller_owes_is_said_and_can_be_left_out() {
    let text = "
cases:
  - {name: rows, instruction: MGATHER, mode: Row, dtype: float, tile: {shape: [4, 8]},
     index: {shape: [1, 8], valid: [1, 4], data: {values: [3, 1, 2, 0]}},
     table: {shape: [1, 1, 1, 8, 8], data: arange}}
  - {name: bytes, instruction: TGATHERB, dtype: float, destination: {shape: [1, 8]},
     source: {shape: [1, 8]}, offset: {shape: [1, 8]}}
";
    let folder = folder_with(text);
    let without = |case: &str, target: &str, step: &str| {
        on(
            &folder,
            &[
                "trace",
                case,
                "--cases",
                ".",
                "--target",
                target,
                "--without",
                step,
            ],
        )
    };
    for target in ["a2a3", "a5"] {
        let broken = without("rows", target, "caller MTE2->V");
        assert_eq!(broken.code, 0, "{}", broken.err);
        let hazard = "hazard  call 0, the tile after the call";
        assert!(broken.out.contains(hazard), "{}", broken.out);
    }
    let early = without("rows", "a5", "caller V->MTE3");
    assert!(
        early.out.contains("that MTE3 found: store after the call"),
        "{}",
        early.out
    );
    let unsaid = without("bytes", "a5", "caller MTE2->V");
    assert_eq!(unsaid.code, 2);
    assert!(unsaid.err.contains("TGATHERB-GAP-15"), "{}", unsaid.err);

    let pair = "set_flag and wait_flag(PIPE_MTE2, PIPE_V)";
    let explained = on(&folder, &["explain", "rows", "--cases", "."]);
    for clause in ["MGATHER-SYNC-01", "MGATHER-SYNC-11", "MGATHER-SYNC-12"] {
        assert!(explained.out.contains(clause), "{}", explained.out);
    }
    let quiet = on(&folder, &["check", "."]);
    assert!(!quiet.out.contains(pair), "{}", quiet.out);
    let asked = on(&folder, &["check", ".", "--warn", "caller", "-t", "a2a3"]);
    assert_eq!(asked.code, 0, "{}", asked.err);
    assert!(asked.out.contains(pair), "{}", asked.out);
    assert!(asked.out.contains("TGATHERB-GAP-15"), "{}", asked.out);
    for args in [["cpp", "rows"], ["asm", "rows"]] {
        let mut args = args.to_vec();
        args.extend(["--cases", "."]);
        if args[0] == "asm" {
            args.push("--pto");
        }
        let printed = on(&folder, &args);
        assert!(printed.out.contains("// a5: set_flag"), "{}", printed.out);
        assert!(printed.out.contains("MGATHER-SYNC-12"), "{}", printed.out);
    }
}

fn record(path: &str, extra: &[&str]) -> Vec<Value> {
    let out = tempfile::tempdir().unwrap();
    let mut args = vec![
        "run",
        path,
        "--quiet",
        "--out",
        out.path().to_str().unwrap(),
    ];
    args.extend(extra);
    let done = ptodiff(&root(), &args);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let text = fs::read_to_string(out.path().join("run.jsonl")).unwrap();
    text.lines()
        .filter(|line| !line.starts_with("{\"end\":"))
        .map(|l| serde_json::from_str(l).expect("one JSON object a line"))
        .collect()
}

#[test]
fn a_run_over_all_readings_says_which_cases_change() {
    let path = suites().join("tgatherb-cpu.yaml");
    let path = path.to_str().unwrap();
    let lines = record(path, &["--readings", "all"]);
    assert_eq!(lines[0]["all_readings"], true);
    for case in &lines[1..] {
        let granularity = case["readings"].as_array().unwrap().iter();
        let mut granularity = granularity.filter(|r| r["gap"] == "tgatherb-granularity");
        let under = &granularity.next().expect("it matters")["verdict_under"];
        // One offset a block is too few for one an element (TGATHERB-SEM-03).
        assert_eq!(under["element"], "undefined", "{}", case["id"]);
        assert_eq!(
            case["targets"]["a5"]["deviates_from"][0]["clause"],
            "TGATHERB-SEM-03"
        );
    }
    let plain = record(path, &[]);
    assert!(plain[1]["readings"][0].get("verdict_under").is_none());
}

#[test]
fn executors_and_revisions_are_compared_with_each_other() {
    let l1 = suites().join("mgather_gm2l1-a5.yaml");
    let lines = record(l1.to_str().unwrap(), &[]);
    let mut compared = [0; 2];
    for case in &lines[1..] {
        for pair in case["pairs"].as_array().unwrap() {
            if let Some(form) = ["a5:Simt", "a5:Scalar"]
                .iter()
                .position(|form| pair["targets"][1] == *form)
            {
                assert_eq!(pair["targets"][0], "a5");
                assert_eq!(pair["verdict"], "agree", "{}", case["id"]);
                compared[form] += 1;
            }
        }
    }
    assert_eq!(compared, [12, 12], "twelve cases of either executor");
    let first = root().join("cases/clauses/mscatter_first.yaml");
    let lines = record(first.to_str().unwrap(), &[]);
    let verdicts = lines[1..].iter().flat_map(|case| case["pairs"].as_array());
    let current = verdicts
        .flatten()
        .filter(|pair| pair["targets"][1] == "a5:current")
        .map(|pair| pair["verdict"].as_str().unwrap().to_owned())
        .collect::<Vec<_>>();
    for verdict in ["agree", "permitted", "not-compared"] {
        assert!(current.iter().any(|v| v == verdict), "{current:?}");
    }
}

#[test]
fn a_direct_dispatch_hangs_and_is_no_violation() {
    let folder = folder_with(
        "cases:\n  - name: x\n    instruction: MGATHER\n    mode: Elem\n    dtype: float\n    \
         tile: {shape: [1, 8]}\n    index: {shape: [1, 8], data: random}\n    \
         table: {shape: [1, 1, 1, 1, 64]}\n    launch: {dispatch: Direct}\n",
    );
    let done = on(&folder, &["run", ".", "--out", "out", "-v"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let line = "cpu=a2a3; a5 hangs by MGATHER-LAUNCH-11";
    assert!(done.out.contains(line), "{}", done.out);
    let trace = on(&folder, &["trace", "x", "--cases", ".", "--target", "a5"]);
    assert_eq!(trace.code, 0);
    assert!(trace.out.trim_end().ends_with("hangs"), "{}", trace.out);
}
