//! Descriptors, readings and indices of every kind.

use DType::{Bfloat16, Float, Float8E4M3, Half, Int8, Int16, Int32, Int64, Uint8, Uint32};
use proptest::prelude::*;
use ptodiff_isa::{reading::GAPS, *};

use super::words;

pub(crate) fn extent() -> impl Strategy<Value = u64> {
    prop_oneof![
        8 => prop::sample::select(vec![1, 2, 3, 8, 16, 32, 48]),
        1 => 0_u64..70,
        1 => prop::sample::select(vec![1 << 31, 1 << 33, 1 << 62, u64::MAX]),
    ]
}

pub(crate) fn dim() -> impl Strategy<Value = Dim> {
    (extent(), any::<bool>()).prop_map(|(n, known)| {
        if known {
            Dim::Static(n)
        } else {
            Dim::Dynamic(n)
        }
    })
}

pub(crate) fn dtype() -> impl Strategy<Value = DType> {
    prop::sample::select(vec![
        Int8, Uint8, Int16, Int32, Int32, Uint32, Int64, Half, Bfloat16, Float, Float, Float8E4M3,
    ])
}

pub(crate) fn any_tile() -> impl Strategy<Value = Tile> {
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

pub(crate) fn any_table() -> impl Strategy<Value = GlobalTensor> {
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

/// Any choice for every gap.
pub(crate) fn readings() -> impl Strategy<Value = Readings> {
    prop::collection::vec(any::<prop::sample::Index>(), GAPS.len()).prop_map(|picks| {
        let mut readings = Readings::default();
        for (gap, pick) in GAPS.iter().zip(picks) {
            readings
                .set(gap.name, gap.choices[pick.index(gap.choices.len())])
                .expect("a choice of the gap");
        }
        readings
    })
}

/// Any launch.
pub(crate) fn launch() -> impl Strategy<Value = Launch> {
    (
        prop::option::of(any::<u64>()),
        prop::bool::weighted(0.1),
        any::<bool>(),
    )
        .prop_map(|(dyn_ub_bytes, direct, missing)| Launch {
            dyn_ub_bytes,
            dispatch: if direct {
                Dispatch::Direct
            } else {
                Dispatch::Standard
            },
            flush: if missing {
                CacheFlush::Missing
            } else {
                CacheFlush::Appended
            },
        })
}

pub(crate) fn indices() -> impl Strategy<Value = Vec<u8>> {
    let one = prop_oneof![
        6 => 0_i64..12,
        1 => -40_i64..0,
        1 => prop::sample::select(vec![i64::from(i32::MIN), i64::from(i32::MAX), 1 << 20]),
    ];
    prop::collection::vec(one, 48).prop_map(|v| words(&v))
}
