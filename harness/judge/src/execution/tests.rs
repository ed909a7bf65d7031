//! The quick check by itself: where it gives no verdict a longer look comes to the
//! same, so that verdicts do not show whether it ever gives one.

use ptodiff_contract::{OperandPermits, Permits};
use ptodiff_isa::{
    Clause, DType, Memory, OobAccess, OobAccesses, Party, Region, Role, Schedule, Target,
};

use super::*;
use crate::{Expect, output_comparison::tests::call};

/// Slots of a byte, all of them kept.
const SLOTS: usize = 32;

const STRAYS: Clause = Clause("A-01");

fn memory() -> Memory {
    let bytes = vec![7; SLOTS];
    Memory {
        regions: vec![Region::new(Role::Destination, bytes, 0..SLOTS)],
    }
}

fn ran(schedule: Schedule) -> Ran {
    Ran {
        memory: memory(),
        oob_accesses: OobAccesses::default(),
        inputs_changed: Vec::new(),
        schedule,
    }
}

/// What a quick check says of a party that must keep all its slots.
fn quick_check(ran: Vec<Ran>, oob_accesses: Option<Clause>) -> Option<TargetVerdict> {
    let permits = Permits {
        operands: vec![OperandPermits {
            role: Role::Destination,
            dtype: DType::Uint8,
            runs: Vec::new(),
            kept: Clause("A-02"),
            guards_free: None,
        }],
        pool: Vec::new(),
        oob_accesses,
    };
    let (call, before) = (call(DType::Uint8, 1, SLOTS as u64), memory());
    let party = Party::of(Target::A5);
    let context = CaseContext {
        call: &call,
        before: &before,
        lanes: &|_, _, _| Vec::new(),
        readings: &ptodiff_isa::TargetReadings::default(),
    };
    let answers: Vec<_> = ran.into_iter().map(Answer::Ran).collect();
    let input = PartyInput {
        party: &party,
        legality: &[],
        preconditions: &[],
        hangs: None,
        permits: Some(&permits),
        answers: &answers,
        expect: Expect::default(),
    };
    quick_verdict(Verbosity::Full, &context, &input, &mut Vec::new())
}

#[test]
fn a_glance_is_enough_where_all_answers_are_the_same_and_well() {
    let conforms = Some(TargetVerdict::Conforms {
        compared: SLOTS as u64,
        unused_freedom: Vec::new(),
    });
    let both = [Schedule::InOrder, Schedule::Reversed].map(ran);
    assert_eq!(quick_check(both.to_vec(), None), conforms);
    let mut oob_access = ran(Schedule::InOrder);
    oob_access.oob_accesses.push(OobAccess {
        role: Role::Destination,
        offset: -1,
        len: 1,
        write: false,
    });
    assert_eq!(
        quick_check(vec![oob_access.clone()], Some(STRAYS)),
        conforms
    );
    // There is more to say of these.
    assert_eq!(quick_check(vec![oob_access], None), None);
    let [first, mut other] = both;
    other.memory.regions[0].body_mut()[3] ^= 1;
    assert_eq!(quick_check(vec![first, other], None), None);
    assert_eq!(quick_check(Vec::new(), None), None);
}
