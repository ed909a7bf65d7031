//! Inputs of the fuzz targets, without a fuzzer: writes seeds, shows a crash.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, panic};

use ptodiff_fuzz::target::{TARGETS, Target};
use ptodiff_fuzz::{corpus, seeds, show};

const USAGE: &str = "\
usage: fuzz_input list
           the targets
       fuzz_input seeds FOLDER [COUNT]
           writes FOLDER/TARGET/ for each target: its seeds, and COUNT inputs near them
       fuzz_input show TARGET FILE
           an input as a case file, or its text";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["list"] => {
            TARGETS
                .iter()
                .for_each(|target| println!("{}", target.name));
            Ok(())
        }
        ["seeds", folder] => write_seeds(Path::new(folder), 0),
        ["seeds", folder, count] => match count.parse() {
            Ok(count) => write_seeds(Path::new(folder), count),
            Err(_) => Err(format!("`{count}` is no number of inputs\n{USAGE}")),
        },
        ["show", target, file] => show_input(target, Path::new(file)),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn write_seeds(folder: &Path, near: usize) -> Result<(), String> {
    let corpus = corpus::all().map_err(str::to_owned)?;
    for target in TARGETS {
        let folder = folder.join(target.name);
        let count = seeds::write(target, corpus, near, &folder)
            .map_err(|why| format!("cannot write into {}: {why}", folder.display()))?;
        println!("{count:6} inputs in {}", folder.display());
    }
    Ok(())
}

fn show_input(target: &str, file: &Path) -> Result<(), String> {
    let found = Target::of(target);
    let target = found.ok_or_else(|| format!("there is no target {target}\n{USAGE}"))?;
    let bytes = fs::read(file).map_err(|why| format!("cannot read {}: {why}", file.display()))?;
    // Cases near those of `cases/` cannot be shown without it.
    corpus::all().map_err(str::to_owned)?;
    // A panic is part of what is shown, not of how it is shown.
    panic::set_hook(Box::new(|_| {}));
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    print!("{}", show::input(&target, &name, &bytes));
    Ok(())
}
