//! A selection of the cases of each target, through whole programs.

use std::{collections::BTreeSet, path::Path, sync::LazyLock};

use ptodiff_case::{Case, Form};
use ptodiff_isa::{Call, DType, Memory, Operand, Role, Target};
use ptodiff_kernel::{Dialect, Harness, Lattice};
use serde_json::json;

use crate::{
    build::{A2A3, A5, SUITE, compiler, compilers, link, probe, sources},
    talk::{Talk, has_room},
};

/// Most bytes of a case's operands: the stand-in's memories end, and more
/// bytes show nothing more.
const MOST_BYTES: usize = 100_000;

static CORPUS: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    ptodiff_case::load(&[cases]).expect("good cases").cases
});

/// One case for each way in which layouts are put together, and for each type of data.
fn selected(cases: &[Case], target: Target) -> Vec<(&Case, Memory)> {
    let mut seen = BTreeSet::new();
    cases
        .iter()
        .filter(|case| {
            case.targets.contains(&target) && case.rejected.iter().all(|(on, _)| *on != target)
        })
        .filter(|case| {
            let dtype = case.call.data_tile().dtype.to_string();
            seen.insert(class(&case.call)) | seen.insert(dtype)
        })
        .filter_map(|case| Some((case, memory(case)?)))
        .collect()
}

/// What the call of `case` is asked on, if it is not too much.
fn memory(case: &Case) -> Option<Memory> {
    let memory = ptodiff_generate::stimulus(case, 7).steps.swap_remove(0);
    let bytes: usize = memory.regions.iter().map(|r| r.body().len()).sum();
    (bytes < MOST_BYTES).then_some(memory)
}

/// What is distinguished: the form, the layouts, what is known at run time only.
fn class(call: &Call) -> String {
    let mut class = Form::of(call).to_string();
    for (_, operand) in call.operands() {
        class += &match operand {
            Operand::Tile(t) => format!(
                " {}{}{} {} {}",
                t.location,
                t.blayout,
                t.slayout,
                t.valid_row.known().is_none(),
                t.valid_col.known().is_none(),
            ),
            Operand::Tensor(t) => format!(
                " {} {}",
                t.layout,
                t.shape.iter().any(|d| d.known().is_none()),
            ),
        };
    }
    class
}

/// What is distinguished beside that: the types, and the template arguments. Each is written by
/// itself, so each value is one, and not what they are put together to.
fn arguments(call: &Call) -> Vec<String> {
    let form = Form::of(call);
    let operands = call.operands().into_iter();
    let types = operands.map(|(role, operand)| format!("{form} {role} {}", operand.dtype()));
    let policies = call.arguments().into_iter();
    let policies = policies.map(|own| format!("{form} {} {}", own.key, own.value));
    types.chain(policies).collect()
}

/// Every selected case through a program behind a board: GM elsewhere, tiles filled by TLOAD and
/// read by TSTORE, kernels launched.
fn behind_a_board(dialect: Dialect, with: Option<&Lattice>) {
    let mut harness = Harness::new(dialect);
    let mut chosen = selected(&CORPUS, dialect.target);
    chosen.retain(|(case, _)| harness.add(case).is_ok());
    if let Some(lattice) = with {
        harness.add_lattice(lattice);
    }
    let flags = ["-DPTODIFF_BOARD=1", "-DPTO_PIPES=1"];
    let program = link(sources(&harness), "g++", &flags);
    let mut talk = Talk::greeted(&program.path, dialect);
    let mut forms = BTreeSet::new();
    for (case, memory) in &chosen {
        let call = &case.call;
        let is_direct = call
            .launch()
            .is_some_and(|l| l.dispatch != Default::default());
        if is_direct && dialect.target == Target::A5 {
            let (answer, _) = talk.call(call, memory);
            assert_eq!(answer["kind"], "unsupported", "{}: {answer}", case.id);
        } else if talk.reaches(call, memory) {
            forms.insert(Form::of(call));
        }
    }
    let expected = Lattice::of(dialect).forms;
    assert_eq!(forms, expected.into_iter().collect(), "forms that were run");
    if let Some(lattice) = with {
        crate::lattice::ask(&mut talk, lattice);
    }
    talk.ends_well();
}

/// All template arguments that the cases of the CPU have, with the forms that the cpu suite has
/// and with guard zones around tiles, and a lattice beside them: the program compiles, and what it
/// is asked reaches the library. Calls that differ in their numbers alone compile alike.
#[test]
fn all_arguments_of_the_cpu() {
    let mut harness = Harness::new(SUITE);
    let (mut cases, mut seen) = (Vec::new(), BTreeSet::new());
    let of_cpu = CORPUS.iter().filter(|c| c.targets.contains(&Target::Cpu));
    for case in of_cpu {
        let mut own = arguments(&case.call);
        own.push(class(&case.call));
        if own.iter().all(|one| seen.contains(one)) {
            continue;
        }
        let Some(memory) = memory(case).filter(|memory| has_room(&case.call, memory)) else {
            continue;
        };
        if harness.add(case).is_ok() {
            seen.extend(own);
            cases.push((case, memory));
        }
    }
    assert!(harness.instances() > 100, "{}", harness.instances());
    let lattice = crate::lattice::shaped(SUITE);
    harness.add_lattice(&lattice);
    let flags = ["-DPTODIFF_TILE_GUARD=64"];
    let folder = sources(&harness);
    probe(folder.path(), &compiler("g++", &flags), false);
    // Another compiler is asked of one call for each way to put layouts together.
    let mut few = Harness::new(SUITE);
    for (case, _) in selected(&CORPUS, Target::Cpu) {
        few.add(case).ok();
    }
    for other in compilers().iter().skip(1) {
        probe(sources(&few).path(), &compiler(other, &flags), false);
    }
    let program = link(folder, "g++", &flags);
    let mut talk = Talk::greeted(&program.path, SUITE);
    talk.guards = true;
    let mut rejected = 0;
    for (case, memory) in &cases {
        let index = case.call.operand(Role::Index).map(|index| index.dtype());
        if index == Some(DType::Float) {
            let (answer, _) = talk.call(&case.call, memory);
            assert_eq!(answer["kind"], "rejected", "{}: {answer}", case.id);
            rejected += 1;
        } else {
            assert!(talk.reaches(&case.call, memory), "{}", case.id);
        }
    }
    assert!(rejected > 0);
    crate::lattice::ask(&mut talk, &lattice);
    // Not the forms of these readings.
    talk.readings = json!({});
    for form in [Form::Mscatter, Form::MgatherL1, Form::TscatterMask] {
        let mut of = cases.iter().filter(|(c, _)| Form::of(&c.call) == form);
        let (case, memory) = of.next().expect("a case of the form");
        let (answer, _) = talk.call(&case.call, memory);
        assert_eq!(answer["kind"], "unsupported", "{form}: {answer}");
        let why = answer["why"].as_str().expect("a reason");
        assert!(why.contains("=documented"), "{why}");
    }
    talk.ends_well();
}

/// The flush is asked for, but no form of A2/A3 has one.
#[test]
fn on_a2a3_behind_a_board() {
    behind_a_board(A2A3, None);
}

/// With the first revision, and a lattice beside the cases.
#[test]
fn on_a5_with_a_lattice() {
    behind_a_board(A5, Some(&crate::lattice::shaped(A5)));
}
