//! The examples of one page: files that it writes, commands that it types, and
//! what they must print.

use std::{fmt::Write, fs, path::Path, process::Command};

use crate::common::{path, root};

/// A fenced block: what stands behind the backquotes, its lines, and the line
/// of the page where it begins.
pub(crate) struct Block<'a> {
    pub(crate) tag: &'a str,
    pub(crate) lines: Vec<&'a str>,
    pub(crate) line: usize,
}

/// All fenced blocks of a page.
pub(crate) fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        if let Some(tag) = line.strip_prefix("```") {
            let body = lines.by_ref().map(|(_, line)| line);
            blocks.push(Block {
                tag,
                lines: body.take_while(|line| *line != "```").collect(),
                line: at + 1,
            });
        }
    }
    blocks
}

/// The file that a block of text is, if its first line is `# NAME.EXTENSION`.
pub(crate) fn file_name<'a>(block: &Block<'a>) -> Option<&'a str> {
    let name = block.lines.first()?.strip_prefix("# ")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    (["yaml", "python", "toml"].contains(&block.tag)
        && name.contains('.')
        && name.chars().all(plain))
    .then_some(name)
}

/// What a page finds: the parts of a checkout that its examples use, as copies.
pub(crate) struct Checkout {
    folder: tempfile::TempDir,
    tools: tempfile::TempDir,
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

impl Checkout {
    pub(crate) fn new() -> Self {
        Self::with(&[
            "cases",
            "scripts/implementations",
            "reports/waivers.yaml",
            "reports/baseline.json",
        ])
    }

    /// What is beside the command in an archive, as far as pages use it.
    pub(crate) fn archive() -> Self {
        Self::with(&["scripts/implementations/minimal.py"])
    }

    fn with(names: &[&str]) -> Self {
        let (folder, tools) = (tempfile::tempdir(), tempfile::tempdir());
        let (folder, tools) = (folder.expect("a folder"), tools.expect("a folder"));
        for name in names {
            let to = folder.path().join(name);
            fs::create_dir_all(to.parent().expect("it has one")).expect("a folder");
            copy(&root().join(name), &to);
        }
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_ptodiff"), tools.path().join("ptodiff"))
            .expect("a link");
        Self { folder, tools }
    }

    /// Types a command: its exit code, and what it prints on both streams.
    fn types(&self, line: &str) -> (Option<i32>, String) {
        let line = line.replace("cargo run --release --", "ptodiff");
        let mut sh = Command::new("sh");
        sh.args(["-c", &format!("exec 2>&1\n{line}")])
            .current_dir(self.folder.path())
            .env("PATH", path(&[self.tools.path()]));
        for name in ["CLICOLOR_FORCE", "GITHUB_ACTIONS"] {
            sh.env_remove(name);
        }
        let output = sh.output().expect("a shell");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    }

    /// Writes the files of a page and types its commands, in order: what is not
    /// as the page has it, and how many commands there were.
    pub(crate) fn follow(&self, name: &str, page: &str) -> (String, usize) {
        let (mut wrong, mut commands) = (String::new(), 0);
        for block in blocks(page) {
            if let Some(file) = file_name(&block) {
                let text = block.lines.join("\n") + "\n";
                fs::write(self.folder.path().join(file), text).expect("a file");
            }
            if block.tag != "console" {
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
                let differs = differs(&shown, &printed);
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

#[test]
fn what_is_left_out_is_marked() {
    let printed = "one\ntwo and a half\n\nthree\n";
    let shows = |lines: &[&str]| differs(lines, printed).is_none();
    assert!(shows(&["one", "two and a half", "three"]));
    assert!(shows(&["...", "three"]) && shows(&["one", "..."]) && shows(&["..."]));
    assert!(shows(&["one", "two ... half", "..."]) && shows(&["one", "  two  and ...", "three"]));
    assert!(!shows(&["one"]) && !shows(&["three"]) && !shows(&[]));
    assert!(!shows(&["one", "...", "one", "..."]));
    assert!(!shows(&["one", "three"]) && !shows(&["one", "two", "..."]));
    assert!(!shows(&["...", "two and a half"]));
}
