//! Tiles of which a run-time extent of 0 leaves rows, columns or both out: what
//! their indices still owe, and what their padding still holds. Every such
//! extent, every policy, indices in range, beyond and negative, each target.

use crate::common::{
    said::Said,
    same::{Seen, compare},
    *,
};
use ptodiff_contract::{legality, permits};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use Target::{A2a3, A5, Cpu};

const TARGETS: [Target; 3] = [Cpu, A2a3, A5];
const NEGATIVE: [NegativeIndex; 3] = [
    NegativeIndex::Unsigned,
    NegativeIndex::Signed,
    NegativeIndex::Intended,
];
/// Valid rows and columns, not both there.
const EMPTY: [[u64; 2]; 5] = [[0, 0], [0, 1], [0, 3], [1, 0], [2, 0]];

/// Rows or elements that an index may name.
const CAPACITY: i64 = 16;

/// An extent known at run time only, where it is 0.
fn dim(extent: u64) -> Dim {
    if extent == 0 {
        Dim::Dynamic(0)
    } else {
        Dim::Static(extent)
    }
}

/// `t` with these valid extents.
fn valid(t: Tile, [rows, cols]: [u64; 2]) -> Tile {
    Tile {
        valid_row: dim(rows),
        valid_col: dim(cols),
        ..t
    }
}

/// The indices of so many rows in every combination; without any, one that
/// leads nowhere stands where nobody is to look.
fn vectors(rows: u64) -> Vec<Vec<i64>> {
    let one = [0, CAPACITY - 1, CAPACITY, -1, i64::from(i32::MIN)];
    match rows {
        0 => vec![vec![CAPACITY]],
        1 => one.map(|a| vec![a]).to_vec(),
        _ => one.iter().flat_map(|&a| one.map(|b| vec![a, b])).collect(),
    }
}

/// Whether nothing takes care of one of these under Undefined. Only signed
/// arithmetic taken literally lets negative ones through.
fn astray(all: &[i64], index: DType, target: Target, readings: &Readings) -> bool {
    let literal =
        target != Cpu && index == DType::Int32 && readings.negative_index == NegativeIndex::Signed;
    all.iter().any(|&i| i >= CAPACITY || i < 0 && !literal)
}

/// Each operand of bytes that differ.
fn operands(sizes: &[(Role, u64)], indices: &[u8]) -> Memory {
    let all: Vec<(Role, Vec<u8>)> = sizes
        .iter()
        .map(|&(role, len)| (role, (0..len).map(|i| (i * 37 + 1) as u8).collect()))
        .collect();
    let mut all: Vec<_> = all
        .iter()
        .map(|(role, bytes)| (*role, &bytes[..]))
        .collect();
    all.push((Role::Index, indices));
    memory(&all)
}

fn bytes(t: &Tile) -> u64 {
    t.rows * t.cols * t.dtype.size() as u64
}

fn reach(t: &GlobalTensor) -> u64 {
    t.shape.iter().map(|d| d.get()).product::<u64>() * t.dtype.size() as u64
}

/// Indices from the first on at steps of `pitch`, decoys that lead nowhere between.
fn indices(all: &[i64], held: u64, pitch: usize) -> Vec<u8> {
    let mut placed = vec![CAPACITY + 3; held as usize];
    for (i, &index) in all.iter().enumerate() {
        placed[i * pitch] = index;
    }
    words(&placed)
}

/// Data tile, table, index tile and elements from one index to the next.
struct Shapes {
    data: Tile,
    table: GlobalTensor,
    idx: Tile,
    pitch: usize,
}

