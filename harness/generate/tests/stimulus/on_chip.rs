//! The gathers to L1, TSCATTER, TGATHERB and the first MSCATTER: their operands and indices.

use std::collections::HashSet;

use crate::stimulus::build::{
    case, gather_bytes, gather_l1, halves, is_poison, l1_tile, operand, scatter_first,
    scatter_mask, scatter_tile, tensor, tile, words,
};
use ptodiff_case::{Case, Fill, IndexPattern};
use ptodiff_generate::stimulus;
use ptodiff_isa::{
    Coalesce, DType, FirstMode, GlobalTensor, Layout, Memory, OffsetGranularity, Readings, Role,
};

fn first(case: &Case) -> Memory {
    stimulus(case, 0).steps.remove(0)
}

fn flat(dtype: DType, count: u64) -> GlobalTensor {
    let shape = [1, 1, 1, 1, count];
    tensor(dtype, Layout::ND, shape, [count, count, count, count, 1])
}

/// A gather of 16 x 32 halves, 10 x 20 of them valid, out of 300.
fn l1_elem(id: &str, idx: GlobalTensor) -> Case {
    let dst = l1_tile(DType::Half, [16, 32], [10, 20]);
    let (table, scratch) = (flat(DType::Half, 300), flat(DType::Half, 512));
    case(
        id,
        gather_l1(Coalesce::Elem, dst, table, idx, Some(scratch)),
    )
}

#[test]
fn scratch_is_poison_unless_the_case_fills_it() {
    let mut one = l1_elem("scratch", flat(DType::Int32, 200));
    let body = operand(&first(&one), Role::Scratch).body().to_vec();
    assert_eq!(body.len(), 1024);
    assert!(is_poison(&body));
    one.data.scratch = Fill::Zeros;
    assert_eq!(operand(&first(&one), Role::Scratch).body(), [0; 1024]);
}

/// Indices in GM stand where their strides have them, decoys and poison between.
#[test]
fn gaps_between_indices_in_gm_are_worth_reading() {
    let idx = tensor(
        DType::Uint32,
        Layout::ND,
        [1, 1, 1, 10, 20],
        [640, 640, 640, 64, 3],
    );
    let mut one = l1_elem("strided", idx);
    one.data.index = IndexPattern::Seq;
    let body = words(operand(&first(&one), Role::Index));
    assert_eq!(body.len(), 9 * 64 + 19 * 3 + 1);
    for (at, &word) in body.iter().enumerate() {
        let (r, c) = (at / 64, at % 64 / 3);
        if at % 64 % 3 == 0 && c < 20 {
            assert_eq!(word as usize, 20 * r + c);
        } else if at % 2 == 0 {
            // In range of 300 elements, and not the index that is read there.
            assert_eq!(word as usize, 299 - at % 300, "{at}");
        } else {
            assert!(is_poison(&word.to_le_bytes()), "{at}");
        }
    }
}

#[test]
fn indices_select_among_the_destinations_storage() {
    // 2 x 40 valid in 4 x 48: 192 slots, padding included (TSCATTER-SEM-04).
    let dst = tile(DType::Float, [4, 48], [2, 40]);
    let src = tile(DType::Float, [8, 24], [8, 24]);
    let idx = tile(DType::Int32, [8, 24], [8, 24]);
    let mut one = case("storage", scatter_tile(dst, src, idx));
    one.data.index = IndexPattern::Permutation;
    let mut slots = words(operand(&first(&one), Role::Index));
    slots.sort_unstable();
    assert!(slots.into_iter().eq(0..192));
}

/// TSCATTER-GAP-17: 16 bits do not reach the whole of a large destination.
#[test]
fn sixteen_bit_indices_stay_within_destination_and_type() {
    let dst = tile(DType::Int8, [1, 131_072], [1, 131_072]);
    let src = tile(DType::Int8, [1, 4096], [1, 4096]);
    for (dtype, largest) in [(DType::Uint16, 65_535), (DType::Int16, 32_767)] {
        let idx = tile(dtype, [1, 4096], [1, 4096]);
        let mut one = case("sixteen", scatter_tile(dst, src, idx));
        one.data.index = IndexPattern::Permutation;
        let drawn = halves(operand(&first(&one), Role::Index));
        assert!(drawn.iter().all(|&i| i <= largest), "{dtype}");
        assert!(drawn.iter().any(|&i| i > largest / 2), "{dtype}");
        let different: HashSet<u16> = drawn.into_iter().collect();
        assert_eq!(different.len(), 4096, "none is cut off to another");
    }
}

