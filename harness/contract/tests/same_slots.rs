//! The comparison of permits with the enumeration sees every difference.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::common::{
    same::{adds, same},
    *,
};
use ptodiff_contract::{Permit, Permits, permits};
use ptodiff_enumerate::{NAN, Out, Reachable, Values, enumerate};
use ptodiff_isa::*;

/// Elements to six slots: plain, slot 0 from one and slot 2 from any of two;
/// else all to slot 5.
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
    let (src, idx) = match atomic {
        ScatterAtomicOp::None => (
            [3.0, 5.0, 1e8, 1.0, 1.0, 1.0, 1.0, 1.0],
            [0, 2, 2, 9, 9, 9, 9, 9],
        ),
        _ => ([0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9], [5; 8]),
    };
    let m = memory(&[
        (Role::Table, &floats(&[0.5; 6])),
        (Role::Source, &floats(&src)),
        (Role::Index, &words(&idx)),
    ]);
    (Call::Mscatter(call), m)
}

/// Whether permits and enumeration, changed by `change`, are taken for the same.
fn agree(atomic: ScatterAtomicOp, change: impl Fn(&mut Permits, &mut Reachable)) -> bool {
    let (call, m) = call(atomic);
    let readings = Readings::default();
    let mut p = permits(&call, &[&m], Target::A5, &readings).unwrap();
    let out = enumerate(&call, &[&m], Target::A5, &readings);
    let Out::Of(mut reachable) = out else {
        panic!("{out:?}")
    };
    change(&mut p, &mut reachable);
    let compared = AssertUnwindSafe(|| same(&p, &reachable, &[&m], adds(&call), &String::new));
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
fn intervals_end_where_sums_do() {
    let sums = |r: &Reachable| r.slots[5].set(0).expect("sums");
    // All are positive: their bits are in their order.
    let interval = |p: &mut Permits, r: &Reachable, wide| {
        let all = sums(r);
        assert!(all.len() > 2, "{all:?}");
        let ends = [all.first(), all.last()].map(|end| *end.unwrap() as u32);
        let low = p.pool.len();
        p.pool.extend(ends.into_iter().flat_map(u32::to_le_bytes));
        p.operands[0].runs[0].permit = Permit::Between {
            low,
            high: low + 4,
            more: 0,
            wide,
        };
    };
    let infinity = f32::INFINITY.to_bits();
    let single = |p: &mut Permits| {
        if let Permit::Between { more, .. } = &mut p.operands[0].runs[0].permit {
            *more = 1;
        }
        p.pool.extend(infinity.to_le_bytes());
    };
    type Change<'a> = &'a dyn Fn(&mut Permits, &mut Reachable);
    let add = |r: &mut Reachable, x| r.slots[5] = Values::These(&sums(r) | &[x].into());
    // Whether a change is seen where the ends are reached, and where they are wide.
    let changes: [(Change<'_>, [bool; 2]); 7] = [
        (&|_, _| {}, [false, false]),
        (&|_, r| add(r, bits(1e9)), [true, true]),
        (&|_, r| add(r, bits(-1e9)), [true, true]),
        (&|_, r| add(r, NAN), [true, true]),
        (&|_, r| r.slots[5] = Values::Anything, [true, true]),
        (
            &|_, r| {
                let mut all = sums(r);
                all.pop_last();
                r.slots[5] = Values::These(all);
            },
            [true, false],
        ),
        (&|p, _| single(p), [true, false]),
    ];
    for (n, (change, seen)) in changes.into_iter().enumerate() {
        for (wide, seen) in [false, true].into_iter().zip(seen) {
            let alike = agree(ScatterAtomicOp::Add, |p, r| {
                interval(p, r, wide);
                change(p, r);
            });
            assert_eq!(alike, !seen, "change {n}, wide: {wide}");
        }
    }
}
