//! Small calls within a chip, and small scatters of the first revision, every
//! order of their stores tried, against the permits.

use crate::common::{calls::*, random::Random, same::Seen, *};
use ptodiff_isa::*;

use Target::{A2a3, A5, Cpu};

/// How many comparisons ended which way, the enumeration never silent.
#[derive(Default, Debug)]
struct Tally {
    settled: u32,
    undefined: u32,
}

impl Tally {
    fn add(&mut self, seen: Seen) {
        match seen {
            Seen::Settled => self.settled += 1,
            Seen::Undefined => self.undefined += 1,
            Seen::Illegal => {}
            Seen::Silent(why) => panic!("{why}"),
        }
    }
}

fn slots_of(t: &Tile) -> u64 {
    t.rows * t.cols
}

/// Elements that differ from `first` on.
fn numbered(t: &Tile, first: u64) -> Vec<u8> {
    let element = |v: u64| v.to_le_bytes()[..t.dtype.size()].to_vec();
    (first..first + slots_of(t)).flat_map(element).collect()
}

fn any_tile(dtype: DType, valid: [u64; 2], random: &mut Random) -> Tile {
    let padded = [
        valid[0].max(1) + random.below(2),
        valid[1].max(1) + random.below(3),
    ];
    let mut t = tile(dtype, padded, valid);
    t.blayout = random.pick(&[BLayout::RowMajor, BLayout::ColMajor]);
    t
}

/// One random TSCATTER by index, and what an index names.
fn tscatter(random: &mut Random, target: Target) -> (ScatterIndex, Seen) {
    let (data, index) = random.pick(&[
        (DType::Int8, DType::Int16),
        (DType::Half, DType::Uint16),
        (DType::Float, DType::Int32),
    ]);
    let [rows, cols] = random.pick(&[[1, 1], [1, 3], [2, 2], [5, 1], [1, 5], [3, 3]]);
    let region = [rows, cols];
    let wider = [rows + random.below(2), cols + random.below(2)];
    let mut readings = random.readings(&[
        "tscatter-extent",
        "tscatter-unaddressed",
        "tscatter-range",
        "negative-index",
        "tscatter-index",
        "index-unit",
    ]);
    let by_row = readings.tscatter_index == ScatterIndex::Row;
    let (src_valid, idx_valid) = match readings.tscatter_extent {
        ScatterExtent::Index => (wider, region),
        ScatterExtent::Source => (region, wider),
    };
    // Empty regions leave everything alone.
    let empty = random.below(20) == 0;
    let dynamic = |t: &mut Tile| t.valid_row = Dim::Dynamic(0);
    let dst_valid = if by_row {
        // Now and then too narrow.
        [
            rows + random.below(2),
            cols.max(2) - 1 + random.pick(&[0, 1, 1, 1, 2]),
        ]
    } else {
        [1 + random.below(2), 1 + random.below(3)]
    };
    let mut call = TscatterIndex {
        dst: any_tile(data, dst_valid, random),
        src: any_tile(data, src_valid, random),
        idx: any_tile(index, idx_valid, random),
    };
    if empty {
        dynamic(&mut call.src);
        dynamic(&mut call.idx);
        readings.tscatter_unaddressed = random.pick(&[Unaddressed::Kept, Unaddressed::Undefined]);
    }
    let n = slots_of(&call.dst);
    let (shift, mut at) = (random.below(rows + 1), 0);
    let idx = random.elements(slots_of(&call.idx), index.size(), |random| {
        // The columns of rows are permutations of these, one more turned than the other.
        let (wide, high) = (call.idx.cols, call.idx.rows);
        let [r, c] = match call.idx.blayout {
            BLayout::RowMajor => [at / wide, at % wide],
            BLayout::ColMajor => [at % high, at / high],
        };
        at += 1;
        match random.below(if by_row { 12 * rows * cols } else { 12 }) {
            0 => random.below(n + 2),
            1 => u64::MAX,
            _ if by_row => (r + c + shift) % dst_valid[0],
            _ => random.below(n.min(3)),
        }
    });
    let m = memory(&[
        (Role::Destination, &numbered(&call.dst, 100)),
        (Role::Source, &numbered(&call.src, 1)),
        (Role::Index, &idx),
    ]);
    let seen = compare(&Call::TscatterIndex(call), &[&m], target, &readings);
    (readings.tscatter_index, seen)
}

#[test]
fn tscatter_leaves_what_some_order_leaves() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for target in [Cpu, A2a3, A5] {
        let mut tallies = [Tally::default(), Tally::default()];
        for _ in 0..4000 {
            let (index, seen) = tscatter(&mut random, target);
            tallies[index as usize].add(seen);
        }
        for tally in &tallies {
            assert!(tally.settled > 400, "{target}: {tallies:?}");
            assert!(tally.undefined > 300, "{target}: {tallies:?}");
        }
    }
}

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
    compare(&Call::MscatterFirst(call), &[&m], A5, &readings)
}

