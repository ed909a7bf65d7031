//! Which positions feed a slot, by numbers worked out by hand.

use ptodiff_contract::{Feeder, feeders};
use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GatherOob, GlobalTensor, Launch, Layout, Memory, Mgather,
    Mscatter, Readings, Region, Role, SLayout, ScatterAtomicOp, ScatterConflict, ScatterOob,
    Target, Tile, TileType,
};

fn tile(dtype: DType, rows: u64, cols: u64, valid: [u64; 2]) -> Tile {
    Tile {
        location: TileType::Vec,
        dtype,
        rows,
        cols,
        valid_row: Dim::Static(valid[0]),
        valid_col: Dim::Static(valid[1]),
        blayout: BLayout::RowMajor,
        slayout: SLayout::NoneBox,
        fractal: 512,
    }
}

fn table(rows: u64, cols: u64, pitch: u64) -> GlobalTensor {
    GlobalTensor {
        dtype: DType::Int32,
        shape: [1, 1, 1, rows, cols].map(Dim::Static),
        stride: [rows * pitch, rows * pitch, rows * pitch, pitch, 1].map(Dim::Static),
        layout: Layout::ND,
    }
}

fn memory(indices: &[u32]) -> Memory {
    let bytes: Vec<u8> = indices.iter().flat_map(|i| i.to_le_bytes()).collect();
    let len = bytes.len();
    Memory {
        regions: vec![Region::new(Role::Index, bytes, 0..len)],
    }
}

fn at(step: usize, r: u64, c: u64) -> Feeder {
    Feeder { step, r, c }
}

#[test]
fn elem_lanes_meet_after_wrap_over_two_steps() {
    let call = Call::Mscatter(Mscatter {
        table: table(1, 8, 8),
        src: tile(DType::Int32, 2, 8, [2, 2]),
        idx: tile(DType::Int32, 2, 8, [2, 2]),
        mode: Coalesce::Elem,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Wrap,
        conflict: ScatterConflict::Default,
        launch: Launch::default(),
    });
    // Only columns 0 and 1 are valid; 5 and 13 are one slot of eight.
    let mut first = [5; 16];
    first[..2].copy_from_slice(&[5, 3]);
    first[8..10].copy_from_slice(&[13, 1]);
    let mut second = [5; 16];
    second[..2].copy_from_slice(&[0, 21]);
    second[8..10].copy_from_slice(&[2, 4]);
    let (first, second) = (memory(&first), memory(&second));
    let found = feeders(
        &call,
        &[&first, &second],
        Target::A5,
        &Readings::default(),
        Role::Table,
        5,
    );
    assert_eq!(found, [at(0, 0, 0), at(0, 1, 0), at(1, 0, 1)]);
    assert_eq!(
        feeders(
            &call,
            &[&first],
            Target::A5,
            &Readings::default(),
            Role::Index,
            5
        ),
        []
    );
}

#[test]
fn row_lanes_follow_the_pitch_of_the_target() {
    let call = Call::Mscatter(Mscatter {
        table: table(4, 8, 16),
        src: tile(DType::Int32, 2, 8, [2, 8]),
        idx: tile(DType::Int32, 1, 8, [1, 2]),
        mode: Coalesce::Row,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Skip,
        conflict: ScatterConflict::Last,
        launch: Launch::default(),
    });
    let index = memory(&[3, 4, 0, 0, 0, 0, 0, 0]);
    // Row 3 begins at 3 * 16 where strides count; row 4 is skipped.
    let found = feeders(
        &call,
        &[&index],
        Target::A2a3,
        &Readings::default(),
        Role::Table,
        3 * 16 + 5,
    );
    assert_eq!(found, [at(0, 0, 5)]);
    assert_eq!(
        feeders(
            &call,
            &[&index],
            Target::A2a3,
            &Readings::default(),
            Role::Table,
            4 * 16
        ),
        []
    );
    // A5 has pitch ValidCol = 8.
    let found = feeders(
        &call,
        &[&index],
        Target::A5,
        &Readings::default(),
        Role::Table,
        3 * 8 + 5,
    );
    assert_eq!(found, [at(0, 0, 5)]);
}

#[test]
fn elements_of_an_nz_table() {
    // MSCATTER-INDEX-04: of Shape<1,2,1,16,8> index 9 is row 0, column 9, which
    // stands at 128 + 1.
    let nz = GlobalTensor {
        dtype: DType::Int32,
        shape: [1, 2, 1, 16, 8].map(Dim::Static),
        stride: [256, 128, 128, 8, 1].map(Dim::Static),
        layout: Layout::NZ,
    };
    let call = Call::Mscatter(Mscatter {
        table: nz,
        src: tile(DType::Int32, 1, 8, [1, 2]),
        idx: tile(DType::Int32, 1, 8, [1, 2]),
        mode: Coalesce::Elem,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Wrap,
        conflict: ScatterConflict::Default,
        launch: Launch::default(),
    });
    let m = memory(&[0, 9, 0, 0, 0, 0, 0, 0]);
    let of = |element| {
        let r = Readings::default();
        feeders(&call, &[&m], Target::A2a3, &r, Role::Table, element)
    };
    assert_eq!(of(129), [at(0, 0, 1)]);
    assert_eq!(of(9), []);
}

#[test]
fn a_gathered_slot_is_fed_by_its_own_lane() {
    let call = Call::Mgather(Mgather {
        dst: tile(DType::Int32, 3, 8, [3, 3]),
        table: table(1, 8, 8),
        idx: tile(DType::Int32, 3, 8, [3, 3]),
        mode: Coalesce::Elem,
        oob: GatherOob::Undefined,
        launch: Launch::default(),
    });
    let index = memory(&[0; 24]);
    let of = |element| {
        feeders(
            &call,
            &[&index],
            Target::A5,
            &Readings::default(),
            Role::Destination,
            element,
        )
    };
    assert_eq!(of(2 * 8 + 1), [at(0, 2, 1)]);
    assert_eq!(of(2 * 8 + 5), [], "padding has no lane");
}
