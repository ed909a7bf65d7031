//! README and the guide: every command in them is run, in a copy of the parts of
//! a checkout that they use, and prints what they show. `...` stands for what is
//! left out; a command that ends with another code than 0 says `# exits CODE`.
//! A block of YAML, Python or TOML that begins with `# NAME` is written to that
//! file first.

mod text;

use std::{fs, thread};

use crate::{
    blocks::blocks,
    common::{ptodiff, root},
    console::{Place, differs, lacks},
};

/// The pages whose commands are run: name and text. The generated ones have none.
fn pages() -> Vec<(String, String)> {
    let mut pages: Vec<(String, String)> = chapters();
    let readme = fs::read_to_string(root().join("README.md")).expect("the page");
    pages.push(("README.md".to_owned(), readme));
    pages
}

/// The chapters of the guide by name.
fn chapters() -> Vec<(String, String)> {
    let folder = root().join("harness/cli/guide");
    let mut chapters: Vec<_> = fs::read_dir(&folder)
        .expect("the guide")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .map(|path| {
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (name, fs::read_to_string(path).expect("the page"))
        })
        .collect();
    chapters.sort();
    chapters
}

/// What a reader sees first holds for who has the command alone: the cases are in it.
const ALONE: [&str; 3] = ["README.md", "start-here.md", "first-case.md"];

/// The parts of a checkout that pages use.
const CHECKOUT: [&str; 4] = [
    "cases",
    "scripts/implementations",
    "reports/waivers.yaml",
    "reports/baseline.json",
];
/// What is beside the command in an archive, as far as pages use it.
const ARCHIVE: [&str; 1] = ["scripts/implementations/minimal.py"];

#[test]
fn every_command_prints_what_is_shown() {
    let pages = pages();
    let (mut wrong, mut commands, mut alone) = (String::new(), 0, 0);
    thread::scope(|scope| {
        let follow = |(name, page): &(String, String)| {
            let parts = match ALONE.contains(&name.as_str()) {
                true => &ARCHIVE[..],
                false => &CHECKOUT,
            };
            Place::with(parts).follow(name, blocks(page).iter())
        };
        let all = pages
            .iter()
            .map(|page| (page, scope.spawn(move || follow(page))));
        for ((name, _), page) in all.collect::<Vec<_>>() {
            let (of_page, number) = page.join().expect("no panic");
            wrong += &of_page;
            commands += number;
            alone += usize::from(ALONE.contains(&name.as_str())) * number;
        }
    });
    assert!(wrong.is_empty(), "{wrong}");
    assert!(
        commands >= 50 && alone >= 15,
        "{commands} {alone}: the blocks are not found"
    );
}

/// Those that are right; what rejects the others is a test of their reader.
#[test]
fn the_examples_of_cases_conform() {
    let text = fs::read_to_string(root().join("cases/README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let right = blocks(&text).into_iter();
    let mut examples = 0;
    for (_, _, example) in right.filter(|(_, tag, _)| *tag == "yaml") {
        examples += 1;
        let file = folder.path().join(format!("example_{examples}.yaml"));
        fs::write(file, example).unwrap();
    }
    assert!(examples >= 10, "{examples}");
    let done = ptodiff(folder.path(), &["run", "."]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
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
    let has = |lines: &[&str]| lacks(lines, printed).is_none();
    assert!(has(&["three", "one"]) && has(&["... half"]) && has(&[]) && has(&["! thr"]));
    assert!(!has(&["thr"]) && !has(&["one", "! ...hree"]));
}
