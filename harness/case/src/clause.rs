//! Clause numbers as they are read from files.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use ptodiff_isa::Clause;

use crate::limits::MAX_CLAUSE;
use crate::suggest;

/// Numbers seen so far. A [`Clause`] holds a `&'static str` because the rest
/// of the harness writes them as constants; each different one is kept once.
static SEEN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// The clause that `text` names, if it has the form of a clause's number:
/// document, implementation and number, as in `MSCATTER-OOB-03`. Whether the register
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

/// Why a text names no clause of the register.
pub(crate) struct Unknown {
    /// Whether it has the form of a clause's number.
    pub(crate) is_number: bool,
    /// What may be meant.
    pub(crate) help: Option<String>,
}

/// The clause or gap of the register that `text` names.
pub(crate) fn known(text: &str) -> Result<Clause, Unknown> {
    let clause = clause(text);
    let help = match clause {
        Some(clause) if ptodiff_register::find(clause.0).is_some() => return Ok(clause),
        Some(clause) => near(clause.0),
        None => {
            let meant = ptodiff_register::find(&text.trim().to_uppercase());
            meant.map(|entry| format!("did you mean `{}`?", entry.id))
        }
    };
    let is_number = clause.is_some();
    Err(Unknown { is_number, help })
}

/// Whether `clause` is a gap, by its number.
pub(crate) fn is_gap(clause: Clause) -> bool {
    clause.0.contains("-GAP-")
}

/// What may be meant by a number that the register does not have: one of its
/// group, or the same number in a group of nearly that name.
fn near(text: &str) -> Option<String> {
    let (group, number) = text.rsplit_once('-')?;
    let ids = || ptodiff_register::entries().iter().map(|entry| entry.id);
    let group_of = |id: &'static str| id.rsplit_once('-').map_or(id, |(group, _)| group);
    let same: Vec<_> = ids().filter(|id| group_of(id) == group).collect();
    let Some(last) = same.last() else {
        let group = suggest::nearest(group, ids().map(group_of))?;
        let meant = format!("{group}-{number}");
        let meant = if ptodiff_register::find(&meant).is_some() {
            meant
        } else {
            format!("{group}-..")
        };
        return Some(format!("did you mean `{meant}`?"));
    };
    let near = suggest::nearest(text, same.iter().copied());
    let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
    Some(format!("{near}its group goes up to `{last}`"))
}
