//! Where values stand in an operand's body and in a suite's file.

use ptodiff_data::{
    place::{Places, bytes, put, take},
    st::{self, GOLDEN, Order, Stored},
};
use ptodiff_isa::{
    BLayout, Call, DType, Dim, Form, GlobalTensor, Layout, Mgather, MgatherL1, Mscatter, Operand,
    Role, SLayout, Target, Tile,
};

fn tile(rows: u64, cols: u64) -> Tile {
    Tile {
        dtype: DType::Uint8,
        rows,
        cols,
        valid_row: Dim::Static(rows),
        valid_col: Dim::Static(cols),
        ..Tile::default()
    }
}

fn tensor(layout: Layout, shape: [u64; 5], stride: [u64; 5]) -> GlobalTensor {
    GlobalTensor {
        dtype: DType::Uint8,
        shape: shape.map(Dim::Static),
        stride: stride.map(Dim::Static),
        layout,
    }
}

fn nz(tile: Tile) -> Tile {
    Tile {
        blayout: BLayout::ColMajor,
        slayout: SLayout::RowMajor,
        ..tile
    }
}

#[test]
fn values_that_are_put_touch_nothing_else_and_come_back() {
    let zn = Tile {
        blayout: BLayout::RowMajor,
        slayout: SLayout::ColMajor,
        valid_row: Dim::Static(33),
        dtype: DType::Uint16,
        ..tile(64, 48)
    };
    let odd = Tile {
        valid_row: Dim::Static(17),
        valid_col: Dim::Static(40),
        ..nz(tile(32, 64))
    };
    let strided = tensor(Layout::ND, [1, 2, 1, 2, 3], [99, 20, 99, 5, 1]);
    for (operand, len) in [
        (Operand::Tile(&zn), 2 * 64 * 48),
        (Operand::Tile(&odd), 2048),
        (Operand::Tensor(&strided), 28),
    ] {
        let count = bytes(operand).unwrap() as usize;
        let values: Vec<u8> = (0..count).map(|n| n as u8 | 1).collect();
        let mut body = vec![0; len];
        put(operand, &values, &mut body).unwrap();
        assert_eq!(body.iter().filter(|b| **b != 0).count(), count);
        assert_eq!(take(operand, &body).unwrap(), values);
        assert_eq!(
            put(operand, &values[1..], &mut body),
            None,
            "too few values"
        );
        let short = body.len() / 2;
        assert_eq!(take(operand, &body[..short]), None, "too short a body");
    }
}

fn gather(dst: Tile, table: GlobalTensor) -> Call {
    Call::Mgather(Mgather {
        dst,
        table,
        ..Mgather::default()
    })
}

const TABLE: [u64; 5] = [1, 2, 2, 16, 32];

/// 64 rows of 32.
fn rows() -> GlobalTensor {
    tensor(Layout::ND, [1, 1, 1, 64, 32], [1, 1, 1, 32, 1])
}

/// The names of the suites' own files.
#[test]
fn each_suite_has_its_files() {
    use Form::{Mgather, MgatherL1, Mscatter, Tgatherb, TscatterIndex, TscatterMask};
    let forms = [
        Mscatter,
        Mgather,
        MgatherL1,
        TscatterIndex,
        TscatterMask,
        Tgatherb,
    ];
    let names = |suite| {
        let of = |call| -> Vec<_> { st::inputs(suite, &call, 1).iter().map(|f| f.name).collect() };
        forms.map(Call::blank).map(of)
    };
    let shared = [
        vec!["src.bin", "indices.bin"],
        vec!["table.bin", "indices.bin"],
    ];
    let cpu = names(Target::Cpu);
    assert_eq!(cpu[..2], shared);
    assert_eq!(cpu[2], cpu[1]);
    assert_eq!(cpu[3], ["input1.bin", "input2.bin"]);
    assert_eq!(cpu[4], ["x1_gm.bin"]);
    assert_eq!(cpu[5], ["x.bin", "offset.bin"]);
    for suite in [Target::A2a3, Target::A5] {
        let npu = names(suite);
        assert_eq!(npu[..3], cpu[..3]);
        assert_eq!(npu[3], ["input.bin", "indexes.bin"]);
        assert_eq!(npu[4], ["input.bin"]);
        assert_eq!(npu[5], cpu[5]);
    }
}

#[test]
fn chunks_lengthen_what_is_loaded_anew_and_not_the_result() {
    let call = Call::Mscatter(Mscatter {
        table: rows(),
        src: tile(8, 32),
        idx: tile(1, 8),
        ..Mscatter::default()
    });
    let len = |file: &Stored<'_>| file.len().unwrap();
    let files = st::inputs(Target::A5, &call, 3);
    assert_eq!(
        files.iter().map(len).collect::<Vec<_>>(),
        [3 * 8 * 32, 3 * 8]
    );
    let golden = st::result(Target::A5, &call, GOLDEN).unwrap();
    assert_eq!((len(&golden), golden.role), (64 * 32, Role::Table));
}

