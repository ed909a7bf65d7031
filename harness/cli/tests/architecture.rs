//! The promise of independence, kept by manifests: what a crate must not know
//! it cannot reach.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use crate::common::{files, root};

/// Which workspace crates each crate may depend on, dev-dependencies included, all
/// without the `ptodiff-` before them. A crate that is not listed here may depend on
/// nothing of ours.
const ALLOWED: &[(&str, &str)] = &[
    ("isa", ""),
    ("edge", ""),
    ("memory", "isa"),
    ("register", "isa"),
    ("asm", "isa register"),
    ("kernel", "edge isa case asm generate impl"),
    ("model-cpu", "isa memory"),
    ("model-a2a3", "isa memory"),
    ("model-a5", "isa memory"),
    ("enumerate", "isa"),
    ("contract", "isa enumerate"),
    ("data", "isa"),
    ("case", "data isa register edge"),
    ("pto", "isa asm case"),
    ("generate", "isa case data enumerate register"),
    ("judge", "isa contract enumerate"),
    ("record", "edge isa"),
    ("report", "edge isa record register"),
    (
        "runner",
        "isa case edge generate model-cpu model-a2a3 model-a5 contract data judge record register enumerate asm impl",
    ),
    (
        "hunt",
        "edge isa case contract data enumerate generate judge record register runner",
    ),
    (
        "mutants",
        "isa memory case generate hunt record register runner",
    ),
    ("diagnose", "isa case mutants record register runner"),
    (
        "ptodiff",
        "diagnose edge asm data isa case gate generate hunt kernel mutants pto record register report runner impl",
    ),
    (
        "fuzz",
        "asm case contract data edge enumerate generate hunt isa judge record report runner impl",
    ),
    ("impl", "isa generate edge"),
    ("gate", "isa case record register edge"),
];

type Edges = BTreeMap<String, BTreeSet<String>>;

/// Direct dependencies of every workspace member on other members, of any kind.
fn edges(metadata: &Value) -> Edges {
    let packages = metadata["packages"].as_array().expect("packages");
    let name = |of: &Value| {
        let name = of["name"].as_str().expect("a name");
        name.strip_prefix("ptodiff-").unwrap_or(name).to_owned()
    };
    let whole = |of: &Value| of["name"].as_str().expect("a name").to_owned();
    let members: BTreeSet<String> = packages.iter().map(whole).collect();
    let of = |package: &Value| {
        let all = package["dependencies"].as_array().expect("dependencies");
        let own = all.iter().filter(|d| members.contains(&whole(d)));
        (name(package), own.map(name).collect())
    };
    packages.iter().map(of).collect()
}

/// Edges that the house does not allow. Since every direct edge is checked and
/// the models may only reach isa, which reaches nothing, the closure is safe too.
fn forbidden(edges: &Edges) -> Vec<String> {
    let allowed: BTreeMap<&str, &str> = ALLOWED.iter().copied().collect();
    let mut wrong = Vec::new();
    for (from, to) in edges {
        let may = allowed.get(from.as_str()).copied().unwrap_or_default();
        wrong.extend(
            to.iter()
                .filter(|t| !may.split(' ').any(|own| own == t.as_str()))
                .map(|t| format!("{from} -> {t}")),
        );
    }
    wrong
}

fn metadata() -> Value {
    let out = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo metadata runs");
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    serde_json::from_slice(&out.stdout).expect("cargo metadata prints JSON")
}

#[test]
fn no_crate_reaches_what_it_must_not_know() {
    let edges = edges(&metadata());
    assert!(
        edges.len() >= ALLOWED.len(),
        "some crates are missing: {:?}",
        edges.keys()
    );
    assert_eq!(forbidden(&edges), Vec::<String>::new());
}

#[test]
fn a_model_that_reaches_another_model_or_the_contract_is_found() {
    let edges = edges(&metadata());
    for to in ["model-cpu", "contract", "case", "generate", "judge"] {
        let mut doctored = edges.clone();
        doctored
            .get_mut("model-a5")
            .expect("the model is there")
            .insert(to.to_owned());
        assert_eq!(forbidden(&doctored), [format!("model-a5 -> {to}")]);
    }
}

#[test]
fn only_the_command_and_diagnoses_reach_the_wrong_models() {
    let edges = edges(&metadata());
    assert!(edges.contains_key("mutants"));
    let reaching = edges.iter().filter(|(_, to)| to.contains("mutants"));
    let reaching: Vec<&str> = reaching.map(|(from, _)| from.as_str()).collect();
    assert_eq!(reaching, ["diagnose", "ptodiff"]);
}

