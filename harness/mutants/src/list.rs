//! All mutants: what a target does wrong with a form, row by row.

mod mgather;
mod mscatter;
mod mscatter_a2a3;
mod mscatter_a5;
mod tgatherb;
mod tscatter;

use ptodiff_case::Form;
use ptodiff_isa::{
    BLayout, Call, Clause, Coalesce, DType, Dim, GatherOob, Role, ScatterAtomicOp, ScatterConflict,
    ScatterOob, Target,
};

use crate::{
    Mutant,
    cells::Cells,
    mistakes::*,
    number::{below, combined},
    operands::{Operands, block_cols, in_tile},
    walk::{Move, apply, lanes, remap},
    wrong::Wrong::{self, Cell, Combines, Lanes, Moves, Other, Rejects, Selects, Spoil},
};

/// Name, clause, mistake, and what is wrong.
pub(crate) type Row = (&'static str, &'static str, &'static str, Wrong);

/// All mutants, by instruction.
pub(crate) fn all() -> Vec<Mutant> {
    use Target::{A2a3, A5, Cpu};
    let rows = [
        (Form::Mscatter, Cpu, mscatter::CPU),
        (Form::Mscatter, A2a3, mscatter_a2a3::ALL),
        (Form::Mscatter, A5, mscatter_a5::ALL),
        (Form::MscatterFirst, A5, mscatter::FIRST),
        (Form::Mgather, Cpu, mgather::CPU),
        (Form::Mgather, A2a3, mgather::A2A3),
        (Form::Mgather, A5, mgather::A5),
        (Form::MgatherL1, A2a3, mgather::L1_A2A3),
        (Form::MgatherL1, A5, mgather::L1_A5),
        (Form::TscatterIndex, Cpu, tscatter::CPU),
        (Form::TscatterIndex, A2a3, tscatter::A2A3),
        (Form::TscatterIndex, A5, tscatter::A5),
        (Form::TscatterMask, A5, tscatter::MASK),
        (Form::Tgatherb, Cpu, tgatherb::CPU),
        (Form::Tgatherb, A2a3, tgatherb::A2A3),
        (Form::Tgatherb, A5, tgatherb::A5),
    ];
    let of = |(form, target, rows): (Form, Target, &'static [Row])| {
        rows.iter()
            .map(move |(name, clause, mistake, wrong)| Mutant {
                name,
                target,
                form,
                clause: Clause(clause),
                mistake,
                wrong: *wrong,
            })
    };
    rows.into_iter().flat_map(of).collect()
}

/// Takes the rows of a tile for ValidCol apart.
pub(crate) fn packed(call: &mut Call, role: Role) {
    if let Some(tile) = call.tile_mut(role) {
        tile.cols = tile.valid_col.get().max(1);
    }
}

/// Does one atomic operation for another.
fn atomic(call: &mut Call, from: ScatterAtomicOp, to: ScatterAtomicOp) {
    match call {
        Call::Mscatter(c) if c.atomic == from => c.atomic = to,
        Call::MscatterFirst(c) if c.atomic == from => c.atomic = to,
        _ => {}
    }
}

/// What the right model leaves, or what was there before.
pub(crate) fn kept_if(cells: &Cells<'_>, r: u64, c: u64, kept: bool) -> u64 {
    match kept {
        true => cells.before(r, c),
        false => cells.after(r, c),
    }
}
