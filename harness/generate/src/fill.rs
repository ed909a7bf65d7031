//! Values of tiles and tables, in logical order.

use ptodiff_case::Fill;
use ptodiff_isa::DType;

use crate::distinct::distinct;
use crate::element::{cycle, pack};
use crate::number::{number, special, whole_numbers};
use crate::stream::Stream;

/// Steps before the suites' ramp starts over.
const RAMP: u64 = 251;

/// Steps before the eighths start over.
const EIGHTHS: u64 = 31;

/// Where small whole numbers and percentages end.
const SMALL: u64 = 100;

/// Steps from one per cent to the next: a power of two that keeps their number exact in a float.
const STEPS: u64 = 1024;

/// Fills `out` with elements of `dtype`, little-endian; how many bytes of it it wrote.
///
/// These are all of them but for poison, which is there before, and for a
/// literal that is shorter.
pub(crate) fn values(fill: &Fill, dtype: DType, stream: &mut Stream, out: &mut [u8]) -> usize {
    let size = dtype.size();
    let whole = |value: u64| number(dtype, value as f32);
    // 2, 3, ..., the end, 1.
    let from_two = |k: u64, end: u64| (k + 1) % end + 1;
    match fill {
        Fill::Zeros => out.fill(0),
        Fill::Ramp => cycle(out, size, RAMP, |k| whole(from_two(k, RAMP))),
        Fill::RampBits => cycle(out, size, RAMP, |k| from_two(k, RAMP)),
        Fill::Eighths => cycle(out, size, EIGHTHS, |k| {
            number(dtype, from_two(k, EIGHTHS) as f32 / 8.0)
        }),
        Fill::Special => {
            let list = special(dtype);
            cycle(out, size, list.len() as u64, |k| list[k as usize]);
        }
        // As far as the type distinguishes them.
        Fill::Arange => cycle(out, size, whole_numbers(dtype), |k| {
            if dtype.is_integer() { k } else { whole(k) }
        }),
        Fill::SmallInts => pack(out, size, || whole(1 + stream.below(SMALL - 1))),
        // Integers drop the fraction.
        Fill::Percent => pack(out, size, || {
            number(dtype, stream.below(SMALL * STEPS) as f32 / STEPS as f32)
        }),
        Fill::Distinct => distinct(dtype, stream, out),
        Fill::RandomBits => stream.bytes(out),
        Fill::Literal(bytes) => return literal(bytes, size, out),
        // Rows have a region of their own.
        Fill::Poison | Fill::Rows(_) => return 0,
    }
    out.len()
}

/// The whole elements of `bytes` that `out` has room for; how many bytes they are.
pub(crate) fn literal(bytes: &[u8], size: usize, out: &mut [u8]) -> usize {
    let len = bytes.len().min(out.len()) / size * size;
    out[..len].copy_from_slice(&bytes[..len]);
    len
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn draw(fill: &Fill, dtype: DType, count: usize) -> Vec<u8> {
        let mut stream = Stream::seeded(0);
        let mut out = vec![0xEE; count * dtype.size()];
        assert_eq!(values(fill, dtype, &mut stream, &mut out), out.len());
        out
    }

    #[test]
    fn the_ramp_is_the_suites() {
        let bytes = draw(&Fill::Ramp, DType::Uint8, 253);
        assert_eq!(bytes[..3], [2, 3, 4]);
        assert_eq!(bytes[248..], [250, 251, 1, 2, 3][..5]);
        assert_eq!(
            draw(&Fill::Ramp, DType::Half, 2),
            [0x00, 0x40, 0x00, 0x42] // 2.0, 3.0
        );
        assert_eq!(draw(&Fill::Ramp, DType::Int8, 200)[199], 201); // -55
        assert_eq!(draw(&Fill::RampBits, DType::Bfloat16, 2), [2, 0, 3, 0]);
    }

    #[test]
    fn the_eighths_are_the_suites() {
        let bytes = draw(&Fill::Eighths, DType::Bfloat16, 32);
        // 0.25, 0.375, .. 3.875, 0.125, then again 0.25.
        assert_eq!(bytes[..4], [0x80, 0x3E, 0xC0, 0x3E]);
        assert_eq!(bytes[58..64], [0x78, 0x40, 0x00, 0x3E, 0x80, 0x3E]);
    }

    /// The suites: numpy's arange cast to the type, which wraps in 8 bits.
    #[test]
    fn arange_counts_and_starts_over() {
        assert_eq!(
            draw(&Fill::Arange, DType::Int8, 258)[254..],
            [254, 255, 0, 1]
        );
        let words = draw(&Fill::Arange, DType::Uint16, 300);
        assert_eq!(words[596..], [42, 1, 43, 1]); // 298, 299
        let floats = draw(&Fill::Arange, DType::Float, 256);
        assert_eq!(floats[1020..], 255_f32.to_le_bytes());
        let halves = draw(&Fill::Arange, DType::Half, 2049);
        assert_eq!(halves[4094..], [0xFF, 0x67, 0, 0]); // 2047, then again 0
    }

    fn floats(bytes: &[u8]) -> Vec<f32> {
        bytes
            .as_chunks()
            .0
            .iter()
            .map(|b| f32::from_le_bytes(*b))
            .collect()
    }

    #[test]
    fn small_integers_are_1_to_99_in_every_dtype() {
        let bytes = draw(&Fill::SmallInts, DType::Uint8, 4000);
        let seen: HashSet<u8> = bytes.iter().copied().collect();
        assert_eq!(seen, (1..100).collect());
        let values = floats(&draw(&Fill::SmallInts, DType::Float, 4000));
        assert!(
            values
                .iter()
                .all(|v| (1.0..100.0).contains(v) && v.fract() == 0.0)
        );
    }

    #[test]
    fn percentages_have_fractions_in_floats_only() {
        let values = floats(&draw(&Fill::Percent, DType::Float, 4000));
        assert!(values.iter().all(|v| (0.0..100.0).contains(v)));
        assert!(values.iter().filter(|v| v.fract() != 0.0).count() > 3900);
        assert!((1900..2100).contains(&values.iter().filter(|v| **v < 50.0).count()));
        let bytes = draw(&Fill::Percent, DType::Uint8, 4000);
        let seen: HashSet<u8> = bytes.iter().copied().collect();
        assert_eq!(seen, (0..100).collect());
    }

    #[test]
    fn poison_and_what_a_literal_lacks_are_left_alone() {
        let mut stream = Stream::seeded(0);
        let mut out = [9; 6];
        let mut made = |fill: Fill| (values(&fill, DType::Int16, &mut stream, &mut out), out);
        assert_eq!(made(Fill::Poison), (0, [9; 6]));
        let short = Fill::Literal(vec![1, 2, 3]);
        assert_eq!(made(short), (2, [1, 2, 9, 9, 9, 9]));
        let long = Fill::Literal(vec![5; 9]);
        assert_eq!(made(long), (6, [5; 6]));
    }
}