/// Every Rust source below `folder`, and its text.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut all = files(folder, &|_| true);
    all.retain(|path| path.extension().is_some_and(|e| e == "rs"));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("text");
        (path, text)
    };
    all.into_iter().map(read).collect()
}

/// What crates are made of, without their tests; those of these names, or all.
fn crates(names: &[&str]) -> Vec<(PathBuf, String)> {
    let harness = root().join("harness");
    let mut all = Vec::new();
    for entry in fs::read_dir(&harness).expect("a folder") {
        let entry = entry.expect("an entry");
        let (name, folder) = (entry.file_name(), entry.path().join("src"));
        let wanted = names.is_empty() || names.iter().any(|own| name == **own);
        if wanted && folder.is_dir() {
            all.extend(sources(&folder));
        }
    }
    assert!(all.len() > 50, "the sources are elsewhere");
    all
}

/// The files of `sources` whose text is so, by their paths from the harness.
fn those(sources: Vec<(PathBuf, String)>, is_so: impl Fn(&str) -> bool) -> Vec<String> {
    let harness = root().join("harness");
    let those = sources.iter().filter(|(_, text)| is_so(text));
    let below = |path: &Path| {
        path.strip_prefix(&harness)
            .expect("in the harness")
            .to_owned()
    };
    let mut those: Vec<String> = those
        .map(|(path, _)| below(path).to_string_lossy().into_owned())
        .collect();
    those.sort();
    those
}

#[test]
fn one_file_names_the_yaml_library() {
    let library = concat!("serde", "_yaml::");
    let all = sources(&root().join("harness"));
    assert_eq!(
        those(all, |text| text.contains(library)),
        ["case/src/yaml.rs"]
    );
}

/// When a reading matters is said once for all that only run less by it: a mistake there
/// must not become one of the accounts.
#[test]
fn no_account_asks_when_a_reading_matters() {
    let accounts = crates(&[
        "model-cpu",
        "model-a2a3",
        "model-a5",
        "contract",
        "enumerate",
    ]);
    assert_eq!(those(accounts, |text| text.contains("reading::")), [""; 0]);
}

/// No build here is for Windows: what only Unix has stands where Windows does not look.
#[test]
fn what_only_unix_has_stands_in_files_of_its_own() {
    let words = [
        "std::os::unix",
        "os::unix::",
        "os::fd::",
        "rustix",
        "signal_hook::iterator",
        "    iterator::Signals",
        "emulate_default_handler",
    ];
    let own = [
        "cli/src/interrupt/signals.rs",
        "impl/src/system/groups.rs",
        "impl/src/system/resident.rs",
        "impl/src/system/unix.rs",
    ];
    let of_unix = |text: &str| words.iter().any(|word| text.contains(word));
    assert_eq!(those(crates(&[]), of_unix), own);
}

/// These panic where nothing can be written. What the command says goes through
/// its `out`, which lets it go.
#[test]
fn nothing_that_a_user_runs_prints_by_itself() {
    for (path, text) in crates(&[]) {
        for word in ["print!(", "println!("] {
            let own = text.match_indices(word).map(|(at, _)| &text[..at]);
            let bare = |before: &str| !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let mut own = own.filter(|before| bare(before) || before.ends_with('e'));
            let line = own.next().map(|before| before.lines().count());
            assert_eq!(line, None, "{}: {word}", path.display());
        }
    }
}

/// A library that is built without a test harness never runs the tests in it.
#[test]
fn no_library_that_is_not_tested_has_tests() {
    let (mut untested, mut hidden) = (0, Vec::new());
    let packages = metadata();
    for package in packages["packages"].as_array().expect("packages") {
        let mut targets = package["targets"].as_array().expect("targets").iter();
        let library = targets.find(|target| target["kind"][0] == "lib" && target["test"] == false);
        let Some(library) = library else { continue };
        untested += 1;
        let root = Path::new(library["src_path"].as_str().expect("a path"));
        let all = sources(root.parent().expect("a folder"));
        let has_tests = |text: &str| text.contains("#[test]") || text.contains("cfg(test)]");
        hidden.extend(those(all, has_tests));
    }
    assert!(untested > 5, "{untested}");
    assert_eq!(hidden, [""; 0]);
}
