//! TSCATTER by mask (002, Mask Scatter).

use crate::common::*;
use ptodiff_isa::MaskPattern::*;

/// The destination after an accepted call without out-of-bounds accesses.
fn scattered<T: Item>(call: &TscatterMask, how: How, dst: &[T], src: &[T]) -> Vec<T> {
    let operands = [(Role::Source, bytes(src)), (Role::Destination, bytes(dst))];
    let call = Call::TscatterMask(*call);
    items(&clean_but(call, how, &operands, &[Role::Destination])[0])
}

#[test]
fn mask_01_to_09_each_pattern_has_its_lane() {
    for (pattern, factor, lane) in [
        (P1111, 1, 0),
        (P0101, 2, 0),
        (P1010, 2, 1),
        (P0001, 4, 0),
        (P0010, 4, 1),
        (P0100, 4, 2),
        (P1000, 4, 3),
    ] {
        for schedule in SCHEDULES {
            // Three of eight source columns are valid.
            let src = valid(Int32, 2, 8, 2, 3);
            let dst = valid(Int32, 3, 16, 2, 3 * factor);
            let call = masked(pattern, dst, src);
            let values: Vec<i32> = (1..17).collect();
            let after = scattered(&call, how(schedule), &[-1; 48], &values);
            // MASK-11: the rest of the allocation is zero.
            let mut expected = [0; 48];
            for (row, values) in [[1, 2, 3], [9, 10, 11]].iter().enumerate() {
                for (col, value) in values.iter().enumerate() {
                    expected[16 * row + factor as usize * col + lane] = *value;
                }
            }
            assert_eq!(after, expected, "{pattern}");
        }
    }
}

#[test]
fn gap_12_every_width() {
    let how = How::default();
    let call = masked(P1000, tile(Uint8, 1, 32), tile(Uint8, 1, 8));
    let after = scattered(&call, how, &[9_u8; 32], &[1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(after[..8], [0, 0, 0, 1, 0, 0, 0, 2]);
    // 64-bit elements in the suites' scope only.
    let call = masked(P0101, tile(Int64, 1, 4), tile(Int64, 1, 2));
    let how = reading(|readings| readings.scope = Scope::AsTheSuite);
    let after = scattered(&call, how, &[9_u32; 8], &[1, 2, 3, 4]);
    assert_eq!(after, [1, 2, 0, 0, 3, 4, 0, 0]);
}

#[test]
fn gap_13_padding_after_p1111() {
    let part = valid(Int32, 1, 8, 1, 2);
    let run = |pattern, padding| {
        let dst = if pattern == P1111 {
            part
        } else {
            valid(Int32, 1, 8, 1, 4)
        };
        let how = reading(|readings| readings.mask_p1111_padding = padding);
        let src = [1, 2, 3, 4, 5, 6, 7, 8];
        scattered(&masked(pattern, dst, part), how, &[9; 8], &src)
    };
    let (zero, kept) = (MaskPadding::Zero, MaskPadding::Kept);
    assert_eq!(run(P1111, zero), [1, 2, 0, 0, 0, 0, 0, 0]);
    assert_eq!(run(P1111, kept), [1, 2, 9, 9, 9, 9, 9, 9]);
    // Every other pattern zeroes whatever the reading.
    assert_eq!(run(P1010, kept), [0, 1, 0, 2, 0, 0, 0, 0]);
}

#[test]
fn gap_15_tiles_are_walked_through_their_own_layout() {
    // Source (r, c) at 2c + r, destination (r, c) at 8r + c.
    let src = col_major(tile(Int32, 2, 4));
    let call = masked(P0101, tile(Int32, 2, 8), src);
    let after = scattered(&call, How::default(), &[9; 16], &[1, 2, 3, 4, 5, 6, 7, 8]);
    let expected = [1, 0, 3, 0, 5, 0, 7, 0, 2, 0, 4, 0, 6, 0, 8, 0];
    assert_eq!(after, expected);
}

#[test]
fn mask_01_groups_end_where_their_row_does() {
    // One source column, and a third column beside the group of two.
    let call = masked(P0101, valid(Int32, 4, 3, 4, 2), tile(Int32, 4, 1));
    let after = scattered(&call, How::default(), &[9; 12], &[1, 2, 3, 4]);
    assert_eq!(after, [1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0]);
}

#[test]
fn mask_11_the_fill_comes_first() {
    let call = masked(P1010, valid(Int32, 2, 8, 1, 2), valid(Int32, 1, 8, 1, 1));
    let mut memory = memory(&[
        (Role::Source, vec![1; 32]),
        (Role::Destination, vec![9; 64]),
    ]);
    let log = execute(Call::TscatterMask(call), &mut memory, How::default());
    let expected = [
        fill(None, Space::Ub, Role::Destination, 64),
        load(Space::Ub, Role::Source, 0, 4),
        store(Space::Ub, Role::Destination, 4, 4),
    ];
    assert_eq!(log.trace.expect("a trace"), expected);
    // What is kept is not filled at all.
    let call = call.with(|c| c.pattern = P1111);
    let how = reading(|readings| readings.mask_p1111_padding = MaskPadding::Kept);
    let log = execute(Call::TscatterMask(call), &mut memory, how);
    let fills = |event: &Event| matches!(event, Event::Fill { .. });
    assert_eq!(count(&log.trace.expect("a trace"), fills), 0);
}

#[test]
fn gap_20_a_run_time_extent_of_0_leaves_the_fill_alone() {
    let none = dynamic(valid(Int32, 1, 8, 0, 0));
    let call = masked(P0101, none, none);
    assert_eq!(scattered(&call, How::default(), &[9; 8], &[1; 8]), [0; 8]);
}
