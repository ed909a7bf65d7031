//! What one access does, the same for all three models.
//!
//! No document speaks of guard zones, of what an access outside an operand
//! finds, or of how such accesses are counted: [`ptodiff_isa::Model`] fixes all
//! of it, and this crate is its one account. It is told a byte offset and
//! computes none: which address an access has is each model's own reading of
//! the documents.
//!
//! An element is the `u64` of its `size` little-endian bytes, 1 to 8.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

use ptodiff_isa::{Event, Fault, Log, Memory, OobAccess, Region, Role, Space};

/// What a read delivers where there is neither body nor guard zone.
const NOWHERE: u8 = 0xEE;

/// How a value combines with the one that stands in its place: `new = f(old, value)`.
pub type Combine = fn(u64, u64) -> u64;

/// The way of one call to its operands. Offsets are bytes from the start of an
/// operand's body; they may be negative, or lie beyond its end.
pub struct Bus<'m> {
    regions: [Option<&'m mut Region>; ROLES],
    log: &'m mut Log,
}

const ROLES: usize = Role::Scratch as usize + 1;

impl<'m> Bus<'m> {
    /// The operands of `memory`; the first that plays a role is the one that counts.
    pub fn new(memory: &'m mut Memory, log: &'m mut Log) -> Self {
        let mut regions = [const { None }; ROLES];
        for region in memory.regions.iter_mut().rev() {
            let place = region.role as usize;
            regions[place] = Some(region);
        }
        Self { regions, log }
    }

    /// Makes sure that all these operands are there. An access to one that is
    /// missing finds neither body nor guard zone.
    ///
    /// # Errors
    /// Names the first one that is missing.
    pub fn require(&self, roles: &[Role]) -> Result<(), Fault> {
        match roles.iter().find(|&&role| self.get(role).is_none()) {
            Some(role) => Err(Fault(format!("the memory has no {role} operand"))),
            None => Ok(()),
        }
    }

    /// The operand that plays `role`, to be looked at without an access.
    #[inline]
    #[must_use]
    pub fn get(&self, role: Role) -> Option<&Region> {
        self.regions[role as usize].as_deref()
    }

    /// Whether a trace is kept.
    #[inline]
    #[must_use]
    pub fn traced(&self) -> bool {
        self.log.trace.is_some()
    }

    /// Adds what `event` makes to the trace, if one is kept.
    #[inline]
    pub fn note(&mut self, event: impl FnOnce() -> Event) {
        if let Some(events) = &mut self.log.trace {
            events.push(event());
        }
    }

    /// Loads an element of `size` bytes, which the trace shows.
    #[inline]
    pub fn load(&mut self, space: Space, role: Role, at: i64, size: usize) -> u64 {
        self.note(|| Event::Load {
            space,
            role,
            offset: at,
            len: size as u64,
        });
        self.read(role, at, size)
    }

    /// Stores an element of `size` bytes, which the trace shows.
    #[inline]
    pub fn store(&mut self, space: Space, role: Role, at: i64, size: usize, value: u64) {
        self.note(|| Event::Store {
            space,
            role,
            offset: at,
            len: size as u64,
        });
        self.write(role, at, size, value);
    }

    /// Combines `value` with the element at `at` in one access, which the trace
    /// shows as an atomic called `name`.
    #[inline]
    pub fn atomic(
        &mut self,
        name: &str,
        role: Role,
        at: i64,
        size: usize,
        value: u64,
        combine: Combine,
    ) {
        self.note(|| Event::Atomic {
            name: name.to_owned(),
            role,
            offset: at,
            len: size as u64,
        });
        self.access(role, at, size as u64, true);
        let old = self.peek(role, at, size);
        self.poke(role, at, size, combine(old, value));
    }

    /// Sets `len` bytes to zero in one access, which the trace shows as a fill;
    /// `name` is the intrinsic, where the documents name one.
    pub fn fill(&mut self, name: Option<&str>, space: Space, role: Role, at: i64, len: u64) {
        self.note(|| Event::Fill {
            name: name.map(str::to_owned),
            space,
            role,
            offset: at,
            len,
        });
        self.access(role, at, len, true);
        self.zero(role, at, len);
    }

    /// Reads an element of `size` bytes.
    #[inline]
    pub fn read(&mut self, role: Role, at: i64, size: usize) -> u64 {
        self.access(role, at, size as u64, false);
        self.peek(role, at, size)
    }

    /// Writes an element of `size` bytes.
    #[inline]
    pub fn write(&mut self, role: Role, at: i64, size: usize, value: u64) {
        self.access(role, at, size as u64, true);
        self.poke(role, at, size, value);
    }

    /// Sets `len` bytes to zero, without an access.
    pub fn zero(&mut self, role: Role, at: i64, len: u64) {
        let Some(region) = &mut self.regions[role as usize] else {
            return;
        };
        let (start, end) = reachable(region, at, len);
        if let Some(bytes) = region.part_mut(start..end) {
            bytes.fill(0);
        }
    }

    /// Moves `len` bytes from one operand to another, without an access, first
    /// byte first.
    pub fn transfer(&mut self, from: (Role, i64), to: (Role, i64), len: u64) {
        if let Some((read, write)) = self.bodies(from, to, len) {
            write.copy_from_slice(read);
            return;
        }
        for at in self.touched(to, len) {
            let byte = self.peek(from.0, from.1.saturating_add(at), 1);
            self.poke(to.0, to.1.saturating_add(at), 1, byte);
        }
    }

