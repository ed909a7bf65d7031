//! Whether a mirrored case's name and the case say the same.

use ptodiff_isa::{BLayout, Call, Dim, Layout, Operand, Role, SLayout, Tile};

use crate::case::Case;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::load::Corpus;
use crate::st_name::{NO_REPEATS, NOTHING, parse};

/// Where the name of `case` and `case` say different things, a line each.
fn name_check(case: &Case) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for (of, said) in parse(case.call.instruction(), &case.name)? {
        let Some(used) = used(case, of) else { continue };
        let same = match &*said {
            NO_REPEATS => matches!(&*used, "permutation" | "out-of-bounds-no-dup"),
            NOTHING => matches!(&*used, "Undefined" | "None"),
            _ => said == used,
        };
        if !same {
            all.push(format!("{of}: the name says {said}, the case {used}"));
            if of == "form" {
                break;
            }
        }
    }
    Ok(all)
}

/// What the case has of what its name speaks of; nothing where that cannot be told of it.
fn used(case: &Case, of: &str) -> Option<String> {
    let call = &case.call;
    let data = call.data_tile();
    let tile = |role| call.operand(role).and_then(Operand::tile);
    let extent = |at: usize| Some(call.table()?.shape[at].get());
    let product = |range: std::ops::Range<usize>| {
        let extents = call.table()?.shape[range].iter();
        Some(extents.fold(1_u64, |product, extent| {
            product.saturating_mul(extent.get())
        }))
    };
    // What a call has not stands as the template's default.
    let argument = |key: &str, otherwise: &str| {
        let own = call.argument(key);
        own.map_or(otherwise, |own| own.value).to_owned()
    };
    let either = |is, one: &str, other: &str| if is { one } else { other }.to_owned();
    Some(match of {
        "form" => either(matches!(call, Call::TscatterMask(_)), "by mask", "by index"),
        "mode" => call.mode()?.to_string(),
        "tile dtype" => data.dtype.to_string(),
        "table dtype" => call.table()?.dtype.to_string(),
        "source dtype" => tile(Role::Source)?.dtype.to_string(),
        "destination dtype" => tile(Role::Destination)?.dtype.to_string(),
        "index dtype" => tile(Role::Index)?.dtype.to_string(),
        // Over all chunks.
        "valid size" | "scalar" => {
            let rows = data.valid_row.get().saturating_mul(case.chunks.into());
            size(rows, data.valid_col.get())
        }
        "padded size" => size(data.rows, data.cols),
        "padded columns" => data.cols.to_string(),
        "source size" => whole(tile(Role::Source)?),
        "destination size" => whole(tile(Role::Destination)?),
        "index size" | "offset size" => whole(tile(Role::Index)?),
        // In L1 a tile always has boxes, and names do not say so.
        "tile" if matches!(call, Call::MgatherL1(_)) => return None,
        "tile" => either(data.slayout != SLayout::NoneBox, "boxes", "no boxes"),
        // A tensor of indices is never a column.
        "index BLayout" => tile(Role::Index)
            .map_or(BLayout::RowMajor, |index| index.blayout)
            .to_string(),
        "sizes" => either(any_dynamic(call), "dynamic", "static"),
        "index pattern" => <&str>::from(&case.data.index).to_owned(),
        "table layout" => either(call.table()?.layout == Layout::NZ, "NZ", "not NZ"),
        "table rows" => extent(3)?.to_string(),
        "table elements" => product(0..5)?.to_string(),
        "table blocks" => product(0..3)?.to_string(),
        "table size" => size(extent(3)?, extent(4)?),
        "out of bounds" => argument("oob", "Undefined"),
        "atomic" => argument("atomic", "None"),
        "conflict" => argument("conflict", "none"),
        "executor" => argument("exec", "Scalar"),
        "mask" | "axis" => argument(of, ""),
        _ => return None,
    })
}

fn any_dynamic(call: &Call) -> bool {
    let dynamic = |dim: &Dim| matches!(dim, Dim::Dynamic(_));
    call.operands()
        .into_iter()
        .any(|(_, operand)| match operand {
            Operand::Tile(tile) => dynamic(&tile.valid_row) || dynamic(&tile.valid_col),
            Operand::Tensor(tensor) => {
                tensor.shape.iter().any(dynamic) || tensor.stride.iter().any(dynamic)
            }
        })
}

fn size(rows: u64, cols: u64) -> String {
    format!("{rows}x{cols}")
}

/// A name gives one size: the valid one, which is the padded one too.
fn whole(tile: &Tile) -> String {
    let valid = size(tile.valid_row.get(), tile.valid_col.get());
    let padded = size(tile.rows, tile.cols);
    match valid == padded {
        true => valid,
        false => format!("{valid} in {padded}"),
    }
}

/// Checks the names of every mirrored case of a corpus: those that are no ST
/// names, those that differ without a reason, and reasons without a difference.
#[must_use]
pub fn check_names(corpus: &Corpus) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    for case in corpus.cases.iter().filter(|case| case.suite.is_some()) {
        match (name_check(case), &case.name_differs) {
            (Err(why), _) => {
                let message = format!("`{}` is no ST name: {why}", case.name);
                all.push(case.mistake(Code::NameUnparsed, message));
            }
            (Ok(mismatches), None) => all.extend(mismatches.into_iter().map(|mismatch| {
                let mut mistake = case.mistake(Code::NameDiffers, mismatch);
                mistake.help = Some(
                    "if the suite itself differs here, give the reason in `name_differs`".into(),
                );
                mistake
            })),
            (Ok(mismatches), Some(_)) if mismatches.is_empty() => {
                let message = format!("`name_differs` is given, but `{}` agrees", case.name);
                all.push(case.mistake(Code::NameAgrees, message));
            }
            (Ok(_), Some(_)) => {}
        }
    }
    all
}
