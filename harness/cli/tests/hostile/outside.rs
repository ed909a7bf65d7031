//! Nothing is written outside of the folder that is named, whatever a name
//! holds and whatever stands there.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use crate::common::{Done, folder_with, ptodiff, scatter, suites};

/// Every file and link below `folder`, with what it holds.
fn below(folder: &Path, all: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let kind = fs::symlink_metadata(&path).expect("an entry").file_type();
        if kind.is_dir() {
            below(&path, all);
        } else if kind.is_file() {
            let bytes = fs::read(&path).expect("a file");
            all.insert(path, bytes);
        }
    }
}

/// A folder beside the one that is written to, with a precious file. Links to
/// it stand in `out` under `names`, and one to nothing.
struct Trap {
    folder: tempfile::TempDir,
}

impl Trap {
    fn new(text: &str, names: &[&str]) -> Self {
        let folder = folder_with(text);
        let precious = folder.path().join("precious");
        fs::create_dir(&precious).expect("a folder");
        fs::write(precious.join("file"), "precious").expect("a file");
        fs::create_dir(folder.path().join("out")).expect("a folder");
        for (n, name) in names.iter().enumerate() {
            let to = if n % 2 == 0 { "file" } else { "nothing" };
            symlink(precious.join(to), folder.path().join("out").join(name)).expect("a link");
        }
        Self { folder }
    }

    fn run(&self, args: &[&str]) -> Done {
        ptodiff(self.folder.path(), args)
    }

    /// That all of `names` are plain files in `out` now, and nothing else changed.
    #[track_caller]
    fn held(&self, names: &[&str]) {
        for name in names {
            let path = self.folder.path().join("out").join(name);
            let kind = fs::symlink_metadata(&path).expect(name).file_type();
            assert!(kind.is_file(), "{name} is still a link");
        }
        let mut all = BTreeMap::new();
        below(self.folder.path(), &mut all);
        all.retain(|path, _| !path.starts_with(self.folder.path().join("out")));
        all.remove(&self.folder.path().join("a.yaml"));
        let precious = self.folder.path().join("precious/file");
        assert_eq!(all, BTreeMap::from([(precious, b"precious".to_vec())]));
    }
}

