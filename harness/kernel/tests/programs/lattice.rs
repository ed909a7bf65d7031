//! Lattices: what they hold, and calls of them with extents of run time.

use std::collections::BTreeSet;

use ptodiff_case::Form;
use ptodiff_generate::random::{Rules, Series, Space};
use ptodiff_isa::{
    Call, Coalesce, DType, GatherOob, MaskAxis, MaskPattern, Readings, ScatterAtomicOp,
    ScatterConflict, ScatterOob, Scope, Target,
};
use ptodiff_kernel::{Dialect, Extents, Lattice, Outer, key};

use crate::{
    build::{A5, CPU, SUITE, compilers, link, memory, of_lattice, places, sources},
    talk::Talk,
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

/// Whatever a hunt draws of the lattice reaches the library: every instantiation with extents
/// that no source of the program names. What is one policy away from all of them does not.
pub(crate) fn ask(talk: &mut Talk, lattice: &Lattice) {
    let calls = lattice.calls();
    let forms: BTreeSet<Form> = calls.iter().map(Form::of).collect();
    assert_eq!(forms, lattice.forms.iter().copied().collect());
    let target = lattice.dialect.target;
    let space = Space::new(target, Readings::default(), calls.clone()).expect("instantiations");
    let series = Series::new(11);
    let mut reached = BTreeSet::new();
    for number in 0..1000 {
        let rules = MIX[number as usize % MIX.len()];
        let case = space.draw(&mut series.number(number), rules, u64::MAX);
        let memory = ptodiff_generate::stimulus(&case, 3).steps.swap_remove(0);
        if talk.reaches(&case.call, &memory) {
            reached.insert(key(&case.call, lattice.dialect));
        }
    }
    assert_eq!(reached.len(), calls.len(), "every instantiation is asked");
    let gather = calls.iter().find(|call| Form::of(call) == Form::Mgather);
    let mut clamping = *gather.expect("a gather");
    assert!(clamping.set_argument("oob", "Clamp"));
    let (answer, _) = talk.call(&clamping, &memory(clamping, 3));
    assert_eq!(answer["kind"], "unsupported", "{answer}");
}

/// The rules that a hunt draws by.
pub(crate) const MIX: [Rules; 4] = [
    Rules::Legal,
    Rules::Broken(1),
    Rules::Broken(2),
    Rules::Wild,
];

/// The calls of all axes compile, and what is drawn of them reaches the library. Those of the
/// suite's forms are beside the cases of the CPU.
#[test]
fn all_axes_of_the_documented_forms_of_the_cpu() {
    let lattice = Lattice {
        table_dtypes: vec![DType::Half, DType::Int16],
        outer: vec![outer("1x1x1"), outer("?x?x?")],
        ..shaped(CPU)
    };
    // In other tests g++ compiles the documented forms, and clang those of the suite.
    let compilers = compilers();
    let (harness, _) = of_lattice(&lattice);
    let program = link(sources(&harness), compilers[compilers.len() - 1], &[]);
    let mut talk = Talk::greeted(&program.path, CPU);
    ask(&mut talk, &lattice);
    talk.ends_well();
}

/// All but what is drawn anew, in the same order: a hunt of one seed depends on it.
#[test]
fn the_file_of_calls_is_read_back() {
    for dialect in [A5, CPU, SUITE] {
        let lattice = shaped(dialect);
        let (harness, _) = of_lattice(&lattice);
        let files = harness.files(&places()).expect("files").into_iter();
        let mut named = files.filter(|file| file.name == "lattice.yaml");
        let text = named.next().expect("calls").text;
        let corpus = ptodiff_case::load_str("lattice.yaml", &text).expect("cases");
        let calls: Vec<Call> = corpus.cases.iter().map(|case| case.call).collect();
        assert_eq!(calls, lattice.calls());
        for case in corpus.cases {
            assert_eq!(case.targets, [dialect.target]);
            assert_eq!(
                case.readings[dialect.target].scope == Scope::AsTheSuite,
                dialect.suite_forms
            );
        }
    }
}
