//! What a gather to L1 issues (MGATHERL1 trace clauses).

use crate::common::*;

fn issued(call: MgatherL1, idx: &[i32]) -> Vec<Event> {
    traced(Call::MgatherL1(call), How::default(), idx)
}

fn read(role: Role, offset: i64, len: u64) -> Event {
    load(Space::Gm, role, offset, len)
}

fn stage(offset: i64, len: u64) -> Event {
    store(Space::Gm, Role::Scratch, offset, len)
}

fn nd2nz(from: i64, to: i64) -> Event {
    Event::Nd2nz {
        name: "copy_gm_to_cbuf_multi_nd2nz".into(),
        from: (Role::Table, from),
        to: (Role::Destination, to),
        n_value: 1,
        d_value: 10,
        c0_stride: 16,
        arguments: None,
    }
}

/// The flush of a scratch of `lines` cache lines.
fn flush(lines: i64) -> Vec<Event> {
    let line = |line| Event::Dcci {
        role: Role::Scratch,
        offset: 64 * line,
        len: 64,
    };
    (0..lines).map(line).chain([Event::Dsb]).collect()
}

/// The one transfer of the image.
fn bulk(name: &str, len_burst: u64) -> Event {
    Event::Dma {
        name: name.into(),
        from: (Role::Scratch, 0),
        to: (Role::Destination, 0),
        n_burst: 1,
        len_burst,
        gm_gap: 0,
        ub_gap: 0,
    }
}

#[test]
fn perf_02_and_gap_20_zero_clears_the_tile_first() {
    let dst = nz(Int32, 16, 16, 3, 10);
    let call = mgather_l1(Row, rows(Int32, 5, 12), dst, flat(Int32, 3), None)
        .with(|c| c.oob = GatherOob::Zero);
    let name = Some("pto_create_cbuf_matrix");
    let expected = [
        Event::Core(Core::Aic),
        fill(name, Space::L1, Role::Destination, 1024),
        Event::SetMte2NzPara { c0_stride: 16 },
        read(Role::Index, 0, 4),
        read(Role::Index, 4, 4),
        nd2nz(48, 32),
        read(Role::Index, 8, 4),
    ];
    assert_eq!(issued(call, &[5, 1, 9]), expected);
}

#[test]
fn cache_01_and_perf_03_the_scalar_executor() {
    // Four elements of an image of 16 by 16 words: 16 cache lines.
    let dst = nz(Int32, 16, 16, 2, 2);
    let scratch = Some(flat(Int32, 256));
    let call = mgather_l1(Elem, flat(Int32, 9), dst, rows(Int32, 2, 2), scratch);
    let mut expected = vec![
        Event::Core(Core::Aic),
        fill(None, Space::Gm, Role::Scratch, 1024),
    ];
    for (index, slot, to) in [(0, 5, 0), (4, 0, 4), (8, 8, 32), (12, 5, 36)] {
        expected.extend([
            read(Role::Index, index, 4),
            read(Role::Table, 4 * slot, 4),
            stage(to, 4),
        ]);
    }
    expected.extend(flush(16));
    expected.push(bulk("pto_copy_gm_to_cbuf_align_v2", 1024));
    assert_eq!(issued(call, &[5, 0, 8, 5]), expected);
}

fn simt(dtype: DType, size: (u64, u64), valid: (u64, u64)) -> MgatherL1 {
    mgather_l1(
        Elem,
        flat(dtype, 9),
        nz(dtype, size.0, size.1, valid.0, valid.1),
        rows(Int32, valid.0, valid.1),
        Some(flat(dtype, size.0 * size.1)),
    )
    .with(|c| c.exec = GatherExec::Simt)
}

#[test]
fn exec_10_cache_02_and_sync_05_the_simt_executor() {
    // One valid row of two columns in 16 by 16 halves: 256 lanes, 8 cache lines.
    let events = issued(simt(Half, (16, 16), (1, 2)), &[4, 7]);
    let mut expected = vec![
        Event::Core(Core::Aiv),
        launch("simt_mgather_l1_elem_kernel", Elem, 8, 1),
        read(Role::Index, 0, 4),
        read(Role::Table, 8, 2),
        stage(0, 2),
        read(Role::Index, 4, 4),
        read(Role::Table, 14, 2),
    ];
    // EXEC-07 and CACHE-03: lanes one after the other, padding without a load.
    expected.extend((1..256).map(|lane| stage(2 * lane, 2)));
    expected.extend(flush(8));
    expected.extend([
        Event::SetIntraBlock {
            pipe: Pipe::S,
            id: 0,
        },
        Event::Core(Core::Aic),
        Event::WaitIntraBlock {
            pipe: Pipe::MTE2,
            id: 0,
        },
        bulk("copy_gm_to_cbuf", 512),
    ]);
    assert_eq!(events, expected);
    // EXEC-06: nothing in UB.
    let in_ub = |event: &Event| match event {
        Event::Load { space, .. } | Event::Store { space, .. } => *space == Space::Ub,
        _ => false,
    };
    assert_eq!(count(&events, in_ub), 0);
}

#[test]
fn gap_30_without_columns_there_are_no_rows() {
    let dst = dynamic(nz(Int32, 16, 16, 3, 0));
    let call = mgather_l1(Row, rows(Int32, 5, 12), dst, flat(Int32, 3), None);
    assert_eq!(count(&issued(call, &[0, 1, 2]), is_gm_load), 0);
}
