//! Where a call's tiles stand in manual mode.

use ptodiff_isa::{Call, Role, Tile, TileType};

/// Bytes that every tile's address is a multiple of.
const ALIGNMENT: u64 = 32;

/// A byte address for each tile of `call` in its own memory, from 0 upwards,
/// none overlapping another; `None` where 64 bits do not reach that far.
pub(crate) fn places(call: &Call) -> Option<Vec<(Role, u64)>> {
    let (mut ub, mut l1) = (0, 0);
    let mut places = Vec::new();
    for (role, operand) in call.operands() {
        let Some(tile) = operand.tile() else {
            continue;
        };
        let free = match tile.location {
            TileType::Vec => &mut ub,
            TileType::Mat => &mut l1,
        };
        places.push((role, *free));
        *free = bytes(tile)?
            .checked_add(*free)?
            .checked_next_multiple_of(ALIGNMENT)?;
    }
    Some(places)
}

/// Bytes of the whole padded tile.
fn bytes(tile: &Tile) -> Option<u64> {
    let elements = tile.rows.checked_mul(tile.cols)?;
    elements.checked_mul(tile.dtype.size() as u64)
}
