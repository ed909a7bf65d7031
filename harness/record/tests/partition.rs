//! Parts of a run: a case has its own for ever.

use std::ops::Range;

use ptodiff_record::{Part, Partition, fingerprint};

const IDS: [&str; 6] = [
    "cpu/MGATHERTest.case_row_float_8x32_64rows",
    "a5/MSCATTERTest.case_elem_int32_64_128size",
    "a",
    "b",
    "",
    "\u{e9}t\u{e9}/<b>",
];

/// The parts, of 2, 3 and 1000, worked out with another implementation of
/// the hash: they may never change.
const PARTS: [[u32; 3]; 6] = [
    [1, 1, 41],
    [1, 3, 197],
    [2, 1, 144],
    [1, 2, 265],
    [2, 2, 864],
    [1, 1, 81],
];

#[test]
fn a_case_has_its_part_for_ever() {
    for (id, parts) in IDS.iter().zip(PARTS) {
        let found = [2, 3, 1000].map(|n| {
            let mut taking = Partition::new(1, n).expect("a part").siblings();
            let part = taking.find(|p| p.takes(id)).expect("some part takes it");
            assert!(!taking.any(|p| p.takes(id)), "two parts take `{id}`");
            part.part()
        });
        assert_eq!(found, parts, "{id}");
    }
}

#[test]
fn a_partition_reads_back_and_one_that_is_none_says_why() {
    for text in ["hash:1/1", "hash:2/4", "hash:4294967295/4294967295"] {
        let partition: Partition = text.parse().unwrap();
        assert_eq!(partition.to_string(), text);
    }
    assert_eq!("2/4".parse::<Partition>().unwrap().to_string(), "hash:2/4");
    let why = |text: &str| text.parse::<Partition>().unwrap_err().to_string();
    for text in ["", "2", "hash:2", "hash:2-4", "1-8"] {
        assert!(why(text).contains("expected K/N"), "{text}");
    }
    for text in [
        "hash:/4",
        "count:2/4",
        "hash:x/4",
        "hash:-1/4",
        "hash:+1/4",
        "hash: 1/4",
        "hash:1/4/4",
    ] {
        assert!(why(text).contains("no number of a part"), "{text}");
    }
    assert!(why("hash:1/4294967296").contains("`4294967296` is no number"));
    assert!(why("hash:0/4").contains("no part 0 of 4"));
    assert!(why("hash:5/4").contains("no part 5 of 4"));
    assert!(why("hash:0/0").contains("no part 0 of 0"));
}

#[test]
fn a_part_knows_its_places_and_the_whole() {
    let parts: Vec<Part> = Partition::new(1, 3)
        .expect("a part")
        .siblings()
        .map(|p| p.of(IDS))
        .collect();
    let mut places: Vec<usize> = parts.iter().flat_map(|p| p.at.clone()).collect();
    places.sort_unstable();
    assert_eq!(places, [0, 1, 2, 3, 4, 5]);
    for part in parts {
        assert_eq!((part.of, part.ids), (6, fingerprint(IDS)));
        let own = part.at.iter().map(|at| IDS[*at]);
        assert!(own.into_iter().all(|id| part.partition.takes(id)));
    }
}

#[test]
fn the_shares_of_a_hunt_follow_each_other_and_are_alike() {
    for (count, parts) in [(8, 8), (10, 3), (2, 5), (u64::MAX, 7), (1_000_003, 1000)] {
        let all = Partition::new(1, parts).expect("a part").siblings();
        let shares: Vec<Range<u64>> = all.map(|part| part.share(count)).collect();
        assert_eq!(
            (shares[0].start, shares[parts as usize - 1].end),
            (0, count)
        );
        assert!(shares.windows(2).all(|two| two[0].end == two[1].start));
        let sizes = shares.iter().map(|share| share.end - share.start);
        let (least, most) = (sizes.clone().min(), sizes.max());
        assert!(most.unwrap() - least.unwrap() <= 1, "{count} in {parts}");
    }
}

#[test]
fn the_fingerprint_sees_names_order_and_where_they_end() {
    let of = |ids: &[&str]| fingerprint(ids.iter().copied());
    assert_eq!(of(&["a", "bc"]), of(&["a", "bc"]));
    for other in [&["ab", "c"][..], &["bc", "a"], &["a"], &["a", "bc", ""]] {
        assert_ne!(of(&["a", "bc"]), of(other));
    }
}
