//! Plainer layouts of tensors and tiles.

use ptodiff_case::Case;
use ptodiff_isa::{Dim, GlobalTensor, Layout, Role, SLayout, TileType};

use super::cut::{pack, restride};
use super::measure::plain_layout;
use super::parts::{tensors, tiles};
use super::policy::pad;
use super::search::{Edit, edit, of_tensor};
use crate::dims::product;

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
pub(super) fn layouts(case: &Case) -> Vec<Edit> {
    let together = |padded| {
        edit(move |case| {
            for role in tensors(&case.call) {
                if let Some(tensor) = case.call.tensor_mut(role) {
                    by_rows(tensor);
                }
            }
            for role in tiles(&case.call) {
                plain(case, role, [true; 4], padded);
            }
        })
    };
    let mut all: Vec<Edit> = [true, false].map(together).into();
    for role in tensors(&case.call) {
        let changes: [fn(&mut GlobalTensor); 3] =
            [by_rows, |tensor| tensor.layout = Layout::ND, fold];
        all.extend(changes.map(|change| of_tensor(role, change)));
    }
    for role in tiles(&case.call) {
        for which in OF_TILES {
            let one = |padded| edit(move |case| plain(case, role, which, padded));
            all.extend([true, false].map(one));
        }
    }
    all
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

/// By rows, with the data in the order that it has: an NZ tensor as the table that its
/// blocks make up.
fn by_rows(tensor: &mut GlobalTensor) {
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
fn fold(tensor: &mut GlobalTensor) {
    if tensor.layout != Layout::NZ {
        let before = *tensor;
        let one = Dim::Static(1);
        tensor.shape = [one, one, one, joined(&before.shape[..4]), before.shape[4]];
        restride(tensor, &before, 4);
    }
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
