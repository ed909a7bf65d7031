//! Loads done together.

use super::*;
use crate::access::Silent;
use crate::extent::tests::tile;
use ptodiff_isa::{BLayout, Strays};

#[test]
fn loads_are_done_together_up_to_one_that_leaves_the_body() {
    let job = Job {
        valid: Valid { rows: 1, cols: 10 },
        offset: Steps::column(1),
        dst: Steps::column(1),
        cols: 10,
        mask: !1,
        schedule: Schedule::InOrder,
    };
    // Bytes 10 to 17 are the body.
    let region = Region::new(Role::Source, (6..22).collect(), 4..12);
    let src = View::<1>::new(&region, Space::Ub);
    let load = |offsets: &[u32]| {
        let offsets: Vec<[u8; 4]> = offsets.iter().map(|at| at.to_le_bytes()).collect();
        let mut slots = vec![[0; 2]; offsets.len()];
        let all = job.load_all(&src, &offsets, &mut slots);
        (all, slots)
    };
    // More than one group; an odd offset is rounded down.
    let (all, slots) = load(&[0, 2, 4, 6, 7, 5, 3, 1, 2, 6]);
    assert_eq!(all, Some(()));
    let starts = [10, 12, 14, 16, 16, 14, 12, 10, 12, 16];
    assert_eq!(slots, starts.map(|start| [start, start + 1]));
    let (all, slots) = load(&[2, 8, 0]);
    assert_eq!(all, None);
    assert_eq!(slots[0], [12, 13]);
}

#[test]
fn elements_are_loaded_at_once_unless_they_share_slots() {
    // Two rows of two, with a third column where there is padding.
    let load = |blayout, cols, wide| {
        let (valid, to) = (Valid { rows: 2, cols: 2 }, 2 * wide as usize);
        let steps = |cols| Steps::new(&tile(blayout, 2, cols), valid).unwrap();
        let job = Job {
            valid,
            offset: steps(cols),
            dst: steps(wide),
            cols: wide,
            mask: !0,
            schedule: Schedule::InOrder,
        };
        // Byte 7 is a guard byte.
        let src = Region::new(Role::Source, (0..8).collect(), 0..7);
        let offsets = [5, 1, 0, 3, 7, 0].map(|at| [at, 0, 0, 0]).concat();
        let offset = Region::new(Role::Index, offsets, 0..24);
        let mut dst = Region::new(Role::Destination, vec![99; to], 0..to);
        let mut slots = ViewMut::<1>::new(&mut dst, Space::Ub);
        let (src, offset) = (View::new(&src, Space::Ub), View::new(&offset, Space::Ub));
        let mut strays = Strays::default();
        let port = &mut Port::new(&mut strays, Silent);
        elements_at_once(&job, port, (&mut slots, &src, &offset))?;
        Some(dst.into_bytes())
    };
    let (by_row, by_col) = (BLayout::RowMajor, BLayout::ColMajor);
    assert_eq!(load(by_row, 2, 2), Some(vec![5, 1, 0, 3]));
    assert_eq!(load(by_row, 3, 3), Some(vec![5, 1, 99, 3, 7, 99]));
    assert_eq!(load(by_col, 2, 3), Some(vec![5, 1, 0, 3, 99, 99]));
    assert_eq!(load(by_row, 2, 1), None);
}
