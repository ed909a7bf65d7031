//! Lattices: what they hold, and calls of them with extents of run time.

use std::collections::BTreeSet;

use ptodiff_case::{Case, Form};
use ptodiff_generate::random::{Rules, Series, Space};
use ptodiff_isa::{
    CacheFlush, Call, Coalesce, DType, Dim, GatherOob, GlobalTensor, MaskAxis, MaskPattern,
    Readings, ScatterAtomicOp, ScatterConflict, ScatterOob, Target, Tile,
};
use ptodiff_kernel::{
    Dialect, Extents, Harness, HarnessError, Lattice, LatticeError, MOST_INSTANCES, Outer, key,
};
use serde_json::json;

use crate::{
    build::{compilers, link, places, sources},
    talk::Talk,
    toy::{Built, after},
};

pub(crate) const A5: Dialect = Dialect {
    target: Target::A5,
    suite_forms: false,
};

const CPU: Dialect = Dialect {
    target: Target::Cpu,
    suite_forms: false,
};

/// Every form of the target, once in each mode.
pub(crate) fn small(dialect: Dialect) -> Lattice {
    Lattice {
        shapes: vec![(16, 32)],
        dtypes: vec![DType::Half],
        atomics: vec![ScatterAtomicOp::Add],
        scatter_oob: vec![ScatterOob::Wrap],
        gather_oob: vec![GatherOob::Zero],
        conflicts: vec![ScatterConflict::Default],
        patterns: vec![MaskPattern::P0100],
        ..Lattice::of(dialect)
    }
}

/// The same call with other extents of run time, and launched in another way.
pub(crate) fn elsewhere(call: &Call) -> Call {
    let set = |dim: &mut Dim, value| {
        if dim.known().is_none() {
            *dim = Dim::Dynamic(value);
        }
    };
    let tile = |mut t: Tile| {
        set(&mut t.valid_row, t.rows.min(3));
        set(&mut t.valid_col, t.cols.min(5));
        t
    };
    let tensor = |mut t: GlobalTensor| {
        for (at, value) in [(0, 2), (1, 3), (3, 6), (4, 9)] {
            set(&mut t.shape[at], value);
        }
        for (at, value) in [(0, 400), (1, 130), (2, 70), (3, 11)] {
            set(&mut t.stride[at], value);
        }
        t
    };
    let mut call = *call;
    match &mut call {
        Call::Mscatter(c) => {
            c.launch.dyn_ub_bytes = Some(221_184);
            (c.table, c.src, c.idx) = (tensor(c.table), tile(c.src), tile(c.idx));
        }
        Call::MscatterFirst(c) => {
            c.launch.flush = CacheFlush::Missing;
            (c.table, c.src, c.idx) = (tensor(c.table), tile(c.src), tile(c.idx));
        }
        Call::Mgather(c) => (c.dst, c.table, c.idx) = (tile(c.dst), tensor(c.table), tile(c.idx)),
        Call::MgatherL1(c) => {
            (c.dst, c.table, c.idx) = (tile(c.dst), tensor(c.table), tensor(c.idx));
            c.scratch = c.scratch.map(tensor);
        }
        Call::TscatterIndex(c) => (c.dst, c.src, c.idx) = (tile(c.dst), tile(c.src), tile(c.idx)),
        Call::TscatterMask(c) => (c.dst, c.src) = (tile(c.dst), tile(c.src)),
        Call::Tgatherb(c) => {
            (c.dst, c.src, c.offset) = (tile(c.dst), tile(c.src), tile(c.offset));
        }
    }
    call
}

/// One policy each, and every value of the axes that types and shapes have.
pub(crate) fn shaped(dialect: Dialect) -> Lattice {
    Lattice {
        modes: vec![Coalesce::Row, Coalesce::Elem],
        mask_axes: match dialect.target {
            Target::Cpu => vec![MaskAxis::Row, MaskAxis::Col],
            _ => vec![MaskAxis::Row],
        },
        extents: vec![Extents::Dynamic, Extents::Static],
        outer: ["1x1x1", "2x1x3", "?x2x?"].map(outer).to_vec(),
        ..small(dialect)
    }
}

