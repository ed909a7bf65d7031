//! Who owns a slot under `Conflict::Last`, found in one reverse pass over the indices.
//!
//! Each lane of the Last kernels scans the indices backwards for its slot. The
//! first position of one common backward pass that meets a slot is what that
//! slot's lane would have found.

use crate::view::subscript;

/// Slots whose claims stand on the stack.
const SMALL: usize = 1024;
/// Words of a bit map that an index may cost.
const WORDS_PER_INDEX: u64 = 8;

/// Names each slot's owner once: the first of `sources` that meets it. These
/// come last position first, each with its slot where it has one of the
/// table's. Costs grow with the sources, never with `capacity`.
#[inline(always)]
pub(crate) fn find<T>(
    capacity: i64,
    sources: impl ExactSizeIterator<Item = (T, Option<i64>)>,
    own: impl FnMut(i64, T),
) {
    let capacity = capacity.unsigned_abs();
    let words = capacity.div_ceil(64);
    if capacity <= SMALL as u64 {
        claim_all(&mut Bytes([0; SMALL]), sources, own);
    } else if words <= sources.len() as u64 * WORDS_PER_INDEX {
        // Below 2^31 words, hence a `usize`.
        claim_all(&mut Bits(&mut vec![0; words as usize]), sources, own);
    } else {
        claim_all(&mut Sparse::new(sources.len()), sources, own);
    }
}

#[inline(always)]
fn claim_all<T>(
    claims: &mut impl Claims,
    sources: impl Iterator<Item = (T, Option<i64>)>,
    mut own: impl FnMut(i64, T),
) {
    for (source, slot) in sources {
        if let Some(slot) = slot
            && claims.claim(slot)
        {
            own(slot, source);
        }
    }
}

/// The slots that have an owner.
trait Claims {
    /// Whether `slot`, which is not negative, had no owner yet; it has one then.
    fn claim(&mut self, slot: i64) -> bool;
}

/// A byte a slot: in a small table neighbouring claims would queue for one word of bits.
struct Bytes([u8; SMALL]);

impl Claims for Bytes {
    #[inline(always)]
    fn claim(&mut self, slot: i64) -> bool {
        let taken = self.0.get_mut(subscript(slot));
        taken.is_some_and(|taken| std::mem::replace(taken, 1) == 0)
    }
}

/// A bit a slot.
struct Bits<'a>(&'a mut [u64]);

impl Claims for Bits<'_> {
    #[inline(always)]
    fn claim(&mut self, slot: i64) -> bool {
        let bit = 1 << (slot % 64);
        self.0.get_mut(subscript(slot / 64)).is_some_and(|word| {
            let free = *word & bit == 0;
            *word |= bit;
            free
        })
    }
}

/// An open-addressing set, at most half full.
struct Sparse {
    /// Slot + 1; 0 where empty.
    keys: Vec<u64>,
    shift: u32,
}

impl Sparse {
    fn new(count: usize) -> Self {
        let size = (count.max(1) * 2).next_power_of_two();
        Self {
            keys: vec![0; size],
            shift: 64 - size.trailing_zeros(),
        }
    }
}

impl Claims for Sparse {
    fn claim(&mut self, slot: i64) -> bool {
        let key = slot.unsigned_abs() + 1;
        // Fibonacci hashing: the product's upper bits are well mixed.
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift;
        let mut at = hash as usize;
        loop {
            match self.keys[at] {
                0 => {
                    self.keys[at] = key;
                    return true;
                }
                taken if taken == key => return false,
                _ => at = (at + 1) % self.keys.len(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owners(capacity: i64, slots: &[i64]) -> Vec<(i64, usize)> {
        let mut owners = Vec::new();
        let sources = slots.iter().map(|slot| Some(*slot)).enumerate().rev();
        find(capacity, sources, |slot, position| {
            owners.push((slot, position))
        });
        owners
    }

    #[test]
    fn all_three_kinds_of_claims_find_the_last_position() {
        // MSCATTER-CONF-03: rows 0, 1, 2 belong to 4, 5, 7.
        let slots = [0, 0, 1, 1, 0, 1, 2, 2];
        for (scale, capacity) in [(1, 4), (1000, 4096), (1000, 4097), (1 << 30, i64::MAX)] {
            let slots = slots.map(|slot| slot * scale);
            assert_eq!(
                owners(capacity, &slots),
                [(2 * scale, 7), (scale, 5), (0, 4)]
            );
        }
    }

    #[test]
    fn bits_of_a_middling_table_stay_apart() {
        // Every slot twice: the second position owns it.
        let slots: Vec<i64> = (0..2000).chain(0..2000).collect();
        let expected: Vec<(i64, usize)> = (0..2000).rev().map(|i| (i, i as usize + 2000)).collect();
        assert_eq!(owners(2000, &slots), expected);
    }

    #[test]
    fn crowded_sparse_claims_stay_exact() {
        let slots: Vec<i64> = (0..1000).map(|i| (i * 37 % 500) << 20).collect();
        // 37 has no common factor with 500, so the last 500 positions own all slots.
        let expected: Vec<(i64, usize)> = (500..1000).rev().map(|i| (slots[i], i)).collect();
        assert_eq!(owners(i64::MAX, &slots), expected);
    }

    #[test]
    fn sparse_claims_that_meet_in_one_place_stay_apart() {
        // Half of the places are taken: claims meet in the first and the last, too.
        for base in 0..200 {
            let mut claims = Sparse::new(8);
            let slots = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| base * 8191 + i * 127);
            assert!(slots.iter().all(|slot| claims.claim(*slot)));
            assert!(!slots.iter().any(|slot| claims.claim(*slot)));
        }
    }
}
