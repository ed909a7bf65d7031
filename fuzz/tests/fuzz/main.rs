//! Cases from bytes, the oracles, and the targets that ask them.

mod check;
mod input;
mod judge;
mod models;
mod neighbour;
mod readers;
mod script;
mod targets;

/// Bytes without a pattern: a xorshift stream.
pub(crate) struct Noise(u64);

impl Noise {
    /// The stream of `seed`.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Fewer than `most` bytes, as often few as many.
    pub(crate) fn bytes(&mut self, most: u64) -> Vec<u8> {
        let most = 1 + self.next() % most;
        let count = self.next() % most;
        (0..count).map(|_| (self.next() >> 32) as u8).collect()
    }
}
