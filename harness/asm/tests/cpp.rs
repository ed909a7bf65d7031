//! The C++ of one call of each kind and target, by the documents' examples.

use crate::common::{calls, mat, mscatter, tensor, tile};
use proptest::prelude::*;
use ptodiff_asm::{PieceKind, cpp, pieces, suite_pieces};
use ptodiff_isa::{
    BLayout, CacheFlush, Call, Coalesce, DType, Dim, Dispatch, GatherExec, GatherOob, GlobalTensor,
    Launch, Layout, MaskAxis, MaskPattern, Mgather, MgatherL1, Mscatter, MscatterFirst, SLayout,
    ScatterAtomicOp, ScatterConflict, ScatterOob, Target, Tgatherb, Tile, TileType, TscatterIndex,
    TscatterMask,
};

const LAUNCH: Launch = Launch {
    dyn_ub_bytes: None,
    dispatch: Dispatch::Standard,
    flush: CacheFlush::Appended,
};

/// The line of the intrinsic alone.
fn intrinsic(call: &Call, target: Target) -> String {
    let text = cpp(call, target).expect("a form");
    let name = format!("    {}", call.instruction());
    let line = text.lines().find(|line| line.starts_with(&name));
    line.expect("a call of the intrinsic").trim().to_owned()
}

fn rejection(call: &Call, target: Target) -> &'static str {
    cpp(call, target).expect_err("no form").clause.0
}

/// Deterministic Last-Write-Wins (000), with R = 8, C = 64, TableRows = 65536.
fn last_wins() -> Mscatter {
    Mscatter {
        idx: Tile {
            blayout: BLayout::ColMajor,
            ..tile(DType::Int32, 8, 1)
        },
        oob: ScatterOob::Clamp,
        ..mscatter(
            tensor(DType::Half, 65536, 64),
            tile(DType::Half, 8, 64),
            tile(DType::Int32, 8, 1),
            Coalesce::Row,
        )
    }
}
#[test]
fn a_scatter_on_a5() {
    assert_eq!(
        cpp(&Call::Mscatter(last_wins()), Target::A5).expect("a form"),
        include_str!("expected/mscatter_a5.cpp")
    );
}

/// MSCATTER-API-01, -02, -03.
#[test]
fn a_scatter_has_the_parameters_of_its_target() {
    let call = Call::Mscatter(Mscatter {
        mode: Coalesce::Elem,
        atomic: ScatterAtomicOp::Add,
        oob: ScatterOob::Skip,
        conflict: ScatterConflict::Default,
        ..last_wins()
    });
    assert_eq!(
        intrinsic(&call, Target::Cpu),
        "MSCATTER(tableGM, src, idx);"
    );
    assert_eq!(
        intrinsic(&call, Target::A2a3),
        "MSCATTER<Coalesce::Elem, ScatterAtomicOp::Add, ScatterOOB::Skip>(tableGM, src, idx);"
    );
    assert_eq!(
        intrinsic(&call, Target::A5),
        "MSCATTER<Coalesce::Elem, ScatterAtomicOp::Add, ScatterOOB::Skip, \
         ScatterConflict::Default>(tableGM, src, idx);"
    );
}

/// MSCATTER0-API-01: atomic before OOB, no mode, A5 alone.
#[test]
fn a_scatter_of_the_first_revision() {
    let call = Call::MscatterFirst(MscatterFirst {
        table: tensor(DType::Float, 65536, 64),
        src: tile(DType::Float, 16, 64),
        idx: tile(DType::Int32, 16, 1),
        atomic: ScatterAtomicOp::Add,
        oob: ScatterOob::Skip,
        launch: LAUNCH,
    });
    let line = "MSCATTER<ScatterAtomicOp::Add, ScatterOOB::Skip>(tableGM, src, idx);";
    assert_eq!(intrinsic(&call, Target::A5), line);
    let text = cpp(&call, Target::A5).expect("a form");
    assert!(text.starts_with("#include <pto/npu/a5/custom/MScatter.hpp>\n"));
    assert!(text.contains("    dsb(DSB_DDR);\n"));
    assert_eq!(rejection(&call, Target::Cpu), "MSCATTER0-API-01");
    assert_eq!(rejection(&call, Target::A2a3), "MSCATTER0-API-01");
}

