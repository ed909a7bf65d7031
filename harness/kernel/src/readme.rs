//! The README of a program: what to type, with the paths of this machine.

use std::borrow::Cow;

use ptodiff_isa::{Target, TargetReadings};

use crate::{Harness, Places, program::MOST_IN_A_FILE};

/// The text of `README.md`.
pub(crate) fn readme(harness: &Harness, places: &Places) -> String {
    let folder = places.folder.to_string_lossy();
    let folder = word(&folder);
    let target: &str = harness.dialect().target.into();
    include_str!("text/README.md")
        .replace("@RUN@", &run(harness, places, &folder))
        .replace("@COMPILER@", compiler(harness.dialect().target))
        .replace("@FOLDER@", &folder)
        .replace("@TARGET@", target)
        .replace("@COUNT@", &harness.instances().to_string())
        .replace("@MOST@", &MOST_IN_A_FILE.to_string())
}

/// The command that asks the program, with the readings that it was generated for.
fn run(harness: &Harness, places: &Places, folder: &str) -> String {
    let dialect = harness.dialect();
    let target = dialect.target;
    let implementation = format!("--impl mine={folder}/build/ptodiff_impl");
    if harness.has_lattice() {
        return format!(
            "ptodiff hunt --lattice {folder}/lattice.yaml {implementation} --as {target}"
        );
    }
    let cases: Vec<_> = places.cases.iter().map(|what| word(what)).collect();
    let mut command = format!(
        "ptodiff run {} --target {target} {implementation} --as {target}",
        cases.join(" ")
    );
    for (gap, choice) in TargetReadings::from(dialect.readings()).chosen() {
        command.push_str(&format!(" --reading {gap}={choice}"));
    }
    command
}

/// What the first command says of the compiler.
const fn compiler(target: Target) -> &'static str {
    match target {
        Target::Cpu => " -DCMAKE_CXX_COMPILER=clang++",
        Target::A2a3 | Target::A5 => " -DCMAKE_CXX_COMPILER=/path/to/device/compiler",
    }
}

/// `text` as one word of a shell.
fn word(text: &str) -> Cow<'_, str> {
    // Paths and names have no NUL.
    shlex::try_quote(text).unwrap_or(Cow::Borrowed(text))
}
