//! Clause numbers as they are read from files.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use ptodiff_isa::Clause;

use crate::limits::MAX_CLAUSE;

/// Numbers seen so far. A [`Clause`] holds a `&'static str` because the rest
/// of the harness writes them as constants; each different one is kept once.
static SEEN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// The clause that `text` names, if it has the form of a clause's number:
/// document, subject and number, as in `MSCATTER-OOB-03`. Whether the register
/// has it is not asked here.
#[must_use]
pub fn clause(text: &str) -> Option<Clause> {
    let mut parts: Vec<&str> = text.split('-').collect();
    let number = parts.pop()?;
    let word = |part: &&str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
    };
    let formed = text.len() <= MAX_CLAUSE
        && parts.len() >= 2
        && parts.iter().all(word)
        && parts[0].starts_with(|c: char| c.is_ascii_uppercase())
        && !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit());
    if !formed {
        return None;
    }
    // A poisoned set is still a set: insertion cannot leave it half done.
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = seen.get(text) {
        return Some(Clause(known));
    }
    let kept: &'static str = Box::leak(text.to_owned().into_boxed_str());
    seen.insert(kept);
    Some(Clause(kept))
}
