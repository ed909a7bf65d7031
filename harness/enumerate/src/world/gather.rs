//! Gathers from a table, and blocks either way.

use Coalesce::{Elem, Row};
use DType::{Int8, Int32};
use ptodiff_isa::{
    Call, Coalesce, DType, GatherOob, Layout, Mgather, MgatherL1, Mscatter, Readings, Role,
    ScatterOob, Target,
};

use super::{
    Ends, World,
    axes::{GATHERS, Indices, SCATTERS, TARGETS, extents},
    build::{
        content, gather, image, l1, l1_tile, matrix, memory, nz_tile, packed, placed, scatter,
        suite, tile, words,
    },
};

/// Every valid extent in either mode.
fn shapes() -> impl Iterator<Item = ([u64; 2], Coalesce)> {
    extents().flat_map(|valid| [(valid, Row), (valid, Elem)])
}

/// Shows every MGATHER to UB of 8-bit data under every policy on every target.
pub fn gathers(most: u64, see: &mut impl FnMut(&World<'_>)) {
    let readings = Readings::default();
    for (valid, mode) in shapes() {
        let [rows, cols] = valid;
        let dst = tile(Int8, [rows, 32], valid);
        let (lanes, idx) = match mode {
            Row => (rows, tile(Int32, [1, 8], [1, rows])),
            Elem => (rows * cols, tile(Int32, [rows, 8], valid)),
        };
        for indices in Indices::all(lanes, most) {
            let table = match mode {
                Row => matrix(Int8, indices.capacity, cols),
                Elem => matrix(Int8, 1, indices.capacity),
            };
            let memory = memory(&[
                (Role::Destination, &image(&dst, 7)),
                (Role::Table, &content(&table, 5)),
                (Role::Index, &placed(&indices.vector, &idx)),
            ]);
            for oob in GATHERS {
                let call = Mgather {
                    oob,
                    ..gather(dst, table, idx, mode)
                };
                let broken = indices.beyond() && oob == GatherOob::Undefined;
                for target in TARGETS {
                    see(&World {
                        call: Call::Mgather(call),
                        memory: &memory,
                        target,
                        readings: &readings,
                        ends: Ends::by_precondition(broken),
                    });
                }
            }
        }
    }
}

/// Shows every MSCATTER and MGATHER between an NZ table of 16 rows and an NZ
/// tile, which A2/A3 alone has, under every policy. Indices are counted from
/// the end of the table: the last of a vector's slots is its last one.
pub fn blocks(most: u64, see: &mut impl FnMut(&World<'_>)) {
    let readings = Readings::default();
    let table = packed(Int8, [1, 1, 1, 16, 32], Layout::NZ);
    for (valid, mode) in shapes() {
        let [rows, cols] = valid;
        let in_ub = nz_tile(Int8, [16, 32], valid);
        let (lanes, idx, count) = match mode {
            Row => (rows, tile(Int32, [1, 8], [1, rows]), 16),
            Elem => (rows * cols, tile(Int32, [rows, 8], valid), 512),
        };
        for indices in Indices::all(lanes, most) {
            let shift = |&i: &i64| match i {
                ..0 => i,
                _ => i + count - indices.capacity as i64,
            };
            let vector: Vec<_> = indices.vector.iter().map(shift).collect();
            let memory = memory(&[
                (Role::Destination, &image(&in_ub, 7)),
                (Role::Table, &content(&table, 5)),
                (Role::Source, &image(&in_ub, 0)),
                (Role::Index, &placed(&vector, &idx)),
            ]);
            let mut show = |call, broken| {
                see(&World {
                    call,
                    memory: &memory,
                    target: Target::A2a3,
                    readings: &readings,
                    ends: Ends::by_precondition(broken),
                });
            };
            for (oob, back) in SCATTERS.into_iter().zip(GATHERS) {
                let there = Mscatter {
                    oob,
                    ..scatter(table, in_ub, idx, mode)
                };
                let broken = indices.beyond() && oob == ScatterOob::Undefined;
                show(Call::Mscatter(there), broken);
                let back = Mgather {
                    oob: back,
                    ..gather(in_ub, table, idx, mode)
                };
                show(Call::Mgather(back), broken);
            }
        }
    }
}

/// Shows every MGATHER to L1 of 8-bit data under every policy on every target;
/// on CPU in the suites' scope (MGATHERL1-GAP-14).
pub fn gathers_to_l1(most: u64, see: &mut impl FnMut(&World<'_>)) {
    let (default, suite) = (Readings::default(), suite());
    for (valid, mode) in shapes() {
        let [rows, cols] = valid;
        let dst = l1_tile(Int8, [16, 32], valid);
        let lanes = if mode == Row { rows } else { rows * cols };
        for indices in Indices::all(lanes, most) {
            let (table, idx) = match mode {
                Row => (matrix(Int8, indices.capacity, cols), matrix(Int32, 1, rows)),
                Elem => (matrix(Int8, 1, indices.capacity), matrix(Int32, rows, cols)),
            };
            let (held, body) = (image(&dst, 7), content(&table, 5));
            let (numbers, staged) = (words(&indices.vector), image(&dst, 9));
            let mut operands = vec![
                (Role::Destination, &held[..]),
                (Role::Table, &body),
                (Role::Index, &numbers),
            ];
            if mode == Elem {
                operands.push((Role::Scratch, &staged));
            }
            let memory = memory(&operands);
            for oob in GATHERS {
                let call = MgatherL1 {
                    oob,
                    ..l1(dst, table, idx, mode)
                };
                let broken = indices.beyond() && oob == GatherOob::Undefined;
                for target in TARGETS {
                    let readings = match target {
                        Target::Cpu => &suite,
                        Target::A2a3 | Target::A5 => &default,
                    };
                    see(&World {
                        call: Call::MgatherL1(call),
                        memory: &memory,
                        target,
                        readings,
                        ends: Ends::by_precondition(broken),
                    });
                }
            }
        }
    }
}
