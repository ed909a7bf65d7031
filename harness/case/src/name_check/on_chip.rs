//! Names of TSCATTER's and TGATHERB's tests against their cases.

use ptodiff_isa::{Call, DType, Tile};

use super::{Check, size};
use crate::st_name::{Extents, TgatherbName, TscatterForm, TscatterName};

/// Compares all that the name of a TSCATTER states.
pub(super) fn tscatter(check: &mut Check, name: &TscatterName, call: &Call) {
    let (by_index, by_mask) = ("by index", "by mask");
    match (&name.form, call) {
        (
            TscatterForm::Index {
                index,
                data,
                indices,
            },
            Call::TscatterIndex(call),
        ) => {
            dtypes(check, name.dtype, &call.src, &call.dst);
            check.same("index dtype", *index, call.idx.dtype);
            sizes(check, "source size", *data, &call.src);
            sizes(check, "destination size", *data, &call.dst);
            sizes(check, "index size", *indices, &call.idx);
        }
        (
            TscatterForm::Mask {
                pattern,
                axis,
                sizes: stated,
            },
            Call::TscatterMask(call),
        ) => {
            dtypes(check, name.dtype, &call.src, &call.dst);
            check.same("mask", *pattern, call.pattern);
            check.same("axis", *axis, call.axis);
            if let Some((source, destination)) = stated {
                sizes(check, "source size", *source, &call.src);
                sizes(check, "destination size", *destination, &call.dst);
            }
        }
        (TscatterForm::Index { .. }, _) => check.same("form", by_index, by_mask),
        (TscatterForm::Mask { .. }, _) => check.same("form", by_mask, by_index),
    }
}

/// Compares all that the name of a TGATHERB states.
pub(super) fn tgatherb(check: &mut Check, name: &TgatherbName, call: &Call) {
    let Call::Tgatherb(call) = call else { return };
    dtypes(check, name.dtype, &call.src, &call.dst);
    sizes(check, "source size", name.source, &call.src);
    sizes(check, "offset size", name.offsets, &call.offset);
    sizes(check, "destination size", name.destination, &call.dst);
}

fn dtypes(check: &mut Check, stated: DType, source: &Tile, destination: &Tile) {
    check.same("source dtype", stated, source.dtype);
    check.same("destination dtype", stated, destination.dtype);
}

/// A name gives one size: the valid one, which is the padded one too.
fn sizes(check: &mut Check, aspect: &'static str, stated: Extents, tile: &Tile) {
    let valid = (tile.valid_row.get(), tile.valid_col.get());
    let padded = (tile.rows, tile.cols);
    let used = if valid == padded {
        size(valid)
    } else {
        format!("{} in {}", size(valid), size(padded))
    };
    check.same(aspect, size(stated), used);
}