pub(crate) fn outer(text: &str) -> Outer {
    text.parse().expect("outer dimensions")
}

/// Calls of the lattice with extents that no source of the program names.
pub(crate) fn ask(talk: &mut Talk, lattice: &Lattice) {
    let cpu = lattice.dialect.target == Target::Cpu;
    let templated = !cpu || lattice.dialect.suite_forms;
    let built = Built {
        scatter: templated,
        conflict: templated,
        guards: false,
        flush: !cpu,
    };
    let calls = lattice.calls().expect("a lattice");
    let forms: BTreeSet<Form> = calls.iter().map(Form::of).collect();
    assert_eq!(forms, lattice.forms.iter().copied().collect());
    for call in &calls {
        let call = elsewhere(call);
        let case = Case::of_call("lattice", call);
        let memory = ptodiff_generate::stimulus(&case, 3).steps.swap_remove(0);
        let (answer, given) = talk.call(&call, &memory);
        assert_eq!(answer["kind"], "done", "{answer}");
        let built = Built {
            flush: built.flush
                && call
                    .launch()
                    .is_some_and(|l| l.flush == CacheFlush::Appended),
            ..built
        };
        assert!(given == after(&call, &memory, built), "{call:?}");
    }
    ask_drawn(talk, lattice, &calls, built);
    // One policy away from all of them.
    let oob_access = calls.iter().find_map(|call| match call {
        Call::Mgather(c) => Some(Call::Mgather(ptodiff_isa::Mgather {
            oob: GatherOob::Clamp,
            ..*c
        })),
        _ => None,
    });
    let oob_access = oob_access.expect("a gather");
    let memory = ptodiff_generate::stimulus(&Case::of_call("stray", oob_access), 3).steps;
    let (answer, _) = talk.call(&oob_access, &memory[0]);
    assert_eq!(answer["kind"], "unsupported", "{answer}");
}

/// Whatever a hunt draws of the lattice reaches the library.
fn ask_drawn(talk: &mut Talk, lattice: &Lattice, calls: &[Call], built: Built) {
    let target = lattice.dialect.target;
    let space = Space::new(target, Readings::default(), calls.to_vec()).expect("instantiations");
    let series = Series::new(11);
    let mut seen = BTreeSet::new();
    for number in 0..600 {
        let kinds = [
            Rules::Legal,
            Rules::Broken(1),
            Rules::Broken(2),
            Rules::Wild,
        ];
        let rules = kinds[number as usize % kinds.len()];
        let case = space.draw(&mut series.number(number), rules, u64::MAX);
        let memory = ptodiff_generate::stimulus(&case, 3).steps.swap_remove(0);
        let (answer, given) = talk.call(&case.call, &memory);
        assert_eq!(answer["kind"], "done", "{answer}");
        seen.insert(key(&case.call, lattice.dialect));
        let launch = case.call.launch();
        let built = Built {
            flush: built.flush && launch.is_some_and(|l| l.flush == CacheFlush::Appended),
            ..built
        };
        // The stand-in needs so much room to say what it was given.
        let output = memory.get(case.call.output()).expect("an output");
        if output.body().len() >= 32 {
            assert!(
                given == after(&case.call, &memory, built),
                "{:?}",
                case.call
            );
        }
    }
    assert_eq!(seen.len(), calls.len(), "every instantiation is asked");
}

/// What a program says that it instantiates.
fn description(lattice: &Lattice) -> String {
    let mut harness = Harness::new(lattice.dialect);
    harness.add_lattice(lattice).expect("a lattice");
    let files = harness.files(&places()).expect("files").into_iter();
    let mut named = files.filter(|file| file.name == "lattice.json");
    named.next().expect("a description").text
}

