//! A selection of the cases of each target, through whole programs.

use std::{collections::BTreeSet, path::Path, sync::LazyLock};

use ptodiff_case::{Case, Form};
use ptodiff_isa::{Call, DType, Memory, Operand, Role, Target};
use ptodiff_kernel::{Dialect, Harness, Lattice};
use serde_json::json;

use crate::{
    build::{build, compiler, compilers, link, places, probe, sources},
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
            bytes(memory) < MOST_BYTES
                && memory
                    .get(case.call.output())
                    .is_some_and(|r| r.body().len() >= 32)
        })
        .collect()
}

fn bytes(memory: &Memory) -> usize {
    memory
        .regions
        .iter()
        .map(|region| region.body().len())
        .sum()
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

/// What is distinguished beside that: the types, and the template arguments.
fn arguments(call: &Call) -> String {
    let operands = call.operands().into_iter();
    let types: Vec<DType> = operands.map(|(_, operand)| operand.dtype()).collect();
    let policies = match call {
        Call::Mscatter(c) => format!("{:?}", (c.mode, c.atomic, c.oob, c.conflict)),
        Call::MscatterFirst(c) => format!("{:?}", (c.atomic, c.oob)),
        Call::Mgather(c) => format!("{:?}", (c.mode, c.oob)),
        Call::MgatherL1(c) => format!("{:?}", (c.mode, c.oob, c.exec)),
        Call::TscatterMask(c) => format!("{:?}", (c.pattern, c.axis)),
        Call::TscatterIndex(_) | Call::Tgatherb(_) => String::new(),
    };
    format!("{} {types:?} {policies}", Form::of(call))
}

/// Every selected case through a program for `target`.
fn through(dialect: Dialect, built: Built, flags: &[&str], with: Option<&Lattice>) {
    let mut harness = Harness::new(dialect);
    let mut chosen = selected(&CORPUS, dialect.target);
    chosen.retain(|(case, _)| harness.add(case).is_ok());
    if let Some(lattice) = with {
        harness.add_lattice(lattice).expect("a lattice");
    }
    let program = build(&harness.files(&places()).expect("files"), flags);
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

const SUITE: Dialect = Dialect {
    target: Target::Cpu,
    suite_forms: true,
};

/// All combinations of template arguments that the cases of the CPU have, with the forms that
/// the cpu suite has and with guard zones around tiles: the program compiles, and what it is
/// asked reaches the library. Calls that differ in their numbers alone compile alike.
#[test]
fn all_combinations_of_the_cpu() {
    let mut harness = Harness::new(SUITE);
    let for_cpu = |case: &&Case| case.targets.contains(&Target::Cpu);
    let mut cases: Vec<&Case> = CORPUS.iter().filter(for_cpu).collect();
    let mut seen = BTreeSet::new();
    cases.retain(|case| {
        let call = &case.call;
        (seen.insert(class(call)) | seen.insert(arguments(call))) && harness.add(case).is_ok()
    });
    assert!(harness.instances() > 400, "{}", harness.instances());
    let files = harness.files(&places()).expect("files");
    let flags = ["-DPTODIFF_TILE_GUARD=64"];
    let folder = sources(&files);
    probe(folder.path(), &compiler("g++", &flags), false);
    // Another compiler is asked of one call for each way to put layouts together.
    let mut few = Harness::new(SUITE);
    for (case, _) in selected(&CORPUS, Target::Cpu) {
        few.add(case).ok();
    }
    let few = few.files(&places()).expect("files");
    for other in compilers().iter().skip(1) {
        probe(sources(&few).path(), &compiler(other, &flags), false);
    }
    let program = link(folder, "g++", &flags);
    let mut talk = Talk::greeted(&program.path, "cpu");
    talk.readings = json!({"cpu-form": "templated", "scope": "as-the-suite"});
    let (mut compared, mut rejected) = (0, 0);
    for case in &cases {
        let memory = ptodiff_generate::stimulus(case, 7).steps.swap_remove(0);
        if bytes(&memory) >= MOST_BYTES {
            continue;
        }
        let (answer, given) = talk.call(&case.call, &memory);
        let index = case.call.operand(Role::Index).map(|index| index.dtype());
        if index == Some(DType::Float) {
            assert_eq!(answer["kind"], "rejected", "{}: {answer}", case.id);
            rejected += 1;
            continue;
        }
        assert_eq!(answer["kind"], "done", "{}: {answer}", case.id);
        // The stand-in needs so much room to say what it was given.
        let output = memory.get(case.call.output()).expect("an output");
        if output.body().len() >= 32 {
            let built = Built {
                scatter: true,
                conflict: true,
                guards: true,
                flush: false,
            };
            let id = &case.id;
            assert!(given == after(&case.call, &memory, built), "{id}");
            compared += 1;
        }
    }
    assert!(compared > 400 && rejected > 0, "{compared}, {rejected}");
    // Not the forms of these readings.
    talk.readings = json!({});
    for form in [Form::Mscatter, Form::MgatherL1, Form::TscatterMask] {
        let of = |case: &&&Case| Form::of(&case.call) == form;
        let case = cases.iter().find(of).expect("a case of the form");
        let memory = ptodiff_generate::stimulus(case, 7).steps.swap_remove(0);
        let (answer, _) = talk.call(&case.call, &memory);
        assert_eq!(answer["kind"], "unsupported", "{form}: {answer}");
        let why = answer["why"].as_str().expect("a reason");
        assert!(why.contains("=documented"), "{why}");
    }
    let (rest, _, code) = talk.end();
    assert_eq!((rest.as_str(), code), ("", Some(0)));
}

/// Where no case writes template arguments out the library's defaults are taken, but for a
/// form whose defaults no document states.
#[test]
fn arguments_that_are_left_out() {
    let text = |dialect: Dialect, cases: &str| {
        let cases = ptodiff_case::load_str("a.yaml", &format!("cases:\n{cases}"));
        let mut harness = Harness::new(dialect);
        for case in cases.expect("cases").cases {
            harness.add(&case).expect("a form");
        }
        let files = harness.files(&places()).expect("files");
        let kernels = files.into_iter().find(|file| file.name == "kernels_00.cpp");
        kernels.expect("kernels").text
    };
    let case = |name: &str, instruction: &str, more: &str| {
        format!(
            "  - {{name: {name}, instruction: {instruction}, dtype: float, tile: {{shape: [8, 8]}}, \
             index: {{shape: [1, 8]}}, table: {{shape: [1, 1, 1, 16, 8]}}{more}}}\n"
        )
    };
    let (bare, spelled) = (
        case("a", "MGATHER", ""),
        case("b", "MGATHER", ", mode: Row"),
    );
    let long = "    MGATHER<Coalesce::Row, GatherOOB::Undefined>(dst, tableGM, idx);\n";
    let short = "    MGATHER(dst, tableGM, idx);\n";
    let both = format!("#ifdef PTODIFF_SPELL_DEFAULTS\n{long}#else\n{short}#endif\n");
    assert!(text(SUITE, &bare).contains(&both));
    // One case that writes them out is enough.
    let said = text(SUITE, &(bare + &spelled));
    assert!(said.contains(long) && !said.contains(short), "{said}");
    let scatter = case("c", "MSCATTER", "");
    let short = "    MSCATTER(tableGM, src, idx);\n";
    let a5 = Dialect {
        target: Target::A5,
        suite_forms: false,
    };
    assert!(text(a5, &scatter).contains(short));
    assert!(!text(SUITE, &scatter).contains(short));
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
    let lattice = crate::lattice::shaped(dialect);
    through(
        dialect,
        built,
        &["-DPTODIFF_BOARD=1", "-DPTO_PIPES=1"],
        Some(&lattice),
    );
}
