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

impl<C: Choices + ?Sized> Choices for &mut C {
    fn below(&mut self, n: u64) -> u64 {
        (**self).below(n)
    }
}

/// Choices from a list of numbers, each scaled to the range that is asked of
/// it: a smaller number never gives a larger choice. Past its end all are 0.
#[derive(Clone, Debug)]
pub struct Listed<'a> {
    left: std::slice::Iter<'a, u64>,
}

impl<'a> Listed<'a> {
    /// The choices that `numbers` stand for.
    #[must_use]
    pub fn new(numbers: &'a [u64]) -> Self {
        Self {
            left: numbers.iter(),
        }
    }
}

impl Choices for Listed<'_> {
    fn below(&mut self, n: u64) -> u64 {
        let number = self.left.next().copied().unwrap_or(0);
        ((u128::from(number) * u128::from(n)) >> 64) as u64
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

    #[test]
    fn a_list_scales_and_then_gives_zeros() {
        let mut choices = Listed::new(&[0, u64::MAX, 1 << 63, u64::MAX]);
        let drawn = [(); 6].map(|()| choices.below(10));
        assert_eq!(drawn, [0, 9, 5, 9, 0, 0]);
        assert_eq!(Listed::new(&[u64::MAX]).below(0), 0);
    }

    #[test]
    fn zeros_are_the_first_of_everything() {
        let mut choices = Listed::new(&[]);
        assert_eq!(choices.pick(&[7, 8]), 7);
        assert_eq!(choices.weighted(&[(1, 'a'), (9, 'b')]), 'a');
        assert!(!choices.one_in(2) && choices.one_in(1));
        assert!(!Coins::draw(&mut choices, 5).flip());
    }

    #[test]
    fn weights_are_kept() {
        let numbers: Vec<u64> = (0..8).map(|k| k << 61).collect();
        let mut choices = Listed::new(&numbers);
        let drawn: String = (0..8)
            .map(|_| choices.weighted(&[(1, 'a'), (5, 'b'), (2, 'c')]))
            .collect();
        assert_eq!(drawn, "abbbbbcc");
    }
}
