//! What the generated C++ calls an operand.

use ptodiff_isa::{Call, Role};

/// The names of one operand.
#[derive(Clone, Copy)]
pub(super) struct Names {
    /// A tile's variable, and the stem of a tensor's variable and pointer.
    pub(super) variable: &'static str,
    /// The stem of its types.
    pub(super) stem: &'static str,
}

impl Names {
    pub(super) const fn of(call: &Call, role: Role) -> Self {
        let (variable, stem) = match (role, call) {
            (Role::Table, _) => ("table", "Table"),
            (Role::Source, _) => ("src", "Src"),
            (Role::Destination, _) => ("dst", "Dst"),
            (Role::Index, Call::Tgatherb(_)) => ("offset", "Offset"),
            (Role::Index, _) => ("idx", "Idx"),
            (Role::Scratch, _) => ("scratch", "Scratch"),
        };
        Self { variable, stem }
    }

    /// The pointer to its bytes in GM.
    pub(super) fn pointer(self) -> String {
        format!("{}Ptr", self.variable)
    }

    /// Its tensor's variable.
    pub(super) fn tensor(self) -> String {
        format!("{}GM", self.variable)
    }
}
