//! Large regions note what is written of them, and nobody can tell but by the cost.

use std::ops::Range;

use proptest::{collection::vec, prelude::*, sample::Index};
use ptodiff_isa::{Region, Role};

/// Bytes of the regions here, guard zones included: not whole pages.
const LEN: usize = (1 << 17) + 100;

/// Where the operand lies in them.
const BODY: Range<usize> = 300..LEN - 77;

fn region(byte: u8) -> Region {
    Region::new(Role::Table, vec![byte; LEN], BODY)
}

/// What is done to one of several regions.
#[derive(Clone, Debug)]
enum Step {
    NoteWrites,
    CopyFrom(Index),
    Replace(Index),
    /// Some bytes anywhere, part by part.
    Parts(Vec<(usize, usize, u8)>),
    /// A byte anywhere, in one piece.
    Whole(usize, u8),
    /// A byte of the body, in one piece.
    Body(usize, u8),
}

fn step() -> impl Strategy<Value = Step> {
    let part = (0..LEN, 0..5000_usize, any::<u8>());
    prop_oneof![
        2 => Just(Step::NoteWrites),
        3 => any::<Index>().prop_map(Step::CopyFrom),
        1 => any::<Index>().prop_map(Step::Replace),
        4 => vec(part, 1..4).prop_map(Step::Parts),
        1 => (0..LEN, any::<u8>()).prop_map(|(at, byte)| Step::Whole(at, byte)),
        1 => (0..BODY.len(), any::<u8>()).prop_map(|(at, byte)| Step::Body(at, byte)),
    ]
}

