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
        Form::Mscatter => {
            let src = operands::tile(notes, keys, form, dtype);
            let idx = operands::needed_index(notes, keys);
            let table = operands::table(notes, keys, dtype);
            let mode = policy(notes, keys, "mode");
            let atomic = policy(notes, keys, "atomic");
            let conflict = policy(notes, keys, "conflict");
            let oob = scatter_oob(notes, keys);
            let launch = launch(notes, keys);
            Call::Mscatter(Mscatter {
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
        Form::MscatterFirst => {
            let src = operands::tile(notes, keys, form, dtype);
            let idx = operands::needed_index(notes, keys);
            let table = operands::table(notes, keys, dtype);
            let atomic = policy(notes, keys, "atomic");
            let oob = scatter_oob(notes, keys);
            let launch = launch(notes, keys);
            Call::MscatterFirst(MscatterFirst {
                table: table?,
                src: src?,
                idx: idx?,
                atomic: atomic?,
                oob: oob?,
                launch: launch?,
            })
        }
        Form::Mgather => {
            let dst = operands::tile(notes, keys, form, dtype);
            let idx = operands::needed_index(notes, keys);
            let table = operands::table(notes, keys, dtype);
            let mode = policy(notes, keys, "mode");
            let oob = gather_oob(notes, keys);
            let launch = launch(notes, keys);
            Call::Mgather(Mgather {
                dst: dst?,
                table: table?,
                idx: idx?,
                mode: mode?,
                oob: oob?,
                launch: launch?,
            })
        }
        Form::MgatherL1 => {
            let dst = operands::tile(notes, keys, form, dtype);
            let mode = policy(notes, keys, "mode");
            let idx = operands::index_tensor(notes, keys, mode, dst.as_ref());
            let table = operands::table(notes, keys, dtype);
            let scratch = operands::scratch(notes, keys, dtype, mode, dst.as_ref());
            let oob = gather_oob(notes, keys);
            let exec = policy(notes, keys, "exec");
            let launch = launch(notes, keys);
            Call::MgatherL1(MgatherL1 {
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
        Form::TscatterIndex => {
            let src = operands::source(notes, keys, dtype);
            let extents = src.as_ref().map(extents_of);
            let dst = operands::destination(notes, keys, dtype, src.as_ref(), extents);
            let idx = operands::index(notes, keys, extents.into());
            Call::TscatterIndex(TscatterIndex {
                dst: dst?,
                src: src?,
                idx: idx?,
            })
        }
        Form::TscatterMask => {
            let src = operands::source(notes, keys, dtype);
            let pattern: Option<MaskPattern> = policy(notes, keys, "mask");
            let axis: Option<MaskAxis> = policy(notes, keys, "axis");
            let extents = src.as_ref().zip(pattern).zip(axis);
            let extents = extents.and_then(|((src, pattern), axis)| {
                let expanded = operands::expanded(src, pattern, axis);
                if expanded.is_none() {
                    too_large(notes, keys.shape(), None, None, None);
                }
                expanded
            });
            let dst = operands::destination(notes, keys, dtype, src.as_ref(), extents);
            Call::TscatterMask(TscatterMask {
                dst: dst?,
                src: src?,
                pattern: pattern?,
                axis: axis?,
            })
        }
        Form::Tgatherb => {
            let src = operands::source(notes, keys, dtype);
            let extents = src.as_ref().map(extents_of);
            let dst = operands::destination(notes, keys, dtype, src.as_ref(), extents);
            let offset = operands::offset(notes, keys, readings.tgatherb_granularity, dst.as_ref());
            Call::Tgatherb(Tgatherb {
                dst: dst?,
                src: src?,
                offset: offset?,
            })
        }
    })
}
