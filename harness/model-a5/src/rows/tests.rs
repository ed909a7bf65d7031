//! Whether rows go the short ways, and what these leave.

use super::*;
use crate::access::Silent;
use crate::bounds::{Drop, Pass};
use crate::combine::Replace;
use crate::copy::tests::plan;
use ptodiff_isa::{BLayout, Region, Role, Space, Strays};

/// What `run` leaves of a table whose bytes are 200, the source's being their
/// numbers; both have a length. None where it makes none.
fn stored(
    [table, data]: [usize; 2],
    rows: [u8; 3],
    run: impl FnOnce(&mut Operands<'_, 1>) -> Option<()>,
) -> Option<Vec<u8>> {
    let mut table = Region::new(Role::Table, vec![200; table], 0..table);
    let data = Region::new(Role::Source, (0..data as u8).collect(), 0..data);
    let indices = rows.into_iter().flat_map(|row| [row, 0, 0, 0]).collect();
    let index = Region::new(Role::Index, indices, 0..12);
    run(&mut Operands {
        table: ViewMut::new(&mut table, Space::Gm),
        data: View::new(&data, Space::Ub),
        index: View::new(&index, Space::Ub),
    })?;
    Some(table.into_bytes())
}

/// Three rows of the table, each of which holds one of the source or is kept.
fn table(cols: u8, rows: [Option<u8>; 3]) -> Option<Vec<u8>> {
    let row = |from: Option<u8>| match from {
        Some(from) => (from * cols..(from + 1) * cols).collect(),
        None => vec![200; cols.into()],
    };
    Some(rows.map(row).concat())
}

#[test]
fn rows_are_stored_together_unless_warps_in_order_share_them() {
    use Schedule::{InOrder, Reversed, Shuffled};
    let together = |schedule, cols: u8, rows| {
        let plan = Plan {
            schedule,
            ..plan(BLayout::RowMajor, cols.into())
        };
        let grid = RowGrid::new(plan.valid, plan.sizing);
        let mut strays = Strays::default();
        let port = &mut Port::new(&mut strays, Silent);
        stored([3 * usize::from(cols); 2], rows, |operands| {
            rows_together::<_, Pass, Replace, 1>(port, operands, &plan, grid)
        })
    };
    let (apart, met) = ([2, 0, 1], [2, 0, 2]);
    let last = |cols| table(cols, [Some(1), None, Some(2)]);
    let first = |cols| table(cols, [Some(1), None, Some(0)]);
    let each = |cols| table(cols, [Some(1), Some(2), Some(0)]);
    assert_eq!(together(InOrder, 8, met), last(8));
    assert_eq!(together(Reversed, 8, met), first(8));
    assert_eq!(together(Shuffled(1), 8, apart), each(8));
    // Two warps a row (MSCATTER-LAUNCH-05).
    assert_eq!(together(InOrder, 40, apart), None);
    assert_eq!(together(Reversed, 40, met), first(40));
    assert_eq!(together(Shuffled(1), 40, apart), each(40));
}

#[test]
fn rows_are_apart_if_none_meet_and_none_lies_outside() {
    let plan = plan(BLayout::RowMajor, 8);
    let apart = |rows, sizes, drops| {
        stored(sizes, rows, |Operands { table, data, index }| {
            let held = plan.plain_rows(index).expect("none is negative");
            let apart = match drops {
                true => are_apart::<Drop, 1>((table, data), &plan, held),
                false => are_apart::<Pass, 1>((table, data), &plan, held),
            };
            apart.then_some(())
        })
        .is_some()
    };
    assert!(apart([2, 0, 1], [24, 24], false));
    assert!(!apart([2, 0, 2], [24, 24], false));
    assert!(!apart([2, 0, 1], [23, 24], false));
    assert!(!apart([2, 0, 1], [24, 23], false));
    // Only where it is selected does a row that the table has not lie outside.
    assert!(!apart([2, 0, 3], [24, 24], false));
    assert!(apart([2, 0, 3], [24, 24], true));
}

#[test]
fn strips_are_combined_at_once_if_they_lie_inside() {
    // Four of the source's last row to the table's, from column 4 on.
    let strip = |blayout, sizes| {
        let plan = plan(blayout, 8);
        let all = stored(sizes, [0; 3], |Operands { table, data, .. }| {
            combine_strip::<Replace, 1>(table, data, &plan, 2, (2, 4, 4))
        })?;
        assert_eq!(all[..20], [200; 20]);
        all.get(20..24)?.first_chunk().copied()
    };
    let (by_row, by_col) = (BLayout::RowMajor, BLayout::ColMajor);
    assert_eq!(strip(by_row, [24; 2]), Some([20, 21, 22, 23]));
    // Three from column to column.
    assert_eq!(strip(by_col, [24; 2]), Some([14, 17, 20, 23]));
    for blayout in [by_row, by_col] {
        assert_eq!(strip(blayout, [23, 24]), None);
        assert_eq!(strip(blayout, [24, 23]), None);
    }
}
