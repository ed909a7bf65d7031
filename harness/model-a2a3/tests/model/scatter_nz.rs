//! MSCATTER on NZ tables.

use ptodiff_isa::{
    Call, Coalesce, DType, Layout, Mscatter, NzElemOrder, Readings, ScatterAtomicOp, ScatterOob,
};

use crate::common::{Number, bytes, legal, mscatter, nz, nz_tile, padded, run, table, tile};

fn row_idx(count: u64) -> ptodiff_isa::Tile {
    tile(DType::Int32, [1, 8], [1, count])
}

fn indices(values: &[i32]) -> Vec<u8> {
    padded(values, values.len(), 8, 0)
}

fn zeros<T: Number + Default>(count: usize) -> Vec<u8> {
    bytes(vec![T::default(); count])
}

/// Where a table is not zero.
fn touched<T: Number + Default + PartialEq>(values: &[T]) -> Vec<usize> {
    let hit = |(k, v): (usize, &T)| (*v != T::default()).then_some(k);
    values.iter().enumerate().filter_map(hit).collect()
}

/// MSCATTER-INDEX-02: logical row 17 of a packed half table is elements 272..287.
#[test]
fn a_row_lies_in_its_block() {
    let call = mscatter(
        Coalesce::Row,
        nz(DType::Half, [1, 1, 2], 16),
        nz_tile(DType::Half, [16, 16], [1, 16]),
        row_idx(1),
    );
    let ran = legal(
        Call::Mscatter(call),
        [zeros::<u16>(512), bytes(1..257_u16), indices(&[17])],
    );
    let got = ran.table::<u16>();
    assert_eq!(touched(&got), (272..288).collect::<Vec<_>>());
    assert_eq!(got[272..288], (1..17).collect::<Vec<u16>>());
}

/// MSCATTER-NZ-10, -17: row 18 of a 32x16 tile starts at UB element 288.
#[test]
fn source_rows_lie_in_their_blocks() {
    let call = mscatter(
        Coalesce::Row,
        nz(DType::Half, [1, 1, 2], 16),
        nz_tile(DType::Half, [32, 16], [19, 16]),
        tile(DType::Int32, [1, 24], [1, 19]),
    );
    let mut idx = [31_i32; 24];
    idx[18] = 5;
    let ran = legal(
        Call::Mscatter(call),
        [zeros::<u16>(512), bytes(0..512_u16), bytes(idx)],
    );
    // Block row 0, row 5 of GM: elements 80..95.
    let got = ran.table::<u16>();
    assert_eq!(got[80..96], (288..304).collect::<Vec<u16>>());
    // The last of the others, row 17, stays in row 31.
    assert_eq!(got[496..512], (272..288).collect::<Vec<u16>>());
}

/// MSCATTER-NZ-11: column blocks 2 and 3 of the tile are batch 1.
#[test]
fn batches_take_their_column_blocks() {
    let call = mscatter(
        Coalesce::Row,
        nz(DType::Float, [2, 2, 1], 8),
        nz_tile(DType::Float, [16, 32], [1, 32]),
        row_idx(1),
    );
    // Row 0 of the tile: column block b starts at element 128 * b.
    let mut src = vec![0_f32; 512];
    for c in 0..32 {
        src[(c / 8) * 128 + c % 8] = (c + 1) as f32;
    }
    let ran = legal(
        Call::Mscatter(call),
        [zeros::<f32>(512), bytes(src), indices(&[3])],
    );
    // Row 3 of each block is 24 elements in; batches are 256 apart.
    let got = ran.table::<f32>();
    for (start, first) in [(24, 1), (152, 9), (280, 17), (408, 25)] {
        let want: Vec<f32> = (first..first + 8).map(|v| v as f32).collect();
        assert_eq!(got[start..start + 8], want);
    }
    assert_eq!(touched(&got).len(), 32);
}

