//! A walk over numbers in steps of one length, several of them at a time.

use std::iter::zip;

/// Numbers from 0 to below a bound, stepped through with wrap-around, and the
/// bit patterns that they stand for.
pub(crate) struct Walk {
    /// The bound: at most 2^64 - 1, and at least 1.
    pub(crate) numbers: u64,
    /// Where it starts, below the bound.
    pub(crate) start: u64,
    /// From each number to the next, below the bound.
    pub(crate) step: u64,
    /// The bit pattern of 0; those of others follow.
    pub(crate) first: u64,
    /// From this number on patterns are `jump` further on.
    pub(crate) second: u64,
    /// See [`Walk::second`].
    pub(crate) jump: u64,
}

impl Walk {
    /// Fills `out` with bit patterns of `size` bytes, little-endian. All of
    /// them fit.
    pub(crate) fn write(&self, size: usize, out: &mut [u8]) {
        match size {
            1 => self.bytes(out),
            2 => self.halves(out),
            4 => self.words(out),
            _ => self.doubles(out),
        }
    }

    /// The number that follows `at`.
    const fn after(&self, at: u64) -> u64 {
        let back = self.numbers - self.step;
        if at < back { at + self.step } else { at - back }
    }
}

/// A way to write in words of one width: `lanes` neighbours go on together, in
/// steps that lead past all of them.
macro_rules! wide {
    ($name:ident, $signed:ty, $lanes:literal) => {
        impl Walk {
            fn $name(&self, out: &mut [u8]) {
                const SIZE: usize = size_of::<$signed>();
                // Numbers are held so far below themselves that they are in
                // order as signed ones: those are what is compared quickly.
                const LEAST: $signed = <$signed>::MIN;
                let held = |number: u64| LEAST.wrapping_add(number as $signed);
                let mut next = self.start;
                let mut lanes = [0; $lanes];
                for lane in &mut lanes {
                    *lane = held(next);
                    next = self.after(next);
                }
                // From a lane's number to its next one, and what that is less
                // than a round. A bound of 2^n is 0 here and wraps all the same.
                let step = if next >= self.start {
                    next - self.start
                } else {
                    self.numbers - (self.start - next)
                };
                let round = self.numbers as $signed;
                let back = round.wrapping_sub(step as $signed);
                let last = held(self.numbers - step - 1);
                let [first, jump] = [self.first, self.jump].map(|number| number as $signed);
                let first = first.wrapping_sub(LEAST);
                let second = held(self.second);
                let mut put = |slots: &mut [[u8; SIZE]; $lanes]| {
                    for (slot, at) in zip(slots, &mut lanes) {
                        let jump = if *at < second { 0 } else { jump };
                        *slot = first.wrapping_add(*at).wrapping_add(jump).to_le_bytes();
                        let over = if *at > last { 0 } else { round };
                        *at = at.wrapping_sub(back).wrapping_add(over);
                    }
                };
                let (rows, rest) = out.as_chunks_mut().0.as_chunks_mut();
                for row in rows {
                    put(row);
                }
                if !rest.is_empty() {
                    let mut row = [[0; SIZE]; $lanes];
                    put(&mut row);
                    rest.copy_from_slice(&row[..rest.len()]);
                }
            }
        }
    };
}

wide!(bytes, i8, 16);
wide!(halves, i16, 8);
wide!(words, i32, 4);
wide!(doubles, i64, 1);

#[cfg(test)]
mod tests {
    use super::*;

    /// One after the other, by the definition.
    fn plain(walk: &Walk, size: usize, count: usize) -> Vec<u8> {
        let step = u128::from(walk.step);
        let at = |k: u128| (u128::from(walk.start) + k * step) % u128::from(walk.numbers);
        let pattern = |at: u64| {
            let jump = if at < walk.second { 0 } else { walk.jump };
            walk.first.wrapping_add(at).wrapping_add(jump)
        };
        let patterns = (0..count as u128).map(|k| pattern(at(k) as u64).to_le_bytes());
        patterns.flat_map(|p| p.into_iter().take(size)).collect()
    }

    fn check(walk: &Walk, size: usize) {
        for count in (0..70).chain([333]) {
            let mut out = vec![0xEE; count * size];
            walk.write(size, &mut out);
            let Walk { numbers, step, .. } = walk;
            let told = format!("{count} of {size} bytes, {step} in {numbers}");
            assert_eq!(out, plain(walk, size, count), "{told}");
        }
    }

    #[test]
    fn several_steps_at_once_are_single_ones() {
        for (size, most) in [(1, 1 << 8), (2, 1 << 16), (4, 1 << 32), (8, u64::MAX)] {
            for numbers in [1, 2, 3, 15, 16, 17, 112, 251, most / 2, most - 1, most] {
                for step in [0, 1, 5, numbers / 3, numbers / 2, numbers - 1] {
                    if step >= numbers {
                        continue;
                    }
                    let start = numbers / 5;
                    let sign = most / 2 + u64::from(size == 8);
                    let plain = Walk {
                        numbers,
                        start,
                        step,
                        first: 0,
                        second: numbers,
                        jump: 0,
                    };
                    check(&plain, size);
                    if numbers <= most / 4 {
                        let signed = Walk {
                            first: 3,
                            second: numbers / 2,
                            jump: sign - numbers / 2,
                            ..plain
                        };
                        check(&signed, size);
                    }
                }
            }
        }
    }
}
