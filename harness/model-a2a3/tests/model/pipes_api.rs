//! What the pipes report: findings, traces, names.

use ptodiff_isa::{
    Call, Coalesce, DType, Event, Fault, GatherOob, Log, Memory,
    Pipe::{MTE2, MTE3, S, V},
    Readings, Role, ScatterAtomicOp, Tgatherb,
};
use ptodiff_model_a2a3::{Handshake, Phase, Surroundings, handshakes, run_pipes};

use crate::{
    common::{bytes, in_ub, memory, mgather, nd, tile},
    pipes::{named, outcome, row_gather, row_scatter},
};

/// MGATHER-SYNC-06: what V finds without S->V is the tile before the call, and
/// what MTE3 finds is the tile after it.
#[test]
fn consumers_are_told_apart() {
    let call = Call::Mgather(mgather(
        Coalesce::Elem,
        tile(DType::Int32, [1, 8], [1, 8]),
        nd(DType::Int32, 1, 8),
        tile(DType::Int32, [1, 8], [1, 8]),
    ));
    let operands = [
        bytes(0..8_i32),
        bytes([7_i32; 8]),
        bytes([7_i32, 6, 5, 4, 3, 2, 1, 0]),
    ];
    let (memory, found) = outcome(&call, &in_ub(&call, operands), Some("after S->V"));
    let gathered = bytes([7_i32, 6, 5, 4, 3, 2, 1, 0]);
    let seen = |what| found.seen.iter().find(|s| s.what == what).expect("seen");
    let vector = seen("vector operation after the call");
    assert_eq!((vector.pipe, vector.role), (V, Role::Destination));
    assert_eq!(vector.bytes, bytes([7_i32; 8]));
    let store = seen("store after the call");
    assert_eq!((store.pipe, &store.bytes), (MTE3, &gathered));
    assert_eq!(memory.get(Role::Destination).unwrap().body(), gathered);
}

/// The trace lacks the events of the pair that was left out, and no other.
#[test]
fn a_trace_without_a_pair() {
    let (call, before) = row_scatter(ScatterAtomicOp::None);
    let trace = |without: Option<&str>| {
        let mut memory = before.clone();
        let mut log = Log {
            trace: Some(Vec::new()),
            ..Log::default()
        };
        let without = without.map(named);
        run_pipes(&call, &mut memory, &Readings::default(), without, &mut log).unwrap();
        log.trace.unwrap()
    };
    let whole = trace(None);
    let mut cut = whole.clone();
    let (from, to) = (MTE3, S);
    cut.retain(|e| *e != Event::SetFlag { from, to } && *e != Event::WaitFlag { from, to });
    assert_eq!(whole.len() - cut.len(), 8);
    assert_eq!(trace(Some("body MTE3->S")), cut);
}

#[test]
fn names() {
    let handshake = Handshake {
        phase: Phase::Reset,
        from: MTE3,
        to: MTE2,
    };
    assert_eq!(handshake.to_string(), "reset MTE3->MTE2");
    assert_eq!("reset MTE3->MTE2".parse(), Ok(handshake));
    for text in [
        "",
        "V->S",
        "before V",
        "before V-S",
        "early V->S",
        "before V->X",
    ] {
        assert!(text.parse::<Handshake>().is_err(), "{text}");
    }
}

/// A handshake of another kernel cannot be left out; TGATHERB has none
/// (TGATHERB-GAP-15).
#[test]
fn handshakes_belong_to_kernels() {
    let refused = |call: &Call, memory: &Memory, text: &str| {
        let (mut memory, mut log) = (memory.clone(), Log::default());
        let readings = Readings::default();
        let without = Some(named(text));
        run_pipes(call, &mut memory, &readings, without, &mut log)
    };
    let (call, before) = row_gather(GatherOob::Clamp);
    let fault = Fault("this kernel issues no `before MTE2->S`".to_owned());
    assert_eq!(refused(&call, &before, "before MTE2->S"), Err(fault));

    let row = tile(DType::Int32, [1, 8], [1, 8]);
    let call = Call::Tgatherb(Tgatherb {
        dst: row,
        src: row,
        offset: tile(DType::Uint32, [1, 8], [1, 8]),
    });
    let before = memory([
        (Role::Destination, bytes([0_i32; 8])),
        (Role::Source, bytes(10..18_i32)),
        (Role::Index, bytes([4_u32; 8])),
    ]);
    assert_eq!(handshakes(&call), []);
    assert!(refused(&call, &before, "before V->S").is_err());
    let (after, found) = outcome(&call, &before, None);
    assert_eq!(found, Surroundings::default());
    assert_eq!(
        after.get(Role::Destination).unwrap().body(),
        bytes([11_i32; 8])
    );
}

/// The pair of the caller's is MTE2->V (MSCATTER-SYNC-01): no kernel issues it
/// on its way in.
#[test]
fn the_callers_duty_is_no_handshake_of_the_kernel() {
    let (call, _) = row_scatter(ScatterAtomicOp::None);
    let duty = Handshake {
        phase: Phase::Before,
        from: MTE2,
        to: V,
    };
    assert!(!handshakes(&call).contains(&duty));
}
