//! What a trace holds for tiles in UB and in L1.

use ptodiff_isa::Role::{Destination, Index, Source, Table};
use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Event, GatherExec, GatherOob, Launch, MaskAxis, MaskPattern,
    MgatherL1, OffsetGranularity, Readings, Role, SLayout, Scope, Space, Tgatherb, Tile, TileType,
    TscatterIndex, TscatterMask, Unaddressed,
};

use crate::common::{counted, flat, full, i32s, memory_of, run_under, tile, u16s};

fn trace(readings: Readings, call: &Call, operands: &[(Role, &[u8])]) -> Vec<Event> {
    let log = run_under(readings, call, memory_of(operands), true).log;
    assert_eq!(log.oob_accesses.count, 0);
    log.trace.expect("a trace was asked for")
}

fn load(space: Space, role: Role, offset: i64, len: u64) -> Event {
    Event::Load {
        space,
        role,
        offset,
        len,
    }
}

fn store(space: Space, offset: i64, len: u64) -> Event {
    Event::Store {
        space,
        role: Destination,
        offset,
        len,
    }
}

fn fill(len: u64) -> Event {
    Event::Fill {
        name: None,
        space: Space::Ub,
        role: Destination,
        offset: 0,
        len,
    }
}

// Float [16, 16] in NZ: (0, 8) begins at byte 512. Index and table stand in GM.
#[test]
fn a_gather_to_l1_loads_from_gm() {
    use Space::{Gm, L1};
    let dst = Tile {
        location: TileType::Mat,
        blayout: BLayout::ColMajor,
        slayout: SLayout::RowMajor,
        ..tile(DType::Float, [16, 16], [1, 9])
    };
    let mut call = MgatherL1 {
        dst,
        table: flat(DType::Float, 9),
        idx: flat(DType::Int32, 9),
        scratch: Some(flat(DType::Float, 256)),
        mode: Coalesce::Elem,
        oob: GatherOob::Zero,
        exec: GatherExec::Scalar,
        launch: Launch::default(),
    };
    let operands: [(Role, &[u8]); 4] = [
        (Destination, &[0; 1024]),
        (Table, &counted(0, 9)),
        (Index, &i32s(&[8, 9, 0, 0, 0, 0, 0, 0, 1])),
        (Role::Scratch, &[0; 1024]),
    ];
    let got = trace(Readings::default(), &Call::MgatherL1(call), &operands);
    let first = [
        load(Gm, Index, 0, 4),
        load(Gm, Table, 32, 4),
        store(L1, 0, 4),
        // An index out of bounds: a zero is stored and nothing loaded.
        load(Gm, Index, 4, 4),
        store(L1, 4, 4),
    ];
    assert_eq!(got[..5], first);
    let last = [
        load(Gm, Index, 32, 4),
        load(Gm, Table, 4, 4),
        store(L1, 512, 4),
    ];
    assert_eq!(got[got.len() - 3..], last);
    assert_eq!(got.len(), 26);

    call.mode = Coalesce::Row;
    call.oob = GatherOob::Clamp;
    let got = trace(Readings::default(), &Call::MgatherL1(call), &operands);
    let first = [
        load(Gm, Index, 0, 4),
        load(Gm, Table, 0, 4),
        store(L1, 0, 4),
        load(Gm, Table, 4, 4),
        store(L1, 4, 4),
    ];
    assert_eq!(got[..5], first);
    assert_eq!(got[got.len() - 1], store(L1, 512, 4));
    assert_eq!(got.len(), 19);
}

#[test]
fn a_scatter_by_index_loads_index_and_source() {
    use Space::Ub;
    let row = full(DType::Half, [1, 2]);
    let call = Call::TscatterIndex(TscatterIndex {
        dst: full(DType::Half, [2, 2]),
        src: row,
        idx: full(DType::Int16, [1, 2]),
    });
    let operands: [(Role, &[u8]); 3] = [
        (Destination, &[0; 8]),
        (Source, &u16s(&[5, 6])),
        (Index, &u16s(&[3, 0])),
    ];
    let moved = [
        load(Ub, Index, 0, 2),
        load(Ub, Source, 0, 2),
        store(Ub, 6, 2),
        load(Ub, Index, 2, 2),
        load(Ub, Source, 2, 2),
        store(Ub, 0, 2),
    ];
    assert_eq!(trace(Readings::default(), &call, &operands), moved);
    let zero = Readings {
        tscatter_unaddressed: Unaddressed::Zero,
        ..Readings::default()
    };
    let got = trace(zero, &call, &operands);
    assert_eq!((&got[0], &got[1..]), (&fill(8), &moved[..]));
}

#[test]
fn a_scatter_by_mask_fills_and_stores() {
    use Space::Ub;
    let call = Call::TscatterMask(TscatterMask {
        dst: tile(DType::Half, [1, 8], [1, 4]),
        src: full(DType::Half, [1, 2]),
        pattern: MaskPattern::P1010,
        axis: MaskAxis::Row,
    });
    let suite = Readings {
        scope: Scope::AsTheSuite,
        ..Readings::default()
    };
    let operands: [(Role, &[u8]); 2] = [(Destination, &[0; 16]), (Source, &u16s(&[5, 6]))];
    let expected = [
        fill(16),
        load(Ub, Source, 0, 2),
        store(Ub, 2, 2),
        load(Ub, Source, 2, 2),
        store(Ub, 6, 2),
    ];
    assert_eq!(trace(suite, &call, &operands), expected);
}

#[test]
fn a_gather_by_bytes_loads_an_offset_a_piece() {
    use Space::Ub;
    let call = Call::Tgatherb(Tgatherb {
        dst: full(DType::Int64, [1, 4]),
        src: full(DType::Int64, [1, 8]),
        offset: full(DType::Uint32, [1, 4]),
    });
    let operands: [(Role, &[u8]); 3] = [
        (Destination, &[0; 32]),
        (Source, &[1; 64]),
        (Index, &i32s(&[16, 3, 1000, 0])),
    ];
    let expected = [
        load(Ub, Index, 0, 4),
        load(Ub, Source, 16, 8),
        store(Ub, 0, 8),
        load(Ub, Index, 4, 4),
        load(Ub, Source, 3, 8),
        store(Ub, 8, 8),
        load(Ub, Index, 8, 4),
        load(Ub, Source, 56, 8),
        store(Ub, 16, 8),
        load(Ub, Index, 12, 4),
        load(Ub, Source, 0, 8),
        store(Ub, 24, 8),
    ];
    assert_eq!(trace(Readings::default(), &call, &operands), expected);
    let block = Readings {
        tgatherb_granularity: OffsetGranularity::Block,
        ..Readings::default()
    };
    let expected = [
        load(Ub, Index, 0, 4),
        load(Ub, Source, 16, 8),
        store(Ub, 0, 8),
        load(Ub, Source, 24, 8),
        store(Ub, 8, 8),
        load(Ub, Source, 32, 8),
        store(Ub, 16, 8),
        load(Ub, Source, 40, 8),
        store(Ub, 24, 8),
    ];
    assert_eq!(trace(block, &call, &operands), expected);
}
