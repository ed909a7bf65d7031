//! Bit patterns that do not repeat before they have to.

use ptodiff_isa::DType;

use crate::element::pack;
use crate::number::FloatBits;
use crate::stream::Stream;

/// Fills `out` with a walk over the bit patterns of `dtype` by a step that is
/// coprime to their number, so that it meets each of them before it repeats
/// one. Start and step are drawn.
///
/// Where they suffice, only patterns that suit arithmetic are used: for floats
/// normal values of both signs with magnitudes around 1 (all finite normals if
/// those are too few), for integers no 0, no -1 and none of the poison bytes.
pub(crate) fn distinct(dtype: DType, stream: &mut Stream, out: &mut [u8]) {
    let size = dtype.size();
    let range = PatternRange::of(dtype, (out.len() / size) as u64);
    let mut at = stream.below(range.patterns);
    let step = loop {
        let step = 1 + stream.below(range.patterns - 1);
        if coprime(step, range.patterns) {
            break step;
        }
    };
    // From here on a step leads past the last one.
    let back = range.patterns - step;
    pack(out, size, || {
        let pattern = range.pattern(at);
        at = if at < back { at + step } else { at - back };
        pattern
    });
}

/// Bit patterns to choose from: a stretch of magnitudes, with both signs or without.
struct PatternRange {
    first: u64,
    patterns: u64,
    /// From this pattern on the stretch is repeated, with the sign set.
    negative: u64,
    /// The sign bit; 0 where none is set.
    sign: u64,
}

impl PatternRange {
    /// The narrowest stretch with `count` patterns, else the widest there is.
    fn of(dtype: DType, count: u64) -> Self {
        let bits = dtype.size() as u32 * 8;
        let unsigned = |first: u64, end: u64| Self {
            first,
            patterns: end - first,
            negative: end - first,
            sign: 0,
        };
        let signed = |(first, end): (u64, u64)| Self {
            first,
            patterns: 2 * (end - first),
            negative: end - first,
            sign: 1 << (bits - 1),
        };
        // One pattern short of all where all would not fit the type.
        let all = unsigned(0, 1_u64.checked_shl(bits).unwrap_or(u64::MAX));
        let kinds = if dtype.is_integer() {
            let most = if bits == 8 { 0xFC } else { all.patterns - 1 };
            [unsigned(1, most), unsigned(1, most), all]
        } else {
            let float = FloatBits::of(dtype);
            [signed(float.moderate), signed(float.normals), all]
        };
        let [narrow, wider, all] = kinds;
        if count <= narrow.patterns {
            narrow
        } else if count <= wider.patterns {
            wider
        } else {
            all
        }
    }

    /// The bits of the one with this number.
    const fn pattern(&self, number: u64) -> u64 {
        if number < self.negative {
            self.first + number
        } else {
            self.sign + self.first + number - self.negative
        }
    }
}

/// Whether two numbers above 0 have no factor in common.
const fn coprime(mut a: u64, mut b: u64) -> bool {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a == 1
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn draw(dtype: DType, count: usize) -> Vec<u8> {
        let mut out = vec![0; count * dtype.size()];
        distinct(dtype, &mut Stream::seeded(0), &mut out);
        out
    }

    #[test]
    fn distinct_patterns_fill_the_room_before_they_repeat() {
        use DType::*;
        for (dtype, range) in [
            (Uint8, 256),
            (Int16, 65536),
            (Half, 65536),
            (Half, 61440),
            (Half, 61441),
            (Bfloat16, 2048),
            (Float8E4M3, 256),
            (Float8E5M2, 240),
            (Hifloat8, 256),
            (Float, 40_000),
            (Int64, 40_000),
        ] {
            let bytes = draw(dtype, range);
            let set: HashSet<&[u8]> = bytes.chunks(dtype.size()).collect();
            assert_eq!(set.len(), range, "{dtype}");
        }
    }
}
