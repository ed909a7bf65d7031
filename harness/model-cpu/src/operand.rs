//! An operand's bytes, and access to them at any address.

use std::ops::{Deref, DerefMut};

use ptodiff_isa::{Fault, Memory, Region, Role, Strays};

use crate::layout::BLOCK;
use crate::watch::{Watch, stray};

/// What a read far outside every guard zone delivers.
const NOWHERE: u8 = 0xEE;

/// An operand's body and the guard zone after it. An index is never negative
/// here, so no address reaches the zone before.
#[derive(Clone, Copy)]
pub(crate) struct Operand<B> {
    role: Role,
    pub(crate) body: B,
    after: B,
}

/// An operand that is only read.
pub(crate) type Input<'a> = Operand<&'a [u8]>;
/// The operand that is written.
pub(crate) type Output<'a> = Operand<&'a mut [u8]>;

impl<'a> Input<'a> {
    fn of(region: &'a Region) -> Self {
        let range = region.body_range();
        let (inside, after) = region.bytes().split_at(range.end);
        Self {
            role: region.role,
            body: &inside[range.start..],
            after,
        }
    }

    /// The `len` bytes at `at`, if all of them are the operand's own.
    #[inline]
    pub(crate) fn span(&self, at: i64, len: usize) -> Option<&'a [u8]> {
        self.body.get(usize::try_from(at).ok()?..)?.get(..len)
    }

    /// The `count` elements of `W` bytes at `at`, if all of them are the operand's own.
    #[inline]
    pub(crate) fn elements<const W: usize>(&self, at: i64, count: u64) -> Option<&'a [u8]> {
        self.span(at, usize::try_from(count).ok()?.checked_mul(W)?)
    }
}

/// The body of `region` to be written. That it lies inside is known, so there
/// is no failure to be told of, and nothing kept for telling it.
#[inline]
pub(crate) fn body_mut(region: &mut Region) -> &mut [u8] {
    let range = region.body_range();
    region.bytes_mut().get_mut(range).unwrap_or_default()
}

impl<'a> Output<'a> {
    /// All of `region`, which may then be written anywhere.
    pub(crate) fn of(region: &'a mut Region) -> Self {
        let (role, range) = (region.role, region.body_range());
        let (inside, after) = region.bytes_mut().split_at_mut(range.end);
        let body = &mut inside[range.start..];
        Self { role, body, after }
    }
}

/// All operands of a call but the written one: those before and those after it.
pub(crate) struct Inputs<'a>([&'a [Region]; 2]);