/// MSCATTER-NZ-14: strides come from the table; the gap is kept.
#[test]
fn padded_blocks_keep_their_gap() {
    let padded_table = table(
        DType::Float,
        [1, 2, 1, 16, 8],
        [512, 256, 128, 8, 1],
        Layout::NZ,
    );
    let src = nz_tile(DType::Float, [16, 16], [1, 16]);
    let call = mscatter(Coalesce::Row, padded_table, src, row_idx(1));
    let ran = legal(
        Call::Mscatter(call),
        [zeros::<f32>(384), bytes([1_f32; 256]), indices(&[0])],
    );
    let want: Vec<usize> = (0..8).chain(256..264).collect();
    assert_eq!(touched(&ran.table::<f32>()), want);

    // Elem: slot 9 is logical (0, 9), column block 1.
    let call = mscatter(
        Coalesce::Elem,
        padded_table,
        nz_tile(DType::Float, [16, 16], [1, 1]),
        row_idx(1),
    );
    let ran = legal(
        Call::Mscatter(call),
        [zeros::<f32>(384), bytes([1_f32; 256]), indices(&[9])],
    );
    assert_eq!(touched(&ran.table::<f32>()), [257]);
}

/// MSCATTER-NZ-20, MSCATTER-CAP-05 and MSCATTER-GAP-21: Row bounds are logical rows.
#[test]
fn row_bounds_are_logical_rows() {
    let cases = [
        ([1, 1, 2], ScatterOob::Wrap, 33, Some(1)),
        ([1, 1, 2], ScatterOob::Clamp, 33, Some(31)),
        ([1, 2, 2], ScatterOob::Skip, 31, Some(31)),
        ([1, 2, 2], ScatterOob::Skip, 32, None),
        ([1, 2, 2], ScatterOob::Skip, 40, None),
    ];
    for (shape, oob, index, want) in cases {
        let columns = shape[1] * 16;
        let call = Mscatter {
            oob,
            ..mscatter(
                Coalesce::Row,
                nz(DType::Half, shape, 16),
                nz_tile(DType::Half, [16, columns], [1, columns]),
                row_idx(1),
            )
        };
        let source = bytes(vec![1_u16; 16 * columns as usize]);
        let ran = legal(
            Call::Mscatter(call),
            [
                zeros::<u16>(32 * columns as usize),
                source,
                indices(&[index]),
            ],
        );
        // Packed: row r of column block 0 starts at element 16 * r.
        let first = touched(&ran.table::<u16>()).first().copied();
        assert_eq!(first, want.map(|row: usize| row * 16), "{oob} {index}");
    }
}

/// MSCATTER-INDEX-04, MSCATTER-CAP-06: slot 109 is logical (6, 13), element 309.
#[test]
fn elem_slots_translate() {
    for (oob, index, want) in [
        (ScatterOob::Undefined, 109, 309),
        (ScatterOob::Wrap, 512, 0),
        (ScatterOob::Clamp, 512, 511),
    ] {
        let call = Mscatter {
            oob,
            ..mscatter(
                Coalesce::Elem,
                nz(DType::Float, [1, 2, 2], 8),
                nz_tile(DType::Float, [16, 8], [1, 1]),
                row_idx(1),
            )
        };
        let ran = legal(
            Call::Mscatter(call),
            [zeros::<f32>(512), bytes([1_f32; 128]), indices(&[index])],
        );
        assert_eq!(touched(&ran.table::<f32>()), [want]);
    }
}

/// MSCATTER-GAP-25: logical (3, 20) of a table with two batches is element 284.
#[test]
fn elem_slots_cross_batches() {
    let call = mscatter(
        Coalesce::Elem,
        nz(DType::Float, [2, 2, 1], 8),
        nz_tile(DType::Float, [16, 8], [1, 1]),
        row_idx(1),
    );
    let ran = legal(
        Call::Mscatter(call),
        [zeros::<f32>(512), bytes([1_f32; 128]), indices(&[116])],
    );
    assert_eq!(touched(&ran.table::<f32>()), [284]);
}

/// MSCATTER-NZ-12: (5, 11) of a tile with 32 rows is UB element 299.
#[test]
fn elem_sources_translate() {
    let call = mscatter(
        Coalesce::Elem,
        nz(DType::Float, [1, 2, 2], 8),
        nz_tile(DType::Float, [32, 16], [6, 12]),
        tile(DType::Int32, [6, 16], [6, 12]),
    );
    // Everything goes to slot 1 (element 1), (5, 11) alone to slot 0.
    let mut idx = vec![1_i32; 96];
    idx[5 * 16 + 11] = 0;
    let ran = legal(
        Call::Mscatter(call),
        [zeros::<u32>(512), bytes(0..512_u32), bytes(idx)],
    );
    assert_eq!(ran.table::<u32>()[0], 299);
}

