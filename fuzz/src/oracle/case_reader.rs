//! What the reader of case files reads is written and read back the same.

use std::path::Path;

use ptodiff_case::{Case, Style, load_str};

use super::Finding;

/// The file that texts stand for.
const FILE: &str = "fuzz.yaml";

/// Holds the reader, and what writes a case as a file, to account on any text.
///
/// # Errors
/// If a case that was read is not the same after it was written, or a text is
/// rejected and nothing is said about it.
pub fn any_text(text: &str, write: &dyn Fn(&Case) -> String) -> Finding {
    match load_str(FILE, text) {
        Ok(corpus) => corpus
            .cases
            .iter()
            .try_for_each(|case| reads_back(case, &write(case))),
        Err(error) if error.render(Style::Plain).trim().is_empty() => {
            Err("rejected, and nothing is said about it".to_owned())
        }
        Err(_) => Ok(()),
    }
}

/// Whether `case` is the same once written as `text` and read.
///
/// # Errors
/// How it is another one, with its text.
pub fn reads_back(case: &Case, text: &str) -> Finding {
    // The id of a case of our own begins with the stem of its file.
    let stem = case.id.split('/').next().unwrap_or_default();
    let file = Path::new(stem).with_extension("yaml");
    let again = load_str(&file.to_string_lossy(), text).map_err(|error| {
        format!(
            "rejected once written:\n{}\n{text}",
            error.render(Style::Plain)
        )
    })?;
    let [again] = again.cases.as_slice() else {
        return Err(format!("{} cases of one:\n{text}", again.cases.len()));
    };
    let again = Case {
        place: case.place.clone(),
        ..again.clone()
    };
    if again == *case {
        return Ok(());
    }
    Err(format!(
        "another case once written:\n{case:#?}\nbecame\n{again:#?}\n{text}"
    ))
}
