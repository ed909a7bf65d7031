//! All small calls: tiles up to 3x3 in every valid extent, every index vector
//! over a few slots and beyond, every policy, each target. The permits of every
//! slot are what the enumeration reaches.

use crate::common::{
    calls::*,
    same::{Seen, compare},
    *,
};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Int8, Int16, Int32, Uint32};
use Target::{A2a3, A5, Cpu};

const TARGETS: [Target; 3] = [Cpu, A2a3, A5];
const SCATTERS: [ScatterOob; 4] = [
    ScatterOob::Undefined,
    ScatterOob::Skip,
    ScatterOob::Clamp,
    ScatterOob::Wrap,
];
const GATHERS: [GatherOob; 4] = [
    GatherOob::Undefined,
    GatherOob::Clamp,
    GatherOob::Wrap,
    GatherOob::Zero,
];

/// Every [rows, columns] up to 3x3.
fn extents() -> impl Iterator<Item = [u64; 2]> {
    (1..=3).flat_map(|r| (1..=3).map(move |c| [r, c]))
}

/// Every vector of `lanes` numbers for every capacity up to four: those below
/// it, the first one beyond, and -1, or without the last ones where that makes
/// more than `most` vectors.
fn vectors(lanes: u64, most: u64) -> Vec<(u64, Vec<i64>)> {
    let mut all = Vec::new();
    for capacity in 1..=4 {
        let fits = |beyond: &u64| (capacity + beyond).pow(lanes as u32) <= most;
        let Some(beyond) = (0..=2).rev().find(fits) else {
            continue;
        };
        let base = capacity + beyond;
        for mut n in 0..base.pow(lanes as u32) {
            let mut digit = || {
                let digit = (n % base) as i64;
                n /= base;
                // The second number beyond is -1.
                if digit as u64 > capacity { -1 } else { digit }
            };
            all.push((capacity, (0..lanes).map(|_| digit()).collect()));
        }
    }
    all
}

/// Indices at the valid places of a tile of `padded` columns, decoys elsewhere.
fn placed(idx: &[i64], t: &Tile) -> Vec<u8> {
    let cols = t.valid_col.get() as usize;
    let mut all = vec![0x0101_0101; (t.rows * t.cols) as usize];
    for (n, &i) in idx.iter().enumerate() {
        let [r, c] = [n / cols, n % cols];
        let at = match t.blayout {
            BLayout::RowMajor => r * t.cols as usize + c,
            BLayout::ColMajor => c * t.rows as usize + r,
        };
        all[at] = i;
    }
    let size = t.dtype.size();
    let bytes = |i: &i64| i.to_le_bytes()[..size].to_vec();
    all.iter().flat_map(bytes).collect()
}

/// `n` elements, each its own, some of either sign and large.
fn data(dtype: DType, n: u64, salt: u64) -> Vec<u8> {
    let element = |i: u64| {
        let x = (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15 ^ salt) >> 24;
        x.to_le_bytes()[..dtype.size()].to_vec()
    };
    (0..n).flat_map(element).collect()
}

fn elements(t: &GlobalTensor) -> u64 {
    t.shape.iter().map(|d| d.get()).product()
}

/// The permits of a call are what its enumeration reaches, and it ends so.
fn expect(call: Call, m: &Memory, target: Target, readings: &Readings, seen: Seen) {
    let found = compare(&call, &[m], target, readings);
    assert_eq!(found, seen, "{target} {call:?}");
}

/// How a call ends by whether its data breaks a duty.
fn broken(is: bool) -> Seen {
    if is { Seen::Undefined } else { Seen::Settled }
}

fn leads_beyond(vector: &[i64], capacity: u64) -> bool {
    !vector.iter().all(|i| (0..capacity as i64).contains(i))
}

fn templated() -> Readings {
    Readings {
        cpu_form: CpuForm::Templated,
        ..Readings::default()
    }
}

