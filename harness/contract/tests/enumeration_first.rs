//! Small scatters of the first revision, every order of their stores tried, against the
//! permits.

use crate::common::{calls::*, random::Random, same::Seen, *};
use ptodiff_isa::*;

/// One random scatter of the first revision.
fn first_revision(random: &mut Random) -> Seen {
    let by_row = random.below(2) == 0;
    let [rows, cols] = if by_row {
        random.pick(&[[1, 3], [2, 2], [4, 1]])
    } else {
        random.pick(&[[1, 4], [2, 2], [1, 5], [4, 1]])
    };
    let dtype = random.pick(&[DType::Int32, DType::Float, DType::Half]);
    let n = 1 + random.below(3);
    let table = matrix(dtype, n, cols);
    let full = |dtype, rows, cols, random: &mut Random| {
        let mut t = tile(dtype, [rows, cols], [rows, cols]);
        t.blayout = random.pick(&[BLayout::RowMajor, BLayout::ColMajor]);
        t
    };
    let index = random.pick(&[DType::Int32, DType::Uint32]);
    let width = if by_row { 1 } else { cols };
    let call = MscatterFirst {
        atomic: random.pick(&[
            ScatterAtomicOp::None,
            ScatterAtomicOp::None,
            ScatterAtomicOp::Add,
            ScatterAtomicOp::Max,
            ScatterAtomicOp::Min,
        ]),
        oob: random.pick(&SCATTERS),
        launch: Launch {
            flush: random.pick(&[CacheFlush::Appended, CacheFlush::Missing]),
            ..Launch::default()
        },
        ..first(
            table,
            full(dtype, rows, cols, random),
            full(index, rows, width, random),
        )
    };
    let readings = random.readings(&[
        "first-conflict",
        "first-mode",
        "first-row-capacity",
        "index-unit",
        "negative-index",
        "last-by",
        "subnormals",
        "add-overflow",
        "max-min-nan",
        "max-min-zero",
    ]);
    let idx = random.elements(rows * width, 4, |random| match random.below(12) {
        0 => random.below(4).wrapping_neg(),
        _ => random.below(n + 2),
    });
    // Small numbers are subnormals; half has few bits of its own to add up.
    let value = |random: &mut Random| match dtype {
        DType::Float => random.pick(&[0, 1, 0x8000_0000, 0x3F80_0000, 0x4CBE_BC20, 0xCCBE_BC20]),
        DType::Half => random.pick(&[0, 1, 0x8000, 0x3C00, 0x6800, 0xE800]),
        _ => random.pick(&[0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]),
    };
    let m = memory(&[
        (Role::Table, &random.elements(n * cols, dtype.size(), value)),
        (
            Role::Source,
            &random.elements(rows * cols, dtype.size(), value),
        ),
        (Role::Index, &idx),
    ]);
    compare(&Call::MscatterFirst(call), &[&m], Target::A5, &readings)
}

#[test]
fn the_first_revision_leaves_what_some_order_leaves() {
    let mut random = Random(0xDEAD_BEEF_0BAD_CAFE);
    let (mut settled, mut undefined) = (0, 0);
    for _ in 0..4000 {
        match first_revision(&mut random) {
            Seen::Settled => settled += 1,
            Seen::Undefined => undefined += 1,
            Seen::Illegal => {}
            Seen::Silent(why) => panic!("{why}"),
        }
    }
    assert!(settled > 1000 && undefined > 100, "{settled} {undefined}");
}
