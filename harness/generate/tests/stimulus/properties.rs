//! What holds for any case: regions, guards, and where each element stands.

use crate::stimulus::build::{
    case, gather, gather_bytes, gather_l1, halves, is_poison, operand, scatter, scatter_first,
    scatter_mask, scatter_tile, tensor, tile,
};
use proptest::prelude::*;
use proptest::sample::select;
use ptodiff_case::{Case, DataPlan, Fill, IndexPattern};
use ptodiff_generate::stimulus;
use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GlobalTensor, Layout, OffsetGranularity, Readings, Role,
    SLayout, Tile,
};
use strum::VariantArray;

/// Where (r, c) of a tile stands, once more and one by one.
fn tile_slot(t: &Tile, r: u64, c: u64) -> u64 {
    let c0 = 32 / t.dtype.size() as u64;
    match (t.slayout, t.blayout) {
        (SLayout::NoneBox, BLayout::RowMajor) => r * t.cols + c,
        (SLayout::NoneBox, BLayout::ColMajor) => c * t.rows + r,
        _ => (c / c0) * (t.rows * c0) + r * c0 + c % c0,
    }
}

/// Where logical position `k` of a table stands.
fn table_slot(t: &GlobalTensor, mut k: u64) -> u64 {
    let shape = t.shape.map(Dim::get);
    let order: [usize; 5] = match t.layout {
        Layout::NZ => [4, 1, 0, 3, 2],
        _ => [4, 3, 2, 1, 0],
    };
    let mut slot = 0;
    for dim in order {
        slot += k % shape[dim] * t.stride[dim].get();
        k /= shape[dim];
    }
    slot
}

fn any_fill() -> impl Strategy<Value = Fill> {
    select(vec![
        Fill::Zeros,
        Fill::Ramp,
        Fill::RampBits,
        Fill::Eighths,
        Fill::SmallInts,
        Fill::Percent,
        Fill::Arange,
        Fill::Distinct,
        Fill::RandomBits,
        Fill::Special,
        Fill::Poison,
        Fill::Literal(vec![1; 40]),
    ])
}

fn any_pattern() -> impl Strategy<Value = IndexPattern> {
    prop_oneof![
        select(vec![
            IndexPattern::Random,
            IndexPattern::Same,
            IndexPattern::Seq,
            IndexPattern::Permutation,
            IndexPattern::OutOfBounds,
            IndexPattern::OutOfBoundsNoDup,
            IndexPattern::AllOutOfBounds,
            IndexPattern::Edges,
            IndexPattern::Negative,
            IndexPattern::TwoRows,
            IndexPattern::Literal(vec![1; 40]),
        ]),
        any::<u64>().prop_map(|slots| IndexPattern::Hot { slots }),
    ]
}

fn any_tile() -> impl Strategy<Value = Tile> {
    let extents = (1..40_u64, 1..40_u64).prop_flat_map(|(r, c)| (Just([r, c]), 0..=r, 0..=c));
    let fractal = select(vec![1, 16, 512, 1024, u64::MAX]);
    let inner = select(vec![SLayout::NoneBox, SLayout::RowMajor, SLayout::ColMajor]);
    (
        select(DType::VARIANTS),
        extents,
        any::<bool>(),
        inner,
        fractal,
    )
        .prop_map(|(dtype, (padded, r, c), columns, slayout, fractal)| Tile {
            blayout: if columns {
                BLayout::ColMajor
            } else {
                BLayout::RowMajor
            },
            slayout,
            fractal,
            ..tile(dtype, padded, [r, c])
        })
}

fn any_table() -> impl Strategy<Value = GlobalTensor> {
    let shape = prop::array::uniform5(0..5_u64);
    let stride = prop::array::uniform5(0..70_u64);
    let layout = select(vec![Layout::ND, Layout::DN, Layout::NZ]);
    (select(DType::VARIANTS), layout, shape, stride)
        .prop_map(|(dtype, layout, shape, stride)| tensor(dtype, layout, shape, stride))
}

/// Seven forms of calls on the same few operands.
fn any_call() -> impl Strategy<Value = Call> {
    let tensors = (any_table(), any_table(), prop::option::of(any_table()));
    let tiles = (any_tile(), any_tile(), any_tile());
    (0..7_u8, any::<bool>(), tensors, tiles).prop_map(
        |(form, rows, (table, other, scratch), (data, more, index))| {
            let mode = if rows { Coalesce::Row } else { Coalesce::Elem };
            match form {
                0 => scatter(mode, table, data, index),
                1 => gather(mode, data, table, index),
                2 => scatter_first(table, data, index),
                3 => gather_l1(mode, data, table, other, scratch),
                4 => scatter_tile(more, data, index),
                5 => scatter_mask(more, data),
                _ => gather_bytes(data, more, index),
            }
        },
    )
}

