//! Permits written over others are what permits of their own would be.

use crate::common::{calls::*, *};
use ptodiff_contract::{Permits, permits, permits_into};
use ptodiff_isa::*;

use Target::{A2a3, A5, Cpu};

/// Calls with their operands: many runs and few, with a staging area and
/// without, open ones, and one that lacks an operand.
fn all() -> Vec<(Call, Memory, Target)> {
    let conflicts = Call::Mscatter(Mscatter {
        conflict: ScatterConflict::Default,
        ..scatter(
            matrix(DType::Float, 4, 8),
            tile(DType::Float, [1, 8], [1, 8]),
            tile(DType::Int32, [1, 8], [1, 8]),
            Coalesce::Elem,
        )
    });
    let indices = words(&[0, 2, 2, 4, 6, 6, 7, 20]);
    let scattered = memory(&[
        (Role::Table, &[1; 128]),
        (
            Role::Source,
            &floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]),
        ),
        (Role::Index, &indices),
    ]);
    let gathers = Call::Mgather(gather(
        tile(DType::Float, [1, 8], [1, 8]),
        matrix(DType::Float, 2, 8),
        tile(DType::Int32, [1, 8], [1, 8]),
        Coalesce::Elem,
    ));
    let gathered = memory(&[
        (Role::Destination, &[2; 32]),
        (Role::Table, &[3; 64]),
        (Role::Index, &words(&[0, 1, 2, 3, 4, 15, 99, 5])),
    ]);
    let staged = Call::MgatherL1(l1(
        l1_tile(DType::Half, [16, 16], [2, 3]),
        matrix(DType::Half, 2, 16),
        matrix(DType::Int32, 2, 3),
        Coalesce::Elem,
    ));
    let in_l1 = memory(&[
        (Role::Destination, &[4; 512]),
        (Role::Table, &halves(&[7; 32])),
        (Role::Index, &words(&[0, 1, 2, 3, 4, 5])),
        (Role::Scratch, &[5; 512]),
    ]);
    vec![
        (conflicts, scattered.clone(), A5),
        (conflicts, scattered.clone(), A2a3),
        (gathers, gathered.clone(), A5),
        (staged, in_l1.clone(), A2a3),
        (staged, in_l1, Cpu),
        (gathers, scattered, A5),
    ]
}

#[test]
fn whatever_stood_there_before() {
    let readings = Readings::default();
    let (mut given, mut rejected) = (0, 0);
    for (before, old, first) in all() {
        for (call, memory, target) in all() {
            let mut into = Permits::default();
            let _ = permits_into(&mut into, &before, &[&old], first, &readings);
            let written = permits_into(&mut into, &call, &[&memory], target, &readings);
            match permits(&call, &[&memory], target, &readings) {
                Ok(own) => {
                    given += 1;
                    assert_eq!(written, Ok(()));
                    assert_eq!(into, own, "{before:?}, then {call:?} on {target}");
                }
                Err(why) => {
                    rejected += 1;
                    assert_eq!(written, Err(why));
                    assert_eq!(into, Permits::default());
                }
            }
        }
    }
    assert_eq!((given, rejected), (30, 6));
}

#[test]
fn in_the_memory_that_they_had() {
    let readings = Readings::default();
    for (call, memory, target) in all().into_iter().take(4) {
        let mut into = Permits::default();
        let mut places = Vec::new();
        for _ in 0..2 {
            permits_into(&mut into, &call, &[&memory], target, &readings).expect("operands fit");
            let lists = into.operands.iter().filter(|o| !o.runs.is_empty());
            let mut all: Vec<_> = lists.map(|o| o.runs.as_ptr().addr()).collect();
            all.push(into.operands.as_ptr().addr());
            all.push(into.pool.as_ptr().addr());
            places.push(all);
        }
        assert_eq!(places[0], places[1], "{call:?} on {target}");
    }
}
