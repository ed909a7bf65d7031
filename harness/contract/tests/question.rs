//! One question says what the four functions say.

use crate::common::{calls::*, *};
use ptodiff_contract::{
    Broken, Promise, Question, Verbosity, data_preconditions, hangs, legality, permits,
};
use ptodiff_isa::*;

use Target::{A2a3, A5, Cpu};

/// Asks in both tellings, and compares; what is said in full.
fn agrees(call: &Call, steps: &[Memory], target: Target, readings: &Readings) -> Promise {
    let all: Vec<&Memory> = steps.iter().collect();
    let [_, full] = [Verbosity::Brief, Verbosity::Full].map(|verbosity| {
        let told = |mut broken: Vec<Broken>| {
            if verbosity == Verbosity::Brief {
                broken.iter_mut().for_each(|b| b.why.clear());
            }
            broken
        };
        let question = Question {
            call,
            target,
            readings,
            verbosity,
        };
        let mut promise = Promise::of_call(&question);
        assert_eq!(promise.legality(), told(legality(call, target, readings)));
        assert!(promise.preconditions().is_empty() && promise.hangs().is_none());
        assert!(promise.permits().is_none());
        promise.of_data(&question, steps);
        let preconditions = told(data_preconditions(call, &all, target, readings));
        assert_eq!(
            promise.preconditions(),
            preconditions,
            "{call:?} on {target}"
        );
        assert_eq!(promise.hangs(), hangs(call, target, readings));
        let clean = promise.legality().is_empty() && preconditions.is_empty();
        let own = permits(call, &all, target, readings).ok();
        let own = own.as_ref().filter(|_| clean);
        assert_eq!(promise.permits(), own, "{call:?} on {target}");
        promise
    });
    full
}

/// A gather of one row of eight.
fn gathered() -> Call {
    Call::Mgather(gather(
        tile(DType::Float, [1, 8], [1, 8]),
        matrix(DType::Float, 2, 8),
        tile(DType::Int32, [1, 8], [1, 8]),
        Coalesce::Elem,
    ))
}

fn step(indices: &[i64]) -> Memory {
    memory(&[
        (Role::Destination, &[2; 32]),
        (Role::Table, &[3; 64]),
        (Role::Source, &[4; 32]),
        (Role::Index, &words(indices)),
    ])
}

fn bad() -> Memory {
    step(&[0, 1, 2, 3, 4, 99, 6, 7])
}

fn good() -> Memory {
    step(&[7, 6, 5, 4, 3, 2, 1, 0])
}

#[test]
fn preconditions_of_any_step_count() {
    let tscatter = Call::TscatterIndex(TscatterIndex {
        dst: tile(DType::Float, [1, 8], [1, 8]),
        src: tile(DType::Float, [1, 8], [1, 8]),
        idx: tile(DType::Int32, [1, 8], [1, 8]),
    });
    let scatter = Call::Mscatter(scatter(
        matrix(DType::Float, 2, 8),
        tile(DType::Float, [1, 8], [1, 8]),
        tile(DType::Int32, [1, 8], [1, 8]),
        Coalesce::Elem,
    ));
    let readings = Readings::default();
    for call in [tscatter, scatter, gathered()] {
        for target in [Cpu, A2a3, A5] {
            for (steps, owed) in [
                (vec![good()], 0),
                (vec![bad()], 1),
                (vec![bad(), good()], 1),
                (vec![good(), bad()], 1),
                (vec![good(), good(), good()], 0),
            ] {
                let promise = agrees(&call, &steps, target, &readings);
                assert_eq!(promise.preconditions().len(), owed, "{call:?} on {target}");
                assert_eq!(promise.permits().is_some(), owed == 0);
            }
        }
    }
}

#[test]
fn preconditions_of_rows_without_columns_count() {
    let call = Call::MgatherL1(MgatherL1 {
        dst: Tile {
            valid_col: Dim::Dynamic(0),
            ..l1_tile(DType::Half, [16, 16], [2, 1])
        },
        ..l1(
            l1_tile(DType::Half, [16, 16], [2, 1]),
            matrix(DType::Half, 2, 16),
            matrix(DType::Int32, 1, 2),
            Coalesce::Row,
        )
    });
    let memory = memory(&[
        (Role::Destination, &[4; 512]),
        (Role::Table, &[1; 64]),
        (Role::Index, &words(&[0, 9])),
    ]);
    let promise = agrees(&call, &[memory], A5, &Readings::default());
    assert_eq!(promise.preconditions().len(), 1);
}