/// MSCATTER-NZ-01: one block of each width, second row.
#[test]
fn block_rows_are_32_bytes() {
    for (dtype, c0) in [(DType::Int8, 32), (DType::Half, 16), (DType::Float, 8)] {
        let call = mscatter(
            Coalesce::Row,
            nz(dtype, [1, 1, 1], c0),
            nz_tile(dtype, [16, c0], [1, c0]),
            row_idx(1),
        );
        let ran = legal(
            Call::Mscatter(call),
            [vec![0; 512], vec![1; 512], indices(&[1])],
        );
        let want: Vec<usize> = (32..64).collect();
        assert_eq!(touched(&ran.table::<u8>()), want);
    }
}

/// MSCATTER-NZ-15, -16.
#[test]
fn adds_accumulate() {
    let row = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..mscatter(
            Coalesce::Row,
            nz(DType::Float, [1, 2, 1], 8),
            nz_tile(DType::Float, [16, 16], [2, 16]),
            row_idx(2),
        )
    };
    let ran = legal(
        Call::Mscatter(row),
        [zeros::<f32>(256), bytes([1_f32; 256]), indices(&[4, 4])],
    );
    let got = ran.table::<f32>();
    assert_eq!(got[32..40], [2.; 8]);
    assert_eq!(got[160..168], [2.; 8]);
    assert_eq!(touched(&got).len(), 16);

    let elem = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..mscatter(
            Coalesce::Elem,
            nz(DType::Float, [1, 2, 2], 8),
            nz_tile(DType::Float, [16, 8], [1, 2]),
            row_idx(2),
        )
    };
    let ran = legal(
        Call::Mscatter(elem),
        [
            zeros::<f32>(512),
            bytes([1.5_f32; 128]),
            indices(&[109, 109]),
        ],
    );
    let got = ran.table::<f32>();
    assert_eq!(got[309], 3.);
    assert_eq!(touched(&got), [309]);
}

/// MSCATTER-GAP-22: bursts carry the tile's padding columns along.
#[test]
fn row_bursts_move_all_logical_columns() {
    let call = mscatter(
        Coalesce::Row,
        nz(DType::Float, [1, 2, 1], 8),
        nz_tile(DType::Float, [16, 16], [1, 9]),
        row_idx(1),
    );
    let ran = legal(
        Call::Mscatter(call),
        [zeros::<f32>(256), bytes([7_f32; 256]), indices(&[0])],
    );
    assert_eq!(touched(&ran.table::<f32>()).len(), 16);
}

/// MSCATTER-GAP-08: (0, 8) and (1, 0) share a slot; the walk visits (0, 8) last,
/// the coordinates put (1, 0) last.
#[test]
fn elem_order_is_a_reading() {
    let call = mscatter(
        Coalesce::Elem,
        nz(DType::Float, [1, 2, 1], 8),
        nz_tile(DType::Float, [16, 16], [2, 9]),
        tile(DType::Int32, [2, 16], [2, 9]),
    );
    let mut src = vec![0_f32; 256];
    (src[0], src[128], src[8]) = (1e8, -1e8, 1.);
    // Slots 0 and 1 are elements 0 and 1; all others go to slot 1.
    let mut idx = vec![1_i32; 32];
    (idx[8], idx[16]) = (0, 0);
    for (order, last, sum) in [
        (NzElemOrder::Walk, -1e8_f32, 0_f32),
        (NzElemOrder::Coordinate, 1., 1.),
    ] {
        let readings = Readings {
            nz_elem_order: order,
            ..Readings::default()
        };
        let operands = [zeros::<f32>(256), bytes(src.clone()), bytes(idx.clone())];
        let ran = run(Call::Mscatter(call), readings, operands);
        assert_eq!(ran.table::<f32>()[0], last);

        // With (0, 0) there too: 1e8, 1, -1e8 or 1e8, -1e8, 1.
        let add = Mscatter {
            atomic: ScatterAtomicOp::Add,
            ..call
        };
        let mut idx = idx.clone();
        idx[0] = 0;
        let operands = [zeros::<f32>(256), bytes(src.clone()), bytes(idx)];
        let ran = run(Call::Mscatter(add), readings, operands);
        assert_eq!(ran.table::<f32>()[0], sum);
    }
}
