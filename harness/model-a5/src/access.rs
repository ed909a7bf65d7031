//! Loads, stores and atomics of one element, with strays and trace.

use ptodiff_isa::{Event, Fault, Memory, Region, Role, Space, Stray, Strays};

use crate::combine::Combine;

/// What a read finds beyond the guard zone.
const NOWHERE: u8 = 0xEE;

/// Where events go.
pub(crate) trait Sink {
    /// Whether they go anywhere at all.
    const ON: bool;
    /// Takes one.
    fn push(&mut self, event: Event);
}

/// No trace is kept.
pub(crate) struct Silent;

impl Sink for Silent {
    const ON: bool = false;
    fn push(&mut self, _: Event) {}
}

/// A trace is kept.
pub(crate) struct Recording<'a>(pub(crate) &'a mut Vec<Event>);

impl Sink for Recording<'_> {
    const ON: bool = true;
    fn push(&mut self, event: Event) {
        self.0.push(event);
    }
}

/// One operand cut into elements of `W` bytes, with its guard zones.
///
/// Every A5 access covers one element at a whole element number, so an access
/// lies in `cells` or outside the body, never across its edge.
pub(crate) struct View<'a, const W: usize> {
    role: Role,
    before: &'a mut [u8],
    pub(crate) cells: &'a mut [[u8; W]],
    after: &'a mut [u8],
}

impl<'a, const W: usize> View<'a, W> {
    pub(crate) fn new(region: &'a mut Region) -> Self {
        let role = region.role;
        let body = region.body_range();
        let (before, rest) = region.bytes_mut().split_at_mut(body.start);
        // Bytes of the body that make no whole element count as outside.
        let whole = body.len() / W * W;
        let (inside, after) = rest.split_at_mut(whole);
        Self {
            role,
            before,
            cells: inside.as_chunks_mut().0,
            after,
        }
    }

    /// The element at `at`, wherever it is, without a note.
    #[inline(always)]
    pub(crate) fn peek(&self, at: i64) -> [u8; W] {
        match usize::try_from(at).ok().and_then(|at| self.cells.get(at)) {
            Some(cell) => *cell,
            None => self.peek_outside(at),
        }
    }

    /// `len` elements from `at` on, if all lie inside.
    #[inline(always)]
    pub(crate) fn strip(&self, at: i64, len: usize) -> Option<&[[u8; W]]> {
        let at = usize::try_from(at).ok()?;
        self.cells.get(at..at.checked_add(len)?)
    }

    /// `len` elements from `at` on, to be written, if all lie inside.
    #[inline(always)]
    pub(crate) fn strip_mut(&mut self, at: i64, len: usize) -> Option<&mut [[u8; W]]> {
        let at = usize::try_from(at).ok()?;
        self.cells.get_mut(at..at.checked_add(len)?)
    }

    #[cold]
    fn peek_outside(&self, at: i64) -> [u8; W] {
        let mut cell = [NOWHERE; W];
        for (byte, lane) in cell.iter_mut().zip(0..) {
            let found = match self.place(at, lane) {
                Place::Before(i) => self.before.get(i),
                Place::After(i) => self.after.get(i),
                Place::Nowhere => None,
            };
            if let Some(found) = found {
                *byte = *found;
            }
        }
        cell
    }

    #[cold]
    fn poke_outside(&mut self, at: i64, cell: [u8; W]) {
        for (byte, lane) in cell.iter().zip(0..) {
            let found = match self.place(at, lane) {
                Place::Before(i) => self.before.get_mut(i),
                Place::After(i) => self.after.get_mut(i),
                Place::Nowhere => None,
            };
            if let Some(found) = found {
                *found = *byte;
            }
        }
    }

    /// Where byte `lane` of the element at `at`, known to lie outside, stands.
    fn place(&self, at: i64, lane: i128) -> Place {
        let byte = i128::from(at) * W as i128 + lane;
        let (base, place): (i128, fn(usize) -> Place) = if byte < 0 {
            (-(self.before.len() as i128), Place::Before)
        } else {
            ((self.cells.len() * W) as i128, Place::After)
        };
        usize::try_from(byte - base).map_or(Place::Nowhere, place)
    }
}

enum Place {
    Before(usize),
    After(usize),
    Nowhere,
}

