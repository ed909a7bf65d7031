//! What a trace holds: loads and stores, element by element (MSCATTER-SYNC-13,
//! MGATHER-SYNC-13).

use ptodiff_isa::Role::{Destination, Index, Source, Table};
use ptodiff_isa::Space::{Gm, L1, Ub};
use ptodiff_isa::{
    Call, Coalesce, DType, Event, GatherOob, MaskAxis, MaskPattern, OffsetGranularity, Readings,
    Role, ScatterAtomicOp, ScatterOob, Scope, Space, Tgatherb, TscatterIndex, TscatterMask,
    Unaddressed,
};

use crate::common::{
    counted, flat, full, gather, gather_l1, i32s, nz, ran, reading, rows, scatter, tile, u16s,
};

fn trace(readings: Readings, call: Call, operands: &[&[u8]]) -> Vec<Event> {
    let ran = ran(readings, call, operands);
    assert_eq!(ran.outside(), []);
    ran.events().to_vec()
}

fn load(space: Space, role: Role, offset: i64, len: u64) -> Event {
    Event::Load {
        space,
        role,
        offset,
        len,
    }
}

fn store(space: Space, role: Role, offset: i64, len: u64) -> Event {
    Event::Store {
        space,
        role,
        offset,
        len,
    }
}

/// The loads and stores of tiles in UB and of a table of words in GM.
fn words(accesses: &[(bool, Role, i64)]) -> Vec<Event> {
    let event = |&(stored, role, offset): &_| {
        let space = if role == Table { Gm } else { Ub };
        match stored {
            true => store(space, role, offset, 4),
            false => load(space, role, offset, 4),
        }
    };
    accesses.iter().map(event).collect()
}

fn fill(len: u64) -> Event {
    Event::Fill {
        name: None,
        space: Ub,
        role: Destination,
        offset: 0,
        len,
    }
}

const LOAD: bool = false;
const STORE: bool = true;

#[test]
fn a_scattered_element_is_an_index_a_source_and_a_store() {
    let tile = full(DType::Int32, [2, 2]);
    let call = Call::Mscatter(scatter(flat(DType::Int32, 8), tile, tile));
    let operands: [&[u8]; 3] = [&[0; 32], &counted(1, 4), &i32s(&[6, 0, 1, 6])];
    let expected: Vec<_> = [24, 0, 4, 24]
        .into_iter()
        .zip([0, 4, 8, 12])
        .flat_map(|(to, at)| [(LOAD, Index, at), (LOAD, Source, at), (STORE, Table, to)])
        .collect();
    let got = trace(Readings::default(), call, &operands);
    assert_eq!(got, words(&expected));
}

#[test]
fn a_scattered_row_has_one_index_and_a_skipped_row_no_more_than_that() {
    let (src, idx) = (full(DType::Int32, [2, 2]), full(DType::Int32, [1, 2]));
    let mut call = scatter(rows(DType::Int32, 2, 2), src, idx);
    (call.mode, call.oob) = (Coalesce::Row, ScatterOob::Skip);
    call.atomic = ScatterAtomicOp::Add;
    let templated = reading(|r| r.cpu_form = ptodiff_isa::CpuForm::Templated);
    let operands: [&[u8]; 3] = [&[0; 16], &counted(1, 4), &i32s(&[2, 1])];
    let expected = [
        (LOAD, Index, 0),
        (LOAD, Index, 4),
        (LOAD, Source, 8),
        (LOAD, Table, 8),
        (STORE, Table, 8),
        (LOAD, Source, 12),
        (LOAD, Table, 12),
        (STORE, Table, 12),
    ];
    let got = trace(templated, Call::Mscatter(call), &operands);
    assert_eq!(got, words(&expected));
}

#[test]
fn a_zero_is_stored_and_never_loaded() {
    let (zero, two) = (GatherOob::Zero, full(DType::Int32, [1, 2]));
    let call = gather(Coalesce::Elem, zero, two, flat(DType::Int32, 8), two);
    let operands: [&[u8]; 3] = [&[0; 8], &counted(0, 8), &i32s(&[8, 7])];
    let expected = [
        (LOAD, Index, 0),
        (STORE, Destination, 0),
        (LOAD, Index, 4),
        (LOAD, Table, 28),
        (STORE, Destination, 4),
    ];
    let got = trace(Readings::default(), Call::Mgather(call), &operands);
    assert_eq!(got, words(&expected));

    // A row has one index.
    let (dst, idx) = (full(DType::Int32, [2, 2]), full(DType::Int32, [2, 1]));
    let call = gather(Coalesce::Row, zero, dst, rows(DType::Int32, 3, 2), idx);
    let operands: [&[u8]; 3] = [&[0; 16], &counted(0, 6), &i32s(&[2, 3])];
    let expected = [
        (LOAD, Index, 0),
        (LOAD, Table, 16),
        (STORE, Destination, 0),
        (LOAD, Table, 20),
        (STORE, Destination, 4),
        (LOAD, Index, 4),
        (STORE, Destination, 8),
        (STORE, Destination, 12),
    ];
    let got = trace(Readings::default(), Call::Mgather(call), &operands);
    assert_eq!(got, words(&expected));
}

