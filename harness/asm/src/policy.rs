//! Template policies, as suffixes of a mnemonic or as entries of the dictionary.

use ptodiff_isa::{
    CacheFlush, Call, Coalesce, Dispatch, GatherExec, GatherOob, Launch, MaskAxis, MaskPattern,
    MscatterFirst, ScatterAtomicOp, ScatterConflict, ScatterOob,
};

use crate::{
    attribute::{Attributes, Dictionary},
    error::{At, Fault, Read},
    grammar::Spelling,
    word::Spelled,
};

const MODE: &str = "`Row` or `Elem`";

/// The suffixes of `call` in the order mode, OOB policy, atomic operation
/// (MSCATTER-ASM-04, MGATHER-ASM-04), each with its dot.
pub(crate) fn suffixes(call: &Call) -> String {
    let (mode, oob, atomic) = match call {
        Call::Mscatter(c) => (c.mode.word(), c.oob.word(), c.atomic.word()),
        Call::MscatterFirst(c) => (first_mode(c).word(), c.oob.word(), c.atomic.word()),
        Call::Mgather(c) => (c.mode.word(), c.oob.word(), None),
        Call::MgatherL1(c) => (c.mode.word(), c.oob.word(), None),
        Call::TscatterIndex(_) | Call::TscatterMask(_) | Call::Tgatherb(_) => (None, None, None),
    };
    let words = [mode, oob, atomic].into_iter().flatten();
    words.map(|word| format!(".{word}")).collect()
}

/// The mode that the first revision's mnemonic names: its calls have none, it
/// follows from the index tile's padded width. One column reads as rows there,
/// although the element form fits such an index too where the source is as
/// narrow (MSCATTER0-GAP-01).
pub(crate) const fn first_mode(call: &MscatterFirst) -> Coalesce {
    if call.idx.cols == 1 {
        Coalesce::Row
    } else {
        Coalesce::Elem
    }
}

/// Puts what the suffixes of a form in `spelling` do not say.
pub(crate) fn put(call: &Call, spelling: Spelling, dictionary: &mut Dictionary) {
    let bare = spelling != Spelling::Moded;
    if let Call::MscatterFirst(_) = call {
        dictionary.put("revision", Revision::First);
    }
    if bare && let Some(mode) = call.mode() {
        dictionary.put("mode", mode);
    }
    match call {
        Call::Mscatter(c) => {
            if bare {
                dictionary.put_unless_default("oob", c.oob);
                dictionary.put_unless_default("atomic", c.atomic);
            }
            dictionary.put_unless_default("conflict", c.conflict);
        }
        Call::Mgather(c) if bare => dictionary.put_unless_default("oob", c.oob),
        Call::MgatherL1(c) => {
            if bare {
                dictionary.put_unless_default("oob", c.oob);
            }
            dictionary.put_unless_default("exec", c.exec);
        }
        Call::TscatterMask(c) => {
            dictionary.put("maskPattern", c.pattern);
            dictionary.put_unless_default("maskAxis", c.axis);
        }
        Call::MscatterFirst(_) | Call::Mgather(_) | Call::TscatterIndex(_) | Call::Tgatherb(_) => {}
    }
    if let Some(launch) = call.launch() {
        if let Some(bytes) = launch.dyn_ub_bytes {
            dictionary.put("dynUBufSize", bytes);
        }
        dictionary.put_unless_default("dispatch", launch.dispatch);
        dictionary.put_unless_default("flush", launch.flush);
    }
}

/// The policies of a scatter.
pub(crate) struct Scatter {
    pub(crate) mode: Coalesce,
    pub(crate) oob: ScatterOob,
    pub(crate) atomic: ScatterAtomicOp,
}

