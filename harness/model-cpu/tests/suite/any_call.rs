//! Any call at all, legal or not, on memory of any size.

use proptest::prelude::*;
use proptest::sample::select;
use ptodiff_isa::{
    BLayout, Call, Coalesce, CpuForm, DType, Dim, GatherOob, GlobalTensor, How, Launch, Layout,
    Log, Memory, Mgather, Model, Mscatter, Readings, Region, Role, SLayout, ScatterAtomicOp,
    ScatterConflict, ScatterOob, Strays, Tile, TileType,
};
use ptodiff_model_cpu::Cpu;

use crate::common::run;

fn dtype() -> impl Strategy<Value = DType> {
    select(vec![
        DType::Int8,
        DType::Uint8,
        DType::Int16,
        DType::Uint16,
        DType::Int32,
        DType::Uint32,
        DType::Int64,
        DType::Uint64,
        DType::Half,
        DType::Bfloat16,
        DType::Float,
        DType::Float8E4M3,
        DType::Float8E5M2,
        DType::Hifloat8,
    ])
}

fn dim(value: impl Strategy<Value = u64>) -> impl Strategy<Value = Dim> {
    (value, any::<bool>()).prop_map(|(v, known)| {
        if known {
            Dim::Static(v)
        } else {
            Dim::Dynamic(v)
        }
    })
}

/// Mostly small, sometimes of a size that no memory has.
fn extent() -> impl Strategy<Value = u64> {
    prop_oneof![
        8 => 0_u64..9,
        1 => select(vec![1 << 31, 1 << 32, 1 << 40, 1 << 60, u64::MAX]),
    ]
}

prop_compose! {
    fn tile(dtype: impl Strategy<Value = DType> + 'static)(
        dtype in dtype,
        rows in extent(),
        cols in extent(),
        // Run-time extents drive the loops, so they stay small.
        valid_row in dim(0_u64..9),
        valid_col in dim(0_u64..9),
        location in select(vec![TileType::Vec, TileType::Mat]),
        blayout in select(vec![BLayout::RowMajor, BLayout::ColMajor]),
        slayout in select(vec![SLayout::NoneBox, SLayout::RowMajor, SLayout::ColMajor]),
    ) -> Tile {
        Tile { location, dtype, rows, cols, valid_row, valid_col, blayout, slayout, fractal: 512 }
    }
}

prop_compose! {
    fn table()(
        dtype in dtype(),
        shape in prop::array::uniform5(dim(extent())),
        stride in prop::array::uniform5(dim(0_u64..=1 << 40)),
        layout in select(vec![Layout::ND, Layout::DN, Layout::NZ]),
    ) -> GlobalTensor {
        GlobalTensor { dtype, shape, stride, layout }
    }
}

fn index_tile() -> impl Strategy<Value = Tile> {
    prop_oneof![
        tile(select(vec![DType::Int32, DType::Uint32])),
        tile(dtype())
    ]
}

fn mode() -> impl Strategy<Value = Coalesce> {
    select(vec![Coalesce::Row, Coalesce::Elem])
}

prop_compose! {
    fn mscatter()(
        table in table(),
        src in tile(dtype()),
        idx in index_tile(),
        mode in mode(),
        atomic in select(vec![
            ScatterAtomicOp::None,
            ScatterAtomicOp::Add,
            ScatterAtomicOp::Max,
            ScatterAtomicOp::Min,
        ]),
        oob in select(vec![
            ScatterOob::Undefined,
            ScatterOob::Skip,
            ScatterOob::Clamp,
            ScatterOob::Wrap,
        ]),
        conflict in select(vec![ScatterConflict::Last, ScatterConflict::Default]),
    ) -> Call {
        let launch = Launch::default();
        Call::Mscatter(Mscatter { table, src, idx, mode, atomic, oob, conflict, launch })
    }
}

prop_compose! {
    fn mgather()(
        dst in tile(dtype()),
        table in table(),
        idx in index_tile(),
        mode in mode(),
        oob in select(vec![
            GatherOob::Undefined,
            GatherOob::Clamp,
            GatherOob::Wrap,
            GatherOob::Zero,
        ]),
    ) -> Call {
        Call::Mgather(Mgather { dst, table, idx, mode, oob, launch: Launch::default() })
    }
}

/// An operand of any size; its bytes are small numbers so that indices hit.
fn region(role: Role) -> impl Strategy<Value = Region> {
    let byte = prop_oneof![6 => Just(0_u8), 3 => 0_u8..12, 1 => any::<u8>()];
    (
        prop::collection::vec(byte, 0..300),
        0_usize..20,
        0_usize..20,
    )
        .prop_map(move |(bytes, before, after)| {
            let end = bytes.len().saturating_sub(after);
            let start = before.min(end);
            Region::new(role, bytes, start..end)
        })
}

fn memory(data: Role) -> impl Strategy<Value = Memory> {
    (region(Role::Table), region(data), region(Role::Index)).prop_map(|(table, data, index)| {
        Memory {
            regions: vec![table, data, index],
        }
    })
}

/// The image with the operand's own bytes blanked.
fn guards(region: &Region) -> Vec<u8> {
    let mut bytes = region.bytes().to_vec();
    bytes[region.body_range()].fill(0);
    bytes
}

/// Whether it is sure that no write strayed: strays beyond the kept ones are unknown.
fn no_stray_write(strays: &Strays) -> bool {
    strays.count <= Strays::KEPT as u64 && strays.first.iter().all(|s| !s.write)
}

fn check(call: &Call, memory: &Memory, written: Role) {
    for form in [CpuForm::Documented, CpuForm::Templated] {
        let readings = Readings {
            cpu_form: form,
            ..Readings::default()
        };
        let refusals = Cpu.check(call, &readings);
        assert!(refusals.iter().all(|r| !r.clause.0.is_empty()));
        let plain = run(call, memory.clone(), form, false);
        let traced = run(call, memory.clone(), form, true);
        // A trace looks at every element by itself, the fast paths do not.
        assert_eq!(plain.memory, traced.memory);
        assert_eq!(plain.log.strays, traced.log.strays);
        for (old, new) in memory.regions.iter().zip(&plain.memory.regions) {
            if old.role != written {
                assert_eq!(old, new, "an operand that is only read has changed");
            } else if no_stray_write(&plain.log.strays) {
                assert_eq!(guards(old), guards(new), "a write strayed unseen");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_scatter_runs(call in mscatter(), memory in memory(Role::Source)) {
        check(&call, &memory, Role::Table);
    }

    #[test]
    fn any_gather_runs(call in mgather(), memory in memory(Role::Destination)) {
        check(&call, &memory, Role::Destination);
    }

    #[test]
    fn an_operand_may_be_missing(call in mscatter(), memory in memory(Role::Destination)) {
        let (mut memory, mut log) = (memory, Log::default());
        let before = memory.clone();
        prop_assert!(Cpu.execute(&call, &mut memory, &How::default(), &mut log).is_err());
        prop_assert_eq!(memory, before);
    }
}