    /// Combines `len` bytes of one operand with those of another, without an
    /// access, an element of `size` bytes after the other.
    pub fn accumulate(
        &mut self,
        from: (Role, i64),
        to: (Role, i64),
        len: u64,
        size: usize,
        combine: Combine,
    ) {
        let touched = self.touched(to, len);
        // The first element that is written may begin before what is there.
        let first = touched.start - touched.start % size as i64;
        for at in (first..touched.end).step_by(size) {
            let value = self.peek(from.0, from.1.saturating_add(at), size);
            let slot = to.1.saturating_add(at);
            let old = self.peek(to.0, slot, size);
            self.poke(to.0, slot, size, combine(old, value));
        }
    }

    /// What stands at `at`, without an access.
    #[inline]
    #[must_use]
    pub fn peek(&self, role: Role, at: i64, size: usize) -> u64 {
        let Some(region) = self.get(role) else {
            return u64::from_le_bytes([NOWHERE; 8]) & low(size);
        };
        let bytes = region.bytes();
        let rest = bytes.get(place(region, at)..);
        if let Some(wide) = rest.and_then(|rest| rest.first_chunk()) {
            return u64::from_le_bytes(*wide) & low(size);
        }
        let byte = |k| bytes.get(place(region, at.saturating_add(k)));
        let mut found = [NOWHERE; 8];
        for (k, place) in (0..).zip(&mut found) {
            *place = byte(k).copied().unwrap_or(NOWHERE);
        }
        u64::from_le_bytes(found) & low(size)
    }

    /// Puts `value` at `at`, without an access; what reaches neither body nor
    /// guard zone is lost.
    #[inline]
    pub fn poke(&mut self, role: Role, at: i64, size: usize, value: u64) {
        let Some(region) = &mut self.regions[role as usize] else {
            return;
        };
        let start = place(region, at);
        let wide = region.part_mut(start..start.saturating_add(8));
        if let Some(wide) = wide.and_then(|wide| wide.first_chunk_mut()) {
            let kept = u64::from_le_bytes(*wide) & !low(size);
            *wide = (value & low(size) | kept).to_le_bytes();
            return;
        }
        for (k, byte) in (0..).zip(&value.to_le_bytes()[..size]) {
            let at = place(region, at.saturating_add(k));
            if let Some(place) = region.part_mut(at..at.saturating_add(1)) {
                place.fill(*byte);
            }
        }
    }

    /// Counts an access of `len` bytes if it leaves the body, for one whose
    /// bytes are then moved by [`Bus::peek`] and [`Bus::poke`]. An access of no
    /// bytes is none.
    #[inline]
    pub fn access(&mut self, role: Role, at: i64, len: u64, write: bool) {
        let body = self
            .get(role)
            .map_or(0, |region| region.body_range().len() as u64);
        let inside = u64::try_from(at).is_ok_and(|at| at.saturating_add(len) <= body);
        if len > 0 && !inside {
            self.log.oob_accesses.push(OobAccess {
                role,
                offset: at,
                len,
                write,
            });
        }
    }

    /// Both sides of a copy, where all of each lies in the body.
    fn bodies(
        &mut self,
        from: (Role, i64),
        to: (Role, i64),
        len: u64,
    ) -> Option<(&[u8], &mut [u8])> {
        let places = [from.0 as usize, to.0 as usize];
        let [Some(read), Some(write)] = self.regions.get_disjoint_mut(places).ok()? else {
            return None;
        };
        let len = usize::try_from(len).ok()?;
        let read = read.body().get(usize::try_from(from.1).ok()?..)?;
        let at = usize::try_from(to.1).ok()?;
        if at.checked_add(len)? > write.body().len() {
            return None;
        }
        let start = write.body_range().start + at;
        Some((read.get(..len)?, write.part_mut(start..start + len)?))
    }

    /// Which bytes of `len` from `at` on have a place to be written to, counted
    /// from `at`.
    fn touched(&self, (role, at): (Role, i64), len: u64) -> std::ops::Range<i64> {
        let Some(region) = self.get(role) else {
            return 0..0;
        };
        let (start, end) = reachable(region, at, len);
        let from_at = |place: usize| {
            (place as i64)
                .saturating_sub(region.body_range().start as i64)
                .saturating_sub(at)
        };
        match start < end {
            true => from_at(start)..from_at(end),
            false => 0..0,
        }
    }
}

/// The bits of an element of `size` bytes: all elements are read and written by the
/// same eight bytes, as a branch for each size costs more than the access.
#[inline]
fn low(size: usize) -> u64 {
    u64::MAX >> (64 - 8 * size)
}

/// Where byte `at` of a body lies in its region, guard zones included; past its
/// end if nowhere.
#[inline]
fn place(region: &Region, at: i64) -> usize {
    let start = region.body_range().start as i64;
    start
        .checked_add(at)
        .and_then(|place| usize::try_from(place).ok())
        .unwrap_or(usize::MAX)
}

/// The part of `len` bytes from `at` on that lies in the region.
fn reachable(region: &Region, at: i64, len: u64) -> (usize, usize) {
    let start = i128::from(region.body_range().start as u64) + i128::from(at);
    let cut = |place: i128| place.clamp(0, region.bytes().len() as i128) as usize;
    (cut(start), cut(start + i128::from(len)))
}

#[cfg(test)]
mod tests;
