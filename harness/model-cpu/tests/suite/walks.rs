//! Calls of any extents are held to loops over their elements, written out by
//! hand: the same bytes, and the same accesses outside operands in the same order.

use proptest::prelude::*;
use proptest::sample::select;
use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, GatherExec, GatherOob, L1IndexPitch, Launch, MaskAxis,
    MaskPattern, Memory, MgatherL1, OffsetGranularity, Readings, Role, SLayout, Scope, Tgatherb,
    Tile, TileType, TscatterIndex, TscatterMask, Unaddressed,
};

use crate::common::{flat, memory_of, rows, tile};
use crate::plain::{Plain, at, coordinates};

use Role::{Destination, Index, Source, Table};

/// Bytes of a block.
const BLOCK: usize = 32;

fn dtype() -> impl Strategy<Value = DType> {
    select(vec![DType::Uint8, DType::Half, DType::Float, DType::Uint64])
}

/// Valid extents that fill no block, some, or a few and a part of one.
fn extents() -> impl Strategy<Value = [u64; 2]> {
    let cols = prop_oneof![0_u64..80, select(vec![8, 16, 32, 64])];
    (0_u64..6, cols).prop_map(|(rows, cols)| [rows, cols])
}

/// Padding, often none.
fn padding() -> impl Strategy<Value = u64> {
    prop_oneof![3 => Just(0_u64), 1 => 1_u64..9]
}

fn layout() -> impl Strategy<Value = BLayout> {
    select(vec![
        BLayout::RowMajor,
        BLayout::RowMajor,
        BLayout::RowMajor,
        BLayout::ColMajor,
    ])
}

/// A tile with these valid extents, mostly without padding and row-major.
fn around(dtype: DType, [r, c]: [u64; 2]) -> impl Strategy<Value = Tile> {
    (padding(), padding(), layout()).prop_map(move |(more_rows, more_cols, blayout)| Tile {
        blayout,
        ..tile(dtype, [r.max(1) + more_rows, c.max(1) + more_cols], [r, c])
    })
}

/// The bytes of `count` elements, counted up so that neighbours differ.
fn values(dtype: DType, count: u64) -> Vec<u8> {
    (0..count as usize * dtype.size())
        .map(|k| (k * 7 + k / 251) as u8)
        .collect()
}

fn image(tile: &Tile) -> Vec<u8> {
    values(tile.dtype, tile.rows * tile.cols)
}

/// `count` indices of `dtype`: mostly below `capacity`, now and then just
/// above, or as great as there is.
fn indices(dtype: DType, count: u64, capacity: u64) -> impl Strategy<Value = Vec<u8>> {
    let capacity = capacity.max(1);
    let index = prop_oneof![
        60 => 0..capacity,
        1 => capacity..capacity + 12,
        1 => Just(u64::MAX >> 8),
    ];
    // Half of the calls have no index that out-of-bounds accesses.
    let all = [
        prop::collection::vec(0..capacity, count as usize).boxed(),
        prop::collection::vec(index, count as usize).boxed(),
    ];
    prop::strategy::Union::new(all).prop_map(move |all| {
        all.iter()
            .flat_map(|index| index.to_le_bytes()[..dtype.size()].to_vec())
            .collect()
    })
}

/// What a gather's policy makes of an index: a slot, zero, or (of an empty
/// table) nothing.
enum Slot {
    At(usize),
    Zero,
    Nothing,
}

fn slot(oob: GatherOob, index: usize, capacity: usize) -> Slot {
    match oob {
        GatherOob::Undefined => Slot::At(index),
        GatherOob::Zero if index >= capacity => Slot::Zero,
        GatherOob::Zero => Slot::At(index),
        _ if capacity == 0 => Slot::Nothing,
        GatherOob::Clamp => Slot::At(index.min(capacity - 1)),
        GatherOob::Wrap => Slot::At(index % capacity),
    }
}

