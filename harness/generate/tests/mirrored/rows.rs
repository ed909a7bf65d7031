//! Rows taken at random, as the tables of the suites have them.

use std::collections::BTreeMap;

use ptodiff_case::Case;
use ptodiff_isa::{BLayout, Call, Dim, GlobalTensor, Operand, Role, SLayout, Tile};

use crate::mirrored::corpus::{cases, key, pattern, policy};

fn extent(dim: Dim) -> String {
    match dim {
        Dim::Static(n) => n.to_string(),
        Dim::Dynamic(n) => format!("?{n}"),
    }
}

fn tile(t: &Tile) -> String {
    let layout = match (t.blayout, t.slayout) {
        (BLayout::RowMajor, SLayout::NoneBox) => "",
        (BLayout::ColMajor, SLayout::NoneBox) => " col",
        (BLayout::ColMajor, SLayout::RowMajor) => " nz",
        _ => " other",
    };
    let valid = format!("{}x{}", extent(t.valid_row), extent(t.valid_col));
    format!("{valid}/{}x{}{layout}", t.rows, t.cols)
}

fn tensor(t: &GlobalTensor) -> String {
    let dims = |dims: [Dim; 5]| dims.map(extent).join("x");
    format!("{} {}", dims(t.shape), dims(t.stride))
}

fn operand(operand: Operand<'_>) -> String {
    match operand {
        Operand::Tile(t) => tile(t),
        Operand::Tensor(t) => tensor(t),
    }
}

/// One case as a line: policy, dtype, data tile (valid/padded), index, table
/// with strides, pattern, then launch and chunks where they are given.
fn line(case: &Case) -> String {
    let data = case.call.data_tile();
    let mut line = format!("{} | {} | {}", policy(case), data.dtype, tile(data));
    for role in [
        Role::Source,
        Role::Destination,
        Role::Index,
        Role::Table,
        Role::Scratch,
    ] {
        match case.call.operand(role) {
            Some(Operand::Tile(t)) if std::ptr::eq(t, data) => {}
            Some(index) if role == Role::Index => {
                line += &format!(" | {} {}", index.dtype(), operand(index));
            }
            Some(other) => line += &format!(" | {}", operand(other)),
            None => {}
        }
    }
    if case.call.operand(Role::Index).is_some() {
        line += &format!(" | {}", pattern(case));
    }
    if let Call::Mscatter(c) = &case.call
        && let Some(bytes) = c.launch.dyn_ub_bytes
    {
        line += &format!(" | ub {bytes}");
    }
    if case.chunks != 1 {
        line += &format!(" | {} calls", case.chunks);
    }
    line
}