/// Every scatter of one mode and atomic under every policy.
fn scatters(
    target: Target,
    mode: Coalesce,
    dtype: DType,
    atomic: ScatterAtomicOp,
    readings: &Readings,
    most: u64,
) {
    let wide = 32 / dtype.size() as u64;
    let plain_a5 = target == A5 && atomic == ScatterAtomicOp::None;
    let conflicts: &[_] = if plain_a5 {
        &[ScatterConflict::Last, ScatterConflict::Default]
    } else {
        &[ScatterConflict::Last]
    };
    // The documented CPU knows no policy.
    let unchecked = target == Cpu && readings.cpu_form == CpuForm::Documented;
    for valid in extents() {
        let [rows, cols] = valid;
        let src = tile(dtype, [rows, wide], valid);
        let (lanes, idx) = match mode {
            Row => (rows, tile(Int32, [1, 8], [1, rows])),
            Elem => (rows * cols, tile(Int32, [rows, 8], valid)),
        };
        for (capacity, vector) in vectors(lanes, most) {
            let table = match mode {
                Row => matrix(dtype, capacity, cols),
                Elem => matrix(dtype, 1, capacity),
            };
            let beyond = leads_beyond(&vector, capacity);
            let m = memory(&[
                (Role::Table, &data(dtype, elements(&table), 5)),
                (Role::Source, &data(dtype, src.rows * src.cols, 0)),
                (Role::Index, &placed(&vector, &idx)),
            ]);
            for oob in SCATTERS {
                for &conflict in conflicts {
                    let call = Mscatter {
                        atomic,
                        oob,
                        conflict,
                        ..scatter(table, src, idx, mode)
                    };
                    let astray = beyond && (unchecked || oob == ScatterOob::Undefined);
                    expect(Call::Mscatter(call), &m, target, readings, broken(astray));
                }
            }
        }
    }
}

const NONE: ScatterAtomicOp = ScatterAtomicOp::None;
const ADD: ScatterAtomicOp = ScatterAtomicOp::Add;

#[test]
fn elements_scattered() {
    let default = Readings::default();
    for target in [A2a3, A5] {
        scatters(target, Elem, Int8, NONE, &default, 512);
    }
    scatters(Cpu, Elem, Int8, NONE, &default, 125);
    scatters(Cpu, Elem, Int8, NONE, &templated(), 125);
}

#[test]
fn rows_scattered() {
    let default = Readings::default();
    for target in [A2a3, A5] {
        scatters(target, Row, Int8, NONE, &default, 216);
    }
    scatters(Cpu, Row, Int8, NONE, &templated(), 64);
}

#[test]
fn elements_and_rows_combined() {
    let default = Readings::default();
    for mode in [Row, Elem] {
        scatters(A2a3, mode, Int8, ADD, &default, 64);
        for dtype in [Int32, Uint32] {
            for atomic in [ADD, ScatterAtomicOp::Max, ScatterAtomicOp::Min] {
                scatters(A5, mode, dtype, atomic, &default, 64);
            }
        }
        scatters(Cpu, mode, Int32, ADD, &templated(), 64);
        scatters(Cpu, mode, Int32, ScatterAtomicOp::Max, &templated(), 27);
    }
}

#[test]
fn the_first_revision_scattered() {
    let last = Readings {
        first_conflict: FirstConflict::Last,
        ..Readings::default()
    };
    for [rows, cols] in extents() {
        for by_row in [true, false] {
            let [lanes, width] = if by_row {
                [rows, 1]
            } else {
                [rows * cols, cols]
            };
            let is_row = width == 1;
            for (capacity, vector) in vectors(lanes, 128) {
                let table = if is_row {
                    matrix(Int8, capacity, cols)
                } else {
                    matrix(Int8, 1, capacity)
                };
                let src = tile(Int8, [rows, cols], [rows, cols]);
                let idx = tile(Int32, [rows, width], [rows, width]);
                let m = memory(&[
                    (Role::Table, &data(Int8, elements(&table), 5)),
                    (Role::Source, &data(Int8, rows * cols, 0)),
                    (Role::Index, &placed(&vector, &idx)),
                ]);
                let beyond = leads_beyond(&vector, capacity);
                for oob in SCATTERS {
                    let call = MscatterFirst {
                        oob,
                        ..first(table, src, idx)
                    };
                    let seen = broken(beyond && oob == ScatterOob::Undefined);
                    for readings in [Readings::default(), last] {
                        expect(Call::MscatterFirst(call), &m, A5, &readings, seen);
                    }
                }
            }
        }
    }
}

