//! Lattices: what they hold, and calls of them with extents of run time.

use std::collections::BTreeSet;

use ptodiff_case::{Case, Form};
use ptodiff_generate::random::{Rules, Series, Space};
use ptodiff_isa::{
    CacheFlush, Call, Coalesce, DType, Dim, GatherOob, GlobalTensor, MaskPattern, Readings,
    ScatterAtomicOp, ScatterConflict, ScatterOob, Target, Tile,
};
use ptodiff_kernel::{Dialect, Harness, HarnessError, Lattice, LatticeError, MOST_INSTANCES, key};

use crate::{
    build::places,
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
    let tile = |t: Tile| Tile {
        valid_row: Dim::Dynamic(t.rows.min(3)),
        valid_col: Dim::Dynamic(t.cols.min(5)),
        ..t
    };
    let tensor = |mut t: GlobalTensor| {
        t.shape[3] = Dim::Dynamic(6);
        t.shape[4] = Dim::Dynamic(9);
        t.stride[3] = Dim::Dynamic(11);
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

/// Calls of the lattice with extents that no source of the program names.
pub(crate) fn ask(talk: &mut Talk, lattice: &Lattice) {
    let built = Built {
        scatter: true,
        conflict: true,
        guards: false,
        flush: true,
    };
    let calls = lattice.calls().expect("a lattice");
    let forms: BTreeSet<Form> = calls.iter().map(Form::of).collect();
    assert_eq!(forms, Form::ALL.iter().copied().collect());
    for call in &calls {
        let call = elsewhere(call);
        let case = Case::of_call("lattice", call);
        let memory = ptodiff_generate::stimulus(&case, 3).steps.swap_remove(0);
        let (answer, given) = talk.call(&call, &memory);
        assert_eq!(answer["kind"], "done", "{answer}");
        let built = Built {
            flush: call
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
            flush: launch.is_some_and(|l| l.flush == CacheFlush::Appended),
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

#[test]
fn what_a_program_instantiates_is_read_back() {
    let lattice = small(A5);
    let mut harness = Harness::new(A5);
    harness.add_lattice(&lattice).expect("a lattice");
    let files = harness.files(&places()).expect("files");
    let file = files.iter().find(|file| file.name == "lattice.json");
    let text = &file.expect("a description").text;
    let (read, calls) = Lattice::instances(text).expect("instantiations");
    assert_eq!(read, lattice);
    assert_eq!(calls, lattice.calls().expect("a lattice"));

    // Fewer keys are fewer calls.
    let mut some: serde_json::Value = serde_json::from_str(text).expect("JSON");
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
    let error = Lattice::instances("{\"format\": 2}").expect_err("newer");
    assert!(matches!(error, LatticeError::Format(2)), "{error}");
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
        let lattice = small(dialect);
        let mut harness = Harness::new(dialect);
        harness.add_lattice(&lattice).expect("a lattice");
        let files = harness.files(&places()).expect("files");
        let file = files.iter().find(|file| file.name == "lattice.json");
        let text = &file.expect("a description").text;
        assert_eq!(Lattice::read(text).expect("a lattice"), lattice);
        let keys = serde_json::from_str::<serde_json::Value>(text).expect("JSON")["keys"].clone();
        let calls = lattice.calls().expect("a lattice");
        let expected: BTreeSet<String> = calls.iter().map(|call| key(call, dialect)).collect();
        let listed: Vec<String> = serde_json::from_value(keys).expect("texts");
        assert_eq!(listed.len(), expected.len());
        assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), expected);
        let wrong = [
            (text.replace("\"format\": 1", "\"format\": 2"), "format 2"),
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
