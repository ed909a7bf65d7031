//! Rules that the documents state more than once.

use ptodiff_isa::{Call, Clause, Coalesce, Instruction, Role, Target};

use super::elements::float8;
use crate::coord::BLOCK_BYTES;

/// The clauses that state what `call` breaks by `clause` on `target` as well: a list of what is
/// allowed beside one of what is not, or a rule on a form beside that on its parts.
pub(super) fn restated(call: &Call, target: Target, clause: Clause) -> Vec<Clause> {
    let data = call.data_tile();
    let size = data.dtype.size() as u64;
    let narrow = data.cols.saturating_mul(size) < BLOCK_BYTES;
    let index = call
        .operand(Role::Index)
        .and_then(|index| index.tile().copied());
    let below = index.is_some_and(|index| index.valid_row.get() > 1 && index.valid_col.get() == 1);
    let also: &[&str] = match clause.0 {
        "MSCATTER-DTYPE-08" => &["MSCATTER-DTYPE-07"],
        "MGATHER-DTYPE-07" => &["MGATHER-DTYPE-06"],
        "MSCATTER-ATOM-09" => &["MSCATTER-ATOM-08"],
        "MSCATTER-ATOM-11" => &["MSCATTER-ATOM-15"],
        "MSCATTER-ATOM-12" if float8(data.dtype) => {
            &["MSCATTER-ATOM-11", "MSCATTER-ATOM-15", "MSCATTER-DTYPE-10"]
        }
        "MSCATTER-ATOM-12" => &["MSCATTER-ATOM-11", "MSCATTER-ATOM-15"],
        "MSCATTER-ATOM-13" | "MSCATTER-ATOM-14" if float8(data.dtype) => {
            &["MSCATTER-ATOM-15", "MSCATTER-DTYPE-10"]
        }
        "MSCATTER-ATOM-13" | "MSCATTER-ATOM-14" => &["MSCATTER-ATOM-15"],
        "MSCATTER-SHAPE-01" => &["MSCATTER-MODE-02", "MSCATTER-TILE-16"],
        "MSCATTER-SHAPE-02" if target == Target::A2a3 => &["MSCATTER-MODE-02", "MSCATTER-TILE-16"],
        "MSCATTER-SHAPE-02" => &["MSCATTER-MODE-02"],
        "MSCATTER-SHAPE-04" => &["MSCATTER-MODE-02", "MSCATTER-TILE-13"],
        "MGATHER-MODE-02" if below => &["MGATHER-MODE-01", "MGATHER-MODE-03"],
        "MGATHER-MODE-02" | "MGATHER-MODE-05" => &["MGATHER-MODE-01"],
        "MGATHER-MODE-04" => &["MGATHER-MODE-01", "MGATHER-TILE-11"],
        "MSCATTER-GAP-36" => &["MSCATTER-TILE-13"],
        "MGATHER-GAP-15" => &["MGATHER-TILE-11"],
        "MSCATTER-TILE-06" => &["MSCATTER-TILE-16"],
        "MSCATTER-TILE-12" => &["MSCATTER-TILE-10", "MSCATTER-NZ-18"],
        "MGATHER-TILE-08" => &["MGATHER-TILE-07"],
        "MGATHER-GAP-39" => &["MGATHER-TABLE-10"],
        "MSCATTER-ALIGN-01" if narrow && size == 1 => &["MSCATTER-MIN-01"],
        "MSCATTER-ALIGN-01" if narrow && size == 2 => &["MSCATTER-MIN-02"],
        "MSCATTER-ALIGN-01" if narrow => &["MSCATTER-MIN-03"],
        "MGATHER-ALIGN-01" if narrow && size == 1 => &["MGATHER-MIN-01"],
        "MGATHER-ALIGN-01" if narrow && size == 2 => &["MGATHER-MIN-02"],
        "MGATHER-ALIGN-01" if narrow => &["MGATHER-MIN-03"],
        "MSCATTER-NZ-04" | "MSCATTER-NZ-05" => &["MSCATTER-TABLE-12"],
        "MSCATTER-NZ-06" | "MSCATTER-NZ-07" => &["MSCATTER-MIN-09"],
        "MGATHER-NZ-09" | "MGATHER-NZ-10" => &["MGATHER-MIN-04"],
        "MGATHERL1-GAP-05" if call.mode() == Some(Coalesce::Elem) => &["MGATHERL1-SCRATCH-01"],
        _ => match call.instruction() {
            Instruction::Tscatter => &["TSCATTER-API-03"],
            Instruction::Tgatherb if target != Target::Cpu => &["TGATHERB-API-02"],
            _ => &[],
        },
    };
    also.iter().map(|number| Clause(number)).collect()
}
