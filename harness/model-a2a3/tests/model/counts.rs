//! How often each kernel does what the tables of pipe handshakes say of its body
//! (000 and 001, A2/A3: trip counts, bursts and gaps).

use ptodiff_isa::{Call, Coalesce, DType, Event, Mgather, Mscatter, Role, ScatterAtomicOp};

use crate::common::{bytes, legal, mgather, mscatter, nd, nz, nz_tile, tile};

/// The trace of a call of 16-bit elements whose indices are all 0.
fn trace(call: Call) -> Vec<Event> {
    let table = call.table().expect("a table");
    let last: u64 = (0..5)
        .map(|d| (table.shape[d].get() - 1) * table.stride[d].get())
        .sum();
    let tile = call.data_tile();
    let indices = match &call {
        Call::Mscatter(call) => call.idx.rows * call.idx.cols,
        Call::Mgather(call) => call.idx.rows * call.idx.cols,
        _ => unreachable!("no other call here"),
    };
    let operands = [
        bytes(vec![1_u16; last as usize + 1]),
        bytes(vec![2_u16; (tile.rows * tile.cols) as usize]),
        bytes(vec![0_i32; indices as usize]),
    ];
    legal(call, operands).events().to_vec()
}

/// Bursts, their length, and the gaps in GM and UB of every DMA.
fn dmas(events: &[Event]) -> Vec<(u64, u64, i64, i64)> {
    events
        .iter()
        .filter_map(|e| match *e {
            Event::Dma {
                n_burst,
                len_burst,
                gm_gap,
                ub_gap,
                ..
            } => Some((n_burst, len_burst, gm_gap, ub_gap)),
            _ => None,
        })
        .collect()
}

fn accesses(events: &[Event], wanted: Role) -> (usize, usize) {
    let count = |wanted: &dyn Fn(&Event) -> bool| events.iter().filter(|e| wanted(e)).count();
    let loads = count(&|e| matches!(e, Event::Load { role, .. } if *role == wanted));
    let stores = count(&|e| matches!(e, Event::Store { role, .. } if *role == wanted));
    (loads, stores)
}

fn row_index(count: u64) -> ptodiff_isa::Tile {
    tile(DType::Int32, [1, 64], [1, count])
}

/// MSCATTER-PERF-01, -02, -06, MGATHER-PERF-01, -06 (their witnesses).
#[test]
fn nd_rows() {
    let data = tile(DType::Half, [8, 64], [8, 64]);
    let table = nd(DType::Half, 8, 64);
    let scatter = mscatter(Coalesce::Row, table, data, row_index(8));
    assert_eq!(dmas(&trace(Call::Mscatter(scatter))), [(1, 128, 0, 0); 8]);

    let data = tile(DType::Half, [3, 32], [3, 20]);
    let gather = mgather(Coalesce::Row, data, nd(DType::Half, 4, 20), row_index(3));
    assert_eq!(dmas(&trace(Call::Mgather(gather))), [(1, 40, 0, 0); 3]);

    // A row is one call, however wide.
    let data = tile(DType::Half, [1, 4096], [1, 4096]);
    let table = nd(DType::Half, 1, 4096);
    let gather = mgather(Coalesce::Row, data, table, row_index(1));
    assert_eq!(dmas(&trace(Call::Mgather(gather))), [(1, 8192, 0, 0)]);
}

/// MSCATTER-NZ-08, -09, MSCATTER-PERF-02, MGATHER-PERF-02, -03: gShape0 transfers
/// a row, of gShape1 bursts of 32 bytes; between two bursts gStride1 - 16
/// elements of GM, and 31 of the tile's 32 rows.
#[test]
fn nz_rows() {
    let data = nz_tile(DType::Half, [32, 64], [3, 64]);
    let table = nz(DType::Half, [2, 2, 2], 16);
    let want = [(2, 32, 992, 992); 6];
    let scatter = mscatter(Coalesce::Row, table, data, row_index(3));
    assert_eq!(dmas(&trace(Call::Mscatter(scatter))), want);
    let gather = mgather(Coalesce::Row, data, table, row_index(3));
    assert_eq!(dmas(&trace(Call::Mgather(gather))), want);

    let tall = nz_tile(DType::Half, [16, 64], [3, 64]);
    let scatter = Mscatter {
        src: tall,
        ..scatter
    };
    assert_eq!(
        dmas(&trace(Call::Mscatter(scatter))),
        [(2, 32, 992, 480); 6]
    );
}

/// MSCATTER-PERF-02, -03, MGATHER-PERF-05: validRow * validCol scalar copies, ND
/// and NZ, and no DMA.
#[test]
fn elements() {
    let index = tile(DType::Int32, [5, 24], [5, 20]);
    let cases = [
        (tile(DType::Half, [5, 32], [5, 20]), nd(DType::Half, 8, 32)),
        (
            nz_tile(DType::Half, [16, 32], [5, 20]),
            nz(DType::Half, [1, 2, 1], 16),
        ),
    ];
    for (data, table) in cases {
        let scatter = mscatter(Coalesce::Elem, table, data, index);
        let events = trace(Call::Mscatter(scatter));
        assert_eq!(accesses(&events, Role::Index), (100, 0));
        assert_eq!(accesses(&events, Role::Source), (100, 0));
        assert_eq!(accesses(&events, Role::Table), (0, 100));
        assert_eq!(dmas(&events), []);

        let add = Mscatter {
            atomic: ScatterAtomicOp::Add,
            ..scatter
        };
        let events = trace(Call::Mscatter(add));
        assert_eq!(accesses(&events, Role::Table), (100, 100));

        let gather: Mgather = mgather(Coalesce::Elem, data, table, index);
        let events = trace(Call::Mgather(gather));
        assert_eq!(accesses(&events, Role::Index), (100, 0));
        assert_eq!(accesses(&events, Role::Table), (100, 0));
        assert_eq!(accesses(&events, Role::Destination), (0, 100));
        assert_eq!(dmas(&events), []);
    }
}

/// MSCATTER-PERF-04, MSCATTER-SYNC-06: the mode is set and reset once, and no
/// burst is waited for, whatever the rows.
#[test]
fn add_costs_one_setup() {
    for rows in [1, 64] {
        let call = Mscatter {
            atomic: ScatterAtomicOp::Add,
            ..mscatter(
                Coalesce::Row,
                nd(DType::Half, 1, 16),
                tile(DType::Half, [rows, 16], [rows, 16]),
                row_index(rows),
            )
        };
        let events = trace(Call::Mscatter(call));
        let count = |wanted: &Event| events.iter().filter(|e| *e == wanted).count();
        assert_eq!(count(&Event::SetAtomicAdd(DType::Half)), 1);
        assert_eq!(count(&Event::SetAtomicNone), 1);
        assert_eq!(dmas(&events).len() as u64, rows);
        let flags = events.iter().filter(|e| matches!(e, Event::SetFlag { .. }));
        assert_eq!(flags.count(), 8);
    }
}
