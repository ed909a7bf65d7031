//! Changes of cases of `cases/`.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_case::{Case, Form, IndexPattern};
use ptodiff_fuzz::corpus::{fits, small};
use ptodiff_fuzz::input::{Recipe, read};
use ptodiff_fuzz::seeds::of_case;
use ptodiff_isa::{Call, DType, Dim, Launch, Operand, Role};

use crate::Noise;

/// Neighbours drawn of each form.
const CASES: usize = 2500;

/// Neighbours of small cases of every form, with the case that each began as.
fn neighbours(seed: u64) -> impl Iterator<Item = (&'static Case, Case)> {
    let of_form = |form: &Form| -> Vec<u16> {
        let small = (0..).zip(small());
        let alike = small.filter(|(_, case)| Form::of(&case.call) == *form);
        alike.map(|(number, _)| number).collect()
    };
    let mut noise = Noise::new(seed);
    Form::ALL.iter().map(of_form).flat_map(move |numbers| {
        let drawn: Vec<_> = (0..CASES)
            .map(|count| {
                let number = numbers[count % numbers.len()];
                let bytes = [of_case(number), noise.bytes(40)].concat();
                let from = small()[usize::from(number)];
                (from, read(&bytes, &Recipe::ANY).case)
            })
            .collect();
        drawn
    })
}

#[test]
fn a_case_without_changes_is_itself_and_one_with_a_change_expects_nothing() {
    let number = small().iter().position(|case| !case.expect.is_empty());
    let number = u16::try_from(number.expect("a case that expects something"));
    let [low, high] = number.expect("a small number").to_le_bytes();
    let itself = read(&[3, 0, low, high], &Recipe::ANY).case;
    assert!(!itself.expect.is_empty());
    // Any byte more is a change, if only of what it was already.
    let changed = read(&[3, 0, low, high, 0], &Recipe::ANY).case;
    assert!(changed.expect.is_empty() && changed.name.is_empty());
    assert_eq!(changed.id, itself.id);
    let as_it_is = read(&[3, 0, low, high, 0], &Recipe::UNCHANGED).case;
    assert_eq!(as_it_is, itself);
}

#[test]
fn neighbours_are_small_and_of_the_same_form() {
    for (from, case) in neighbours(1) {
        assert!(fits(&case.call, case.chunks));
        assert_eq!(Form::of(&case.call), Form::of(&from.call));
        assert!(!case.targets.is_empty() && case.targets.is_sorted());
    }
}