#[test]
fn what_a_program_instantiates_is_read_back() {
    let text = &description(&small(A5));
    let mut some: serde_json::Value = serde_json::from_str(text).expect("JSON");
    // Fewer keys are fewer calls.
    let keys = some["keys"].as_array_mut().expect("a list");
    let (all, last) = (keys.len(), keys.pop().expect("a key"));
    let fewer = Lattice::instances(&some.to_string()).expect("instantiations");
    assert_eq!(fewer.1.len(), all - 1);
    assert!(fewer.1.iter().all(|call| key(call, A5) != last));

    some["keys"] = serde_json::json!([last, "mgather;dst=nothing"]);
    let error = Lattice::instances(&some.to_string()).expect_err("a stranger");
    assert!(
        error.to_string().contains("`mgather;dst=nothing`"),
        "{error}"
    );
    some["keys"] = serde_json::json!([last, last]);
    let error = Lattice::instances(&some.to_string()).expect_err("twice");
    assert!(matches!(error, LatticeError::Twice("keys")), "{error}");
    some["moon"] = serde_json::json!(1);
    let error = Lattice::instances(&some.to_string()).expect_err("unknown");
    assert!(
        error.to_string().contains("unknown field `moon`"),
        "{error}"
    );
    some.as_object_mut().expect("an object").remove("moon");
    some["keys"] = serde_json::json!([]);
    let error = Lattice::instances(&some.to_string()).expect_err("empty");
    assert!(matches!(error, LatticeError::Empty("keys")), "{error}");
    // Of another version nothing else needs to be as it is here.
    let error = Lattice::instances("{\"format\": 3}").expect_err("newer");
    assert!(matches!(error, LatticeError::Format(3)), "{error}");
}

#[test]
fn the_product_of_the_axes() {
    let lattice = Lattice {
        forms: vec![Form::Mscatter],
        shapes: vec![(8, 32), (16, 64), (4, 3)],
        dtypes: vec![DType::Float, DType::Half],
        index_dtypes: vec![DType::Int32, DType::Uint32],
        ..Lattice::of(A5)
    };
    let mut harness = Harness::new(A5);
    let left_out = harness.add_lattice(&lattice).expect("a lattice");
    // shapes, dtypes, indices, modes, atomics, bounds, conflicts
    let product = 2 * 2 * 2 * 2 * 2 * 4 * 2;
    assert_eq!((harness.instances(), harness.calls()), (product, product));
    // Rows of three elements fill no 32 bytes, for either dtype.
    assert_eq!(left_out.iter().map(|(_, n)| n).sum::<usize>(), 2);
    // Without template parameters only the types of the operands count.
    let on_cpu = Lattice {
        dialect: CPU,
        ..lattice
    };
    let mut harness = Harness::new(CPU);
    harness.add_lattice(&on_cpu).expect("a lattice");
    assert_eq!(harness.instances(), 2 * 2 * 2 * 2);
}

/// The calls of all axes compile, and what is drawn of them reaches the library.
#[test]
fn all_axes_through_programs_of_the_cpu() {
    let documented = Lattice {
        table_dtypes: vec![DType::Half, DType::Int16],
        outer: vec![outer("1x1x1"), outer("?x?x?")],
        ..shaped(CPU)
    };
    let templated = shaped(Dialect {
        suite_forms: true,
        ..CPU
    });
    let suite = json!({"cpu-form": "templated", "scope": "as-the-suite"});
    // In other tests g++ compiles the documented forms, and clang those of the suite.
    let compilers = compilers();
    let (first, last) = (compilers[0], compilers[compilers.len() - 1]);
    for (name, lattice, readings) in [(last, documented, json!({})), (first, templated, suite)] {
        let mut harness = Harness::new(lattice.dialect);
        harness.add_lattice(&lattice).expect("a lattice");
        let files = harness.files(&places()).expect("files");
        let program = link(sources(&files), name, &[]);
        let mut talk = Talk::greeted(&program.path, "cpu");
        talk.readings = readings;
        ask(&mut talk, &lattice);
        let (rest, _, code) = talk.end();
        assert_eq!((rest.as_str(), code), ("", Some(0)));
    }
}

