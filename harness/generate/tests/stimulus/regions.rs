//! The regions of a stimulus: which there are, what stands where.

use crate::build::{case, gather, operand, scatter, tensor, tile};
use proptest::prelude::*;
use proptest::sample::select;
use ptodiff_case::{Case, Fill, IndexPattern};
use ptodiff_generate::stimulus;
use ptodiff_isa::{
    BLayout, Coalesce, DType, Dim, GlobalTensor, Layout, Memory, Region, Role, SLayout, Tile,
};

fn roles(memory: &Memory) -> Vec<Role> {
    memory.regions.iter().map(|r| r.role).collect()
}

fn halves(region: &Region) -> Vec<u16> {
    let chunks = region.body().as_chunks().0.iter();
    chunks.map(|b| u16::from_le_bytes(*b)).collect()
}

fn is_poison(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| (0xFC..=0xFE).contains(b))
}

#[test]
fn operands_come_in_the_order_of_the_call() {
    let t = || tile(DType::Float, [2, 8], [2, 8]);
    let table = || {
        tensor(
            DType::Float,
            Layout::ND,
            [1, 1, 1, 4, 8],
            [32, 32, 32, 8, 1],
        )
    };
    let idx = || tile(DType::Int32, [1, 8], [1, 2]);
    let mut one = case("order/scatter", scatter(Coalesce::Row, table(), t(), idx()));
    one.chunks = 3;
    let steps = stimulus(&one, 0).steps;
    assert_eq!(roles(&steps[0]), [Role::Table, Role::Source, Role::Index]);
    assert_eq!(roles(&steps[1]), [Role::Source, Role::Index]);
    assert_eq!(roles(&steps[2]), [Role::Source, Role::Index]);

    let mut one = case("order/gather", gather(Coalesce::Row, t(), table(), idx()));
    one.chunks = 2;
    let steps = stimulus(&one, 0).steps;
    assert_eq!(
        roles(&steps[0]),
        [Role::Destination, Role::Table, Role::Index]
    );
    assert_eq!(roles(&steps[1]), [Role::Destination, Role::Index]);
}

#[test]
fn chunks_share_one_sequence() {
    let t = tile(DType::Half, [1, 16], [1, 3]);
    let idx = tile(DType::Int32, [1, 8], [1, 3]);
    let table = tensor(DType::Half, Layout::ND, [1, 1, 1, 1, 50], [1, 1, 1, 50, 1]);
    let mut one = case("chunks", scatter(Coalesce::Elem, table, t, idx));
    one.chunks = 4;
    one.data.tile = Fill::RampBits;
    one.data.index = IndexPattern::Seq;
    let steps = stimulus(&one, 0).steps;
    assert_eq!(steps.len(), 4);
    assert_eq!(halves(operand(&steps[3], Role::Source))[..3], [11, 12, 13]);
    let index = operand(&steps[3], Role::Index).body();
    assert_eq!(index[..12], [9, 0, 0, 0, 10, 0, 0, 0, 11, 0, 0, 0]);
}

#[test]
fn guards_hold_a_row_within_limits() {
    // Row bytes, guard bytes: at least 64, rounded up to 64, at most 4096.
    for (cols, guard) in [(8, 64), (16, 64), (17, 128), (1024, 4096), (3000, 4096)] {
        let t = tile(DType::Float, [2, cols], [2, cols]);
        let table = tensor(
            DType::Float,
            Layout::ND,
            [1, 1, 1, 2, 4],
            [1, 1, 1, cols, 1],
        );
        let idx = tile(DType::Int32, [1, 2], [1, 2]);
        let mut one = case("guards", scatter(Coalesce::Row, table, t, idx));
        one.data.tile = Fill::Zeros;
        let memory = stimulus(&one, 0).steps.remove(0);
        for role in [Role::Source, Role::Table] {
            let region = operand(&memory, role);
            let body = region.body_range();
            assert_eq!(body.start, guard);
            assert_eq!(region.bytes().len() - body.end, guard);
            assert!(is_poison(&region.bytes()[..guard]));
            assert!(is_poison(&region.bytes()[body.end..]));
        }
        // From the first to the last element: one stride and four elements.
        let table = operand(&memory, Role::Table).body();
        assert_eq!(table.len() as u64, (cols + 4) * 4);
        assert!(is_poison(&table[16..cols as usize * 4]));
    }
}

#[test]
fn guards_hold_what_can_be_overrun_in_other_layouts() {
    // A column of 40 floats; a block of 16 rows of an NZ table of floats.
    let mut t = tile(DType::Float, [40, 8], [40, 8]);
    t.blayout = BLayout::ColMajor;
    let table = tensor(
        DType::Float,
        Layout::NZ,
        [1, 2, 2, 16, 8],
        [512, 256, 128, 8, 1],
    );
    let idx = tile(DType::Int32, [40, 8], [40, 8]);
    let one = case("guards/nz", scatter(Coalesce::Elem, table, t, idx));
    let memory = stimulus(&one, 0).steps.remove(0);
    assert_eq!(operand(&memory, Role::Source).body_range().start, 192);
    assert_eq!(operand(&memory, Role::Table).body_range().start, 512);
    assert_eq!(operand(&memory, Role::Index).body_range().start, 64);
}