/// The shapes in which `target` takes data of these valid extents.
fn shapes(target: Target, mode: Coalesce, index: DType, extents: [u64; 2]) -> Vec<Shapes> {
    let [rows, _] = extents;
    let data = valid(tile(DType::Int32, [2, 8], [1, 1]), extents);
    let of = |data, table, idx, pitch| Shapes {
        data,
        table,
        idx,
        pitch,
    };
    if mode == Elem {
        let idx = valid(tile(index, [2, 8], [1, 1]), extents);
        return vec![of(data, matrix(DType::Int32, 2, 8), idx, 1)];
    }
    let across = valid(tile(index, [1, 8], [1, 1]), [1, rows]);
    let wide = matrix(DType::Int32, CAPACITY as u64, 8);
    let mut all = vec![of(data, wide, across, 1)];
    match target {
        A2a3 => {
            let nz = valid(nz_tile(DType::Half, [16, 16], [1, 1]), extents);
            let table = packed(DType::Half, [1, 1, 1, 16, 16], Layout::NZ);
            all.push(of(nz, table, across, 1));
        }
        A5 => {
            // The kernel takes one index after the other.
            let down = valid(col_major(index, [8, 1], [1, 1]), [rows, 1]);
            all.push(of(data, wide, down, 1));
        }
        Cpu => {
            let down = valid(tile(index, [2, 8], [1, 1]), [rows, 1]);
            all.push(of(data, wide, down, 8));
        }
    }
    // A5 rejects a table of another width only where it knows the tile's.
    if target == A5 && extents[1] > 0 {
        all.iter_mut()
            .for_each(|s| s.table = matrix(DType::Int32, 16, extents[1]));
    }
    all
}

/// Calls `f` with every target, mode, index type, extents, shapes and indices.
fn each(mut f: impl FnMut(Target, Coalesce, &Shapes, &[i64])) {
    for target in TARGETS {
        for mode in [Row, Elem] {
            for index in [DType::Int32, DType::Uint32] {
                for extents in EMPTY {
                    let read = if mode == Row { extents[0] } else { 0 };
                    for shapes in shapes(target, mode, index, extents) {
                        for vector in vectors(read) {
                            f(target, mode, &shapes, &vector);
                        }
                    }
                }
            }
        }
    }
}

/// Nothing is said of any operand: all is kept.
fn nothing_happens(call: &Call, m: &Memory, target: Target, readings: &Readings) {
    let p = permits(call, &[m], target, readings).expect("operands fit");
    let untouched = p.operands.iter().all(|o| o.runs.is_empty());
    assert!(untouched && p.oob_accesses.is_none(), "{target} {call:?}");
}

#[test]
fn gathers_to_ub() {
    let (mut owed, mut free) = (0, 0);
    each(|target, mode, shapes, vector| {
        let Shapes {
            data, table, idx, ..
        } = *shapes;
        let held = indices(vector, idx.rows * idx.cols, shapes.pitch);
        let sizes = [
            (Role::Destination, bytes(&data)),
            (Role::Table, reach(&table)),
        ];
        let m = operands(&sizes, &held);
        for oob in GATHERS {
            let call = Call::Mgather(Mgather {
                oob,
                ..gather(data, table, idx, mode)
            });
            for negative_index in NEGATIVE {
                for undefined_gather in [UndefinedGather::Call, UndefinedGather::Slots] {
                    for gather_padding in [
                        GatherPadding::BurstTail,
                        GatherPadding::Kept,
                        GatherPadding::Undefined,
                    ] {
                        let readings = Readings {
                            empty_extent: EmptyExtent::NoOp,
                            nd_zero_fill: NdZeroFill::WholeTile,
                            nz_row_columns: NzRowColumns::Moved,
                            negative_index,
                            undefined_gather,
                            gather_padding,
                            ..Readings::default()
                        };
                        // On the CPU alone the rows are gone through (MGATHER-GAP-26).
                        let read = target == Cpu && mode == Row && data.valid_row.get() > 0;
                        let lost = oob == GatherOob::Undefined
                            && astray(vector, idx.dtype, target, &readings);
                        let broken = read && lost && undefined_gather == UndefinedGather::Call;
                        let seen = if broken {
                            Seen::Undefined
                        } else {
                            Seen::Settled
                        };
                        let found = compare(&call, &[&m], target, &readings);
                        assert_eq!(found, seen, "{target} {call:?} {vector:?}");
                        if target != Cpu {
                            nothing_happens(&call, &m, target, &readings);
                        }
                        owed += u32::from(broken);
                        free += u32::from(read && lost && !broken);
                    }
                }
            }
        }
    });
    assert!(owed > 100 && free == owed, "{owed} {free}");
}