/// Reads a scatter's policies from the suffixes, or without any from the
/// dictionary, where the mode is `Row` unless it says otherwise.
pub(crate) fn scatter(suffixes: &[At<&str>], attributes: &mut Attributes<'_>) -> Read<Scatter> {
    if suffixes.is_empty() {
        let atomic = attributes.take_word("atomic", "`None`, `Add`, `Max` or `Min`")?;
        let oob = attributes.take_word("oob", "`Undefined`, `Skip`, `Clamp` or `Wrap`")?;
        return Ok(Scatter {
            mode: attributes.take_word("mode", MODE)?.unwrap_or_default(),
            oob: oob.unwrap_or_default(),
            atomic: atomic.unwrap_or_default(),
        });
    }
    let mut suffixes = Suffixes(suffixes);
    let mode = suffixes.mode()?;
    let oob = suffixes.next().unwrap_or_default();
    let atomic = suffixes.next().unwrap_or_default();
    suffixes.finish(
        "no suffix but `.skip`, `.clamp` or `.wrap`, \
         then `.atomic_add`, `.atomic_max` or `.atomic_min`",
    )?;
    Ok(Scatter { mode, oob, atomic })
}

/// Reads a gather's policies from the suffixes, or without any from the
/// dictionary, where the mode is `default` unless it says otherwise.
pub(crate) fn gather(
    suffixes: &[At<&str>],
    attributes: &mut Attributes<'_>,
    default: Coalesce,
) -> Read<(Coalesce, GatherOob)> {
    if suffixes.is_empty() {
        let oob = attributes.take_word("oob", "`Undefined`, `Clamp`, `Wrap` or `Zero`")?;
        let mode = attributes.take_word("mode", MODE)?;
        return Ok((mode.unwrap_or(default), oob.unwrap_or_default()));
    }
    let mut suffixes = Suffixes(suffixes);
    let mode = suffixes.mode()?;
    let oob = suffixes.next().unwrap_or_default();
    suffixes.finish("no suffix but `.clamp`, `.wrap` or `.zero`")?;
    Ok((mode, oob))
}

/// The one revision that is named.
#[derive(strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
enum Revision {
    First,
}

/// Whether a scatter is one of the first revision.
pub(crate) fn is_first(attributes: &mut Attributes<'_>) -> Read<bool> {
    let first: Option<Revision> = attributes.take_word("revision", "`first`")?;
    Ok(first.is_some())
}

pub(crate) fn conflict(attributes: &mut Attributes<'_>) -> Read<ScatterConflict> {
    let conflict = attributes.take_word("conflict", "`Last` or `Default`")?;
    Ok(conflict.unwrap_or_default())
}

pub(crate) fn exec(attributes: &mut Attributes<'_>) -> Read<GatherExec> {
    let exec = attributes.take_word("exec", "`Scalar` or `Simt`")?;
    Ok(exec.unwrap_or_default())
}

pub(crate) fn mask(attributes: &mut Attributes<'_>) -> Read<(MaskPattern, MaskAxis)> {
    const PATTERN: &str = "`P0101`, `P1010`, `P0001`, `P0010`, `P0100`, `P1000` or `P1111`";
    let pattern = attributes.take_word("maskPattern", PATTERN)?;
    let axis = attributes.take_word("maskAxis", "`Row` or `Col`")?;
    Ok((pattern.unwrap_or_default(), axis.unwrap_or_default()))
}

pub(crate) fn launch(attributes: &mut Attributes<'_>) -> Read<Launch> {
    let dispatch: Option<Dispatch> = attributes.take_word("dispatch", "`Standard` or `Direct`")?;
    let flush: Option<CacheFlush> = attributes.take_word("flush", "`Appended` or `Missing`")?;
    Ok(Launch {
        dyn_ub_bytes: attributes.take_number("dynUBufSize")?,
        dispatch: dispatch.unwrap_or_default(),
        flush: flush.unwrap_or_default(),
    })
}

/// Suffixes not yet understood.
struct Suffixes<'s, 't>(&'s [At<&'t str>]);

impl Suffixes<'_, '_> {
    /// Takes the next suffix if it is one for `T`.
    fn next<T: Spelled>(&mut self) -> Option<T> {
        let (first, rest) = self.0.split_first()?;
        let value = T::read(first.value)?;
        self.0 = rest;
        Some(value)
    }

    fn mode(&mut self) -> Read<Coalesce> {
        let at = self.0.first().map_or(0, |first| first.at);
        self.next().ok_or_else(|| Fault::new(at, "`row` or `elem`"))
    }

    fn finish(self, expected: &'static str) -> Read<()> {
        match self.0.first() {
            None => Ok(()),
            Some(left) => Err(Fault::new(left.at, expected)),
        }
    }
}