#[test]
fn elements_and_rows_gathered() {
    let default = Readings::default();
    for (valid, mode) in extents().flat_map(|valid| [(valid, Row), (valid, Elem)]) {
        let [rows, cols] = valid;
        let dst = tile(Int8, [rows, 32], valid);
        let (lanes, idx) = match mode {
            Row => (rows, tile(Int32, [1, 8], [1, rows])),
            Elem => (rows * cols, tile(Int32, [rows, 8], valid)),
        };
        for (capacity, vector) in vectors(lanes, 64) {
            let table = match mode {
                Row => matrix(Int8, capacity, cols),
                Elem => matrix(Int8, 1, capacity),
            };
            let m = memory(&[
                (Role::Destination, &data(Int8, dst.rows * dst.cols, 7)),
                (Role::Table, &data(Int8, elements(&table), 5)),
                (Role::Index, &placed(&vector, &idx)),
            ]);
            let beyond = leads_beyond(&vector, capacity);
            for oob in GATHERS {
                let call = Mgather {
                    oob,
                    ..gather(dst, table, idx, mode)
                };
                let seen = broken(beyond && oob == GatherOob::Undefined);
                for target in TARGETS {
                    expect(Call::Mgather(call), &m, target, &default, seen);
                }
            }
        }
    }
}

#[test]
fn blocks_scattered_and_gathered() {
    // NZ: 16 rows, of which the last ones are named as well.
    let default = Readings::default();
    let table = packed(Int8, [1, 1, 1, 16, 32], Layout::NZ);
    for (valid, mode) in extents().flat_map(|valid| [(valid, Row), (valid, Elem)]) {
        let [rows, cols] = valid;
        let data_tile = nz_tile(Int8, [16, 32], valid);
        let (lanes, idx, count) = match mode {
            Row => (rows, tile(Int32, [1, 8], [1, rows]), 16),
            Elem => (rows * cols, tile(Int32, [rows, 8], valid), 512),
        };
        for (capacity, vector) in vectors(lanes, 9) {
            // From the end: the last one is capacity - 1.
            let shift = |&i: &i64| {
                if i < 0 {
                    i
                } else {
                    i + count - capacity as i64
                }
            };
            let numbers: Vec<_> = vector.iter().map(shift).collect();
            let body = data(Int8, 512, 5);
            let m = memory(&[
                (Role::Destination, &data(Int8, 512, 7)),
                (Role::Table, &body),
                (Role::Source, &data(Int8, 512, 0)),
                (Role::Index, &placed(&numbers, &idx)),
            ]);
            let beyond = leads_beyond(&vector, capacity);
            for (s_oob, g_oob) in SCATTERS.into_iter().zip(GATHERS) {
                let s = Mscatter {
                    oob: s_oob,
                    ..scatter(table, data_tile, idx, mode)
                };
                let seen = broken(beyond && s_oob == ScatterOob::Undefined);
                expect(Call::Mscatter(s), &m, A2a3, &default, seen);
                let g = Mgather {
                    oob: g_oob,
                    ..gather(data_tile, table, idx, mode)
                };
                let seen = broken(beyond && g_oob == GatherOob::Undefined);
                expect(Call::Mgather(g), &m, A2a3, &default, seen);
            }
        }
    }
}

#[test]
fn rows_and_elements_gathered_to_l1() {
    for (valid, mode) in extents().flat_map(|valid| [(valid, Row), (valid, Elem)]) {
        let [rows, cols] = valid;
        let dst = l1_tile(Int8, [16, 32], valid);
        let lanes = if mode == Row { rows } else { rows * cols };
        for (capacity, vector) in vectors(lanes, 9) {
            let (table, idx) = match mode {
                Row => (matrix(Int8, capacity, cols), matrix(Int32, 1, rows)),
                Elem => (matrix(Int8, 1, capacity), matrix(Int32, rows, cols)),
            };
            let (held, body, numbers) = (
                data(Int8, 512, 7),
                data(Int8, elements(&table), 5),
                words(&vector),
            );
            let scratch = data(Int8, 512, 9);
            let mut operands = vec![
                (Role::Destination, &held[..]),
                (Role::Table, &body),
                (Role::Index, &numbers),
            ];
            if mode == Elem {
                operands.push((Role::Scratch, &scratch));
            }
            let m = memory(&operands);
            let beyond = leads_beyond(&vector, capacity);
            for oob in GATHERS {
                let call = MgatherL1 {
                    oob,
                    ..l1(dst, table, idx, mode)
                };
                let seen = broken(beyond && oob == GatherOob::Undefined);
                for target in [A2a3, A5] {
                    expect(
                        Call::MgatherL1(call),
                        &m,
                        target,
                        &Readings::default(),
                        seen,
                    );
                }
                expect(Call::MgatherL1(call), &m, Cpu, &suite(), seen);
            }
        }
    }
}