fn any_case() -> impl Strategy<Value = Case> {
    let fills = (any_fill(), any_fill(), any_fill(), any_fill());
    (any_call(), fills, any_pattern(), 1..4_u32, any::<bool>()).prop_map(
        |(call, (table, source, destination, scratch), index, chunks, blocks)| {
            let mut one = case("any", call);
            one.chunks = chunks;
            one.data = DataPlan {
                table,
                source,
                destination,
                scratch,
                index,
                seed: 0,
            };
            if blocks {
                one.readings = Readings {
                    tgatherb_granularity: OffsetGranularity::Block,
                    ..Readings::default()
                }
                .into();
            }
            one
        },
    )
}

proptest! {
    #[test]
    fn any_case_has_a_stimulus(one in any_case(), seed: u64) {
        let stimulus = stimulus(&one, seed);
        prop_assert_eq!(&stimulus, &ptodiff_generate::stimulus(&one, seed));
        prop_assert_eq!(stimulus.steps.len(), one.chunks as usize);
        for (step, memory) in stimulus.steps.iter().enumerate() {
            let operands = one.call.operands().into_iter().map(|(role, _)| role);
            let lasts = |role: &Role| matches!(role, Role::Table | Role::Scratch);
            let expected = operands.filter(|role| step == 0 || !lasts(role));
            let found = memory.regions.iter().map(|region| region.role);
            prop_assert!(expected.eq(found));
            for region in &memory.regions {
                let body = region.body_range();
                prop_assert!(body.start >= 64 && body.start % 64 == 0);
                prop_assert!(region.bytes().len() - body.end == body.start);
                prop_assert!(is_poison(&region.bytes()[..body.start]));
                prop_assert!(is_poison(&region.bytes()[body.end..]));
                let Some(tile) = one.call.operand(region.role).and_then(|o| o.tile()) else {
                    continue;
                };
                let bytes = tile.rows * tile.cols * tile.dtype.size() as u64;
                prop_assert_eq!(body.len() as u64, bytes);
            }
        }
    }

    #[test]
    fn every_tile_element_stands_in_its_slot(mut data in any_tile()) {
        // Boxes that divide the tile; what others do is nobody's promise.
        data.fractal = 512;
        if data.slayout != SLayout::NoneBox {
            data.blayout = BLayout::ColMajor;
            data.slayout = SLayout::RowMajor;
            data.cols = data.cols.next_multiple_of(32 / data.dtype.size() as u64);
        }
        let table = tensor(data.dtype, Layout::ND, [1; 5], [1; 5]);
        let idx = tile(DType::Int32, [1, 1], [1, 1]);
        let mut one = case("slots", scatter(Coalesce::Elem, table, data, idx));
        one.data.source = Fill::RampBits;
        let stimulus = stimulus(&one, 0);
        let body = operand(&stimulus.steps[0], Role::Source).body();
        let mut k = 0;
        for r in 0..data.valid_row.get() {
            for c in 0..data.valid_col.get() {
                let at = tile_slot(&data, r, c) as usize * data.dtype.size();
                prop_assert_eq!(u64::from(body[at]), 1 + (1 + k) % 251);
                k += 1;
            }
        }
    }

    #[test]
    fn every_table_element_stands_in_its_slot(
        layout in select(vec![Layout::ND, Layout::NZ]),
        shape in prop::array::uniform5(1..5_u64),
        gaps in prop::array::uniform5(0..4_u64),
    ) {
        let mut stride = [1 + gaps[4]; 5];
        for dim in (0..4).rev() {
            stride[dim] = stride[dim + 1] * shape[dim + 1] + gaps[dim];
        }
        let table = tensor(DType::Half, layout, shape, stride);
        let t = tile(DType::Int32, [1, 8], [1, 1]);
        let mut one = case("slots", gather(Coalesce::Elem, t, table, t));
        one.data.table = Fill::RampBits;
        let stimulus = stimulus(&one, 0);
        let body = halves(operand(&stimulus.steps[0], Role::Table));
        let count = shape.iter().product::<u64>();
        let mut reached = vec![false; body.len()];
        for k in 0..count {
            let slot = table_slot(&table, k) as usize;
            prop_assert_eq!(u64::from(body[slot]), 1 + (1 + k) % 251);
            reached[slot] = true;
        }
        prop_assert!(reached[body.len() - 1], "the body ends with the last element");
        for (slot, word) in body.iter().enumerate() {
            prop_assert!(reached[slot] || is_poison(&word.to_le_bytes()));
        }
    }
}
