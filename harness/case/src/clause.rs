//! Clause numbers as they are read from files.

use ptodiff_isa::Clause;

use crate::limits::MAX_CLAUSE;
use crate::suggest;

/// Whether `text` has the form of a clause's number: document, implementation and number, as in
/// `MSCATTER-OOB-03`.
fn is_number(text: &str) -> bool {
    let mut parts: Vec<&str> = text.split('-').collect();
    let number = parts.pop().unwrap_or_default();
    let word = |part: &&str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
    };
    text.len() <= MAX_CLAUSE
        && parts.len() >= 2
        && parts.iter().all(word)
        && parts[0].starts_with(|c: char| c.is_ascii_uppercase())
        && !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit())
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
    if let Some(entry) = ptodiff_register::find(text) {
        return Ok(Clause(entry.id));
    }
    let is_number = is_number(text);
    let help = match is_number {
        true => near(text),
        false => {
            let meant = ptodiff_register::find(&text.trim().to_uppercase());
            meant.map(|entry| format!("did you mean `{}`?", entry.id))
        }
    };
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
