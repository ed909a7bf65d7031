//! The random stream of one operand, and what is drawn from it.
//!
//! Nothing here comes from a distribution library: those may change their
//! draws in any release, and a stimulus must not.

use std::iter::zip;
use std::sync::LazyLock;

use blake3::Hasher;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use ptodiff_isa::Role;

/// Domain of the key: another way to draw gets another name.
const CONTEXT: &str = "ptodiff stimulus v1";

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

/// Makes the keys of streams, one after the other.
pub(crate) struct Keys(Hasher);

impl Default for Keys {
    fn default() -> Self {
        static KEYED: LazyLock<Hasher> = LazyLock::new(|| Hasher::new_derive_key(CONTEXT));
        Self(KEYED.clone())
    }
}

impl Keys {
    /// The streams of the case called `id`, the first of them at its start.
    pub(crate) fn streams(&mut self, root_seed: u64, case_seed: u64, id: &str) -> Stream {
        let Self(hasher) = self;
        hasher.reset();
        hasher.update([root_seed, case_seed].map(u64::to_le_bytes).as_flattened());
        hasher.update(id.as_bytes());
        Stream::from_key(hasher.finalize().into())
    }
}

/// How many draws are made of one call of the generator: it makes as many bytes in a go.
const BLOCK: usize = 32;

/// A ChaCha8 stream: one of those that a case has.
pub(crate) struct Stream {
    rng: ChaCha8Rng,
}

impl Stream {
    /// Those of the case called `id`, the first of them at its start.
    #[cfg(test)]
    pub(crate) fn new(root_seed: u64, case_seed: u64, id: &str) -> Self {
        Keys::default().streams(root_seed, case_seed, id)
    }

    pub(crate) fn from_key(key: [u8; 32]) -> Self {
        Self {
            rng: ChaCha8Rng::from_seed(key),
        }
    }

    /// Goes to the start of the stream called `channel`.
    pub(crate) fn start(&mut self, channel: Channel) {
        self.rng.set_stream(channel as u64);
    }

    /// Fills `out` with drawn bytes.
    pub(crate) fn bytes(&mut self, out: &mut [u8]) {
        self.rng.fill_bytes(out);
    }

    /// A uniform draw in `[0, bound)`, without bias (Lemire's method); 0 for an empty range.
    #[inline]
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        let mut wide = self.scaled(bound);
        if low(wide) < bound {
            let biased = biased(bound);
            while low(wide) < biased {
                wide = self.scaled(bound);
            }
        }
        high(wide)
    }

    /// Makes each of `out` a draw as [`Stream::below`] has them, one after the other.
    pub(crate) fn all_below(&mut self, bound: u64, out: &mut [u64]) {
        let mut block = [[0; 8]; BLOCK];
        for part in out.chunks_mut(BLOCK) {
            let words = &mut block[..part.len()];
            self.rng.fill_bytes(words.as_flattened_mut());
            let mut biased = false;
            for (drawn, word) in zip(&mut *part, &*words) {
                let wide = scaled(*word, bound);
                biased |= low(wide) < bound;
                *drawn = high(wide);
            }
            if biased {
                // So seldom that all of them may be looked at once more.
                self.again_below(bound, words, part);
            }
        }
    }

    /// Draws of these words, and of others that follow where some of them are thrown away.
    #[cold]
    fn again_below(&mut self, bound: u64, words: &[[u8; 8]], out: &mut [u64]) {
        let wide = words.iter().map(|word| scaled(*word, bound));
        let mut kept = wide.filter(|wide| low(*wide) >= biased(bound));
        for drawn in out {
            *drawn = kept.next().map_or_else(|| self.below(bound), high);
        }
    }

    #[inline]
    fn scaled(&mut self, bound: u64) -> u128 {
        u128::from(self.rng.next_u64()) * u128::from(bound)
    }
}

