//! Cases built by hand, and their operands found again.

use ptodiff_case::{Case, DataPlan, Fill};
use ptodiff_isa::{Call, Memory, Region, Role};

/// Ramp in the table, poison in all other operands, random indices.
pub(crate) fn case(id: &str, call: Call) -> Case {
    let mut case = Case::of_call(id, call);
    case.id = id.to_owned();
    case.data = DataPlan {
        table: Fill::Ramp,
        source: Fill::Poison,
        ..DataPlan::default()
    };
    case
}

/// The operand that plays `role`.
pub(crate) fn operand(memory: &Memory, role: Role) -> &Region {
    memory.get(role).expect("the step has this operand")
}

pub(crate) fn is_poison(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| (0xFC..=0xFE).contains(b))
}