#[test]
fn a_run_replaces_links_in_its_folder() {
    let names = [
        "run.jsonl",
        "report.html",
        "summary.txt",
        "summary.md",
        "junit.xml",
        "coverage.json",
    ];
    let trap = Trap::new(&scatter("one", ""), &names);
    let done = trap.run(&["run", "a.yaml", "--out", "out"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    trap.held(&names);
}

#[test]
fn a_case_cannot_name_a_place() {
    for name in [
        "a/b",
        "../../owned",
        "/owned",
        "..",
        ".",
        "a\\\\b",
        "a\\0b",
        "a\\nb",
        "a\\u202eb",
    ] {
        let trap = Trap::new(&scatter(&format!("\"{name}\""), ""), &[]);
        let done = trap.run(&["run", "a.yaml", "--out", "out"]);
        assert_eq!(done.code, 2, "{name}: {}", done.err);
        assert!(done.err.contains("PTO-C"), "{name}: {}", done.err);
        trap.held(&[]);
    }
    for name in [
        "CON", "nul.txt", "-rf", "~", "$HOME", "%TEMP%", "a:b", "a*?",
    ] {
        let trap = Trap::new(&scatter(&format!("\"{name}\""), ""), &[]);
        let done = trap.run(&["run", "a.yaml", "--out", "out"]);
        assert_eq!(done.code, 0, "{name}: {}", done.err);
        let done = trap.run(&["export", name, "--cases", "a.yaml", "--npy", "out"]);
        assert!(
            done.code == 0 || name.starts_with('-'),
            "{name}: {}",
            done.err
        );
        trap.held(&[]);
    }
    let long = "x".repeat(200);
    let trap = Trap::new(&scatter(&long, ""), &[]);
    assert_eq!(trap.run(&["run", "a.yaml", "--out", "out"]).code, 0);
    let trap = Trap::new(&scatter(&format!("{long}x"), ""), &[]);
    let done = trap.run(&["run", "a.yaml", "--out", "out"]);
    assert!(
        done.code == 2 && done.err.contains("200 characters"),
        "{}",
        done.err
    );
}

#[test]
fn an_export_replaces_links_in_its_folder() {
    let names = ["tile.npy", "index.npy", "table.npy", "result-a5.npy"];
    let trap = Trap::new(&scatter("one", ""), &names);
    let done = trap.run(&["export", "one", "--cases", "a.yaml", "--npy", "out"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    trap.held(&names);
}

#[test]
fn an_export_of_a_suite_writes_into_folders_of_its_own_alone() {
    let cases = suites();
    let id = "MSCATTERTest.case_row_float_random_8x32_64rows";
    let args = |out: &str| {
        let cases = cases.to_str().expect("text").to_owned();
        let all = [
            "st", "export", "--suite", "a5", "--cases", &cases, "--filter", id, "--out", out,
        ];
        all.map(str::to_owned)
    };
    let first = Trap::new("", &[]);
    let words = args("out");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = first.run(&words);
    let mut made = BTreeMap::new();
    below(&first.folder.path().join("out"), &mut made);
    let Some(path) = made.keys().next() else {
        panic!("nothing was made: {}{}", done.out, done.err)
    };
    let folder = path.parent().and_then(Path::file_name).expect("a folder");
    let folder = folder.to_str().expect("text");
    // A link in the place of a file is replaced ...
    let trap = Trap::new("", &[]);
    let here = trap.folder.path().join("out").join(folder);
    fs::create_dir(&here).expect("a folder");
    let name = path.file_name().expect("a name").to_str().expect("text");
    let precious = trap.folder.path().join("precious");
    symlink(precious.join("file"), here.join(name)).expect("a link");
    let done = trap.run(&words);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    trap.held(&[&format!("{folder}/{name}")]);
    // ... and one in the place of a folder is rejected.
    let trap = Trap::new("", &[]);
    let precious = trap.folder.path().join("precious");
    symlink(&precious, trap.folder.path().join("out").join(folder)).expect("a link");
    let done = trap.run(&words);
    assert_eq!(done.code, 70, "{}{}", done.out, done.err);
    assert!(done.err.contains(folder), "{}", done.err);
    trap.held(&[]);
}

#[test]
fn a_program_replaces_links_only_by_force() {
    let trap = Trap::new(&scatter("one", ""), &["main.cpp", "README.md"]);
    let args = ["cpp", "--harness", "out", "--cases", "a.yaml"];
    let done = trap.run(&args);
    assert_eq!(done.code, 2, "{}{}", done.out, done.err);
    assert!(done.err.contains("--force"), "{}", done.err);
    trap_is_untouched(&trap);
    let done = trap.run(&[&args[..], &["--force"]].concat());
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    trap.held(&["main.cpp", "README.md"]);
}

fn trap_is_untouched(trap: &Trap) {
    for name in ["main.cpp", "README.md"] {
        let path = trap.folder.path().join("out").join(name);
        let kind = fs::symlink_metadata(path).expect(name).file_type();
        assert!(kind.is_symlink(), "{name}");
    }
}

#[test]
fn a_blessing_replaces_a_link() {
    let trap = Trap::new(&scatter("one", ""), &["baseline.json"]);
    fs::create_dir(trap.folder.path().join("out/cases")).expect("a folder");
    let from = trap.folder.path().join("a.yaml");
    fs::copy(from, trap.folder.path().join("out/cases/a.yaml")).expect("a copy");
    let waivers = trap.folder.path().join("out/waivers.yaml");
    fs::write(waivers, "waivers: []\n").expect("a file");
    // The link has to hold a baseline, or it is a mistake.
    fs::remove_file(trap.folder.path().join("out/baseline.json")).expect("a link");
    let args = [
        "gate",
        "--cases",
        "out/cases",
        "--baseline",
        "out/waivers.yaml",
        "--bless",
        "--write",
    ];
    let done = trap.run(&args);
    assert!(done.out.contains("written"), "{}{}", done.out, done.err);
    let baseline = trap.folder.path().join("out/baseline.json");
    let kept = trap.folder.path().join("out/kept.json");
    fs::rename(&baseline, &kept).expect("moved");
    let old = fs::read_to_string(&kept).expect("text");
    symlink("kept.json", &baseline).expect("a link");
    let more = scatter("two", "");
    fs::write(trap.folder.path().join("out/cases/b.yaml"), more).expect("a file");
    let done = trap.run(&args);
    assert!(done.out.contains("written"), "{}{}", done.out, done.err);
    assert_eq!(fs::read_to_string(&kept).expect("text"), old);
    trap.held(&["baseline.json"]);
}

#[test]
fn kept_cases_replace_links() {
    let trap = Trap::new(&scatter("one", ""), &[]);
    let hunt = |more: &[&str]| {
        let all = [
            "hunt",
            "--count",
            "600",
            "--form",
            "tscatter-mask",
            "--rules",
            "broken",
            "--known",
            "none",
        ];
        trap.run(&[&all[..], &["--quick", "--keep", "out"], more].concat())
    };
    let done = hunt(&[]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let out = trap.folder.path().join("out");
    let kept = out.join("holes_tscatter_mask.yaml");
    assert!(kept.exists(), "{}", done.out);
    // The same cases stand elsewhere now, and a link leads there.
    let elsewhere = out.join("elsewhere");
    let text = fs::read_to_string(&kept).expect("text");
    let one = text.find("\n  - name:").expect("a case");
    let cut = text[one + 1..]
        .find("\n  - name:")
        .map_or(text.len(), |n| one + 2 + n);
    fs::write(&elsewhere, &text[..cut]).expect("written");
    fs::remove_file(&kept).expect("removed");
    symlink(&elsewhere, &kept).expect("a link");
    let done = hunt(&[]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert_eq!(fs::read_to_string(&elsewhere).expect("text"), text[..cut]);
    trap.held(&["holes_tscatter_mask.yaml"]);
}

/// What the user names and is no file takes the bytes and stays.
#[test]
fn a_pipe_that_is_named_is_written_to_and_stays() {
    let trap = Trap::new(&scatter("one", ""), &[]);
    assert_eq!(trap.run(&["run", "a.yaml", "--out", "out"]).code, 0);
    let pipe = trap.folder.path().join("out/pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("it runs").success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).expect("text")
    });
    let done = trap.run(&["report", "--from", "out/run.jsonl", "--md", "out/pipe"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(reader.join().expect("it reads").starts_with("## ptodiff"));
    assert!(!fs::symlink_metadata(&pipe).expect("a pipe").is_file());
    let done = trap.run(&["report", "--from", "out/run.jsonl", "--md", "/dev/stdout"]);
    assert!(
        done.out.starts_with("## ptodiff"),
        "{}{}",
        done.out,
        done.err
    );
    trap.held(&[]);
}
