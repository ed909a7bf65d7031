//! What a case file means: defaults, extents, strides, data, expectations.

use ptodiff_case::{Case, Fill, IndexPattern, load, load_str};
use ptodiff_isa::{
    BLayout, CacheFlush, Call, Clause, Coalesce, CpuForm, DType, Dim, Dispatch, GatherOob, Launch,
    Layout, NegativeIndex, SLayout, ScatterAtomicOp, ScatterConflict, ScatterOob, Target, TileType,
};

const MINIMAL: &str = "
cases:
  - name: least
    instruction: MSCATTER
    dtype: half
    tile: {shape: [8, 32]}
    index: {shape: [1, 8]}
    table: {shape: [2, 3, 4, 5, 6]}
";

fn only(text: &str) -> Case {
    let corpus = load_str("folder/file.yaml", text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(corpus.cases.len(), 1);
    corpus.cases[0].clone()
}

/// 000, C++ Intrinsic: Coalesce::Row, ScatterAtomicOp::None, ScatterOOB::Undefined,
/// ScatterConflict::Last.
#[test]
fn defaults_are_those_of_the_templates() {
    let case = only(MINIMAL);
    let Call::Mscatter(call) = case.call else {
        panic!("an MSCATTER")
    };
    assert_eq!(call.mode, Coalesce::Row);
    assert_eq!(call.atomic, ScatterAtomicOp::None);
    assert_eq!(call.oob, ScatterOob::Undefined);
    assert_eq!(call.conflict, ScatterConflict::Last);
    assert_eq!(call.launch, Launch::default());
    assert_eq!((call.src.rows, call.src.cols), (8, 32));
    assert_eq!(call.src.valid_row, Dim::Static(8));
    assert_eq!(call.src.valid_col, Dim::Static(32));
    assert_eq!(call.src.blayout, BLayout::RowMajor);
    assert_eq!(call.src.slayout, SLayout::NoneBox);
    assert_eq!(call.src.fractal, 512);
    assert_eq!(call.src.location, TileType::Vec);
    assert_eq!(call.src.dtype, DType::Half);
    assert_eq!(call.table.dtype, DType::Half);
    assert_eq!(call.idx.dtype, DType::Int32);
    assert_eq!(call.table.layout, Layout::ND);
    // 3*4*5*6, 4*5*6, 5*6, 6, 1
    assert_eq!(call.table.stride, [360, 120, 30, 6, 1].map(Dim::Static));
    assert_eq!(case.data.table, Fill::Zeros);
    assert_eq!(case.data.source, Fill::Distinct);
    assert_eq!(case.data.index, IndexPattern::Random);
    assert_eq!((case.chunks, case.data.seed), (1, 0));
    assert_eq!(case.targets, [Target::Cpu, Target::A2a3, Target::A5]);
    assert_eq!(case.readings, Default::default());
    assert_eq!((case.suite, case.id.as_str()), (None, "file/least"));
    assert_eq!((case.place.line, case.place.column), (3, 11));

    // None is given; what is written of it tells them and gives none either.
    assert!(case.leaves_all_out());
    let written = ptodiff_case::case_yaml(&case);
    assert!(written.contains("\n    # mode: Row\n"), "{written}");
    assert!(only(&written).leaves_all_out());
    for key in [
        "mode: Row",
        "atomic: None",
        "oob: Undefined",
        "conflict: Last",
    ] {
        let given = only(&MINIMAL.replace("dtype: half", &format!("dtype: half\n    {key}")));
        assert!(!given.leaves_all_out(), "{key}");
        assert_eq!(given.call, case.call);
        assert!(ptodiff_case::case_yaml(&given).contains("\n    mode: Row\n"));
    }

    let gather = only(&MINIMAL.replace("MSCATTER", "MGATHER"));
    let Call::Mgather(call) = gather.call else {
        panic!("an MGATHER")
    };
    assert_eq!((call.mode, call.oob), (Coalesce::Row, GatherOob::Undefined));
    assert_eq!(gather.data.table, Fill::Ramp);
    assert_eq!(gather.data.destination, Fill::Poison);
}

#[test]
fn every_key_is_read() {
    let case = only(
        "
suite: cpu
defaults:
  instruction: MSCATTER
  mode: Row
  readings: {cpu-form: templated}
  targets: [a2a3]
cases:
  - name: case_x
    about: 'a: b'
    mode: Elem
    atomic: Add
    oob: Wrap
    conflict: Default
    dtype: float
    tile: {dtype: int32_t, shape: [16, 16], valid: [3, dyn 9], blayout: ColMajor,
           slayout: RowMajor, fractal: 1024, location: Mat, data: ramp-bits}
    index: {dtype: uint32_t, shape: [16, 1], valid: [3, 1], blayout: ColMajor, data: {hot: {slots: 4}}}
    table: {dtype: uint32_t, shape: [1, 1, 1, dyn 0, 10], stride: [1, 1, 1, dyn 12, 1], layout: NZ, data: special}
    launch: {dyn_ub: 147456, dispatch: Direct, flush: Missing}
    chunks: 16
    seed: 7
    targets: [a5, cpu]
    readings: {negative-index: signed}
    rejected: {a5: [MSCATTER-ATOM-10, MSCATTER-ATOM-02], cpu: MSCATTER-ATOM-11}
    undefined: {a5: MSCATTER-TABLE-09}
    hangs: {a5: MSCATTER-LAUNCH-10}
    name_differs: it does
",
    );
    let Call::Mscatter(call) = case.call else {
        panic!("an MSCATTER")
    };
    assert_eq!(case.id, "cpu/MSCATTERTest.case_x");
    assert_eq!(case.suite, Some(Target::Cpu));
    assert_eq!(case.about.as_deref(), Some("a: b"));
    assert_eq!(case.name_differs.as_deref(), Some("it does"));
    assert_eq!(
        (call.mode, call.atomic),
        (Coalesce::Elem, ScatterAtomicOp::Add)
    );
    assert_eq!(
        (call.oob, call.conflict),
        (ScatterOob::Wrap, ScatterConflict::Default)
    );
    assert_eq!(
        (call.src.dtype, call.src.location),
        (DType::Int32, TileType::Mat)
    );
    assert_eq!(
        (call.src.valid_row, call.src.valid_col),
        (Dim::Static(3), Dim::Dynamic(9))
    );
    assert_eq!(
        (call.src.blayout, call.src.slayout),
        (BLayout::ColMajor, SLayout::RowMajor)
    );
    assert_eq!(call.src.fractal, 1024);
    assert_eq!(
        (call.idx.dtype, call.idx.blayout),
        (DType::Uint32, BLayout::ColMajor)
    );
    assert_eq!(call.table.shape[3], Dim::Dynamic(0));
    assert_eq!(call.table.stride[3], Dim::Dynamic(12));
    assert_eq!(
        (call.table.dtype, call.table.layout),
        (DType::Uint32, Layout::NZ)
    );
    assert_eq!(call.launch.dyn_ub_bytes, Some(147_456));
    assert_eq!(call.launch.dispatch, Dispatch::Direct);
    assert_eq!(call.launch.flush, CacheFlush::Missing);
    assert_eq!((case.chunks, case.data.seed), (16, 7));
    assert_eq!(case.data.source, Fill::RampBits);
    assert_eq!(case.data.table, Fill::Special);
    assert_eq!(case.data.index, IndexPattern::Hot { slots: 4 });
    assert_eq!(case.targets, [Target::Cpu, Target::A5]);
    // The case's own `readings` stand in place of those of `defaults`.
    assert_eq!(case.data_readings().cpu_form, CpuForm::Documented);
    assert_eq!(case.data_readings().negative_index, NegativeIndex::Signed);
    let rejected = [
        (Target::Cpu, Clause("MSCATTER-ATOM-11")),
        (Target::A5, Clause("MSCATTER-ATOM-10")),
        (Target::A5, Clause("MSCATTER-ATOM-02")),
    ];
    assert_eq!(case.rejected, rejected);
    assert_eq!(case.undefined, [(Target::A5, Clause("MSCATTER-TABLE-09"))]);
    assert_eq!(case.hangs, [(Target::A5, Clause("MSCATTER-LAUNCH-10"))]);
}

#[test]
fn names_of_patterns() {
    let with = |data: &str| {
        let text = MINIMAL.replace(
            "index: {shape: [1, 8]}",
            &format!("index: {{shape: [1, 8], data: {data}}}"),
        );
        only(&text).data.index
    };
    assert_eq!(with("random"), IndexPattern::Random);
    assert_eq!(with("same"), IndexPattern::Same);
    assert_eq!(with("seq"), IndexPattern::Seq);
    assert_eq!(with("permutation"), IndexPattern::Permutation);
    assert_eq!(with("out-of-bounds"), IndexPattern::OutOfBounds);
    assert_eq!(with("out-of-bounds-no-dup"), IndexPattern::OutOfBoundsNoDup);
    assert_eq!(with("all-out-of-bounds"), IndexPattern::AllOutOfBounds);
    assert_eq!(with("edges"), IndexPattern::Edges);
    assert_eq!(with("negative"), IndexPattern::Negative);
    assert_eq!(with("two-rows"), IndexPattern::TwoRows);
}

#[test]
fn names_of_fills() {
    let with = |data: &str| {
        let text = MINIMAL.replace("[8, 32]}", &format!("[8, 32], data: {data}}}"));
        only(&text).data.source
    };
    assert_eq!(with("zeros"), Fill::Zeros);
    assert_eq!(with("ramp"), Fill::Ramp);
    assert_eq!(with("ramp-bits"), Fill::RampBits);
    assert_eq!(with("eighths"), Fill::Eighths);
    assert_eq!(with("distinct"), Fill::Distinct);
    assert_eq!(with("random-bits"), Fill::RandomBits);
    assert_eq!(with("special"), Fill::Special);
    assert_eq!(with("poison"), Fill::Poison);
    assert_eq!(with("small-ints"), Fill::SmallInts);
    assert_eq!(with("percent"), Fill::Percent);
    assert_eq!(with("arange"), Fill::Arange);
}

#[test]
fn anchors_and_merge_keys_work() {
    let text = "
cases:
  - &first
    name: first
    instruction: MGATHER
    dtype: float
    tile: &tile {shape: [1, 8]}
    index: {shape: [1, 8]}
    table: {shape: [1, 1, 1, 1, 8]}
  - <<: *first
    name: second
    oob: Wrap
  - name: third
    instruction: MSCATTER
    dtype: float
    tile: *tile
    index: *tile
    table: {shape: [1, 1, 1, 1, 8]}
";
    let cases = load_str("a.yaml", text).unwrap().cases;
    let names: Vec<_> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["first", "second", "third"]);
    let Call::Mgather(call) = cases[1].call else {
        panic!("an MGATHER")
    };
    assert_eq!(call.oob, GatherOob::Wrap);
    assert_eq!((cases[1].place.line, cases[1].place.column), (11, 11));
}

