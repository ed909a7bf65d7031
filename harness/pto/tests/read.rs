//! The six files of `tests/files`: what each says was worked out by hand.

use std::path::Path;

use ptodiff_case::Foreign as _;
use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GatherOob, GlobalTensor, Launch, Layout, MaskAxis,
    MaskPattern, Mgather, MgatherL1, Mscatter, SLayout, ScatterAtomicOp, ScatterConflict,
    ScatterOob, Target, Tgatherb, Tile, TileType, TscatterIndex, TscatterMask,
};
use ptodiff_pto::Files;

use crate::{case, cases, extract, with};

fn dense(dtype: DType, [rows, cols]: [u64; 2], [row, col]: [u64; 2]) -> Tile {
    Tile {
        location: TileType::Vec,
        dtype,
        rows,
        cols,
        valid_row: Dim::Static(row),
        valid_col: Dim::Static(col),
        blayout: BLayout::RowMajor,
        slayout: SLayout::NoneBox,
        fractal: 512,
    }
}

fn tensor(dtype: DType, shape: [u64; 5], stride: [u64; 5]) -> GlobalTensor {
    GlobalTensor {
        dtype,
        shape: shape.map(Dim::Static),
        stride: stride.map(Dim::Static),
        layout: Layout::ND,
    }
}

#[test]
fn a_row_gather_of_a3() {
    let case = case(include_str!("files/row_gather_a3.pto"));
    assert_eq!(case.id, "f/row_gather.1");
    assert_eq!(case.targets, [Target::A2a3]);
    assert_eq!((case.place.line, case.place.column), (12, 5));
    let expected = Mgather {
        dst: dense(DType::Half, [12, 32], [12, 32]),
        table: tensor(DType::Half, [1, 1, 1, 48, 32], [1536, 1536, 1536, 32, 1]),
        idx: dense(DType::Int32, [1, 16], [1, 12]),
        mode: Coalesce::Row,
        oob: GatherOob::Zero,
        launch: Launch::default(),
    };
    assert_eq!(case.call, Call::Mgather(expected));
}

#[test]
fn a_scatter_whose_extents_are_known_at_run_time() {
    let case = case(include_str!("files/padded_scatter_a5.pto"));
    assert_eq!(case.targets, [Target::A5]);
    let dynamic = |tile: Tile| Tile {
        valid_row: Dim::Dynamic(tile.valid_row.get()),
        valid_col: Dim::Dynamic(tile.valid_col.get()),
        ..tile
    };
    let expected = Mscatter {
        // Rows lie 64 apart: 100 of them take 6400.
        table: tensor(DType::Float, [1, 1, 1, 100, 40], [6400, 6400, 6400, 64, 1]),
        src: dynamic(dense(DType::Float, [4, 40], [3, 40])),
        idx: dynamic(dense(DType::Int32, [1, 8], [1, 3])),
        mode: Coalesce::Row,
        atomic: ScatterAtomicOp::Add,
        oob: ScatterOob::Skip,
        conflict: ScatterConflict::Default,
        launch: Launch::default(),
    };
    assert_eq!(case.call, Call::Mscatter(expected));
}

#[test]
fn a_loop_the_generic_form_and_one_tile_in_two_places() {
    let text = include_str!("files/loop_and_generic.pto");
    let read = extract(text);
    let cases = cases(text);
    let ids: Vec<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids, ["f/loop.1", "f/loop.2", "f/loop.3"]);
    let half = dense(DType::Half, [8, 16], [8, 16]);
    let words = dense(DType::Int32, [8, 16], [8, 16]);
    let expected = [
        Call::TscatterIndex(TscatterIndex {
            dst: half,
            src: half,
            idx: dense(DType::Uint16, [8, 16], [8, 16]),
        }),
        Call::Tgatherb(Tgatherb {
            dst: half,
            src: half,
            offset: words,
        }),
        Call::TscatterIndex(TscatterIndex {
            dst: words,
            src: words,
            idx: words,
        }),
    ];
    for (case, call) in cases.iter().zip(expected) {
        assert_eq!(case.call, call, "{}", case.id);
        assert_eq!(case.targets, [Target::A2a3]);
    }
    let told: Vec<_> = read
        .remarks
        .iter()
        .map(|r| (r.case.as_str(), r.rule, r.spot.span.line))
        .collect();
    assert_eq!(told, [("f/loop.3", "same-operand", 13)]);
}

