//! The numbers of an element type that a reader knows at sight.

use std::collections::HashMap;
use std::sync::LazyLock;

use ptodiff_case::float;
use ptodiff_isa::DType;
use strum::VariantArray;

use crate::words::words;

/// Whole numbers are counted up to here, where the type tells so many apart.
const MOST: usize = 255;

/// The place of -1 among the known numbers: that of a whole number is itself.
pub(super) const MINUS_ONE: usize = MOST + 1;

/// The known numbers of one element type.
pub(super) struct Numbers {
    /// Their bits, each at the same place in every type that has it: 0, 1, 2, ...; -1; of a
    /// float 0.5, -0, the largest finite value, infinities, NaN and the smallest subnormal;
    /// of an integer what stands around its edges.
    bits: Vec<Option<u64>>,
    /// The last whole number that can be distinguished, at most [`MOST`].
    last: u64,
    /// The places of all of them by their bits.
    places: HashMap<u64, usize>,
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
        let last = whole.len() as u64 - 1;
        let mut bits: Vec<Option<u64>> = whole.into_iter().map(Some).collect();
        bits.resize(MINUS_ONE, None);
        bits.extend(special);
        // Of two that are the same the first counts.
        let numbers = bits.iter().enumerate().rev();
        let places = numbers.filter_map(|(place, bits)| Some(((*bits)?, place)));
        Self {
            places: places.collect(),
            bits,
            last,
        }
    }

    /// `count` as a number of the type, for counting from 1: it starts over
    /// where the type has no more.
    pub(super) fn counted(&self, count: u64) -> u64 {
        self.bits((1 + count % self.last) as usize).unwrap_or(0)
    }

    /// The place of the number that `bits` are, if it is known.
    pub(super) fn place(&self, bits: u64) -> Option<usize> {
        self.places.get(&bits).copied()
    }

    /// The bits of the known number at `place`, where the type has it.
    pub(super) fn bits(&self, place: usize) -> Option<u64> {
        self.bits.get(place).copied().flatten()
    }

    /// The known numbers but for most of the whole ones, the simplest first.
    pub(super) fn plain(&self) -> Vec<u64> {
        let some = self.bits[..2].iter().chain(&self.bits[MINUS_ONE..]);
        some.copied().flatten().collect()
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
    ((0..=most.min(MOST as u64)).collect(), special)
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
