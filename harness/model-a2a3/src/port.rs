//! One operand as the core sees it: bytes from its first one on.

use ptodiff_isa::{Region, Role, Stray};

use crate::scribe::Scribe;

/// What a read delivers that reaches neither body nor guard zone.
const NOWHERE: u8 = 0xEE;

/// A byte address that is out of every memory's reach may be cut to 64 bits.
#[inline]
pub(crate) fn narrow(at: i128) -> i64 {
    i64::try_from(at).unwrap_or(if at < 0 { i64::MIN } else { i64::MAX })
}

/// An operand to be read, addressed in bytes from the start of its body.
///
/// A loop keeps one of its own and never hands it on by value: a copy for a
/// path that is never taken would be made for each element.
pub(crate) struct View<'m> {
    role: Role,
    before: &'m [u8],
    body: &'m [u8],
    after: &'m [u8],
}

impl<'m> View<'m> {
    /// The operand that `region` holds, which keeps what it knows of writes.
    pub(crate) fn new(region: &'m Region) -> Self {
        let (before, rest) = region.bytes().split_at(region.body_range().start);
        let (body, after) = rest.split_at(region.body_range().len());
        Self {
            role: region.role,
            before,
            body,
            after,
        }
    }

    /// An operand that the call does not read: no byte of it exists.
    pub(crate) fn none(role: Role) -> Self {
        Self {
            role,
            before: &[],
            body: &[],
            after: &[],
        }
    }

    /// The same operand, for a loop to keep in registers.
    #[inline(always)]
    pub(crate) fn again(&self) -> Self {
        Self { ..*self }
    }

    /// The operand's role.
    #[inline(always)]
    pub(crate) fn role(&self) -> Role {
        self.role
    }

    /// The body as elements of `N` bytes.
    #[inline(always)]
    pub(crate) fn elements<const N: usize>(&self) -> &'m [[u8; N]] {
        self.body.as_chunks().0
    }

    /// The operand's own bytes.
    #[inline(always)]
    pub(crate) fn body(&self) -> &'m [u8] {
        self.body
    }

    /// `len` elements of `N` bytes at `at`, if all of them are in the body.
    #[inline]
    pub(crate) fn line<const N: usize>(&self, at: i64, len: usize) -> Option<&'m [[u8; N]]> {
        let bytes = self.span(at, len.checked_mul(N)?)?;
        Some(bytes.as_chunks().0)
    }

    /// `len` bytes at `at`, if all of them are in the body.
    #[inline]
    pub(crate) fn span(&self, at: i64, len: usize) -> Option<&'m [u8]> {
        let start = usize::try_from(at).ok()?;
        self.body.get(start..start.checked_add(len)?)
    }

    /// Copies element `slot` of elements of `N` bytes to `to`.
    ///
    /// Into a place instead of by value: a value that comes from two branches
    /// would go over the stack.
    #[inline(always)]
    pub(crate) fn fetch_slot<const N: usize>(
        &self,
        slot: i64,
        to: &mut [u8; N],
        log: &mut impl Scribe,
    ) {
        let cells = self.elements();
        match usize::try_from(slot).ok().and_then(|slot| cells.get(slot)) {
            Some(cell) => *to = *cell,
            None => *to = self.load_stray(slot_offset::<N>(slot), log),
        }
    }

    /// Reads the element at `at`.
    #[inline(always)]
    pub(crate) fn load<const N: usize>(&self, at: i64, log: &mut impl Scribe) -> [u8; N] {
        match self.span(at, N).and_then(|bytes| bytes.first_chunk()) {
            Some(bytes) => *bytes,
            None => self.load_stray(at, log),
        }
    }

    /// Copies the element at `at` to `to`; why so, [`View::fetch_slot`] says.
    #[inline(always)]
    pub(crate) fn fetch<const N: usize>(&self, at: i64, to: &mut [u8; N], log: &mut impl Scribe) {
        match self.span(at, N).and_then(|bytes| bytes.first_chunk()) {
            Some(bytes) => *to = *bytes,
            None => *to = self.load_stray(at, log),
        }
    }

    #[cold]
    #[inline(never)]
    fn load_stray<const N: usize>(&self, at: i64, log: &mut impl Scribe) -> [u8; N] {
        report(self.role, at, N, false, log);
        self.peek(at.into())
    }

    /// Bytes from anywhere, without a record.
    pub(crate) fn peek<const N: usize>(&self, at: i128) -> [u8; N] {
        std::array::from_fn(|k| {
            let byte = match find(at + k as i128, self.before.len(), self.body.len()) {
                Zone::Before(i) => self.before.get(i),
                Zone::Body(i) => self.body.get(i),
                Zone::After(i) => self.after.get(i),
                Zone::None => None,
            };
            byte.copied().unwrap_or(NOWHERE)
        })
    }
}

