//! Folders that are named and not there are an error.

use crate::common::{folder_with, ptodiff, scatter};

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
