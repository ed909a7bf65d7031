//! Moves from tile to tile.

use DType::{Int8, Int16, Uint32};
use MaskPattern::{P0001, P0010, P0100, P0101, P1000, P1010, P1111};
use ptodiff_isa::{
    BLayout, Call, DType, MaskAxis, MaskPattern, Readings, ScatterIndex, ScatterRange, Target,
    Tgatherb, Tile, TscatterIndex, TscatterMask, Unaddressed,
};

use super::{
    Ends, World,
    axes::{Indices, TARGETS, extents},
    build::{col_major, operands, suite, tile},
    show,
};

/// Every pattern with the lanes of its group.
const PATTERNS: [(MaskPattern, u64); 7] = [
    (P1111, 1),
    (P0101, 2),
    (P1010, 2),
    (P0001, 4),
    (P0010, 4),
    (P0100, 4),
    (P1000, 4),
];

/// Every tile up to 3x3 in every valid extent, padding included.
fn tiles(dtype: DType) -> impl Iterator<Item = Tile> {
    let inside = |[r, c]: [u64; 2]| extents().filter(move |v| v[0] <= r && v[1] <= c);
    let valid = extents().flat_map(move |padded| inside(padded).map(move |valid| (padded, valid)));
    valid.flat_map(move |(padded, valid)| {
        [tile(dtype, padded, valid), col_major(dtype, padded, valid)]
    })
}

/// A tile that is all valid, of the valid extents of another.
fn full(dtype: DType, like: &Tile) -> Tile {
    let valid = [like.valid_row.get(), like.valid_col.get()];
    tile(dtype, valid, valid)
}

/// Shows every TSCATTER by index of 8-bit data on every target; there is no
/// policy for an index beyond (TSCATTER-OOB-01).
pub fn scattered_by_index(most: u64, see: &mut impl FnMut(&World<'_>)) {
    let readings = Readings::default();
    for src in tiles(Int8) {
        let idx = full(Int16, &src);
        for indices in Indices::all(idx.rows * idx.cols, most) {
            let dst = tile(Int8, [1, indices.capacity], [1, 1]);
            let call = Call::TscatterIndex(TscatterIndex { dst, src, idx });
            let memory = operands(&call, &indices.vector);
            let ends = Ends::by_precondition(indices.beyond());
            show(call, (&memory, &readings), &TARGETS, ends, see);
        }
    }
}

/// Shows every TSCATTER by row (`tscatter-index=row`) of 8-bit data to the rows
/// of the storage, and to those of a valid region after a fill with zeroes, on
/// every target. Two elements in one slot break a precondition (TSCATTER-GAP-22).
pub fn scattered_to_rows(most: u64, see: &mut impl FnMut(&World<'_>)) {
    let storage = Readings {
        tscatter_index: ScatterIndex::Row,
        ..Readings::default()
    };
    let region = Readings {
        tscatter_range: ScatterRange::Valid,
        tscatter_unaddressed: Unaddressed::Zero,
        ..storage
    };
    for src in tiles(Int8) {
        let idx = full(Int16, &src);
        for indices in Indices::all(idx.rows * idx.cols, most) {
            let there = [indices.capacity, idx.cols];
            let inside = col_major(Int8, there.map(|n| n + 1), there);
            let broken = indices.beyond() || collide(&indices.vector, idx.cols);
            let ends = Ends::by_precondition(broken);
            for (dst, readings) in [(tile(Int8, there, [1, 1]), &storage), (inside, &region)] {
                let call = Call::TscatterIndex(TscatterIndex { dst, src, idx });
                let memory = operands(&call, &indices.vector);
                show(call, (&memory, readings), &TARGETS, ends, see);
            }
        }
    }
}

/// Whether two elements of one column, of `cols`, have one index.
fn collide(vector: &[i64], cols: u64) -> bool {
    let cols = cols as usize;
    (0..vector.len()).any(|n| {
        let below = vector.iter().skip(n).step_by(cols).skip(1);
        below.copied().any(|other| other == vector[n])
    })
}

/// Shows every TSCATTER by mask along either axis on every target, in the suites'
/// scope, where CPU alone has columns (TSCATTER-SHAPE-02). CPU moves 16-bit data of
/// RowMajor tiles (TSCATTER-GAP-09), the others 8-bit data.
pub fn scattered_by_mask(see: &mut impl FnMut(&World<'_>)) {
    masks(Int16, &[Target::Cpu], see);
    masks(Int8, &[Target::A2a3, Target::A5], see);
}

fn masks(dtype: DType, targets: &[Target], see: &mut impl FnMut(&World<'_>)) {
    let readings = suite();
    for src in tiles(dtype) {
        for (pattern, wide) in PATTERNS {
            for axis in [MaskAxis::Row, MaskAxis::Col] {
                let [r, c] = [src.valid_row.get(), src.valid_col.get()];
                let [r, c] = match axis {
                    MaskAxis::Row => [r, c * wide],
                    MaskAxis::Col => [r * wide, c],
                };
                let dst = tile(dtype, [r + 1, c + 1], [r, c]);
                let call = Call::TscatterMask(TscatterMask {
                    dst,
                    src,
                    pattern,
                    axis,
                });
                let memory = operands(&call, &[]);
                for &target in targets {
                    if target == Target::Cpu && src.blayout == BLayout::ColMajor {
                        continue;
                    }
                    let here = axis == MaskAxis::Row || target == Target::Cpu;
                    let ends = if here { Ends::Settled } else { Ends::Illegal };
                    show(call, (&memory, &readings), &[target], ends, see);
                }
            }
        }
    }
}

/// Shows every TGATHERB of 8-bit and of 16-bit data on every target; A2/A3
/// takes no ColMajor destination (TGATHERB-TILE-01).
pub fn gathered_by_offset(most: u64, see: &mut impl FnMut(&World<'_>)) {
    let readings = Readings::default();
    for dst in tiles(Int8) {
        let offset = full(Uint32, &dst);
        for indices in Indices::all(offset.rows * offset.cols, most) {
            for dtype in [Int8, Int16] {
                let dst = Tile { dtype, ..dst };
                let src = tile(dtype, [1, indices.capacity], [1, 1]);
                let call = Call::Tgatherb(Tgatherb { dst, src, offset });
                let memory = operands(&call, &indices.vector);
                for target in TARGETS {
                    let rejected = target == Target::A2a3 && dst.blayout == BLayout::ColMajor;
                    let ends = if rejected {
                        Ends::Illegal
                    } else {
                        Ends::Settled
                    };
                    show(call, (&memory, &readings), &[target], ends, see);
                }
            }
        }
    }
}
