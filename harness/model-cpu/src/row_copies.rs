//! Copies of rows, by a loop of its own for each length that many tiles have.

use pulp::{Arch, Simd, WithSimd};

/// Rows to be copied.
pub(crate) trait Copies {
    /// Copies rows of `len` bytes up to the first that it cannot: how many are left.
    fn copy(self, len: usize) -> usize;
}

/// Has rows of `len` bytes copied: what [`Copies::copy`] gives, which is to be inlined.
#[inline]
pub(crate) fn copy(rows: impl Copies, len: usize) -> usize {
    // Of a length that the compiler knows, a row is a few wide loads and stores instead
    // of a call of a copying routine; a longer one would not fit into the registers.
    match len {
        32 => wide::<32>(rows),
        64 => wide::<64>(rows),
        128 => wide::<128>(rows),
        256 => wide::<256>(rows),
        _ => rows.copy(len),
    }
}

#[inline]
fn wide<const LEN: usize>(rows: impl Copies) -> usize {
    Arch::new().dispatch(Of::<LEN, _>(rows))
}

/// Rows of `LEN` bytes.
struct Of<const LEN: usize, R>(R);

impl<const LEN: usize, R: Copies> WithSimd for Of<LEN, R> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> usize {
        self.0.copy(LEN)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Those that have a loop of their own, others about them, and the least.
    pub(crate) const LENGTHS: [usize; 14] =
        [1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257];

    /// Of which as many are left as they are long.
    struct Length;

    impl Copies for Length {
        fn copy(self, len: usize) -> usize {
            len
        }
    }

    #[test]
    fn a_loop_is_of_the_length_that_rows_have() {
        for len in 0..600 {
            assert_eq!(copy(Length, len), len);
        }
    }
}