/// An operand to be written, addressed in bytes from the start of its body.
pub(crate) struct Port<'m> {
    role: Role,
    before: &'m mut [u8],
    body: &'m mut [u8],
    after: &'m mut [u8],
}

impl<'m> Port<'m> {
    /// The operand that `region` holds, which takes all of it for written.
    pub(crate) fn new(region: &'m mut Region) -> Self {
        let role = region.role;
        let range = region.body_range();
        let (before, rest) = region.bytes_mut().split_at_mut(range.start);
        let (body, after) = rest.split_at_mut(range.len());
        Self {
            role,
            before,
            body,
            after,
        }
    }

    /// An operand that the call does not have: no byte of it exists.
    pub(crate) fn none(role: Role) -> Self {
        Self {
            role,
            before: &mut [],
            body: &mut [],
            after: &mut [],
        }
    }

    /// The operand's role.
    #[inline(always)]
    pub(crate) fn role(&self) -> Role {
        self.role
    }

    /// The operand's own bytes.
    pub(crate) fn body(&mut self) -> &mut [u8] {
        self.body
    }

    /// Bytes of the guard zone before the operand.
    pub(crate) fn guard(&self) -> usize {
        self.before.len()
    }

    /// Guard zone, operand, guard zone, byte by byte.
    pub(crate) fn cells(&mut self) -> impl Iterator<Item = &mut u8> {
        let rest = self.body.iter_mut().chain(self.after.iter_mut());
        self.before.iter_mut().chain(rest)
    }

