//! Calls that the library does not let pass, found by `probe.sh`.

use std::process::Command;

use ptodiff_case::Case;
use ptodiff_isa::{Call, Coalesce, DType, Target};
use ptodiff_kernel::{Dialect, File, Harness, Lattice};

use crate::{
    build::{compiler, link, must, run, sources},
    lattice::small,
    talk::Talk,
    toy::{Built, after},
};

const CPU: Dialect = Dialect {
    target: Target::Cpu,
    suite_forms: false,
};

/// Calls of which those with an index of floats do not compile.
fn program() -> (Vec<Call>, Vec<File>) {
    let lattice = Lattice {
        index_dtypes: vec![DType::Int32, DType::Float],
        modes: vec![Coalesce::Elem],
        ..small(CPU)
    };
    let mut harness = Harness::new(CPU);
    harness.add_lattice(&lattice).expect("a lattice");
    (
        lattice.calls().expect("a lattice"),
        harness.files().expect("files"),
    )
}

fn index_dtype(call: &Call) -> DType {
    let index = call.operand(ptodiff_isa::Role::Index).expect("an index");
    index.dtype()
}

/// The CPU's own forms, MSCATTER without any parameter among them.
#[test]
fn what_does_not_compile_is_rejected() {
    let (calls, files) = program();
    let folder = sources(&files);
    let all = compiler(&[]);
    let probe = folder.path().join("probe.sh");
    let said = must(Command::new("sh").arg(probe).args(&all));
    let of_floats = calls
        .iter()
        .filter(|call| index_dtype(call) == DType::Float);
    let floats = of_floats.count();
    assert!(floats == 2 && floats < calls.len());
    assert_eq!(said.lines().count(), floats, "{said}");
    let program = link(folder, &[]);
    let mut talk = Talk::greeted(&program.path, "cpu");
    for call in &calls {
        let case = Case::of_call("call", *call);
        let memory = ptodiff_generate::stimulus(&case, 1).steps.swap_remove(0);
        let (answer, given) = talk.call(call, &memory);
        if index_dtype(call) == DType::Float {
            assert_eq!(answer["kind"], "rejected", "{answer}");
            let why = answer["why"].as_str().expect("a reason");
            assert!(why.contains("an index is an"), "{why}");
            continue;
        }
        let built = Built {
            scatter: false,
            conflict: false,
            guards: false,
            flush: false,
        };
        assert_eq!(answer["kind"], "done", "{answer}");
        assert!(given == after(call, &memory, built), "{call:?}");
    }
    // The stand-in prints on standard output; it was not torn.
    let (rest, errors, code) = talk.end();
    assert_eq!((rest.as_str(), code), ("", Some(0)));
    assert!(errors.contains("a library may print"));
}

/// A library that is not found is no rejection.
#[test]
fn wrong_flags_are_not_taken_for_rejections() {
    let (_, files) = program();
    let folder = sources(&files);
    let probe = folder.path().join("probe.sh");
    let done = run(Command::new("sh").arg(probe).args(["g++", "-std=c++17"]));
    assert!(!done.status.success());
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("without a call"), "{said}");
}
