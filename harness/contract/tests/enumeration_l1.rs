//! Gathers to L1, tile and staging area, against the permits.

use crate::common::{calls::*, random::Random, same::Seen, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use Target::{A2a3, A5, Cpu};

/// One random gather, and what its indices count.
fn any(random: &mut Random, target: Target) -> (IndexUnit, Seen) {
    let dtype = random.pick(&[DType::Int32, DType::Float, DType::Half, DType::Int8]);
    let mode = random.pick(&[Row, Elem]);
    let wide = 32 / dtype.size() as u64;
    let columns = wide * (1 + random.below(2));
    let rows = random.below(4);
    let cols = random.pick(&[0, 1, wide - 1, wide, columns]);
    let width = match mode {
        Row => cols.max(1) + random.pick(&[0, 0, 3]),
        Elem => 1 + random.below(6),
    };
    let outer = if target == Cpu {
        1
    } else {
        1 + random.below(2)
    };
    let mut table = packed(dtype, [1, 1, outer, 2, width], Layout::ND);
    let room = if target == Cpu { 0 } else { 4 };
    if outer == 1 {
        table.stride[3] = Dim::Static(width + random.pick(&[0, room]));
    }
    let mut idx = match mode {
        Row => matrix(DType::Int32, 1, rows.max(1)),
        Elem => matrix(DType::Int32, rows.max(1), cols.max(1)),
    };
    if target != Cpu && random.below(3) == 0 {
        // Indices apart, with decoys between them.
        let dim = if mode == Row { 4 } else { 3 };
        idx.stride[dim] = Dim::Static(idx.stride[dim].get() + 2);
    }
    let mut call = MgatherL1 {
        oob: random.pick(&GATHERS),
        exec: match mode {
            Elem => random.pick(&[GatherExec::Scalar, GatherExec::Simt]),
            Row => GatherExec::Scalar,
        },
        ..l1(
            l1_tile(dtype, [16, columns], [rows, cols]),
            table,
            idx,
            mode,
        )
    };
    for dim in [&mut call.dst.valid_row, &mut call.dst.valid_col] {
        if dim.get() == 0 {
            *dim = Dim::Dynamic(0);
        }
    }
    let mut readings = random.readings(&[
        "l1-row-padding",
        "l1-scratch-zero",
        "l1-index-pitch",
        "negative-index",
        "undefined-gather",
        "gather-padding",
        "index-unit",
    ]);
    if target == Cpu {
        readings.scope = Scope::AsTheSuite;
    }
    let capacity = match mode {
        Row => outer * 2,
        Elem => outer * 2 * width,
    };
    let unit = match (readings.index_unit, mode) {
        (IndexUnit::Byte, Elem) => dtype.size() as u64,
        (IndexUnit::Byte, Row) | (IndexUnit::Element, _) => 1,
    };
    let tile = call.dst.rows * call.dst.cols;
    let bits = |random: &mut Random| random.below(1 << 16);
    let step = |random: &mut Random| {
        let astray = 6 + 2 * random.below(2 * rows * cols + 4);
        let number = |random: &mut Random| {
            let number = match random.below(astray) {
                0 => capacity + random.below(3),
                1 => random.below(3).wrapping_neg(),
                _ => random.below(capacity),
            };
            random.index(number, unit, 4 * astray)
        };
        let scratch = random.elements(tile + 3, dtype.size(), bits);
        let operands = [
            (Role::Destination, random.elements(tile, dtype.size(), bits)),
            (
                Role::Table,
                random.elements(reach(&call.table), dtype.size(), bits),
            ),
            (Role::Index, random.elements(reach(&call.idx), 4, number)),
            (Role::Scratch, scratch),
        ];
        let held = if mode == Row { 3 } else { 4 };
        let all: Vec<_> = operands[..held].iter().map(|(r, b)| (*r, &b[..])).collect();
        memory(&all)
    };
    if let Some(scratch) = &mut call.scratch {
        *scratch = matrix(dtype, 1, tile + 3);
    }
    let steps = [step(random), step(random)];
    let count = 1 + random.below(2) as usize;
    let steps: Vec<_> = steps.iter().take(count).collect();
    let seen = compare(&Call::MgatherL1(call), &steps, target, &readings);
    (readings.index_unit, seen)
}

#[test]
fn permits_are_what_the_copies_give() {
    let mut random = Random(0x0BAD_5EED_0000_0001);
    for target in [Cpu, A2a3, A5] {
        // By unit: settled and undefined.
        let mut all = [[0; 2]; 2];
        for _ in 0..1400 {
            let (unit, found) = any(&mut random, target);
            let seen = &mut all[unit as usize];
            match found {
                Seen::Settled => seen[0] += 1,
                Seen::Undefined => seen[1] += 1,
                Seen::Illegal => {}
                Seen::Silent(why) => panic!("{why}"),
            }
        }
        let enough = all.iter().all(|seen| seen[0] > 150 && seen[1] > 10);
        assert!(enough, "{target}: {all:?}");
    }
}
