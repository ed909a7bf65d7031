//! The regions of a stimulus: which there are, what stands where.

use crate::stimulus::build::{case, halves, is_poison, operand, scatter, tensor, tile};
use ptodiff_case::{Fill, IndexPattern};
use ptodiff_generate::stimulus;
use ptodiff_isa::{BLayout, Coalesce, DType, Layout, Role};

#[test]
fn chunks_share_one_sequence() {
    let t = tile(DType::Half, [1, 16], [1, 3]);
    let idx = tile(DType::Int32, [1, 8], [1, 3]);
    let table = tensor(DType::Half, Layout::ND, [1, 1, 1, 1, 50], [1, 1, 1, 50, 1]);
    let mut one = case("chunks", scatter(Coalesce::Elem, table, t, idx));
    one.chunks = 4;
    one.data.source = Fill::RampBits;
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
        one.data.source = Fill::Zeros;
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