fn scaled(word: [u8; 8], bound: u64) -> u128 {
    u128::from(u64::from_le_bytes(word)) * u128::from(bound)
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

    fn zero_key(channel: Channel) -> Stream {
        let mut stream = Stream::from_key([0; 32]);
        stream.start(channel);
        stream
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|b| format!("{b:02x}")).collect()
    }

    /// Published vectors of ChaCha with 8 rounds and a 256-bit key
    /// (draft-strombergson-chacha-test-vectors, TC1, TC2, TC3, first block).
    #[test]
    fn it_is_chacha8() {
        let mut first = [0; 64];
        zero_key(Channel::Table).bytes(&mut first);
        assert_eq!(
            hex(&first),
            "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e\
             984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"
        );
        let mut key = [0; 32];
        key[0] = 1;
        Stream::from_key(key).bytes(&mut first);
        assert_eq!(
            hex(&first),
            "cf5ee9a0494aa9613e05d5ed725b804b12f4a465ee635acc3a311de8740489ea\
             289d04f43c7518db56eb4433e498a1238cd8464d3763ddbb9222ee3bd8fae3c8"
        );
        zero_key(Channel::Data).bytes(&mut first);
        assert_eq!(
            hex(&first),
            "2b8f4bb3798306ca5130d47c4f8d4ed13aa0edccc1be6942090faeeca0d7599b\
             7ff0fe616bb25aa0153ad6fdc88b954903c22426d478b97b22b8f9b1db00cf06"
        );
    }

    #[test]
    fn bounded_draws_take_the_upper_half_of_the_product() {
        // The first eight bytes of the zero key's block, little-endian.
        let first = 0xd640_5f89_2fef_003e_u64;
        assert_eq!(zero_key(Channel::Table).below(1 << 32), first >> 32);
        assert_eq!(zero_key(Channel::Table).below(10), 8); // 0xd6 / 0x100 is 0.836
        assert_eq!(zero_key(Channel::Table).below(1), 0);
        assert_eq!(zero_key(Channel::Table).below(0), 0);
    }

    #[test]
    fn biased_draws_are_thrown_away() {
        // Of a range of 3 * 2^62, every fourth draw would be one too many.
        let bound = 3 << 62;
        let mut plain = zero_key(Channel::Table);
        let expected: Vec<u64> = (0..64)
            .map(|_| plain.scaled(bound))
            .filter(|&w| low(w) >= 1 << 62)
            .map(|w| (w >> 64) as u64)
            .collect();
        assert!(expected.len() < 60, "the range is one that needs rejection");
        let mut stream = zero_key(Channel::Table);
        for value in expected {
            assert_eq!(stream.below(bound), value);
        }
    }

    /// All at once are those one by one, thrown away or not, and the stream goes on behind them.
    #[test]
    fn many_draws_are_as_many_single_ones() {
        for bound in [0, 1, 7, 1 << 40, 3 << 62, (1 << 63) + 1, u64::MAX] {
            for count in [0, 1, 31, 32, 33, 200] {
                let mut single = zero_key(Channel::Index);
                let mut many = zero_key(Channel::Index);
                let expected: Vec<u64> = (0..count).map(|_| single.below(bound)).collect();
                let mut found = vec![u64::MAX; count];
                many.all_below(bound, &mut found);
                assert_eq!(found, expected, "{count} below {bound}");
                assert_eq!(many.below(1 << 60), single.below(1 << 60));
            }
        }
    }

    #[test]
    fn bounded_draws_reach_every_value_evenly() {
        let mut stream = zero_key(Channel::Scratch);
        let mut seen = [0_u32; 6];
        for _ in 0..60_000 {
            seen[stream.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|n| (9_600..10_400).contains(n)), "{seen:?}");
    }

    #[test]
    fn a_stream_starts_where_it_is_told_to() {
        let mut stream = zero_key(Channel::Index);
        let first = [(); 40].map(|()| stream.below(1 << 60));
        stream.start(Channel::Data);
        assert_ne!(first, [(); 40].map(|()| stream.below(1 << 60)));
        stream.start(Channel::Index);
        assert_eq!(first, [(); 40].map(|()| stream.below(1 << 60)));
    }

    /// BLAKE3 in its mode for keys, by its one function for that.
    #[test]
    fn the_key_is_made_of_both_seeds_and_the_id() {
        let material = [&7_u64.to_le_bytes()[..], &9_u64.to_le_bytes(), b"a/b"].concat();
        let mut expected = Stream::from_key(blake3::derive_key(CONTEXT, &material));
        let mut keys = Keys::default();
        // Whatever came before.
        keys.streams(1, 2, &"c".repeat(100));
        let mut found = keys.streams(7, 9, "a/b");
        assert_eq!(found.below(u64::MAX), expected.below(u64::MAX));
    }
}