/// What is fixed, what is not, and what the target has no rule for.
#[test]
fn axes_of_types_and_shapes() {
    let of = |lattice: &Lattice| {
        let mut harness = Harness::new(lattice.dialect);
        let left_out = harness.add_lattice(lattice).expect("a lattice");
        assert_eq!(harness.instances(), harness.calls(), "no call twice");
        let left_out: Vec<String> = left_out.into_iter().map(|(why, _)| why).collect();
        (harness.instances(), left_out.join("\n"))
    };
    // Of each form: extents, outer dimensions and modes; L1 Elem has two executors.
    let (instances, left_out) = of(&shaped(A5));
    let first = "mscatter-first on a5 takes tables whose outer dimensions are 1";
    assert_eq!(left_out, first);
    assert_eq!(instances, 2 * (3 * (2 + 2 + 3) + 2 + 1 + 1 + 1));

    let gather = Lattice {
        forms: vec![Form::Mgather],
        ..shaped(A5)
    };
    let mut tables = BTreeSet::new();
    for call in gather.calls().expect("a lattice") {
        let Call::Mgather(call) = call else {
            panic!("another form");
        };
        let fixed = call.dst.valid_row.known().is_some();
        let valid = [call.dst, call.idx].map(|t| [t.valid_row, t.valid_col]);
        assert!(valid.iter().flatten().all(|d| d.known().is_some() == fixed));
        if fixed {
            // As many indices as rows or elements, whatever the padding.
            let indices = call.idx.valid_row.get() * call.idx.valid_col.get();
            let expected = match call.mode {
                Coalesce::Row => 16,
                Coalesce::Elem => 16 * 32,
            };
            assert_eq!(indices, expected);
        }
        let dims = |dims: [Dim; 5]| {
            let words = dims.map(|d| d.known().map_or("?".to_owned(), |n| n.to_string()));
            words.join(",")
        };
        tables.insert([dims(call.table.shape), dims(call.table.stride)].join(" "));
    }
    let expected = [
        "1,1,1,?,? 1,1,1,?,?",
        "1,1,1,32,32 1,1,1,32,1",
        "2,1,3,?,? ?,1,?,?,?",
        "2,1,3,32,32 3072,1,1024,32,1",
        "?,2,?,?,? ?,?,?,?,?",
        "?,2,?,32,32 ?,?,1024,32,1",
    ];
    assert_eq!(tables, expected.map(str::to_owned).into());

    // On CPU tables are flat, and may be of another type of one size.
    let types = Lattice {
        forms: vec![
            Form::Mscatter,
            Form::Mgather,
            Form::TscatterIndex,
            Form::Tgatherb,
        ],
        table_dtypes: vec![DType::Half, DType::Uint16, DType::Int32],
        outer: vec![outer("1x1x1"), outer("2x1x1")],
        extents: vec![Extents::Dynamic],
        ..shaped(CPU)
    };
    let (instances, left_out) = of(&types);
    assert_eq!(instances, 2 * (2 + 2 + 1) + 1);
    assert!(
        left_out.contains("mgather on cpu takes tables whose outer dimensions are 1"),
        "{left_out}"
    );
    assert!(
        left_out.contains("elements of another size than the data's"),
        "{left_out}"
    );
    assert!(left_out.contains("tgatherb on cpu with"), "{left_out}");
    for call in types.calls().expect("a lattice") {
        assert_eq!(call.data_tile().dtype, DType::Half);
    }
    // Under A5's rules types are equal.
    let templated = Lattice {
        dialect: Dialect {
            suite_forms: true,
            ..CPU
        },
        forms: vec![Form::Mscatter],
        ..types
    };
    let (instances, left_out) = of(&templated);
    assert_eq!(instances, 2 * 2);
    assert!(left_out.contains("mscatter on cpu with"), "{left_out}");
}

#[test]
fn outer_dimensions_are_three() {
    for text in ["1x1x1", "2x1x3", "?x?x?", "?x64x1"] {
        assert_eq!(outer(text).to_string(), text);
    }
    for text in [
        "", "2", "2x1", "1x1x1x1", "0x1x1", "-1x1x1", "8x8x2", "1x1x65",
    ] {
        let error = text.parse::<Outer>().expect_err(text);
        assert!(error.contains("as in 2x1x3 or ?x?x?"), "{error}");
    }
    assert!(format!("{}x1x1", u64::MAX).parse::<Outer>().is_err());
}

