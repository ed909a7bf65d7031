//! Tables of given rows.

use ptodiff_case::{Case, load_str};
use ptodiff_generate::{room_for, stimulus};
use ptodiff_isa::{Region, Role};

fn case(table: &str) -> Case {
    let text = format!(
        "cases:\n  - name: a\n    instruction: MSCATTER\n    mode: Elem\n    dtype: int16_t\n    \
         tile: {{shape: [1, 16]}}\n    index: {{shape: [1, 16]}}\n    table: {{{table}}}\n"
    );
    load_str("file.yaml", &text)
        .expect("a case")
        .cases
        .remove(0)
}

fn table(table: &str) -> Region {
    let mut made = stimulus(&case(table), 0);
    let regions = &mut made.steps[0].regions;
    let at = regions
        .iter()
        .position(|r| r.role == Role::Table)
        .expect("a table");
    regions.swap_remove(at)
}

/// The elements that are not zero, and where they stand.
fn elements(region: &Region) -> Vec<(usize, i16)> {
    let body = region.body_range();
    let mut all = Vec::new();
    for part in region.touched() {
        let part = part.start.max(body.start)..part.end.min(body.end);
        let element = |at: usize| i16::from_le_bytes([region.bytes()[at], region.bytes()[at + 1]]);
        let here = part
            .step_by(2)
            .map(|at| ((at - body.start) / 2, element(at)));
        all.extend(here.filter(|(_, value)| *value != 0));
    }
    all
}

/// Row 5 of 2 x 3 rows is the last one: the second of the third dimension, the third of the fourth.
#[test]
fn rows_are_counted_over_the_first_four_dimensions() {
    let dense = table("shape: [1, 1, 2, 3, 4], data: {rows: {1: [7, 8, 9, 10], 5: [-1, 0, 2]}}");
    assert_eq!(
        elements(&dense),
        [(4, 7), (5, 8), (6, 9), (7, 10), (20, -1), (22, 2)]
    );
    let strided = table(
        "shape: [1, 1, 2, 3, 4], stride: [1, 1, 100, 10, 2], data: {rows: {5: [1, 2, 3, 4]}}",
    );
    assert_eq!(elements(&strided), [(120, 1), (122, 2), (124, 3), (126, 4)]);
}

/// Blocks of 16 rows by 16 columns: row 17 lies in the second block of each column of
/// blocks, its column 16 in the second column of blocks.
#[test]
fn rows_of_blocks_are_those_of_their_table() {
    let values: Vec<String> = (1..=18).map(|n| n.to_string()).collect();
    let rows = values.join(", ");
    let nz = table(&format!(
        "shape: [1, 2, 2, 16, 16], layout: NZ, data: {{rows: {{17: [{rows}]}}}}"
    ));
    let expected: Vec<(usize, i16)> = (0..16_i16)
        .map(|n| (272 + n as usize, n + 1))
        .chain([(512 + 272, 17), (512 + 273, 18)])
        .collect();
    assert_eq!(elements(&nz), expected);
}

#[test]
fn a_small_table_is_as_any_other_and_a_large_one_is_sparse() {
    let small = table("shape: [1, 1, 1, 1000, 8], data: {rows: {999: [5]}}");
    assert!(!small.is_sparse());
    assert_eq!(elements(&small), [(7992, 5)]);
    let large = table("shape: [1, 1, 1, 3000000000, 8], data: {rows: {2147483648: [5, 6]}}");
    assert!(large.is_sparse());
    assert_eq!(elements(&large), [(17_179_869_184, 5), (17_179_869_185, 6)]);
    // Both have the guard zones of any table.
    let plain = table("shape: [1, 1, 1, 1000, 8], data: zeros");
    for region in [&small, &large] {
        let body = region.body_range();
        let before = plain.body_range().start;
        assert_eq!(region.bytes()[..body.start], plain.bytes()[..before]);
        assert_eq!(region.bytes().len() - body.end, before);
        assert!(region.bytes()[body.end..].iter().all(|byte| *byte >= 0xFC));
    }
}

#[test]
fn whether_there_is_room_is_asked_before() {
    assert_eq!(room_for(&case("shape: [1, 1, 1, 3000000000, 8]")), Ok(()));
    assert_eq!(room_for(&case("shape: [1, 1, 1, 30, 8]")), Ok(()));
}
