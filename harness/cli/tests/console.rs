//! The examples of one page: files that it writes, commands that it types, and
//! what they must print.

use std::{fmt::Write, fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use crate::{
    blocks::blocks,
    common::{path, root, scatter},
    shown::{self, fits},
};

/// A fenced block: the line of the page behind its first, what stands behind the backquotes, and
/// its text.
pub(crate) type Block<'a> = (usize, &'a str, String);

/// The file that a block of text is: named behind its kind, as in `yaml a.yaml`, or by a first
/// line `# NAME.EXTENSION`.
fn file_name<'a>((_, tag, text): &'a Block<'_>) -> Option<&'a str> {
    if let Some((kind, name)) = tag.split_once(' ') {
        return (kind != "console").then_some(name);
    }
    let name = text.lines().next()?.strip_prefix("# ")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    (["yaml", "python", "toml"].contains(tag) && name.contains('.') && name.chars().all(plain))
        .then_some(name)
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("a folder");
        for entry in fs::read_dir(from).expect("a folder") {
            let entry = entry.expect("an entry");
            if entry.file_name() != "__pycache__" {
                copy(&entry.path(), &to.join(entry.file_name()));
            }
        }
    } else {
        fs::copy(from, to).expect("a copy");
    }
}

/// `each EXPRESSION` prints what the expression, in Python, makes of `it`, each line of JSON that
/// comes, or all of it; where that is `None` nothing.
const EACH: &str = "exec python3 -c '
import json, sys
text = sys.stdin.read()
try:
    these = [json.loads(text)]
except ValueError:
    these = [json.loads(line) for line in text.splitlines()]
for it in these:
    if (found := eval(sys.argv[1])) is not None:
        print(found)
' \"$1\"
";

/// Where a page types its commands.
pub(crate) struct Place {
    folder: tempfile::TempDir,
    tools: tempfile::TempDir,
}

impl Place {
    /// A folder with copies of these parts of the project.
    pub(crate) fn with(names: &[&str]) -> Self {
        let (folder, tools) = (tempfile::tempdir(), tempfile::tempdir());
        let (folder, tools) = (folder.expect("a folder"), tools.expect("a folder"));
        for name in names {
            let to = folder.path().join(name);
            fs::create_dir_all(to.parent().expect("it has one")).expect("a folder");
            copy(&root().join(name), &to);
        }
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_ptodiff"), tools.path().join("ptodiff"))
            .expect("a link");
        let place = Self { folder, tools };
        // `scatter NAME LINE...` prints the case file, and `+NAME` what follows another case.
        let case = scatter("${1#+}", "");
        place.tool(
            "scatter",
            &format!(
                "first=1; case $1 in +*) first=2; esac\ntail -n +$first <<END\n{case}END\n\
                 shift; for line; do printf '    %s\\n' \"$line\"; done\n"
            ),
        );
        place.tool("each", EACH);
        place
    }

