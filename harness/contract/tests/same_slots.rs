//! The comparison of permits with the enumeration sees every difference.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::common::{same::same, *};
use ptodiff_contract::{Permit, Permits, permits};
use ptodiff_enumerate::{Out, Reachable, Values, enumerate};
use ptodiff_isa::*;

/// Elements to six slots: plain, slot 0 from one and slot 2 from any of two;
/// else all to slot 5, too many to list what they may leave.
fn call(atomic: ScatterAtomicOp) -> (Call, Memory) {
    let call = Mscatter {
        atomic,
        conflict: ScatterConflict::Default,
        oob: ScatterOob::Skip,
        ..scatter(
            matrix(DType::Float, 1, 6),
            tile(DType::Float, [1, 8], [1, 8]),
            tile(DType::Int32, [1, 8], [1, 8]),
            Coalesce::Elem,
        )
    };
    let src = [3.0, 5.0, 1e8, 1.0, -1e8, 7.0, 0.1, 0.2];
    let idx = match atomic {
        ScatterAtomicOp::None => [0, 2, 2, 9, 9, 9, 9, 9],
        _ => [5; 8],
    };
    let m = memory(&[
        (Role::Table, &floats(&[0.5; 6])),
        (Role::Source, &floats(&src)),
        (Role::Index, &words(&idx)),
    ]);
    (Call::Mscatter(call), m)
}

/// Whether permits and enumeration, changed by `change`, are taken for the same.
fn agree(atomic: ScatterAtomicOp, change: fn(&mut Permits, &mut Reachable)) -> bool {
    let (call, m) = call(atomic);
    let readings = Readings::default();
    let mut p = permits(&call, &[&m], Target::A5, &readings).unwrap();
    let out = enumerate(&call, &[&m], Target::A5, &readings);
    let Out::Of(mut reachable) = out else {
        panic!("{out:?}")
    };
    change(&mut p, &mut reachable);
    let compared = AssertUnwindSafe(|| same(&p, &reachable, &[&m], &String::new));
    catch_unwind(compared).is_ok()
}

fn bits(x: f32) -> u64 {
    x.to_bits().into()
}

const NONE: ScatterAtomicOp = ScatterAtomicOp::None;

#[test]
fn differences_are_seen() {
    assert!(agree(NONE, |_, _| {}));
    // Kept slots stand for what they held.
    assert!(agree(NONE, |_, r| r.slots[1] = Values::These([bits(0.5)].into())));
    let changes: [fn(&mut Permits, &mut Reachable); 9] = [
        |_, r| r.slots[0] = Values::Kept,
        |_, r| r.slots[0] = Values::These([bits(5.0)].into()),
        |_, r| r.slots[0] = Values::These([bits(3.0), bits(5.0)].into()),
        |_, r| r.slots[1] = Values::These([bits(3.0)].into()),
        |_, r| r.slots[2] = Values::These([bits(5.0)].into()),
        |_, r| r.slots[2] = Values::These([bits(5.0), bits(1e8), bits(9.0)].into()),
        |_, r| r.slots[2] = Values::Anything,
        |_, r| _ = r.slots.pop(),
        |p, _| {
            let source = p.operands.iter().position(|o| o.role == Role::Source);
            let runs = p.operands[0].runs.clone();
            p.operands[source.unwrap()].runs = runs;
        },
    ];
    for (n, change) in changes.into_iter().enumerate() {
        assert!(!agree(NONE, change), "change {n}");
    }
}

#[test]
fn intervals_hold_what_is_reached() {
    let add = ScatterAtomicOp::Add;
    assert!(agree(add, |p, _| {
        let permit = p.operands[0].runs[0].permit;
        assert!(matches!(permit, Permit::Between { .. }), "{permit:?}");
    }));
    let changes: [fn(&mut Permits, &mut Reachable); 3] = [
        // Beyond every sum.
        |_, r| r.slots[5] = Values::These([bits(1.0), bits(1e9)].into()),
        |_, r| r.slots[5] = Values::These([bits(1.0), bits(-1e9)].into()),
        |_, r| r.slots[5] = Values::Anything,
    ];
    for (n, change) in changes.into_iter().enumerate() {
        assert!(!agree(add, change), "change {n}");
    }
}