    /// The operand to be read.
    #[inline(always)]
    pub(crate) fn view(&self) -> View<'_> {
        View {
            role: self.role,
            before: self.before,
            body: self.body,
            after: self.after,
        }
    }

    /// The same operand for a shorter time, for a loop to keep in registers.
    #[inline(always)]
    pub(crate) fn again(&mut self) -> Port<'_> {
        Port {
            role: self.role,
            before: self.before,
            body: self.body,
            after: self.after,
        }
    }

    /// `len` elements of `N` bytes at `at` to be written, if all of them are in
    /// the body.
    #[inline]
    pub(crate) fn line_mut<const N: usize>(
        &mut self,
        at: i64,
        len: usize,
    ) -> Option<&mut [[u8; N]]> {
        let bytes = self.span_mut(at, len.checked_mul(N)?)?;
        Some(bytes.as_chunks_mut().0)
    }

    /// `len` bytes at `at` to be written, if all of them are in the body.
    #[inline]
    pub(crate) fn span_mut(&mut self, at: i64, len: usize) -> Option<&mut [u8]> {
        let start = usize::try_from(at).ok()?;
        self.body.get_mut(start..start.checked_add(len)?)
    }

    /// Writes element `slot` of elements of `N` bytes.
    #[inline(always)]
    pub(crate) fn store_slot<const N: usize>(
        &mut self,
        slot: i64,
        value: [u8; N],
        log: &mut impl Scribe,
    ) {
        let (cells, _) = self.body.as_chunks_mut();
        match usize::try_from(slot)
            .ok()
            .and_then(|slot| cells.get_mut(slot))
        {
            Some(cell) => *cell = value,
            None => self.store_stray(slot_offset::<N>(slot), value, log),
        }
    }

    /// Reads element `slot` of elements of `N` bytes and writes it back changed.
    #[inline(always)]
    pub(crate) fn update_slot<const N: usize>(
        &mut self,
        slot: i64,
        change: impl Fn([u8; N]) -> [u8; N],
        log: &mut impl Scribe,
    ) {
        let (cells, _) = self.body.as_chunks_mut();
        match usize::try_from(slot)
            .ok()
            .and_then(|slot| cells.get_mut(slot))
        {
            Some(cell) => *cell = change(*cell),
            None => {
                let at = slot_offset::<N>(slot);
                let old = self.view().load_stray(at, log);
                self.store_stray(at, change(old), log);
            }
        }
    }

    /// Writes the element at `at`.
    #[inline(always)]
    pub(crate) fn store<const N: usize>(&mut self, at: i64, value: [u8; N], log: &mut impl Scribe) {
        match self
            .span_mut(at, N)
            .and_then(|bytes| bytes.first_chunk_mut())
        {
            Some(bytes) => *bytes = value,
            None => self.store_stray(at, value, log),
        }
    }

    #[inline(always)]
    fn store_stray<const N: usize>(&mut self, at: i64, value: [u8; N], log: &mut impl Scribe) {
        let Self {
            role,
            before,
            body,
            after,
        } = self;
        store_stray(*role, before, body, after, at, value, log);
    }

    /// Bytes to anywhere, without a record; those beyond the guard zones are lost.
    pub(crate) fn poke<const N: usize>(&mut self, at: i128, value: [u8; N]) {
        for (k, byte) in value.into_iter().enumerate() {
            let cell = match find(at + k as i128, self.before.len(), self.body.len()) {
                Zone::Before(i) => self.before.get_mut(i),
                Zone::Body(i) => self.body.get_mut(i),
                Zone::After(i) => self.after.get_mut(i),
                Zone::None => None,
            };
            if let Some(cell) = cell {
                *cell = byte;
            }
        }
    }

    /// Writes `bytes` at `at`, in one access.
    pub(crate) fn write(&mut self, at: i64, bytes: &[u8], log: &mut impl Scribe) {
        if let Some(cells) = self.span_mut(at, bytes.len()) {
            cells.copy_from_slice(bytes);
            return;
        }
        report(self.role, at, bytes.len(), true, log);
        for (k, &byte) in bytes.iter().enumerate() {
            self.poke(i128::from(at) + k as i128, [byte]);
        }
    }

    /// Zeroes the first `len` bytes, which may run past the body.
    pub(crate) fn clear(&mut self, len: usize, log: &mut impl Scribe) {
        if len > self.body.len() {
            report(self.role, 0, len, true, log);
        }
        let inside = len.min(self.body.len());
        let beyond = (len - inside).min(self.after.len());
        self.body[..inside].fill(0);
        self.after[..beyond].fill(0);
    }
}

// The slices come one by one: a loop that lent out a whole port could not keep
// it in registers.
#[cold]
#[inline(never)]
fn store_stray<const N: usize>(
    role: Role,
    before: &mut [u8],
    body: &mut [u8],
    after: &mut [u8],
    at: i64,
    value: [u8; N],
    log: &mut impl Scribe,
) {
    report(role, at, N, true, log);
    let mut port = Port {
        role,
        before,
        body,
        after,
    };
    port.poke(at.into(), value);
}

/// Byte offset of a slot. Neither indices nor capacities reach 60 bits.
#[inline(always)]
pub(crate) fn slot_offset<const W: usize>(slot: i64) -> i64 {
    slot * W as i64
}

/// Records an access as a stray one.
pub(crate) fn report(role: Role, at: i64, len: usize, write: bool, log: &mut impl Scribe) {
    log.stray(Stray {
        role,
        offset: at,
        len: len as u64,
        write,
    });
}

/// Where a byte address leads.
enum Zone {
    Before(usize),
    Body(usize),
    After(usize),
    None,
}

fn find(at: i128, before: usize, body: usize) -> Zone {
    let end = body as i128;
    let within = |at: i128, zone: fn(usize) -> Zone| usize::try_from(at).map_or(Zone::None, zone);
    if at < 0 {
        within(at + before as i128, Zone::Before)
    } else if at < end {
        within(at, Zone::Body)
    } else {
        within(at - end, Zone::After)
    }
}

#[cfg(test)]
mod tests {
    use super::narrow;

    #[test]
    fn addresses_out_of_reach_are_cut() {
        let (least, greatest) = (i128::from(i64::MIN), i128::from(i64::MAX));
        assert_eq!([least - 1, least, -1].map(narrow), [i64::MIN, i64::MIN, -1]);
        assert_eq!(
            [0, greatest, greatest + 1].map(narrow),
            [0, i64::MAX, i64::MAX]
        );
    }
}