// Float [16, 16] in NZ: (0, 8) begins at byte 512. Index and table stand in GM.
#[test]
fn a_gather_to_l1_loads_from_gm() {
    let dst = nz(DType::Float, [16, 16], [1, 9]);
    let (table, idx) = (flat(DType::Float, 9), flat(DType::Int32, 9));
    let mut call = gather_l1(Coalesce::Elem, GatherOob::Zero, dst, table, idx);
    let indices = i32s(&[8, 9, 0, 0, 0, 0, 0, 0, 1]);
    let operands: [&[u8]; 3] = [&[0; 1024], &counted(0, 9), &indices];
    let got = trace(Readings::default(), Call::MgatherL1(call), &operands);
    let first = [
        load(Gm, Index, 0, 4),
        load(Gm, Table, 32, 4),
        store(L1, Destination, 0, 4),
        // An index out of bounds: a zero is stored and nothing loaded.
        load(Gm, Index, 4, 4),
        store(L1, Destination, 4, 4),
    ];
    assert_eq!(got[..5], first);
    let last = [
        load(Gm, Index, 32, 4),
        load(Gm, Table, 4, 4),
        store(L1, Destination, 512, 4),
    ];
    assert_eq!((&got[23..], got.len()), (&last[..], 26));

    (call.mode, call.oob) = (Coalesce::Row, GatherOob::Clamp);
    let got = trace(Readings::default(), Call::MgatherL1(call), &operands);
    let first = [
        load(Gm, Index, 0, 4),
        load(Gm, Table, 0, 4),
        store(L1, Destination, 0, 4),
        load(Gm, Table, 4, 4),
        store(L1, Destination, 4, 4),
    ];
    assert_eq!(got[..5], first);
    assert_eq!((&got[18], got.len()), (&store(L1, Destination, 512, 4), 19));
}

#[test]
fn a_scatter_by_index_loads_index_and_source() {
    let call = Call::TscatterIndex(TscatterIndex {
        dst: full(DType::Half, [2, 2]),
        src: full(DType::Half, [1, 2]),
        idx: full(DType::Int16, [1, 2]),
    });
    let operands: [&[u8]; 3] = [&[0; 8], &u16s(&[5, 6]), &u16s(&[3, 0])];
    let moved = [
        load(Ub, Index, 0, 2),
        load(Ub, Source, 0, 2),
        store(Ub, Destination, 6, 2),
        load(Ub, Index, 2, 2),
        load(Ub, Source, 2, 2),
        store(Ub, Destination, 0, 2),
    ];
    assert_eq!(trace(Readings::default(), call, &operands), moved);
    let zero = reading(|r| r.tscatter_unaddressed = Unaddressed::Zero);
    let got = trace(zero, call, &operands);
    assert_eq!((&got[0], &got[1..]), (&fill(8), &moved[..]));
}

#[test]
fn a_scatter_by_mask_fills_and_stores() {
    let call = Call::TscatterMask(TscatterMask {
        dst: tile(DType::Half, [1, 8], [1, 4]),
        src: full(DType::Half, [1, 2]),
        pattern: MaskPattern::P1010,
        axis: MaskAxis::Row,
    });
    let suite = reading(|r| r.scope = Scope::AsTheSuite);
    let expected = [
        fill(16),
        load(Ub, Source, 0, 2),
        store(Ub, Destination, 2, 2),
        load(Ub, Source, 2, 2),
        store(Ub, Destination, 6, 2),
    ];
    assert_eq!(trace(suite, call, &[&[0; 16], &u16s(&[5, 6])]), expected);
}

#[test]
fn a_gather_by_bytes_loads_an_offset_a_piece() {
    let call = Call::Tgatherb(Tgatherb {
        dst: full(DType::Int64, [1, 4]),
        src: full(DType::Int64, [1, 8]),
        offset: full(DType::Uint32, [1, 4]),
    });
    let operands: [&[u8]; 3] = [&[0; 32], &[1; 64], &i32s(&[16, 3, 1000, 0])];
    let move_to = |from, to| [load(Ub, Source, from, 8), store(Ub, Destination, to, 8)];
    let pieces = [(0, 16), (4, 3), (8, 56), (12, 0)].map(|(at, from)| {
        let [read, write] = move_to(from, 2 * at);
        [load(Ub, Index, at, 4), read, write]
    });
    assert_eq!(trace(Readings::default(), call, &operands), pieces.concat());
    let block = reading(|r| r.tgatherb_granularity = OffsetGranularity::Block);
    let moved = [(16, 0), (24, 8), (32, 16), (40, 24)].map(|(from, to)| move_to(from, to));
    let expected = [&[load(Ub, Index, 0, 4)][..], &moved.concat()].concat();
    assert_eq!(trace(block, call, &operands), expected);
}
