//! Who takes note of the accesses.

use ptodiff_isa::{Call, Event, Role, Space, Stray, Strays};

/// Takes note of every access of one run.
pub(crate) trait Watch {
    /// Whether each element's accesses are wanted one by one.
    const RECORDS: bool;

    /// A load of `len` bytes at `offset` of an operand's body.
    fn load(&mut self, role: Role, offset: i64, len: usize);

    /// A store of `len` bytes at `offset` of an operand's body.
    fn store(&mut self, role: Role, offset: i64, len: usize);

    /// The `len` bytes of an operand's whole body set to zero.
    fn fill(&mut self, role: Role, len: usize);

    /// Where stray accesses go.
    fn strays(&mut self) -> &mut Strays;
}

/// Stray accesses only.
pub(crate) struct Quiet<'a> {
    pub(crate) strays: &'a mut Strays,
}

impl Watch for Quiet<'_> {
    const RECORDS: bool = false;

    #[inline]
    fn load(&mut self, _role: Role, _offset: i64, _len: usize) {}

    #[inline]
    fn store(&mut self, _role: Role, _offset: i64, _len: usize) {}

    fn fill(&mut self, _role: Role, _len: usize) {}

    fn strays(&mut self) -> &mut Strays {
        self.strays
    }
}

/// Every access.
///
/// All of it is host memory here; the space is the one an operand stands for.
pub(crate) struct Recording<'a> {
    strays: &'a mut Strays,
    events: &'a mut Vec<Event>,
    /// The space of the tiles that hold data.
    tiles: Space,
    /// The space of the indices.
    indices: Space,
}

impl<'a> Recording<'a> {
    /// What takes note of one run of `call`.
    pub(crate) fn new(call: &Call, strays: &'a mut Strays, events: &'a mut Vec<Event>) -> Self {
        let (tiles, indices) = match call {
            Call::MgatherL1(_) => (Space::L1, Space::Gm),
            Call::Mscatter(_)
            | Call::MscatterFirst(_)
            | Call::Mgather(_)
            | Call::TscatterIndex(_)
            | Call::TscatterMask(_)
            | Call::Tgatherb(_) => (Space::Ub, Space::Ub),
        };
        Self {
            strays,
            events,
            tiles,
            indices,
        }
    }

    fn space(&self, role: Role) -> Space {
        match role {
            Role::Table | Role::Scratch => Space::Gm,
            Role::Source | Role::Destination => self.tiles,
            Role::Index => self.indices,
        }
    }
}

impl Watch for Recording<'_> {
    const RECORDS: bool = true;

    fn load(&mut self, role: Role, offset: i64, len: usize) {
        self.events.push(Event::Load {
            space: self.space(role),
            role,
            offset,
            len: len as u64,
        });
    }

    fn store(&mut self, role: Role, offset: i64, len: usize) {
        self.events.push(Event::Store {
            space: self.space(role),
            role,
            offset,
            len: len as u64,
        });
    }

    fn fill(&mut self, role: Role, len: usize) {
        self.events.push(Event::Fill {
            name: None,
            space: self.space(role),
            role,
            offset: 0,
            len: len as u64,
        });
    }

    fn strays(&mut self) -> &mut Strays {
        self.strays
    }
}

/// Notes an access that left its operand's body.
pub(crate) fn stray(strays: &mut Strays, role: Role, offset: i64, len: usize, write: bool) {
    strays.push(Stray {
        role,
        offset,
        len: len as u64,
        write,
    });
}
