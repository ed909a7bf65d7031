//! From a program's files to a program that runs.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
    thread,
};

use ptodiff_kernel::{File, write};
use tempfile::TempDir;

/// A folder of sources and the program built there.
pub(crate) struct Program {
    _folder: TempDir,
    pub(crate) path: PathBuf,
}

pub(crate) fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// The compiler with all flags of a build.
pub(crate) fn compiler(flags: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-O0"]
        .map(str::to_owned)
        .into();
    for folder in ["pto", "board"] {
        all.push(format!("-I{}", tests().join(folder).display()));
    }
    all.extend(flags.iter().map(|flag| (*flag).to_owned()));
    all
}

pub(crate) fn run(command: &mut Command) -> Output {
    command
        .output()
        .unwrap_or_else(|error| panic!("{command:?} does not start ({error}): is g++ installed?"))
}

pub(crate) fn must(command: &mut Command) -> String {
    let done = run(command);
    assert!(
        done.status.success(),
        "{command:?}\n{}",
        String::from_utf8_lossy(&done.stderr)
    );
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// Writes the files, compiles each source and links them.
pub(crate) fn build(files: &[File], flags: &[&str]) -> Program {
    let folder = sources(files);
    link(folder, flags)
}

pub(crate) fn sources(files: &[File]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), files, false).expect("written");
    folder
}

pub(crate) fn link(folder: TempDir, flags: &[&str]) -> Program {
    let here = folder.path();
    let names = std::fs::read_dir(here).expect("a folder");
    let sources: Vec<PathBuf> = names
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "cpp"))
        .collect();
    let all = compiler(flags);
    thread::scope(|scope| {
        for source in &sources {
            let all = &all;
            scope.spawn(move || {
                must(
                    Command::new(&all[0])
                        .args(&all[1..])
                        .arg("-c")
                        .arg(source)
                        .arg("-o")
                        .arg(source.with_extension("o")),
                )
            });
        }
    });
    let path = here.join("implementation");
    let objects = sources.iter().map(|source| source.with_extension("o"));
    must(Command::new("g++").args(objects).arg("-o").arg(&path));
    Program {
        _folder: folder,
        path,
    }
}