/// The example of Dynamic Runtime Shapes (001).
#[test]
fn dynamic_extents_are_constructor_arguments() {
    let mut table = tensor(DType::Float, 3, 10);
    table.shape[3..].copy_from_slice(&[Dim::Dynamic(3), Dim::Dynamic(10)]);
    table.stride[3..].copy_from_slice(&[Dim::Dynamic(10), Dim::Dynamic(1)]);
    let dynamic = |dtype| Tile {
        valid_row: Dim::Dynamic(1),
        valid_col: Dim::Dynamic(9),
        ..tile(dtype, 1, 16)
    };
    let call = Call::Mgather(Mgather {
        dst: dynamic(DType::Float),
        table,
        idx: Tile {
            valid_row: Dim::Static(1),
            ..dynamic(DType::Int32)
        },
        mode: Coalesce::Elem,
        oob: GatherOob::Undefined,
        launch: LAUNCH,
    });
    assert_eq!(
        cpp(&call, Target::Cpu).expect("a form"),
        include_str!("expected/mgather_cpu.cpp")
    );
    let on_a2a3 = cpp(&call, Target::A2a3).expect("a form");
    assert!(on_a2a3.contains("    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);\n"));
    assert!(!on_a2a3.contains("mgather_kernel"));
    // A gather flushes nothing.
    assert!(!cpp(&call, Target::A5).expect("a form").contains("dsb"));
}

/// The parts of a call: run-time extents come from an array, operand by
/// operand, and nothing is placed, loaded or wrapped.
#[test]
fn the_parts_of_a_call() {
    let mut table = tensor(DType::Float, 3, 10);
    table.shape[3..].copy_from_slice(&[Dim::Dynamic(3), Dim::Dynamic(10)]);
    table.stride[3] = Dim::Dynamic(10);
    let dst = Tile {
        valid_row: Dim::Dynamic(1),
        valid_col: Dim::Dynamic(9),
        ..tile(DType::Float, 1, 16)
    };
    let call = Call::Mgather(Mgather {
        dst,
        table,
        idx: Tile {
            valid_row: Dim::Static(1),
            dtype: DType::Int32,
            ..dst
        },
        mode: Coalesce::Elem,
        oob: GatherOob::Undefined,
        launch: LAUNCH,
    });
    let parts = pieces(&call, Target::Cpu).expect("a form");
    let declarations = parts
        .operands
        .iter()
        .map(|piece| piece.declaration.as_str());
    assert_eq!(
        declarations.collect::<String>(),
        "    using DstTile = Tile<TileType::Vec, float, 1, 16, BLayout::RowMajor, -1, -1>;
    DstTile dst(at[0], at[1]);
    using TableShape = Shape<1, 1, 1, -1, -1>;
    using TableStride = Stride<1, 1, 1, -1, 1>;
    using TableTensor = GlobalTensor<float, TableShape, TableStride, Layout::ND>;
    TableShape tableShape(at[2], at[3]);
    TableStride tableStride(at[4]);
    TableTensor tableGM(tablePtr, tableShape, tableStride);
    using IdxTile = Tile<TileType::Vec, int32_t, 1, 16, BLayout::RowMajor, 1, -1>;
    IdxTile idx(at[5]);
"
    );
    assert_eq!(
        parts.intrinsic,
        "MGATHER<Coalesce::Elem, GatherOOB::Undefined>(dst, tableGM, idx);"
    );
    let kinds: Vec<_> = parts
        .operands
        .iter()
        .map(|piece| (piece.variable.as_str(), &piece.kind))
        .collect();
    let pointer = "tablePtr".to_owned();
    assert_eq!(
        kinds,
        [
            ("dst", &PieceKind::Tile { address: Some(0) }),
            ("tableGM", &PieceKind::Tensor { pointer }),
            ("idx", &PieceKind::Tile { address: Some(64) }),
        ]
    );
}

