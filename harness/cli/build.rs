//! Finds in the harness' own source which rules cite which clause, and which
//! tests cover one, so that `explain` and `coverage` can say so.

use std::{env, fmt::Write as _, fs, io::Write as _, path::Path};

use flate2::{Compression, write::DeflateEncoder};

/// What the gate holds a run against.
const KNOWN: [&str; 2] = ["reports/baseline.json", "reports/waivers.yaml"];

fn main() {
    let harness = Path::new("..");
    let mut rules = String::from("&[\n");
    let mut tests = String::from("&[\n");
    let mut crates: Vec<_> = list(harness)
        .into_iter()
        .filter(|path| path.is_dir())
        .collect();
    crates.sort();
    for of in crates {
        for folder in ["src", "tests"] {
            let folder = of.join(folder);
            if folder.is_dir() {
                println!("cargo::rerun-if-changed={}", folder.display());
                visit(&folder, &mut |file| {
                    if file.extension().is_some_and(|e| e == "rs") {
                        scan(file, &mut rules, &mut tests);
                    }
                });
            }
        }
    }
    // What comes with the command: the cases, and what a run of them is known to show.
    let root = Path::new("../..");
    let mut files = KNOWN.map(|name| root.join(name)).to_vec();
    visit(&root.join("cases"), &mut |file| files.push(file.to_owned()));
    println!("cargo::rerun-if-changed=../../cases");
    let mut corpus = String::from("&[\n");
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.strip_prefix(root).expect("a file of the project");
        let name = name.to_string_lossy().replace('\\', "/");
        // What an editor or a killed command left.
        if !name.contains("/.") && !name.ends_with('~') {
            let bytes = fs::read(&file).expect("a file of the project can be read");
            writeln!(corpus, "({name:?}, {}),", bytes.len()).expect("a string takes all");
            packed.write_all(&bytes).expect("memory takes all");
        }
    }
    let out = env::var("OUT_DIR").expect("cargo gives build scripts a folder");
    let packed = packed.finish().expect("memory takes all");
    fs::write(Path::new(&out).join("corpus.deflate"), packed).expect("the folder can be written");
    for (name, mut table) in [
        ("rules.rs", rules),
        ("tests.rs", tests),
        ("corpus.rs", corpus),
    ] {
        table.push(']');
        fs::write(Path::new(&out).join(name), table).expect("the folder can be written");
    }
}

fn list(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of the project can be read");
    let mut paths: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    paths
}

fn visit(folder: &Path, seen: &mut dyn FnMut(&Path)) {
    for path in list(folder) {
        if path.is_dir() {
            visit(&path, seen);
        } else {
            seen(&path);
        }
    }
}

/// Notes the rules and the covering tests of one file. A rule is a clause named
/// outside tests, by a function or by what is written about it.
fn scan(file: &Path, rules: &mut String, tests: &mut String) {
    let text = fs::read_to_string(file).expect("a source file can be read");
    let shown = file.strip_prefix("..").unwrap_or(file);
    let shown = Path::new("harness").join(shown);
    let place = |line: usize| format!("{}:{line}", shown.display()).replace('\\', "/");
    let is_source = file.components().any(|c| c.as_os_str() == "src");
    // The accounts and the spelling follow clauses; what tests them only names those that it
    // breaks or draws.
    let follows = [
        "asm",
        "contract",
        "isa",
        "memory",
        "model-a2a3",
        "model-a5",
        "model-cpu",
    ];
    let is_rule_file = is_source
        && follows
            .iter()
            .any(|of| file.starts_with(Path::new("..").join(of)));
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    // What stands before the first function is of the file.
    let mut within = stem.clone().into_owned();
    let mut in_tests = !is_rule_file;
    let lines: Vec<&str> = text.lines().collect();
    for (n, line) in lines.iter().enumerate() {
        let bare = line.trim();
        if bare == "#[cfg(test)]" {
            in_tests = true;
        }
        if let Some(name) = function(bare) {
            name.clone_into(&mut within);
        }
        if let Some(clauses) = bare.strip_prefix("// covers:") {
            let named = lines[n..].iter().find_map(|l| function(l.trim()));
            let name = named.unwrap_or_else(|| panic!("{}: no test follows", place(n + 1)));
            for clause in clauses.split(',') {
                let clause = clause.trim();
                writeln!(
                    tests,
                    "CoveringTest {{ clause: {clause:?}, place: {:?}, name: {name:?} }},",
                    place(n + 1)
                )
                .expect("a string takes all");
            }
        }
        if in_tests {
            continue;
        }
        let name = if bare.starts_with("//!") {
            stem.clone()
        } else if bare.starts_with("///") {
            let next = lines[n..].iter().find_map(|l| item(l.trim()));
            next.unwrap_or(&within).into()
        } else {
            within.as_str().into()
        };
        for clause in clauses(bare) {
            writeln!(
                rules,
                "Rule {{ clause: {clause:?}, place: {:?}, name: {name:?} }},",
                place(n + 1)
            )
            .expect("a string takes all");
        }
    }
}

/// The name of what `line` declares, if it is code.
fn item(line: &str) -> Option<&str> {
    if line.is_empty() || line.starts_with("//") || line.starts_with('#') {
        return None;
    }
    if let Some(name) = function(line) {
        return Some(name);
    }
    let known = [
        "pub",
        "pub(crate)",
        "pub(super)",
        "const",
        "static",
        "struct",
        "enum",
        "type",
        "trait",
        "impl",
        "mod",
    ];
    let word = line.split_whitespace().find(|w| !known.contains(w))?;
    word.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .next()
        .filter(|name| !name.is_empty())
}

/// The name of the function that `line` begins.
fn function(line: &str) -> Option<&str> {
    let at = line.find("fn ").filter(|at| {
        line[..*at]
            .split_whitespace()
            .all(|w| w.starts_with("pub") || w == "const")
    })?;
    line[at + 3..].split(['(', '<']).next().map(str::trim)
}

/// The clauses that `line` names.
fn clauses(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter(|word| {
            let parts: Vec<&str> = word.split('-').collect();
            let [document, group, number] = parts.as_slice() else {
                return false;
            };
            let upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
            document.len() > 5
                && document.chars().all(upper)
                && !group.is_empty()
                && group.chars().all(upper)
                && number.len() == 2
                && number.bytes().all(|b| b.is_ascii_digit())
        })
}
