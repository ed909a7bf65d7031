//! From a program's files to a program that runs.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use ptodiff_case::Case;
use ptodiff_isa::{Call, Memory, Target};
use ptodiff_kernel::{Dialect, Harness, Lattice, Places, write};
use tempfile::TempDir;

pub(crate) const CPU: Dialect = Dialect {
    target: Target::Cpu,
    suite_forms: false,
};

/// With the forms that the cpu suite has.
pub(crate) const SUITE: Dialect = Dialect {
    suite_forms: true,
    ..CPU
};

pub(crate) const A2A3: Dialect = Dialect {
    target: Target::A2a3,
    suite_forms: false,
};

pub(crate) const A5: Dialect = Dialect {
    target: Target::A5,
    suite_forms: false,
};

/// Compilers that run at once.
const AT_ONCE: usize = 2;

/// A folder of sources and the program built there.
pub(crate) struct Program {
    _folder: TempDir,
    pub(crate) path: PathBuf,
}

pub(crate) fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

pub(crate) fn places() -> Places {
    Places {
        folder: "/where it is".into(),
        cases: vec!["/cases".to_owned()],
    }
}

/// g++, and clang++ where it is installed.
pub(crate) fn compilers() -> Vec<&'static str> {
    let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let clang = ["clang++"].into_iter().filter(is_there);
    ["g++"].into_iter().chain(clang).collect()
}

/// Has `probe.sh` find what `compiler` does not compile; what it printed.
pub(crate) fn probe(folder: &Path, compiler: &[String], halves: bool) -> String {
    let mut command = Command::new("sh");
    command.arg(folder.join("probe.sh")).args(compiler);
    if halves {
        command.env("PTODIFF_HALVES", "1");
    }
    must(&mut command)
}

/// The compiler with all flags of a build.
pub(crate) fn compiler(name: &str, flags: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = [name, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-O0"]
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

/// A program of this call alone.
pub(crate) fn of_call(dialect: Dialect, call: Call) -> Harness {
    let mut harness = Harness::new(dialect);
    let case = Case::of_call("it", call);
    harness.add(&case).expect("a form");
    harness
}

/// A program of a lattice, and what was left out of it.
pub(crate) fn of_lattice(lattice: &Lattice) -> (Harness, Vec<(String, usize)>) {
    let mut harness = Harness::new(lattice.dialect);
    let left_out = harness.add_lattice(lattice);
    (harness, left_out)
}

/// What `call` is asked on.
pub(crate) fn memory(call: Call, seed: u64) -> Memory {
    let case = Case::of_call("it", call);
    ptodiff_generate::stimulus(&case, seed).steps.swap_remove(0)
}

/// A folder with the files of a program.
pub(crate) fn sources(harness: &Harness) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let files = harness.files(&places()).expect("files");
    write(folder.path(), &files, false).expect("written");
    folder
}

/// Compiles each source and links them.
pub(crate) fn link(folder: TempDir, name: &str, flags: &[&str]) -> Program {
    let here = folder.path();
    let names = std::fs::read_dir(here).expect("a folder");
    let sources: Vec<PathBuf> = names
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "cpp"))
        .collect();
    let all = compiler(name, flags);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(source) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut command = Command::new(&all[0]);
                    command.args(&all[1..]).arg("-c").arg(source);
                    must(command.arg("-o").arg(source.with_extension("o")));
                }
            });
        }
    });
    let path = here.join("implementation");
    let objects = sources.iter().map(|source| source.with_extension("o"));
    must(Command::new(name).args(objects).arg("-o").arg(&path));
    Program {
        _folder: folder,
        path,
    }
}
