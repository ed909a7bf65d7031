//! The documents' lines, against what is written for calls that fit them.

use std::collections::HashSet;

use crate::common::{
    by_index, by_offset, calls, gather, mat, mscatter, scatter, tensor, text, tile,
};
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use ptodiff_asm::{Level, cpp, forms, parse};
use ptodiff_isa::{
    Call, Coalesce, DType, Dim, GatherExec, GatherOob, Launch, MaskAxis, MaskPattern, Mgather,
    MgatherL1, Mscatter, MscatterFirst, ScatterAtomicOp, ScatterConflict, ScatterOob, Target,
    TscatterMask,
};
use strum::VariantArray;

/// A form with `...` for all parameters of its types and without its dictionary.
fn abbreviated(text: &str) -> String {
    let text = text.split(" {").next().unwrap_or_default();
    let mut short = String::new();
    let mut inside = false;
    let mut previous = ' ';
    for c in text.chars() {
        // The `>` of an arrow closes nothing.
        if c == '>' && previous != '-' {
            short += "...";
            inside = false;
        }
        if !inside {
            short.push(c);
        }
        inside |= c == '<';
        previous = c;
    }
    short
}

#[test]
fn every_documented_line_is_written() {
    let scatter = Call::Mscatter(scatter());
    let gather = Call::Mgather(gather());
    let index = Call::TscatterIndex(by_index());
    let offset = Call::Tgatherb(by_offset());
    for (call, level, line) in [
        // MSCATTER-ASM-01, -02, -05, -06.
        (
            &scatter,
            Level::Synchronous,
            "mscatter %src, %mem, %idx : !pto.memref<...>, !pto.tile<...>, !pto.tile<...>",
        ),
        (
            &scatter,
            Level::Mode,
            "mscatter.row %table, %src, %idx : (!pto.memref<...>, !pto.tile<...>, !pto.tile<...>)",
        ),
        (
            &scatter,
            Level::Ssa,
            "pto.mscatter %src, %idx, %mem : (!pto.tile<...>, !pto.tile<...>, !pto.partition_tensor_view<...>) -> ()",
        ),
        (
            &scatter,
            Level::Dps,
            "pto.mscatter ins(%src, %idx : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%mem : !pto.partition_tensor_view<...>)",
        ),
        // MGATHER-ASM-01, -02, -05, -06.
        (
            &gather,
            Level::Synchronous,
            "%dst = mgather %mem, %idx : !pto.memref<...>, !pto.tile<...> -> !pto.tile<...>",
        ),
        (
            &gather,
            Level::Mode,
            "mgather.row %dst, %table, %idx : (!pto.tile<...>, !pto.memref<...>, !pto.tile<...>)",
        ),
        (
            &gather,
            Level::Ssa,
            "%dst = pto.mgather %mem, %idx : (!pto.partition_tensor_view<...>, !pto.tile<...>) -> !pto.tile<...>",
        ),
        (
            &gather,
            Level::Dps,
            "pto.mgather ins(%mem, %idx : !pto.partition_tensor_view<...>, !pto.tile_buf<...>) outs(%dst : !pto.tile_buf<...>)",
        ),
        // TSCATTER-ASM-01, -02, -03.
        (
            &index,
            Level::Synchronous,
            "%dst = tscatter %src, %idx : !pto.tile<...>, !pto.tile<...> -> !pto.tile<...>",
        ),
        (
            &index,
            Level::Ssa,
            "%dst = pto.tscatter %src, %idx : (!pto.tile<...>, !pto.tile<...>) -> !pto.tile<...>",
        ),
        (
            &index,
            Level::Dps,
            "pto.tscatter ins(%src, %idx : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%dst : !pto.tile_buf<...>)",
        ),
        // TGATHERB-ASM-01 with its single operand type, -02, -03.
        (
            &offset,
            Level::Synchronous,
            "%dst = tgatherb %src, %offsets : !pto.tile<...> -> !pto.tile<...>",
        ),
        (
            &offset,
            Level::Ssa,
            "%dst = pto.tgatherb %src, %offsets : (!pto.tile<...>, !pto.tile<...>) -> !pto.tile<...>",
        ),
        (
            &offset,
            Level::Dps,
            "pto.tgatherb ins(%src, %offsets : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%dst : !pto.tile_buf<...>)",
        ),
    ] {
        assert_eq!(abbreviated(&text(call, level)), line);
    }
}

