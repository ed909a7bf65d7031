//! The static assertions of each instruction.
//!
//! An assertion over a dynamic dimension does not fire.

mod first;
mod l1;
mod table;
mod tiles;

use ptodiff_isa::{Call, Clause, Readings, Refusal, Tile, TileType};

/// Everything that the assertions refuse.
pub(crate) fn refusals(call: &Call, readings: &Readings) -> Vec<Refusal> {
    let mut found = Vec::new();
    match call {
        Call::Mscatter(call) => table::mscatter(call, readings, &mut found),
        Call::MscatterFirst(call) => first::refusals(call, readings, &mut found),
        Call::Mgather(call) => table::mgather(call, readings, &mut found),
        Call::MgatherL1(call) => l1::refusals(call, &mut found),
        Call::TscatterIndex(call) => tiles::tscatter_index(call, readings, &mut found),
        Call::TscatterMask(call) => tiles::tscatter_mask(call, readings, &mut found),
        Call::Tgatherb(call) => tiles::tgatherb(call, &mut found),
    }
    found
}

fn refuse(found: &mut Vec<Refusal>, clause: &'static str, why: String) {
    let clause = Clause(clause);
    found.push(Refusal { clause, why });
}

/// Refuses a tile that does not stand in UB.
fn in_ub(found: &mut Vec<Refusal>, clause: &'static str, name: &str, tile: &Tile) {
    if tile.location != TileType::Vec {
        refuse(found, clause, format!("a {} {name} tile", tile.location));
    }
}
