//! Loads, stores and atomics of lanes, with strays and trace.

use ptodiff_isa::{Dispatch, End, Event, Fault, Memory, Region, Role, Stray, Strays};

use crate::combine::Combine;
use crate::view::{View, ViewMut, byte_offset};

/// Where events go.
pub(crate) trait Sink {
    /// Whether they go anywhere at all.
    const ON: bool;
    /// Takes what `event` makes, where a trace is kept.
    fn note(&mut self, event: impl FnOnce() -> Event);
}

/// No trace is kept.
pub(crate) struct Silent;

impl Sink for Silent {
    const ON: bool = false;
    #[inline(always)]
    fn note(&mut self, _: impl FnOnce() -> Event) {}
}

/// A trace is kept.
pub(crate) struct Recording<'a>(pub(crate) &'a mut Vec<Event>);

impl Sink for Recording<'_> {
    const ON: bool = true;
    #[inline(always)]
    fn note(&mut self, event: impl FnOnce() -> Event) {
        self.0.push(event());
    }
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
        self.sink.note(event);
    }

    /// `cce::async_invoke` of a SIMT kernel, which waits forever where nothing
    /// installed the SIMT context (MSCATTER-LAUNCH-10, MGATHER-LAUNCH-11).
    pub(crate) fn launch(&mut self, dispatch: Dispatch, event: impl FnOnce() -> Event) -> End {
        self.note(event);
        match dispatch {
            Dispatch::Standard => End::Finished,
            Dispatch::Direct => End::Hung,
        }
    }

    /// Notes a load of the element at `at`.
    #[inline(always)]
    pub(crate) fn note_load<const W: usize>(&mut self, view: &View<'_, W>, at: i64) {
        self.note(|| load_event(view, at, W));
    }

    /// Reads one element; what is outside becomes a stray.
    #[inline(always)]
    pub(crate) fn read<const W: usize>(&mut self, view: &View<'_, W>, at: i64) -> [u8; W] {
        match view.get(at) {
            Some(cell) => *cell,
            None => {
                self.stray::<W>(view.role, at, W, false);
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

    /// Writes one element; what is outside becomes a stray.
    #[inline(always)]
    pub(crate) fn write<const W: usize>(
        &mut self,
        view: &mut ViewMut<'_, W>,
        at: i64,
        cell: [u8; W],
    ) {
        match view.get_mut(at) {
            Some(slot) => *slot = cell,
            None => {
                self.stray::<W>(view.role, at, W, true);
                view.poke_outside(at, cell);
            }
        }
    }

    /// Writes one element and notes the store.
    #[inline(always)]
    pub(crate) fn store<const W: usize>(
        &mut self,
        view: &mut ViewMut<'_, W>,
        at: i64,
        cell: [u8; W],
    ) {
        self.note(|| store_event(view, at, W));
        self.write(view, at, cell);
    }

    /// Combines one element into its slot: a lane's plain store or atomic.
    #[inline(always)]
    pub(crate) fn update<C: Combine<W>, const W: usize>(
        &mut self,
        view: &mut ViewMut<'_, W>,
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
        match view.get_mut(at) {
            Some(slot) => *slot = C::combine(*slot, cell),
            None => {
                self.stray::<W>(role, at, W, true);
                let old = view.peek_outside(at);
                view.poke_outside(at, C::combine(old, cell));
            }
        }
    }

    /// Loads `N` bytes from byte `at` on; one stray where they leave the body.
    #[inline(always)]
    pub(crate) fn load_bytes<const N: usize>(&mut self, view: &View<'_, 1>, at: i64) -> [u8; N] {
        self.note(|| load_event(view, at, N));
        match view.bytes(at) {
            Some(bytes) => bytes,
            None => self.load_bytes_outside(view, at),
        }
    }

    #[cold]
    fn load_bytes_outside<const N: usize>(&mut self, view: &View<'_, 1>, at: i64) -> [u8; N] {
        self.stray::<1>(view.role, at, N, false);
        view.peek_bytes(at)
    }

    /// Stores `bytes` from byte `at` on; one stray where they leave the body.
    pub(crate) fn store_bytes(&mut self, view: &mut ViewMut<'_, 1>, at: i64, bytes: &[u8]) {
        self.note(|| store_event(view, at, bytes.len()));
        if let Some(slots) = view.strip_mut(at, bytes.len()) {
            return slots.as_flattened_mut().copy_from_slice(bytes);
        }
        self.stray::<1>(view.role, at, bytes.len(), true);
        for (byte, lane) in bytes.iter().zip(0..) {
            view.poke(at.saturating_add(lane), [*byte]);
        }
    }

    #[cold]
    fn stray<const W: usize>(&mut self, role: Role, at: i64, len: usize, write: bool) {
        if self.strays.count == 0 {
            // Strays come in crowds: their list should not grow bit by bit.
            self.strays.first.reserve(Strays::KEPT);
        }
        self.strays.push(Stray {
            role,
            offset: byte_offset::<W>(at),
            len: len as u64,
            write,
        });
    }
}

/// A load of `len` bytes that begins at element `at`.
fn load_event<const W: usize>(view: &View<'_, W>, at: i64, len: usize) -> Event {
    Event::Load {
        space: view.space,
        role: view.role,
        offset: byte_offset::<W>(at),
        len: len as u64,
    }
}

/// A store of `len` bytes that begins at element `at`.
fn store_event<const W: usize>(view: &ViewMut<'_, W>, at: i64, len: usize) -> Event {
    Event::Store {
        space: view.space,
        role: view.role,
        offset: byte_offset::<W>(at),
        len: len as u64,
    }
}

/// The operands of a call, in the order of `roles`.
///
/// # Errors
/// If the memory lacks one.
#[inline]
pub(crate) fn operands<const N: usize>(
    memory: &mut Memory,
    roles: [Role; N],
) -> Result<[&mut Region; N], Fault> {
    let regions = memory.regions.as_mut_slice();
    let in_order = |first: &[Region; N]| (0..N).all(|at| first[at].role == roles[at]);
    let found = match regions.first_chunk().is_some_and(in_order) {
        true => regions.first_chunk_mut().map(<[Region; N]>::each_mut),
        false => search(regions, roles),
    };
    found.ok_or_else(|| missing(roles))
}

/// The same, in whatever order they stand.
#[inline(never)]
fn search<const N: usize>(regions: &mut [Region], roles: [Role; N]) -> Option<[&mut Region; N]> {
    let place = |role| regions.iter().position(|region| region.role == role);
    // No region stands at the place of one that is missing.
    let places = roles.map(|role| place(role).unwrap_or(usize::MAX));
    regions.get_disjoint_mut(places).ok()
}

#[cold]
#[inline(never)]
fn missing<const N: usize>(roles: [Role; N]) -> Fault {
    Fault(format!("the call needs the operands {roles:?}"))
}