#[test]
fn what_is_in_nz_form_is_in_nz_order_but_for_the_tiles_of_cpu() {
    let to_l1 = Call::MgatherL1(MgatherL1 {
        dst: nz(tile(32, 32)),
        table: rows(),
        ..MgatherL1::default()
    });
    let to_ub = gather(tile(8, 32), rows());
    let order = |suite, call| st::result(suite, call, GOLDEN).unwrap().order;
    assert_eq!(order(Target::Cpu, &to_l1), Order::RowMajor);
    assert_eq!(order(Target::A2a3, &to_l1), Order::Nz);
    assert_eq!(order(Target::A5, &to_l1), Order::Nz);
    assert_eq!(order(Target::A5, &to_ub), Order::RowMajor);
    let table = tensor(Layout::NZ, TABLE, [2048, 1024, 512, 32, 1]);
    let of_nz = gather(nz(tile(32, 64)), table);
    assert_eq!(st::inputs(Target::A2a3, &of_nz, 1)[0].order, Order::Nz);
    assert_eq!(order(Target::A2a3, &of_nz), Order::Nz);
}

/// The file of a dense NZ table is the table's own image.
#[test]
fn nz_order_is_that_of_the_device() {
    let table = tensor(Layout::NZ, TABLE, [2048, 1024, 512, 32, 1]);
    let call = gather(nz(tile(32, 64)), table);
    let image: Vec<u8> = (0..2048_u32).map(|n| ((n * 7) >> 3) as u8).collect();
    for file in [
        st::inputs(Target::A2a3, &call, 1)[0],
        st::result(Target::A2a3, &call, GOLDEN).unwrap(),
    ] {
        let values = take(file.operand, &image).unwrap();
        assert_ne!(values, image);
        assert_eq!(file.packed(&values), image, "{}", file.name);
        assert_eq!(file.unpacked(&image), values, "{}", file.name);
        let places = file.places(2048);
        assert_eq!((places[1], places[32], places[512]), (1, 64, 16 * 64));
    }
}

#[test]
fn each_part_of_a_file_is_packed_by_itself_and_a_part_that_is_cut_off_is_not_read() {
    let call = gather(
        nz(tile(16, 64)),
        tensor(Layout::NZ, TABLE, [2048, 1024, 512, 32, 1]),
    );
    let file = Stored {
        parts: 2,
        ..st::result(Target::A2a3, &call, GOLDEN).unwrap()
    };
    let one: Vec<u8> = (0..1024_u32).map(|n| (n >> 3) as u8).collect();
    let packed = file.packed(&[one.clone(), one.clone()].concat());
    assert_eq!(packed[..1024], packed[1024..]);
    assert_eq!(packed[..1024], Stored { parts: 1, ..file }.packed(&one));
    assert_eq!(packed[32], one[64]);
    assert_eq!(file.unpacked(&packed[..100]), [0; 100]);
}

/// A tile of which a part is valid.
fn part(dtype: DType, [rows, cols]: [u64; 2], valid: [u64; 2]) -> Tile {
    Tile {
        dtype,
        valid_row: Dim::Static(valid[0]),
        valid_col: Dim::Dynamic(valid[1]),
        ..tile(rows, cols)
    }
}

/// The elements of the memory that an operand's own stand in.
fn all(operand: Operand<'_>) -> Vec<usize> {
    let places = Places::of(operand);
    let mut list = Vec::new();
    let whole = places.each_run(|run| {
        list.extend((0..run.len).map(|k| run.start + k * run.step));
        Some(())
    });
    assert_eq!(whole, Some(()));
    assert_eq!(list.len(), places.count());
    list
}

/// A column of a tile, and a tensor whose only step is an outer one.
#[test]
fn loops_of_one_are_no_loops() {
    let mut runs = Vec::new();
    let mut note = |operand: Operand<'_>| {
        let places = Places::of(operand);
        places.each_run(|run| {
            runs.push([run.start, run.step, run.len]);
            Some(())
        });
        places.is_dense()
    };
    let rows = tensor(Layout::ND, [3, 1, 1, 1, 1], [1, 7, 7, 7, 7]);
    let of = |valid| part(DType::Half, [4, 16], valid);
    assert!(!note(Operand::Tile(&of([4, 1]))));
    assert!(note(Operand::Tensor(&rows)));
    assert!(note(Operand::Tile(&of([4, 16]))));
    assert!(!note(Operand::Tile(&part(DType::Half, [2, 16], [2, 8]))));
    let expected = [[0, 16, 4], [0, 1, 3], [0, 1, 64], [0, 1, 8], [16, 1, 8]];
    assert_eq!(runs, expected);
}

#[test]
fn empty_operands_have_no_places() {
    let none = |layout, shape, stride| {
        let empty = tensor(layout, shape, stride);
        assert!(all(Operand::Tensor(&empty)).is_empty(), "{shape:?}");
    };
    none(Layout::ND, [1, 1, 1, 0, 5], [1, 1, 1, 5, 1]);
    none(Layout::NZ, [1, 1, 2, 16, 0], [1, 1, 1, 5, 1]);
    none(Layout::ND, [1 << 60, 0, 1, 1, 1], [1; 5]);
    for valid in [[0, 4], [4, 0]] {
        let empty = part(DType::Int8, [4, 4], valid);
        assert!(all(Operand::Tile(&empty)).is_empty(), "{valid:?}");
    }
}
