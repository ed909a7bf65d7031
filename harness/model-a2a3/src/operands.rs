//! The operands of a call, open at once.

use ptodiff_isa::{Fault, Memory, Region, Role};

use crate::port::{Port, View};

/// The operands of one MSCATTER or MGATHER.
pub(crate) struct Operands<'m> {
    /// The table that a gather reads; nothing for a scatter.
    pub(crate) table: View<'m>,
    /// What is written in GM: a scatter's table, or the staging area of a
    /// gather to L1; nothing where the call has neither.
    pub(crate) gm: Port<'m>,
    /// The data tile: source or destination.
    pub(crate) data: Port<'m>,
    /// The indices.
    pub(crate) index: Port<'m>,
    /// A scatter's table while `gm` is still to be opened.
    pub(crate) closed: Option<&'m mut Region>,
}

impl<'m> Operands<'m> {
    /// Opens table, source and index of a scatter. A table that notes what is
    /// written of it stays closed, unless it is to be opened `whole`.
    ///
    /// # Errors
    /// If the memory lacks one of them.
    #[inline(always)]
    pub(crate) fn open_scatter(memory: &'m mut Memory, whole: bool) -> Result<Self, Fault> {
        let [table, data, index] = regions(memory, [Role::Table, Role::Source, Role::Index])?;
        let (gm, closed) = if !whole && table.parts_mut(0).is_some() {
            (Port::none(Role::Table), Some(table))
        } else {
            (Port::new(table), None)
        };
        Ok(Self {
            table: View::none(Role::Table),
            gm,
            data: Port::new(data),
            index: Port::new(index),
            closed,
        })
    }

    /// Opens table, destination and index of a gather.
    ///
    /// # Errors
    /// If the memory lacks one of them.
    #[inline(always)]
    pub(crate) fn open_gather(memory: &'m mut Memory) -> Result<Self, Fault> {
        let roles = [Role::Table, Role::Destination, Role::Index];
        let [table, data, index] = regions(memory, roles)?;
        Ok(Self {
            table: View::new(table),
            gm: Port::none(Role::Scratch),
            data: Port::new(data),
            index: Port::new(index),
            closed: None,
        })
    }

    /// Opens table, destination, index and scratch of a gather.
    ///
    /// # Errors
    /// If the memory lacks one of them.
    #[inline(always)]
    pub(crate) fn open_staged(memory: &'m mut Memory) -> Result<Self, Fault> {
        let roles = [Role::Table, Role::Destination, Role::Index, Role::Scratch];
        let [table, data, index, scratch] = regions(memory, roles)?;
        Ok(Self {
            table: View::new(table),
            gm: Port::new(scratch),
            data: Port::new(data),
            index: Port::new(index),
            closed: None,
        })
    }

    /// The operand at `place`.
    pub(crate) fn at(&mut self, place: Place) -> &mut Port<'m> {
        match place {
            Place::Gm => &mut self.gm,
            Place::Data => &mut self.data,
            Place::Index => &mut self.index,
        }
    }
}

/// Names one of [`Operands`] that may be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// What is written in GM.
    Gm,
    /// The data tile.
    Data,
    /// The indices.
    Index,
}

/// Finds one operand a role.
///
/// # Errors
/// If the memory lacks one of them.
// Inlined with its callers: operands would be copied from hand to hand.
#[inline(always)]
pub(crate) fn regions<const N: usize>(
    memory: &mut Memory,
    roles: [Role; N],
) -> Result<[&mut Region; N], Fault> {
    // Mostly they come first and in this order.
    let plays = |(region, role): (&Region, Role)| region.role == role;
    let first = memory.regions.first_chunk::<N>();
    if first.is_some_and(|first| first.iter().zip(roles).all(plays)) {
        let found = memory.regions.first_chunk_mut();
        return found.map(<[_; N]>::each_mut).ok_or_else(two_roles);
    }
    let mut places = [0; N];
    for (place, role) in places.iter_mut().zip(roles) {
        let mut regions = memory.regions.iter();
        let found = regions.position(|region| region.role == role);
        *place = found.ok_or_else(|| no_operand(role))?;
    }
    // Different roles have different places.
    let found = memory.regions.get_disjoint_mut(places);
    found.map_err(|_| two_roles())
}

#[cold]
fn two_roles() -> Fault {
    Fault("an operand plays two roles".to_owned())
}

#[cold]
fn no_operand(role: Role) -> Fault {
    Fault(format!("the memory has no operand `{role}`"))
}
