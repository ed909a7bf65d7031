//! Launch parameters of a call.

use ptodiff_isa::{CacheFlush, Dispatch, Launch};

use super::keys::Keys;
use crate::limits::MAX_DYN_UB;
use crate::notes::Notes;

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