/// MSCATTER-ASM-02, -03, -04; MGATHER-ASM-02, -03, -04; MSCATTER0-ASM-01, -02, -03.
#[test]
fn sketches_are_the_documents_mode_lines() {
    let row = Mscatter {
        oob: ScatterOob::Clamp,
        atomic: ScatterAtomicOp::Add,
        ..scatter()
    };
    let elem = Mscatter {
        mode: Coalesce::Elem,
        oob: ScatterOob::Skip,
        idx: tile(DType::Int32, 8, 16),
        ..scatter()
    };
    let column = MscatterFirst {
        table: row.table,
        src: row.src,
        idx: tile(DType::Int32, 8, 1),
        atomic: ScatterAtomicOp::Add,
        oob: ScatterOob::Undefined,
        launch: Launch::default(),
    };
    let wide = MscatterFirst {
        idx: elem.idx,
        atomic: ScatterAtomicOp::None,
        ..column
    };
    let zero = Mgather {
        mode: Coalesce::Elem,
        oob: GatherOob::Zero,
        idx: elem.idx,
        ..gather()
    };
    for (call, line) in [
        (
            Call::Mscatter(row),
            "mscatter.row.clamp.atomic_add %table, %src, %idx : (!pto.memref<...>, !pto.tile<8x16xf32>, !pto.tile<1x8xi32>)",
        ),
        (
            Call::Mscatter(elem),
            "mscatter.elem.skip %table, %src, %idx : (!pto.memref<...>, !pto.tile<8x16xf32>, !pto.tile<8x16xi32>)",
        ),
        (
            Call::MscatterFirst(column),
            "mscatter.row.atomic_add %table, %src, %idx : (!pto.memref<...>, !pto.tile<8x16xf32>, !pto.tile<8x1xi32>)",
        ),
        (
            Call::MscatterFirst(wide),
            "mscatter.elem %table, %src, %idx : (!pto.memref<...>, !pto.tile<8x16xf32>, !pto.tile<8x16xi32>)",
        ),
        (
            Call::Mgather(zero),
            "mgather.elem.zero %dst, %table, %idx : (!pto.tile<8x16xf32>, !pto.memref<...>, !pto.tile<8x16xi32>)",
        ),
    ] {
        assert_eq!(text(&call, Level::Sketch), line);
    }
}

/// The example of Dynamic Runtime Shapes (000): run-time values in the dictionary.
#[test]
fn run_time_values_stand_in_the_dictionary() {
    let (src, idx) = (tile(DType::Float, 1, 16), tile(DType::Int32, 1, 16));
    let extents = (Dim::Dynamic(1), Dim::Dynamic(9));
    let mut table = tensor(DType::Float, 3, 10);
    table.shape[3..].copy_from_slice(&[Dim::Dynamic(3), Dim::Dynamic(10)]);
    table.stride[3..].copy_from_slice(&[Dim::Dynamic(10), Dim::Dynamic(1)]);
    let mut call = mscatter(table, src, idx, Coalesce::Elem);
    call.oob = ScatterOob::Skip;
    (call.src.valid_row, call.src.valid_col) = extents;
    (call.idx.valid_row, call.idx.valid_col) = extents;
    assert_eq!(
        text(&Call::Mscatter(call), Level::Mode),
        "mscatter.elem.skip %table, %src, %idx : \
         (!pto.memref<1x1x1x?x?xf32, stride = [1, 1, 1, ?, ?], layout = ND>, \
         !pto.tile<Vec, f32, 1, 16, RowMajor, NoneBox, 512, none, valid = ?x?>, \
         !pto.tile<Vec, i32, 1, 16, RowMajor, NoneBox, 512, none, valid = ?x?>) \
         {%table = [3, 10, 10, 1], %src = [1, 9], %idx = [1, 9]}"
    );
}

