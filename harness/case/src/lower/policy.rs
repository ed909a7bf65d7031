//! Policies and launch parameters of a call.

use ptodiff_isa::{GatherOob, Launch, ScatterOob};

use super::keys::Keys;
use crate::code::Code;
use crate::format::Names;
use crate::limits::MAX_DYN_UB;
use crate::notes::Notes;
use crate::yaml::Node;

/// A policy: its default where the case does not say, nothing where it is wrong.
pub(super) fn policy<T: Names + Default>(
    notes: &mut Notes<'_>,
    what: &str,
    word: Option<&Node>,
) -> Option<T> {
    notes.name_or(what, word, T::default())
}

/// What a scatter does with an index at or above capacity.
pub(super) fn scatter_oob(notes: &mut Notes<'_>, keys: &Keys<'_>) -> Option<ScatterOob> {
    let word = keys.get("oob");
    not_of_other(notes, word, GatherOob::Zero.into(), ["MSCATTER", "MGATHER"])?;
    policy(notes, "ScatterOOB", word)
}

/// What a gather does with an index at or above capacity.
pub(super) fn gather_oob(notes: &mut Notes<'_>, keys: &Keys<'_>) -> Option<GatherOob> {
    let word = keys.get("oob");
    not_of_other(
        notes,
        word,
        ScatterOob::Skip.into(),
        ["MGATHER", "MSCATTER"],
    )?;
    policy(notes, "GatherOOB", word)
}

/// Nothing where `word` is a `policy` that the `other` instruction has alone.
fn not_of_other(
    notes: &mut Notes<'_>,
    word: Option<&Node>,
    policy: &str,
    [own, other]: [&str; 2],
) -> Option<()> {
    let Some(word) = word.filter(|word| word.word() == policy) else {
        return Some(());
    };
    let message = format!("{own} has no policy {policy}");
    let label = format!("belongs to {other}");
    notes.add(Code::NotApplicable, &word.span, message, label);
    None
}

/// How the kernel was launched.
pub(super) fn launch(notes: &mut Notes<'_>, keys: &Keys<'_>) -> Option<Launch> {
    let Some(raw) = keys.get("launch") else {
        return Some(Launch::default());
    };
    let bytes = raw.get("dyn_ub");
    let bytes = bytes.map(|word| notes.count("dyn_ub", word, 0, MAX_DYN_UB));
    let dispatch = policy(notes, "dispatch", raw.get("dispatch"));
    let flush = policy(notes, "flush", raw.get("flush"));
    let dyn_ub_bytes = match bytes {
        Some(bytes) => Some(bytes?),
        None => None,
    };
    Some(Launch {
        dyn_ub_bytes,
        dispatch: dispatch?,
        flush: flush?,
    })
}
