//! Indices that are taken for others.

use ptodiff_case::Form;
use ptodiff_isa::Role;

use super::{Known, for_each, reads};

pub(super) fn known(forms: &[Form]) -> Vec<Known> {
    let index = |name, sentence, change: fn(i128, usize) -> i128| {
        reads(name, sentence, Role::Index, move |call, memory| {
            for_each(call, memory, Role::Index, change);
        })
    };
    let mut all = vec![
        index(
            "index-one-more",
            "takes the slot after the one that an index says",
            |i, _| i + 1,
        ),
        index(
            "index-one-less",
            "takes the slot before the one that an index says",
            |i, _| i - 1,
        ),
        index("even-and-odd", "exchanges even and odd slots", |i, _| i ^ 1),
        index(
            "index-in-bytes",
            "takes an index for a number of bytes",
            |i, size| i.div_euclid(size as i128),
        ),
        index(
            "index-times-size",
            "multiplies an index, or an offset, by the bytes of an element",
            |i, size| i * size as i128,
        ),
        index("index-absolute", "drops the sign of an index", |i, _| {
            i.abs()
        }),
        index(
            "index-byte-order",
            "reads an index in the other byte order",
            |i, _| i128::from((i as u32).swap_bytes()),
        ),
    ];
    if forms.contains(&Form::Tgatherb) {
        all.extend([
            index(
                "index-in-blocks",
                "rounds an offset down to a block of 32 bytes",
                |i, _| i & !31,
            ),
            index(
                "index-one-block-more",
                "takes the block of 32 bytes after the one that an offset says",
                |i, _| i + 32,
            ),
            index(
                "index-one-block-less",
                "takes the block of 32 bytes before the one that an offset says",
                |i, _| i - 32,
            ),
        ]);
    }
    // Of those that explain as much the one that changes least comes first.
    for bits in [16, 12, 10, 8] {
        let name = format!("index-{bits}-bits");
        let sentence = format!("keeps the lower {bits} bits of an index");
        all.push(reads(&name, &sentence, Role::Index, move |call, memory| {
            for_each(call, memory, Role::Index, |i, _| i & ((1 << bits) - 1));
        }));
    }
    all.extend([
        index(
            "index-16-bits-signed",
            "keeps the lower 16 bits of an index, with a sign",
            |i, _| i128::from(i as i16),
        ),
        index(
            "index-8-bits-signed",
            "keeps the lower 8 bits of an index, with a sign",
            |i, _| i128::from(i as i8),
        ),
    ]);
    all
}