/// MSCATTER-GAP-48, MSCATTER-GAP-73: what the bare form cannot say.
#[test]
fn policies_without_a_place_stand_in_the_dictionary() {
    let call = Mscatter {
        oob: ScatterOob::Wrap,
        atomic: ScatterAtomicOp::Max,
        conflict: ScatterConflict::Default,
        launch: Launch {
            dyn_ub_bytes: Some(147_456),
            ..Launch::default()
        },
        ..scatter()
    };
    let line = text(&Call::Mscatter(call), Level::Ssa);
    let dictionary =
        " {mode = Row, oob = Wrap, atomic = Max, conflict = Default, dynUBufSize = 147456}";
    assert!(line.ends_with(dictionary), "{line}");
    let line = text(&Call::Mscatter(call), Level::Mode);
    assert!(
        line.starts_with("mscatter.row.wrap.atomic_max %table"),
        "{line}"
    );
    assert!(
        line.ends_with(") {conflict = Default, dynUBufSize = 147456}"),
        "{line}"
    );
}

/// MSCATTER-ASM-07: the tiles bound first, 8x16 floats of 512 bytes apart.
#[test]
fn manual_mode_binds_each_tile() {
    let call = Call::Mscatter(scatter());
    let line = text(&call, Level::Ssa);
    let manual = format!("pto.tassign %src, @tile(0x0)\npto.tassign %idx, @tile(0x200)\n{line}");
    assert_eq!(text(&call, Level::Manual), manual);
    // As the documents print it, addresses in hexadecimal and comments around.
    let commented = format!("# Manual mode\npto.tassign %idx, @tile(0x1000)\n\n# then\n{line}");
    assert_eq!(parse(&commented), Ok(call));
}

/// MGATHERL1-GAP-21, TSCATTER-GAP-16: ptodiff's own forms.
#[test]
fn forms_that_no_document_has() {
    let gm = |cols| tensor(DType::Half, 1, cols);
    let call = Call::MgatherL1(MgatherL1 {
        dst: mat(DType::Half, 16, 32),
        table: gm(256),
        idx: tensor(DType::Int32, 16, 32),
        scratch: Some(gm(512)),
        mode: Coalesce::Elem,
        oob: GatherOob::Zero,
        exec: GatherExec::Simt,
        launch: Launch::default(),
    });
    let line = text(&call, Level::Mode);
    assert_eq!(
        abbreviated(&line),
        "mgather.elem.zero %dst, %table, %idx, %scratch : \
         (!pto.tile<...>, !pto.memref<...>, !pto.memref<...>, !pto.memref<...>)"
    );
    assert!(line.contains("<Mat, f16, 16, 32, ColMajor, RowMajor, 512, none, valid = 16x32>"));
    assert!(line.ends_with(" {exec = Simt}"));
    let call = Call::TscatterMask(TscatterMask {
        dst: tile(DType::Half, 16, 128),
        src: tile(DType::Half, 16, 64),
        pattern: MaskPattern::P1010,
        axis: MaskAxis::Row,
    });
    assert_eq!(
        text(&call, Level::Ssa),
        "%dst = pto.tscatter %src : \
         (!pto.tile<Vec, f16, 16, 64, RowMajor, NoneBox, 512, none, valid = 16x64>) -> \
         !pto.tile<Vec, f16, 16, 128, RowMajor, NoneBox, 512, none, valid = 16x128> \
         {maskPattern = P1010}"
    );
}

#[test]
fn every_number_stands_in_the_register() {
    let mut runner = TestRunner::deterministic();
    let mut seen = HashSet::new();
    for _ in 0..300 {
        let call = calls().new_tree(&mut runner).expect("a call").current();
        seen.extend(forms(&call).into_iter().map(|form| form.clause));
        let rejected = Target::VARIANTS
            .iter()
            .filter_map(|target| cpp(&call, *target).err());
        seen.extend(rejected.map(|error| error.clause));
    }
    // In the order of `Call`'s variants, then the rejections.
    assert_eq!(seen.len(), 6 + 2 + 6 + 1 + 4 + 1 + 4 + 6);
    for clause in seen {
        assert!(ptodiff_register::find(clause.0).is_some(), "{clause}");
    }
}
