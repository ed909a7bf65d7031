//! What a case of MSCATTER and MGATHER means in each form, and what keys of other forms say.

use ptodiff_case::{Case, Fill, IndexPattern, load_str};
use ptodiff_isa::{
    BLayout, CacheFlush, Call, Clause, Coalesce, DType, Dim, Dispatch, GatherExec, GatherOob,
    GlobalTensor, Layout, MgatherL1, SLayout, ScatterAtomicOp, ScatterOob, Target, Tile, TileType,
};

fn only(body: &str) -> Case {
    let text = format!(
        "cases:\n  - name: a\n    {}\n",
        body.replace('\n', "\n    ")
    );
    let corpus = load_str("file.yaml", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    corpus.cases[0].clone()
}

fn l1(body: &str) -> (MgatherL1, Case) {
    let case = only(&format!("instruction: MGATHER\ndtype: half\n{body}"));
    let Call::MgatherL1(call) = case.call else {
        panic!("a gather to L1")
    };
    (call, case)
}

fn padded(tile: &Tile) -> (u64, u64) {
    (tile.rows, tile.cols)
}

const fn fixed(extent: u64) -> Dim {
    Dim::Static(extent)
}

fn tensor(dtype: DType, shape: [u64; 5], stride: [u64; 5]) -> GlobalTensor {
    GlobalTensor {
        dtype,
        shape: shape.map(fixed),
        stride: stride.map(fixed),
        layout: Layout::ND,
    }
}

#[test]
fn a_policy_that_is_set_later_is_no_longer_left_out() {
    let mut case = only(
        "instruction: MGATHER\ndtype: float\ntile: {shape: [1, 8]}\nindex: {shape: [1, 8]}\n\
         table: {shape: [1, 1, 1, 1, 8]}",
    );
    assert!(case.leaves_all_out());
    let Call::Mgather(call) = &mut case.call else {
        panic!("a gather")
    };
    call.oob = GatherOob::Clamp;
    assert!(!case.leaves_all_out());
}

/// 003, C++ Intrinsic: Atomic None, Mode Undefined; A5 only (MSCATTER0-API-01).
#[test]
fn the_first_revision_runs_on_a5() {
    let body = "instruction: MSCATTER\nrevision: first\ndtype: float\ntile: {shape: [16, 64]}\n\
                index: {shape: [16, 1]}\ntable: {shape: [1, 1, 1, 65536, 64]}";
    let case = only(body);
    let Call::MscatterFirst(call) = case.call else {
        panic!("the first revision")
    };
    assert_eq!(call.atomic, ScatterAtomicOp::None);
    assert_eq!(call.oob, ScatterOob::Undefined);
    assert_eq!((padded(&call.src), padded(&call.idx)), ((16, 64), (16, 1)));
    assert_eq!(
        (call.idx.dtype, call.idx.blayout),
        (DType::Int32, BLayout::RowMajor)
    );
    assert_eq!(case.targets, [Target::A5]);
    assert_eq!(
        (case.data.table, case.data.source),
        (Fill::Zeros, Fill::Distinct)
    );

    let more = "\natomic: Max\noob: Wrap\ntargets: [cpu, a5]\n\
                launch: {dispatch: Direct, flush: Missing}\nhangs: {a5: MSCATTER-LAUNCH-10}";
    let case = only(&format!("{body}{more}"));
    let Call::MscatterFirst(call) = case.call else {
        panic!("the first revision")
    };
    assert_eq!(
        (call.atomic, call.oob),
        (ScatterAtomicOp::Max, ScatterOob::Wrap)
    );
    assert_eq!(call.launch.dispatch, Dispatch::Direct);
    assert_eq!(call.launch.flush, CacheFlush::Missing);
    assert_eq!(case.targets, [Target::Cpu, Target::A5]);
    assert_eq!(case.hangs, [(Target::A5, Clause("MSCATTER-LAUNCH-10"))]);

    let current = only(&body.replace("revision: first", "revision: current"));
    assert!(matches!(current.call, Call::Mscatter(_)));
    assert_eq!(current.targets.len(), 3);
}

/// 001, GM to L1, the Row example: idx is `Shape<1, 1, 1, 1, R>`, dst
/// `Tile<Mat, T, R, C, ColMajor, R, C, RowMajor, 512>`, and there is no scratch.
#[test]
fn a_mat_tile_makes_mgather_gather_to_l1() {
    let (call, case) =
        l1("tile: {location: Mat, shape: [16, 32]}\ntable: {shape: [1, 1, 1, 64, 32]}");
    assert_eq!(call.dst.location, TileType::Mat);
    assert_eq!(
        (call.dst.blayout, call.dst.slayout, call.dst.fractal),
        (BLayout::ColMajor, SLayout::RowMajor, 512)
    );
    assert_eq!(
        (call.mode, call.oob, call.exec),
        (Coalesce::Row, GatherOob::Undefined, GatherExec::Scalar)
    );
    let idx = tensor(DType::Int32, [1, 1, 1, 1, 16], [16, 16, 16, 16, 1]);
    assert_eq!((call.idx, call.scratch), (idx, None));
    assert_eq!(case.data.table, Fill::Ramp);
    assert_eq!(case.data.destination, Fill::Poison);
    assert_eq!(case.data.scratch, Fill::Poison);
    assert_eq!(case.data.index, IndexPattern::Random);
}

/// A tensor has no static extent of 0, so the indices of an empty tile are one that nobody reads.
#[test]
fn an_empty_tile_in_l1_has_an_index_tensor() {
    let (call, _) = l1(
        "tile: {location: Mat, shape: [16, 32], valid: [0, 32]}\ntable: {shape: [1, 1, 1, 64, 32]}",
    );
    assert_eq!(call.idx.shape, [1, 1, 1, 1, 1].map(fixed));
    assert_eq!(call.dst.valid_row, fixed(0));
}

/// A mirrored gather to L1 has the gtest class of its own suite.
#[test]
fn ids_carry_the_class_of_the_suite() {
    let id = |body: &str| {
        let text = format!("suite: cpu\ncases:\n  - {{name: case_x, dtype: half, {body}}}\n");
        load_str("st.yaml", &text).unwrap().cases[0].id.clone()
    };
    let table = "table: {shape: [1, 1, 1, 8, 16]}";
    assert_eq!(
        id(&format!(
            "instruction: MGATHER, tile: {{location: Mat, shape: [16, 16]}}, {table}"
        )),
        "cpu/MGATHERGM2L1Test.case_x"
    );
    assert_eq!(
        id(&format!(
            "instruction: MGATHER, tile: {{shape: [8, 16]}}, index: {{shape: [1, 8]}}, {table}"
        )),
        "cpu/MGATHERTest.case_x"
    );
    let source = "source: {shape: [1, 16]}";
    assert_eq!(
        id(&format!("instruction: TSCATTER, {source}")),
        "cpu/TSCATTERTest.case_x"
    );
    assert_eq!(
        id(&format!("instruction: TSCATTER, mask: P1111, {source}")),
        "cpu/TSCATTERTest.case_x"
    );
    assert_eq!(
        id(&format!("instruction: TGATHERB, {source}")),
        "cpu/TGATHERBTest.case_x"
    );
}
