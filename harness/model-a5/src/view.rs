//! One operand as elements, with its guard zones.

use std::ops::Range;

use ptodiff_isa::{Region, Role, Space};

/// What a read finds beyond the guard zone.
const NOWHERE: u8 = 0xEE;

/// One operand that is only read, cut into elements of `W` bytes, with its guard
/// zones.
///
/// Where loads begin at any byte (TGATHERB), an operand is cut into bytes.
pub(crate) struct View<'a, const W: usize> {
    pub(crate) role: Role,
    pub(crate) space: Space,
    before: &'a [u8],
    pub(crate) cells: &'a [[u8; W]],
    after: &'a [u8],
}

impl<'a, const W: usize> View<'a, W> {
    #[inline(always)]
    pub(crate) fn new(region: &'a Region, space: Space) -> Self {
        let body = region.body_range();
        let (before, rest) = region.bytes().split_at(body.start);
        let (inside, after) = rest.split_at(whole::<W>(&body));
        Self {
            role: region.role,
            space,
            before,
            cells: inside.as_chunks().0,
            after,
        }
    }

    /// The element at `at`, if it lies inside.
    #[inline(always)]
    pub(crate) fn get(&self, at: i64) -> Option<&'a [u8; W]> {
        self.cells.get(subscript(at))
    }

    /// The element at `at`, wherever it is, without a note.
    #[inline(always)]
    pub(crate) fn peek(&self, at: i64) -> [u8; W] {
        match self.get(at) {
            Some(cell) => *cell,
            None => self.peek_outside(at),
        }
    }

    /// `len` elements from `at` on, if all lie inside.
    #[inline(always)]
    pub(crate) fn strip(&self, at: i64, len: usize) -> Option<&'a [[u8; W]]> {
        let at = subscript(at);
        self.cells.get(at..at.checked_add(len)?)
    }

    #[cold]
    pub(crate) fn peek_outside(&self, at: i64) -> [u8; W] {
        self.peek_bytes(byte_offset::<W>(at))
    }

    /// `N` bytes from a byte of the body on, wherever they are, without a note.
    pub(crate) fn peek_bytes<const N: usize>(&self, first: i64) -> [u8; N] {
        let mut bytes = [NOWHERE; N];
        for (byte, lane) in bytes.iter_mut().zip(0..) {
            if let Some(found) = self.byte(first.saturating_add(lane)) {
                *byte = *found;
            }
        }
        bytes
    }

    /// A byte, if there is one.
    fn byte(&self, at: i64) -> Option<&u8> {
        let inside = self.cells.as_flattened();
        if at < 0 {
            let at = self.before.len() as i64 + at;
            return self.before.get(subscript(at));
        }
        let at = subscript(at);
        match at.checked_sub(inside.len()) {
            None => inside.get(at),
            Some(at) => self.after.get(at),
        }
    }
}

impl View<'_, 1> {
    /// `N` bytes from a byte on, if all lie inside.
    #[inline(always)]
    pub(crate) fn bytes<const N: usize>(&self, at: i64) -> Option<[u8; N]> {
        let rest = self.cells.as_flattened().get(subscript(at)..)?;
        rest.first_chunk().copied()
    }
}

/// The same of an operand that is written: its region takes all of it for written
/// then, so an operand that is only read is never viewed so.
pub(crate) struct ViewMut<'a, const W: usize> {
    pub(crate) role: Role,
    pub(crate) space: Space,
    before: &'a mut [u8],
    pub(crate) cells: &'a mut [[u8; W]],
    after: &'a mut [u8],
}

impl<'a, const W: usize> ViewMut<'a, W> {
    #[inline(always)]
    pub(crate) fn new(region: &'a mut Region, space: Space) -> Self {
        let role = region.role;
        let body = region.body_range();
        let (before, rest) = region.bytes_mut().split_at_mut(body.start);
        let (inside, after) = rest.split_at_mut(whole::<W>(&body));
        Self {
            role,
            space,
            before,
            cells: inside.as_chunks_mut().0,
            after,
        }
    }

    /// To be read.
    #[inline(always)]
    pub(crate) fn as_view(&self) -> View<'_, W> {
        View {
            role: self.role,
            space: self.space,
            before: self.before,
            cells: self.cells,
            after: self.after,
        }
    }

    /// The element at `at`, to be written, if it lies inside.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self, at: i64) -> Option<&mut [u8; W]> {
        self.cells.get_mut(subscript(at))
    }

    /// Writes the element at `at`, wherever it is, without a note.
    pub(crate) fn poke(&mut self, at: i64, cell: [u8; W]) {
        match self.get_mut(at) {
            Some(slot) => *slot = cell,
            None => self.poke_outside(at, cell),
        }
    }

    /// `len` elements from `at` on, to be written, if all lie inside.
    #[inline(always)]
    pub(crate) fn strip_mut(&mut self, at: i64, len: usize) -> Option<&mut [[u8; W]]> {
        let at = subscript(at);
        self.cells.get_mut(at..at.checked_add(len)?)
    }

    /// A call of its own, lest the way there be made where nothing is outside.
    #[cold]
    #[inline(never)]
    pub(crate) fn peek_outside(&self, at: i64) -> [u8; W] {
        self.as_view().peek_outside(at)
    }

    #[cold]
    pub(crate) fn poke_outside(&mut self, at: i64, cell: [u8; W]) {
        let first = byte_offset::<W>(at);
        for (byte, lane) in cell.iter().zip(0..) {
            if let Some(found) = self.byte_mut(first.saturating_add(lane)) {
                *found = *byte;
            }
        }
    }

    /// A byte outside, if there is one.
    fn byte_mut(&mut self, at: i64) -> Option<&mut u8> {
        if at < 0 {
            let at = self.before.len() as i64 + at;
            return self.before.get_mut(subscript(at));
        }
        let inside = self.cells.as_flattened().len();
        self.after.get_mut(subscript(at).checked_sub(inside)?)
    }
}

