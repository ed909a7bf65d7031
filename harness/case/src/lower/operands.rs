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

impl Reader<'_, '_> {
    /// The tile that plays `role`, which has to be given with its shape.
    pub(super) fn needed_tile(&mut self, role: Role) -> Option<Tile> {
        let dtype = match role {
            Role::Index => Some(DType::Int32),
            _ => self.dtype,
        };
        if !self.is_there(role) {
            return None;
        }
        let tile = self.tile(role, dtype, None);
        self.needs_shape(role);
        tile
    }

    /// The table.
    pub(super) fn table(&mut self) {
        if self.is_there(Role::Table) {
            self.tensor(Role::Table, self.dtype, None);
            self.needs_shape(Role::Table);
        }
    }

    /// The index tensor of a gather to L1: in Row mode as many entries as `tile`
    /// has valid rows, in Elem mode the valid extents (001, Example).
    pub(super) fn index_tensor(&mut self, mode: Option<Coalesce>, tile: Option<&Tile>) {
        let shape = mode.zip(tile).map(|(mode, tile)| {
            let (rows, cols) = (stored(tile.valid_row), stored(tile.valid_col));
            let (outer, inner) = match mode {
                Coalesce::Row => (Dim::Static(1), rows),
                Coalesce::Elem => (rows, cols),
            };
            in_line(outer, inner)
        });
        self.tensor(Role::Index, Some(DType::Int32), shape);
    }

    /// The scratch of a gather to L1, if it has one: Elem mode has unless the case
    /// says `none`, Row mode has none unless the case gives one (MGATHERL1-GAP-05).
    /// It has room for the padded tile (MGATHERL1-GAP-08).
    pub(super) fn scratch(&mut self, mode: Option<Coalesce>, tile: Option<&Tile>) {
        let dtype = self.dtype.or(tile.map(|tile| tile.dtype));
        let room = tile.map(|tile| {
            let elements = tile.rows.saturating_mul(tile.cols);
            in_line(Dim::Static(1), Dim::Static(elements))
        });
        match self.given(Role::Scratch).node {
            Some(word) if word.is_scalar() => {
                self.notes.name::<NoScratch>("scratch", word);
            }
            None if mode == Some(Coalesce::Row) => {}
            // Nothing is known of it then, and that was reported.
            None if mode.is_none() || tile.is_none() => {}
            _ => {
                self.tensor(Role::Scratch, dtype, room);
            }
        }
    }

    /// The tile that TSCATTER and TGATHERB write: by default with these extents
    /// and, where the case has no dtype, with that of `source`.
    pub(super) fn destination(
        &mut self,
        source: Option<&Tile>,
        extents: Option<Extents>,
    ) -> Option<Tile> {
        if self.given(Role::Destination).node.is_none() {
            // Without a source nothing is known of it, and that was reported.
            source?;
        }
        let dtype = self.dtype.or(source.map(|tile| tile.dtype));
        self.tile(Role::Destination, dtype, extents)
    }

    /// The offsets of TGATHERB: by default one for each element of `destination`,
    /// or one for each block of a row.
    pub(super) fn offset(&mut self, granularity: OffsetGranularity, destination: Option<&Tile>) {
        let extents = destination.map(|tile| {
            let (padded, valid) = extents_of(tile);
            let a_row = match granularity {
                OffsetGranularity::Element => 1,
                OffsetGranularity::Block => BLOCK / tile.dtype.size() as u64,
            };
            let units = |elements: u64| elements.div_ceil(a_row);
            (
                [padded[0], units(padded[1])],
                [valid[0], scaled(valid[1], units)],
            )
        });
        self.tile(Role::Index, Some(DType::Uint32), extents);
    }

    /// The tile that plays `role`; these are its type and its extents unless it says so, where
    /// they are known. In L1 it has the NZ form unless it says otherwise (001, GM to L1 Gather).
    pub(super) fn tile(
        &mut self,
        role: Role,
        dtype: Option<DType>,
        extents: Option<Extents>,
    ) -> Option<Tile> {
        let given = self.given(role);
        if given.what == "index" {
            self.reject("a tile", given, &["stride", "layout"]);
        }
        let tile = self.tile_of(given, dtype, extents);
        self.put(role, tile.as_ref().map(Operand::Tile));
        tile
    }

