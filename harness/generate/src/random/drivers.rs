//! What drives the grammar: a stable stream, or the bytes of a fuzzer.

use arbitrary::Unstructured;
use xxhash_rust::const_xxh3;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::choices::Choices;
use crate::stream::Stream;

/// Domain of the seeds: another way to draw cases gets another name.
const DOMAIN: u64 = const_xxh3::xxh3_64(b"ptodiff random cases v2");

/// All the streams of one seed.
#[derive(Clone, Debug)]
pub struct Series {
    key: u64,
}

impl Series {
    /// Those of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            key: xxh3_64_with_seed(&seed.to_le_bytes(), DOMAIN),
        }
    }

    /// The stream of case `number`: the same choices on any machine, whatever
    /// was drawn before.
    #[inline]
    #[must_use]
    pub fn number(&self, number: u64) -> Stable {
        Stable(Stream::seeded(xxh3_64_with_seed(
            &number.to_le_bytes(),
            self.key,
        )))
    }
}

/// Choices from a stream of SplitMix64.
pub struct Stable(Stream);

impl Stable {
    /// The stream of case `number` of `seed`.
    #[must_use]
    pub fn new(seed: u64, number: u64) -> Self {
        Series::new(seed).number(number)
    }
}

impl Choices for Stable {
    #[inline]
    fn below(&mut self, n: u64) -> u64 {
        let Self(stream) = self;
        if n > 1 { stream.below(n) } else { 0 }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Cases are the same for ever only while these are.
    #[test]
    fn the_first_choices_of_a_stream() {
        let mut stream = Stable::new(0, 0);
        let drawn = [10, 1 << 20, 1 << 40, 3, 7].map(|n| stream.below(n));
        assert_eq!(drawn, [4, 751_646, 419_078_703_828, 2, 2]);
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
