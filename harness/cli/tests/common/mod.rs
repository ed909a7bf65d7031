//! Driving the command as a user does.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The project's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the project's root")
}

/// Every file below `folder`, without what is in folders of other names than are `wanted`.
pub(crate) fn files(folder: &Path, wanted: &dyn Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let path = entry.path();
        if !path.is_dir() {
            all.push(path);
        } else if wanted(&entry.file_name().to_string_lossy()) {
            all.extend(files(&path, wanted));
        }
    }
    all
}

/// The mirrored suites.
pub(crate) fn suites() -> PathBuf {
    root().join("cases/st")
}

/// `PATH` with the Python in front that has NumPy and the package, as
/// `scripts/implementations/setup` makes it, behind `first`.
pub(crate) fn path(first: &[&Path]) -> std::ffi::OsString {
    let python = root().join("target/impl-venv/bin");
    assert!(
        python.join("python3").exists(),
        "there is no Python with NumPy: run scripts/implementations/setup first"
    );
    let old = std::env::var_os("PATH").unwrap_or_default();
    let first = first.iter().map(|path| path.to_path_buf());
    let all = first.chain([python]).chain(std::env::split_paths(&old));
    std::env::join_paths(all).expect("paths")
}

/// What a command came to.
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().expect("it ends by itself"),
            out: String::from_utf8(output.stdout).expect("text"),
            err: String::from_utf8(output.stderr).expect("text"),
        }
    }
}

pub(crate) fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptodiff"));
    command.current_dir(folder);
    for name in ["CLICOLOR_FORCE", "GITHUB_ACTIONS"] {
        command.env_remove(name);
    }
    command
}

/// Runs `ptodiff ARGS` in `folder`.
pub(crate) fn ptodiff(folder: &Path, args: &[&str]) -> Done {
    command(folder)
        .args(args)
        .output()
        .expect("it starts")
        .into()
}

/// A case file's text: one small scatter, with `extra` lines in the case.
pub(crate) fn scatter(name: &str, extra: &str) -> String {
    format!(
        "cases:\n  - name: {name}\n    instruction: MSCATTER\n    mode: Elem\n    dtype: int32_t\n    \
         tile: {{shape: [2, 8]}}\n    index: {{shape: [2, 8], data: permutation}}\n    \
         table: {{shape: [1, 1, 1, 4, 8]}}\n{extra}"
    )
}

/// JUnit without its times, which no record has.
pub(crate) fn untimed(junit: &str) -> String {
    let mut parts = junit.split(" time=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = |part: &str| part.split_once('"').expect("a time ends").1.to_owned();
    first + &parts.map(rest).collect::<String>()
}