#[test]
fn what_nothing_is_said_of_fits_every_target() {
    for target in [Target::Cpu, Target::A2a3, Target::A5] {
        for suite_forms in [false, true] {
            let dialect = Dialect {
                target,
                suite_forms,
            };
            let lattice = Lattice::of(dialect);
            let mut harness = Harness::new(dialect);
            let left_out = harness.add_lattice(&lattice).expect("a lattice");
            assert!(
                harness.files(&places()).is_ok(),
                "{} calls",
                harness.instances()
            );
            // 8x32 is no tile of L1; nothing else is left out.
            let boxes = lattice.forms.contains(&Form::MgatherL1);
            let reasons: Vec<usize> = left_out.iter().map(|(_, n)| *n).collect();
            assert_eq!(
                reasons,
                if boxes { vec![4] } else { vec![] },
                "{left_out:?}"
            );
        }
    }
}

#[test]
fn a_description_is_read_back() {
    for dialect in [A5, CPU] {
        let lattice = shaped(dialect);
        let text = &description(&lattice);
        assert_eq!(Lattice::read(text).expect("a lattice"), lattice);
        let keys = serde_json::from_str::<serde_json::Value>(text).expect("JSON")["keys"].clone();
        let calls = lattice.calls().expect("a lattice");
        assert_eq!(Lattice::instances(text).expect("instantiations").1, calls);
        let expected: BTreeSet<String> = calls.iter().map(|call| key(call, dialect)).collect();
        let listed: Vec<String> = serde_json::from_value(keys).expect("texts");
        assert_eq!(listed.len(), expected.len());
        assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), expected);
        let wrong = [
            (text.replace("\"format\": 2", "\"format\": 1"), "format 1"),
            (text.replace("\"2x1x3\"", "\"2x3\""), "`2x3`"),
            (text.replace("\"dynamic\"", "\"late\""), "late"),
            (text.replace("\"mgather\"", "\"gather\""), "`gather`"),
            (text.replace("\"half\"", "\"quarter\""), "quarter"),
            ("{}".to_owned(), "no lattice"),
        ];
        for (text, says) in wrong {
            let error = Lattice::read(&text).expect_err("no lattice").to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}

#[test]
fn what_is_no_lattice() {
    let of = || Lattice::of(A5);
    let rejected = |lattice: Lattice| {
        let error = Harness::new(A5)
            .add_lattice(&lattice)
            .expect_err("rejected");
        assert_eq!(
            lattice.calls().expect_err("rejected").to_string(),
            error.to_string()
        );
        error
    };
    let empty = Lattice {
        modes: Vec::<Coalesce>::new(),
        ..of()
    };
    assert!(matches!(rejected(empty), LatticeError::Empty("modes")));
    let shapes = Lattice {
        shapes: vec![(8, 8); 65],
        ..of()
    };
    assert!(matches!(rejected(shapes), LatticeError::Shapes(65)));
    let twice = Lattice {
        shapes: vec![(8, 32), (16, 32), (8, 32)],
        ..of()
    };
    assert!(matches!(rejected(twice), LatticeError::Twice("shapes")));
    let many = Lattice {
        outer: vec![Outer::NONE; 65],
        ..of()
    };
    assert!(matches!(rejected(many), LatticeError::Outer(65)));
    let twice = Lattice {
        table_dtypes: vec![DType::Half, DType::Half],
        ..of()
    };
    assert!(matches!(
        rejected(twice),
        LatticeError::Twice("table dtypes")
    ));
    for extents in [(0, 8), (8, u64::MAX)] {
        let extents = Lattice {
            shapes: vec![extents],
            ..of()
        };
        assert!(matches!(rejected(extents), LatticeError::Extent(..)));
    }
}

#[test]
fn more_than_a_program_holds_is_rejected() {
    use strum::VariantArray as _;
    let all = Lattice {
        shapes: vec![(16, 32), (16, 64)],
        dtypes: DType::VARIANTS.to_vec(),
        atomics: ScatterAtomicOp::VARIANTS.to_vec(),
        ..Lattice::of(A5)
    };
    let mut harness = Harness::new(A5);
    harness.add_lattice(&all).expect("a lattice");
    let error = harness.files(&places()).expect_err("too many");
    assert!(matches!(error, HarnessError::Many(n) if n > MOST_INSTANCES));
    assert!(matches!(
        Harness::new(A5).files(&places()),
        Err(HarnessError::Empty)
    ));
}
