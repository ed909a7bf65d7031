//! Values of tiles and tables, in logical order.

use std::borrow::Cow;

use ptodiff_case::Fill;
use ptodiff_isa::DType;

use crate::number::{self, FloatBits};
use crate::stream::Stream;

/// Steps before the suites' ramp starts over.
const RAMP: u16 = 251;

/// Steps before the eighths start over.
const EIGHTHS: u16 = 31;

/// Where small whole numbers and percentages end.
const SMALL: u16 = 100;

/// Steps from one per cent to the next: a power of two that keeps their number exact in a float.
const STEPS: u64 = 1024;

/// `count` elements of `dtype` as little-endian bytes; `None` leaves poison in place.
///
/// A literal may be shorter than asked, the rest then stays poison.
pub(crate) fn values<'a>(
    fill: &'a Fill,
    dtype: DType,
    count: usize,
    stream: &mut Stream,
) -> Option<Cow<'a, [u8]>> {
    let size = dtype.size();
    // The suites start at k + 1, so the first value is 2.
    let steps = |period: u16| (0..period).map(move |k| 1 + (1 + k) % period);
    let cycle = |values: Vec<u64>| Cow::Owned(repeat(&pack_all(&values, size), count * size));
    Some(match fill {
        Fill::Zeros => Cow::Owned(vec![0; count * size]),
        Fill::Ramp => cycle(steps(RAMP).map(|v| number::eighths(dtype, 8 * v)).collect()),
        Fill::RampBits => cycle(steps(RAMP).map(u64::from).collect()),
        Fill::Eighths => cycle(steps(EIGHTHS).map(|v| number::eighths(dtype, v)).collect()),
        Fill::Special => cycle(number::special(dtype)),
        Fill::Arange => cycle(arange(dtype, count)),
        Fill::SmallInts => {
            let values: Vec<u64> = (1..SMALL).map(|v| number::eighths(dtype, 8 * v)).collect();
            let draws = values.len() as u64;
            Cow::Owned(pack(count, size, || values[stream.below(draws) as usize]))
        }
        Fill::Percent => Cow::Owned(pack(count, size, || {
            let steps = stream.below(u64::from(SMALL) * STEPS);
            number::number(dtype, steps as f32 / STEPS as f32)
        })),
        Fill::Distinct => Cow::Owned(distinct(dtype, count, stream)),
        Fill::RandomBits => {
            let mut bytes = vec![0; count * size];
            stream.bytes(&mut bytes);
            Cow::Owned(bytes)
        }
        Fill::Literal(bytes) => Cow::Borrowed(bytes),
        Fill::Poison => return None,
    })
}

/// `values` as little-endian elements of `size` bytes, cut off where they do not fit.
pub(crate) fn pack_all(values: &[u64], size: usize) -> Vec<u8> {
    let mut values_left = values.iter();
    pack(values.len(), size, || {
        values_left.next().copied().unwrap_or_default()
    })
}

/// What `next` gives, `count` times, as little-endian elements of `size` bytes.
fn pack(count: usize, size: usize, next: impl FnMut() -> u64) -> Vec<u8> {
    let mut bytes = vec![0; count * size];
    match size {
        1 => pack_wide::<1>(next, &mut bytes),
        2 => pack_wide::<2>(next, &mut bytes),
        4 => pack_wide::<4>(next, &mut bytes),
        _ => pack_wide::<8>(next, &mut bytes),
    }
    bytes
}

fn pack_wide<const W: usize>(mut next: impl FnMut() -> u64, out: &mut [u8]) {
    for slot in out.as_chunks_mut::<W>().0 {
        slot.copy_from_slice(&next().to_le_bytes()[..W]);
    }
}

/// `period` over and over, `len` bytes of it.
pub(crate) fn repeat(period: &[u8], len: usize) -> Vec<u8> {
    let mut bytes = period.repeat(len.div_ceil(period.len().max(1)));
    bytes.truncate(len);
    bytes
}

