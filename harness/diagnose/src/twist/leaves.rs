//! Right results that were spoiled.

use std::ops::Range;

use ptodiff_isa::{Call, DType, Operand};

use super::{Known, Spoil, Twist, Wrote};

fn known_as(name: &str, sentence: &str, spoil: Spoil) -> Known {
    (name.to_owned(), sentence.to_owned(), Twist::Leaves(spoil))
}

fn leaves(name: &str, sentence: &str, spoil: fn(&Call, &[u8], &mut [u8], &Wrote)) -> Known {
    known_as(name, sentence, Box::new(spoil))
}

/// Each element that was written is spoiled.
fn element(name: &str, sentence: &str, spoil: fn(&[u8], &mut [u8])) -> Known {
    let spoils = move |_: &Call, before: &[u8], after: &mut [u8], wrote: &Wrote| {
        elements(before, after, wrote, spoil);
    };
    known_as(name, sentence, Box::new(spoils))
}

/// Bit patterns of a floating-point type: the sign, the largest that is no NaN, the smallest
/// normal number, and what a NaN is quiet by.
struct Float {
    sign: u32,
    largest: u32,
    normal: u32,
    quiet: u32,
}

impl Float {
    const fn is_nan(&self, bits: u32) -> bool {
        bits & !self.sign > self.largest
    }
}

/// Each floating-point value that was written has other bits where there are any.
fn float(name: &str, sentence: &str, change: fn(&Float, u32) -> Option<u32>) -> Known {
    let spoils = move |call: &Call, before: &[u8], after: &mut [u8], wrote: &Wrote| {
        let [sign, largest, normal, quiet] = match call.data_tile().dtype {
            DType::Half => [0x8000, 0x7C00, 0x400, 0x200],
            DType::Bfloat16 => [0x8000, 0x7F80, 0x80, 0x40],
            DType::Float => [0x8000_0000, 0x7F80_0000, 0x0080_0000, 0x0040_0000],
            DType::Float8E4M3 => [0x80, 0x7E, 0x8, 0x1],
            DType::Float8E5M2 => [0x80, 0x7C, 0x4, 0x2],
            _ => return,
        };
        let float = Float {
            sign,
            largest,
            normal,
            quiet,
        };
        elements(before, after, wrote, |_, new| {
            let mut wide = [0; 4];
            wide[..new.len()].copy_from_slice(new);
            if let Some(bits) = change(&float, u32::from_le_bytes(wide)) {
                new.copy_from_slice(&bits.to_le_bytes()[..new.len()]);
            }
        });
    };
    known_as(name, sentence, Box::new(spoils))
}

/// Each element that was written stands so many bytes from where it belongs.
fn moves(name: &str, sentence: &str, by: fn(&Call, isize) -> isize) -> Known {
    let spoils = move |call: &Call, before: &[u8], after: &mut [u8], wrote: &Wrote| {
        moved(before, after, wrote, by(call, wrote.size as isize));
    };
    known_as(name, sentence, Box::new(spoils))
}

