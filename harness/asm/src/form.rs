//! Every assembly form of a call.

use ptodiff_isa::{Call, Clause};

use strum::VariantArray as _;

use crate::write;

/// Which of the documents' forms one is: the most telling last, but for the sketch.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, strum::Display, strum::VariantArray,
)]
#[strum(serialize_all = "lowercase")]
pub enum Level {
    /// PTO-AS with suffixes in the short types of the documents. It loses
    /// most of the call, so [`parse`](crate::parse()) does not read it.
    Sketch,
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

/// The clause that gives `level` of `call`, if a document or a gap does.
fn clause(call: &Call, level: Level) -> Option<Clause> {
    use Level::{Dps, Manual, Mode, Sketch, Ssa, Synchronous};
    let row = write::by_row(call);
    Some(Clause(match (call, level) {
        (Call::Mscatter(_), Synchronous) => "MSCATTER-ASM-01",
        (Call::Mscatter(_), Mode | Sketch) if row => "MSCATTER-ASM-02",
        (Call::Mscatter(_), Mode | Sketch) => "MSCATTER-ASM-03",
        (Call::Mscatter(_), Ssa) => "MSCATTER-ASM-05",
        (Call::Mscatter(_), Dps) => "MSCATTER-ASM-06",
        (Call::Mscatter(_), Manual) => "MSCATTER-ASM-07",
        (Call::MscatterFirst(_), Mode | Sketch) if row => "MSCATTER0-ASM-01",
        (Call::MscatterFirst(_), Mode | Sketch) => "MSCATTER0-ASM-02",
        (Call::Mgather(_), Synchronous) => "MGATHER-ASM-01",
        (Call::Mgather(_), Mode | Sketch) if row => "MGATHER-ASM-02",
        (Call::Mgather(_), Mode | Sketch) => "MGATHER-ASM-03",
        (Call::Mgather(_), Ssa) => "MGATHER-ASM-05",
        (Call::Mgather(_), Dps) => "MGATHER-ASM-06",
        (Call::Mgather(_), Manual) => "MGATHER-ASM-07",
        (Call::MgatherL1(_), Synchronous | Mode | Ssa | Dps | Manual) => "MGATHERL1-GAP-21",
        (Call::TscatterIndex(_), Synchronous) => "TSCATTER-ASM-01",
        (Call::TscatterIndex(_), Ssa) => "TSCATTER-ASM-02",
        (Call::TscatterIndex(_), Dps) => "TSCATTER-ASM-03",
        (Call::TscatterIndex(_), Manual) => "TSCATTER-ASM-04",
        (Call::TscatterMask(_), _) => "TSCATTER-GAP-16",
        (Call::Tgatherb(_), Synchronous) => "TGATHERB-ASM-01",
        (Call::Tgatherb(_), Ssa) => "TGATHERB-ASM-02",
        (Call::Tgatherb(_), Dps) => "TGATHERB-ASM-03",
        (Call::Tgatherb(_), Manual) => "TGATHERB-ASM-04",
        _ => return None,
    }))
}

/// Every form of `call`.
///
/// All but [`Level::Sketch`] hold the whole call. The crate's documentation
/// lists what in them is ptodiff's own level. The first revision of
/// MSCATTER has a mode form and no other; a call whose tiles no 64-bit
/// addresses can tell apart has no manual form.
#[must_use]
pub fn forms(call: &Call) -> Vec<Form> {
    let levels = Level::VARIANTS.iter().copied();
    levels
        .filter_map(|level| {
            Some(Form {
                level,
                clause: clause(call, level)?,
                text: write::text(call, level)?,
            })
        })
        .collect()
}
