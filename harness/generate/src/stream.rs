//! The random stream of one operand, and what is drawn from it.
//!
//! Nothing here comes from a distribution library: those may change their
//! draws in any release, and a stimulus must not.

use std::collections::HashMap;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use ptodiff_isa::{Call, Role};

/// Domain of the key: another way to draw gets another name.
const CONTEXT: &str = "ptodiff stimulus v1";

/// Above this many slots, a permutation of which little is used is not written out.
const WRITTEN_OUT: u64 = 1 << 20;

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
    /// That of the operand that plays `role` in `call`.
    pub(crate) fn of(call: &Call, role: Role) -> Self {
        match role {
            Role::Table => Self::Table,
            Role::Source => Self::Data,
            Role::Index => Self::Index,
            // Gathers from GM have drawn it so since the first version.
            Role::Destination if call.operand(Role::Source).is_none() => Self::Data,
            Role::Destination => Self::Destination,
            Role::Scratch => Self::Scratch,
        }
    }
}

/// A ChaCha8 stream.
pub(crate) struct Stream {
    rng: ChaCha8Rng,
}

impl Stream {
    /// The stream called `channel` of the case called `id`.
    pub(crate) fn new(root_seed: u64, case_seed: u64, id: &str, channel: Channel) -> Self {
        let mut material = Vec::with_capacity(16 + id.len());
        material.extend_from_slice(&root_seed.to_le_bytes());
        material.extend_from_slice(&case_seed.to_le_bytes());
        material.extend_from_slice(id.as_bytes());
        Self::from_key(blake3::derive_key(CONTEXT, &material), channel as u64)
    }

    fn from_key(key: [u8; 32], number: u64) -> Self {
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(number);
        Self { rng }
    }

    /// Fills `out` with drawn bytes.
    pub(crate) fn bytes(&mut self, out: &mut [u8]) {
        self.rng.fill_bytes(out);
    }

    /// A uniform draw in `[0, bound)`, without bias (Lemire's method); 0 for an empty range.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        let mut wide = self.scaled(bound);
        if low(wide) < bound {
            let biased = bound.wrapping_neg() % bound;
            while low(wide) < biased {
                wide = self.scaled(bound);
            }
        }
        (wide >> 64) as u64
    }

    fn scaled(&mut self, bound: u64) -> u128 {
        u128::from(self.rng.next_u64()) * u128::from(bound)
    }

    /// `count` values out of `[0, bound)`, drawn without replacement until the
    /// range is used up, then from the whole range again; zeros for an empty range.
    pub(crate) fn permutation(&mut self, count: usize, bound: u64) -> Vec<u64> {
        if bound == 0 {
            return vec![0; count];
        }
        let mut values = Vec::with_capacity(count);
        while values.len() < count {
            let left = count - values.len();
            let take = usize::try_from(bound).map_or(left, |b| b.min(left));
            if bound > WRITTEN_OUT && bound / 8 > take as u64 {
                self.shuffle_sparsely(take, bound, &mut values);
            } else {
                self.shuffle(take, bound, &mut values);
            }
        }
        values
    }

    /// The first `take` steps of Fisher and Yates.
    fn shuffle(&mut self, take: usize, bound: u64, out: &mut Vec<u64>) {
        let mut pool: Vec<u64> = (0..bound).collect();
        for (i, left) in (0..take).zip((1..=bound).rev()) {
            let j = i + self.below(left) as usize;
            pool.swap(i, j);
        }
        out.extend_from_slice(&pool[..take]);
    }

    /// The same draws and the same result, holding only what moved.
    fn shuffle_sparsely(&mut self, take: usize, bound: u64, out: &mut Vec<u64>) {
        let mut moved: HashMap<u64, u64> = HashMap::with_capacity(take);
        for i in 0..take as u64 {
            let j = i + self.below(bound - i);
            let here = moved.get(&i).copied().unwrap_or(i);
            out.push(moved.insert(j, here).unwrap_or(j));
        }
    }
}

/// The lower half.
fn low(wide: u128) -> u64 {
    wide as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zero_key(number: u64) -> Stream {
        Stream::from_key([0; 32], number)
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|b| format!("{b:02x}")).collect()
    }

    /// Published vectors of ChaCha with 8 rounds and a 256-bit key
    /// (draft-strombergson-chacha-test-vectors, TC1, TC2, TC3, first block).
    #[test]
    fn it_is_chacha8() {
        let mut first = [0; 64];
        zero_key(0).bytes(&mut first);
        assert_eq!(
            hex(&first),
            "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e\
             984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"
        );
        let mut key = [0; 32];
        key[0] = 1;
        Stream::from_key(key, 0).bytes(&mut first);
        assert_eq!(
            hex(&first),
            "cf5ee9a0494aa9613e05d5ed725b804b12f4a465ee635acc3a311de8740489ea\
             289d04f43c7518db56eb4433e498a1238cd8464d3763ddbb9222ee3bd8fae3c8"
        );
        zero_key(1).bytes(&mut first);
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
        assert_eq!(zero_key(0).below(1 << 32), first >> 32);
        assert_eq!(zero_key(0).below(10), 8); // 0xd6 / 0x100 is 0.836
        assert_eq!(zero_key(0).below(1), 0);
        assert_eq!(zero_key(0).below(0), 0);
    }

    #[test]
    fn biased_draws_are_thrown_away() {
        // Of a range of 3 * 2^62, every fourth draw would be one too many.
        let bound = 3 << 62;
        let mut plain = zero_key(0);
        let expected: Vec<u64> = (0..64)
            .map(|_| plain.scaled(bound))
            .filter(|&w| low(w) >= 1 << 62)
            .map(|w| (w >> 64) as u64)
            .collect();
        assert!(expected.len() < 60, "the range is one that needs rejection");
        let mut stream = zero_key(0);
        for value in expected {
            assert_eq!(stream.below(bound), value);
        }
    }

    #[test]
    fn bounded_draws_reach_every_value_evenly() {
        let mut stream = zero_key(7);
        let mut seen = [0_u32; 6];
        for _ in 0..60_000 {
            seen[stream.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|n| (9_600..10_400).contains(n)), "{seen:?}");
    }

    #[test]
    fn a_permutation_uses_a_range_up_before_it_repeats() {
        let values = zero_key(3).permutation(25, 10);
        for whole in values[..20].chunks(10) {
            let mut sorted = whole.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..10).collect::<Vec<u64>>());
        }
        assert_eq!(zero_key(3).permutation(3, 0), [0, 0, 0]);
        assert!(zero_key(3).permutation(0, 4).is_empty());
        let big = zero_key(3).permutation(4, u64::MAX);
        assert!(big.windows(2).all(|w| w[0] != w[1]));
    }

    #[test]
    fn both_ways_to_shuffle_agree() {
        for bound in [1, 2, 9, 300] {
            for take in [0, 1, bound as usize / 2, bound as usize] {
                let (mut dense, mut sparse) = (Vec::new(), Vec::new());
                zero_key(bound).shuffle(take, bound, &mut dense);
                zero_key(bound).shuffle_sparsely(take, bound, &mut sparse);
                assert_eq!(dense, sparse);
            }
        }
    }
}