const ROWS: &[(&str, &str)] = &[
    (
        "MSCATTER cpu case_row_float_same_8x32_16rows",
        "Row None Undefined Last | float | 8x32/8x32 | int32_t 1x8/1x8 | 1x1x1x16x32 1x1x1x32x1 | same",
    ),
    (
        "MSCATTER cpu case_row_half_wrap_8x32_8rows",
        "Row None Wrap Last | half | 8x32/8x32 | int32_t 1x8/1x8 | 1x1x1x8x32 1x1x1x32x1 | out-of-bounds",
    ),
    (
        "MSCATTER cpu case_row_colidx_int32_clamp_8x16_8rows",
        "Row None Clamp Last | int32_t | 8x16/8x16 | int32_t 8x1/8x1 col | 1x1x1x8x16 1x1x1x16x1 | out-of-bounds",
    ),
    (
        "MSCATTER cpu case_elem_int32_atomicadd_skip_32_16size",
        "Elem Add Skip Default | int32_t | 1x32/1x32 | int32_t 1x32/1x32 | 1x1x1x1x16 1x1x1x16x1 | out-of-bounds",
    ),
    (
        "MSCATTER cpu case_elem_float_clamp_no_dup_32_16size",
        "Elem None Clamp Last | float | 1x32/1x32 | int32_t 1x32/1x32 | 1x1x1x1x16 1x1x1x16x1 | random",
    ),
    (
        "MSCATTER cpu case_elem2d_int32_unaligned_9x9_in_9x16_256size",
        "Elem None Undefined Last | int32_t | 9x9/9x16 | int32_t 9x9/9x16 | 1x1x1x1x256 1x1x1x256x1 | random",
    ),
    (
        "MSCATTER cpu case_row_int32_unaligned_3x8_8rows",
        "Row None Undefined Last | int32_t | 3x8/3x8 | int32_t 1x3/1x8 | 1x1x1x8x8 1x1x1x8x1 | random",
    ),
    (
        "MSCATTER cpu case_elem2d_float_2048x8_last_256size",
        "Elem None Undefined Last | float | 128x8/128x8 | int32_t 128x8/128x8 | 1x1x1x1x256 1x1x1x256x1 | random | 16 calls",
    ),
    (
        "MSCATTER cpu case_elem2d_dyn_user_float_1x9_in_1x16_3x10",
        "Elem None Skip Last | float | ?1x?9/1x16 | int32_t ?1x?9/1x16 | 1x1x1x?3x?10 1x1x1x?10x?1 | out-of-bounds",
    ),
    (
        "MSCATTER a5 case_elem2d_float_2048x8_default_16384size",
        "Elem None Undefined Default | float | 128x8/128x8 | int32_t 128x8/128x8 | 1x1x1x1x16384 1x1x1x16384x1 | seq | 16 calls",
    ),
    (
        "MSCATTER a5 case_elem2d_float_2304x8_last_256size",
        "Elem None Undefined Last | float | 2304x8/2304x8 | int32_t 2304x8/2304x8 | 1x1x1x1x256 1x1x1x256x1 | random | ub 147456",
    ),
    (
        "MSCATTER a5 case_elem2d_float_3456x8_default_27648size",
        "Elem None Undefined Default | float | 3456x8/3456x8 | int32_t 3456x8/3456x8 | 1x1x1x1x27648 1x1x1x27648x1 | seq | ub 221184",
    ),
    (
        "MSCATTER a5 case_elem2d_dyn_int32_4x8_in_4x8_64size",
        "Elem None Undefined Last | int32_t | ?4x?8/4x8 | int32_t ?4x?8/4x8 | 1x1x1x?8x?8 1x1x1x?8x?1 | random",
    ),
    (
        "MSCATTER a2a3 case_row_uint8_unaligned_3x32_32rows",
        "Row None Undefined Last | uint8_t | 3x32/3x32 | int32_t 1x3/1x8 | 1x1x1x8x32 1x1x1x32x1 | permutation",
    ),
    (
        "MSCATTER a2a3 case_row_int16_partial_3x16_in_4x16",
        "Row None Clamp Last | int16_t | 3x16/4x16 | int32_t 1x3/1x8 | 1x1x1x8x16 1x1x1x16x1 | out-of-bounds",
    ),
    (
        "MSCATTER a2a3 case_elem2d_int8_unaligned_3x17_in_3x32_64size",
        "Elem None Undefined Last | int8_t | 3x17/3x32 | int32_t 3x17/3x32 | 1x1x1x1x64 1x1x1x64x1 | permutation",
    ),
    (
        "MSCATTER a2a3 case_elem2d_bfloat16_atomic_add_4x16_8size",
        "Elem Add Undefined Last | bfloat16_t | 4x16/4x16 | int32_t 4x16/4x16 | 1x1x1x1x8 1x1x1x8x1 | random",
    ),
    (
        "MSCATTER a2a3 case_row_nz_float_16x16_2blk",
        "Row None Undefined Last | float | 16x16/16x16 nz | int32_t 1x16/1x16 | 1x2x2x16x8 512x256x128x8x1 | permutation",
    ),
    (
        "MSCATTER a2a3 case_elem2d_nz_half_16x16_1blk",
        "Elem None Undefined Last | half | 16x16/16x16 nz | int32_t 16x16/16x16 | 1x1x2x16x16 512x512x256x16x1 | permutation",
    ),
    (
        "MGATHER cpu case_row_half_zero_8x32_8rows",
        "Row Zero | half | 8x32/8x32 | int32_t 1x8/1x8 | 1x1x1x8x32 1x1x1x32x1 | out-of-bounds",
    ),
    (
        "MGATHER cpu case_elem2d_dyn_float_3x3_in_3x8_64size",
        "Elem Undefined | float | ?3x?3/3x8 | int32_t ?3x?3/3x8 | 1x1x1x?1x?64 1x1x1x?64x?1 | random",
    ),
    (
        "MGATHER a2a3 case_row_dyn_half_4x32_16rows",
        "Row Undefined | half | ?4x?32/4x32 | int32_t ?1x?4/1x16 | 1x1x1x?16x?32 1x1x1x?32x?1 | random",
    ),
    (
        "MGATHER a2a3 case_row_nz_int8_16x32_1blk",
        "Row Undefined | int8_t | 16x32/16x32 nz | int32_t 1x16/1x16 | 1x1x2x16x32 1024x1024x512x32x1 | random",
    ),
    (
        "MGATHER a5 case_elem2d_dyn_user_float_1x9_in_1x16_3x10",
        "Elem Undefined | float | ?1x?9/1x16 | int32_t ?1x?9/1x16 | 1x1x1x?3x?10 1x1x1x?10x?1 | random",
    ),
    (
        "MGATHERGM2L1 cpu case_elem_simt_int32_wrap_16x8_32size",
        "Elem Wrap Scalar | int32_t | 16x8/16x8 nz | int32_t 1x1x1x16x8 1x1x1x8x1 | 1x1x1x1x32 1x1x1x32x1 | 1x1x1x1x128 1x1x1x128x1 | out-of-bounds",
    ),
    (
        "MGATHERGM2L1 a2a3 case_row_uint8_32x32_64rows",
        "Row Undefined Scalar | uint8_t | 32x32/32x32 nz | int32_t 1x1x1x1x32 1x1x1x32x1 | 1x1x1x64x32 1x1x1x32x1 | random",
    ),
    (
        "MGATHERGM2L1 a5 case_elem_simt_half_zero_16x16_64size",
        "Elem Zero Simt | half | 16x16/16x16 nz | int32_t 1x1x1x16x16 1x1x1x16x1 | 1x1x1x1x64 1x1x1x64x1 | 1x1x1x1x256 1x1x1x256x1 | out-of-bounds",
    ),
    (
        "TSCATTER cpu case_float_uint16_2x32_1x32",
        "Index | float | ?2x?32/2x32 | ?2x?32/2x32 | uint16_t ?1x?32/1x32 | two-rows",
    ),
    (
        "TSCATTER cpu case_masked_float_P0001",
        "Row P0001 | float | ?3x?264/3x264 | ?3x?1056/3x1056",
    ),
    (
        "TSCATTER cpu case_col_half_P1010",
        "Col P1010 | half | ?5x?64/5x64 | ?10x?64/10x64",
    ),
    (
        "TSCATTER a2a3 case_int8_uint16_256x32_256x32",
        "Index | int8_t | 256x32/256x32 | 256x32/256x32 | uint16_t 256x32/256x32 | two-rows",
    ),
    (
        "TSCATTER a2a3 case_mask_half_16x64_16x256_P1000",
        "Row P1000 | half | 16x64/16x64 | 16x256/16x256",
    ),
    (
        "TSCATTER a5 case_uint64_uint32_4x16_4x16",
        "Index | uint64_t | 4x16/4x16 | 4x16/4x16 | uint32_t 4x16/4x16 | two-rows",
    ),
    (
        "TSCATTER a5 case_mask_int64_4x16_4x32_P1010",
        "Row P1010 | int64_t | 4x16/4x16 | 4x32/4x32",
    ),
    (
        "TGATHERB cpu case_uint16_257x128_257x8_257x128",
        "Block | uint16_t | 257x128/257x128 | 257x128/257x128 | uint32_t 257x8/257x8 | seq",
    ),
    (
        "TGATHERB a5 case_int8_2x32768_2x1024_2x32768",
        "Block | int8_t | 2x32768/2x32768 | 2x32768/2x32768 | uint32_t 2x1024/2x1024 | seq",
    ),
];

#[test]
fn rows_taken_at_random_say_what_the_tables_say() {
    let lines: BTreeMap<String, String> = cases().iter().map(|c| (key(c), line(c))).collect();
    for (name, row) in ROWS {
        assert_eq!(lines.get(*name).map(String::as_str), Some(*row), "{name}");
    }
}