#[test]
fn where_they_break_a_duty_on_the_npus() {
    each(|target, mode, shapes, _| {
        let Shapes {
            data, table, idx, ..
        } = *shapes;
        let readings = Readings::default();
        let owed = |call: &Call, clause: &str| {
            let broken = legality(call, target, &readings);
            assert_eq!(broken.iter().any(|b| b.clause.0 == clause), target != Cpu);
        };
        owed(
            &Call::Mgather(gather(data, table, idx, mode)),
            "MGATHER-SHAPE-03",
        );
        owed(
            &Call::Mscatter(scatter(table, data, idx, mode)),
            "MSCATTER-SHAPE-03",
        );
    });
}

#[test]
fn padding_of_the_cpu_is_open_where_that_is_the_reading() {
    let shapes = &shapes(Cpu, Elem, DType::Int32, [0, 1])[0];
    let call = gather(shapes.data, shapes.table, shapes.idx, Elem);
    let readings = Readings {
        empty_extent: EmptyExtent::NoOp,
        gather_padding: GatherPadding::Undefined,
        ..Readings::default()
    };
    let m = memory(&[
        (Role::Destination, &[1; 64]),
        (Role::Table, &[2; 64]),
        (Role::Index, &[0; 64]),
    ]);
    for (target, slot) in [(Cpu, Slot::Anything), (A5, Slot::Kept)] {
        let found = Said::of(&Call::Mgather(call), &[&m], target, &readings);
        assert_eq!(found.slots, vec![slot; 16], "{target}");
    }
}

#[test]
fn scatters_to_gm() {
    let mut compared = [0; 3];
    each(|target, mode, shapes, vector| {
        let Shapes {
            data, table, idx, ..
        } = *shapes;
        let held = indices(vector, idx.rows * idx.cols, shapes.pitch);
        let sizes = [(Role::Table, reach(&table)), (Role::Source, bytes(&data))];
        let m = operands(&sizes, &held);
        for oob in SCATTERS {
            for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
                let call = Call::Mscatter(Mscatter {
                    oob,
                    conflict,
                    ..scatter(table, data, idx, mode)
                });
                for negative_index in NEGATIVE {
                    for cpu_form in [CpuForm::Documented, CpuForm::Templated] {
                        let readings = Readings {
                            empty_extent: EmptyExtent::NoOp,
                            negative_index,
                            cpu_form,
                            ..Readings::default()
                        };
                        match compare(&call, &[&m], target, &readings) {
                            Seen::Settled => {
                                nothing_happens(&call, &m, target, &readings);
                                compared[target as usize] += 1;
                            }
                            // The templates of the CPU have A5's rule, and
                            // its elements one index each.
                            found => {
                                assert_eq!((found, target), (Seen::Illegal, Cpu));
                                let elem = mode == Elem;
                                assert!(cpu_form == CpuForm::Templated || !elem, "{call:?}");
                            }
                        }
                    }
                }
            }
        }
    });
    assert!(compared.iter().all(|&n| n > 100), "{compared:?}");
}

#[test]
fn a_destination_without_a_valid_slot_takes_no_index() {
    let shape = |extents| valid(tile(DType::Int32, [2, 8], [1, 1]), extents);
    for target in TARGETS {
        for dst in [[0, 8], [2, 0], [0, 0]] {
            for (range, seen) in [
                (ScatterRange::Storage, Seen::Settled),
                (ScatterRange::Valid, Seen::Undefined),
            ] {
                let call = Call::TscatterIndex(TscatterIndex {
                    dst: shape(dst),
                    src: shape([1, 1]),
                    idx: shape([1, 1]),
                });
                let sizes = [(Role::Destination, 64), (Role::Source, 64)];
                let m = operands(&sizes, &words(&[0; 16]));
                let readings = Readings {
                    tscatter_range: range,
                    ..Readings::default()
                };
                assert_eq!(
                    compare(&call, &[&m], target, &readings),
                    seen,
                    "{target} {dst:?}"
                );
            }
        }
    }
}
