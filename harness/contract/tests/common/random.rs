//! A small stream of choices.

use ptodiff_isa::{Readings, reading::GAPS};

/// Xorshift of 64 bits.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    /// Elements of `size` bytes, side by side, each as `one` draws it.
    pub(crate) fn elements(
        &mut self,
        n: u64,
        size: usize,
        mut one: impl FnMut(&mut Self) -> u64,
    ) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(n as usize * size);
        for _ in 0..n {
            bytes.extend_from_slice(&one(self).to_le_bytes()[..size]);
        }
        bytes
    }

    /// The index that counts `number` elements in units of which each has `unit`; one
    /// in `rare` of other units lies between two elements or far off.
    pub(crate) fn index(&mut self, number: u64, unit: u64, rare: u64) -> u64 {
        let (far, index) = (i32::MIN as u64, number.wrapping_mul(unit));
        match self.below(if unit > 1 { rare } else { 1 }) {
            1 => index + 1 + self.below(unit - 1),
            2 => self.pick(&[far, far - unit, far + unit]),
            _ => index,
        }
    }

    /// The default readings but for these gaps, whose choices are drawn.
    pub(crate) fn readings(&mut self, gaps: &[&str]) -> Readings {
        let mut readings = Readings::default();
        for name in gaps {
            let gap = GAPS.iter().find(|gap| gap.name == *name);
            let choice = self.pick(gap.expect("a gap").choices);
            readings.set(name, choice).expect("a choice of the gap");
        }
        readings
    }

    /// Sets gaps by name: one of the choices given for each.
    pub(crate) fn set(&mut self, readings: &mut Readings, gaps: &[(&str, &[&'static str])]) {
        for (name, choices) in gaps {
            let choice = self.pick(choices);
            readings.set(name, choice).expect("a choice of the gap");
        }
    }
}
