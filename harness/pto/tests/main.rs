//! `.pto` files: what they say, what is wrong with them, and what is written.

mod fifty;
mod hostile;
#[path = "../../case/tests/page.rs"]
mod page;
mod pages;
mod read;
mod written;

use std::path::Path;

use ptodiff_case::{Case, Extract, Foreign as _};
use ptodiff_pto::{Files, Known};

/// What `text` says, as the file `f.pto`.
fn extract(text: &str) -> Extract {
    Files::default().read(Path::new("f.pto"), text)
}

/// The cases of `text`, which has no mistake.
fn cases(text: &str) -> Vec<Case> {
    let read = extract(text);
    assert_eq!(read.found, [], "{text}");
    assert_eq!(read.set_aside, [], "{text}");
    read.cases.into_iter().map(|(case, _)| case).collect()
}

/// The one case of `text`.
fn case(text: &str) -> Case {
    let mut cases = cases(text);
    assert_eq!(cases.len(), 1, "{text}");
    cases.remove(0)
}

/// Reads with numbers for values that no constant says.
fn with(numbers: &[(&str, u64)]) -> Files {
    let numbers = numbers.iter().map(|(name, n)| ((*name).to_owned(), *n));
    Files::new(Known {
        numbers: numbers.collect(),
        ..Known::default()
    })
}
