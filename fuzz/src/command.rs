//! The command `fuzz_input`: inputs of the fuzz targets without a fuzzer. It
//! writes seeds, tries what is near them, shows a crash.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, panic, thread};

use crate::target::{TARGETS, Target};
use crate::{corpus, seeds, show};

const USAGE: &str = "\
usage: fuzz_input seeds FOLDER [MOST]
           writes FOLDER/TARGET/ for each target: its seeds, or MOST of them
       fuzz_input check FOLDER COUNT
           runs each target on its seeds and on COUNT inputs near them; what
           something is wrong with is written into FOLDER
       fuzz_input show TARGET FILE
           an input as a case file, or its text";

/// Does what the words of the command line ask for; code 1 where something is wrong
/// with an input, 2 where they ask for nothing or it cannot be done.
#[must_use]
pub fn run() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["seeds", folder] => write_seeds(Path::new(folder), usize::MAX),
        ["seeds", folder, most] => {
            number(most).and_then(|most| write_seeds(Path::new(folder), most))
        }
        ["check", folder, count] => {
            number(count).and_then(|count| check_all(Path::new(folder), count))
        }
        ["show", target, file] => show_input(target, Path::new(file)),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(right) => ExitCode::from(u8::from(!right)),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn number(word: &str) -> Result<usize, String> {
    let read = word.parse();
    read.map_err(|_| format!("`{word}` is no number of inputs\n{USAGE}"))
}

fn write_seeds(folder: &Path, most: usize) -> Result<bool, String> {
    let corpus = corpus::all().map_err(str::to_owned)?;
    for target in TARGETS {
        let folder = folder.join(target.name);
        let count = seeds::write(target, corpus, most, &folder)
            .map_err(|why| format!("cannot write into {}: {why}", folder.display()))?;
        println!("{count:6} inputs in {}", folder.display());
    }
    Ok(true)
}

/// One line a target that ran, with how many inputs it ran on; whether nothing is
/// wrong with one of them.
fn check_all(folder: &Path, near: usize) -> Result<bool, String> {
    let corpus = corpus::all().map_err(str::to_owned)?;
    quiet();
    let one = |target: &Target| {
        let inputs = seeds::to_check(target, corpus, near);
        let Some(((name, bytes), why)) = target.first_wrong(&inputs) else {
            println!("{:12} {} inputs", target.name, inputs.len());
            return true;
        };
        let file = folder.join(format!("{}-{name}", target.name));
        eprintln!("{}: {why}", target.name);
        match fs::create_dir_all(folder).and_then(|()| fs::write(&file, bytes)) {
            Ok(()) => eprintln!("the input is {}", file.display()),
            Err(why) => eprintln!("cannot write {}: {why}", file.display()),
        }
        false
    };
    let right = thread::scope(|scope| {
        let threads: Vec<_> = TARGETS
            .iter()
            .map(|target| scope.spawn(move || one(target)))
            .collect();
        // Each is waited for; one that dies is not right.
        let ends = threads.into_iter().map(|thread| thread.join());
        ends.filter(|end| matches!(end, Ok(true))).count()
    });
    Ok(right == TARGETS.len())
}

fn show_input(target: &str, file: &Path) -> Result<bool, String> {
    let found = Target::of(target);
    let target = found.ok_or_else(|| format!("there is no target {target}\n{USAGE}"))?;
    let bytes = fs::read(file).map_err(|why| format!("cannot read {}: {why}", file.display()))?;
    // Cases near those of `cases/` cannot be shown without it.
    corpus::all().map_err(str::to_owned)?;
    quiet();
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    print!("{}", show::input(&target, &name, &bytes));
    Ok(true)
}

/// A panic is part of what is shown, not of how it is shown.
fn quiet() {
    panic::set_hook(Box::new(|_| {}));
}
