//! What is said of texts: the pages of `said`. A line `reads` names each case of a text, and
//! `sets aside` says how many of the mistakes, the last ones, are no reason to read none.

use std::path::Path;

use ptodiff_case::SourceFile;

use crate::{
    extract,
    page::{Said, follow},
};

fn said(_: &str, text: &str) -> Said {
    let read = extract(text);
    let ids = read.cases.iter().map(|case| &case.id);
    let mut of_text: String = ids.map(|id| format!("reads {id}\n")).collect();
    if !read.set_aside.is_empty() {
        of_text += &format!("sets aside {}\n", read.set_aside.len());
    }
    Said {
        file: SourceFile {
            path: "f.pto".into(),
            text: text.to_owned(),
        },
        read: of_text,
        found: [read.mistakes, read.set_aside].concat(),
    }
}

#[test]
fn what_is_said_of_each_text_is_what_its_page_has() {
    follow(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/said"),
        said,
    );
}
