//! Who takes note of the accesses.

use ptodiff_isa::{Event, Role, Space, Stray, Strays};

/// Takes note of every access of one run.
pub(crate) trait Watch {
    /// Whether each element's accesses are wanted one by one.
    const RECORDS: bool;

    /// A load of `len` bytes at `offset` of an operand's body.
    fn load(&mut self, role: Role, offset: i64, len: usize);

    /// A store of `len` bytes at `offset` of an operand's body.
    fn store(&mut self, role: Role, offset: i64, len: usize);

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

    fn strays(&mut self) -> &mut Strays {
        self.strays
    }
}

/// Every access.
pub(crate) struct Recording<'a> {
    pub(crate) strays: &'a mut Strays,
    pub(crate) events: &'a mut Vec<Event>,
}

impl Watch for Recording<'_> {
    const RECORDS: bool = true;

    fn load(&mut self, role: Role, offset: i64, len: usize) {
        self.events.push(Event::Load {
            space: space(role),
            role,
            offset,
            len: len as u64,
        });
    }

    fn store(&mut self, role: Role, offset: i64, len: usize) {
        self.events.push(Event::Store {
            space: space(role),
            role,
            offset,
            len: len as u64,
        });
    }

    fn strays(&mut self) -> &mut Strays {
        self.strays
    }
}

/// All of it is host memory here; the space is the one the operand stands for.
fn space(role: Role) -> Space {
    match role {
        Role::Table => Space::Gm,
        Role::Source | Role::Destination | Role::Index => Space::Ub,
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
