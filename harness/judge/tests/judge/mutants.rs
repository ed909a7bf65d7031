//! The judge against spoilt outcomes, and against a slow judge.

use proptest::prelude::*;
use ptodiff_contract::Permit;
use ptodiff_isa::{DType, Region, ScatterAtomicOp};
use ptodiff_judge::{Place, TargetVerdict};

use crate::fixture::{Fixture, GUARD, KEPT, STORED, conforms, findings};

/// Flips each bit of each byte, and names the place where the judge saw it.
fn every_flip(mut fixture: Fixture, expected: impl Fn(usize, usize) -> Place) {
    conforms(&fixture.verdict());
    for operand in 0..fixture.after.regions.len() {
        for byte in 0..fixture.after.regions[operand].bytes().len() {
            for bit in 0..8 {
                fixture.after.regions[operand].bytes_mut()[byte] ^= 1 << bit;
                let found = findings(fixture.verdict());
                assert_eq!(found.len(), 1);
                let place = expected(operand, byte);
                assert_eq!(found[0].place, place, "{operand} {byte} {bit}");
                fixture.after.regions[operand].bytes_mut()[byte] ^= 1 << bit;
            }
        }
    }
}

/// Bytes beyond the table in a long fixture.
const MORE: usize = 1024;

/// With [`MORE`] bytes at the end of the output that nothing writes: too long to
/// be compared as one piece.
fn long(mut fixture: Fixture) -> Fixture {
    for memory in [&mut fixture.before, &mut fixture.after] {
        let region = &mut memory.regions[0];
        let mut bytes = region.bytes().to_vec();
        let body = region.body_range();
        bytes.splice(body.end..body.end, [7; MORE]);
        *region = Region::new(region.role, bytes, body.start..body.end + MORE);
    }
    fixture
}

#[test]
fn no_flipped_bit_of_a_scatter_passes() {
    for (fixture, more) in [(Fixture::stored(), 0), (long(Fixture::stored()), MORE)] {
        every_flip(fixture, |operand, byte| {
            let len = [28 + more, 64, 32][operand];
            match byte.checked_sub(GUARD) {
                Some(at) if at < len && operand > 0 => Place::Input,
                Some(12..16) if operand == 0 => Place::Padding,
                Some(at) if at < 28 => Place::Valid,
                Some(at) if at < len => Place::Padding,
                _ => Place::Guard,
            }
        });
    }
}

/// What a slot is promised, said for that slot alone.
#[derive(Clone, Debug)]
enum Promise {
    Kept,
    Exactly(u8),
    OneOf(Vec<u8>),
    Between(u8, u8),
    Anything,
}

impl Promise {
    fn allows(&self, before: u8, got: u8) -> bool {
        match self {
            Self::Kept => got == before,
            Self::Exactly(value) => got == *value,
            Self::OneOf(values) => values.contains(&got),
            Self::Between(low, high) => (low..=high).contains(&&got),
            Self::Anything => true,
        }
    }
}

fn promise() -> impl Strategy<Value = Promise> {
    prop_oneof![
        Just(Promise::Kept),
        (0..4_u8).prop_map(Promise::Exactly),
        prop::collection::vec(0..4_u8, 2).prop_map(Promise::OneOf),
        (0..4_u8, 0..4_u8).prop_map(|(a, b)| Promise::Between(a.min(b), a.max(b))),
        Just(Promise::Anything),
    ]
}

/// An element of `size` bytes with `value` in its last byte, where a comparison that
/// stops short would not look; as an unsigned integer it grows with `value`.
fn element(size: usize, value: u8) -> Vec<u8> {
    let mut bytes = vec![0; size];
    bytes[size - 1] = value;
    bytes
}

/// Adds the promises as runs, neighbours of one kind together.
fn promised(fixture: &mut Fixture, size: usize, promises: &[Promise]) {
    let kind = std::mem::discriminant::<Promise>;
    let mut start = 0;
    for group in promises.chunk_by(|a, b| kind(a) == kind(b) && !matches!(a, Promise::Between(..)))
    {
        let (offset, len) = (start * size, group.len() * size);
        start += group.len();
        let image = |of: &dyn Fn(&Promise) -> u8| -> Vec<u8> {
            group.iter().flat_map(|p| element(size, of(p))).collect()
        };
        let nth = |n: usize| {
            image(&|p| match p {
                Promise::Exactly(value) => *value,
                Promise::OneOf(values) => values[n],
                Promise::Between(low, high) => [*low, *high][n],
                Promise::Kept | Promise::Anything => 0,
            })
        };
        match group[0] {
            Promise::Kept => {}
            Promise::Exactly(_) => fixture.exactly(offset, &nth(0)),
            Promise::OneOf(_) => fixture.one_of(offset, &[&nth(0), &nth(1)]),
            Promise::Between(..) => fixture.between(offset, &nth(0), &nth(1)),
            Promise::Anything => fixture.run(offset, len, Permit::Anything, STORED),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_slow_judge_counts_the_same(
        slots in prop::collection::vec((promise(), 0..4_u8, 0..4_u8), 7),
        dtype in prop::sample::select(vec![
            DType::Uint8, DType::Uint16, DType::Uint32, DType::Uint64,
        ]),
        is_long in any::<bool>(),
    ) {
        let size = dtype.size();
        let mut fixture = Fixture::scatter(dtype, ScatterAtomicOp::None);
        let promises: Vec<_> = slots.iter().map(|(promise, ..)| promise.clone()).collect();
        promised(&mut fixture, size, &promises);
        let mut wrong = 0;
        for (i, (promise, before, got)) in slots.iter().enumerate() {
            let place = i * size..(i + 1) * size;
            fixture.before.regions[0].body_mut()[place].copy_from_slice(&element(size, *before));
            fixture.write(i * size, &element(size, *got));
            wrong += u64::from(!promise.allows(*before, *got));
        }
        let more = if is_long { (MORE / size) as u64 } else { 0 };
        if is_long {
            fixture = long(fixture);
        }
        let free = promises.iter().filter(|p| matches!(p, Promise::Anything)).count() as u64;
        match fixture.verdict() {
            TargetVerdict::Conforms { compared, .. } => {
                prop_assert_eq!((wrong, compared), (0, 7 + more - free));
            }
            TargetVerdict::Violates { findings, .. } => {
                prop_assert!(wrong > 0);
                prop_assert_eq!(findings.len() as u64, wrong);
                prop_assert!(findings.iter().all(|f| f.clause.is_some()));
            }
            // Open everywhere: nothing is promised.
            TargetVerdict::Undefined(_) => prop_assert_eq!((free, more), (7, 0)),
            other => prop_assert!(false, "{:?} with {}", other, KEPT),
        }
    }
}
