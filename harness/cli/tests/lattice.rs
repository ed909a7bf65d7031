//! Hunts within the lattice of a program: what they draw is judged as any
//! case is, and stays what the program can run.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use crate::common::{Done, ptodiff};
use ptodiff_case::{Form, case_yaml};
use ptodiff_generate::random::{Rules, Series, Space};
use ptodiff_isa::{Call, Coalesce, CpuForm, DType, Readings, ScatterAtomicOp, Scope, Target};
use ptodiff_kernel::{Dialect, Extents, Lattice, key};
use ptodiff_runner::{Legality, Options, legality};

/// Instantiations that no rule forbids by their types alone, and readings
/// under which their forms are there.
fn lawful(target: Target) -> Space {
    let cpu = target == Target::Cpu;
    let dialect = Dialect {
        target,
        // A2/A3 has no masked form, whoever drives it.
        suite_forms: cpu,
    };
    let readings = Readings {
        scope: if cpu {
            Scope::AsTheSuite
        } else {
            Scope::default()
        },
        cpu_form: if cpu {
            CpuForm::Templated
        } else {
            CpuForm::default()
        },
        ..Readings::default()
    };
    let lattice = Lattice {
        shapes: vec![(16, 32)],
        dtypes: vec![DType::Half, DType::Float],
        ..Lattice::of(dialect)
    };
    let calls = lattice.calls().expect("a lattice");
    Space::new(target, readings, calls).expect("instantiations")
}

/// Such ones with extents that are fixed, outer dimensions, and tables of another type.
fn shaped(target: Target) -> Vec<Space> {
    let of = |suite_forms, readings| {
        let dialect = Dialect {
            target,
            suite_forms,
        };
        let lattice = Lattice {
            shapes: vec![(16, 32)],
            dtypes: vec![DType::Half],
            // MSCATTER without parameters is by element.
            modes: match (target, suite_forms) {
                (Target::Cpu, false) => vec![Coalesce::Elem],
                _ => vec![Coalesce::Row, Coalesce::Elem],
            },
            atomics: vec![ScatterAtomicOp::None, ScatterAtomicOp::Add],
            extents: vec![Extents::Dynamic, Extents::Static],
            outer: ["1x1x1", "2x1x3", "?x?x?"]
                .map(|text| text.parse().expect("outer dimensions"))
                .to_vec(),
            table_dtypes: vec![DType::Half, DType::Int16],
            ..Lattice::of(dialect)
        };
        let calls = lattice.calls().expect("a lattice");
        Space::new(target, readings, calls).expect("instantiations")
    };
    let mut spaces = vec![of(false, Readings::default())];
    if target == Target::Cpu {
        let suite = Readings {
            scope: Scope::AsTheSuite,
            cpu_form: CpuForm::Templated,
            ..Readings::default()
        };
        spaces.push(of(true, suite));
    }
    spaces
}

/// What is wrong with each of `count` cases, by form.
fn broken(space: &Space, rules: Rules, count: u64) -> BTreeMap<Form, Vec<(String, Legality)>> {
    let series = Series::new(2);
    let mut all: BTreeMap<Form, Vec<(String, Legality)>> = BTreeMap::new();
    for number in 0..count {
        let mut case = space.draw(&mut series.number(number), rules, u64::MAX);
        case.name = format!("drawn-{number}");
        case.id.clone_from(&case.name);
        let found = legality(&case, &Options::default()).swap_remove(0);
        let of = all.entry(Form::of(&case.call)).or_default();
        of.push((case_yaml(&case), found));
    }
    all
}

#[test]
fn legal_draws_are_legal_and_broken_ones_mostly_are_not() {
    for target in [Target::Cpu, Target::A2a3, Target::A5] {
        let space = lawful(target);
        for space in [vec![space.clone()], shaped(target)].iter().flatten() {
            for (form, cases) in broken(space, Rules::Legal, 1500) {
                for (text, found) in cases {
                    let wrong = [&found.rejected, &found.by_check, &found.preconditions];
                    let wrong: Vec<_> = wrong.into_iter().flatten().collect();
                    assert!(wrong.is_empty(), "{form} on {target}: {wrong:?}\n{text}");
                }
            }
        }
        for (form, cases) in broken(&space, Rules::Broken(2), 1000) {
            let wrong = |(_, found): &&(String, Legality)| {
                !found.rejected.is_empty() || !found.preconditions.is_empty()
            };
            let count = cases.iter().filter(wrong).count();
            // Little of these has a rule: where its indices lead, and which extents contain which.
            let open = matches!(form, Form::Tgatherb | Form::TscatterIndex);
            let least = cases.len() / if open { 8 } else { 3 };
            assert!(
                count > least,
                "{form} on {target}: {count} of {}",
                cases.len()
            );
        }
    }
}

