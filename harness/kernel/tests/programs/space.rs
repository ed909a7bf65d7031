//! What a hunt draws of a lattice: its instantiations, all of them, with
//! dynamic parts and data from one end to the other.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_case::{Case, Form};
use ptodiff_generate::random::{NoSpace, Rules, Series, Space};
use ptodiff_isa::{
    CacheFlush, Call, Coalesce, DType, Dim, Dispatch, GatherOob, Operand, Readings, Role, Target,
};
use ptodiff_kernel::{Dialect, Lattice, key};

use crate::{
    build::A5,
    lattice::{MIX, outer, shaped, small},
};

/// Cases an instantiation within which it must have been drawn: one is missed
/// by a fair draw once in 10^17.
const BUDGET: u64 = 40;

fn space(lattice: &Lattice) -> Space {
    let calls = lattice.calls();
    Space::new(lattice.dialect.target, Readings::default(), calls).expect("instantiations")
}

/// `count` cases of the mix, by number.
fn cases(space: &Space, count: u64, max_lanes: u64) -> Vec<Case> {
    let series = Series::new(5);
    let of = |number: u64| {
        let rules = MIX[number as usize % MIX.len()];
        space.draw(&mut series.number(number), rules, max_lanes)
    };
    (0..count).map(of).collect()
}

/// The keys are made apart from the draws, and they are what a program looks up.
#[test]
fn every_draw_is_an_instantiation_and_every_instantiation_is_drawn() {
    for target in [Target::Cpu, Target::A2a3, Target::A5] {
        let dialect = Dialect {
            target,
            suite_forms: true,
        };
        let policies = Lattice {
            shapes: vec![(16, 32)],
            ..Lattice::of(dialect)
        };
        let types = Lattice {
            table_dtypes: vec![DType::Half, DType::Uint16],
            ..shaped(Dialect {
                suite_forms: false,
                ..dialect
            })
        };
        for lattice in [policies, shaped(dialect), types] {
            all_are_drawn(&lattice);
        }
    }
}

fn all_are_drawn(lattice: &Lattice) {
    let dialect = lattice.dialect;
    let calls = lattice.calls();
    let keys: BTreeSet<String> = calls.iter().map(|call| key(call, dialect)).collect();
    let space = space(lattice);
    assert_eq!(space.instantiations(), keys.len());
    let mut seen: BTreeMap<Form, BTreeSet<String>> = BTreeMap::new();
    for case in cases(&space, BUDGET * keys.len() as u64, u64::MAX) {
        let drawn = key(&case.call, dialect);
        assert!(keys.contains(&drawn), "{drawn}");
        assert!(space.holds(&case.call), "{drawn}");
        assert_eq!(case.targets, [dialect.target]);
        seen.entry(Form::of(&case.call)).or_default().insert(drawn);
    }
    assert_eq!(seen.values().map(BTreeSet::len).sum::<usize>(), keys.len());
    assert_eq!(seen.len(), lattice.forms.len());
}

/// Outer dimensions of run time are drawn, and legal tables lie apart: no slot is another's.
#[test]
fn outer_dimensions_are_drawn() {
    let lattice = Lattice {
        forms: vec![Form::Mscatter, Form::Mgather, Form::MgatherL1],
        outer: ["2x1x3", "?x2x?"].map(outer).to_vec(),
        ..shaped(A5)
    };
    let (space, series) = (space(&lattice), Series::new(3));
    let mut seen: BTreeMap<usize, BTreeSet<u64>> = BTreeMap::new();
    for number in 0..2000 {
        let case = space.draw(&mut series.number(number), Rules::Legal, u64::MAX);
        let table = case.call.table().expect("a table");
        let (shape, stride) = (table.shape.map(Dim::get), table.stride.map(Dim::get));
        if table.shape[0].known().is_none() {
            for at in [0, 2] {
                seen.entry(at).or_default().insert(shape[at]);
            }
        }
        let mut span = (shape[4] - 1) * stride[4] + 1;
        for at in (0..4).rev().filter(|at| shape[*at] > 1) {
            assert!(stride[at] >= span, "{shape:?} {stride:?}");
            span += (shape[at] - 1) * stride[at];
        }
    }
    assert_eq!(seen[&0], [1, 2, 3].into());
    assert_eq!(seen[&2], [1, 2, 3].into());
}

