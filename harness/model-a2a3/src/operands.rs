//! The operands of a call, open at once.

use ptodiff_isa::{Fault, Memory, Region, Role};

use crate::port::Port;

/// The operands of one MSCATTER or MGATHER.
pub(crate) struct Operands<'m> {
    /// The table in GM.
    pub(crate) table: Port<'m>,
    /// The data tile: source or destination.
    pub(crate) data: Port<'m>,
    /// The indices.
    pub(crate) index: Port<'m>,
    /// The staging area in GM; nothing where the call has none.
    pub(crate) scratch: Port<'m>,
}

impl<'m> Operands<'m> {
    /// Opens table, the data tile called `data`, and index.
    ///
    /// # Errors
    /// If the memory lacks one of them.
    #[inline(always)]
    pub(crate) fn open(memory: &'m mut Memory, data: Role) -> Result<Self, Fault> {
        let [table, data, index] = regions(memory, [Role::Table, data, Role::Index])?;
        Ok(Self {
            table: Port::new(table),
            data: Port::new(data),
            index: Port::new(index),
            scratch: Port::none(Role::Scratch),
        })
    }

    /// Opens table, destination, index and scratch.
    ///
    /// # Errors
    /// If the memory lacks one of them.
    #[inline(always)]
    pub(crate) fn open_staged(memory: &'m mut Memory) -> Result<Self, Fault> {
        let roles = [Role::Table, Role::Destination, Role::Index, Role::Scratch];
        let [table, data, index, scratch] = regions(memory, roles)?;
        Ok(Self {
            table: Port::new(table),
            data: Port::new(data),
            index: Port::new(index),
            scratch: Port::new(scratch),
        })
    }

    /// The operand at `place`.
    pub(crate) fn at(&mut self, place: Place) -> &mut Port<'m> {
        match place {
            Place::Table => &mut self.table,
            Place::Data => &mut self.data,
            Place::Index => &mut self.index,
            Place::Scratch => &mut self.scratch,
        }
    }
}

/// Names one of [`Operands`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// The table.
    Table,
    /// The data tile.
    Data,
    /// The indices.
    Index,
    /// The staging area.
    Scratch,
}

/// Opens one operand a role.
///
/// # Errors
/// If the memory lacks one of them.
pub(crate) fn ports<const N: usize>(
    memory: &mut Memory,
    roles: [Role; N],
) -> Result<[Port<'_>; N], Fault> {
    Ok(regions(memory, roles)?.map(Port::new))
}

/// Finds one operand a role.
// Inlined with its callers: operands would be copied from hand to hand.
#[inline(always)]
fn regions<const N: usize>(
    memory: &mut Memory,
    roles: [Role; N],
) -> Result<[&mut Region; N], Fault> {
    let mut places = [0; N];
    for (place, role) in places.iter_mut().zip(roles) {
        let mut regions = memory.regions.iter();
        let found = regions.position(|region| region.role == role);
        *place = found.ok_or_else(|| no_operand(role))?;
    }
    // Different roles have different places.
    let found = memory.regions.get_disjoint_mut(places);
    found.map_err(|_| Fault("an operand plays two roles".to_owned()))
}

#[cold]
fn no_operand(role: Role) -> Fault {
    Fault(format!("the memory has no operand `{role}`"))
}
