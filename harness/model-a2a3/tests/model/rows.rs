//! Rows of all lengths, with room after them in the tile and in the table: some
//! are copied in ways of their own. Each run is held against a traced one.

use ptodiff_isa::{
    Call, Coalesce, DType, GatherOob, GlobalTensor, Layout, Mgather, Mscatter, Readings,
    ScatterAtomicOp, ScatterOob, Tile,
};

use crate::common::{bytes, in_ub, mgather, mscatter, nd, run_on, table, tile};

/// Rows of the table.
const CAPACITY: usize = 5;
/// Rows of the tile.
const ROWS: usize = 7;

/// One row of the table comes twice, and its last is among them.
const INSIDE: [u32; ROWS] = [3, 0, 4, 1, 3, 2, 0];
/// The same, but two are out of bounds.
const OUTSIDE: [u32; ROWS] = [3, 9, 4, 1, 3, 5, 0];

/// Lengths of rows in bytes: to past the longest that is copied as such.
fn lengths() -> impl Iterator<Item = usize> {
    1..=260
}

/// From row to row of the tile, in bytes: a multiple of 32.
fn tile_pitch(len: usize) -> usize {
    len.next_multiple_of(32) + 32
}

/// From row to row of the table, in bytes.
fn table_pitch(len: usize) -> usize {
    len + 3
}

/// The table, tile and indices of rows of `len` elements of one byte.
fn shapes(len: usize) -> (GlobalTensor, Tile, Tile) {
    let (rows, pitch) = (CAPACITY as u64, table_pitch(len) as u64);
    let all = rows * pitch;
    let shape = [1, 1, 1, rows, len as u64];
    let gm = table(DType::Int8, shape, [all, all, all, pitch, 1], Layout::ND);
    let (rows, cols) = (ROWS as u64, tile_pitch(len) as u64);
    let data = tile(DType::Int8, [rows, cols], [rows, len as u64]);
    (gm, data, tile(DType::Uint32, [1, 8], [1, rows]))
}

/// Bytes of which neighbours differ, and rows at any distance.
fn ramp(count: usize, seed: usize) -> Vec<u8> {
    (0..count).map(|k| ((k * 7 + seed) % 251) as u8).collect()
}

fn index(selected: [u32; ROWS]) -> Vec<u8> {
    bytes(selected.into_iter().chain([0]))
}

/// Bytes of a table that ends with its last row.
fn table_bytes(len: usize) -> usize {
    (CAPACITY - 1) * table_pitch(len) + len
}

fn gather(len: usize, oob: GatherOob) -> Call {
    let (table, data, idx) = shapes(len);
    Call::Mgather(Mgather {
        oob,
        ..mgather(Coalesce::Row, data, table, idx)
    })
}

fn scatter(len: usize, oob: ScatterOob, atomic: ScatterAtomicOp) -> Call {
    let (table, data, idx) = shapes(len);
    Call::Mscatter(Mscatter {
        oob,
        atomic,
        ..mscatter(Coalesce::Row, table, data, idx)
    })
}

/// The row of the table that a policy takes instead of `row`, if any.
fn clamped(row: u32) -> Option<usize> {
    Some((row as usize).min(CAPACITY - 1))
}

fn wrapped(row: u32) -> Option<usize> {
    Some(row as usize % CAPACITY)
}

fn dropped(row: u32) -> Option<usize> {
    Some(row as usize).filter(|&row| row < CAPACITY)
}

/// MGATHER-PERF-01: a row is moved as it is, or zeroed, and nothing after it.
#[test]
fn gathered_rows_of_each_length() {
    for len in lengths() {
        for (oob, selected, picked) in [
            (GatherOob::Undefined, INSIDE, dropped as fn(u32) -> _),
            (GatherOob::Clamp, OUTSIDE, clamped),
            (GatherOob::Wrap, OUTSIDE, wrapped),
            (GatherOob::Zero, OUTSIDE, dropped),
        ] {
            let from = ramp(table_bytes(len), 1);
            let before = ramp(ROWS * tile_pitch(len), 100);
            let mut want = before.clone();
            for (row, to) in selected.into_iter().zip(want.chunks_mut(tile_pitch(len))) {
                match picked(row) {
                    Some(row) => {
                        to[..len].copy_from_slice(&from[row * table_pitch(len)..][..len]);
                    }
                    None => to[..len].fill(0),
                }
            }
            let call = gather(len, oob);
            let operands = [from, before, index(selected)];
            let ran = run_on(call, Readings::default(), in_ub(&call, operands));
            assert_eq!(ran.strays(), []);
            assert_eq!(ran.dst::<u8>(), want, "{len} bytes, {oob}");
        }
    }
}