/// A gather to L1 with its memory.
fn to_l1() -> impl Strategy<Value = (MgatherL1, Memory)> {
    let oob = select(vec![
        GatherOob::Undefined,
        GatherOob::Clamp,
        GatherOob::Wrap,
        GatherOob::Zero,
    ]);
    let mode = select(vec![Coalesce::Row, Coalesce::Elem]);
    let shape = (extents(), padding(), padding(), 0_u64..9, padding());
    (dtype(), mode, oob, shape).prop_flat_map(|(dtype, mode, oob, shape)| {
        let ([r, c], more_rows, more_cols, height, wider) = shape;
        let dst = Tile {
            location: TileType::Mat,
            blayout: BLayout::ColMajor,
            slayout: SLayout::RowMajor,
            // Whole blocks, as a legal tile has them.
            ..tile(
                dtype,
                [r.max(1) + more_rows, (c + more_cols).next_multiple_of(32)],
                [r, c],
            )
        };
        let width = c + wider;
        let (count, capacity) = match mode {
            Coalesce::Row => (r, height),
            Coalesce::Elem => (r * c, height * width),
        };
        let call = MgatherL1 {
            dst,
            table: rows(dtype, height, width),
            idx: flat(DType::Int32, count),
            scratch: None,
            mode,
            oob,
            exec: GatherExec::Scalar,
            launch: Launch::default(),
        };
        indices(DType::Int32, count, capacity).prop_map(move |indices| {
            let table = values(dtype, height * width);
            let memory = memory_of(&[
                (Destination, &image(&dst)),
                (Table, &table),
                (Index, &indices),
            ]);
            (call, memory)
        })
    })
}

fn to_l1_by_hand(call: &MgatherL1, plain: &mut Plain) {
    let size = call.dst.dtype.size();
    let [.., height, width] = call.table.shape.map(|dim| dim.get() as usize);
    let cols = call.dst.valid_col.get() as usize;
    for (r, c) in coordinates(&call.dst) {
        let (number, capacity) = match call.mode {
            Coalesce::Row => (r, height),
            Coalesce::Elem => (r * cols + c, height * width),
        };
        let index = plain.index(4 * number, 4);
        let element = match slot(call.oob, index, capacity) {
            Slot::At(row) if call.mode == Coalesce::Row => {
                plain.read(Table, (row * width + c) * size, size)
            }
            Slot::At(element) => plain.read(Table, element * size, size),
            Slot::Zero => vec![0; size],
            Slot::Nothing => continue,
        };
        let block = c * size / BLOCK * call.dst.rows as usize + r;
        plain.write(Destination, block * BLOCK + c * size % BLOCK, &element);
    }
}

/// A scatter by index with its memory.
fn by_index() -> impl Strategy<Value = (TscatterIndex, Memory)> {
    let index = select(vec![
        DType::Int32,
        DType::Uint32,
        DType::Int16,
        DType::Uint16,
        DType::Uint8,
        DType::Uint64,
    ]);
    (dtype(), index, extents()).prop_flat_map(|(dtype, index, shape)| {
        let tiles = (
            around(dtype, [4, 40]),
            around(dtype, shape),
            around(index, shape),
        );
        tiles.prop_flat_map(|(dst, src, idx)| {
            let slots = dst.rows * dst.cols;
            indices(idx.dtype, idx.rows * idx.cols, slots).prop_map(move |indices| {
                let memory = memory_of(&[
                    (Destination, &image(&dst)),
                    (Source, &image(&src)),
                    (Index, &indices),
                ]);
                (TscatterIndex { dst, src, idx }, memory)
            })
        })
    })
}

/// A scatter by mask with its memory; the destination now and then lacks a few columns.
fn by_mask() -> impl Strategy<Value = (TscatterMask, u64, u64, Memory)> {
    let pattern = select(vec![
        (MaskPattern::P1111, 1, 0),
        (MaskPattern::P0101, 2, 0),
        (MaskPattern::P1010, 2, 1),
        (MaskPattern::P0010, 4, 1),
        (MaskPattern::P1000, 4, 3),
    ]);
    let axis = select(vec![MaskAxis::Row, MaskAxis::Col]);
    let lacking = prop_oneof![4 => Just(0_u64), 1 => 1_u64..6];
    (dtype(), pattern, axis, extents(), lacking).prop_flat_map(
        |(dtype, (pattern, lanes, chosen), axis, [r, c], lacking)| {
            let spread = match axis {
                MaskAxis::Row => [r, (c * lanes).saturating_sub(lacking)],
                MaskAxis::Col => [(r * lanes).saturating_sub(lacking), c],
            };
            (around(dtype, spread), around(dtype, [r, c])).prop_map(move |(dst, src)| {
                let memory = memory_of(&[(Destination, &image(&dst)), (Source, &image(&src))]);
                let call = TscatterMask {
                    dst,
                    src,
                    pattern,
                    axis,
                };
                (call, lanes, chosen, memory)
            })
        },
    )
}