impl<'a> Inputs<'a> {
    /// The one that plays `role`.
    ///
    /// # Errors
    /// Names it if it is missing.
    #[inline]
    pub(crate) fn get(&self, role: &'static Role) -> Result<Input<'a>, Missing> {
        Ok(Input::of(self.region(role)?))
    }

    /// The bytes of the same, where its guard zone does not matter.
    ///
    /// # Errors
    /// Names it if it is missing.
    #[inline]
    pub(crate) fn body(&self, role: &'static Role) -> Result<&'a [u8], Missing> {
        let region = self.region(role)?;
        Ok(region.bytes().get(region.body_range()).unwrap_or_default())
    }

    #[inline]
    fn region(&self, role: &'static Role) -> Result<&'a Region, Missing> {
        let region = self.0.into_iter().flatten().find(|r| r.role == *role);
        region.ok_or(Missing(role))
    }
}

/// The operand a call writes, and the others.
///
/// # Errors
/// Names the operand to be written if it is missing.
#[inline]
pub(crate) fn operands<'a>(
    memory: &'a mut Memory,
    written: &'static Role,
) -> Result<(Output<'a>, Inputs<'a>), Missing> {
    split(memory, written, Output::of)
}

/// What `open` makes of the operand a call writes, and the others.
///
/// # Errors
/// Names the operand to be written if it is missing.
#[inline]
pub(crate) fn split<'a, O>(
    memory: &'a mut Memory,
    written: &'static Role,
    open: impl FnOnce(&'a mut Region) -> O,
) -> Result<(O, Inputs<'a>), Missing> {
    let regions = &mut memory.regions[..];
    let at = regions.iter().position(|r| r.role == *written);
    let (before, rest) = regions.split_at_mut(at.unwrap_or(0));
    match rest.split_first_mut() {
        Some((output, after)) if output.role == *written => {
            Ok((open(output), Inputs([before, after])))
        }
        _ => Err(Missing(written)),
    }
}

/// The memory lacks the operand that plays this role. Wide as the address of an
/// operand whose place it takes: beside a narrower one that would be written in
/// pieces, and to read it back as a whole waits for all stores before.
pub(crate) struct Missing(pub(crate) &'static Role);

impl From<Missing> for Fault {
    #[cold]
    fn from(Missing(role): Missing) -> Self {
        Self(format!("the memory has no {role} operand"))
    }
}

impl<B: Deref<Target = [u8]>> Operand<B> {
    /// The `N` bytes at `at`, if all of them are the operand's own.
    #[inline]
    pub(crate) fn chunk<const N: usize>(&self, at: i64) -> Option<&[u8; N]> {
        let own = self.body.get(usize::try_from(at).ok()?..)?;
        own.first_chunk()
    }

    /// Reads `W` bytes at `at`.
    #[inline]
    pub(crate) fn load<const W: usize>(&self, at: i64, watch: &mut impl Watch) -> [u8; W] {
        watch.load(self.role, at, W);
        match self.chunk(at) {
            Some(bytes) => *bytes,
            None => self.peek(at, watch.strays()),
        }
    }

    /// Reads `W` bytes of which some lie outside the body.
    #[cold]
    #[inline(never)]
    pub(crate) fn peek<const W: usize>(&self, at: i64, strays: &mut Strays) -> [u8; W] {
        stray(strays, self.role, at, W, false);
        std::array::from_fn(|k| {
            let byte = place(at, k).and_then(|at| match at.checked_sub(self.body.len()) {
                None => self.body.get(at),
                Some(past) => self.after.get(past),
            });
            byte.copied().unwrap_or(NOWHERE)
        })
    }
}

/// Copies bytes of equal number.
#[inline]
pub(crate) fn copy(to: &mut [u8], from: &[u8]) {
    // A length that the compiler knows saves the call of a copying routine,
    // which costs more than the copy of one block.
    match (to.as_mut_array::<BLOCK>(), from.as_array()) {
        (Some(to), Some(from)) => *to = *from,
        _ => to.copy_from_slice(from),
    }
}

/// Byte `k` of an access at `at`.
fn place(at: i64, k: usize) -> Option<usize> {
    usize::try_from(at).ok()?.checked_add(k)
}

impl<B: DerefMut<Target = [u8]>> Operand<B> {
    /// Sets the whole body to zero.
    pub(crate) fn zero(&mut self, watch: &mut impl Watch) {
        watch.fill(self.role, self.body.len());
        self.body.fill(0);
    }

    /// The `len` bytes at `at` to be written, if all of them are the operand's own.
    #[inline]
    pub(crate) fn span_mut(&mut self, at: i64, len: usize) -> Option<&mut [u8]> {
        let at = usize::try_from(at).ok()?;
        self.body.get_mut(at..)?.get_mut(..len)
    }

    /// Writes `W` bytes at `at`.
    #[inline]
    pub(crate) fn store<const W: usize>(
        &mut self,
        at: i64,
        bytes: [u8; W],
        watch: &mut impl Watch,
    ) {
        watch.store(self.role, at, W);
        let start = usize::try_from(at).ok();
        let own = start.and_then(|at| self.body.get_mut(at..));
        match own.and_then(<[u8]>::first_chunk_mut) {
            Some(place) => *place = bytes,
            None => self.poke(at, bytes, watch.strays()),
        }
    }

    /// Writes `W` bytes of which some lie outside the body: those in the guard
    /// zone arrive, the rest is lost.
    #[cold]
    #[inline(never)]
    fn poke<const W: usize>(&mut self, at: i64, bytes: [u8; W], strays: &mut Strays) {
        stray(strays, self.role, at, W, true);
        for (k, byte) in bytes.into_iter().enumerate() {
            let place = place(at, k).and_then(|at| match at.checked_sub(self.body.len()) {
                None => self.body.get_mut(at),
                Some(past) => self.after.get_mut(past),
            });
            if let Some(place) = place {
                *place = byte;
            }
        }
    }
}

#[cfg(test)]
impl<B: Default> Operand<B> {
    /// One without a guard zone.
    pub(crate) fn bare(role: Role, body: B) -> Self {
        Self {
            role,
            body,
            after: B::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEN: [u8; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

    #[test]
    fn a_span_to_be_read_is_the_operands_own() {
        let ten = Input::bare(Role::Table, &TEN);
        assert_eq!(ten.span(6, 4), Some(&[6, 7, 8, 9][..]));
        assert_eq!(ten.span(10, 0), Some(&[][..]));
        for (at, len) in [(6, 5), (11, 0), (-1, 1), (i64::MAX, 1)] {
            assert_eq!(ten.span(at, len), None, "{at} {len}");
        }
        assert_eq!(ten.elements::<4>(2, 2), Some(&TEN[2..]));
        assert_eq!(ten.elements::<4>(3, 2), None);
        assert_eq!(ten.elements::<4>(0, u64::MAX), None);
    }

    #[test]
    fn a_span_to_be_written_is_the_operands_own() {
        let mut body = TEN;
        let mut ten = Output::bare(Role::Table, &mut body);
        assert_eq!(ten.span_mut(6, 4), Some(&mut [6, 7, 8, 9][..]));
        for (at, len) in [(6, 5), (11, 0), (-1, 1), (i64::MAX, 1)] {
            assert_eq!(ten.span_mut(at, len), None, "{at} {len}");
        }
    }
}
