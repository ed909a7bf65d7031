//! Policies and launch parameters of a call.

use ptodiff_isa::{CacheFlush, Dispatch, GatherOob, Launch, ScatterOob};

use super::keys::Keys;
use crate::code::Code;
use crate::format::Names;
use crate::limits::MAX_DYN_UB;
use crate::notes::Notes;
use crate::yaml::Node;

/// A policy: its default where the case does not say, nothing where it is wrong.
pub(super) fn policy<T: Names + Default>(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    key: &str,
) -> Option<T> {
    notes.name_or(key, keys.get(key), T::default())
}

/// What a scatter does with an index at or above capacity.
pub(super) fn scatter_oob(notes: &mut Notes<'_>, keys: &Keys<'_>) -> Option<ScatterOob> {
    let word = keys.get("oob");
    not_of_other(notes, word, GatherOob::Zero.into(), ["MSCATTER", "MGATHER"])?;
    policy(notes, keys, "oob")
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
    policy(notes, keys, "oob")
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
    let dispatch = notes.name_or("dispatch", raw.get("dispatch"), Dispatch::default());
    let flush = notes.name_or("flush", raw.get("flush"), CacheFlush::default());
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
