//! Policies and launch parameters of a call.

use ptodiff_isa::{GatherOob, Launch, ScatterOob};

use super::keys::{Keys, key};
use crate::code::Code;
use crate::limits::MAX_DYN_UB;
use crate::notes::Notes;
use crate::raw::Value;
use crate::word::{EitherOf, Named, OneOf};

/// A policy: its default where the case does not say, nothing where it is wrong.
pub(super) fn policy<T: Named + Default>(
    notes: &mut Notes<'_>,
    what: &str,
    word: Option<&Value<OneOf<T>>>,
) -> Option<T> {
    match word {
        Some(word) => notes.name(what, word),
        None => Some(T::default()),
    }
}

/// What a scatter does with an index at or above capacity.
pub(super) fn scatter_oob(
    notes: &mut Notes<'_>,
    word: Option<&Value<EitherOf<ScatterOob, GatherOob>>>,
) -> Option<ScatterOob> {
    let Some(word) = word else {
        return Some(ScatterOob::default());
    };
    if word.value.text.parse::<GatherOob>() == Ok(GatherOob::Zero) {
        let message = "MSCATTER has no policy Zero";
        let label = "belongs to MGATHER";
        notes.add(Code::NotApplicable, &word.span, message, label);
        return None;
    }
    notes.name_of("ScatterOOB", &word.value.text, &word.span)
}

/// What a gather does with an index at or above capacity.
pub(super) fn gather_oob(
    notes: &mut Notes<'_>,
    word: Option<&Value<EitherOf<ScatterOob, GatherOob>>>,
) -> Option<GatherOob> {
    let Some(word) = word else {
        return Some(GatherOob::default());
    };
    if word.value.text.parse::<ScatterOob>() == Ok(ScatterOob::Skip) {
        let message = "MGATHER has no policy Skip";
        let label = "belongs to MSCATTER";
        notes.add(Code::NotApplicable, &word.span, message, label);
        return None;
    }
    notes.name_of("GatherOOB", &word.value.text, &word.span)
}

/// How the kernel was launched.
pub(super) fn launch(notes: &mut Notes<'_>, keys: &Keys<'_>) -> Option<Launch> {
    let Some(raw) = key!(keys, launch).map(|launch| &launch.value) else {
        return Some(Launch::default());
    };
    let bytes = raw
        .dyn_ub
        .as_ref()
        .map(|word| notes.count("dyn_ub", word, 0, MAX_DYN_UB));
    let dispatch = policy(notes, "dispatch", raw.dispatch.as_ref());
    let flush = policy(notes, "flush", raw.flush.as_ref());
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
