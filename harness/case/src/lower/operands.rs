//! The operands that a case gives, and those that follow from the others.

use ptodiff_isa::{
    BLayout, Coalesce, DType, Dim, Form, GlobalTensor, OffsetGranularity, Operand, Role, SLayout,
    Tile,
};

use super::call::Reader;
use super::keys::Given;
use crate::code::Code;
use crate::format::NoScratch;
use crate::limits::{self, MAX_FRACTAL, MAX_STRIDE};
use crate::operand::{Extents, extents_of, scaled};

/// Bytes of the block that one offset of TGATHERB serves under
/// `tgatherb-granularity=block` (TGATHERB-GAP-14).
const BLOCK: u64 = 32;

/// An extent that was not told or is wrong: whatever is held against it fits.
const UNKNOWN: u64 = u64::MAX;

impl Reader<'_, '_> {
    /// The tile that plays `role`, which has to be given with its shape.
    pub(super) fn needed_tile(&mut self, role: Role) -> Tile {
        let dtype = match role {
            Role::Index => Some(DType::Int32),
            _ => self.dtype,
        };
        self.tile(role, dtype, None)
    }

    /// The index tensor of a gather to L1: in Row mode as many entries as `tile`
    /// has valid rows, in Elem mode the valid extents (001, Example).
    pub(super) fn index_tensor(&mut self, tile: &Tile) {
        let (rows, cols) = (stored(tile.valid_row), stored(tile.valid_col));
        let shape = match self.call.mode() {
            Some(Coalesce::Row) => in_line(Dim::Static(1), rows),
            _ => in_line(rows, cols),
        };
        self.tensor(Role::Index, Some(DType::Int32), Some(shape));
    }

    /// The scratch of a gather to L1, if it has one: Elem mode has unless the case
    /// says `none`, Row mode has none unless the case gives both (MGATHERL1-GAP-05).
    /// It has room for the padded tile (MGATHERL1-GAP-08).
    pub(super) fn scratch(&mut self, tile: &Tile) {
        match self.given(Role::Scratch, false).node {
            Some(word) if word.is_scalar() => {
                self.notes.name::<NoScratch>("scratch", word);
            }
            None if self.call.mode() == Some(Coalesce::Row) => {}
            _ => {
                let dtype = self.dtype.unwrap_or(tile.dtype);
                let elements = tile.rows.saturating_mul(tile.cols);
                let room = in_line(Dim::Static(1), Dim::Static(elements));
                self.tensor(Role::Scratch, Some(dtype), Some(room));
            }
        }
    }

    /// The offsets of TGATHERB: by default one for each element of `destination`,
    /// or one for each block of a row.
    pub(super) fn offset(&mut self, granularity: OffsetGranularity, destination: &Tile) {
        let (padded, valid) = extents_of(destination);
        let a_row = match granularity {
            OffsetGranularity::Element => 1,
            OffsetGranularity::Block => BLOCK / destination.dtype.size() as u64,
        };
        let units = |elements: u64| elements.div_ceil(a_row);
        let extents = (
            [padded[0], units(padded[1])],
            [valid[0], scaled(valid[1], units)],
        );
        self.tile(Role::Index, Some(DType::Uint32), Some(extents));
    }

    /// The tile that plays `role`; these are its type and its extents unless it says so. Without
    /// them it has to. In L1 it has the NZ form unless it says otherwise (001, GM to L1 Gather).
    pub(super) fn tile(
        &mut self,
        role: Role,
        dtype: Option<DType>,
        extents: Option<Extents>,
    ) -> Tile {
        let given = self.given(role, extents.is_none());
        if given.what == "index" {
            self.reject("a tile", given, &["stride", "layout"]);
        }
        let mut tile = Tile::default();
        if self.form() == Form::MgatherL1 {
            (tile.blayout, tile.slayout) = (BLayout::ColMajor, SLayout::RowMajor);
        }
        tile.dtype = self.element_type(given, dtype);
        let (padded, valid) = self.extents(given, extents);
        [tile.rows, tile.cols] = padded;
        [tile.valid_row, tile.valid_col] = valid;
        let notes = &mut *self.notes;
        notes.put(&mut tile.blayout, "blayout", given.node);
        notes.put(&mut tile.slayout, "slayout", given.node);
        notes.put(&mut tile.location, "location", given.node);
        if let Some(word) = given.get("fractal") {
            let bytes = notes.count("fractal", word, 1, MAX_FRACTAL);
            tile.fractal = bytes.unwrap_or(tile.fractal);
        }
        self.call.put(role, Operand::Tile(&tile));
        tile
    }