/// MSCATTER-PERF-01: a row is moved or added as it is, and nothing after it.
#[test]
fn scattered_rows_of_each_length() {
    for len in lengths() {
        for atomic in [ScatterAtomicOp::None, ScatterAtomicOp::Add] {
            for (oob, selected, picked) in [
                (ScatterOob::Undefined, INSIDE, dropped as fn(u32) -> _),
                (ScatterOob::Clamp, OUTSIDE, clamped),
                (ScatterOob::Wrap, OUTSIDE, wrapped),
                (ScatterOob::Skip, OUTSIDE, dropped),
            ] {
                // So small that no sum leaves the range of `int8_t`.
                let small = |byte: u8| byte % 30;
                let before: Vec<_> = ramp(table_bytes(len), 1).into_iter().map(small).collect();
                let source: Vec<_> = ramp(ROWS * tile_pitch(len), 100)
                    .into_iter()
                    .map(small)
                    .collect();
                let mut want = before.clone();
                for (row, from) in selected.into_iter().zip(source.chunks(tile_pitch(len))) {
                    let Some(row) = picked(row) else { continue };
                    for (k, value) in from[..len].iter().enumerate() {
                        let slot = &mut want[row * table_pitch(len) + k];
                        *slot = match atomic {
                            ScatterAtomicOp::Add => *slot + value,
                            _ => *value,
                        };
                    }
                }
                let call = scatter(len, oob, atomic);
                let operands = [before, source, index(selected)];
                let ran = run_on(call, Readings::default(), in_ub(&call, operands));
                assert_eq!(ran.strays(), []);
                assert_eq!(ran.table::<u8>(), want, "{len} bytes, {oob}, {atomic}");
            }
        }
    }
}

/// A row of which the last bytes are not in memory strays, in the table as in
/// the tile, and those around it are moved as ever.
#[test]
fn rows_of_each_length_that_are_not_all_there() {
    for len in lengths() {
        let padding = tile_pitch(len) - len;
        for call in [
            gather(len, GatherOob::Undefined),
            scatter(len, ScatterOob::Undefined, ScatterAtomicOp::None),
            scatter(len, ScatterOob::Undefined, ScatterAtomicOp::Add),
        ] {
            for missing in [1, len] {
                assert_eq!(strays(call, len, missing, 0), 1, "{len} bytes");
                assert_eq!(strays(call, len, 0, padding + missing), 1, "{len} bytes");
            }
        }
    }
}

/// Strays of a call whose operands lack so many bytes.
fn strays(call: Call, len: usize, of_table: usize, of_tile: usize) -> u64 {
    let operands = [
        ramp(table_bytes(len) - of_table, 1),
        ramp(ROWS * tile_pitch(len) - of_tile, 100),
        index(INSIDE),
    ];
    let ran = run_on(call, Readings::default(), in_ub(&call, operands));
    ran.log.strays.count
}

/// A tile of more than 32 KiB.
#[test]
fn rows_of_a_large_tile() {
    const ROWS: u64 = 136;
    let data = tile(DType::Float, [ROWS, 64], [ROWS, 64]);
    let idx = tile(DType::Uint32, [1, ROWS], [1, ROWS]);
    let table = nd(DType::Float, 16, 64);
    let call = Call::Mgather(mgather(Coalesce::Row, data, table, idx));
    let selected = (0..ROWS as u32).map(|row| row * 5 % 16);
    let from = ramp(16 * 256, 1);
    let want: Vec<u8> = selected
        .clone()
        .flat_map(|row| from[row as usize * 256..][..256].to_vec())
        .collect();
    let operands = [from, vec![0; want.len()], bytes(selected)];
    let ran = run_on(call, Readings::default(), in_ub(&call, operands));
    assert_eq!(ran.dst::<u8>(), want);
}

/// Rows that are longer than from one to the next, as no kernel has them: the
/// later ones are moved over what the earlier ones left.
#[test]
fn rows_of_each_length_that_overlap() {
    for len in lengths() {
        let (table, data, idx) = shapes(len);
        let data = Tile {
            cols: len.div_ceil(2) as u64,
            ..data
        };
        let pitch = data.cols as usize;
        let from = ramp(table_bytes(len), 1);
        let mut want = vec![0; ROWS * pitch + len];
        for (row, at) in INSIDE.into_iter().zip((0..).step_by(pitch)) {
            let values = &from[row as usize * table_pitch(len)..][..len];
            want[at..][..len].copy_from_slice(values);
        }
        let call = Call::Mgather(mgather(Coalesce::Row, data, table, idx));
        let operands = [from, vec![0; want.len()], index(INSIDE)];
        let ran = run_on(call, Readings::default(), in_ub(&call, operands));
        assert_eq!(ran.strays(), []);
        assert_eq!(ran.dst::<u8>(), want, "{len} bytes");
    }
}
