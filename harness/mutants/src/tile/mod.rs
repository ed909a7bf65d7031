//! TSCATTER and TGATHERB, small and slow, in pieces of which a mutant has one wrong.

mod bytes;
mod index;
mod mask;

use ptodiff_isa::{Fault, Memory, Region, Role};

use crate::Mutant;

pub(crate) use bytes::ByteGather;
pub(crate) use index::Index;
pub(crate) use mask::Mask;

pub(crate) fn mutants() -> impl Iterator<Item = Mutant> {
    let all = [index::ALL, mask::ALL, bytes::ALL];
    all.into_iter().flatten().copied()
}

fn get(memory: &Memory, role: Role) -> Result<&Region, Fault> {
    let region = memory.get(role);
    region.ok_or_else(|| Fault(format!("the memory has no {role} operand")))
}

fn get_mut(memory: &mut Memory, role: Role) -> Result<&mut Region, Fault> {
    let region = memory.get_mut(role);
    region.ok_or_else(|| Fault(format!("the memory has no {role} operand")))
}