/// A walk over the bit patterns of `dtype` by a step that is coprime to their
/// number, so that it meets each of them before it repeats one. Start and step
/// are drawn.
///
/// Where they suffice, only patterns that suit arithmetic are used: for floats
/// normal values of both signs with magnitudes around 1 (all finite normals if
/// those are too few), for integers no 0, no -1 and none of the poison bytes.
fn distinct(dtype: DType, count: usize, stream: &mut Stream) -> Vec<u8> {
    let room = Room::of(dtype, count as u64);
    let start = stream.below(room.patterns);
    let step = loop {
        let step = 1 + stream.below(room.patterns - 1);
        if gcd(step, room.patterns) == 1 {
            break step;
        }
    };
    let mut at = start;
    pack(count, dtype.size(), || {
        let value = room.pattern(at);
        // Modulo `patterns`, which may be as large as the type.
        let left = room.patterns - at;
        at = if step >= left { step - left } else { at + step };
        value
    })
}

/// 0, 1, 2, ... as far as `dtype` tells them apart, at most `count` of them.
fn arange(dtype: DType, count: usize) -> Vec<u64> {
    let period = number::whole_numbers(dtype).min(count as u64);
    let value = |k: u64| {
        if dtype.is_integer() {
            k
        } else {
            number::number(dtype, k as f32)
        }
    };
    (0..period).map(value).collect()
}

/// Bit patterns to choose from: a stretch of magnitudes, with both signs or without.
struct Room {
    first: u64,
    patterns: u64,
    sign: Option<u32>,
}

impl Room {
    /// The narrowest stretch with `count` patterns, else the widest there is.
    fn of(dtype: DType, count: u64) -> Self {
        let bits = dtype.size() as u32 * 8;
        let unsigned = |first: u64, end: u64| Self {
            first,
            patterns: end - first,
            sign: None,
        };
        let signed = |(first, end): (u64, u64)| Self {
            first,
            patterns: 2 * (end - first),
            sign: Some(bits - 1),
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

    fn pattern(&self, at: u64) -> u64 {
        match self.sign {
            None => self.first + at,
            Some(sign) => {
                let half = self.patterns / 2;
                (self.first + at % half) | u64::from(at >= half) << sign
            }
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::stream::Channel;

    fn draw(fill: &Fill, dtype: DType, count: usize) -> Vec<u8> {
        let mut stream = Stream::new(0, 0, "fill", Channel::Data);
        values(fill, dtype, count, &mut stream)
            .unwrap()
            .into_owned()
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
    fn distinct_patterns_fill_the_room_before_they_repeat() {
        use DType::*;
        for (dtype, room) in [
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
            let bytes = draw(&Fill::Distinct, dtype, room);
            let set: HashSet<&[u8]> = bytes.chunks(dtype.size()).collect();
            assert_eq!(set.len(), room, "{dtype}");
        }
    }

    #[test]
    fn distinct_floats_are_normal_and_of_both_signs() {
        let bytes = draw(&Fill::Distinct, DType::Float, 4096);
        let values = floats(&bytes);
        assert!(values.iter().all(|v| (0.125..32.0).contains(&v.abs())));
        let negative = values.iter().filter(|v| **v < 0.0).count();
        assert!((1024..3072).contains(&negative), "{negative}");
    }

    #[test]
    fn other_streams_draw_other_data() {
        let mut other = Stream::new(1, 0, "fill", Channel::Data);
        let theirs = values(&Fill::Distinct, DType::Int32, 16, &mut other).unwrap();
        assert_ne!(draw(&Fill::Distinct, DType::Int32, 16), *theirs);
    }

    #[test]
    fn poison_writes_nothing() {
        let mut stream = Stream::new(0, 0, "fill", Channel::Data);
        assert_eq!(values(&Fill::Poison, DType::Int32, 4, &mut stream), None);
    }
}
