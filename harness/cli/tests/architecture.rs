//! The promise of independence, kept by manifests: what a crate must not know
//! it cannot reach.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use serde_json::Value;

/// Which workspace crates each crate may depend on, dev-dependencies included.
/// A crate that is not listed here may depend on nothing of ours.
const ALLOWED: &[(&str, &[&str])] = &[
    ("ptodiff-isa", &[]),
    ("ptodiff-edge", &[]),
    ("ptodiff-memory", &["ptodiff-isa"]),
    ("ptodiff-register", &["ptodiff-isa"]),
    ("ptodiff-asm", &["ptodiff-isa", "ptodiff-register"]),
    (
        "ptodiff-kernel",
        &[
            "ptodiff-edge",
            "ptodiff-isa",
            "ptodiff-case",
            "ptodiff-asm",
            "ptodiff-generate",
        ],
    ),
    ("ptodiff-model-cpu", &["ptodiff-isa", "ptodiff-memory"]),
    ("ptodiff-model-a2a3", &["ptodiff-isa", "ptodiff-memory"]),
    ("ptodiff-model-a5", &["ptodiff-isa", "ptodiff-memory"]),
    ("ptodiff-enumerate", &["ptodiff-isa"]),
    ("ptodiff-contract", &["ptodiff-isa", "ptodiff-enumerate"]),
    ("ptodiff-data", &["ptodiff-isa"]),
    (
        "ptodiff-case",
        &[
            "ptodiff-data",
            "ptodiff-isa",
            "ptodiff-register",
            "ptodiff-edge",
        ],
    ),
    (
        "ptodiff-pto",
        &["ptodiff-isa", "ptodiff-asm", "ptodiff-case"],
    ),
    (
        "ptodiff-generate",
        &["ptodiff-isa", "ptodiff-case", "ptodiff-data"],
    ),
    ("ptodiff-judge", &["ptodiff-isa", "ptodiff-contract"]),
    ("ptodiff-record", &["ptodiff-edge", "ptodiff-isa"]),
    (
        "ptodiff-report",
        &[
            "ptodiff-edge",
            "ptodiff-isa",
            "ptodiff-record",
            "ptodiff-register",
        ],
    ),
    (
        "ptodiff-runner",
        &[
            "ptodiff-isa",
            "ptodiff-case",
            "ptodiff-edge",
            "ptodiff-generate",
            "ptodiff-model-cpu",
            "ptodiff-model-a2a3",
            "ptodiff-model-a5",
            "ptodiff-contract",
            "ptodiff-data",
            "ptodiff-judge",
            "ptodiff-record",
            "ptodiff-register",
            "ptodiff-enumerate",
            "ptodiff-asm",
            "ptodiff-impl",
        ],
    ),
    (
        "ptodiff-hunt",
        &[
            "ptodiff-edge",
            "ptodiff-isa",
            "ptodiff-case",
            "ptodiff-contract",
            "ptodiff-data",
            "ptodiff-enumerate",
            "ptodiff-generate",
            "ptodiff-judge",
            "ptodiff-record",
            "ptodiff-register",
            "ptodiff-runner",
        ],
    ),
    (
        "ptodiff-mutants",
        &[
            "ptodiff-isa",
            "ptodiff-memory",
            "ptodiff-case",
            "ptodiff-generate",
            "ptodiff-hunt",
            "ptodiff-record",
            "ptodiff-register",
            "ptodiff-runner",
        ],
    ),
    (
        "ptodiff-diagnose",
        &[
            "ptodiff-isa",
            "ptodiff-case",
            "ptodiff-mutants",
            "ptodiff-record",
            "ptodiff-runner",
        ],
    ),
    (
        "ptodiff",
        &[
            "ptodiff-diagnose",
            "ptodiff-edge",
            "ptodiff-asm",
            "ptodiff-data",
            "ptodiff-isa",
            "ptodiff-case",
            "ptodiff-gate",
            "ptodiff-generate",
            "ptodiff-hunt",
            "ptodiff-kernel",
            "ptodiff-mutants",
            "ptodiff-pto",
            "ptodiff-record",
            "ptodiff-register",
            "ptodiff-report",
            "ptodiff-runner",
            "ptodiff-impl",
        ],
    ),
    (
        "ptodiff-fuzz",
        &[
            "ptodiff-asm",
            "ptodiff-case",
            "ptodiff-contract",
            "ptodiff-data",
            "ptodiff-edge",
            "ptodiff-enumerate",
            "ptodiff-generate",
            "ptodiff-hunt",
            "ptodiff-isa",
            "ptodiff-judge",
            "ptodiff-record",
            "ptodiff-report",
            "ptodiff-runner",
            "ptodiff-impl",
        ],
    ),
    (
        "ptodiff-impl",
        &["ptodiff-isa", "ptodiff-generate", "ptodiff-edge"],
    ),
    (
        "ptodiff-gate",
        &[
            "ptodiff-isa",
            "ptodiff-case",
            "ptodiff-record",
            "ptodiff-register",
            "ptodiff-edge",
        ],
    ),
];

type Edges = BTreeMap<String, BTreeSet<String>>;

