//! A selection of all cases on every target, through whole programs.

use std::{collections::BTreeSet, path::Path, sync::LazyLock};

use ptodiff_case::{Case, Form};
use ptodiff_isa::{Call, Memory, Operand, Target};
use ptodiff_kernel::{Dialect, Harness, Lattice};

use crate::{
    build::build,
    talk::Talk,
    toy::{Built, after},
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
        .map(|case| {
            (
                case,
                ptodiff_generate::stimulus(case, 7).steps.swap_remove(0),
            )
        })
        .filter(|(case, memory)| {
            let bodies = memory.regions.iter().map(|region| region.body().len());
            bodies.sum::<usize>() < MOST_BYTES
                && memory
                    .get(case.call.output())
                    .is_some_and(|r| r.body().len() >= 32)
        })
        .collect()
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

/// Every selected case through a program for `target`.
fn through(dialect: Dialect, built: Built, flags: &[&str], with: Option<&Lattice>) {
    let mut harness = Harness::new(dialect);
    let mut chosen = selected(&CORPUS, dialect.target);
    chosen.retain(|(case, _)| harness.add(&case.id, &case.call).is_ok());
    if let Some(lattice) = with {
        harness.add_lattice(lattice).expect("a lattice");
    }
    let program = build(&harness.files().expect("files"), flags);
    let mut talk = Talk::greeted(&program.path, dialect.target.into());
    let mut forms = BTreeSet::new();
    for (case, memory) in &chosen {
        let (answer, given) = talk.call(&case.call, memory);
        if case
            .call
            .launch()
            .is_some_and(|l| l.dispatch != Default::default())
            && dialect.target == Target::A5
        {
            assert_eq!(answer["kind"], "unsupported", "{}: {answer}", case.id);
            continue;
        }
        assert_eq!(answer["kind"], "done", "{}: {answer}", case.id);
        assert_eq!(answer["id"], 17);
        let flush = case
            .call
            .launch()
            .is_some_and(|l| l.flush == Default::default());
        let built = Built {
            flush: built.flush && flush,
            ..built
        };
        assert!(
            given == after(&case.call, memory, built),
            "{} on {}: the operands did not reach the library",
            case.id,
            dialect.target
        );
        forms.insert(Form::of(&case.call));
    }
    let expected = Form::ALL
        .iter()
        .filter(|form| match (form, dialect.target) {
            (Form::MscatterFirst, target) => target == Target::A5,
            (Form::MgatherL1, Target::Cpu) | (Form::TscatterMask, Target::Cpu | Target::A2a3) => {
                dialect.suite_forms
            }
            _ => true,
        });
    assert_eq!(forms, expected.copied().collect(), "forms that were run");
    if let Some(lattice) = with {
        crate::lattice::ask(&mut talk, lattice);
    }
    let (rest, _, code) = talk.end();
    assert_eq!((rest.as_str(), code), ("", Some(0)));
}

/// With the forms that the cpu suite has, and with guard zones around tiles.
#[test]
fn on_cpu() {
    let dialect = Dialect {
        target: Target::Cpu,
        suite_forms: true,
    };
    let built = Built {
        scatter: true,
        conflict: true,
        guards: true,
        flush: false,
    };
    through(dialect, built, &["-DPTODIFF_TILE_GUARD=64"], None);
}

/// As on a board: GM elsewhere, tiles filled by TLOAD and read by TSTORE,
/// kernels launched. The flush is asked for, but no form of A2/A3 has one.
#[test]
fn on_a2a3_behind_a_board() {
    let dialect = Dialect {
        target: Target::A2a3,
        suite_forms: false,
    };
    let built = Built {
        scatter: true,
        conflict: false,
        guards: false,
        flush: false,
    };
    through(
        dialect,
        built,
        &["-DPTODIFF_BOARD=1", "-DPTO_PIPES=1"],
        None,
    );
}

/// With the first revision, behind the board too, and a lattice beside the cases.
#[test]
fn on_a5_with_a_lattice() {
    let dialect = Dialect {
        target: Target::A5,
        suite_forms: false,
    };
    let built = Built {
        scatter: true,
        conflict: true,
        guards: false,
        flush: true,
    };
    let lattice = crate::lattice::small(dialect);
    through(
        dialect,
        built,
        &["-DPTODIFF_BOARD=1", "-DPTO_PIPES=1"],
        Some(&lattice),
    );
}
