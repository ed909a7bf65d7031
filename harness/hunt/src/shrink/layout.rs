//! Plainer layouts of tensors and tiles.

use ptodiff_case::Case;
use ptodiff_isa::{Dim, Layout, Role, SLayout, TileType};

use super::cut::{pack, restride};
use super::measure::plain_layout;
use super::parts::{tensors, tiles};
use super::policy::pad;
use super::search::Search;
use crate::dims::product;

/// How a layout gets plainer.
#[derive(Clone, Copy)]
enum Change {
    /// Every tensor by rows and every tile as its form has it by default.
    All,
    /// A tensor by rows: an NZ one as the table that its blocks make up.
    Rows(Role),
    /// A tensor by rows with the shape and the strides that it has.
    Label(Role),
    /// A tensor of which only the two inner dimensions count.
    Fold(Role),
    /// A tile with some of its properties as its form has them by default.
    Tile(Role, [bool; 4]),
}

/// Which properties of a tile become plain at a time: boxes, the order of elements or
/// boxes, the size of boxes, the memory.
const OF_TILES: [[bool; 4]; 5] = [
    [true; 4],
    [true, false, false, false],
    [false, true, false, false],
    [false, false, true, false],
    [false, false, false, true],
];

/// Plainer layouts, of all operands together and one by one; tiles with the
/// padding that the layout asks for, else with the one they have.
pub(super) fn layouts(search: &mut Search<'_>) -> bool {
    let list = |case: &Case| {
        let mut all = vec![Change::All];
        for role in tensors(&case.call) {
            all.extend([Change::Rows(role), Change::Label(role), Change::Fold(role)]);
        }
        for role in tiles(&case.call) {
            all.extend(OF_TILES.map(|which| Change::Tile(role, which)));
        }
        all.into_iter()
            .flat_map(|change| [(change, true), (change, false)])
            .collect()
    };
    search.exhaust(list, |search, (change, padded)| {
        let mut out = search.case.clone();
        match change {
            Change::All => {
                for role in tensors(&out.call) {
                    by_rows(&mut out, role);
                }
                for role in tiles(&out.call) {
                    plain(&mut out, role, [true; 4], padded);
                }
            }
            Change::Rows(role) => by_rows(&mut out, role),
            Change::Label(role) => out.call.tensor_mut(role)?.layout = Layout::ND,
            Change::Fold(role) => fold(&mut out, role),
            Change::Tile(role, which) => plain(&mut out, role, which, padded),
        }
        Some(out)
    })
}

fn plain(out: &mut Case, role: Role, [boxes, order, size, memory]: [bool; 4], padded: bool) {
    let (blayout, slayout) = plain_layout(&out.call);
    let Some(tile) = out.call.tile_mut(role) else {
        return;
    };
    let before = *tile;
    if boxes {
        tile.slayout = slayout;
    }
    if order {
        tile.blayout = blayout;
    }
    if size {
        tile.fractal = 512;
    }
    // One in L1 by its form has no other place, so it stays.
    if memory && slayout == SLayout::NoneBox {
        tile.location = TileType::Vec;
    }
    if padded && (tile.slayout, tile.blayout) != (before.slayout, before.blayout) {
        pad(tile);
    }
}

/// By rows, with the data in the order that it has.
fn by_rows(out: &mut Case, role: Role) {
    let Some(tensor) = out.call.tensor_mut(role) else {
        return;
    };
    if tensor.layout == Layout::NZ {
        let [s0, s1, s2, s3, s4] = tensor.shape;
        let rows = joined(&[s2, s3]);
        let cols = joined(&[s0, s1, s4]);
        let one = Dim::Static(1);
        tensor.shape = [one, one, one, rows, cols];
        pack(tensor);
    }
    tensor.layout = Layout::ND;
}

/// The outer dimensions made part of the rows.
fn fold(out: &mut Case, role: Role) {
    let Some(tensor) = out.call.tensor_mut(role) else {
        return;
    };
    if tensor.layout == Layout::NZ {
        return;
    }
    let before = *tensor;
    let one = Dim::Static(1);
    tensor.shape = [one, one, one, joined(&before.shape[..4]), before.shape[4]];
    restride(tensor, &before, 4);
}

/// One dimension in place of several: known at compile time where all are.
fn joined(dims: &[Dim]) -> Dim {
    let all = product(dims);
    if dims.iter().all(|dim| dim.known().is_some()) {
        Dim::Static(all)
    } else {
        Dim::Dynamic(all)
    }
}
