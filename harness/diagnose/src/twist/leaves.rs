//! Right results that were spoiled.

use ptodiff_isa::{Call, GatherOob, Operand};

use super::{Known, Spoil, Twist};

fn known_as(name: &str, sentence: &str, spoil: Spoil) -> Known {
    (name.to_owned(), sentence.to_owned(), Twist::Leaves(spoil))
}

fn leaves(name: &str, sentence: &str, spoil: fn(&Call, &[u8], &mut [u8], usize)) -> Known {
    known_as(name, sentence, Box::new(spoil))
}

/// Each element that changed is spoiled.
fn element(name: &str, sentence: &str, spoil: fn(&[u8], &mut [u8])) -> Known {
    let spoils = move |_: &Call, before: &[u8], after: &mut [u8], size| {
        elements(before, after, size, spoil);
    };
    known_as(name, sentence, Box::new(spoils))
}

/// Each element that changed stands so many bytes from where it belongs.
fn moves(name: &str, sentence: &str, by: fn(&Call, isize) -> isize) -> Known {
    let spoils = move |call: &Call, before: &[u8], after: &mut [u8], size: usize| {
        moved(before, after, size, by(call, size as isize));
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
                let half = old.len() / 2;
                new[half..].copy_from_slice(&old[half..]);
            },
        ),
        element(
            "upper-half-zero",
            "loses the upper half of an element",
            |old, new| new[old.len() / 2..].fill(0),
        ),
        element(
            "halves-exchanged",
            "exchanges the halves of an element",
            |_, new| new.rotate_left(new.len() / 2),
        ),
        element(
            "zero-not-written",
            "does not write a value of 0",
            keep_for_zero,
        ),
        leaves(
            "zero-forgotten",
            "leaves what the destination held where a zero belongs",
            |call, before, after, size| {
                let zero = <&str>::from(GatherOob::Zero);
                if call.argument("oob").is_some_and(|oob| oob.value == zero) {
                    elements(before, after, size, keep_for_zero);
                }
            },
        ),
        element("sign-lost", "loses the sign of an element", |_, new| {
            if let Some(last) = new.last_mut() {
                *last &= 0x7F;
            }
        }),
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
            |_, _, after, size| {
                for pair in after.chunks_exact_mut(2 * size) {
                    pair.rotate_left(size);
                }
            },
        ),
        leaves(
            "last-element-left-out",
            "leaves out the last element that is to be written",
            |_, before, after, size| {
                if let Some(last) = changed(before, after, size).last() {
                    after[last * size..][..size].copy_from_slice(&before[last * size..][..size]);
                }
            },
        ),
        leaves(
            "last-slot-left-out",
            "takes the last slot of what it writes to for out of range",
            |_, before, after, size| {
                let last = after.len().saturating_sub(size);
                after[last..].copy_from_slice(&before[last..]);
            },
        ),
        leaves(
            "first-element-left-out",
            "leaves out the first element that is to be written",
            |_, before, after, size| {
                if let Some(first) = changed(before, after, size).first() {
                    after[first * size..][..size].copy_from_slice(&before[first * size..][..size]);
                }
            },
        ),
        leaves(
            "rest-zeroed",
            "zeroes what it does not write",
            |_, before, after, size| {
                let written = changed(before, after, size);
                for (n, element) in after.chunks_exact_mut(size).enumerate() {
                    if written.binary_search(&n).is_err() {
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

/// The numbers of the elements that changed.
fn changed(before: &[u8], after: &[u8], size: usize) -> Vec<usize> {
    let pairs = before.chunks_exact(size).zip(after.chunks_exact(size));
    let pairs = pairs.enumerate().filter(|(_, (old, new))| old != new);
    pairs.map(|(n, _)| n).collect()
}

/// Spoils each element that changed.
fn elements(before: &[u8], after: &mut [u8], size: usize, spoil: impl Fn(&[u8], &mut [u8])) {
    for n in changed(before, after, size) {
        let place = n * size..(n + 1) * size;
        spoil(&before[place.clone()], &mut after[place]);
    }
}

/// Puts back what stood where a zero was written.
fn keep_for_zero(old: &[u8], new: &mut [u8]) {
    if new.iter().all(|byte| *byte == 0) {
        new.copy_from_slice(old);
    }
}

/// Puts each element that changed so many bytes from where it belongs.
fn moved(before: &[u8], after: &mut [u8], size: usize, by: isize) {
    let right = after.to_vec();
    let written = changed(before, after, size);
    after.copy_from_slice(before);
    for n in written {
        let to = (n * size).checked_add_signed(by);
        let place = to.and_then(|to| after.get_mut(to..to.saturating_add(size)));
        if let Some(place) = place {
            place.copy_from_slice(&right[n * size..][..size]);
        }
    }
}