/// Bytes of a body that make whole elements; the others count as outside.
#[inline(always)]
fn whole<const W: usize>(body: &Range<usize>) -> usize {
    body.len() / W * W
}

/// Bytes before element `at`.
pub(crate) fn byte_offset<const W: usize>(at: i64) -> i64 {
    at.saturating_mul(W as i64)
}

/// An element's number as one of a slice. What is negative becomes larger
/// than any slice, so that one comparison tells inside from outside.
#[inline(always)]
pub(crate) fn subscript(at: i64) -> usize {
    usize::try_from(at.cast_unsigned()).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight guard bytes, `body` bytes, eight guard bytes; each byte is its number.
    fn region(body: usize) -> Region {
        let bytes = (0..body as u8 + 16).collect();
        Region::new(Role::Table, bytes, 8..8 + body)
    }

    #[test]
    fn strips_lie_inside_or_are_none() {
        let mut region = region(12);
        let mut view = ViewMut::<4>::new(&mut region, Space::Gm);
        let cells = [[8, 9, 10, 11], [12, 13, 14, 15], [16, 17, 18, 19]];
        assert_eq!(view.strip_mut(1, 3), None);
        let read = view.as_view();
        assert_eq!(read.strip(0, 3), Some(&cells[..]));
        assert_eq!(read.strip(1, 2), Some(&cells[1..]));
        assert_eq!(read.strip(1, 3), None);
        assert_eq!(read.strip(-1, 1), None);
        assert_eq!(read.strip(1, usize::MAX), None);
        view.strip_mut(2, 1).expect("inside").fill([7; 4]);
        assert_eq!(view.as_view().strip(1, 2), Some(&[cells[1], [7; 4]][..]));
    }

    #[test]
    fn what_lies_outside_stands_in_the_guard_zones() {
        // The last two bytes make no element, so 3 begins with them.
        let mut region = region(14);
        let view = View::<4>::new(&region, Space::Gm);
        assert_eq!(view.peek(-1), [4, 5, 6, 7]);
        assert_eq!(view.peek(-2), [0, 1, 2, 3]);
        assert_eq!(view.peek(-3), [NOWHERE; 4]);
        assert_eq!(view.peek(3), [20, 21, 22, 23]);
        assert_eq!(view.peek(5), [28, 29, NOWHERE, NOWHERE]);
        let mut view = ViewMut::<4>::new(&mut region, Space::Gm);
        view.poke(-2, [101, 102, 103, 104]);
        view.poke(4, [105, 106, 107, 108]);
        view.poke(i64::MAX, [1; 4]);
        let bytes = region.bytes();
        assert_eq!(bytes[..5], [101, 102, 103, 104, 4]);
        assert_eq!(bytes[23..], [23, 105, 106, 107, 108, 28, 29]);
    }

    #[test]
    fn nothing_inside_is_all_outside() {
        let region = region(0);
        let view = View::<4>::new(&region, Space::Gm);
        assert_eq!(view.peek(0), [8, 9, 10, 11]);
    }

    #[test]
    fn a_body_of_less_than_an_element_is_all_outside() {
        const NEW: [u8; 4] = [101, 102, 103, 104];
        let elements = [
            (-1, [4, 5, 6, 7]),
            (0, [8, 9, 10, 11]),
            (1, [12, 13, 14, 15]),
        ];
        for (body, (at, old)) in (1..4).flat_map(|body| elements.map(|e| (body, e))) {
            let case = format!("element {at} of a body of {body} bytes");
            let mut region = region(body);
            let view = View::<4>::new(&region, Space::Gm);
            assert_eq!(view.get(at), None, "{case}");
            assert_eq!(view.peek(at), old, "{case}");
            let mut view = ViewMut::<4>::new(&mut region, Space::Gm);
            assert_eq!(view.get_mut(at), None, "{case}");
            assert_eq!(view.peek_outside(at), old, "{case}");
            view.poke(at, NEW);
            assert_eq!(view.peek_outside(at), NEW, "{case}");
            // The other bytes keep their numbers.
            let mut expected: Vec<u8> = (0..body as u8 + 16).collect();
            expected[old[0].into()..][..4].copy_from_slice(&NEW);
            assert_eq!(region.bytes(), expected, "{case}");
        }
    }
}
