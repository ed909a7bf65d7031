//! A look by itself: whoever asks one looks again where it says no, so that the
//! verdict does not show whether it ever says yes.

use ptodiff_isa::{DType, Role};

use super::*;

/// Bytes of each guard zone.
const GUARD: usize = 4;

/// What is promised: two slots exactly and apart in the pool, then either of
/// two values, then 3 to 5.
const POOL: [u8; 20] = *b"\xa1\xa2\xa3\xa4----\xb1\xb2\xb3\xb4\xc1\xc2\xc3\xc4\xd1\xd2\xd3\xd4";

/// What stands there after: a kept slot, what is promised, a free slot.
const AFTER: [u8; 24] = *b"kept\xa1\xa2\xa3\xa4\xb1\xb2\xb3\xb4\xd1\xd2\xd3\xd4\x03\0\0\0free";

/// Bytes of the slot that may hold anything.
const FREE: Range<usize> = 20..24;

fn region(body: [u8; 24]) -> Region {
    let bytes = [&[7; GUARD][..], &body, &[9; GUARD]].concat();
    Region::new(Role::Destination, bytes, GUARD..GUARD + body.len())
}

fn before() -> Region {
    region(*b"kept....................")
}

/// Whether all was well, going along with the promises.
fn well(mut check: impl QuickCheck, guards_free: bool) -> bool {
    let bounds = [3, 5].map(|bits| Value {
        dtype: DType::Uint32,
        bits,
    });
    check.gap(0..4);
    check.exactly(4, 0, &POOL[..4]);
    check.exactly(8, 8, &POOL[8..12]);
    check.one_of(12..16, &POOL[12..]);
    check.between(16..20, bounds);
    check.open(FREE);
    check.ends_well(guards_free)
}

/// As [`well`], of the same bytes in one piece and run by run.
fn both(after: &Region, guards_free: bool) -> [bool; 2] {
    let (before, mut scratch) = (before(), Vec::new());
    [
        well(Whole::new(&before, after, &mut scratch), guards_free),
        well(Piecewise::new(&before, after, &POOL), guards_free),
    ]
}

#[test]
fn what_holds_what_it_may_is_well_and_nothing_else() {
    let mut after = region(AFTER);
    for guards_free in [false, true] {
        assert_eq!(both(&after, guards_free), [true; 2]);
    }
    let body = after.body_range();
    for at in 0..after.bytes().len() {
        let free = FREE.contains(&at.wrapping_sub(body.start));
        let is_guard = !body.contains(&at);
        after.bytes_mut()[at] ^= 0x40;
        assert_eq!(both(&after, false), [free; 2], "byte {at}");
        assert_eq!(both(&after, true), [free || is_guard; 2], "byte {at}");
        after.bytes_mut()[at] ^= 0x40;
    }
}

#[test]
fn nothing_to_look_at_is_not_well() {
    assert!(!well(Nothing, true));
}

#[test]
fn short_pieces_are_compared_and_copied_whole() {
    for len in 0..20_u8 {
        let a: Vec<u8> = (1..=len).collect();
        let mut b = vec![0; a.len()];
        put(&mut b, &a);
        assert_eq!(a, b);
        assert!(same(&a, &b));
        for at in 0..a.len() {
            b[at] ^= 0x40;
            assert!(!same(&a, &b), "byte {at} of {len}");
            b[at] ^= 0x40;
        }
    }
}

#[test]
fn of_large_regions_the_parts_that_differ_are_looked_at() {
    const LEN: usize = 1 << 17;
    // In the middle of a KiB, and over the bounds of two.
    let free = [3000..3004, 50 << 10..(51 << 10) + 8];
    let bytes = [vec![7; GUARD], vec![0; LEN], vec![9; GUARD]].concat();
    let mut before = Region::new(Role::Table, bytes, GUARD..GUARD + LEN);
    before.note_writes();
    let mut after = before.clone();
    let ends = [2998, 3004, 50 << 10, (50 << 10) - 4, 51 << 10, LEN - 2];
    let spots = ends.into_iter().flat_map(|at| at..at + 2);
    for spot in spots.chain((0..LEN).step_by(777)) {
        after.clone_from(&before);
        for at in [spot, 3001, 51 << 10].map(|at| GUARD + at) {
            after.part_mut(at..at + 1).expect("inside")[0] ^= 1;
        }
        let mut check = Piecewise::new(&before, &after, &POOL);
        check.gap(0..free[0].start);
        check.open(free[0].clone());
        check.gap(free[0].end..free[1].start);
        check.open(free[1].clone());
        check.gap(free[1].end..LEN);
        // A spot that is written twice is as it was.
        let well = free.iter().any(|free| free.contains(&spot));
        assert_eq!(check.ends_well(false), well, "byte {spot}");
    }
}
