//! Elements of a table by displacements in bytes.

use Coalesce::Elem;
use DType::{Int16, Int32, Uint32};
use ptodiff_isa::{
    Call, Coalesce, CpuForm, DType, IndexUnit, Mgather, MgatherL1, Mscatter, NegativeIndex,
    Readings, Role, ScatterOob, Tile,
};

use super::{
    Ends, World,
    axes::{GATHERS, Indices, SCATTERS, TARGETS, extents},
    build::{
        content, gather, image, l1, l1_tile, matrix, memory, placed, scatter, suite, tile, words,
    },
};

/// Types of displacements, and what a negative index is.
const WAYS: [(DType, NegativeIndex); 3] = [
    (Int32, NegativeIndex::Unsigned),
    (Int32, NegativeIndex::Intended),
    (Uint32, NegativeIndex::Intended),
];

/// Shows every MSCATTER and every MGATHER, to UB and to L1, of 16-bit elements
/// by displacement (`index-unit=byte`) under every policy on every target. A
/// vector of slots comes a second time with its last displacement a byte further.
/// CPU has all three forms, with policies (MSCATTER-GAP-41, MGATHERL1-GAP-14).
pub fn displaced(most: u64, see: &mut impl FnMut(&World<'_>)) {
    for valid in extents() {
        let lanes = valid[0] * valid[1];
        for indices in Indices::all(lanes, most) {
            let whole: Vec<_> = indices.vector.iter().map(|i| 2 * i).collect();
            let beyond = indices.beyond();
            by_displacements(valid, indices.capacity, &whole, [beyond, false], see);
            if !beyond {
                let mut torn = whole;
                if let Some(last) = torn.last_mut() {
                    *last += 1;
                }
                by_displacements(valid, indices.capacity, &torn, [beyond, true], see);
            }
        }
    }
}

/// One vector: whether some displacement leads `beyond` the table, and whether
/// some is `torn`.
fn by_displacements(
    valid: [u64; 2],
    capacity: u64,
    vector: &[i64],
    [beyond, torn]: [bool; 2],
    see: &mut impl FnMut(&World<'_>),
) {
    let [rows, cols] = valid;
    let table = matrix(Int16, 1, capacity);
    let in_ub = tile(Int16, [rows, 16], valid);
    let in_l1 = l1_tile(Int16, [16, 16], valid);
    let around = tile(Int32, [rows, 8], valid);
    let body = content(&table, 5);
    let ub = memory(&[
        (Role::Destination, &image(&in_ub, 7)),
        (Role::Table, &body),
        (Role::Source, &image(&in_ub, 0)),
        (Role::Index, &placed(vector, &around)),
    ]);
    let staged = memory(&[
        (Role::Destination, &image(&in_l1, 7)),
        (Role::Table, &body),
        (Role::Index, &words(vector)),
        (Role::Scratch, &image(&in_l1, 9)),
    ]);
    for (dtype, negative_index) in WAYS {
        let readings = Readings {
            index_unit: IndexUnit::Byte,
            negative_index,
            cpu_form: CpuForm::Templated,
            ..suite()
        };
        let idx = Tile { dtype, ..around };
        let in_gm = matrix(dtype, rows, cols);
        for (oob, back) in SCATTERS.into_iter().zip(GATHERS) {
            let there = Mscatter {
                oob,
                ..scatter(table, in_ub, idx, Elem)
            };
            let to_ub = Mgather {
                oob: back,
                ..gather(in_ub, table, idx, Elem)
            };
            let to_l1 = MgatherL1 {
                oob: back,
                ..l1(in_l1, table, in_gm, Elem)
            };
            let broken = torn || beyond && oob == ScatterOob::Undefined;
            for (call, memory) in [
                (Call::Mscatter(there), &ub),
                (Call::Mgather(to_ub), &ub),
                (Call::MgatherL1(to_l1), &staged),
            ] {
                for target in TARGETS {
                    see(&World {
                        call,
                        memory,
                        target,
                        readings: &readings,
                        ends: Ends::by_precondition(broken),
                    });
                }
            }
        }
    }
}
