//! The numbers of an element type that a reader knows at sight.

use std::sync::LazyLock;

use ptodiff_case::float;
use ptodiff_isa::DType;
use strum::VariantArray;

/// Whole numbers are counted up to here, where the type tells so many apart.
const MOST: u64 = 255;

/// What one element holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// A whole number from 0 on that the type holds exactly.
    Whole(u64),
    /// -1.
    MinusOne,
    /// One of [`Numbers::special`], by its place there.
    Special(usize),
    /// Anything else.
    Other,
}

/// The known numbers of one element type, as bits.
pub(super) struct Numbers {
    /// 0, 1, 2, ... as far as they can be distinguished, at most to [`MOST`].
    whole: Vec<u64>,
    /// The same with their numbers, in the order of their bits.
    sorted: Vec<(u64, u64)>,
    /// -1, where there is one.
    minus_one: Option<u64>,
    /// 0.5, -0, the largest finite value, infinities, NaN and the smallest
    /// subnormal of a float; of an integer what stands around its edges.
    special: Vec<Option<u64>>,
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
        let bits = 8 * dtype.size() as u32;
        let top = 1_u64 << (bits - 1);
        let ones = top | (top - 1);
        if dtype.is_integer() {
            let signed = dtype.is_signed_integer();
            let most = if signed { top - 1 } else { ones };
            let whole = (0..=most.min(MOST)).collect();
            let special = vec![Some(top), Some(top - 1), Some(ones)];
            return Self::with(whole, signed.then_some(ones), special);
        }
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
            encode("0.5"),
            encode("-0.0"),
            infinity.or(nan).map(|bits| bits - 1),
            infinity,
            encode("-inf"),
            nan,
            Some(1),
        ];
        Self::with(whole, encode("-1"), special)
    }

    fn with(whole: Vec<u64>, minus_one: Option<u64>, special: Vec<Option<u64>>) -> Self {
        let mut sorted: Vec<_> = whole.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        Self {
            whole,
            sorted,
            minus_one,
            special,
        }
    }

    /// `count` as a number of the type, for counting from 1: it starts over
    /// where the type has no more.
    pub(super) fn counted(&self, count: u64) -> u64 {
        let last = self.whole.len() as u64 - 1;
        self.whole[(1 + count % last) as usize]
    }

    /// What `bits` are.
    pub(super) fn known(&self, bits: u64) -> Known {
        let whole = self.sorted.binary_search_by_key(&bits, |(known, _)| *known);
        if let Ok(place) = whole {
            return Known::Whole(self.sorted[place].1);
        }
        if self.minus_one == Some(bits) {
            return Known::MinusOne;
        }
        let special = self.special.iter().position(|known| *known == Some(bits));
        special.map_or(Known::Other, Known::Special)
    }

    /// The bits of a known number, where the type has it.
    pub(super) fn bits(&self, known: Known) -> Option<u64> {
        match known {
            Known::Whole(number) => self.whole.get(usize::try_from(number).ok()?).copied(),
            Known::MinusOne => self.minus_one,
            Known::Special(at) => self.special.get(at).copied().flatten(),
            Known::Other => None,
        }
    }

    /// The known numbers but for most of the whole ones, the simplest first.
    pub(super) fn plain(&self) -> Vec<u64> {
        let special = (0..self.special.len()).map(Known::Special);
        let all = [Known::Whole(0), Known::Whole(1), Known::MinusOne];
        let all = all.into_iter().chain(special);
        all.filter_map(|known| self.bits(known)).collect()
    }
}

/// Elements of `size` bytes, in the low bits of words.
pub(super) fn words(bytes: &[u8], size: usize) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks_exact(size).map(move |element| {
        let mut word = [0; 8];
        word[..size].copy_from_slice(element);
        u64::from_le_bytes(word)
    })
}

/// Puts in place of each element of `size` bytes the low bits of what `f` makes
/// of its place and of what it holds.
pub(super) fn map(bytes: &mut [u8], size: usize, mut f: impl FnMut(usize, u64) -> u64) {
    for (at, element) in bytes.chunks_exact_mut(size).enumerate() {
        let mut word = [0; 8];
        word[..size].copy_from_slice(element);
        let new = f(at, u64::from_le_bytes(word));
        element.copy_from_slice(&new.to_le_bytes()[..size]);
    }
}
