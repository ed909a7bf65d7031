//! Readings that the user chooses for a whole run.

use crate::exit::Error;

/// The choices that `--reading` gave, each gap once.
///
/// # Errors
/// A gap is answered in two ways.
pub(crate) fn chosen(given: &[(String, String)]) -> Result<Vec<(String, String)>, Error> {
    let mut chosen: Vec<(String, String)> = Vec::with_capacity(given.len());
    for (gap, choice) in given {
        match chosen.iter().find(|(known, _)| known == gap) {
            None => chosen.push((gap.clone(), choice.clone())),
            Some((_, before)) if before == choice => {}
            Some((_, before)) => {
                return Err(Error::usage(format!(
                    "--reading gives {gap} twice, as {before} and as {choice}: one is right"
                )));
            }
        }
    }
    Ok(chosen)
}
