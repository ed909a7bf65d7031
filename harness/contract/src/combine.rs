//! How one slot combines its old content with its contributions, by element type.

use std::marker::PhantomData;

use ptodiff_isa::Clause;

use crate::{
    float::{Format, Rounding},
    runs::Why,
    sum::{Sum, Term, in_any_order, in_order},
};

/// What a slot may hold; the bytes stand in [`Cell::bytes`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Settled {
    /// The one element.
    Exactly(Why),
    /// One of the elements, at least two.
    OneOf(Why),
    /// A value between the two elements.
    Between(Why),
    /// Anything.
    Anything(Why),
}

/// The clauses that a combination cites.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    /// For a single result.
    pub(crate) one: Why,
    /// For a single result of several writers.
    pub(crate) folded: Why,
}

/// One slot being settled; reused from slot to slot.
#[derive(Debug, Default)]
pub(crate) struct Cell {
    /// The elements that the answer speaks of.
    pub(crate) bytes: Vec<u8>,
    terms: Vec<Term>,
}

/// A contribution: an element of the sources, and the call that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contribution<'a> {
    /// Its bytes.
    pub(crate) bytes: &'a [u8],
    /// Number of the call.
    pub(crate) step: u32,
}

/// A way of combining elements of one type.
pub(crate) trait Combine {
    /// Bytes of an element.
    const SIZE: usize;

    /// Settles a slot that held `old`.
    fn settle<'a>(
        cell: &mut Cell,
        old: &[u8],
        contributions: impl Iterator<Item = Contribution<'a>>,
        words: &Words,
    ) -> Settled;
}

/// The number in an element of `N` bytes; missing bytes count as 0.
#[inline]
fn integer<const N: usize>(bytes: &[u8], signed: bool) -> i64 {
    let mut wide = [0; 8];
    if let Some(b) = bytes.first_chunk::<N>() {
        wide[..N].copy_from_slice(b);
    }
    let shift = 64 - 8 * N as u32;
    let high = i64::from_le_bytes(wide) << shift;
    if signed {
        high >> shift
    } else {
        (high.cast_unsigned() >> shift).cast_signed()
    }
}

/// Integer Add, at most 4 bytes wide; wraps (MSCATTER-GAP-05).
pub(crate) struct IntegerSum<const N: usize, const SIGNED: bool>;

impl<const N: usize, const SIGNED: bool> Combine for IntegerSum<N, SIGNED> {
    const SIZE: usize = N;

    #[inline]
    fn settle<'a>(
        cell: &mut Cell,
        old: &[u8],
        contributions: impl Iterator<Item = Contribution<'a>>,
        words: &Words,
    ) -> Settled {
        // Fewer than 2^32 terms of 32 bits cannot leave 64.
        let sum = contributions.fold(integer::<N>(old, SIGNED), |s, c| {
            s.wrapping_add(integer::<N>(c.bytes, SIGNED))
        });
        let wide = sum.to_le_bytes();
        cell.bytes.clear();
        cell.bytes.extend_from_slice(&wide[..N]);
        if integer::<N>(&wide, SIGNED) == sum {
            Settled::Exactly(words.one)
        } else {
            Settled::Exactly(Why {
                clause: Clause("MSCATTER-GAP-05"),
                ..words.one
            })
        }
    }
}

/// Integer Max or Min.
pub(crate) struct IntegerExtreme<const N: usize, const SIGNED: bool, const MAX: bool>;

impl<const N: usize, const SIGNED: bool, const MAX: bool> Combine
    for IntegerExtreme<N, SIGNED, MAX>
{
    const SIZE: usize = N;

    #[inline]
    fn settle<'a>(
        cell: &mut Cell,
        old: &[u8],
        contributions: impl Iterator<Item = Contribution<'a>>,
        words: &Words,
    ) -> Settled {
        let best = contributions.fold(integer::<N>(old, SIGNED), |best, c| {
            let x = integer::<N>(c.bytes, SIGNED);
            if MAX { best.max(x) } else { best.min(x) }
        });
        cell.bytes.clear();
        cell.bytes.extend_from_slice(&best.to_le_bytes()[..N]);
        Settled::Exactly(words.one)
    }
}

/// The value in an element of format `F`; missing bytes count as 0.
#[inline]
fn real<F: Format>(bytes: &[u8]) -> f64 {
    let mut wide = [0; 4];
    if let Some(b) = bytes.get(..F::SIZE) {
        wide[..F::SIZE].copy_from_slice(b);
    }
    F::decode(u32::from_le_bytes(wide))
}

const NAN: Why = Why::open(Clause("MSCATTER-GAP-03"));

/// Floating-point Add; `OPEN` where the order of the additions is not promised.
pub(crate) struct FloatSum<F, const OPEN: bool>(PhantomData<F>);

impl<F: Format, const OPEN: bool> Combine for FloatSum<F, OPEN> {
    const SIZE: usize = F::SIZE;

    fn settle<'a>(
        cell: &mut Cell,
        old: &[u8],
        contributions: impl Iterator<Item = Contribution<'a>>,
        words: &Words,
    ) -> Settled {
        cell.terms.clear();
        cell.terms.extend(contributions.map(|c| Term {
            value: real::<F>(c.bytes),
            step: c.step,
        }));
        let old = real::<F>(old);
        let sum = if OPEN {
            in_any_order::<F>(old, &cell.terms)
        } else {
            in_order::<F>(old, &cell.terms)
        };
        cell.bytes.clear();
        let mut put = |bits: u32| cell.bytes.extend_from_slice(&bits.to_le_bytes()[..F::SIZE]);
        let any_order = Why::open(Clause("MSCATTER-ATOM-22"));
        match sum {
            Sum::One(bits) => {
                put(bits);
                Settled::Exactly(if cell.terms.len() > 1 {
                    words.folded
                } else {
                    words.one
                })
            }
            Sum::Some(bits, count) => {
                bits.iter().take(count).for_each(|&b| put(b));
                Settled::OneOf(any_order)
            }
            Sum::Between(low, high) => {
                put(low);
                put(high);
                Settled::Between(any_order)
            }
            Sum::NotANumber => Settled::Anything(NAN),
        }
    }
}

/// Floating-point Max or Min.
pub(crate) struct FloatExtreme<F, const MAX: bool>(PhantomData<F>);

impl<F: Format, const MAX: bool> Combine for FloatExtreme<F, MAX> {
    const SIZE: usize = F::SIZE;

    fn settle<'a>(
        cell: &mut Cell,
        old: &[u8],
        contributions: impl Iterator<Item = Contribution<'a>>,
        words: &Words,
    ) -> Settled {
        let mut best = real::<F>(old);
        let mut nan = best.is_nan();
        let (mut plus, mut minus) = (false, false);
        let mut zero = |x: f64| {
            if x == 0.0 {
                plus |= x.is_sign_positive();
                minus |= x.is_sign_negative();
            }
        };
        zero(best);
        for c in contributions {
            let x = real::<F>(c.bytes);
            nan |= x.is_nan();
            zero(x);
            if if MAX { x > best } else { x < best } {
                best = x;
            }
        }
        cell.bytes.clear();
        if nan {
            return Settled::Anything(NAN);
        }
        let mut put = |x: f64| {
            let bits = F::encode(x, Rounding::Nearest);
            cell.bytes.extend_from_slice(&bits.to_le_bytes()[..F::SIZE]);
        };
        if best == 0.0 && plus && minus {
            put(0.0);
            put(-0.0);
            return Settled::OneOf(Why::open(Clause("MSCATTER-GAP-04")));
        }
        put(best);
        Settled::Exactly(words.one)
    }
}