/// The suites' second template argument of a mask, which no document has.
#[test]
fn the_axis_of_a_mask_and_arguments_left_out() {
    let mask = |axis| {
        Call::TscatterMask(TscatterMask {
            dst: tile(DType::Float, 8, 32),
            src: tile(DType::Float, 4, 32),
            pattern: MaskPattern::P0101,
            axis,
        })
    };
    let by_column = suite_pieces(&mask(MaskAxis::Col)).expect("a form of the suites");
    assert_eq!(
        by_column.intrinsic,
        "TSCATTER<MaskPattern::P0101, ScatterAxis::SCATTER_COL>(dst, src);"
    );
    assert_eq!(by_column.of_defaults(), "TSCATTER(dst, src);");
    let by_row = suite_pieces(&mask(MaskAxis::Row)).expect("a form of the suites");
    assert_eq!(by_row.intrinsic, "TSCATTER<MaskPattern::P0101>(dst, src);");
    let none = pieces(&mask(MaskAxis::Col), Target::A5).expect_err("no document's");
    assert_eq!(none.clause.0, "TSCATTER-API-02");
}

fn to_l1() -> MgatherL1 {
    MgatherL1 {
        dst: mat(DType::Half, 16, 32),
        table: tensor(DType::Half, 1, 256),
        idx: tensor(DType::Int32, 16, 32),
        scratch: Some(tensor(DType::Half, 1, 512)),
        mode: Coalesce::Elem,
        oob: GatherOob::Zero,
        exec: GatherExec::Simt,
        launch: Launch {
            dyn_ub_bytes: Some(4096),
            ..LAUNCH
        },
    }
}

/// The example of the SIMT executor (001) with R = 16, C = 32, TableSize = 256.
#[test]
fn a_gather_to_l1_on_a5() {
    assert_eq!(
        cpp(&Call::MgatherL1(to_l1()), Target::A5).expect("a form"),
        include_str!("expected/mgather_l1_a5.cpp")
    );
}

/// MGATHERL1-API-01, -02, -03; MGATHERL1-EXEC-02, -03; MGATHERL1-GAP-14.
#[test]
fn a_gather_to_l1_elsewhere() {
    let simt = to_l1();
    let scalar = MgatherL1 {
        exec: GatherExec::Scalar,
        ..simt
    };
    let row = MgatherL1 {
        mode: Coalesce::Row,
        oob: GatherOob::Clamp,
        scratch: None,
        idx: tensor(DType::Int32, 1, 16),
        ..scalar
    };
    for target in [Target::A2a3, Target::A5] {
        let line = "MGATHER<Coalesce::Elem, GatherOOB::Zero>(dst, tableGM, idxGM, scratchGM);";
        assert_eq!(intrinsic(&Call::MgatherL1(scalar), target), line);
        let line = "MGATHER<Coalesce::Row, GatherOOB::Clamp>(dst, tableGM, idxGM);";
        assert_eq!(intrinsic(&Call::MgatherL1(row), target), line);
    }
    assert_eq!(
        rejection(&Call::MgatherL1(simt), Target::A2a3),
        "MGATHERL1-EXEC-03"
    );
    let without = MgatherL1 {
        scratch: None,
        ..simt
    };
    assert_eq!(
        rejection(&Call::MgatherL1(without), Target::A5),
        "MGATHERL1-API-03"
    );
    for call in [simt, scalar, row] {
        assert_eq!(
            rejection(&Call::MgatherL1(call), Target::Cpu),
            "MGATHERL1-GAP-14"
        );
    }
}

/// The example Mask Scatter (002); TSCATTER-MODE-02, TSCATTER-API-02.
#[test]
fn a_masked_scatter() {
    let mask = TscatterMask {
        dst: tile(DType::Half, 16, 128),
        src: tile(DType::Half, 16, 64),
        pattern: MaskPattern::P1010,
        axis: MaskAxis::Row,
    };
    assert_eq!(
        cpp(&Call::TscatterMask(mask), Target::A5).expect("a form"),
        include_str!("expected/tscatter_mask_a5.cpp")
    );
    assert_eq!(
        rejection(&Call::TscatterMask(mask), Target::Cpu),
        "TSCATTER-MODE-02"
    );
    assert_eq!(
        rejection(&Call::TscatterMask(mask), Target::A2a3),
        "TSCATTER-MODE-02"
    );
    let by_column = TscatterMask {
        axis: MaskAxis::Col,
        ..mask
    };
    assert_eq!(
        rejection(&Call::TscatterMask(by_column), Target::A5),
        "TSCATTER-API-02"
    );
}

