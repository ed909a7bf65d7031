//! Every assembly form of a call.

use ptodiff_isa::{Call, Clause};

use crate::{grammar::Spelling, write};

/// Which of the documents' forms one is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Level {
    /// PTO-AS, synchronous: `%dst = mgather %mem, %idx : ...`.
    Synchronous,
    /// PTO-AS with its policies as suffixes: `mgather.row.clamp ...`.
    Mode,
    /// AS or IR level 1: `%dst = pto.mgather %mem, %idx : (...) -> ...`.
    #[strum(to_string = "level 1 (SSA)")]
    Ssa,
    /// AS or IR level 2: `pto.mgather ins(...) outs(...)`.
    #[strum(to_string = "level 2 (DPS)")]
    Dps,
    /// Level 1 after the `pto.tassign` lines of manual mode, each tile at a
    /// byte address of its own.
    Manual,
    /// PTO-AS with suffixes in the short types of the documents. It loses
    /// most of the call, so [`parse`](crate::parse()) does not read it.
    Sketch,
}

impl Level {
    /// Whether [`parse`](crate::parse()) reads a form of this level back to the same call.
    #[must_use]
    pub const fn is_lossless(self) -> bool {
        !matches!(self, Self::Sketch)
    }
}

/// One spelling of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    /// Which one it is.
    pub level: Level,
    /// The clause that gives the form, or the gap for want of which its
    /// pattern is ptodiff's own.
    pub clause: Clause,
    /// The text, without a newline at its end.
    pub text: String,
}

/// The forms of one instruction that the documents have, one clause each.
struct Clauses {
    synchronous: &'static str,
    /// By row and by element.
    mode: Option<[&'static str; 2]>,
    ssa: &'static str,
    dps: &'static str,
    manual: &'static str,
}

const MSCATTER: Clauses = Clauses {
    synchronous: "MSCATTER-ASM-01",
    mode: Some(["MSCATTER-ASM-02", "MSCATTER-ASM-03"]),
    ssa: "MSCATTER-ASM-05",
    dps: "MSCATTER-ASM-06",
    manual: "MSCATTER-ASM-07",
};
const MGATHER: Clauses = Clauses {
    synchronous: "MGATHER-ASM-01",
    mode: Some(["MGATHER-ASM-02", "MGATHER-ASM-03"]),
    ssa: "MGATHER-ASM-05",
    dps: "MGATHER-ASM-06",
    manual: "MGATHER-ASM-07",
};
const TSCATTER: Clauses = Clauses {
    synchronous: "TSCATTER-ASM-01",
    mode: None,
    ssa: "TSCATTER-ASM-02",
    dps: "TSCATTER-ASM-03",
    manual: "TSCATTER-ASM-04",
};
const TGATHERB: Clauses = Clauses {
    synchronous: "TGATHERB-ASM-01",
    mode: None,
    ssa: "TGATHERB-ASM-02",
    dps: "TGATHERB-ASM-03",
    manual: "TGATHERB-ASM-04",
};

/// The clause that gives `level` of `call`, if a document or a gap does.
fn clause(call: &Call, level: Level) -> Option<Clause> {
    let clauses = match call {
        Call::Mscatter(_) => &MSCATTER,
        Call::Mgather(_) => &MGATHER,
        Call::TscatterIndex(_) => &TSCATTER,
        Call::Tgatherb(_) => &TGATHERB,
        Call::MscatterFirst(_) => {
            let [row, elem] = ["MSCATTER0-ASM-01", "MSCATTER0-ASM-02"];
            let asked = matches!(level, Level::Mode | Level::Sketch);
            return asked.then_some(Clause(if write::by_row(call) { row } else { elem }));
        }
        Call::MgatherL1(_) => {
            return (level != Level::Sketch).then_some(Clause("MGATHERL1-GAP-21"));
        }
        Call::TscatterMask(_) => return Some(Clause("TSCATTER-GAP-16")),
    };
    Some(Clause(match level {
        Level::Synchronous => clauses.synchronous,
        Level::Mode | Level::Sketch => {
            let [row, elem] = clauses.mode?;
            if write::by_row(call) { row } else { elem }
        }
        Level::Ssa => clauses.ssa,
        Level::Dps => clauses.dps,
        Level::Manual => clauses.manual,
    }))
}

/// Every form of `call`, the most telling last but for the sketch.
///
/// All but [`Level::Sketch`] hold the whole call. The crate's documentation
/// lists what in them is ptodiff's own spelling. The first revision of
/// MSCATTER has a mode form and no other; a call whose tiles no 64-bit
/// addresses can tell apart has no manual form.
#[must_use]
pub fn forms(call: &Call) -> Vec<Form> {
    let lines = [
        (Level::Sketch, write::sketch(call)),
        (Level::Synchronous, write::line(call, Spelling::Bare)),
        (Level::Mode, write::line(call, Spelling::Moded)),
        (Level::Ssa, write::line(call, Spelling::Ssa)),
        (Level::Dps, write::line(call, Spelling::Dps)),
        (Level::Manual, write::manual(call)),
    ];
    lines
        .into_iter()
        .filter_map(|(level, text)| {
            let clause = clause(call, level)?;
            Some(Form {
                level,
                clause,
                text: text?,
            })
        })
        .collect()
}
