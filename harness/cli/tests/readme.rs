//! The README shows real output: every console block is run, and every line
//! it shows must come, in that order; `...` stands for lines left out. The
//! examples of the format of cases are run, too.

use std::{fs, path::Path, process::Command};

use crate::common::{command, ptodiff, root};

/// Text between ```TAG and ```.
fn fences<'a>(text: &'a str, tag: &str) -> Vec<&'a str> {
    let open = format!("```{tag}\n");
    text.split(&open)
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect()
}

/// The words of a command line; single quotes hold one together.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (n, part) in line.split('\'').enumerate() {
        let mut pieces = match n % 2 {
            0 => part.split(' ').collect::<Vec<_>>(),
            _ => vec![part],
        }
        .into_iter();
        let last = words.last_mut().expect("never empty");
        last.push_str(pieces.next().unwrap_or(""));
        words.extend(pieces.map(str::to_owned));
    }
    words.retain(|word| !word.is_empty());
    words
}

/// One command line in `folder`: what it prints on both streams.
fn run(line: &str, folder: &Path) -> String {
    let ptodiff = line
        .strip_prefix("cargo run --release --")
        .or_else(|| line.strip_prefix("ptodiff"));
    let output = match ptodiff {
        Some(args) => command(folder).args(words(args)).output(),
        None => Command::new("sh")
            .arg("-c")
            .arg(line)
            .current_dir(folder)
            .output(),
    };
    let output = output.expect("it starts");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn shows(printed: &str, shown: &[&str], command: &str) {
    let mut lines = printed.lines();
    for line in shown.iter().filter(|l| **l != "...") {
        assert!(
            lines.any(|l| l == *line),
            "`{command}` does not print, or not in this order:\n{line}\nbut:\n{printed}"
        );
    }
}

#[test]
fn the_readme_shows_what_the_commands_print() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for name in ["cases", "scripts"] {
        std::os::unix::fs::symlink(root().join(name), folder.path().join(name)).unwrap();
    }
    let own = fences(&readme, "yaml");
    assert_eq!(own.len(), 1);
    fs::write(folder.path().join("mine.yaml"), own[0]).unwrap();
    let mut commands = 0;
    for block in fences(&readme, "console") {
        for part in block.split("$ ").skip(1) {
            let (command, shown) = part.split_once('\n').expect("a command line");
            let shown: Vec<&str> = shown.trim_end_matches('\n').lines().collect();
            shows(&run(command, folder.path()), &shown, command);
            commands += 1;
        }
    }
    assert_eq!(commands, 38);
}

/// Those that are right; what rejects the others is a test of their reader.
#[test]
fn the_examples_of_cases_conform() {
    let text = fs::read_to_string(root().join("cases/README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let examples = fences(&text, "yaml");
    for (n, example) in examples.iter().enumerate() {
        fs::write(folder.path().join(format!("example_{n}.yaml")), example).unwrap();
    }
    assert_eq!(examples.len(), 14);
    let done = ptodiff(folder.path(), &["run", "."]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
}

#[test]
fn the_readme_lists_the_holes_that_are_kept() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, rest) = readme
        .split_once("<!-- holes: ptodiff holes --format markdown -->\n")
        .expect("the list begins");
    let (listed, _) = rest.split_once("<!-- end of holes -->").expect("and ends");
    let printed = ptodiff(&root(), &["holes", "--format", "markdown"]);
    assert_eq!(printed.code, 0, "{}", printed.err);
    assert_eq!(listed.trim(), printed.out.trim());
}
