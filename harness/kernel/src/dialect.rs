//! How a target's library is taken to spell its calls.

use ptodiff_asm::{NoForm, Pieces, pieces};
use ptodiff_isa::{Call, Target};

/// The target whose forms are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dialect {
    /// The target.
    pub target: Target,
    /// Whether forms that only the ST suites have are taken to be there:
    /// MSCATTER on CPU with A5's template parameters (MSCATTER-GAP-41), masked
    /// TSCATTER and the gather to L1 on every target (the readings `cpu-form`
    /// and `scope`).
    pub suite_forms: bool,
}

impl Dialect {
    /// The parts of `call`.
    ///
    /// # Errors
    /// The clause by which there is no such form.
    pub(crate) fn pieces(self, call: &Call) -> Result<Pieces, NoForm> {
        if self.suite_forms && self.target == Target::Cpu && matches!(call, Call::Mscatter(_)) {
            return pieces(call, Target::A5);
        }
        pieces(call, self.target).or_else(|none| match call {
            Call::TscatterMask(_) | Call::MgatherL1(_) if self.suite_forms => {
                pieces(call, Target::A5)
            }
            _ => Err(none),
        })
    }

    /// Whether MSCATTER has template parameters (MSCATTER-API-01).
    pub(crate) fn has_scatter_policies(self) -> bool {
        self.suite_forms || self.target != Target::Cpu
    }

    /// Whether `ScatterConflict` is one of them (MSCATTER-API-02, -03).
    pub(crate) fn has_conflict(self) -> bool {
        match self.target {
            Target::Cpu => self.suite_forms,
            Target::A2a3 => false,
            Target::A5 => true,
        }
    }
}
