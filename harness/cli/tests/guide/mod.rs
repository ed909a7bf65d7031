//! README and the guide: every command in them is run, in a copy of the parts of
//! a checkout that they use, and prints what they show. `...` stands for what is
//! left out; a command that ends with another code than 0 says `# exits CODE`.
//! A block of YAML, Python or TOML that begins with `# NAME` is written to that
//! file first.

mod console;
mod text;

use std::{fs, thread};

use console::{Checkout, blocks};

use crate::common::{ptodiff, root};

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

#[test]
fn every_command_prints_what_is_shown() {
    let pages = pages();
    let (mut wrong, mut commands) = (String::new(), 0);
    thread::scope(|scope| {
        let all: Vec<_> = pages
            .iter()
            .map(|(name, page)| scope.spawn(|| Checkout::new().follow(name, page)))
            .collect();
        for page in all {
            let (of_page, number) = page.join().expect("no panic");
            wrong += &of_page;
            commands += number;
        }
    });
    assert!(wrong.is_empty(), "{wrong}");
    assert!(commands >= 50, "{commands}: the blocks are not found");
}

/// Who has the command alone has the cases all the same.
#[test]
fn the_first_pages_hold_outside_a_checkout() {
    let first = ["README.md", "start-here.md", "first-case.md"];
    let pages = pages();
    let first = pages
        .iter()
        .filter(|(name, _)| first.contains(&name.as_str()));
    let mut followed = 0;
    for (name, page) in first {
        let (wrong, commands) = Checkout::archive().follow(name, page);
        assert!(wrong.is_empty(), "{wrong}");
        followed += commands;
    }
    assert!(followed >= 15, "{followed}");
}

/// Those that are right; what rejects the others is a test of their reader.
#[test]
fn the_examples_of_cases_conform() {
    let text = fs::read_to_string(root().join("cases/README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let right = blocks(&text)
        .into_iter()
        .filter(|block| block.tag == "yaml");
    let mut examples = 0;
    for block in right {
        examples += 1;
        let file = folder.path().join(format!("example_{examples}.yaml"));
        fs::write(file, block.lines.join("\n")).unwrap();
    }
    assert!(examples >= 10, "{examples}");
    let done = ptodiff(folder.path(), &["run", "."]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
}

#[test]
fn the_page_of_holes_lists_those_that_are_kept() {
    let page = fs::read_to_string(root().join("cases/holes/README.md")).unwrap();
    let (_, listed) = page
        .split_once("<!-- ptodiff holes --format markdown -->\n")
        .expect("the list begins");
    let printed = ptodiff(&root(), &["holes", "--format", "markdown"]);
    assert_eq!(printed.code, 0, "{}", printed.err);
    assert_eq!(listed.trim(), printed.out.trim());
}