/// Takes `step` on region `at`, and the same on plain bytes.
fn take(step: Step, at: usize, regions: &mut [Region], plain: &mut [Vec<u8>]) {
    match step {
        Step::NoteWrites => regions[at].note_writes(),
        Step::CopyFrom(other) => {
            let other = other.index(regions.len());
            let of = regions[other].clone();
            regions[at].clone_from(&of);
            plain[at] = plain[other].clone();
        }
        Step::Replace(other) => {
            let other = other.index(regions.len());
            regions[at] = regions[other].clone();
            plain[at] = plain[other].clone();
        }
        Step::Parts(all) => {
            for (from, len, byte) in all {
                let range = from..from + len;
                let part = regions[at].part_mut(range.clone());
                assert_eq!(part.is_some(), range.end <= LEN);
                if let Some(part) = part {
                    part.fill(byte);
                    plain[at][range].fill(byte);
                }
            }
        }
        Step::Whole(place, byte) => {
            regions[at].bytes_mut()[place] = byte;
            plain[at][place] = byte;
        }
        Step::Body(place, byte) => {
            regions[at].body_mut()[place] = byte;
            plain[at][BODY][place] = byte;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_noted_never_shows(steps in vec((0..3_usize, step()), 1..24)) {
        let mut regions = [region(1), region(1), region(2)];
        let mut plain = [1, 1, 2].map(|byte| vec![byte; LEN]);
        for (at, step) in steps {
            take(step, at, &mut regions, &mut plain);
            for (one, bytes) in regions.iter().zip(&plain) {
                prop_assert!(one.bytes() == bytes);
                for (other, others) in regions.iter().zip(&plain) {
                    prop_assert_eq!(one == other, bytes == others);
                    let Some(pages) = one.may_differ(other) else { continue };
                    let (mut left, mut right) = (bytes.clone(), others.clone());
                    for page in pages {
                        left[page.clone()].fill(0);
                        right[page].fill(0);
                    }
                    prop_assert!(left == right, "they differ elsewhere");
                }
            }
        }
    }
}

/// First and last byte of where two regions of one backdrop may differ; none
/// where they share none.
fn may_differ(one: &Region, other: &Region) -> Option<Vec<[usize; 2]>> {
    let pages = one.may_differ(other)?;
    Some(pages.map(|page| [page.start, page.end - 1]).collect())
}

#[test]
fn only_what_is_written_is_looked_at() {
    let mut first = region(1);
    first.note_writes();
    let mut copy = first.clone();
    assert_eq!(may_differ(&first, &copy), Some(Vec::new()));
    copy.part_mut(5300..5308).expect("inside").fill(9);
    assert!(copy.part_mut(LEN..LEN + 1).is_none());
    assert_eq!(copy.part_mut(6..6).map(|part| part.len()), Some(0));
    // Byte 5300 lies in the sixth KiB.
    assert_eq!(
        may_differ(&first, &copy),
        Some(vec![[5 << 10, (6 << 10) - 1]])
    );
    copy.clone_from(&first);
    assert_eq!(may_differ(&first, &copy), Some(Vec::new()));
    // The last page ends with the region.
    copy.part_mut(LEN - 1..LEN).expect("inside")[0] = 3;
    assert_eq!(may_differ(&copy, &first), Some(vec![[128 << 10, LEN - 1]]));
}

#[test]
fn other_backdrops_have_nothing_in_common() {
    let mut one = region(1);
    let mut other = region(1);
    assert_eq!(
        may_differ(&one, &one),
        None,
        "nobody asked it to note what is written"
    );
    one.note_writes();
    other.note_writes();
    assert_eq!(may_differ(&one, &other), None);
    assert!(one == other);
    let copy = one.clone();
    one.bytes_mut();
    assert_eq!(may_differ(&one, &copy), None);
    let mut again = copy.clone();
    again.body_mut();
    assert_eq!(may_differ(&again, &copy), None);
}

#[test]
fn small_regions_note_nothing() {
    let mut small = Region::new(Role::Table, vec![0; (1 << 17) - 1], 0..9);
    small.note_writes();
    assert_eq!(may_differ(&small, &small), None);
}

mod sparse {
    use ptodiff_isa::{Region, Role};

    /// 16 GiB, of which 4 KiB in the middle are written.
    fn written() -> Region {
        let mut region = zeros();
        region
            .part_mut(1 << 33..(1 << 33) + 4096)
            .expect("inside")
            .fill(7);
        region
    }

    fn zeros() -> Region {
        Region::sparse(Role::Table, 1 << 34, 64..(1 << 34) - 64).expect("room")
    }

    #[test]
    fn what_is_written_is_noted_copied_and_compared() {
        let (before, after) = (zeros(), written());
        assert!(before != after);
        assert_eq!(after.clone(), after);
        assert_eq!(after.touched().map(|part| part.len()).sum::<usize>(), 4096);
        let mut copy = zeros();
        copy.clone_from(&after);
        assert_eq!(copy, after);
        assert_eq!(copy.bytes()[(1 << 33) - 1..][..2], [0, 7]);
        copy.clone_from(&before);
        assert_eq!(copy, before);
        // What was a small region becomes a sparse one, and the other way round.
        let small = Region::new(Role::Table, vec![1; 8], 0..8);
        let mut other = small.clone();
        other.clone_from(&after);
        assert!(other.is_sparse() && other == after);
        other.clone_from(&small);
        assert!(!other.is_sparse() && other == small);
    }

    #[test]
    fn two_of_one_length_made_apart_are_compared_where_they_are_written() {
        let (before, mut after) = (zeros(), written());
        let body = (1 << 33) - 64;
        let apart = |one: &Region, other: &Region| one.apart(other, 8);
        assert_eq!(apart(&before, &after), vec![(body..body + 4096)]);
        assert!(apart(&before, &zeros()).is_empty());
        // Of guard zones nothing is said.
        after.part_mut(0..1).expect("inside").fill(1);
        assert_eq!(apart(&after, &before).first(), Some(&(0..960)));
        let whole = 0..before.body().len();
        assert_eq!(
            apart(&before, &Region::new(Role::Table, vec![0; 9], 0..9)),
            [whole]
        );
    }

    #[test]
    fn what_the_machine_has_not_is_told() {
        let why = Region::room_for(1 << 60).expect_err("too much");
        assert!(
            why.starts_with("the machine has no 1099511627776 MiB of addresses left"),
            "{why}"
        );
        assert!(Region::sparse(Role::Table, 1 << 60, 0..1).is_err());
        assert!(Region::room_for(1 << 40).is_ok());
    }

    #[test]
    fn one_that_is_written_as_a_whole_is_still_right() {
        let mut region = Region::sparse(Role::Table, 1 << 20, 0..1 << 20).expect("room");
        region.body_mut()[5000] = 3;
        let copy = region.clone();
        assert!(copy == region && copy.body()[5000] == 3);
        assert!(copy != Region::sparse(Role::Table, 1 << 20, 0..1 << 20).expect("room"));
    }
}
