//! Folders that are not there: what is named is an error, what is usual is missed aloud.

use crate::common::{folder_with, ptodiff, root, scatter};

#[test]
fn cases_that_were_named_and_are_not_there_are_an_error() {
    let folder = folder_with(&scatter("one", ""));
    for command in [
        &["explain", "MSCATTER-ATOM-18"][..],
        &["explain", "MSCATTER-GAP-10"],
        &["explain", "a/one"],
        &["trace", "one", "--target", "a5"],
        &["asm", "one"],
    ] {
        let args = [command, &["--cases", "nowhere"]].concat();
        let done = ptodiff(folder.path(), &args);
        assert_eq!(done.code, 2, "{args:?}: {}{}", done.out, done.err);
        let said = "cannot read nowhere: No such file";
        assert!(done.err.contains(said), "{args:?}: {}", done.err);
        assert_eq!(done.out, "", "{args:?}");
    }
}

#[test]
fn where_no_cases_are_a_clause_says_that_its_cases_are_not_listed() {
    let folder = folder_with("");
    let done = ptodiff(folder.path(), &["explain", "MSCATTER-ATOM-18"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let said = "  no case is listed: there is no folder `cases` here, --cases names one\n";
    assert!(done.out.contains(said), "{}", done.out);
    let here = ptodiff(&root(), &["explain", "MSCATTER-ATOM-18"]);
    assert!(!here.out.contains("no case is listed"), "{}", here.out);
    let name = ptodiff(folder.path(), &["explain", "mscatter/one"]);
    assert_eq!(name.code, 2, "{}", name.out);
    assert!(
        name.err.contains("there is no folder `cases` here"),
        "{}",
        name.err
    );
}

#[test]
fn a_hunt_says_that_it_knows_no_holes_where_they_are_not() {
    let hunt = ["hunt", "--count", "50", "--quick"];
    let said =
        "  all are taken for new: there is no folder `cases/holes` here, --known names one\n";
    let folder = folder_with("");
    let done = ptodiff(folder.path(), &hunt);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains(said), "{}", done.out);
    let wanted = ptodiff(folder.path(), &[&hunt[..], &["--known", "none"]].concat());
    assert!(!wanted.out.contains("taken for new"), "{}", wanted.out);
    let known = ptodiff(&root(), &hunt);
    assert!(!known.out.contains("taken for new"), "{}", known.out);
}