#[test]
fn padding_is_poison_and_index_padding_is_worth_reading() {
    let t = tile(DType::Half, [2, 16], [2, 3]);
    let idx = tile(DType::Int32, [2, 8], [2, 3]);
    let table = tensor(DType::Half, Layout::ND, [1, 1, 1, 1, 40], [1, 1, 1, 40, 1]);
    let mut one = case("padding", scatter(Coalesce::Elem, table, t, idx));
    one.data.tile = Fill::Ramp;
    let memory = stimulus(&one, 0).steps.remove(0);
    let source = operand(&memory, Role::Source).body();
    assert!(is_poison(&source[6..32]) && is_poison(&source[38..]));
    assert!(!is_poison(&source[..6]));
    let index = operand(&memory, Role::Index).body();
    let index: Vec<u32> = index
        .as_chunks()
        .0
        .iter()
        .map(|b| u32::from_le_bytes(*b))
        .collect();
    for padding in [3..8, 11..16] {
        for slot in padding {
            if slot % 2 == 0 {
                assert_eq!(index[slot], 39 - slot as u32);
            } else {
                assert!(index[slot] > 0xFC00_0000, "huge, or negative");
            }
        }
    }
}

#[test]
fn row_capacity_is_the_tables_rows() {
    let t = tile(DType::Int8, [2, 32], [2, 32]);
    let idx = tile(DType::Int32, [1, 64], [1, 64]);
    let seen = |layout, shape: [u64; 5]| {
        let table = tensor(DType::Int8, layout, shape, [4096, 2048, 512, 32, 1]);
        let mut one = case("capacity", scatter(Coalesce::Row, table, t, idx));
        one.data.index = IndexPattern::Same;
        operand(&stimulus(&one, 0).steps[0], Role::Index).body()[0]
    };
    assert_eq!(seen(Layout::ND, [1, 1, 1, 9, 32]), 4);
    assert_eq!(seen(Layout::ND, [2, 3, 1, 4, 32]), 12);
    assert_eq!(seen(Layout::NZ, [2, 3, 2, 16, 32]), 16); // 32 rows, not 192
}

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

const DTYPES: [DType; 14] = [
    DType::Int8,
    DType::Uint8,
    DType::Int16,
    DType::Uint16,
    DType::Int32,
    DType::Uint32,
    DType::Int64,
    DType::Uint64,
    DType::Half,
    DType::Bfloat16,
    DType::Float,
    DType::Float8E4M3,
    DType::Float8E5M2,
    DType::Hifloat8,
];

fn any_fill() -> impl Strategy<Value = Fill> {
    select(vec![
        Fill::Zeros,
        Fill::Ramp,
        Fill::RampBits,
        Fill::Eighths,
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
            IndexPattern::Literal(vec![1; 40]),
        ]),
        any::<u64>().prop_map(|slots| IndexPattern::Hot { slots }),
    ]
}

fn any_tile() -> impl Strategy<Value = Tile> {
    let extents = (1..40_u64, 1..40_u64).prop_flat_map(|(r, c)| (Just([r, c]), 0..=r, 0..=c));
    let fractal = select(vec![1, 16, 512, 1024, u64::MAX]);
    let inner = select(vec![SLayout::NoneBox, SLayout::RowMajor, SLayout::ColMajor]);
    (select(&DTYPES[..]), extents, any::<bool>(), inner, fractal).prop_map(
        |(dtype, (padded, r, c), columns, slayout, fractal)| Tile {
            blayout: if columns {
                BLayout::ColMajor
            } else {
                BLayout::RowMajor
            },
            slayout,
            fractal,
            ..tile(dtype, padded, [r, c])
        },
    )
}

fn any_table() -> impl Strategy<Value = GlobalTensor> {
    let shape = prop::array::uniform5(0..5_u64);
    let stride = prop::array::uniform5(0..70_u64);
    let layout = select(vec![Layout::ND, Layout::DN, Layout::NZ]);
    (select(&DTYPES[..]), layout, shape, stride)
        .prop_map(|(dtype, layout, shape, stride)| tensor(dtype, layout, shape, stride))
}

fn any_case() -> impl Strategy<Value = Case> {
    (
        (any_table(), any_tile(), any_tile()),
        (any::<bool>(), any::<bool>()),
        (any_fill(), any_fill(), any_pattern()),
        1..4_u32,
    )
        .prop_map(
            |((table, data, index), (scatters, rows), (fill, other, pattern), chunks)| {
                let mode = if rows { Coalesce::Row } else { Coalesce::Elem };
                let call = if scatters {
                    scatter(mode, table, data, index)
                } else {
                    gather(mode, data, table, index)
                };
                let mut one = case("any", call);
                one.chunks = chunks;
                one.data.table = fill;
                one.data.tile = other;
                one.data.index = pattern;
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
            prop_assert_eq!(memory.regions.len(), if step == 0 { 3 } else { 2 });
            for region in &memory.regions {
                let body = region.body_range();
                prop_assert!(body.start >= 64 && body.start % 64 == 0);
                prop_assert!(region.bytes().len() - body.end == body.start);
                prop_assert!(is_poison(&region.bytes()[..body.start]));
                prop_assert!(is_poison(&region.bytes()[body.end..]));
                let tile = match region.role {
                    Role::Table => continue,
                    Role::Index => one.call.index_tile(),
                    _ => one.call.data_tile(),
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
        one.data.tile = Fill::RampBits;
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
