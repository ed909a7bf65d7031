//! MGATHER into L1: what is issued, and in which order.

use ptodiff_isa::{
    Call, Coalesce, DType, Event, GatherOob, MgatherL1,
    Pipe::{MTE2, S},
    Readings, Role, Space,
};

use crate::common::{With, bytes, legal_on, line, load, mat, memory, mgather_l1, nd, pair, store};

/// The trace of a gather of 16-bit elements.
fn trace(call: MgatherL1, table: u64, index: &[i32]) -> Vec<Event> {
    let tile = bytes(vec![1_u16; (call.dst.rows * call.dst.cols) as usize]);
    let staged = call.scratch.map_or(0, |s| s.shape[4].get());
    let before = memory([
        (Role::Destination, tile),
        (Role::Table, bytes(vec![2_u16; table as usize])),
        (Role::Index, bytes(index.iter().copied())),
        (Role::Scratch, bytes(vec![3_u16; staged as usize])),
    ]);
    let ran = legal_on(Call::MgatherL1(call), Readings::default(), before);
    ran.events().to_vec()
}

fn index_load(k: i64) -> Event {
    load(Space::Gm, Role::Index, 4 * k, 4)
}

fn nd2nz(from: i64, to: i64, d_value: u64) -> Event {
    Event::Nd2nz {
        name: "pto_copy_gm_to_cbuf_multi_nd2nz".to_owned(),
        from: (Role::Table, from),
        to: (Role::Destination, to),
        n_value: 1,
        d_value,
        c0_stride: 16,
        arguments: Some(11),
    }
}

/// MGATHERL1-SYNC-01, -02, MGATHERL1-PERF-01, -02, -04, MGATHERL1-NZ-03,
/// MGATHERL1-SCRATCH-04: Row with Zero in full. Row 5 of the tile starts
/// 5 * 16 elements in.
#[test]
fn row_with_zero() {
    let dst = mat(DType::Half, [16, 32], [6, 32]);
    let call =
        mgather_l1(Coalesce::Row, dst, nd(DType::Half, 8, 32)).with(|c| c.oob = GatherOob::Zero);
    let events = trace(call, 256, &[7, 8, 0, 9, 9, 2]);
    let clear = Event::Fill {
        name: Some("pto_create_cbuf_matrix".to_owned()),
        space: Space::L1,
        role: Role::Destination,
        offset: 0,
        len: 1024,
    };
    let want = [
        clear,
        index_load(0),
        nd2nz(448, 0, 32),
        index_load(1),
        index_load(2),
        nd2nz(0, 64, 32),
        index_load(3),
        index_load(4),
        index_load(5),
        nd2nz(128, 160, 32),
    ];
    assert_eq!(events, want);
}

/// MGATHERL1-CACHE-01, MGATHERL1-SYNC-03, MGATHERL1-PERF-03,
/// MGATHERL1-SCRATCH-05: Elem in full, one element of two in bounds.
#[test]
fn elem_with_zero() {
    let call = mgather_l1(
        Coalesce::Elem,
        mat(DType::Half, [16, 32], [2, 1]),
        line(DType::Half, 8),
    )
    .with(|c| c.oob = GatherOob::Zero);
    let events = trace(call, 8, &[8, 3]);
    let zeroed = Event::Fill {
        name: None,
        space: Space::Gm,
        role: Role::Scratch,
        offset: 0,
        len: 1024,
    };
    let read = load(Space::Gm, Role::Table, 6, 2);
    let staged = store(Space::Gm, Role::Scratch, 32, 2);
    let lines = (0..16).map(|k| Event::Dcci {
        role: Role::Scratch,
        offset: 64 * k,
        len: 64,
    });
    let copy = Event::Dma {
        name: "copy_gm_to_cbuf".to_owned(),
        from: (Role::Scratch, 0),
        to: (Role::Destination, 0),
        n_burst: 1,
        len_burst: 1024,
        gm_gap: 0,
        ub_gap: 0,
    };
    let want: Vec<Event> = [zeroed, index_load(0), index_load(1), read, staged]
        .into_iter()
        .chain(lines)
        .chain([Event::Dsb])
        .chain(pair(S, MTE2))
        .chain([copy])
        .collect();
    assert_eq!(events, want);
}
