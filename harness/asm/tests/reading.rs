//! The words of the assembly, and what is read beyond the writer's own text.

use crate::common::{by_index, by_offset, gather, mat, scatter, tensor, text, tile};
use ptodiff_asm::{Level, parse};
use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, GatherExec, GatherOob, Launch, Mgather, MgatherL1, Mscatter,
    MscatterFirst, ScatterAtomicOp, ScatterOob, Tile, TscatterIndex,
};
use strum::VariantArray;

/// Names are the writer's choice, policies not spelled have their defaults
/// (MSCATTER-GAP-73), `!` may be missing as in 001, and the offsets' type may
/// be given in its place (TGATHERB-GAP-11).
#[test]
fn more_is_read_than_is_written() {
    const T: &str = "!pto.tile<Vec, f32, 8, 16, RowMajor, NoneBox, 512, none, valid = 8x16>";
    const I: &str = "!pto.tile<Vec, i32, 1, 8, RowMajor, NoneBox, 512, none, valid = 1x8>";
    const M: &str = "1x1x1x64x16xf32, stride = [1, 1, 1, 16, 1], layout = ND>";
    let call = Call::Mscatter(scatter());
    assert_eq!(
        parse(&format!(
            "mscatter %0, %buf-1, %i : !pto.memref<{M}, {T}, {I}"
        )),
        Ok(call)
    );
    let bare = I.trim_start_matches('!');
    let line = format!("%d = pto.mgather %m, %i : (!pto.partition_tensor_view<{M}, {bare}) -> {T}");
    assert_eq!(parse(&line), Ok(Call::Mgather(gather())));
    let u8s = "!pto.tile<Vec, ui8, 1, 256, RowMajor, NoneBox, 512, none, valid = 1x256>";
    let u32s = u8s.replace("ui8", "ui32");
    let line = format!("%dst = tgatherb %src, %offsets : {u8s}, {u32s} -> {u8s}");
    assert_eq!(parse(&line), Ok(Call::Tgatherb(by_offset())));
}

/// MSCATTER0-GAP-01: one column fits either mnemonic, more fit one.
#[test]
fn the_first_revisions_mnemonic_follows_its_index_tile() {
    let first = |src_cols, idx_cols| MscatterFirst {
        table: tensor(DType::Float, 4, 8),
        src: tile(DType::Float, 8, src_cols),
        idx: tile(DType::Int32, 8, idx_cols),
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Skip,
        launch: Launch::default(),
    };
    for (src_cols, idx_cols, written, other_reads) in [
        (1, 1, "row", true),
        (8, 1, "row", false),
        (8, 8, "elem", false),
    ] {
        let call = Call::MscatterFirst(first(src_cols, idx_cols));
        let line = text(&call, Level::Mode);
        assert!(
            line.starts_with(&format!("mscatter.{written}.skip ")),
            "{line}"
        );
        assert!(line.ends_with(" {revision = first}"), "{line}");
        let other = if written == "row" { "elem" } else { "row" };
        let read = parse(&line.replace(&format!(".{written}."), &format!(".{other}.")));
        assert_eq!(read == Ok(call), other_reads, "{read:?}");
    }
}

/// `i32` is documented (MSCATTER-ASM-02); the others are MLIR's.
#[test]
fn every_element_type_has_its_word() {
    const WORDS: [(DType, &str); 14] = [
        (DType::Int8, "i8"),
        (DType::Uint8, "ui8"),
        (DType::Int16, "i16"),
        (DType::Uint16, "ui16"),
        (DType::Int32, "i32"),
        (DType::Uint32, "ui32"),
        (DType::Int64, "i64"),
        (DType::Uint64, "ui64"),
        (DType::Half, "f16"),
        (DType::Bfloat16, "bf16"),
        (DType::Float, "f32"),
        (DType::Float8E4M3, "f8E4M3FN"),
        (DType::Float8E5M2, "f8E5M2"),
        (DType::Hifloat8, "hif8"),
    ];
    assert_eq!(WORDS.map(|(dtype, _)| dtype), DType::VARIANTS);
    for (dtype, word) in WORDS {
        let idx = Tile {
            blayout: BLayout::ColMajor,
            ..tile(dtype, 2, 1)
        };
        let line = text(
            &Call::TscatterIndex(TscatterIndex { idx, ..by_index() }),
            Level::Ssa,
        );
        let ty =
            format!(", !pto.tile<Vec, {word}, 2, 1, ColMajor, NoneBox, 512, none, valid = 2x1>)");
        assert!(line.contains(&ty), "{line}");
    }
}

/// MGATHER-ASM-04, MSCATTER-ASM-04, MSCATTER-GAP-48: what each suffix means,
/// the defaults having none.
#[test]
fn every_suffix_means_its_policy() {
    for (suffix, oob) in [
        ("", GatherOob::Undefined),
        (".clamp", GatherOob::Clamp),
        (".wrap", GatherOob::Wrap),
        (".zero", GatherOob::Zero),
    ] {
        let line = text(&Call::Mgather(Mgather { oob, ..gather() }), Level::Mode);
        assert!(
            line.starts_with(&format!("mgather.row{suffix} %dst, ")),
            "{line}"
        );
    }
    for (oob_suffix, oob) in [
        ("", ScatterOob::Undefined),
        (".skip", ScatterOob::Skip),
        (".clamp", ScatterOob::Clamp),
        (".wrap", ScatterOob::Wrap),
    ] {
        for (atomic_suffix, atomic) in [
            ("", ScatterAtomicOp::None),
            (".atomic_add", ScatterAtomicOp::Add),
            (".atomic_max", ScatterAtomicOp::Max),
            (".atomic_min", ScatterAtomicOp::Min),
        ] {
            let call = Mscatter {
                mode: Coalesce::Elem,
                oob,
                atomic,
                ..scatter()
            };
            let line = text(&Call::Mscatter(call), Level::Mode);
            let start = format!("mscatter.elem{oob_suffix}{atomic_suffix} %table, ");
            assert!(line.starts_with(&start), "{line}");
        }
    }
}

/// MGATHERL1-API-01, -02: three operands go by row unless told otherwise, four by element.
#[test]
fn a_gather_to_l1_has_the_default_mode_of_its_operands() {
    let gm = tensor(DType::Half, 1, 512);
    for (scratch, mode) in [(None, Coalesce::Row), (Some(gm), Coalesce::Elem)] {
        let call = Call::MgatherL1(MgatherL1 {
            dst: mat(DType::Half, 16, 32),
            table: gm,
            idx: tensor(DType::Int32, 16, 32),
            scratch,
            mode,
            oob: GatherOob::Undefined,
            exec: GatherExec::Scalar,
            launch: Launch::default(),
        });
        let line = text(&call, Level::Ssa);
        assert_eq!(
            parse(&line.replace(&format!(" {{mode = {mode}}}"), "")),
            Ok(call),
            "{line}"
        );
    }
}