pub(super) fn known() -> Vec<Known> {
    vec![
        leaves(
            "nothing-written",
            "writes nothing",
            |_, before, after, _| after.copy_from_slice(before),
        ),
        element(
            "zeros-written",
            "writes zeros in place of the values",
            |_, new| new.fill(0),
        ),
        element(
            "byte-order",
            "writes elements in the other byte order",
            |_, new| new.reverse(),
        ),
        element(
            "lower-half-only",
            "writes the lower half of an element only",
            |old, new| {
                let half = old.len().div_ceil(2);
                new[half..].copy_from_slice(&old[half..]);
            },
        ),
        element(
            "upper-half-zero",
            "loses the upper half of an element",
            |old, new| new[old.len().div_ceil(2)..].fill(0),
        ),
        element(
            "halves-exchanged",
            "exchanges the halves of an element",
            |_, new| new.rotate_left(new.len() / 2),
        ),
        element(
            "zero-not-written",
            "does not write a value of 0",
            |old, new| {
                if new.iter().all(|byte| *byte == 0) {
                    new.copy_from_slice(old);
                }
            },
        ),
        element("sign-lost", "loses the sign of an element", |_, new| {
            if let Some(last) = new.last_mut() {
                *last &= 0x7F;
            }
        }),
        float(
            "nan-canonical",
            "writes one NaN for every other",
            |float, bits| float.is_nan(bits).then(|| float.largest + float.quiet),
        ),
        float(
            "nan-quiet",
            "makes a signalling NaN quiet",
            |float, bits| float.is_nan(bits).then_some(bits | float.quiet),
        ),
        float(
            "zero-sign-lost",
            "loses the sign of a zero",
            |float, bits| (bits == float.sign).then_some(0),
        ),
        float(
            "subnormals-zero",
            "writes a zero for a subnormal value",
            |float, bits| (bits & !float.sign < float.normal).then_some(bits & float.sign),
        ),
        moves(
            "one-element-too-far",
            "writes each element one slot too far",
            |_, size| size,
        ),
        moves(
            "one-element-too-early",
            "writes each element one slot too early",
            |_, size| -size,
        ),
        moves(
            "one-block-too-far",
            "writes one block of 32 bytes too far",
            |_, _| 32,
        ),
        moves(
            "one-block-too-early",
            "writes one block of 32 bytes too early",
            |_, _| -32,
        ),
        moves("one-row-too-far", "writes one row too far", |call, size| {
            row(call) as isize * size
        }),
        leaves(
            "neighbours-exchanged",
            "exchanges neighbouring elements",
            |_, _, after, wrote| {
                for pair in after.chunks_exact_mut(2 * wrote.size) {
                    pair.rotate_left(wrote.size);
                }
            },
        ),
        leaves(
            "column-by-column",
            "leaves its output column by column",
            |call, _, after, wrote| {
                let (right, cols) = (after.to_vec(), (row(call) as usize).max(1));
                let rows = right.len() / wrote.size / cols;
                for (n, element) in right.chunks_exact(wrote.size).take(rows * cols).enumerate() {
                    let place = wrote.place(n % cols * rows + n / cols);
                    after[place].copy_from_slice(element);
                }
            },
        ),
        leaves(
            "last-element-left-out",
            "leaves out the last element that is to be written",
            |_, before, after, wrote| {
                if let Some(last) = wrote.elements.last() {
                    put_back(before, after, wrote.place(*last));
                }
            },
        ),
        leaves(
            "last-slot-left-out",
            "takes the last slot of what it writes to for out of range",
            |_, before, after, wrote| {
                let last = after.len().saturating_sub(wrote.size);
                put_back(before, after, last..after.len());
            },
        ),
        leaves(
            "first-element-left-out",
            "leaves out the first element that is to be written",
            |_, before, after, wrote| {
                if let Some(first) = wrote.elements.first() {
                    put_back(before, after, wrote.place(*first));
                }
            },
        ),
        leaves(
            "rest-zeroed",
            "zeroes what it does not write",
            |_, _, after, wrote| {
                for (n, element) in after.chunks_exact_mut(wrote.size).enumerate() {
                    if wrote.elements.binary_search(&n).is_err() {
                        element.fill(0);
                    }
                }
            },
        ),
    ]
}

/// Elements from one row of the output to the next.
fn row(call: &Call) -> u64 {
    match call.operand(call.output()) {
        Some(Operand::Tile(tile)) => tile.cols,
        Some(Operand::Tensor(tensor)) => tensor.stride[3].get(),
        None => 0,
    }
}

impl Wrote {
    /// The bytes of the element `n`.
    pub(super) fn place(&self, n: usize) -> Range<usize> {
        n * self.size..(n + 1) * self.size
    }
}

/// Spoils each element that was written.
fn elements(before: &[u8], after: &mut [u8], wrote: &Wrote, spoil: impl Fn(&[u8], &mut [u8])) {
    for n in &wrote.elements {
        let place = wrote.place(*n);
        spoil(&before[place.clone()], &mut after[place]);
    }
}

/// Puts back what stood there.
pub(super) fn put_back(before: &[u8], after: &mut [u8], place: Range<usize>) {
    after[place.clone()].copy_from_slice(&before[place]);
}

/// Puts each element that was written so many bytes from where it belongs.
fn moved(before: &[u8], after: &mut [u8], wrote: &Wrote, by: isize) {
    let right = after.to_vec();
    after.copy_from_slice(before);
    for n in &wrote.elements {
        let to = (n * wrote.size).checked_add_signed(by);
        let place = to.and_then(|to| after.get_mut(to..to.saturating_add(wrote.size)));
        if let Some(place) = place {
            place.copy_from_slice(&right[wrote.place(*n)]);
        }
    }
}
