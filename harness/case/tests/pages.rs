//! What is said of texts: the pages of `said`. A block `yaml` is a file of cases, `yaml names` one
//! of a suite whose names are checked, `yaml waivers` one of waivers.

use std::path::Path;

use ptodiff_case::{Code, LoadError, check_names, load_str, waiver, warnings};

use crate::page::{self, Said};

fn said(kind: &str, text: &str) -> Said {
    let read = match kind {
        "yaml" | "yaml names" => load_str("a.yaml", text).map(|corpus| {
            let mut found = warnings(&corpus.old_words);
            if kind == "yaml names" {
                found.extend(check_names(&corpus));
            }
            (found, corpus.files)
        }),
        "yaml waivers" => waiver::load_str("a.yaml", text)
            .map(|waivers| (warnings(&waivers.old_words), vec![waivers.file])),
        _ => panic!("unknown: {kind}"),
    };
    let (found, mut files) = read.unwrap_or_else(|error| {
        let shown = error.to_string();
        let LoadError { diagnostics, files } = error;
        assert!(shown.starts_with(&diagnostics[0].summary()), "{shown}");
        (diagnostics, files)
    });
    Said {
        file: files.remove(0),
        read: String::new(),
        found,
    }
}

/// Follows all pages: the codes of all that is said.
pub(crate) fn follow() -> Vec<Code> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/said");
    page::follow(&folder, said)
}

#[test]
fn what_is_said_of_each_text_is_what_its_page_has() {
    follow();
}
