//! Calls, readings and memories of any kind, legal or not.

use proptest::prelude::*;
use proptest::sample::select;
use ptodiff_isa::{
    BLayout, Call, Coalesce, CpuForm, CpuPaddedTable, CpuRowCheck, DType, Dim, GatherExec,
    GatherOob, GlobalTensor, IndexUnit, L1IndexPitch, Launch, Layout, MaskAxis, MaskPadding,
    MaskPattern, MaxMinNan, MaxMinZero, Memory, Mgather, MgatherL1, Mscatter, OffsetBoundary,
    OffsetGranularity, Readings, Region, Role, SLayout, ScatterAtomicOp, ScatterConflict,
    ScatterExtent, ScatterIndex, ScatterOob, Scope, Tgatherb, Tile, TileType, TscatterIndex,
    TscatterMask, Unaddressed, UnalignedOffset,
};

pub(crate) fn dtype() -> impl Strategy<Value = DType> {
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
        stride in prop::array::uniform5(dim(extent())),
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

pub(crate) fn mode() -> impl Strategy<Value = Coalesce> {
    select(vec![Coalesce::Row, Coalesce::Elem])
}

pub(crate) fn atomic() -> impl Strategy<Value = ScatterAtomicOp> {
    select(vec![
        ScatterAtomicOp::None,
        ScatterAtomicOp::Add,
        ScatterAtomicOp::Max,
        ScatterAtomicOp::Min,
    ])
}

pub(crate) fn scatter_oob() -> impl Strategy<Value = ScatterOob> {
    select(vec![
        ScatterOob::Undefined,
        ScatterOob::Skip,
        ScatterOob::Clamp,
        ScatterOob::Wrap,
    ])
}

prop_compose! {
    pub(crate) fn mscatter()(
        table in table(),
        src in tile(dtype()),
        idx in index_tile(),
        mode in mode(),
        atomic in atomic(),
        oob in scatter_oob(),
        conflict in select(vec![ScatterConflict::Last, ScatterConflict::Default]),
    ) -> Call {
        let launch = Launch::default();
        Call::Mscatter(Mscatter { table, src, idx, mode, atomic, oob, conflict, launch })
    }
}

prop_compose! {
    pub(crate) fn mgather()(
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

prop_compose! {
    pub(crate) fn mgather_l1()(
        dst in tile(dtype()),
        table in table(),
        idx in table(),
        scratch in prop::option::of(table()),
        mode in mode(),
        oob in select(vec![
            GatherOob::Undefined,
            GatherOob::Clamp,
            GatherOob::Wrap,
            GatherOob::Zero,
        ]),
        exec in select(vec![GatherExec::Scalar, GatherExec::Simt]),
    ) -> Call {
        let launch = Launch::default();
        Call::MgatherL1(MgatherL1 { dst, table, idx, scratch, mode, oob, exec, launch })
    }
}

prop_compose! {
    pub(crate) fn tscatter_index()(
        dst in tile(dtype()),
        src in tile(dtype()),
        idx in index_tile(),
    ) -> Call {
        Call::TscatterIndex(TscatterIndex { dst, src, idx })
    }
}

prop_compose! {
    pub(crate) fn tscatter_mask()(
        dst in tile(dtype()),
        src in tile(dtype()),
        pattern in select(vec![MaskPattern::P0101, MaskPattern::P1010, MaskPattern::P0001, MaskPattern::P0010, MaskPattern::P0100, MaskPattern::P1000, MaskPattern::P1111]),
        axis in select(vec![MaskAxis::Row, MaskAxis::Col]),
    ) -> Call {
        Call::TscatterMask(TscatterMask { dst, src, pattern, axis })
    }
}

prop_compose! {
    pub(crate) fn tgatherb()(
        dst in tile(dtype()),
        src in tile(dtype()),
        offset in index_tile(),
    ) -> Call {
        Call::Tgatherb(Tgatherb { dst, src, offset })
    }
}

prop_compose! {
    /// Every choice that this target looks at.
    pub(crate) fn readings()(
        cpu_form in select(vec![CpuForm::Documented, CpuForm::Templated]),
        max_min_nan in select(vec![MaxMinNan::Anything, MaxMinNan::Ignored, MaxMinNan::PassedOn, MaxMinNan::ByBits]),
        max_min_zero in select(vec![MaxMinZero::Either, MaxMinZero::Ordered]),
        cpu_padded_table in select(vec![CpuPaddedTable::Precondition, CpuPaddedTable::Strided]),
        cpu_row_check in select(vec![CpuRowCheck::Rejected, CpuRowCheck::Precondition]),
        index_unit in select(vec![IndexUnit::Element, IndexUnit::Byte]),
        tscatter_index in select(vec![ScatterIndex::Flat, ScatterIndex::Row]),
        scope in select(vec![Scope::Documented, Scope::AsTheSuite]),
        l1_index_pitch in select(vec![L1IndexPitch::Linear, L1IndexPitch::Strided]),
        tscatter_extent in select(vec![ScatterExtent::Source, ScatterExtent::Index]),
        tscatter_unaddressed in select(vec![Unaddressed::Kept, Unaddressed::Zero, Unaddressed::Undefined]),
        mask_p1111_padding in select(vec![MaskPadding::Zero, MaskPadding::Kept]),
        tgatherb_granularity in select(vec![OffsetGranularity::Element, OffsetGranularity::Block]),
        tgatherb_unaligned in select(vec![UnalignedOffset::ByteExact, UnalignedOffset::RoundedDown, UnalignedOffset::Undefined]),
        tgatherb_boundary in select(vec![OffsetBoundary::Allocation, OffsetBoundary::Valid]),
    ) -> Readings {
        Readings {
            cpu_form,
            max_min_nan,
            max_min_zero,
            cpu_padded_table,
            cpu_row_check,
            index_unit,
            tscatter_index,
            scope,
            l1_index_pitch,
            tscatter_extent,
            tscatter_unaddressed,
            mask_p1111_padding,
            tgatherb_granularity,
            tgatherb_unaligned,
            tgatherb_boundary,
            ..Readings::default()
        }
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

/// Operands of any size.
pub(crate) fn memory<const N: usize>(roles: [Role; N]) -> impl Strategy<Value = Memory> {
    Vec::from(roles.map(region)).prop_map(|regions| Memory { regions })
}
