//! The examples of one page: files that it writes, commands that it types, and
//! what they must print.

use std::{fmt::Write, fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use super::{path, root, scatter};

/// A fenced block: what stands behind the backquotes, its lines, the line of the page
/// where it begins, and how many sections (`## `) begin before it.
pub(crate) struct Block<'a> {
    pub(crate) tag: &'a str,
    pub(crate) lines: Vec<&'a str>,
    pub(crate) line: usize,
    pub(crate) section: usize,
}

/// All fenced blocks of a page.
pub(crate) fn blocks(page: &str) -> Vec<Block<'_>> {
    let (mut blocks, mut section) = (Vec::new(), 0);
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        section += usize::from(line.starts_with("## "));
        if let Some(tag) = line.strip_prefix("```") {
            let body = lines.by_ref().map(|(_, line)| line);
            blocks.push(Block {
                tag,
                lines: body.take_while(|line| *line != "```").collect(),
                line: at + 1,
                section,
            });
        }
    }
    blocks
}

/// The file that a block of text is: named behind its kind, as in `yaml a.yaml`, or by a first
/// line `# NAME.EXTENSION`.
fn file_name<'a>(block: &Block<'a>) -> Option<&'a str> {
    if let Some((kind, name)) = block.tag.split_once(' ') {
        return (kind != "console").then_some(name);
    }
    let name = block.lines.first()?.strip_prefix("# ")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    (["yaml", "python", "toml"].contains(&block.tag)
        && name.contains('.')
        && name.chars().all(plain))
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
            if let Some(file) = file_name(block) {
                let path = self.folder.path().join(file);
                fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
                fs::write(path, block.lines.join("\n") + "\n").expect("a file");
            }
            let parts = block.tag == "console some";
            if !parts && block.tag != "console" {
                continue;
            }
            assert!(
                block.lines[0].starts_with("$ "),
                "{name}:{}: no command",
                block.line
            );
            for (at, command) in block.lines.iter().enumerate() {
                let Some(line) = command.strip_prefix("$ ") else {
                    continue;
                };
                commands += 1;
                let shown: Vec<&str> = block.lines[at + 1..]
                    .iter()
                    .take_while(|line| !line.starts_with("$ "))
                    .copied()
                    .collect();
                let (code, printed) = self.types(line);
                let expected = line
                    .rsplit_once("# exits ")
                    .map_or(0, |(_, code)| code.parse().expect("an exit code"));
                let differs = match parts {
                    true => lacks(&shown, &printed),
                    false => differs(&shown, &printed),
                };
                if code != Some(expected) || differs.is_some() {
                    let what = differs.unwrap_or_else(|| format!("exit code {code:?}"));
                    let place = block.line + 1 + at;
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
    let sections = blocks.iter().map(|block| block.section).max();
    let mut wrong = String::new();
    for section in 1..=sections.expect("it has blocks") {
        let own = |block: &&Block<'_>| [0, section].contains(&block.section);
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

/// Whether a line is as shown; `...` stands for any text.
fn fits(shown: &str, line: &str) -> bool {
    let mut parts = shown.split("...");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    true
}

/// The first shown line that is not printed where it should be. A line of `...`
/// stands for any number of lines; empty ones do not count.
pub(crate) fn differs(shown: &[&str], printed: &str) -> Option<String> {
    let full = |lines: &[&str]| -> Vec<String> {
        let lines = lines.iter().map(|line| one_space(line));
        lines.filter(|line| !line.is_empty()).collect()
    };
    let printed = full(&printed.lines().collect::<Vec<_>>());
    let shown = full(shown);
    let mut at = 0;
    let mut pieces = shown.split(|line| line == "...").enumerate().peekable();
    while let Some((n, piece)) = pieces.next() {
        let last = pieces.peek().is_none();
        let stands = |from: usize| {
            printed.get(from..from + piece.len()).is_some_and(|lines| {
                piece
                    .iter()
                    .zip(lines)
                    .all(|(shown, line)| fits(shown, line))
            })
        };
        // Without `...` before it a piece begins where the one before ended, and
        // without `...` after it it ends with the output.
        let mut places = match (n, last) {
            (0, _) => at..at + 1,
            (_, true) => printed.len().saturating_sub(piece.len()).max(at)..printed.len() + 1,
            _ => at..printed.len() + 1,
        };
        let Some(found) = places.find(|from| stands(*from)) else {
            return Some(format!(
                "is not printed, or not there:\n{}",
                piece.join("\n")
            ));
        };
        at = found + piece.len();
        if last && at != printed.len() {
            return Some(format!("is printed and not shown:\n{}", printed[at]));
        }
    }
    None
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
