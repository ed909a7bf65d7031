//! The operands of a call, open at once.

use ptodiff_isa::{Fault, Memory, Role};

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
    pub(crate) fn open(memory: &'m mut Memory, data: Role) -> Result<Self, Fault> {
        let [table, data, index] = ports(memory, [Role::Table, data, Role::Index])?;
        Ok(Self {
            table,
            data,
            index,
            scratch: Port::none(Role::Scratch),
        })
    }

    /// Opens table, destination, index and scratch.
    ///
    /// # Errors
    /// If the memory lacks one of them.
    pub(crate) fn open_staged(memory: &'m mut Memory) -> Result<Self, Fault> {
        let roles = [Role::Table, Role::Destination, Role::Index, Role::Scratch];
        let [table, data, index, scratch] = ports(memory, roles)?;
        Ok(Self {
            table,
            data,
            index,
            scratch,
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
    let mut ports = roles.map(Port::none);
    let mut open = [false; N];
    for region in &mut memory.regions {
        let place = roles.iter().position(|&role| role == region.role);
        if let Some(k) = place.filter(|&k| !open[k]) {
            open[k] = true;
            ports[k] = Port::new(region);
        }
    }
    match open.iter().position(|open| !open) {
        Some(k) => Err(Fault(format!("the memory has no operand `{}`", roles[k]))),
        None => Ok(ports),
    }
}
