//! What drives the grammar: a stable stream, the bytes of a fuzzer, or proptest.

use arbitrary::Unstructured;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use super::choices::Choices;

/// Domain of the key: another way to draw cases gets another name.
const CONTEXT: &str = "ptodiff random cases v1";

/// All the streams of one seed.
#[derive(Clone, Debug)]
pub struct Series {
    key: [u8; 32],
}

impl Series {
    /// Those of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            key: blake3::derive_key(CONTEXT, &seed.to_le_bytes()),
        }
    }

    /// The stream of case `number`: the same choices on any machine, whatever
    /// was drawn before.
    #[inline]
    #[must_use]
    pub fn number(&self, number: u64) -> Stable {
        let mut rng = ChaCha8Rng::from_seed(self.key);
        rng.set_stream(number);
        Stable {
            rng,
            block: [[0; 4]; BLOCK],
            at: BLOCK,
        }
    }
}

/// Words that are taken from the generator at once: it makes as many in a go.
const BLOCK: usize = 64;

/// Choices from a ChaCha8 stream.
pub struct Stable {
    rng: ChaCha8Rng,
    /// Its next words; those before `at` are gone.
    block: [[u8; 4]; BLOCK],
    at: usize,
}

impl Stable {
    /// The stream of case `number` of `seed`.
    #[must_use]
    pub fn new(seed: u64, number: u64) -> Self {
        Series::new(seed).number(number)
    }

    #[inline]
    fn word(&mut self) -> u32 {
        let word = match self.block.get(self.at) {
            Some(word) => *word,
            None => self.next_block(),
        };
        self.at += 1;
        u32::from_le_bytes(word)
    }

    /// The first word of the next block.
    #[cold]
    fn next_block(&mut self) -> [u8; 4] {
        self.rng.fill_bytes(self.block.as_flattened_mut());
        self.at = 0;
        self.block[0]
    }

    /// Lemire's method on 32 bits: half the stream for the ranges that occur.
    #[inline]
    fn narrow(&mut self, n: u32) -> u32 {
        let wide = u64::from(self.word()) * u64::from(n);
        if (wide as u32) < n {
            return self.unbiased(wide, n);
        }
        (wide >> 32) as u32
    }

    /// What `wide` gives, or a further word where it has to be thrown away.
    #[cold]
    fn unbiased(&mut self, mut wide: u64, n: u32) -> u32 {
        let biased = n.wrapping_neg() % n;
        while (wide as u32) < biased {
            wide = u64::from(self.word()) * u64::from(n);
        }
        (wide >> 32) as u32
    }

    fn wide(&mut self, n: u64) -> u64 {
        let biased = n.wrapping_neg() % n;
        loop {
            let [low, high] = [(); 2].map(|()| u64::from(self.word()));
            let wide = u128::from(high << 32 | low) * u128::from(n);
            if wide as u64 >= biased {
                return (wide >> 64) as u64;
            }
        }
    }
}

impl Choices for Stable {
    #[inline]
    fn below(&mut self, n: u64) -> u64 {
        match u32::try_from(n) {
            Ok(0 | 1) => 0,
            Ok(n) => u64::from(self.narrow(n)),
            Err(_) => self.wide(n),
        }
    }
}

/// Choices from the bytes of a fuzzer. Bytes that ran out are zeros, so every
/// input is a case.
pub struct Bytes<'u, 'a> {
    left: &'u mut Unstructured<'a>,
}

impl<'u, 'a> Bytes<'u, 'a> {
    /// The choices that the bytes left in `left` stand for.
    pub fn new(left: &'u mut Unstructured<'a>) -> Self {
        Self { left }
    }
}

impl Choices for Bytes<'_, '_> {
    fn below(&mut self, n: u64) -> u64 {
        if n <= 1 {
            return 0;
        }
        self.left.int_in_range(0..=n - 1).unwrap_or(0)
    }
}

/// Cases for proptest.
#[cfg(feature = "proptest")]
pub(super) mod strategy {
    use proptest::collection::vec;
    use proptest::prelude::{Strategy, any};

    use crate::random::{Drawn, Listed, Wish, draw};

    /// How many choices a case takes at most before the rest are the simplest.
    const CHOICES: usize = 160;

    /// Cases as `wish` asks for. A failing one shrinks towards the simplest
    /// choices: fewer lanes, static extents, default readings, plain data.
    pub fn cases(wish: Wish) -> impl Strategy<Value = Drawn> {
        vec(any::<u64>(), 0..=CHOICES)
            .prop_map(move |numbers| draw(&mut Listed::new(&numbers), &wish))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cases are the same for ever only while these are.
    #[test]
    fn the_first_choices_of_a_stream() {
        let mut stream = Stable::new(0, 0);
        let drawn = [10, 1 << 20, 1 << 40, 3, 7].map(|n| stream.below(n));
        assert_eq!(drawn, [1, 290_439, 811_220_301_624, 0, 6]);
    }

    #[test]
    fn a_stream_is_stable() {
        let mut stream = Stable::new(1, 2);
        let drawn = [10, 1 << 20, 1 << 40, 3, 1, 0].map(|n| stream.below(n));
        let mut again = Series::new(1).number(2);
        assert_eq!(
            drawn,
            [10, 1 << 20, 1 << 40, 3, 1, 0].map(|n| again.below(n))
        );
        let mut other = Stable::new(1, 3);
        assert_ne!(drawn[2], [10, 1 << 20, 1 << 40].map(|n| other.below(n))[2]);
    }

    #[test]
    fn bounded_draws_are_even() {
        let mut stream = Stable::new(0, 0);
        let mut seen = [0_u32; 6];
        for _ in 0..60_000 {
            seen[stream.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|n| (9_600..10_400).contains(n)), "{seen:?}");
    }

    #[test]
    fn bytes_that_run_out_are_zeros() {
        let mut left = Unstructured::new(&[7, 0x34, 0x12]);
        let mut choices = Bytes::new(&mut left);
        assert_eq!(choices.below(10), 7);
        assert!(choices.below(1 << 16) > 0);
        assert_eq!([choices.below(10), choices.below(1 << 40)], [0, 0]);
    }
}