#[test]
fn offsets_count_elements_or_blocks_in_bytes() {
    // 4 x 64 halves: 512 bytes, 256 elements, 16 blocks.
    let src = tile(DType::Half, [4, 64], [4, 64]);
    let offset = tile(DType::Uint32, [4, 64], [4, 50]);
    let mut one = case("offsets", gather_bytes(src, src, offset));
    one.data.index = IndexPattern::Seq;
    let elements = words(operand(&first(&one), Role::Index));
    assert_eq!(elements[..3], [0, 2, 4]);
    assert_eq!(elements[64 + 7], 2 * 57);
    // Padding: a decoy in every other slot, counted from the last element.
    assert_eq!(elements[50], 2 * (255 - 50));
    assert!(is_poison(&elements[51].to_le_bytes()));

    one.readings = Readings {
        tgatherb_granularity: OffsetGranularity::Block,
        ..Readings::default()
    }
    .into();
    let blocks = words(operand(&first(&one), Role::Index));
    assert_eq!(blocks[..3], [0, 32, 64]);
    assert_eq!(blocks[17], 32, "the 17th of 16 blocks is again the first");
    assert_eq!(blocks[50], 32 * (15 - 50 % 16));
    one.data.index = IndexPattern::AllOutOfBounds;
    let beyond = words(operand(&first(&one), Role::Index));
    let drawn = beyond.chunks(64).flat_map(|row| &row[..50]);
    assert!(
        drawn
            .into_iter()
            .all(|o| o % 32 == 0 && (512..1024).contains(o))
    );
}

/// MSCATTER0-CAP-01, -02: rows, or elements of the two inner dimensions alone.
#[test]
fn the_first_revision_counts_rows_or_the_inner_elements() {
    let table = tensor(
        DType::Float,
        Layout::ND,
        [2, 1, 1, 10, 8],
        [80, 80, 80, 8, 1],
    );
    let same = |src: [u64; 2], idx: [u64; 2], mode: FirstMode| {
        let (src, idx) = (tile(DType::Float, src, src), tile(DType::Int32, idx, idx));
        let mut one = case("first", scatter_first(table, src, idx));
        one.data.index = IndexPattern::Same;
        one.readings = Readings {
            first_mode: mode,
            ..Readings::default()
        }
        .into();
        words(operand(&first(&one), Role::Index))[0]
    };
    assert_eq!(same([4, 8], [4, 1], FirstMode::Elem), 5);
    assert_eq!(same([4, 8], [4, 8], FirstMode::Row), 40);
    // One column each: MSCATTER0-GAP-01 decides.
    assert_eq!(same([4, 1], [4, 1], FirstMode::Row), 5);
    assert_eq!(same([4, 1], [4, 1], FirstMode::Elem), 40);
}

#[test]
fn source_and_destination_draw_different_data() {
    let t = tile(DType::Int32, [8, 64], [8, 64]);
    for call in [
        scatter_tile(t, t, tile(DType::Int32, [8, 64], [8, 64])),
        scatter_mask(t, t),
        gather_bytes(t, t, tile(DType::Uint32, [8, 64], [8, 64])),
    ] {
        let mut one = case("different", call);
        one.data.source = Fill::Distinct;
        one.data.destination = Fill::Distinct;
        let memory = first(&one);
        let source = words(operand(&memory, Role::Source));
        let different: HashSet<u32> = source.iter().copied().collect();
        assert_eq!(different.len(), 512, "each lane has a value of its own");
        assert_ne!(source, words(operand(&memory, Role::Destination)));
        assert_eq!(memory, first(&one));
        one.data.seed = 1;
        assert_ne!(memory, first(&one));
    }
}
