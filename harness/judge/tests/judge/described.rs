//! Which differences between two targets are described: the first few, and then
//! the first of every other kind of place and clauses.

use ptodiff_isa::{Call, Clause, DType, Role, ScatterAtomicOp};
use ptodiff_judge::{DESCRIBED, Place};

use crate::agreement::{differences, pair};
use crate::fixture::{Fixture, KEPT, STORED, region, table};

const FREE: Clause = Clause("MSCATTER-CONF-14");

/// Ten elements and two slots of padding, this stored in all that runs cover:
/// each so many slots, by this clause, with this freedom.
fn stored(value: u8, runs: &[(usize, Clause, Option<Clause>)]) -> Fixture {
    let mut fixture = Fixture::scatter(DType::Int8, ScatterAtomicOp::None);
    if let Call::Mscatter(call) = &mut fixture.call {
        call.table = table(DType::Int8, [1, 1, 1, 1, 10], [10, 10, 10, 10, 1]);
    }
    fixture.before.regions[0] = region(Role::Table, 12);
    fixture.after = fixture.before.clone();
    let mut offset = 0;
    for &(len, clause, freedom) in runs {
        let bytes = vec![value; len];
        fixture.exactly(offset, &bytes);
        fixture.write(offset, &bytes);
        if let Some(run) = fixture.permits.operands[0].runs.last_mut() {
            (run.clause, run.freedom) = (clause, freedom);
        }
        offset += len;
    }
    fixture
}

/// The places of the slots that are described where all that runs cover differs.
fn described(runs: &[(usize, Clause, Option<Clause>)]) -> Vec<(usize, Place)> {
    let found = differences(pair(&stored(1, runs), &stored(2, runs)));
    let slots: usize = runs.iter().map(|(len, ..)| len).sum();
    assert_eq!(found.slots, slots as u64);
    let described = found.described.iter();
    described.map(|slot| (slot.offset, slot.place)).collect()
}

fn first_few() -> Vec<(usize, Place)> {
    (0..DESCRIBED).map(|slot| (slot, Place::Valid)).collect()
}

#[test]
fn padding_is_another_kind_of_place() {
    let all = [first_few(), vec![(10, Place::Padding)]].concat();
    assert_eq!(described(&[(12, STORED, None)]), all);
}

#[test]
fn another_run_by_the_same_clauses_is_no_other_kind() {
    let runs = [(9, STORED, None), (1, STORED, None)];
    assert_eq!(described(&runs), first_few());
    // What permits it is the kind, whoever stored.
    let runs = [(9, STORED, Some(FREE)), (1, KEPT, Some(FREE))];
    assert_eq!(described(&runs), first_few());
}