#[test]
fn short_types_and_a_mask() {
    let cases = cases(include_str!("files/short_types.pto"));
    let ids: Vec<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids, ["f/flat.1", "f/spread.1"]);
    assert!(cases.iter().all(|case| case.targets.len() == 3));
    let flat = Mgather {
        dst: dense(DType::Int8, [8, 32], [8, 24]),
        table: tensor(DType::Int8, [1, 1, 1, 1, 700], [700, 700, 700, 700, 1]),
        idx: dense(DType::Int32, [8, 32], [8, 24]),
        mode: Coalesce::Elem,
        oob: GatherOob::Undefined,
        launch: Launch::default(),
    };
    assert_eq!(cases[0].call, Call::Mgather(flat));
    let spread = TscatterMask {
        dst: dense(DType::Bfloat16, [6, 64], [6, 64]),
        src: dense(DType::Bfloat16, [6, 16], [6, 16]),
        pattern: MaskPattern::P0100,
        axis: MaskAxis::Row,
    };
    assert_eq!(cases[1].call, Call::TscatterMask(spread));
}

#[test]
fn gathers_to_l1_with_a_scratch_and_without() {
    let cases = cases(include_str!("files/to_l1.pto"));
    let nz = Tile {
        location: TileType::Mat,
        blayout: BLayout::ColMajor,
        slayout: SLayout::RowMajor,
        ..dense(DType::Half, [16, 48], [16, 48])
    };
    let staged = MgatherL1 {
        dst: nz,
        table: tensor(DType::Half, [1, 1, 1, 90, 48], [4320, 4320, 4320, 48, 1]),
        idx: tensor(DType::Int32, [1, 1, 1, 16, 48], [768, 768, 768, 48, 1]),
        scratch: Some(tensor(
            DType::Half,
            [1, 1, 1, 16, 48],
            [768, 768, 768, 48, 1],
        )),
        mode: Coalesce::Elem,
        oob: GatherOob::Clamp,
        exec: Default::default(),
        launch: Launch::default(),
    };
    assert_eq!(cases[0].call, Call::MgatherL1(staged));
    let by_row = MgatherL1 {
        idx: tensor(DType::Int32, [1, 1, 1, 1, 16], [16, 16, 16, 16, 1]),
        scratch: None,
        mode: Coalesce::Row,
        oob: GatherOob::Undefined,
        ..staged
    };
    assert_eq!(cases[1].call, Call::MgatherL1(by_row));
    assert!(cases.iter().all(|case| case.targets == [Target::A5]));
}

#[test]
fn what_no_target_takes_is_told_and_the_rest_is_read() {
    let read = extract(include_str!("files/refused.pto"));
    assert_eq!(read.found, []);
    // The table and the destination are of 64-bit floats.
    let aside: Vec<String> = read.set_aside.iter().map(|d| d.summary()).collect();
    let expected = "error[PTO-C042]: no target takes elements of type f64";
    assert_eq!(
        aside,
        [
            format!("f.pto:4:62: {expected}"),
            format!("f.pto:4:141: {expected}"),
        ]
    );
    let [(case, _)] = &read.cases[..] else {
        panic!("{:?}", read.cases);
    };
    assert_eq!(case.id, "f/refused.2");
    assert!(case.leaves_all_out());
    let Call::Mscatter(call) = case.call else {
        panic!("{:?}", case.call);
    };
    assert_eq!(call.mode, Coalesce::Row);
    assert_eq!(call.src, dense(DType::Int32, [8, 8], [8, 8]));
    let rules: Vec<_> = read
        .remarks
        .iter()
        .map(|r| (r.rule, r.spot.span.line))
        .collect();
    assert_eq!(rules, [("missing-coalesce", 5)]);
    assert!(
        read.remarks[0]
            .message
            .contains("the index has the data's shape")
    );
}

const UNKNOWN: &str = "\
func.func @f(%p: !pto.ptr<f32>, %n: index, %m: index) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %v = pto.make_tensor_view %p, shape = [%n, %c8], strides = [%m, %c1] : !pto.tensor_view<?x?xf32>
  %t = pto.partition_view %v, offsets = [%n, %n], sizes = [%n, %c8] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x8xf32>
  %i = pto.alloc_tile valid_row = %c1 valid_col = %n : !pto.tile_buf<loc=vec, dtype=i32, rows=1, cols=8, v_row=?, v_col=?>
  %d = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  pto.mgather ins(%t, %i : !pto.partition_tensor_view<?x8xf32>, !pto.tile_buf<loc=vec, dtype=i32, rows=1, cols=8, v_row=?, v_col=?>) outs(%d : !pto.tile_buf<vec, 8x8xf32>) {coalesce = #pto<coalesce row>}
}
";

