//! Draws within the lattice of a program: legal where they are to be. What they are besides is
//! in `cmd/lattice.md`.

use std::collections::BTreeMap;

use ptodiff_case::{Form, case_yaml};
use ptodiff_generate::random::{Rules, Series, Space};
use ptodiff_isa::{Coalesce, CpuForm, DType, Readings, ScatterAtomicOp, Scope, Target};
use ptodiff_kernel::{Dialect, Extents, Lattice};
use ptodiff_runner::{Legality, Options, legality};

/// Instantiations that `cut` leaves of a lattice, under readings by which their forms are there.
fn space(target: Target, suite_forms: bool, cut: fn(Lattice) -> Lattice) -> Space {
    let dialect = Dialect {
        target,
        suite_forms,
    };
    let suite = Readings {
        scope: Scope::AsTheSuite,
        cpu_form: CpuForm::Templated,
        ..Readings::default()
    };
    let readings = match suite_forms {
        true => suite,
        false => Readings::default(),
    };
    let lattice = Lattice {
        shapes: vec![(16, 32)],
        ..Lattice::of(dialect)
    };
    let calls = cut(lattice).calls();
    Space::new(target, readings, calls).expect("instantiations")
}

/// Such ones that no rule forbids by their types alone.
fn lawful(target: Target) -> Space {
    // A2/A3 has no masked form, whoever drives it.
    space(target, target == Target::Cpu, |lattice| Lattice {
        dtypes: vec![DType::Half, DType::Float],
        ..lattice
    })
}

/// Such ones with extents that are fixed, outer dimensions, and tables of another type.
fn shaped(target: Target, suite_forms: bool) -> Space {
    space(target, suite_forms, |lattice| Lattice {
        dtypes: vec![DType::Half],
        // MSCATTER without parameters is by element.
        modes: match (lattice.dialect.target, lattice.dialect.suite_forms) {
            (Target::Cpu, false) => vec![Coalesce::Elem],
            _ => vec![Coalesce::Row, Coalesce::Elem],
        },
        atomics: vec![ScatterAtomicOp::None, ScatterAtomicOp::Add],
        extents: vec![Extents::Dynamic, Extents::Static],
        outer: ["1x1x1", "2x1x3", "?x?x?"]
            .map(|text| text.parse().expect("outer dimensions"))
            .to_vec(),
        table_dtypes: vec![DType::Half, DType::Int16],
        ..lattice
    })
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
        let mut legal = vec![space.clone(), shaped(target, false)];
        if target == Target::Cpu {
            legal.push(shaped(target, true));
        }
        for space in &legal {
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