/// Every tile up to 3x3 in every valid extent, padding included.
fn tiles(dtype: DType) -> Vec<Tile> {
    let inside = |[r, c]: [u64; 2]| extents().filter(move |v| v[0] <= r && v[1] <= c);
    let valid = extents().flat_map(|padded| inside(padded).map(move |valid| (padded, valid)));
    valid
        .flat_map(|(padded, valid)| [tile(dtype, padded, valid), col_major(dtype, padded, valid)])
        .collect()
}

/// A tile that is all valid, of the valid extents of another.
fn full(dtype: DType, like: &Tile) -> Tile {
    let valid = [like.valid_row.get(), like.valid_col.get()];
    tile(dtype, valid, valid)
}

#[test]
fn tiles_scattered_by_index() {
    for src in tiles(Int8) {
        let idx = full(Int16, &src);
        for (capacity, vector) in vectors(idx.rows * idx.cols, 40) {
            let dst = tile(Int8, [1, capacity], [1, 1]);
            let m = memory(&[
                (Role::Destination, &data(Int8, capacity, 5)),
                (Role::Source, &data(Int8, src.rows * src.cols, 0)),
                (Role::Index, &placed(&vector, &idx)),
            ]);
            let call = Call::TscatterIndex(TscatterIndex { dst, src, idx });
            let seen = broken(leads_beyond(&vector, capacity));
            for target in TARGETS {
                expect(call, &m, target, &Readings::default(), seen);
            }
        }
    }
}

#[test]
fn tiles_scattered_by_mask() {
    use MaskPattern::{P0001, P0010, P0100, P0101, P1000, P1010, P1111};
    let patterns = [
        (P1111, 1),
        (P0101, 2),
        (P1010, 2),
        (P0001, 4),
        (P0010, 4),
        (P0100, 4),
        (P1000, 4),
    ];
    for src in tiles(Int8) {
        for (pattern, wide) in patterns {
            for axis in [MaskAxis::Row, MaskAxis::Col] {
                let [r, c] = [src.valid_row.get(), src.valid_col.get()];
                let [r, c] = match axis {
                    MaskAxis::Row => [r, c * wide],
                    MaskAxis::Col => [r * wide, c],
                };
                let dst = tile(Int8, [r + 1, c + 1], [r, c]);
                let m = memory(&[
                    (Role::Destination, &data(Int8, dst.rows * dst.cols, 5)),
                    (Role::Source, &data(Int8, src.rows * src.cols, 0)),
                ]);
                let call = TscatterMask {
                    dst,
                    src,
                    pattern,
                    axis,
                };
                for target in TARGETS {
                    let here = axis == MaskAxis::Row || target == Cpu;
                    let seen = if here { Seen::Settled } else { Seen::Illegal };
                    expect(Call::TscatterMask(call), &m, target, &suite(), seen);
                }
            }
        }
    }
}

#[test]
fn bytes_gathered() {
    for dst in tiles(Int8) {
        let offset = full(Uint32, &dst);
        for (held, vector) in vectors(offset.rows * offset.cols, 40) {
            for dtype in [Int8, Int16] {
                let dst = Tile { dtype, ..dst };
                let src = tile(dtype, [1, held], [1, 1]);
                let m = memory(&[
                    (Role::Destination, &data(dtype, dst.rows * dst.cols, 5)),
                    (Role::Source, &data(dtype, held, 0)),
                    (Role::Index, &placed(&vector, &offset)),
                ]);
                let call = Call::Tgatherb(Tgatherb { dst, src, offset });
                for target in TARGETS {
                    let refused = target == A2a3 && dst.blayout == BLayout::ColMajor;
                    let seen = if refused {
                        Seen::Illegal
                    } else {
                        Seen::Settled
                    };
                    expect(call, &m, target, &Readings::default(), seen);
                }
            }
        }
    }
}
