//! The operands that a case gives, and those that follow from the others.

use ptodiff_isa::{
    BLayout, Coalesce, DType, Dim, Form, GlobalTensor, OffsetGranularity, Role, SLayout, Tile,
};

use super::keys::Keys;
use crate::code::Code;
use crate::format::NoScratch;
use crate::notes::Notes;
use crate::operand::{self, Extents, Given, Otherwise, TileDefaults};

/// Bytes of the block that one offset of TGATHERB serves under
/// `tgatherb-granularity=block` (TGATHERB-GAP-14).
const BLOCK: u64 = 32;

/// The tile that plays `role`, which has to be given. In L1 it has the NZ form unless it
/// says otherwise (001, GM to L1 Gather).
pub(super) fn needed(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    form: Form,
    role: Role,
    dtype: Option<DType>,
) -> Option<Tile> {
    let given = keys.needed(notes, form.key(role))?;
    let mut default = TileDefaults::new(dtype, Otherwise::Needed);
    if form == Form::MgatherL1 {
        default.blayout = BLayout::ColMajor;
        default.slayout = SLayout::RowMajor;
    }
    operand::tile(notes, given, &default)
}

/// The index tile, which has to be given.
pub(super) fn needed_index(notes: &mut Notes<'_>, keys: &Keys<'_>) -> Option<Tile> {
    keys.needed(notes, "index")?;
    index(notes, keys, Otherwise::Needed)
}

/// The index tile.
pub(super) fn index(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    extents: Otherwise<Extents>,
) -> Option<Tile> {
    let default = TileDefaults::new(Some(DType::Int32), extents);
    let given = keys.operand("index");
    reject(notes, "a tile", given, &["stride", "layout"]);
    operand::tile(notes, given, &default)
}

/// The index tensor of a gather to L1: in Row mode as many entries as `tile`
/// has valid rows, in Elem mode the valid extents (001, Example).
pub(super) fn index_tensor(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    mode: Option<Coalesce>,
    tile: Option<&Tile>,
) -> Option<GlobalTensor> {
    let shape = mode.zip(tile).map(|(mode, tile)| {
        let (rows, cols) = (stored(tile.valid_row), stored(tile.valid_col));
        let (outer, inner) = match mode {
            Coalesce::Row => (Dim::Static(1), rows),
            Coalesce::Elem => (rows, cols),
        };
        in_line(outer, inner)
    });
    let given = keys.operand("index");
    let of_tile = ["valid", "blayout", "slayout", "fractal", "location"];
    reject(notes, "a tensor in GM", given, &of_tile);
    operand::tensor(notes, given, Some(DType::Int32), shape.into())
}

/// The table.
pub(super) fn table(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    dtype: Option<DType>,
) -> Option<GlobalTensor> {
    let given = keys.needed(notes, "table")?;
    operand::tensor(notes, given, dtype, Otherwise::Needed)
}

/// The scratch of a gather to L1, if it has one: Elem mode has unless the case
/// says `none`, Row mode has none unless the case gives one (MGATHERL1-GAP-05).
/// It has room for the padded tile (MGATHERL1-GAP-08).
pub(super) fn scratch(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    dtype: Option<DType>,
    mode: Option<Coalesce>,
    tile: Option<&Tile>,
) -> Option<Option<GlobalTensor>> {
    let dtype = dtype.or(tile.map(|tile| tile.dtype));
    let room = tile.and_then(|tile| {
        let elements = tile.rows.checked_mul(tile.cols);
        if elements.is_none() {
            operand::too_large(notes, keys.owner, None, None, None);
        }
        Some(in_line(Dim::Static(1), Dim::Static(elements?)))
    });
    let given = keys.operand("scratch");
    match given.node {
        Some(word) if word.is_scalar() => {
            return notes.name::<NoScratch>("scratch", word).map(|_| None);
        }
        Some(_) => {}
        None if mode? == Coalesce::Row => return Some(None),
        // Without a tile nothing is known of it, and that was reported.
        None => {
            tile?;
        }
    }
    operand::tensor(notes, given, dtype, room.into()).map(Some)
}

/// The tile that TSCATTER and TGATHERB write: by default with these extents
/// and, where the case has no dtype, with that of `source`.
pub(super) fn destination(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    dtype: Option<DType>,
    source: Option<&Tile>,
    extents: Option<Extents>,
) -> Option<Tile> {
    let default = TileDefaults::new(dtype.or(source.map(|tile| tile.dtype)), extents.into());
    let given = keys.operand("destination");
    if given.node.is_none() {
        // Without a source nothing is known of it, and that was reported.
        source?;
    }
    operand::tile(notes, given, &default)
}

/// The offsets of TGATHERB: by default one for each element of `destination`,
/// or one for each block of a row.
pub(super) fn offset(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    granularity: OffsetGranularity,
    destination: Option<&Tile>,
) -> Option<Tile> {
    let extents = destination.map(|tile| {
        let (padded, valid) = operand::extents_of(tile);
        let a_row = match granularity {
            OffsetGranularity::Element => 1,
            OffsetGranularity::Block => BLOCK / tile.dtype.size() as u64,
        };
        let units = |elements: u64| elements.div_ceil(a_row);
        (
            [padded[0], units(padded[1])],
            [valid[0], operand::scaled(valid[1], units)],
        )
    });
    let default = TileDefaults::new(Some(DType::Uint32), extents.into());
    operand::tile(notes, keys.operand("offset"), &default)
}

/// An extent as a tensor may have it: 0 only at run time.
fn stored(dim: Dim) -> Dim {
    match dim {
        Dim::Static(extent) => Dim::Static(extent.max(1)),
        Dim::Dynamic(_) => dim,
    }
}

/// The shape of a tensor with two dimensions that count.
const fn in_line(outer: Dim, inner: Dim) -> [Dim; 5] {
    let one = Dim::Static(1);
    [one, one, one, outer, inner]
}

/// Records keys that an index operand of this `kind` does not have.
fn reject(notes: &mut Notes<'_>, kind: &str, given: Given<'_>, keys: &[&str]) {
    for key in keys {
        if let Some(node) = given.get(key) {
            let message = format!("the index is {kind} here, which has no `{key}`");
            let label = format!("not of {kind}");
            notes
                .add(Code::NotApplicable, &node.span, message, label)
                .help = Some("MGATHER to L1 has its indices in GM, all else in a tile".to_owned());
        }
    }
}
