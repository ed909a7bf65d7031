//! How a target's library is taken to spell its calls.

use ptodiff_asm::{NoForm, Pieces, pieces, suite_pieces};
use ptodiff_isa::{Call, CpuForm, MaskAxis, Readings, Scope, Target};

/// The target whose forms are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dialect {
    /// The target.
    pub target: Target,
    /// Whether forms that only the ST suites have are taken to be there:
    /// MSCATTER on CPU with A5's template parameters (MSCATTER-GAP-41), masked
    /// TSCATTER and the gather to L1 on every target, the axis of a mask (the
    /// readings `cpu-form` and `scope`).
    pub suite_forms: bool,
}

impl Dialect {
    /// The readings under which its forms are there.
    pub(crate) fn readings(self) -> Readings {
        let mut readings = Readings::default();
        if self.suite_forms {
            readings.scope = Scope::AsTheSuite;
            if self.target == Target::Cpu {
                readings.cpu_form = CpuForm::Templated;
            }
        }
        readings
    }

    /// The parts of `call`.
    ///
    /// # Errors
    /// The clause by which there is no such form.
    pub(crate) fn pieces(self, call: &Call) -> Result<Pieces, NoForm> {
        if self.is_of_the_suites(call) {
            return suite_pieces(call);
        }
        pieces(call, self.target)
    }

    /// Whether `call` is spelled in a form that only an ST suite has.
    pub(crate) fn is_of_the_suites(self, call: &Call) -> bool {
        self.suite_forms
            && match call {
                Call::Mscatter(_) => self.target == Target::Cpu,
                Call::MgatherL1(_) => self.target == Target::Cpu,
                Call::TscatterMask(c) => self.target != Target::A5 || c.axis == MaskAxis::Col,
                _ => false,
            }
    }

    /// Whether the form of `call` has the template parameter `key`.
    pub(crate) fn has(self, call: &Call, key: &str) -> bool {
        match (call, key) {
            (Call::Mscatter(_), "conflict") => self.has_conflict(),
            (Call::Mscatter(_), _) => self.has_scatter_policies(),
            _ => true,
        }
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