#[test]
fn what_is_not_known_is_asked_for_and_given() {
    let read = extract(UNKNOWN);
    assert_eq!((&read.found[..], read.cases.len()), (&[][..], 0));
    let told: Vec<_> = read
        .set_aside
        .iter()
        .map(|d| (d.summary(), d.help.clone().unwrap_or_default()))
        .collect();
    let expected = [
        (
            "f.pto:4:63: error[PTO-C039]: a stride of `%t` is not known: no constant says `m`",
            "give it: --set m=N",
        ),
        (
            "f.pto:5:60: error[PTO-C039]: an extent of `%t` is not known: no constant says `n`",
            "give it: --set n=N",
        ),
    ];
    assert_eq!(told, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));

    // For this function alone, and for all.
    let files = with(&[("f.n", 6), ("n", 7), ("m", 16)]);
    let read = files.read(Path::new("f.pto"), UNKNOWN);
    let Call::Mgather(call) = read.cases[0].0.call else {
        panic!()
    };
    assert_eq!(call.table.shape[3], Dim::Dynamic(6));
    assert_eq!(call.table.stride[3], Dim::Dynamic(16));
    assert_eq!(call.idx.valid_col, Dim::Dynamic(6));
    assert_eq!(read.remarks, []);
    let (found, _) = files.finish();
    let found: Vec<String> = found.iter().map(|d| d.summary()).collect();
    let unused = "error[PTO-C043]: --set n: no operation asks for a value of that name";
    assert_eq!(found, [unused]);
}

#[test]
fn a_valid_extent_that_nobody_says_is_that_of_the_tile_and_a_remark() {
    let text = UNKNOWN.replace("shape = [%n, ", "shape = [%c8, ");
    let text = text
        .replace("sizes = [%n, ", "sizes = [%c8, ")
        .replace("[%m, %c1]", "[%c8, %c1]");
    let read = extract(&text);
    assert_eq!((read.found.len(), read.set_aside.len()), (0, 0));
    let Call::Mgather(call) = read.cases[0].0.call else {
        panic!()
    };
    assert_eq!(call.idx.valid_col, Dim::Dynamic(8));
    assert_eq!(read.remarks.len(), 1);
    assert_eq!(read.remarks[0].rule, "unknown-extent");
    assert_eq!(read.remarks[0].help.as_deref(), Some("--set n=N"));
}

#[test]
fn constants_are_followed_through_sums_and_casts_and_not_into_another_function() {
    let text = UNKNOWN.replace(
        "@f(%p: !pto.ptr<f32>, %n: index, %m: index) {",
        "@f(%p: !pto.ptr<f32>) {
  %a = arith.constant 0x5 : i64
  %b = arith.constant -2 : i64
  %ab = arith.addi %a, %b : i64
  %n = arith.index_cast %ab : i64 to index
  %two = arith.constant 2 : index
  %six = arith.muli %n, %two : index
  %m = arith.addi %six, %two : index",
    );
    let Call::Mgather(call) = case(&text).call else {
        panic!()
    };
    assert_eq!(call.table.shape[3], Dim::Dynamic(3));
    assert_eq!(call.table.stride[3], Dim::Static(8));

    let before = "func.func @g() {\n  %n = arith.constant 3 : index\n  return\n}\n";
    let read = extract(&format!("{before}{UNKNOWN}"));
    assert_eq!(read.set_aside.len(), 2);
}

#[test]
fn names_hold_where_they_are_defined_last() {
    let files = Files::default();
    let text = UNKNOWN.replace(
        "@f(%p: !pto.ptr<f32>, %n: index, %m: index) {",
        "@f(%p: !pto.ptr<f32>, %q: index) {
  %m = arith.constant 8 : index
  scf.if %q {
    %n = arith.constant 2 : index
    foo.bar %n : index
  }
  %n = arith.constant 4 : index",
    );
    let read = files.read(Path::new("f.pto"), &text);
    let Call::Mgather(call) = read.cases[0].0.call else {
        panic!()
    };
    assert_eq!(call.table.shape[3], Dim::Dynamic(4));
    // A loop's own variable is no constant, whatever was called so before.
    let text = text.replace(
        "%c8 = arith",
        "%k = arith.constant 3 : index\n  %c8 = arith",
    );
    let text = text.replace("  %v = ", "  scf.for %n = %k to %k step %k {\n  %v = ") + "}\n";
    let read = files.read(Path::new("f.pto"), &text);
    assert_eq!(read.set_aside.len(), 1, "{:?}", read.found);
}

