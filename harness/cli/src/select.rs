//! From paths and filters to the cases that were meant.

use ptodiff_case::{Case, Corpus};

use crate::{args::Selection, exit::Error};

/// Loads the corpus and keeps what was selected, in the corpus' order.
///
/// # Errors
/// Bad cases, or nothing selected.
pub(crate) fn load(selection: &Selection) -> Result<Corpus, Error> {
    let mut corpus = ptodiff_case::load(&selection.paths)?;
    let all = corpus.cases.len();
    corpus.cases.retain(|case| wanted(selection, case));
    if corpus.cases.is_empty() {
        return Err(Error::nothing(format!(
            "none of the {all} cases is selected by --filter and --suite; `ptodiff list` shows their ids"
        )));
    }
    Ok(corpus)
}

fn wanted(selection: &Selection, case: &Case) -> bool {
    let filter = selection.filter.is_empty()
        || selection.filter.iter().any(|f| match f.strip_prefix('=') {
            Some(exact) => case.id == exact,
            None => case.id.contains(f.as_str()),
        });
    filter && selection.suite.is_none_or(|s| case.suite == Some(s))
}
