//! Numbers in an order of their own: interleavings and permutations.

/// Most lanes of a launch.
const MAX_LANES: u32 = 1024;

/// One interleaving of the operations `0..`, given the lane of each (below 1024):
/// each lane's own ones keep their order, and some seed draws every interleaving.
pub(crate) fn interleave(seed: u64, lanes: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut turns: Vec<u16> = lanes.map(|lane| (lane % MAX_LANES) as u16).collect();
    // A small launch has few lanes: the others need no place.
    let used = turns.iter().max().map_or(0, |last| usize::from(*last) + 1);
    let mut next = vec![0_u32; used];
    for lane in &turns {
        next[usize::from(*lane)] += 1;
    }
    let mut end = 0;
    for lane in &mut next {
        end += *lane;
        *lane = end;
    }
    // Lane after lane, each lane's operations in order: filled from its end,
    // which leaves `next` at its first.
    let mut by_lane = vec![0; turns.len()];
    for (lane, op) in turns.iter().zip(0..turns.len() as u32).rev() {
        let place = &mut next[usize::from(*lane)];
        *place -= 1;
        by_lane[*place as usize] = op;
    }
    // Whose turn it is, shuffled; then each turn takes its lane's next operation.
    shuffle(seed, &mut turns);
    let take = |lane: u16| {
        let place = &mut next[usize::from(lane)];
        *place += 1;
        by_lane[*place as usize - 1]
    };
    turns.into_iter().map(take).collect()
}

/// Most numbers that stand on the stack.
const FEW: usize = 64;

/// Room for numbers in an order of their own.
pub(crate) struct Room {
    few: [u32; FEW],
    /// Taken where they are too many.
    many: Vec<u32>,
}

impl Room {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            few: [0; FEW],
            many: Vec::new(),
        }
    }

    /// The numbers below `end`, in order.
    #[inline(always)]
    pub(crate) fn below(&mut self, end: u32) -> &mut [u32] {
        if end as usize > FEW {
            return self.hold((0..end).collect());
        }
        let few = &mut self.few[..end as usize];
        for (place, number) in few.iter_mut().zip(0..) {
            *place = number;
        }
        few
    }

    /// Numbers that stand already.
    pub(crate) fn hold(&mut self, numbers: Vec<u32>) -> &mut [u32] {
        self.many = numbers;
        &mut self.many
    }
}

/// One of all permutations: what [`interleave`] makes of operations of a lane each.
pub(crate) fn shuffle<T>(seed: u64, items: &mut [T]) {
    let mut bits = SplitMix(seed);
    for last in (1..items.len()).rev() {
        items.swap(last, bits.below(last + 1));
    }
}

/// The splitmix64 generator.
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is at least 1.
    fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn an_interleaving_keeps_each_lanes_order_and_loses_nothing() {
        for seed in 0..50 {
            let order = interleave(seed, (0..100).map(|op| op % 7));
            for lane in 0..7 {
                let own: Vec<u32> = order.iter().copied().filter(|op| op % 7 == lane).collect();
                let expected: Vec<u32> = (0..100).filter(|op| op % 7 == lane).collect();
                assert_eq!(own, expected);
            }
        }
    }

    #[test]
    fn lanes_of_one_operation_each_interleave_in_any_order() {
        for seed in 0..50 {
            // Which lanes they are makes no difference.
            let order = interleave(seed, (0..30).map(|op| 1023 - 7 * op));
            let mut room = Room::new();
            let permuted = room.below(30);
            shuffle(seed, permuted);
            assert_eq!(order, permuted);
        }
    }

    #[test]
    fn seeds_draw_every_interleaving() {
        // Lanes 0, 1, 0: three interleavings keep 0 before 2.
        let drawn: BTreeSet<Vec<u32>> = (0..200)
            .map(|seed| interleave(seed, [0, 1, 0].into_iter()))
            .collect();
        let expected = BTreeSet::from([vec![0, 1, 2], vec![1, 0, 2], vec![0, 2, 1]]);
        assert_eq!(drawn, expected);
    }

    #[test]
    fn the_generator_is_splitmix64() {
        // Published outputs for two seeds.
        let drawn = |seed| {
            let mut bits = SplitMix(seed);
            [(); 3].map(|()| bits.next())
        };
        let expected = [
            0xE220_A839_7B1D_CDAF,
            0x6E78_9E6A_A1B9_65F4,
            0x06C4_5D18_8009_454F,
        ];
        assert_eq!(drawn(0), expected);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(drawn(1_234_567), expected);
    }

    #[test]
    fn numbers_begin_in_order_however_many() {
        for end in [0, 1, 63, 64, 65, 1000] {
            let expected: Vec<u32> = (0..end).collect();
            assert_eq!(Room::new().below(end), expected);
        }
    }
}
