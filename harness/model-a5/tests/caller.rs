//! What the caller owes, left out: values worked out by hand.

use crate::common::*;
use ptodiff_model_a5::{CallerStep, owed_by_caller, run_without};

/// What a role holds and what a store behind the call takes, without one step.
fn left(
    call: &Call,
    operands: &[(Role, Vec<u8>)],
    step: Option<&str>,
    role: Role,
) -> [Vec<i32>; 2] {
    let mut memory = memory(operands);
    let step = step.map(|name| name.parse::<CallerStep>().expect("a step"));
    let how = how(Schedule::InOrder);
    let (end, stored) =
        run_without(call, &mut memory, &how, step, &mut Log::default()).expect("a kernel");
    assert_eq!(end, End::Finished);
    [
        items(memory.get(role).expect("an operand").body()),
        items(&stored),
    ]
}

fn names(call: &Call) -> Vec<String> {
    owed_by_caller(call)
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// MGATHER-SYNC-11, -12.
#[test]
fn a_gather() {
    let data = tile(DType::Int32, 1, 8);
    let call = Call::Mgather(mgather(Coalesce::Elem, flat(DType::Int32, 8), data, data));
    assert_eq!(names(&call), ["caller MTE2->V", "caller V->MTE3"]);
    let operands = [
        (Role::Destination, bytes(&[-1_i32; 8])),
        (Role::Table, bytes(&[10_i32, 11, 12, 13, 14, 15, 16, 17])),
        (Role::Index, bytes(&[7_i32, 6, 5, 4, 3, 2, 1, 0])),
    ];
    let run = |step| left(&call, &operands, step, Role::Destination);
    let right = vec![17, 16, 15, 14, 13, 12, 11, 10];
    assert_eq!(run(None), [right.clone(), right.clone()]);
    // The index tile held 0 before its load.
    assert_eq!(run(Some("caller MTE2->V")), [vec![10; 8], vec![10; 8]]);
    assert_eq!(run(Some("caller V->MTE3")), [right, vec![-1; 8]]);
    // The load arrives in the end.
    let [index, _] = left(&call, &operands, Some("caller MTE2->V"), Role::Index);
    assert_eq!(index, [7, 6, 5, 4, 3, 2, 1, 0]);
}

/// MSCATTER-SYNC-12, MSCATTER-CACHE-02.
#[test]
fn a_scatter() {
    let data = tile(DType::Int32, 1, 8);
    let call = Call::Mscatter(mscatter(Coalesce::Elem, flat(DType::Int32, 8), data, data));
    assert_eq!(names(&call), ["caller MTE2->V", "caller flush"]);
    let operands = [
        (Role::Table, bytes(&[90_i32; 8])),
        (Role::Source, bytes(&[1_i32, 2, 3, 4, 5, 6, 7, 8])),
        (Role::Index, bytes(&[7_i32, 6, 5, 4, 3, 2, 1, 0])),
    ];
    let run = |step| {
        let [table, _] = left(&call, &operands, step, Role::Table);
        table
    };
    assert_eq!(run(None), [8, 7, 6, 5, 4, 3, 2, 1]);
    // All go to slot 0; the tile held another value in every byte, the last is !8.
    let got = run(Some("caller MTE2->V"));
    assert_eq!(got, [-9, 90, 90, 90, 90, 90, 90, 90]);
    assert_eq!(run(Some("caller flush")), [90; 8]);
}

/// TSCATTER-GAP-19: nothing is owed that could be left out.
#[test]
fn what_no_document_says() {
    let data = tile(DType::Int32, 1, 8);
    let call = Call::TscatterIndex(TscatterIndex {
        dst: data,
        src: data,
        idx: data,
    });
    assert!(names(&call).is_empty());
    let mut memory = memory(&[]);
    let how = how(Schedule::InOrder);
    let found = run_without(
        &call,
        &mut memory,
        &how,
        Some(CallerStep::Load),
        &mut Log::default(),
    );
    assert!(found.is_err());
}
