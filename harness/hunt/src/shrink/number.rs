//! The numbers of an element type that a reader knows at sight.

use std::collections::HashMap;
use std::sync::LazyLock;

use ptodiff_case::float;
use ptodiff_isa::DType;
use strum::VariantArray;

use crate::words::words;

/// Whole numbers are counted up to here, where the type tells so many apart.
const MOST: u64 = 255;

/// A number that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// A whole number from 0 on that the type holds exactly.
    Whole(usize),
    /// One of [`Numbers::special`], by its place there.
    Special(usize),
}

/// The place of -1 among special numbers.
pub(super) const MINUS_ONE: usize = 0;

/// The known numbers of one element type, as bits.
pub(super) struct Numbers {
    /// 0, 1, 2, ... as far as they can be distinguished, at most to [`MOST`].
    whole: Vec<u64>,
    /// -1, where there is one; of a float 0.5, -0, the largest finite value, infinities,
    /// NaN and the smallest subnormal; of an integer what stands around its edges.
    special: Vec<Option<u64>>,
    /// All of them by their bits.
    known: HashMap<u64, Known>,
}

static ALL: LazyLock<Vec<Numbers>> = LazyLock::new(|| {
    DType::VARIANTS
        .iter()
        .map(|dtype| Numbers::new(*dtype))
        .collect()
});

impl Numbers {
    /// Those of `dtype`.
    pub(super) fn of(dtype: DType) -> &'static Self {
        // Every type has an entry, in the order of declaration.
        &ALL[dtype as usize]
    }

    fn new(dtype: DType) -> Self {
        let (whole, special) = if dtype.is_integer() {
            integers(dtype)
        } else {
            floats(dtype)
        };
        let mut known = HashMap::new();
        for (at, bits) in special.iter().enumerate().rev() {
            known.extend(bits.map(|bits| (bits, Known::Special(at))));
        }
        let numbers = whole.iter().enumerate();
        known.extend(numbers.map(|(number, bits)| (*bits, Known::Whole(number))));
        Self {
            whole,
            special,
            known,
        }
    }

    /// `count` as a number of the type, for counting from 1: it starts over
    /// where the type has no more.
    pub(super) fn counted(&self, count: u64) -> u64 {
        let last = self.whole.len() as u64 - 1;
        self.whole[(1 + count % last) as usize]
    }

    /// What `bits` are, if that is known.
    pub(super) fn known(&self, bits: u64) -> Option<Known> {
        self.known.get(&bits).copied()
    }

    /// The bits of a known number, where the type has it.
    pub(super) fn bits(&self, known: Known) -> Option<u64> {
        match known {
            Known::Whole(number) => self.whole.get(number).copied(),
            Known::Special(at) => self.special.get(at).copied().flatten(),
        }
    }

    /// The known numbers but for most of the whole ones, the simplest first.
    pub(super) fn plain(&self) -> Vec<u64> {
        let whole = self.whole.iter().take(2).copied();
        whole
            .chain(self.special.iter().copied().flatten())
            .collect()
    }
}

/// Whole numbers and special ones of an integer type.
fn integers(dtype: DType) -> (Vec<u64>, Vec<Option<u64>>) {
    let top = 1_u64 << (8 * dtype.size() - 1);
    let ones = top | (top - 1);
    let signed = dtype.is_signed_integer();
    let most = if signed { top - 1 } else { ones };
    let minus_one = signed.then_some(ones);
    let special = vec![minus_one, Some(top), Some(top - 1), Some(ones)];
    ((0..=most.min(MOST)).collect(), special)
}

/// The same of a floating-point type.
fn floats(dtype: DType) -> (Vec<u64>, Vec<Option<u64>>) {
    let encode = |text: &str| float::encode(dtype, text).ok();
    let mut whole: Vec<u64> = Vec::new();
    for number in 0..=MOST {
        match encode(&number.to_string()) {
            // Two that are one are no longer exact.
            Some(bits) if !whole.contains(&bits) => whole.push(bits),
            _ => break,
        }
    }
    let infinity = encode("inf");
    let nan = encode("nan");
    let special = vec![
        encode("-1"),
        encode("0.5"),
        encode("-0.0"),
        infinity.or(nan).map(|bits| bits - 1),
        infinity,
        encode("-inf"),
        nan,
        Some(1),
    ];
    (whole, special)
}

/// Puts in place of each element of `size` bytes the low bits of what `f` makes
/// of its place and of what it holds.
pub(super) fn map(bytes: &mut [u8], size: usize, mut f: impl FnMut(usize, u64) -> u64) {
    let new: Vec<u64> = words(bytes, size)
        .enumerate()
        .map(|(at, old)| f(at, old))
        .collect();
    for (element, new) in bytes.chunks_exact_mut(size).zip(new) {
        element.copy_from_slice(&new.to_le_bytes()[..size]);
    }
}