#[test]
fn the_first_revision_leaves_what_some_order_leaves() {
    let mut random = Random(0xDEAD_BEEF_0BAD_CAFE);
    let mut tally = Tally::default();
    (0..4000).for_each(|_| tally.add(first_revision(&mut random)));
    assert!(tally.settled > 1000 && tally.undefined > 100, "{tally:?}");
}

/// One random TSCATTER by mask.
fn mask(random: &mut Random, target: Target) -> Seen {
    let pattern = random.pick(&[
        MaskPattern::P0101,
        MaskPattern::P1010,
        MaskPattern::P0001,
        MaskPattern::P0010,
        MaskPattern::P0100,
        MaskPattern::P1000,
        MaskPattern::P1111,
    ]);
    let wide = match pattern {
        MaskPattern::P1111 => 1,
        MaskPattern::P0101 | MaskPattern::P1010 => 2,
        _ => 4,
    };
    let dtype = random.pick(&[DType::Int8, DType::Half, DType::Float]);
    let axis = random.pick(&[MaskAxis::Row, MaskAxis::Row, MaskAxis::Col]);
    let valid = [random.below(3), random.below(3)];
    let expanded = match axis {
        MaskAxis::Row => [valid[0], valid[1] * wide],
        MaskAxis::Col => [valid[0] * wide, valid[1]],
    };
    let call = TscatterMask {
        dst: any_tile(dtype, expanded, random),
        src: any_tile(dtype, valid, random),
        pattern,
        axis,
    };
    let readings = random.readings(&["mask-p1111-padding", "scope"]);
    let m = memory(&[
        (Role::Destination, &numbered(&call.dst, 100)),
        (Role::Source, &numbered(&call.src, 1)),
    ]);
    compare(&Call::TscatterMask(call), &[&m], target, &readings)
}

#[test]
fn masks_leave_what_they_store() {
    let mut random = Random(0x0F1E_2D3C_4B5A_6978);
    // CPU promises a result for RowMajor tiles of 16 and 32 bits alone (TSCATTER-GAP-09).
    for (target, draws, least) in [(Cpu, 6000, 400), (A2a3, 1500, 200), (A5, 1500, 700)] {
        let mut tally = Tally::default();
        (0..draws).for_each(|_| tally.add(mask(&mut random, target)));
        assert!(tally.settled > least, "{target}: {tally:?}");
    }
}

/// One random TGATHERB.
fn byte_gather(random: &mut Random, target: Target) -> Seen {
    let readings = random.readings(&[
        "tgatherb-granularity",
        "tgatherb-unaligned",
        "tgatherb-boundary",
        "index-unit",
    ]);
    let by_block = readings.tgatherb_granularity == OffsetGranularity::Block;
    let dtype = random.pick(&[DType::Int8, DType::Half, DType::Float]);
    let valid = match by_block {
        false => [random.below(3), random.below(4)],
        true => [random.below(3), random.below(20)],
    };
    let mut call = Tgatherb {
        dst: any_tile(dtype, valid, random),
        src: any_tile(dtype, [1 + random.below(2), 1 + random.below(40)], random),
        offset: any_tile(
            random.pick(&[DType::Int32, DType::Uint32]),
            [valid[0] + random.below(2), valid[1] + random.below(2)],
            random,
        ),
    };
    if by_block {
        for t in [&mut call.dst, &mut call.src, &mut call.offset] {
            t.blayout = BLayout::RowMajor;
        }
    }
    if by_block && target == Cpu {
        // Whole blocks, so that the last one is beyond doubt.
        let wide = (32 / dtype.size() as u64) * (1 + random.below(2));
        let rows = 1 + random.below(2);
        call.src = tile(dtype, [rows, wide], [rows, wide]);
    }
    let held = slots_of(&call.src) * dtype.size() as u64;
    let step = random.pick(&[1, dtype.size() as u64, 32]);
    let offsets = random.elements(slots_of(&call.offset), 4, |random| match random.below(12) {
        0 => u64::MAX - random.below(40),
        1 => held + random.below(40),
        _ => random.below(held) / step * step,
    });
    let m = memory(&[
        (Role::Destination, &numbered(&call.dst, 100)),
        (Role::Source, &numbered(&call.src, 1)),
        (Role::Index, &offsets),
    ]);
    compare(&Call::Tgatherb(call), &[&m], target, &readings)
}

#[test]
fn byte_gathers_leave_what_they_load() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    for target in [Cpu, A2a3, A5] {
        let mut tally = Tally::default();
        (0..2000).for_each(|_| tally.add(byte_gather(&mut random, target)));
        assert!(tally.settled > 800, "{target}: {tally:?}");
        assert_eq!(tally.undefined, 0, "{target}");
    }
}