/// Direct dependencies of every workspace member on other members, of any kind.
fn edges(metadata: &Value) -> Edges {
    let packages = metadata["packages"].as_array().expect("packages");
    let members: BTreeSet<&str> = packages
        .iter()
        .map(|p| p["name"].as_str().expect("name"))
        .collect();
    packages
        .iter()
        .map(|p| {
            let reached = p["dependencies"]
                .as_array()
                .expect("dependencies")
                .iter()
                .map(|d| d["name"].as_str().expect("name"))
                .filter(|d| members.contains(d))
                .map(str::to_owned)
                .collect();
            (p["name"].as_str().expect("name").to_owned(), reached)
        })
        .collect()
}

/// Edges that the house does not allow. Since every direct edge is checked and
/// the models may only reach isa, which reaches nothing, the closure is safe too.
fn forbidden(edges: &Edges) -> Vec<String> {
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.iter().copied().collect();
    let mut wrong = Vec::new();
    for (from, to) in edges {
        let may = allowed.get(from.as_str()).copied().unwrap_or(&[]);
        wrong.extend(
            to.iter()
                .filter(|t| !may.contains(&t.as_str()))
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
    for to in [
        "ptodiff-model-cpu",
        "ptodiff-contract",
        "ptodiff-case",
        "ptodiff-generate",
        "ptodiff-judge",
    ] {
        let mut doctored = edges(&metadata());
        doctored
            .get_mut("ptodiff-model-a5")
            .expect("the model is there")
            .insert(to.to_owned());
        assert_eq!(forbidden(&doctored), [format!("ptodiff-model-a5 -> {to}")]);
    }
}

#[test]
fn only_the_command_and_diagnoses_reach_the_wrong_models() {
    let edges = edges(&metadata());
    let mutants = "ptodiff-mutants";
    assert!(edges.contains_key(mutants));
    let reaching = edges.iter().filter(|(_, to)| to.contains(mutants));
    let reaching: Vec<&str> = reaching.map(|(from, _)| from.as_str()).collect();
    assert_eq!(reaching, ["ptodiff", "ptodiff-diagnose"]);
}

/// Every Rust source of the project, with its path from the root.
fn sources(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn one_file_names_the_yaml_library() {
    let harness = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .expect("harness");
    let mut all = Vec::new();
    sources(&harness, &mut all);
    assert!(all.len() > 100, "the sources are elsewhere");
    let library = concat!("serde", "_yaml");
    all.retain(|path| {
        std::fs::read_to_string(path)
            .expect("text")
            .contains(&format!("{library}::"))
    });
    assert_eq!(all, [harness.join("case/src/yaml.rs")]);
}

/// When a reading matters is said once for all that only run less by it: a mistake there
/// must not become one of the accounts.
#[test]
fn no_account_asks_when_a_reading_matters() {
    let harness = crate::common::root().join("harness");
    let mut all = Vec::new();
    for account in [
        "model-cpu",
        "model-a2a3",
        "model-a5",
        "contract",
        "enumerate",
    ] {
        sources(&harness.join(account).join("src"), &mut all);
    }
    assert!(all.len() > 50, "the sources are elsewhere");
    all.retain(|path| {
        std::fs::read_to_string(path)
            .expect("text")
            .contains("reading::")
    });
    assert_eq!(all, Vec::<std::path::PathBuf>::new());
}

/// No build here is for Windows: what only Unix has stands where Windows does not look.
#[test]
fn what_only_unix_has_stands_in_files_of_its_own() {
    let harness = crate::common::root().join("harness");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(&harness).expect("a folder") {
        let folder = entry.expect("an entry").path().join("src");
        if folder.is_dir() {
            sources(&folder, &mut all);
        }
    }
    let words = [
        "std::os::unix",
        "os::unix::",
        "os::fd::",
        "rustix",
        "signal_hook::iterator",
        "    iterator::Signals",
        "emulate_default_handler",
    ];
    all.retain(|path| {
        let text = std::fs::read_to_string(path).expect("text");
        words.iter().any(|word| text.contains(word))
    });
    all.sort();
    let own = [
        "cli/src/interrupt/signals.rs",
        "impl/src/system/groups.rs",
        "impl/src/system/resident.rs",
        "impl/src/system/unix.rs",
    ];
    assert_eq!(all, own.map(|path| harness.join(path)));
}

/// These panic where nothing can be written. What the command says goes through
/// its `out`, which lets it go.
#[test]
fn nothing_that_a_user_runs_prints_by_itself() {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(crate::common::root().join("harness")).expect("a folder") {
        let folder = entry.expect("an entry").path().join("src");
        if folder.is_dir() {
            sources(&folder, &mut all);
        }
    }
    assert!(all.len() > 100);
    for path in all {
        let text = std::fs::read_to_string(&path).expect("text");
        for word in ["print!(", "println!("] {
            let own = text.match_indices(word).map(|(at, _)| &text[..at]);
            let bare = |before: &str| !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let mut own = own.filter(|before| bare(before) || before.ends_with('e'));
            let line = own.next().map(|before| before.lines().count());
            assert_eq!(line, None, "{}: {word}", path.display());
        }
    }
}