    fn extents(&mut self, given: Given<'_>, default: Option<Extents>) -> Extents {
        let (what, shape) = (given.what, given.get("shape"));
        let (padded, same) = match shape {
            Some(list) => {
                let what = format!("the shape of the {what}");
                let extents = self.notes.array(&what, list, UNKNOWN, |notes, word| {
                    notes.count("a padded extent", word, 1, u64::MAX)
                });
                (extents, extents.map(Dim::Static))
            }
            None => default.unwrap_or_else(|| {
                self.needs_shape(given);
                ([UNKNOWN; 2], [Dim::Static(UNKNOWN); 2])
            }),
        };
        let Some(list) = given.get("valid") else {
            return (padded, same);
        };
        let notes = &mut *self.notes;
        let entries = format!("`valid` of the {what}");
        let valid = notes.array(&entries, list, Dim::Static(0), |notes, word| {
            notes.extent("a valid extent", word, 0, u64::MAX)
        });
        // A shape of another length has no such entries.
        let has_both = shape.is_none_or(|shape| shape.items().len() == 2);
        if let Some(at) = (0..2).find(|at| has_both && valid[*at].get() > padded[*at]) {
            let (name, count, room) = (["rows", "columns"][at], valid[at].get(), padded[at]);
            let shape = shape.and_then(|shape| shape.items().get(at));
            let shape = shape.map(|extent| notes.related(&extent.span, "the padded extent"));
            let message = format!("{count} valid {name} do not fit the {what} of {room}");
            let label = format!("at most {room}");
            let span = &list.items()[at].span;
            let mistake = notes.add(Code::ValidExceedsPadded, span, message, label);
            mistake.related.extend(shape);
        }
        (padded, valid)
    }

    /// The tensor that plays `role`; these are its type and its shape unless it says so. Without
    /// them it has to.
    pub(super) fn tensor(&mut self, role: Role, dtype: Option<DType>, shape: Option<[Dim; 5]>) {
        let given = self.given(role, shape.is_none());
        let what = given.what;
        if role == Role::Index {
            let of_tile = ["valid", "blayout", "slayout", "fractal", "location"];
            self.reject("a tensor in GM", given, &of_tile);
        }
        let dtype = self.element_type(given, dtype);
        let shape = match given.get("shape") {
            Some(list) => {
                let extent = format!("an extent of the {what}");
                let what = format!("the shape of the {what}");
                let unknown = Dim::Static(UNKNOWN);
                self.notes.array(&what, list, unknown, |notes, word| {
                    notes.extent(&extent, word, 1, u64::MAX)
                })
            }
            None => shape.unwrap_or_else(|| {
                self.needs_shape(given);
                [Dim::Static(UNKNOWN); 5]
            }),
        };
        let notes = &mut *self.notes;
        let stride = match given.get("stride") {
            Some(list) => {
                let what = format!("the stride of the {what}");
                notes.array(&what, list, Dim::Static(UNKNOWN), |notes, word| {
                    notes.extent("a stride", word, 0, MAX_STRIDE)
                })
            }
            None => limits::dense_strides(&shape),
        };
        let mut tensor = GlobalTensor {
            dtype,
            shape,
            stride,
            ..GlobalTensor::default()
        };
        notes.put(&mut tensor.layout, "layout", given.node);
        self.call.put(role, Operand::Tensor(&tensor));
    }

    fn element_type(&mut self, given: Given<'_>, default: Option<DType>) -> DType {
        let mut dtype = default.unwrap_or_default();
        self.notes.put(&mut dtype, "dtype", given.node);
        if default.is_none() && given.node.is_some() && given.get("dtype").is_none() {
            let message = format!("no dtype for the {}: the case has none either", given.what);
            self.notes
                .add(Code::MissingKey, given.span, message, "needs `dtype`");
        }
        dtype
    }

    fn needs_shape(&mut self, given: Given<'_>) {
        if given.node.is_some() {
            let message = format!("the {} has no `shape`", given.what);
            self.notes
                .add(Code::MissingKey, given.span, message, "needs `shape`");
        }
    }

    /// Records keys that an index operand of this `kind` does not have.
    fn reject(&mut self, kind: &str, given: Given<'_>, keys: &[&str]) {
        for key in keys {
            if let Some(node) = given.get(key) {
                let message = format!("the index is {kind} here, which has no `{key}`");
                let label = format!("not of {kind}");
                self.notes
                    .add(Code::NotApplicable, &node.span, message, label)
                    .help =
                    Some("MGATHER to L1 has its indices in GM, all else in a tile".to_owned());
            }
        }
    }
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
