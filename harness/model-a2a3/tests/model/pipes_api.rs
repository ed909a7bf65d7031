//! What the pipes report: findings, traces, names.

use ptodiff_isa::{
    Call, Coalesce, DType, Fault, GatherOob, Log, Memory,
    Pipe::{MTE2, MTE3, S, V},
    Readings, Role, Tgatherb,
};
use ptodiff_model_a2a3::{Handshake, Phase, Seen, Surroundings, handshakes, run_pipes};

use crate::{
    common::{bytes, image, in_ub, memory, mgather, mscatter, nd, tile},
    pipes::{named, outcome, row_gather},
};

/// Eight elements into a tile of sevens; element k of the table is k.
fn elem_gather(index: [i32; 8]) -> (Call, Memory) {
    let row = tile(DType::Int32, [1, 8], [1, 8]);
    let table = nd(DType::Int32, 1, 8);
    let call = Call::Mgather(mgather(Coalesce::Elem, row, table, row));
    let operands = [bytes(0..8_i32), bytes([7_i32; 8]), bytes(index)];
    (call, in_ub(&call, operands))
}

/// Elements of `table` that a scatter replaces by 10, 11, ... where `index` says.
fn elem_scatter<const N: usize>(table: [i32; 8], index: [i32; N]) -> (Call, Memory) {
    let row = tile(DType::Int32, [1, 8], [1, N as u64]);
    let gm = nd(DType::Int32, 1, 8);
    let call = Call::Mscatter(mscatter(Coalesce::Elem, gm, row, row));
    let operands = [
        bytes(table),
        bytes(10..18_i32),
        bytes(image(&row, &index, 0)),
    ];
    (call, in_ub(&call, operands))
}

/// What the operation `what` of the caller's found.
fn seen<'s>(found: &'s Surroundings, what: &str) -> &'s Seen {
    found.seen.iter().find(|s| s.what == what).expect("seen")
}

/// The body of an operand.
fn body(memory: &Memory, role: Role) -> &[u8] {
    memory.get(role).expect("an operand").body()
}

/// MGATHER-SYNC-06: what V finds without S->V is the tile before the call, and
/// what MTE3 finds is the tile after it.
#[test]
fn consumers_are_told_apart() {
    let (call, before) = elem_gather([7, 6, 5, 4, 3, 2, 1, 0]);
    let (memory, found) = outcome(&call, &before, Some("after S->V"));
    let gathered = bytes([7_i32, 6, 5, 4, 3, 2, 1, 0]);
    let vector = seen(&found, "vector operation after the call");
    assert_eq!((vector.pipe, vector.role), (V, Role::Destination));
    assert_eq!(vector.bytes, bytes([7_i32; 8]));
    let store = seen(&found, "store after the call");
    assert_eq!((store.pipe, &store.bytes), (MTE3, &gathered));
    assert_eq!(body(&memory, Role::Destination), gathered);
}

/// MGATHER-SYNC-04: without MTE2->S a load of half the tile comes last of all,
/// after the store that found what was gathered.
#[test]
fn the_pipe_that_nobody_waited_for_is_last() {
    let (call, before) = elem_gather([0, 1, 2, 3, 4, 5, 6, 0]);
    let (memory, found) = outcome(&call, &before, Some("before MTE2->S"));
    let store = seen(&found, "store after the call");
    assert_eq!(store.bytes, bytes([0_i32, 1, 2, 3, 4, 5, 6, 0]));
    let got = body(&memory, Role::Destination);
    assert_eq!(got, bytes([0_i32, 1, 2, 3, 7, 7, 7, 7]));
}

/// MGATHER-SYNC-04: without V->S the scalar pipe reads indices as they were
/// loaded, each of them with another lowest bit than V gives it.
#[test]
fn raw_indices_are_others() {
    let (call, before) = elem_gather([1, 3, 5, 7, 0, 2, 4, 6]);
    let (memory, _) = outcome(&call, &before, Some("before V->S"));
    let got = body(&memory, Role::Destination);
    assert_eq!(got, bytes([0_i32, 2, 4, 6, 1, 3, 5, 7]));
}

/// MSCATTER-SYNC-05: without MTE3->S a store to the first half of the table is
/// still under way when V reads it, whatever it stores.
#[test]
fn no_byte_is_there_before_it_is_stored() {
    for byte in [0, 1, 0x5A, 0xFF] {
        let table = [i32::from_le_bytes([byte; 4]); 8];
        let (call, before) = elem_scatter(table, [7]);
        let (memory, found) = outcome(&call, &before, Some("before MTE3->S"));
        let vector = seen(&found, "vector operation after the call");
        assert!(vector.bytes[..16].iter().all(|&b| b != byte), "{byte}");
        assert_eq!(body(&memory, Role::Table)[..16], [byte; 16]);
    }
}

/// The scalar pipe needs no handshake to see its own stores.
#[test]
fn own_stores_are_no_news() {
    let (call, before) = elem_scatter([0; 8], [7, 6, 5, 4, 3, 2, 1, 0]);
    let (_, found) = outcome(&call, &before, None);
    let load = seen(
        &found,
        "scalar load of the table's second half after the call",
    );
    assert_eq!((load.pipe, load.role), (S, Role::Table));
    assert_eq!(load.bytes, bytes([13_i32, 12, 11, 10]));
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
        let unknown = text.parse::<Handshake>().expect_err(text);
        assert!(unknown.to_string().contains("`before V->S`"), "{text}");
    }
}

/// A handshake of another kernel cannot be left out; TGATHERB has none
/// (TGATHERB-GAP-15).
#[test]
fn handshakes_belong_to_kernels() {
    let rejected = |call: &Call, memory: &Memory, text: &str| {
        let (mut memory, mut log) = (memory.clone(), Log::default());
        let readings = Readings::default();
        let without = Some(named(text));
        run_pipes(call, &mut memory, &readings, without, &mut log)
    };
    let (call, before) = row_gather(GatherOob::Clamp);
    let fault = Fault("this kernel issues no `before MTE2->S`".to_owned());
    assert_eq!(rejected(&call, &before, "before MTE2->S"), Err(fault));

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
    assert!(rejected(&call, &before, "before V->S").is_err());
    let (after, found) = outcome(&call, &before, None);
    assert_eq!(found, Surroundings::default());
    let got = after.get(Role::Destination).unwrap().body();
    assert_eq!(got, bytes([11_i32; 8]));
}
