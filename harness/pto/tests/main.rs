//! `.pto` files: what they say, what is wrong with them, and what is written.

#[path = "../../case/tests/blocks.rs"]
mod blocks;
mod calls;
mod hostile;
#[path = "../../case/tests/page.rs"]
mod page;
mod pages;
#[path = "../../record/tests/shown.rs"]
mod shown;
mod written;

use std::{collections::BTreeMap, path::Path};

use ptodiff_case::{Case, Corpus, Foreign as _};
use ptodiff_pto::{Files, Known};

/// What `text` says, as the file `f.pto`.
fn extract(text: &str) -> Corpus {
    Files::default().read(Path::new("f.pto"), text)
}

/// The cases of `text`, which has no mistake.
fn cases(text: &str) -> Vec<Case> {
    let read = extract(text);
    assert_eq!(read.mistakes, [], "{text}");
    assert_eq!(read.set_aside, [], "{text}");
    read.cases
}

/// Reads with numbers for values that no constant says.
fn with(numbers: BTreeMap<String, u64>) -> Files {
    Files::new(Known {
        numbers,
        ..Known::default()
    })
}