    fn tile_of(
        &mut self,
        given: Given<'_>,
        dtype: Option<DType>,
        extents: Option<Extents>,
    ) -> Option<Tile> {
        let (blayout, slayout) = match self.form() {
            Form::MgatherL1 => (BLayout::ColMajor, SLayout::RowMajor),
            _ => Default::default(),
        };
        let dtype = self.element_type(given, dtype);
        let extents = self.extents(given, extents);
        let notes = &mut *self.notes;
        let blayout = notes.name_or("blayout", given.get("blayout"), blayout);
        let slayout = notes.name_or("slayout", given.get("slayout"), slayout);
        let fractal = match given.get("fractal") {
            Some(word) => notes.count("fractal", word, 1, MAX_FRACTAL),
            None => Some(512),
        };
        let location = notes.name_or("location", given.get("location"), Default::default());
        let ([rows, cols], [valid_row, valid_col]) = extents?;
        Some(Tile {
            location: location?,
            dtype: dtype?,
            rows,
            cols,
            valid_row,
            valid_col,
            blayout: blayout?,
            slayout: slayout?,
            fractal: fractal?,
        })
    }

    fn extents(&mut self, given: Given<'_>, default: Option<Extents>) -> Option<Extents> {
        let (what, shape) = (given.what, given.get("shape"));
        let notes = &mut *self.notes;
        let (padded, same) = match shape {
            Some(list) => {
                let padded: Option<[u64; 2]> =
                    notes.array(&format!("the shape of the {what}"), list, |notes, word| {
                        notes.count("a padded extent", word, 1, u64::MAX)
                    });
                (padded, padded.map(|extents| extents.map(Dim::Static)))
            }
            None => default.unzip(),
        };
        let Some(list) = given.get("valid") else {
            return padded.zip(same);
        };
        let valid: Option<[Dim; 2]> =
            notes.array(&format!("`valid` of the {what}"), list, |notes, word| {
                notes.extent("a valid extent", word, 0, u64::MAX)
            });
        let (padded, valid) = padded.zip(valid)?;
        for (at, name) in ["rows", "columns"].into_iter().enumerate() {
            let (count, room) = (valid[at].get(), padded[at]);
            if count > room {
                let shape = shape.and_then(|shape| shape.items().get(at));
                let shape = shape.map(|extent| notes.related(&extent.span, "the padded extent"));
                let message = format!("{count} valid {name} do not fit a {what} of {room}");
                let label = format!("at most {room}");
                let span = &list.items()[at].span;
                let mistake = notes.add(Code::ValidExceedsPadded, span, message, label);
                mistake.related.extend(shape);
                return None;
            }
        }
        Some((padded, valid))
    }

    /// The tensor that plays `role`; these are its type and its shape unless it says so, where
    /// they are known.
    fn tensor(&mut self, role: Role, dtype: Option<DType>, shape: Option<[Dim; 5]>) {
        let given = self.given(role);
        if role == Role::Index {
            let of_tile = ["valid", "blayout", "slayout", "fractal", "location"];
            self.reject("a tensor in GM", given, &of_tile);
        }
        let tensor = self.tensor_of(given, dtype, shape);
        self.put(role, tensor.as_ref().map(Operand::Tensor));
    }

    fn tensor_of(
        &mut self,
        given: Given<'_>,
        dtype: Option<DType>,
        default: Option<[Dim; 5]>,
    ) -> Option<GlobalTensor> {
        let (what, shape) = (given.what, given.get("shape"));
        let dtype = self.element_type(given, dtype);
        let notes = &mut *self.notes;
        let extents = match shape {
            Some(list) => {
                let extent = format!("an extent of the {what}");
                notes.array(&format!("the shape of the {what}"), list, |notes, word| {
                    notes.extent(&extent, word, 1, u64::MAX)
                })
            }
            None => default,
        };
        let strides = match given.get("stride") {
            Some(list) => notes.array(&format!("the stride of the {what}"), list, |notes, word| {
                notes.extent("a stride", word, 0, MAX_STRIDE)
            }),
            None => extents.as_ref().map(limits::dense_strides),
        };
        let layout = notes.name_or("layout", given.get("layout"), Default::default());
        Some(GlobalTensor {
            dtype: dtype?,
            shape: extents?,
            stride: strides?,
            layout: layout?,
        })
    }

    fn element_type(&mut self, given: Given<'_>, default: Option<DType>) -> Option<DType> {
        if let Some(word) = given.get("dtype") {
            return self.notes.name("dtype", word);
        }
        if default.is_none() {
            let message = format!("no dtype for the {}: the case has none either", given.what);
            self.notes
                .add(Code::MissingKey, given.span, message, "needs `dtype`");
        }
        default
    }

    /// Whether the case or its defaults have the operand of `role`; they have to.
    fn is_there(&mut self, role: Role) -> bool {
        let there = self.keys.needed(self.notes, self.form().key(role));
        self.whole &= there.is_some();
        there.is_some()
    }

    fn needs_shape(&mut self, role: Role) {
        let given = self.given(role);
        if given.get("shape").is_none() {
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