/// Everything that a case says, each under a name.
fn aspects(case: &Case) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut note = |name: &str, value: String| {
        all.insert(name.to_owned(), value);
    };
    let of_dim = |dim: &Dim| matches!(dim, Dim::Static(_));
    for (role, operand) in case.call.operands() {
        note(&format!("{role} dtype"), operand.dtype().to_string());
        match operand {
            Operand::Tile(t) => {
                note(&format!("{role} padded"), format!("{} {}", t.rows, t.cols));
                let valid = [t.valid_row, t.valid_col];
                note(
                    &format!("{role} valid"),
                    format!("{:?}", valid.map(Dim::get)),
                );
                note(
                    &format!("{role} known"),
                    format!("{:?}", valid.map(|d| of_dim(&d))),
                );
                note(&format!("{role} blayout"), t.blayout.to_string());
                note(&format!("{role} slayout"), t.slayout.to_string());
                note(&format!("{role} fractal"), t.fractal.to_string());
                note(&format!("{role} location"), t.location.to_string());
            }
            Operand::Tensor(t) => {
                note(
                    &format!("{role} shape"),
                    format!("{:?}", t.shape.map(Dim::get)),
                );
                note(
                    &format!("{role} stride"),
                    format!("{:?}", t.stride.map(Dim::get)),
                );
                let known = [t.shape, t.stride].map(|dims| dims.map(|d| of_dim(&d)));
                note(&format!("{role} known"), format!("{known:?}"));
                note(&format!("{role} layout"), t.layout.to_string());
            }
        }
        let fill = match case.data.fill(role) {
            Some(fill) => format!("{fill:?}"),
            None => format!("{:?}", case.data.index),
        };
        note(&format!("{role} data"), fill);
    }
    if let Some(launch) = case.call.launch() {
        note("dyn_ub", format!("{:?}", launch.dyn_ub_bytes));
        note("dispatch", launch.dispatch.to_string());
        note("flush", launch.flush.to_string());
        note("chunks", case.chunks.to_string());
    }
    match &case.call {
        Call::Mscatter(c) => {
            note("atomic", c.atomic.to_string());
            note("oob", c.oob.to_string());
            note("conflict", c.conflict.to_string());
            note("mode", c.mode.to_string());
        }
        Call::MscatterFirst(c) => {
            note("atomic", c.atomic.to_string());
            note("oob", c.oob.to_string());
        }
        Call::Mgather(c) => {
            note("oob", c.oob.to_string());
            note("mode", c.mode.to_string());
        }
        Call::MgatherL1(c) => {
            note("oob", c.oob.to_string());
            note("mode", c.mode.to_string());
            note("exec", c.exec.to_string());
            note("scratch", c.scratch.is_some().to_string());
        }
        Call::TscatterMask(c) => {
            note("pattern", c.pattern.to_string());
            note("axis", c.axis.to_string());
        }
        Call::TscatterIndex(_) | Call::Tgatherb(_) => {}
    }
    note("readings", format!("{:?}", case.readings));
    note("targets", format!("{:?}", case.targets));
    note("seed", case.data.seed.to_string());
    all
}

/// Each thing that a case says is changed alone, or nearly so, in some
/// neighbour, but for what makes the form.
#[test]
fn everything_is_changed() {
    let mut said: BTreeMap<Form, BTreeSet<String>> = BTreeMap::new();
    let mut changed: BTreeMap<Form, BTreeMap<String, u32>> = BTreeMap::new();
    for (from, case) in neighbours(2) {
        let form = Form::of(&case.call);
        let (before, after) = (aspects(from), aspects(&case));
        said.entry(form).or_default().extend(before.keys().cloned());
        for (name, value) in before {
            let other = after.get(&name).is_some_and(|after| *after != value);
            *changed.entry(form).or_default().entry(name).or_default() += u32::from(other);
        }
    }
    assert_eq!(said.len(), Form::ALL.len());
    for (form, names) in said {
        for name in names {
            let fixed =
                name == "destination location" && matches!(form, Form::Mgather | Form::MgatherL1);
            let times = changed[&form][&name];
            assert_eq!(times == 0, fixed, "{form:?}: {name}, {times} times");
        }
    }
}

#[test]
fn indices_are_given_one_by_one_at_edges_too() {
    let mut found = BTreeSet::new();
    for (_, case) in neighbours(3) {
        let Some(index) = case.call.operand(Role::Index) else {
            continue;
        };
        let IndexPattern::Literal(bytes) = &case.data.index else {
            continue;
        };
        if index.dtype() == DType::Int32 {
            let values = bytes.chunks_exact(4);
            found.extend(values.map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]])));
        }
    }
    for edge in [0, 1, 2, 3, -1, -2, i32::MAX, i32::MIN] {
        assert!(found.contains(&edge), "{edge}");
    }
}

/// A kernel's launch goes back to the default too.
#[test]
fn a_launch_is_changed_both_ways() {
    let [mut there, mut back] = [false; 2];
    for (from, case) in (4..12).flat_map(neighbours) {
        if let (Some(before), Some(after)) = (from.call.launch(), case.call.launch()) {
            there |= *before == Launch::default() && before.dispatch != after.dispatch;
            back |= before.dispatch != Launch::default().dispatch && *after == Launch::default();
        }
    }
    assert!(there && back);
}