/// The way of one call's lanes to memory.
pub(crate) struct Port<'a, S> {
    strays: &'a mut Strays,
    sink: S,
}

impl<'a, S: Sink> Port<'a, S> {
    pub(crate) fn new(strays: &'a mut Strays, sink: S) -> Self {
        Self { strays, sink }
    }

    /// Notes what `event` makes, where a trace is kept.
    #[inline(always)]
    pub(crate) fn note(&mut self, event: impl FnOnce() -> Event) {
        if S::ON {
            self.sink.push(event());
        }
    }

    /// Notes a load of the element at `at`.
    #[inline(always)]
    pub(crate) fn note_load<const W: usize>(&mut self, view: &View<'_, W>, at: i64) {
        let role = view.role;
        self.note(|| Event::Load {
            space: space(role),
            role,
            offset: byte_offset::<W>(at),
            len: W as u64,
        });
    }

    /// Reads one element; what is outside becomes a stray.
    #[inline(always)]
    pub(crate) fn read<const W: usize>(&mut self, view: &View<'_, W>, at: i64) -> [u8; W] {
        match usize::try_from(at).ok().and_then(|at| view.cells.get(at)) {
            Some(cell) => *cell,
            None => {
                self.stray::<W>(view.role, at, false);
                view.peek_outside(at)
            }
        }
    }

    /// Reads one element and notes the load.
    #[inline(always)]
    pub(crate) fn load<const W: usize>(&mut self, view: &View<'_, W>, at: i64) -> [u8; W] {
        self.note_load(view, at);
        self.read(view, at)
    }

    /// Writes one element and notes the store.
    #[inline(always)]
    pub(crate) fn store<const W: usize>(&mut self, view: &mut View<'_, W>, at: i64, cell: [u8; W]) {
        let role = view.role;
        self.note(|| Event::Store {
            space: space(role),
            role,
            offset: byte_offset::<W>(at),
            len: W as u64,
        });
        match usize::try_from(at)
            .ok()
            .and_then(|at| view.cells.get_mut(at))
        {
            Some(slot) => *slot = cell,
            None => {
                self.stray::<W>(role, at, true);
                view.poke_outside(at, cell);
            }
        }
    }

    /// Combines one element into its slot: a lane's plain store or atomic.
    #[inline(always)]
    pub(crate) fn update<C: Combine<W>, const W: usize>(
        &mut self,
        view: &mut View<'_, W>,
        at: i64,
        cell: [u8; W],
    ) {
        let Some(intrinsic) = C::INTRINSIC else {
            return self.store(view, at, cell);
        };
        let role = view.role;
        self.note(|| Event::Atomic {
            name: intrinsic.into(),
            role,
            offset: byte_offset::<W>(at),
            len: W as u64,
        });
        match usize::try_from(at)
            .ok()
            .and_then(|at| view.cells.get_mut(at))
        {
            Some(slot) => *slot = C::combine(*slot, cell),
            None => {
                self.stray::<W>(role, at, true);
                let old = view.peek_outside(at);
                view.poke_outside(at, C::combine(old, cell));
            }
        }
    }

    #[cold]
    fn stray<const W: usize>(&mut self, role: Role, at: i64, write: bool) {
        self.strays.push(Stray {
            role,
            offset: byte_offset::<W>(at),
            len: W as u64,
            write,
        });
    }
}

/// The operands of a call, in the order of `roles`.
///
/// # Errors
/// If the memory lacks one.
pub(crate) fn operands(memory: &mut Memory, roles: [Role; 3]) -> Result<[&mut Region; 3], Fault> {
    let mut found = [None, None, None];
    for region in &mut memory.regions {
        for (place, role) in found.iter_mut().zip(roles) {
            if role == region.role && place.is_none() {
                *place = Some(region);
                break;
            }
        }
    }
    match found {
        [Some(a), Some(b), Some(c)] => Ok([a, b, c]),
        _ => Err(Fault(format!("the call needs the operands {roles:?}"))),
    }
}

fn space(role: Role) -> Space {
    match role {
        Role::Table => Space::Gm,
        Role::Source | Role::Destination | Role::Index => Space::Ub,
    }
}

fn byte_offset<const W: usize>(at: i64) -> i64 {
    at.saturating_mul(W as i64)
}
