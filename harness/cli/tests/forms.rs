//! Assembly of every instruction is read back.

use std::{io::Write, process::Stdio};

use crate::common::{Done, command, folder_with, ptodiff};

/// One case of every form of every instruction.
const EVERY_FORM: &str = include_str!("every_form.yaml");

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
