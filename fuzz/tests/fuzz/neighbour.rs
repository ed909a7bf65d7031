//! Changes of cases of `cases/`.

use std::collections::BTreeMap;

use ptodiff_case::{Case, Form};
use ptodiff_fuzz::corpus::{fits, small};
use ptodiff_fuzz::input::{Recipe, read};
use ptodiff_fuzz::seeds::of_case;
use ptodiff_isa::{Call, Role};

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
                let bytes = [of_case(number), noise.bytes(200)].concat();
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
    let mut call = case.call;
    if let Call::MgatherL1(call) = &mut call {
        let scratch = call.scratch.take();
        all.insert("scratch".to_owned(), format!("{scratch:?}"));
    }
    let said = format!("{call:?}").replace("scratch: None, ", "");
    for (number, said) in said.split(", ").enumerate() {
        let name = said.split_once(':').map_or("", |(name, _)| name);
        all.insert(format!("{number} {name}"), said.to_owned());
    }
    for (role, _) in case.call.operands() {
        let fill = case.data.fill(role);
        let data = fill.map_or(format!("{:?}", case.data.index), |f| format!("{f:?}"));
        all.insert(format!("{role} data"), data);
    }
    if case.call.output() == Role::Table {
        all.insert("chunks".to_owned(), case.chunks.to_string());
    }
    all.insert("readings".to_owned(), format!("{:?}", case.readings));
    all.insert("targets".to_owned(), format!("{:?}", case.targets));
    all.insert("seed".to_owned(), case.data.seed.to_string());
    all
}

/// Each thing that a case says is changed alone, or nearly so, in some
/// neighbour, but for what makes the form.
#[test]
fn everything_is_changed() {
    let mut own = BTreeMap::new();
    let mut changed: BTreeMap<Form, BTreeMap<String, u32>> = BTreeMap::new();
    for (from, case) in neighbours(2) {
        let before = own.entry(&from.id).or_insert_with(|| aspects(from));
        let after = aspects(&case);
        let changed = changed.entry(Form::of(&case.call)).or_default();
        for (name, value) in before {
            let other = after.get(name).is_some_and(|after| after != value);
            *changed.entry(name.clone()).or_default() += u32::from(other);
        }
    }
    assert_eq!(changed.len(), Form::ALL.len());
    let mut wrong = Vec::new();
    for (form, names) in changed {
        for (name, times) in names {
            // The memory of its destination makes a gather one to UB or to L1.
            let gathers = matches!(form, Form::Mgather | Form::MgatherL1);
            let fixed = gathers && name.starts_with("0 Mgather");
            if (times == 0) != fixed {
                wrong.push(format!("{form:?}: {name}, {times} times"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
