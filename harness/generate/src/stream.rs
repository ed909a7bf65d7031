//! The random stream of one operand, and what is drawn from it.
//!
//! Nothing here comes from a distribution library: those may change their
//! draws in any release, and a stimulus must not.

use ptodiff_isa::Role;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use xxhash_rust::const_xxh3;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Domain of the seeds: another way to draw gets another name.
const DOMAIN: u64 = const_xxh3::xxh3_64(b"ptodiff stimulus v2");

/// Which stream of a case an operand draws from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Channel {
    Table = 0,
    /// The source, and the destination where there is none.
    Data = 1,
    Index = 2,
    /// The destination beside a source.
    Destination = 3,
    Scratch = 4,
}

impl Channel {
    /// That of the operand that plays `role`, in a call with a source or without.
    pub(crate) fn of(role: Role, with_source: bool) -> Self {
        match role {
            // Gathers from GM have drawn it so since the first version.
            Role::Destination if !with_source => Self::Data,
            Role::Table => Self::Table,
            Role::Source => Self::Data,
            Role::Index => Self::Index,
            Role::Destination => Self::Destination,
            Role::Scratch => Self::Scratch,
        }
    }
}

/// The streams of one case.
#[derive(Clone, Copy)]
pub(crate) struct Streams(u64);

impl Streams {
    /// Those of the case called `id`.
    pub(crate) fn of(root_seed: u64, case_seed: u64, id: &str) -> Self {
        let seeds = [root_seed, case_seed].map(u64::to_le_bytes);
        let seed = xxh3_64_with_seed(seeds.as_flattened(), DOMAIN);
        Self(xxh3_64_with_seed(id.as_bytes(), seed))
    }

    /// The one called `channel`, at its start.
    pub(crate) fn channel(self, channel: Channel) -> Stream {
        Stream::seeded(self.0.wrapping_add(channel as u64))
    }
}

/// A stream of SplitMix64: one starts at once, and most are short.
pub(crate) struct Stream {
    rng: SplitMix64,
}

impl Stream {
    /// The one that starts at `seed`.
    #[inline]
    pub(crate) fn seeded(seed: u64) -> Self {
        Self {
            rng: SplitMix64::seed_from_u64(seed),
        }
    }

    /// Fills `out` with drawn bytes.
    pub(crate) fn bytes(&mut self, out: &mut [u8]) {
        self.rng.fill_bytes(out);
    }

    /// A uniform draw in `[0, bound)`, without bias (Lemire's method); 0 for an empty range.
    #[inline]
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        let wide = self.scaled(bound);
        if low(wide) < bound {
            return self.unbiased(wide, bound);
        }
        high(wide)
    }

    /// What `wide` gives, or a further word where it has to be thrown away.
    #[cold]
    fn unbiased(&mut self, mut wide: u128, bound: u64) -> u64 {
        let biased = biased(bound);
        while low(wide) < biased {
            wide = self.scaled(bound);
        }
        high(wide)
    }

    /// `count` draws as [`Stream::below`] has them, one after the other.
    pub(crate) fn many_below(&mut self, bound: u64, count: usize) -> Vec<u64> {
        (0..count).map(|_| self.below(bound)).collect()
    }

    #[inline]
    fn scaled(&mut self, bound: u64) -> u128 {
        u128::from(self.rng.next_u64()) * u128::from(bound)
    }
}

/// Where the lower halves start that are kept.
const fn biased(bound: u64) -> u64 {
    bound.wrapping_neg() % bound
}

/// The lower half.
const fn low(wide: u128) -> u64 {
    wide as u64
}

/// The upper half.
const fn high(wide: u128) -> u64 {
    (wide >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words that implementations of SplitMix64 in other languages are tried with.
    #[test]
    fn it_is_split_mix() {
        let mut found = [0; 20];
        Stream::seeded(1_234_567).bytes(&mut found);
        let words = [
            6_457_827_717_110_365_317_u64,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(found, words.map(u64::to_le_bytes).as_flattened()[..20]);
    }

    #[test]
    fn biased_draws_are_thrown_away() {
        // Of a range of 3 * 2^62, every fourth draw would be one too many.
        let bound = 3 << 62;
        let mut plain = Stream::seeded(0);
        let expected: Vec<u64> = (0..64)
            .map(|_| plain.scaled(bound))
            .filter(|&w| low(w) >= 1 << 62)
            .map(|w| (w >> 64) as u64)
            .collect();
        assert!(expected.len() < 60, "the range is one that needs rejection");
        let found = Stream::seeded(0).many_below(bound, expected.len());
        assert_eq!(found, expected);
    }
}