/// TSCATTER-API-01, TGATHERB-API-01: the same on every target, no parameters.
#[test]
fn tile_to_tile() {
    let data = tile(DType::Uint8, 1, 256);
    let scatter = Call::TscatterIndex(TscatterIndex {
        dst: data,
        src: data,
        idx: tile(DType::Int16, 1, 256),
    });
    let gather = Call::Tgatherb(Tgatherb {
        dst: data,
        src: data,
        offset: tile(DType::Uint32, 1, 256),
    });
    for target in [Target::Cpu, Target::A2a3, Target::A5] {
        assert_eq!(intrinsic(&scatter, target), "TSCATTER(dst, src, idx);");
        assert_eq!(intrinsic(&gather, target), "TGATHERB(dst, src, offset);");
        let text = cpp(&gather, target).expect("a form");
        assert!(text.contains("    TASSIGN(offset, 0x200);\n"), "{text}");
        assert!(
            !text.contains("TLOAD") && !text.contains("kernel"),
            "{text}"
        );
    }
}

#[test]
fn launch_and_flush_follow_the_call() {
    let direct = Launch {
        dispatch: Dispatch::Direct,
        flush: CacheFlush::Missing,
        ..LAUNCH
    };
    let call = Call::Mscatter(Mscatter {
        launch: direct,
        ..last_wins()
    });
    let text = cpp(&call, Target::A5).expect("a form");
    assert!(
        text.contains(
            "    auto* kernel = &mscatter_kernel;\n    kernel(tablePtr, srcPtr, idxPtr);\n"
        )
    );
    assert!(!text.contains("<<<") && !text.contains("dcci"), "{text}");
    // A2/A3 has no launch parameter.
    assert!(!cpp(&call, Target::A2a3).expect("a form").contains("kernel"));
}

/// An NZ source (000, NZ Layout) has boxes, which no example loads.
#[test]
fn tiles_with_boxes_are_not_loaded() {
    let nz = GlobalTensor {
        layout: Layout::NZ,
        ..tensor(DType::Half, 16, 16)
    };
    let src = Tile {
        blayout: BLayout::ColMajor,
        slayout: SLayout::RowMajor,
        ..tile(DType::Half, 16, 16)
    };
    let call = mscatter(nz, src, tile(DType::Int32, 1, 16), Coalesce::Row);
    let text = cpp(&Call::Mscatter(call), Target::A2a3).expect("a form");
    assert!(
        text.contains("16, 16, BLayout::ColMajor, 16, 16, SLayout::RowMajor, 512>;"),
        "{text}"
    );
    assert!(
        text.contains("TLOAD(idx, idxGM);") && !text.contains("TLOAD(src"),
        "{text}"
    );
    assert!(
        text.contains("(__gm__ half* tablePtr, __gm__ int32_t* idxPtr)"),
        "{text}"
    );
}

/// Address and size in bytes of each tile in one memory, from the text and the call.
fn placed(call: &Call, text: &str) -> Vec<(u128, u128, bool)> {
    let lines = text.lines().filter(|line| line.contains("TASSIGN("));
    let addresses = lines.map(|line| {
        let hex = line
            .split("0x")
            .nth(1)
            .and_then(|hex| hex.strip_suffix(");"));
        u128::from_str_radix(hex.expect("an address"), 16).expect("hexadecimal digits")
    });
    let operands = call.operands();
    let tiles = operands.iter().filter_map(|(_, operand)| operand.tile());
    let sized = tiles.map(|tile| {
        let bytes = u128::from(tile.rows) * u128::from(tile.cols) * tile.dtype.size() as u128;
        (bytes, tile.location == TileType::Vec)
    });
    addresses
        .zip(sized)
        .map(|(at, (bytes, ub))| (at, bytes, ub))
        .collect()
}

proptest! {
    #[test]
    fn addresses_are_aligned_and_apart(call in calls()) {
        for target in [Target::Cpu, Target::A2a3, Target::A5] {
            let Ok(text) = cpp(&call, target) else { continue };
            let tiles = placed(&call, &text);
            for (i, (at, bytes, ub)) in tiles.iter().enumerate() {
                prop_assert_eq!(at % 32, 0);
                for (other, size, other_ub) in &tiles[..i] {
                    prop_assert!(ub != other_ub || at + bytes <= *other || other + size <= *at);
                }
            }
        }
    }
}
