//! What is odd about how an operation is written, though it reads well.

use std::ops::Range;

use ptodiff_isa::{Call, Coalesce, Role, Tile, TileType};

use crate::reader::Found;
use crate::resolve::Constants;
use crate::scope::{Meaning, Number, Scope};
use crate::text::Part;
use crate::word;

/// What is odd about an operation.
pub(crate) struct Remark {
    pub(crate) rule: &'static str,
    pub(crate) at: Range<usize>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

/// Adds to `remarks` what is odd about how `call`, whose operands have these names, is written.
pub(crate) fn remarks<'t>(
    found: &Found<'_, 't>,
    call: &Call,
    names: &[(Role, Part<'t>)],
    constants: Constants<'_>,
    remarks: &mut Vec<Remark>,
) {
    let written = &found.written;
    if let Some(device) = found.device {
        remarks.push(Remark {
            rule: "unknown-target",
            at: device.range(),
            message: format!(
                "of the device {} no target is known: taken for all",
                device.text
            ),
            help: Some("write `pto.target_arch`".to_owned()),
        });
    }
    // A gather to L1 fills its scratch before it reads it.
    let writes = |(role, _): &&(Role, Part<'_>)| *role == call.output() || *role == Role::Scratch;
    let (to, from): (Vec<_>, Vec<_>) = names.iter().partition(writes);
    let lies = |(role, name): &(Role, Part<'_>)| {
        let tile = *call.operand(*role)?.tile()?;
        lies(found.scope, tile, *name, constants)
    };
    let both = from.iter().find_map(|read| {
        let out = to.iter().find(|out| match (lies(read), lies(out)) {
            (Some((one, a)), Some((other, b))) if read.1.text != out.1.text => {
                one == other && a.start < b.end && b.start < a.end
            }
            _ => read.1.text == out.1.text,
        })?;
        Some((read.1, out.1))
    });
    if let Some((read, out)) = both {
        let what = match read.text == out.text {
            true => format!("`{}` is read and written", read.text),
            false => format!("`{}` is read and overlaps `{}`", read.text, out.text),
        };
        let (rule, but) = match call {
            Call::TscatterMask(_) => (
                "precondition",
                "A5 zeroes what it writes before it reads (TSCATTER-MASK-12)",
            ),
            _ => ("same-operand", "no document says in which order"),
        };
        remarks.push(Remark {
            rule,
            at: read.range(),
            message: format!("{what}: {but}, and ptodiff keeps the two apart"),
            help: Some("write to one of its own".to_owned()),
        });
    }
    if let Some(mode) = call.mode()
        && written.attributes.get("coalesce").is_none()
    {
        let like_data = match call
            .operand(Role::Index)
            .and_then(|idx| idx.tile().copied())
        {
            Some(idx) => {
                let data = call.data_tile();
                idx.valid_row.get() == data.valid_row.get()
                    && idx.valid_col.get() == data.valid_col.get()
            }
            None => false,
        };
        let but = match like_data {
            true => "; the index has the data's shape, which is how Elem is written",
            false => "",
        };
        let (call, other) = match mode {
            Coalesce::Row => ("the C++ call", Coalesce::Elem),
            Coalesce::Elem => ("the C++ call with a scratch", Coalesce::Row),
        };
        let word = word::of(mode);
        remarks.push(Remark {
            rule: "missing-coalesce",
            at: written.name.range(),
            message: format!(
                "no `coalesce`: taken as {mode}, the default of {call}; versions of the \
                 assembler take the mode from the index's shape, or reject it{but}"
            ),
            help: Some(format!(
                "write `coalesce = #pto<coalesce {word}>`, or `{}`",
                word::of(other)
            )),
        });
    }
}

/// In which memory the tile `name` lies, and in which bytes of it, as far as that is known.
fn lies(
    scope: &Scope<'_>,
    tile: Tile,
    name: Part<'_>,
    constants: Constants<'_>,
) -> Option<(TileType, Range<u64>)> {
    let Meaning::Tile { at: Some(at), .. } = scope.get(name.text)?.means else {
        return None;
    };
    let at = match at {
        Number::Known(at) => at,
        Number::Of(name) => constants(name.text.trim_start_matches('%'))?,
    };
    let bytes = tile.rows * tile.cols * tile.dtype.size() as u64;
    Some((tile.location, at..at.checked_add(bytes)?))
}