/// A program's folder with its description.
fn program(options: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let own = ["cpp", "--harness", "out", "--lattice", "--shapes", "16x32"];
    let done = ptodiff(folder.path(), &[&own, options].concat());
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    folder
}

fn hunt(folder: &Path, more: &[&str]) -> Done {
    let own = ["hunt", "--lattice", "out/lattice.json", "--known", "none"];
    ptodiff(folder, &[&own, more].concat())
}

#[test]
fn forms_rules_and_readings_are_those_asked_for() {
    let folder = program(&["--target", "a5", "--dtypes", "half"]);
    let show = |number: &str, more: &[&str]| {
        let done = hunt(folder.path(), &[&["--show", number], more].concat());
        assert_eq!(done.code, 0, "{}{}", done.out, done.err);
        let shown = ptodiff_case::load_str("a.yaml", &done.out);
        shown.expect("a case").cases.remove(0)
    };
    for number in ["0", "1", "6", "7", "31"] {
        let case = show(number, &["--form", "tgatherb,mgather"]);
        let form = Form::of(&case.call);
        assert!(matches!(form, Form::Tgatherb | Form::Mgather), "{form}");
        assert_eq!(case.targets, [Target::A5]);
        let data = case.call.data_tile();
        assert_eq!((data.rows, data.cols), (16, 32));
        assert!(data.valid_row.known().is_none() && data.valid_col.known().is_none());
    }
    let read = show("0", &["--reading", "row-pitch=valid-cols"]);
    assert_eq!(read.data_readings().choice("row-pitch"), Some("valid-cols"));
    for number in 0..16 {
        let case = show(
            &number.to_string(),
            &["--max-lanes", "8", "--rules", "legal", "--form", "mgather"],
        );
        let data = case.call.data_tile();
        assert!(data.valid_row.get() * data.valid_col.get() <= 8, "{data:?}");
    }
}

/// Types and shapes as they are asked for, through the files, into the drawn cases.
#[test]
fn every_axis_has_an_option() {
    let options = [
        &["--suite-forms", "--instructions", "tscatter-mask,mgather"][..],
        &["--dtypes", "half", "--table-dtypes", "int16_t"],
        &[
            "--extents",
            "static",
            "--outer",
            "?x1x?",
            "--mask-axes",
            "Col",
        ],
    ];
    let folder = program(&options.concat());
    let text = fs::read_to_string(folder.path().join("out/lattice.json")).expect("a description");
    let (lattice, calls) = Lattice::instances(&text).expect("instantiations");
    let keys: BTreeSet<String> = calls
        .iter()
        .map(|call| key(call, lattice.dialect))
        .collect();
    // Modes and bounds of the gather, patterns of the scatter.
    assert_eq!(keys.len(), 2 * 4 + 7);
    for number in 0..24 {
        let number = number.to_string();
        let done = hunt(folder.path(), &["--show", &number]);
        assert_eq!(done.code, 0, "{}{}", done.out, done.err);
        let shown = ptodiff_case::load_str("a.yaml", &done.out);
        let call = shown.expect("a case").cases.remove(0).call;
        let key = key(&call, lattice.dialect);
        assert!(keys.contains(&key), "{key}");
        match call {
            Call::Mgather(_) => {
                let table = ";table=int16_t:[?,1,?,32,32]:[?,1,1024,32,1]:ND;";
                assert!(key.contains(table), "{key}");
                assert!(key.contains("dst=Vec:half:16x32:16x32:"), "{key}");
            }
            _ => assert!(key.ends_with(";axis=Col"), "{key}"),
        }
    }
    let done = hunt(folder.path(), &["--count", "400"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(
        done.out.contains("drawn from 15 instantiations on cpu"),
        "{}",
        done.out
    );
}