/// As `mlir-opt --mlir-print-op-generic` prints it.
#[test]
fn the_generic_form_has_properties() {
    let text = "module {
  func.func @f(%m: !pto.partition_tensor_view<48x32xf16>, %i: !pto.tile_buf<vec, 1x16xi32>, %d: !pto.tile_buf<vec, 16x32xf16>) {
    \"pto.mgather\"(%m, %i, %d) <{coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob zero>, operandSegmentSizes = array<i32: 2, 1>}> : (!pto.partition_tensor_view<48x32xf16>, !pto.tile_buf<vec, 1x16xi32>, !pto.tile_buf<vec, 16x32xf16>) -> ()
    return
  }
}
";
    let cases = cases(text);
    let Call::Mgather(call) = &cases[0].call else {
        panic!("{:?}", cases[0].call)
    };
    assert_eq!((call.mode, call.oob), (Coalesce::Row, GatherOob::Zero));
}

#[test]
fn modules_say_for_what_they_are() {
    let operation = "func.func @f(%s: !pto.tile_buf<vec, 8x16xf16>, %w: !pto.tile_buf<vec, 8x16xi32>) {
    pto.tgatherb ins(%s, %w : !pto.tile_buf<vec, 8x16xf16>, !pto.tile_buf<vec, 8x16xi32>) outs(%s : !pto.tile_buf<vec, 8x16xf16>)
    return
  }";
    let generic = "\"func.func\"() <{function_type = () -> (), sym_name = \"g\"}> ({
  ^bb0(%s: !pto.tile_buf<vec, 8x16xf16>, %w: !pto.tile_buf<vec, 8x16xi32>):
    \"pto.tgatherb\"(%s, %w, %s) : (!pto.tile_buf<vec, 8x16xf16>, !pto.tile_buf<vec, 8x16xi32>, !pto.tile_buf<vec, 8x16xf16>) -> ()
    \"func.return\"() : () -> ()
  }) : () -> ()";
    let text = format!(
        "{operation}
module {{ {operation} }}
module attributes {{pto.target_arch = \"a2\"}} {{ {operation} }}
module @m attributes {{other, \"pto.target_arch\" = \"a5\"}} {{ {operation} }}
module attributes {{pto.target_arch = \"a3\"}} {{ module {{ {operation} }} }}
{operation}
module attributes {{pto.target_arch = \"A5\", \"pto.device-spec\" = \"Ascend910B1\"}} {{ {operation} }}
module attributes {{\"pto.device-spec\" = \"Ascend910B3\"}} {{ {operation} }}
module attributes {{\"pto.device-spec\" = \"Ascend950\"}} {{ {operation} }}
module attributes {{\"pto.device-spec\" = \"Ascend31\"}} {{ {operation} }}
\"builtin.module\"() ({{ {operation} {generic} }}) {{pto.target_arch = \"a5\"}} : () -> ()
{operation}"
    );
    let cases = cases(&text);
    let told: Vec<_> = cases
        .iter()
        .map(|case| (case.name.as_str(), case.targets.clone()))
        .collect();
    let all = vec![Target::Cpu, Target::A2a3, Target::A5];
    assert_eq!(
        told,
        [
            ("f.1", all.clone()),
            ("f.2", all.clone()),
            ("f.3", vec![Target::A2a3]),
            ("f.4", vec![Target::A5]),
            ("f.5", vec![Target::A2a3]),
            ("f.6", all.clone()),
            ("f.7", vec![Target::A5]),
            ("f.8", vec![Target::A2a3]),
            ("f.9", vec![Target::A5]),
            ("f.10", all.clone()),
            ("f.11", vec![Target::A5]),
            ("g.1", vec![Target::A5]),
            ("f.12", all),
        ]
    );
}

#[test]
fn types_and_attributes_may_have_names() {
    let text = "\
!tile = !pto.tile_buf<vec, 8x16xf16>
#mode = #pto<coalesce elem>
func.func @f(%m: !pto.partition_tensor_view<700xf16>, %i: !pto.tile_buf<vec, 8x16xi32>, %d: !tile) {
  pto.mgather ins(%m, %i : !pto.partition_tensor_view<700xf16>, !pto.tile_buf<vec, 8x16xi32>) outs(%d : !tile) {coalesce = #mode}
  return
}
";
    let Call::Mgather(call) = case(text).call else {
        panic!()
    };
    assert_eq!(call.mode, Coalesce::Elem);
    assert_eq!(call.dst, dense(DType::Half, [8, 16], [8, 16]));
}
