//! Where a random case takes its decisions from.

/// A source of choices.
///
/// Everything in the grammar is drawn so that 0 is the simplest choice and
/// smaller ones are simpler: smaller choices are a smaller case.
pub trait Choices {
    /// Uniform in `0..n`; 0 where `n` is 0.
    fn below(&mut self, n: u64) -> u64;

    /// True once in `n` times; false is the simpler choice.
    fn one_in(&mut self, n: u64) -> bool {
        n <= 1 || self.below(n) == n - 1
    }

    /// One of `from`, which is not empty; the first is the simplest.
    fn pick<T: Copy>(&mut self, from: &[T]) -> T
    where
        Self: Sized,
    {
        from[self.below(from.len() as u64) as usize]
    }

    /// One of `from`, which is not empty, each as often as its weight says;
    /// the first is the simplest.
    #[inline]
    fn weighted<T: Copy>(&mut self, from: &[(u64, T)]) -> T
    where
        Self: Sized,
    {
        let mut left = self.below(from.iter().map(|(weight, _)| weight).sum());
        for (weight, value) in from {
            if left < *weight {
                return *value;
            }
            left -= weight;
        }
        from[0].1
    }
}

/// A few coins drawn at once: mostly none shows heads.
#[derive(Clone, Copy)]
pub(super) struct Coins(u64);

impl Coins {
    /// `count` coins, at most 63. In half of all draws all show tails.
    pub(super) fn draw(choices: &mut impl Choices, count: u32) -> Self {
        if choices.below(2) == 0 {
            return Self(0);
        }
        Self(choices.below(1 << count))
    }

    /// The next coin.
    pub(super) fn flip(&mut self) -> bool {
        let heads = self.0 & 1 == 1;
        self.0 >>= 1;
        heads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The choices 0, 1, 2, ..., as far as the range goes.
    struct Counted(u64);

    impl Choices for Counted {
        fn below(&mut self, n: u64) -> u64 {
            self.0 += 1;
            (self.0 - 1) % n
        }
    }

    #[test]
    fn weights_are_kept_and_zeros_are_the_first_of_everything() {
        let mut choices = Counted(0);
        let weights = [(1, 'a'), (5, 'b'), (2, 'c')];
        let drawn: String = (0..8).map(|_| choices.weighted(&weights)).collect();
        assert_eq!(drawn, "abbbbbcc");
        let zero = || Counted(0);
        assert_eq!(zero().pick(&[7, 8]), 7);
        assert!(!zero().one_in(2) && zero().one_in(1));
        assert!(!Coins::draw(&mut zero(), 5).flip());
    }
}