/// A gather by byte offsets with its memory, an offset an element or a block.
fn by_offset() -> impl Strategy<Value = (Tgatherb, bool, Memory)> {
    (dtype(), extents(), any::<bool>(), 0_u64..4).prop_flat_map(|(dtype, [r, c], blocks, owed)| {
        let lanes = if blocks { BLOCK / dtype.size() } else { 1 } as u64;
        // Now and then the offsets lack the column for a part of a block.
        let offsets = if owed > 0 {
            c.div_ceil(lanes)
        } else {
            c / lanes
        };
        let tiles = (
            around(dtype, [r, c]),
            around(dtype, [4, 40]),
            around(DType::Uint32, [r, offsets]),
        );
        tiles.prop_flat_map(move |(dst, src, offset)| {
            let bytes = src.rows * src.cols * src.dtype.size() as u64;
            indices(offset.dtype, offset.rows * offset.cols, bytes).prop_map(move |offsets| {
                let mut source = image(&src);
                // A source that is shorter than its tile: clamped pieces out-of-bounds access.
                if offsets.len() % 8 == 4 {
                    source.truncate(source.len() - 5);
                }
                let memory = memory_of(&[
                    (Destination, &image(&dst)),
                    (Source, &source),
                    (Index, &offsets),
                ]);
                (Tgatherb { dst, src, offset }, blocks, memory)
            })
        })
    })
}

fn by_offset_by_hand(call: &Tgatherb, blocks: bool, plain: &mut Plain) {
    let Tgatherb { dst, src, offset } = call;
    let size = dst.dtype.size();
    let piece = if blocks { BLOCK } else { size };
    let lanes = piece / size;
    let last = (src.rows * src.cols) as usize * size - piece;
    let valid_col = dst.valid_col.get() as usize;
    for r in 0..dst.valid_row.get() as usize {
        for b in 0..valid_col.div_ceil(lanes) {
            let start = plain.index(at(offset, r, b), 4).min(last);
            for lane in 0..lanes {
                let c = b * lanes + lane;
                if c < dst.cols as usize {
                    let element = plain.read(Source, start + lane * size, size);
                    plain.write(Destination, at(dst, r, c), &element);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    // MGATHERL1-GAP-14
    #[test]
    fn of_a_gather_to_l1((call, memory) in to_l1()) {
        let readings = Readings { l1_index_pitch: L1IndexPitch::Linear, ..Readings::default() };
        Plain::agrees(readings, Call::MgatherL1(call), &memory, |plain| {
            to_l1_by_hand(&call, plain);
        });
    }

    // TSCATTER-CONF-03
    #[test]
    fn of_a_scatter_by_index((call, memory) in by_index()) {
        let readings = Readings {
            tscatter_unaddressed: Unaddressed::Kept,
            ..Readings::default()
        };
        let size = call.dst.dtype.size();
        Plain::agrees(readings, Call::TscatterIndex(call), &memory, |plain| {
            for (r, c) in coordinates(&call.src) {
                let slot = plain.index(at(&call.idx, r, c), call.idx.dtype.size());
                let element = plain.read(Source, at(&call.src, r, c), size);
                plain.write(Destination, slot * size, &element);
            }
        });
    }

    // TSCATTER-MASK-01 to -11
    #[test]
    fn of_a_scatter_by_mask((call, lanes, chosen, memory) in by_mask()) {
        let readings = Readings { scope: Scope::AsTheSuite, ..Readings::default() };
        let place = |k: usize| k * lanes as usize + chosen as usize;
        Plain::agrees(readings, Call::TscatterMask(call), &memory, |plain| {
            plain.clear(Destination);
            for (r, c) in coordinates(&call.src) {
                let size = call.dst.dtype.size();
                let element = plain.read(Source, at(&call.src, r, c), size);
                let (row, col) = match call.axis {
                    MaskAxis::Row => (r, place(c)),
                    MaskAxis::Col => (place(r), c),
                };
                plain.write(Destination, at(&call.dst, row, col), &element);
            }
        });
    }

    // TGATHERB-SEM-01, TGATHERB-GAP-07
    #[test]
    fn of_a_gather_by_offset((call, blocks, memory) in by_offset()) {
        let granularity = if blocks { OffsetGranularity::Block } else { OffsetGranularity::Element };
        let readings = Readings { tgatherb_granularity: granularity, ..Readings::default() };
        Plain::agrees(readings, Call::Tgatherb(call), &memory, |plain| {
            by_offset_by_hand(&call, blocks, plain);
        });
    }
}
