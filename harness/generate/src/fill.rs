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
    let cycle = |values: Vec<u64>| Cow::Owned(repeat(&pack(&values, size), count * size));
    Some(match fill {
        Fill::Zeros => Cow::Owned(vec![0; count * size]),
        Fill::Ramp => cycle(steps(RAMP).map(|v| number::eighths(dtype, 8 * v)).collect()),
        Fill::RampBits => cycle(steps(RAMP).map(u64::from).collect()),
        Fill::Eighths => cycle(steps(EIGHTHS).map(|v| number::eighths(dtype, v)).collect()),
        Fill::Special => cycle(number::special(dtype)),
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
pub(crate) fn pack(values: &[u64], size: usize) -> Vec<u8> {
    let mut bytes = vec![0; values.len() * size];
    match size {
        1 => pack_wide::<1>(values, &mut bytes),
        2 => pack_wide::<2>(values, &mut bytes),
        4 => pack_wide::<4>(values, &mut bytes),
        _ => pack_wide::<8>(values, &mut bytes),
    }
    bytes
}

fn pack_wide<const W: usize>(values: &[u64], out: &mut [u8]) {
    for (slot, value) in out.as_chunks_mut::<W>().0.iter_mut().zip(values) {
        slot.copy_from_slice(&value.to_le_bytes()[..W]);
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
    let mut bytes = vec![0; count * dtype.size()];
    match dtype.size() {
        1 => walk::<1>(&room, start, step, &mut bytes),
        2 => walk::<2>(&room, start, step, &mut bytes),
        4 => walk::<4>(&room, start, step, &mut bytes),
        _ => walk::<8>(&room, start, step, &mut bytes),
    }
    bytes
}

fn walk<const W: usize>(room: &Room, start: u64, step: u64, out: &mut [u8]) {
    let mut at = start;
    for slot in out.as_chunks_mut::<W>().0 {
        slot.copy_from_slice(&room.pattern(at).to_le_bytes()[..W]);
        // Modulo `patterns`, which may be as large as the type.
        let left = room.patterns - at;
        at = if step >= left { step - left } else { at + step };
    }
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
    use crate::Operand;

    fn draw(fill: &Fill, dtype: DType, count: usize) -> Vec<u8> {
        let mut stream = Stream::new(0, 0, "fill", Operand::Tile);
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
        let values: Vec<f32> = bytes
            .as_chunks()
            .0
            .iter()
            .map(|b| f32::from_le_bytes(*b))
            .collect();
        assert!(values.iter().all(|v| (0.125..32.0).contains(&v.abs())));
        let negative = values.iter().filter(|v| **v < 0.0).count();
        assert!((1024..3072).contains(&negative), "{negative}");
    }

    #[test]
    fn other_streams_draw_other_data() {
        let mut other = Stream::new(1, 0, "fill", Operand::Tile);
        let theirs = values(&Fill::Distinct, DType::Int32, 16, &mut other).unwrap();
        assert_ne!(draw(&Fill::Distinct, DType::Int32, 16), *theirs);
    }

    #[test]
    fn poison_writes_nothing() {
        let mut stream = Stream::new(0, 0, "fill", Operand::Tile);
        assert_eq!(values(&Fill::Poison, DType::Int32, 4, &mut stream), None);
    }
}
