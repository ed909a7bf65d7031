//! The call of a case, in each of its forms.

use ptodiff_isa::{
    Call, DType, Form, MaskAxis, MaskPattern, Mgather, MgatherL1, Mscatter, MscatterFirst,
    Readings, Tgatherb, TscatterIndex, TscatterMask,
};

use super::keys::Keys;
use super::operands;
use super::policy::{gather_oob, launch, policy, scatter_oob};
use crate::notes::Notes;
use crate::operand::{extents_of, too_large};

/// The call that the keys describe. `dtype` is that of the case.
///
/// Every part is read before any is missed, so that all mistakes are reported.
pub(super) fn call(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    form: Form,
    dtype: Option<DType>,
    readings: &Readings,
) -> Option<Call> {
    Some(match form {
        Form::Mscatter => Call::Mscatter(mscatter(notes, keys, dtype)?),
        Form::MscatterFirst => Call::MscatterFirst(mscatter_first(notes, keys, dtype)?),
        Form::Mgather => Call::Mgather(mgather(notes, keys, dtype)?),
        Form::MgatherL1 => Call::MgatherL1(mgather_l1(notes, keys, dtype)?),
        Form::TscatterIndex => Call::TscatterIndex(tscatter_index(notes, keys, dtype)?),
        Form::TscatterMask => Call::TscatterMask(tscatter_mask(notes, keys, dtype)?),
        Form::Tgatherb => Call::Tgatherb(tgatherb(notes, keys, dtype, readings)?),
    })
}

fn mscatter(notes: &mut Notes<'_>, keys: &Keys<'_>, dtype: Option<DType>) -> Option<Mscatter> {
    let src = operands::tile(notes, keys, Form::Mscatter, dtype);
    let idx = operands::needed_index(notes, keys);
    let table = operands::table(notes, keys, dtype);
    let mode = policy(notes, "mode", keys.get("mode"));
    let atomic = policy(notes, "ScatterAtomicOp", keys.get("atomic"));
    let conflict = policy(notes, "ScatterConflict", keys.get("conflict"));
    let oob = scatter_oob(notes, keys);
    let launch = launch(notes, keys);
    Some(Mscatter {
        table: table?,
        src: src?,
        idx: idx?,
        mode: mode?,
        atomic: atomic?,
        oob: oob?,
        conflict: conflict?,
        launch: launch?,
    })
}

fn mscatter_first(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    dtype: Option<DType>,
) -> Option<MscatterFirst> {
    let src = operands::tile(notes, keys, Form::MscatterFirst, dtype);
    let idx = operands::needed_index(notes, keys);
    let table = operands::table(notes, keys, dtype);
    let atomic = policy(notes, "ScatterAtomicOp", keys.get("atomic"));
    let oob = scatter_oob(notes, keys);
    let launch = launch(notes, keys);
    Some(MscatterFirst {
        table: table?,
        src: src?,
        idx: idx?,
        atomic: atomic?,
        oob: oob?,
        launch: launch?,
    })
}

fn mgather(notes: &mut Notes<'_>, keys: &Keys<'_>, dtype: Option<DType>) -> Option<Mgather> {
    let dst = operands::tile(notes, keys, Form::Mgather, dtype);
    let idx = operands::needed_index(notes, keys);
    let table = operands::table(notes, keys, dtype);
    let mode = policy(notes, "mode", keys.get("mode"));
    let oob = gather_oob(notes, keys);
    let launch = launch(notes, keys);
    Some(Mgather {
        dst: dst?,
        table: table?,
        idx: idx?,
        mode: mode?,
        oob: oob?,
        launch: launch?,
    })
}

fn mgather_l1(notes: &mut Notes<'_>, keys: &Keys<'_>, dtype: Option<DType>) -> Option<MgatherL1> {
    let dst = operands::tile(notes, keys, Form::MgatherL1, dtype);
    let mode = policy(notes, "mode", keys.get("mode"));
    let idx = operands::index_tensor(notes, keys, mode, dst.as_ref());
    let table = operands::table(notes, keys, dtype);
    let scratch = operands::scratch(notes, keys, dtype, mode, dst.as_ref());
    let oob = gather_oob(notes, keys);
    let exec = policy(notes, "GatherExec", keys.get("exec"));
    let launch = launch(notes, keys);
    Some(MgatherL1 {
        dst: dst?,
        table: table?,
        idx: idx?,
        scratch: scratch?,
        mode: mode?,
        oob: oob?,
        exec: exec?,
        launch: launch?,
    })
}

fn tscatter_index(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    dtype: Option<DType>,
) -> Option<TscatterIndex> {
    let src = operands::source(notes, keys, dtype);
    let extents = src.as_ref().map(extents_of);
    let dst = operands::destination(notes, keys, dtype, src.as_ref(), extents);
    let idx = operands::index(notes, keys, extents.into());
    Some(TscatterIndex {
        dst: dst?,
        src: src?,
        idx: idx?,
    })
}

fn tscatter_mask(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    dtype: Option<DType>,
) -> Option<TscatterMask> {
    let src = operands::source(notes, keys, dtype);
    let pattern: Option<MaskPattern> = policy(notes, "MaskPattern", keys.get("mask"));
    let axis: Option<MaskAxis> = policy(notes, "axis", keys.get("axis"));
    let extents = src.as_ref().zip(pattern).zip(axis);
    let extents = extents.and_then(|((src, pattern), axis)| {
        let expanded = operands::expanded(src, pattern, axis);
        if expanded.is_none() {
            too_large(notes, keys.shape(), None, None, None);
        }
        expanded
    });
    let dst = operands::destination(notes, keys, dtype, src.as_ref(), extents);
    Some(TscatterMask {
        dst: dst?,
        src: src?,
        pattern: pattern?,
        axis: axis?,
    })
}

fn tgatherb(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    dtype: Option<DType>,
    readings: &Readings,
) -> Option<Tgatherb> {
    let src = operands::source(notes, keys, dtype);
    let extents = src.as_ref().map(extents_of);
    let dst = operands::destination(notes, keys, dtype, src.as_ref(), extents);
    let offset = operands::offset(notes, keys, readings.tgatherb_granularity, dst.as_ref());
    Some(Tgatherb {
        dst: dst?,
        src: src?,
        offset: offset?,
    })
}
