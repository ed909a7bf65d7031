//! Calls of every kind, most of them illegal, with operands that need not fit.

mod common;

use DType::{Bfloat16, Float, Float8E4M3, Half, Int8, Int16, Int32, Int64, Uint8, Uint32};
use common::*;
use proptest::prelude::*;
use ptodiff_contract::{data_duties, feeders, legality, permits};
use ptodiff_isa::{
    BLayout, Call, Coalesce, CpuForm, DType, Dim, GatherOob, GlobalTensor, Launch, Layout, Mgather,
    Mscatter, NegativeIndex, NzElemOrder, Readings, Role, SLayout, ScatterAtomicOp,
    ScatterConflict, ScatterOob, Target, Tile, TileType,
};

fn extent() -> impl Strategy<Value = u64> {
    prop_oneof![
        8 => prop::sample::select(vec![1, 2, 3, 8, 16, 32, 48]),
        1 => 0_u64..70,
        1 => prop::sample::select(vec![1 << 31, 1 << 33, 1 << 62, u64::MAX]),
    ]
}

fn dim() -> impl Strategy<Value = Dim> {
    (extent(), any::<bool>()).prop_map(|(n, known)| {
        if known {
            Dim::Static(n)
        } else {
            Dim::Dynamic(n)
        }
    })
}

fn dtype() -> impl Strategy<Value = DType> {
    prop::sample::select(vec![
        Int8, Uint8, Int16, Int32, Int32, Uint32, Int64, Half, Bfloat16, Float, Float, Float8E4M3,
    ])
}

fn any_tile() -> impl Strategy<Value = Tile> {
    (
        (dtype(), extent(), extent(), dim(), dim()),
        prop::sample::select(vec![
            BLayout::RowMajor,
            BLayout::RowMajor,
            BLayout::ColMajor,
        ]),
        prop::sample::select(vec![SLayout::NoneBox, SLayout::RowMajor, SLayout::ColMajor]),
        prop::sample::select(vec![TileType::Vec, TileType::Vec, TileType::Mat]),
    )
        .prop_map(
            |((dtype, rows, cols, valid_row, valid_col), b, s, location)| Tile {
                location,
                dtype,
                rows: rows.max(1),
                cols: cols.max(1),
                valid_row,
                valid_col,
                blayout: b,
                slayout: s,
                fractal: 512,
            },
        )
}

fn any_table() -> impl Strategy<Value = GlobalTensor> {
    (
        dtype(),
        prop::array::uniform5(dim()),
        prop::array::uniform5(dim()),
        prop::sample::select(vec![Layout::ND, Layout::NZ, Layout::DN]),
    )
        .prop_map(|(dtype, shape, stride, layout)| GlobalTensor {
            dtype,
            shape,
            stride,
            layout,
        })
}

/// Calls that some target accepts, to be damaged in one place.
fn sound() -> Vec<Mscatter> {
    vec![
        scatter(
            matrix(Float, 4, 8),
            tile(Float, [3, 8], [3, 8]),
            tile(Int32, [1, 8], [1, 3]),
            Coalesce::Row,
        ),
        scatter(
            matrix(Half, 4, 8),
            tile(Half, [3, 16], [3, 5]),
            tile(Int32, [3, 8], [3, 5]),
            Coalesce::Elem,
        ),
        scatter(
            matrix(Int32, 4, 3),
            col_major(Int32, [8, 3], [3, 3]),
            col_major(Int32, [8, 1], [3, 1]),
            Coalesce::Row,
        ),
        scatter(
            packed(Half, [1, 2, 2, 16, 16], Layout::NZ),
            nz_tile(Half, [16, 32], [3, 20]),
            tile(Int32, [1, 8], [1, 3]),
            Coalesce::Row,
        ),
        scatter(
            packed(Float, [2, 1, 1, 16, 8], Layout::NZ),
            nz_tile(Float, [16, 16], [3, 9]),
            tile(Int32, [3, 16], [3, 9]),
            Coalesce::Elem,
        ),
    ]
}

