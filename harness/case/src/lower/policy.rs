//! Policies and launch parameters of a call.

use ptodiff_isa::{CacheFlush, Dispatch, GatherOob, Launch, ScatterOob};

use super::keys::Keys;
use crate::code::Code;
use crate::format::Names;
use crate::limits::MAX_DYN_UB;
use crate::notes::Notes;

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
    oob(notes, keys, GatherOob::Zero.into(), ["MSCATTER", "MGATHER"])
}

/// What a gather does with an index at or above capacity.
pub(super) fn gather_oob(notes: &mut Notes<'_>, keys: &Keys<'_>) -> Option<GatherOob> {
    oob(
        notes,
        keys,
        ScatterOob::Skip.into(),
        ["MGATHER", "MSCATTER"],
    )
}

/// The policy of the `own` instruction; `elsewhere` is one that the `other` has alone.
fn oob<T: Names + Default>(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    elsewhere: &str,
    [own, other]: [&str; 2],
) -> Option<T> {
    let word = keys.get("oob");
    if let Some(word) = word.filter(|word| word.word() == elsewhere) {
        let message = format!("{own} has no policy {elsewhere}");
        let label = format!("belongs to {other}");
        notes
            .add(Code::NotApplicable, &word.span, message, label)
            .help = Some(format!("{own} has {}", T::names().join(", ")));
        return None;
    }
    policy(notes, keys, "oob")
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
