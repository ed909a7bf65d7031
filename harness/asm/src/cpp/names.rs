//! What the generated C++ calls an operand.

use ptodiff_isa::{Call, Form, Role};

/// The names of one operand.
#[derive(Clone, Copy)]
pub(super) struct Names {
    /// A tile's variable, and the stem of a tensor's variable and pointer.
    pub(super) variable: &'static str,
}

impl Names {
    pub(super) const fn of(call: &Call, role: Role) -> Self {
        let variable = Form::of(call).variable(role);
        Self { variable }
    }

    /// The stem of its types.
    pub(super) fn stem(self) -> String {
        let (first, rest) = self.variable.split_at(1);
        first.to_uppercase() + rest
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
