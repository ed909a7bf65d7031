//! What a trace holds: loads and stores, element by element (MSCATTER-SYNC-13,
//! MGATHER-SYNC-13).

use ptodiff_isa::{Call, Coalesce, CpuForm, DType, Event, GatherOob, Memory, Role, Space};
use ptodiff_isa::{ScatterAtomicOp, ScatterOob};

use crate::common::{
    counted, flat, full, gather, gather_memory, i32s, rows, run, scatter, scatter_memory,
};

fn trace(call: &Call, memory: Memory, form: CpuForm) -> Vec<Event> {
    let log = run(call, memory, form, true).log;
    log.trace.expect("a trace was asked for")
}

fn load(role: Role, offset: i64) -> Event {
    Event::Load {
        space: space(role),
        role,
        offset,
        len: 4,
    }
}

fn store(role: Role, offset: i64) -> Event {
    Event::Store {
        space: space(role),
        role,
        offset,
        len: 4,
    }
}

fn space(role: Role) -> Space {
    if role == Role::Table {
        Space::Gm
    } else {
        Space::Ub
    }
}

#[test]
fn no_trace_is_kept_unasked() {
    let tile = full(DType::Int32, [1, 2]);
    let call = Call::Mscatter(scatter(flat(DType::Int32, 8), tile, tile));
    let memory = scatter_memory(&[0; 32], &[0; 8], &[0; 8]);
    assert_eq!(
        run(&call, memory, CpuForm::Documented, false).log.trace,
        None
    );
}

#[test]
fn an_element_is_an_index_a_source_and_a_store() {
    use Role::{Index, Source, Table};
    let tile = full(DType::Int32, [2, 2]);
    let call = Call::Mscatter(scatter(flat(DType::Int32, 8), tile, tile));
    let memory = scatter_memory(&[0; 32], &counted(1, 4), &i32s(&[6, 0, 1, 6]));
    let expected = [
        load(Index, 0),
        load(Source, 0),
        store(Table, 24),
        load(Index, 4),
        load(Source, 4),
        store(Table, 0),
        load(Index, 8),
        load(Source, 8),
        store(Table, 4),
        load(Index, 12),
        load(Source, 12),
        store(Table, 24),
    ];
    assert_eq!(trace(&call, memory, CpuForm::Documented), expected);
}

#[test]
fn a_row_has_one_index_and_a_skipped_row_no_more_than_that() {
    use Role::{Index, Source, Table};
    let mut call = scatter(
        rows(DType::Int32, 2, 2),
        full(DType::Int32, [2, 2]),
        full(DType::Int32, [1, 2]),
    );
    call.mode = Coalesce::Row;
    call.oob = ScatterOob::Skip;
    call.atomic = ScatterAtomicOp::Add;
    let memory = scatter_memory(&[0; 16], &counted(1, 4), &i32s(&[2, 1]));
    let expected = [
        load(Index, 0),
        load(Index, 4),
        load(Source, 8),
        load(Table, 8),
        store(Table, 8),
        load(Source, 12),
        load(Table, 12),
        store(Table, 12),
    ];
    let call = Call::Mscatter(call);
    assert_eq!(trace(&call, memory, CpuForm::Templated), expected);
}

#[test]
fn a_zero_is_stored_and_never_loaded() {
    use Role::{Destination, Index, Table};
    let tile = full(DType::Int32, [1, 2]);
    let call = gather(
        Coalesce::Elem,
        GatherOob::Zero,
        tile,
        flat(DType::Int32, 8),
        tile,
    );
    let memory = gather_memory(&[0; 8], &counted(0, 8), &i32s(&[8, 7]));
    let expected = [
        load(Index, 0),
        store(Destination, 0),
        load(Index, 4),
        load(Table, 28),
        store(Destination, 4),
    ];
    let call = Call::Mgather(call);
    assert_eq!(trace(&call, memory, CpuForm::Documented), expected);
}

#[test]
fn a_gathered_row_has_one_index() {
    use Role::{Destination, Index, Table};
    let call = gather(
        Coalesce::Row,
        GatherOob::Zero,
        full(DType::Int32, [2, 2]),
        rows(DType::Int32, 3, 2),
        full(DType::Int32, [2, 1]),
    );
    let memory = gather_memory(&[0; 16], &counted(0, 6), &i32s(&[2, 3]));
    let expected = [
        load(Index, 0),
        load(Table, 16),
        store(Destination, 0),
        load(Table, 20),
        store(Destination, 4),
        load(Index, 4),
        store(Destination, 8),
        store(Destination, 12),
    ];
    let call = Call::Mgather(call);
    assert_eq!(trace(&call, memory, CpuForm::Documented), expected);
}