#[test]
fn windows_line_ends_and_byte_order_marks_are_read() {
    let text = format!("\u{FEFF}{}", MINIMAL.replace('\n', "\r\n"));
    assert_eq!(only(&text).call, only(MINIMAL).call);
    assert_eq!(only(&text).place, only(MINIMAL).place);
}

#[test]
fn folders_are_read_in_order_and_files_once() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, case: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, MINIMAL.replace("least", case)).unwrap();
        path
    };
    write("b/z.yaml", "three");
    write("b/a.yml", "two");
    write("c.YAML", "four");
    let first = write("a.yaml", "one");
    let odd = write("b/notes.txt", "five");
    let root = folder.path().to_owned();

    let corpus = load(&[root.clone(), first.clone()]).unwrap();
    let names: Vec<_> = corpus.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["one", "two", "three", "four"]);
    assert_eq!(corpus.files.len(), 4);
    assert_eq!(corpus.passed_over, std::slice::from_ref(&odd));
    assert_eq!(corpus.cases[0].place.file, first);

    // In which order they are given says nothing.
    let alone = [root.join("c.YAML"), root.join("b/z.yaml"), first.clone()];
    let mut turned = alone.clone();
    turned.reverse();
    assert_eq!(load(&alone).unwrap(), load(&turned).unwrap());
    assert_eq!(load(&turned).unwrap().cases[0].place.file, first);

    // A file that is named is read whatever it is called.
    let corpus = load(&[odd]).unwrap();
    assert_eq!(corpus.cases[0].id, "notes/five");
}