fn any_scatter() -> impl Strategy<Value = Mscatter> {
    let base = prop::sample::select(sound());
    (
        base,
        any_table(),
        any_tile(),
        any_tile(),
        0_u8..12,
        extent(),
    )
        .prop_map(|(base, table, src, idx, damage, n)| {
            let mut c = base;
            match damage {
                0 => c.table = table,
                1 => c.src = src,
                2 => c.idx = idx,
                3 => (c.table, c.src, c.idx) = (table, src, idx),
                4 => c.src.valid_row = Dim::Dynamic(n),
                5 => c.idx.valid_col = Dim::Dynamic(n),
                6 => c.table.shape[(n % 5) as usize] = Dim::Dynamic(n),
                7 => c.table.stride[(n % 5) as usize] = Dim::Dynamic(n),
                8 => (c.src.dtype, c.table.dtype) = (src.dtype, src.dtype),
                _ => {}
            }
            c
        })
}

fn readings() -> impl Strategy<Value = Readings> {
    (
        prop::sample::select(vec![CpuForm::Documented, CpuForm::Templated]),
        prop::sample::select(vec![
            NegativeIndex::Unsigned,
            NegativeIndex::Signed,
            NegativeIndex::Intended,
        ]),
        prop::sample::select(vec![NzElemOrder::Walk, NzElemOrder::Coordinate]),
    )
        .prop_map(|(cpu_form, negative_index, nz_elem_order)| Readings {
            cpu_form,
            negative_index,
            nz_elem_order,
        })
}

fn indices() -> impl Strategy<Value = Vec<u8>> {
    let one = prop_oneof![
        6 => 0_i64..12,
        1 => -40_i64..0,
        1 => prop::sample::select(vec![i64::from(i32::MIN), i64::from(i32::MAX), 1 << 20]),
    ];
    prop::collection::vec(one, 48).prop_map(|v| words(&v))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_or_refuses(
        c in any_scatter(),
        policies in (0_usize..4, 0_usize..4, 0_usize..2, 0_usize..4),
        launch in prop::option::of(any::<u64>()),
        readings in readings(),
        idx in indices(),
        data in prop::collection::vec(any::<u8>(), 2048),
        len in prop::sample::select(vec![0_usize, 7, 128, 2048, 2048, 2048, 2048]),
        calls in 1_usize..3,
    ) {
        use ScatterAtomicOp as Op;
        let (oob, atomic, conflict, gather_oob) = policies;
        let launch = Launch { dyn_ub_bytes: launch };
        let scatter = Mscatter {
            oob: [ScatterOob::Undefined, ScatterOob::Skip, ScatterOob::Clamp, ScatterOob::Wrap][oob],
            atomic: [Op::None, Op::Add, Op::Max, Op::Min][atomic],
            conflict: [ScatterConflict::Last, ScatterConflict::Default][conflict],
            launch,
            ..c
        };
        let gather = Mgather {
            dst: c.src,
            table: c.table,
            idx: c.idx,
            mode: c.mode,
            oob: [GatherOob::Undefined, GatherOob::Clamp, GatherOob::Wrap, GatherOob::Zero][gather_oob],
            launch,
        };
        let m = memory(&[
            (Role::Table, &data[..len]),
            (Role::Source, &data),
            (Role::Destination, &data),
            (Role::Index, &idx),
        ]);
        let steps = vec![&m; calls];
        for call in [Call::Mscatter(scatter), Call::Mgather(gather)] {
            for target in [Target::Cpu, Target::A2a3, Target::A5] {
                let broken = legality(&call, target, &readings);
                let _ = data_duties(&call, &steps, target, &readings);
                if let Ok(p) = permits(&call, &steps, target, &readings) {
                    let (role, len) = match call {
                        Call::Mscatter(_) => (Role::Table, len),
                        Call::Mgather(_) => (Role::Destination, data.len()),
                    };
                    if broken.is_empty() {
                        slots(&p, role, len);
                        let _ = feeders(&call, &steps, target, &readings, role, 1);
                    } else {
                        prop_assert_eq!(p.strays, Some(broken[0].clause));
                    }
                }
            }
        }
    }
}