/// Of each dynamic extent of a tile how often it was 1, all, or between.
#[test]
fn extents_reach_from_one_to_all() {
    let mut seen: BTreeMap<(Form, String, &str), [u32; 3]> = BTreeMap::new();
    for case in cases(&space(&small(A5)), 3000, u64::MAX) {
        let form = Form::of(&case.call);
        for (role, operand) in case.call.operands() {
            let (pairs, names) = match operand {
                Operand::Tile(t) => (
                    [(t.valid_row, t.rows), (t.valid_col, t.cols)],
                    ["rows", "columns"],
                ),
                // A tensor's have no end: 32 is one that occurs.
                Operand::Tensor(t) => ([(t.shape[3], 32), (t.shape[4], 32)], ["rows", "columns"]),
            };
            for ((valid, all), name) in pairs.into_iter().zip(names) {
                assert!(valid.known().is_none());
                let of = seen.entry((form, role.to_string(), name)).or_default();
                let valid = valid.get();
                of[0] += u32::from(valid == 1);
                of[1] += u32::from(valid == all);
                of[2] += u32::from(1 < valid && valid < all);
            }
        }
    }
    // Full tiles are a rule of the first revision, a row of indices has one row.
    for ((form, role, name), [one, all, between]) in &seen {
        let what = format!("{form} {role} {name}: {one} {all} {between}");
        assert!(*one > 0, "{what}");
        let scratch = role == "scratch";
        let line = scratch || role == "index" && *form == Form::MgatherL1;
        assert!(line || *all > 0, "{what}");
        assert!(line || *between > 0, "{what}");
    }
    assert_eq!(seen.len(), 2 * (3 + 3 + 3 + 4 + 3 + 2 + 3));
}

/// Every pattern, and indices on and beyond every edge, under every policy.
#[test]
fn patterns_and_edges_occur() {
    let lattice = Lattice {
        forms: vec![Form::Mgather],
        gather_oob: <GatherOob as strum::VariantArray>::VARIANTS.to_vec(),
        ..small(A5)
    };
    let mut patterns = BTreeSet::new();
    let mut edges: BTreeMap<GatherOob, BTreeSet<&str>> = BTreeMap::new();
    for case in cases(&space(&lattice), 6000, u64::MAX) {
        let debug = format!("{:?}", case.data.index);
        let name = debug.split([' ', '(']).next().unwrap_or_default();
        patterns.insert(name.to_owned());
        let Call::Mgather(call) = case.call else {
            panic!("another form");
        };
        let shape = call.table.shape.map(|dim| dim.get());
        let capacity = match call.mode {
            Coalesce::Row => shape[3],
            Coalesce::Elem => shape[3] * shape[4],
        };
        let memory = ptodiff_generate::stimulus(&case, 0).steps.swap_remove(0);
        let bytes = memory.get(Role::Index).expect("indices").body();
        let own = edges.entry(call.oob).or_default();
        for index in bytes.chunks_exact(4) {
            let index = u64::from(u32::from_le_bytes(index.try_into().expect("four")));
            if (0x8000_0000..u64::from(u32::MAX)).contains(&index) {
                own.insert("negative");
            }
            if capacity > 2 {
                for (at, name) in [
                    (0, "first"),
                    (capacity - 1, "last"),
                    (capacity, "capacity"),
                    (2 * capacity, "twice"),
                    (0x7fff_ffff, "largest"),
                    (0x8000_0000, "smallest"),
                    (0xffff_ffff, "minus one"),
                ] {
                    if index == at {
                        own.insert(name);
                    }
                }
            }
        }
    }
    let all = [
        "AllOutOfBounds",
        "Edges",
        "Hot",
        "Literal",
        "Negative",
        "OutOfBounds",
        "OutOfBoundsNoDup",
        "Permutation",
        "Random",
        "Same",
        "Seq",
        "TwoRows",
    ];
    assert_eq!(patterns.iter().map(String::as_str).collect::<Vec<_>>(), all);
    assert_eq!(edges.len(), 4);
    for (oob, seen) in edges {
        assert_eq!(seen.len(), 8, "{oob}: {seen:?}");
    }
}

#[test]
fn a_number_is_a_case_and_lanes_have_a_limit() {
    let none = Space::new(Target::A5, Readings::default(), []);
    assert_eq!(none, Err(NoSpace::Empty));
    let lattice = small(A5);
    let (one, other) = (space(&lattice), space(&lattice));
    assert_eq!(cases(&one, 300, 64), cases(&other, 300, 64));
    let series = Series::new(4);
    for number in 0..1000 {
        let case = one.draw(&mut series.number(number), Rules::Legal, 64);
        let data = case.call.data_tile();
        let lanes = data.valid_row.get() * data.valid_col.get();
        // Full tiles are its rule.
        let full = matches!(case.call, Call::MscatterFirst(_));
        assert!(full || lanes <= 64, "{lanes}");
    }
    let mut launched = BTreeSet::new();
    for case in cases(&one, 1000, 64) {
        if let Some(launch) = case.call.launch() {
            // A program starts its kernels in one way.
            assert_eq!(launch.dispatch, Dispatch::Standard);
            launched.insert((launch.dyn_ub_bytes.is_some(), launch.flush as u8));
        }
    }
    assert!(launched.contains(&(true, CacheFlush::Missing as u8)));
    assert!(launched.contains(&(false, CacheFlush::Appended as u8)));
}