    /// Another program that commands may name.
    pub(crate) fn tool(&self, name: &str, script: &str) {
        let path = self.tools.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}")).expect("a file");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("its own file");
    }

    /// Types a command: its exit code, and what it prints on both streams.
    fn types(&self, line: &str) -> (Option<i32>, String) {
        let line = line.replace("cargo run --release --", "ptodiff");
        let mut sh = Command::new("sh");
        sh.args(["-c", &format!("exec 2>&1\n{line}")])
            .current_dir(self.folder.path())
            .env("ROOT", root())
            .env("PATH", path(&[self.tools.path()]));
        for name in ["CLICOLOR_FORCE", "GITHUB_ACTIONS"] {
            sh.env_remove(name);
        }
        let output = sh.output().expect("a shell");
        let printed = String::from_utf8_lossy(&output.stdout);
        let lines = printed.lines().filter(|line| !is_progress(line));
        let lines: Vec<&str> = lines.collect();
        (output.status.code(), lines.join("\n"))
    }

    /// Writes the files of these blocks and types their commands, in order: what is not
    /// as the page has it, and how many commands there were.
    pub(crate) fn follow<'a>(
        &self,
        name: &str,
        blocks: impl Iterator<Item = &'a Block<'a>>,
    ) -> (String, usize) {
        let (mut wrong, mut commands) = (String::new(), 0);
        for block in blocks {
            let (begin, tag, text) = block;
            if let Some(file) = file_name(block) {
                let path = self.folder.path().join(file);
                fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
                fs::write(path, text).expect("a file");
            }
            let parts = *tag == "console some";
            if !parts && *tag != "console" {
                continue;
            }
            assert!(text.starts_with("$ "), "{name}:{begin}: no command");
            let lines: Vec<&str> = text.lines().collect();
            for (at, command) in lines.iter().enumerate() {
                let Some(line) = command.strip_prefix("$ ") else {
                    continue;
                };
                commands += 1;
                let shown = lines[at + 1..].split(|line| line.starts_with("$ "));
                let shown = shown.into_iter().next().unwrap_or_default();
                let (code, printed) = self.types(line);
                let expected = line
                    .rsplit_once("# exits ")
                    .map_or(0, |(_, code)| code.parse().expect("an exit code"));
                let differs = match parts {
                    true => lacks(shown, &printed),
                    false => differs(shown, &printed),
                };
                if code != Some(expected) || differs.is_some() {
                    let what = differs.unwrap_or_else(|| format!("exit code {code:?}"));
                    let place = begin + 1 + at;
                    let _ = write!(
                        wrong,
                        "\n{name}:{place}: {line}\n{what}\nprinted:\n{printed}"
                    );
                }
            }
        }
        (wrong, commands)
    }
}

/// Follows the page `NAME.md` of a folder: each section in a place of its own, with these
/// programs, and behind the files and commands that stand before the first section.
pub(crate) fn follow(folder: &Path, name: &str, tools: &[(&str, &str)]) {
    let path = folder.join(name).with_extension("md");
    let page = fs::read_to_string(path).expect("a page");
    let blocks = blocks(&page);
    let in_block = |at: usize| {
        let mut bodies = blocks.iter();
        bodies.any(|(line, _, text)| (*line..line + text.lines().count()).contains(&at))
    };
    let lines = page.lines().enumerate();
    let headings = lines.filter(|(at, line)| line.starts_with("## ") && !in_block(*at));
    let headings: Vec<usize> = headings.map(|(at, _)| at).collect();
    let mut wrong = String::new();
    for section in 1..=headings.len() {
        let own = |(line, ..): &&Block<'_>| {
            let before = headings.iter().filter(|at| *at < line).count();
            [0, section].contains(&before)
        };
        let place = Place::with(&[]);
        tools
            .iter()
            .for_each(|(name, script)| place.tool(name, script));
        let (of_section, commands) = place.follow(name, blocks.iter().filter(own));
        wrong += &of_section;
        assert!(commands > 0, "{name}: section {section} has no commands");
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Whether a line says how far a command is that takes long: on another machine it may not.
fn is_progress(line: &str) -> bool {
    let mut words = line.split(" in ");
    let (count, time) = (words.next().unwrap_or_default(), words.next());
    (count.ends_with(" case") || count.ends_with(" cases"))
        && time.is_some_and(|time| time.ends_with(" s") || time.contains(" s; looking for "))
}

/// Columns are as wide as what stands in them: any number of spaces is one.
fn one_space(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether what is printed is not as shown. A line of `...` stands for any number of lines;
/// empty ones do not count.
pub(crate) fn differs(shown: &[&str], printed: &str) -> Option<String> {
    let full = |lines: &mut dyn Iterator<Item = &str>| {
        let lines = lines.map(one_space).filter(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join("\n")
    };
    let shown = full(&mut shown.iter().copied());
    shown::differs(&shown, full(&mut printed.lines()))?;
    Some(format!("is not as shown:\n{shown}"))
}

/// Of some lines the first that is not printed, wherever; behind `! `, the first that is.
pub(crate) fn lacks(shown: &[&str], printed: &str) -> Option<String> {
    let printed: Vec<String> = printed.lines().map(one_space).collect();
    let is_wrong = |line: &&&str| {
        let (line, wanted) = match line.strip_prefix("! ") {
            Some(line) => (line, false),
            None => (**line, true),
        };
        let line = one_space(line);
        printed.iter().any(|printed| fits(&line, printed)) != wanted
    };
    let wrong = shown.iter().find(is_wrong)?;
    Some(format!("is not as shown:\n{wrong}"))
}
