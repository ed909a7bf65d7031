//! What random cases are for, by name: places where calls go wrong.

use std::collections::{BTreeSet, HashSet};

use ptodiff_case::{Case, IndexPattern};
use ptodiff_generate::random::{Form, Series, Wish, draw, name};
use ptodiff_generate::stimulus;
use ptodiff_isa::{
    Call, Coalesce, DType, Dim, GatherOob, ScatterAtomicOp, ScatterConflict, ScatterOob,
};
use strum::VariantArray;

use crate::stimulus::build;

/// Cases drawn, of all forms alike.
const CASES: u64 = 20_000;

fn cases(wish: &Wish) -> impl Iterator<Item = Case> {
    let series = Series::new(1);
    (0..CASES).map(move |number| {
        let mut case = draw(&mut series.number(number), wish).case;
        name(&mut case, 1, number);
        case
    })
}

fn of_form(form: Form) -> Wish {
    Wish {
        forms: vec![form],
        ..Wish::default()
    }
}

/// The index operand's valid values over all chunks, without a sign.
fn indices(case: &Case) -> Vec<u64> {
    let steps = stimulus(case, 0).steps;
    let of_step = |memory| build::indices(&case.call, memory);
    steps.iter().flat_map(of_step).collect()
}

fn repeats(values: &[u64]) -> bool {
    let set: HashSet<&u64> = values.iter().collect();
    set.len() < values.len()
}

/// Slots of an MSCATTER or MGATHER.
fn capacity(case: &Case) -> u64 {
    let shape = case.call.table().map_or([0; 5], |t| t.shape.map(Dim::get));
    match case.call.mode() {
        Some(Coalesce::Row) => shape[3],
        _ => shape.iter().product(),
    }
}

#[test]
fn duplicates_meet_every_atomic_and_every_conflict_policy() {
    let mut met = BTreeSet::new();
    for case in cases(&of_form(Form::Mscatter)) {
        let Call::Mscatter(call) = &case.call else {
            continue;
        };
        let key = (call.mode, call.atomic, call.conflict);
        if !met.contains(&key) && repeats(&indices(&case)) {
            met.insert(key);
        }
    }
    let (modes, atomics) = (Coalesce::VARIANTS, ScatterAtomicOp::VARIANTS);
    assert_eq!(
        met.len(),
        modes.len() * atomics.len() * ScatterConflict::VARIANTS.len()
    );
}

#[test]
fn negative_indices_meet_every_policy_that_has_them() {
    let negative = |case: &Case, dtype: DType| {
        dtype == DType::Int32 && indices(case).iter().any(|index| *index >= 1 << 31)
    };
    let mut scatters = BTreeSet::new();
    for case in cases(&of_form(Form::Mscatter)) {
        if let Call::Mscatter(call) = &case.call
            && !scatters.contains(&call.oob)
            && negative(&case, call.idx.dtype)
        {
            scatters.insert(call.oob);
        }
    }
    let mut gathers = BTreeSet::new();
    for case in cases(&of_form(Form::Mgather)) {
        if let Call::Mgather(call) = &case.call
            && !gathers.contains(&call.oob)
            && negative(&case, call.idx.dtype)
        {
            gathers.insert(call.oob);
        }
    }
    let checked = [ScatterOob::Skip, ScatterOob::Clamp, ScatterOob::Wrap];
    assert!(
        checked.iter().all(|oob| scatters.contains(oob)),
        "{scatters:?}"
    );
    let checked = [GatherOob::Zero, GatherOob::Clamp, GatherOob::Wrap];
    assert!(
        checked.iter().all(|oob| gathers.contains(oob)),
        "{gathers:?}"
    );
}

#[test]
fn capacities_that_are_no_power_of_two_are_wrapped_around() {
    for form in [Form::Mscatter, Form::Mgather] {
        let wish = of_form(form);
        let wrapped = cases(&wish).filter(|case| {
            let wraps = match &case.call {
                Call::Mscatter(call) => call.oob == ScatterOob::Wrap,
                Call::Mgather(call) => call.oob == GatherOob::Wrap,
                _ => false,
            };
            let capacity = capacity(case);
            wraps
                && !capacity.is_power_of_two()
                && indices(case).iter().any(|index| *index >= capacity)
        });
        assert!(wrapped.take(100).count() == 100, "{form:?}");
    }
}

/// The value that an index pattern is named for occurs in literals too.
#[test]
fn literal_indices_have_the_edges() {
    let mut met = BTreeSet::new();
    for case in cases(&of_form(Form::Mscatter)) {
        if matches!(case.data.index, IndexPattern::Literal(_)) {
            let slots = capacity(&case);
            let edges = [
                (0, "0"),
                (slots - 1, "capacity - 1"),
                (slots, "capacity"),
                (2 * slots, "2 * capacity"),
                ((1 << 31) - 1, "2^31 - 1"),
                (1 << 31, "2^31"),
                ((1 << 32) - 1, "2^32 - 1"),
            ];
            for index in indices(&case) {
                met.extend(edges.iter().filter(|(edge, _)| *edge == index).map(|e| e.1));
            }
        }
    }
    assert_eq!(met.len(), 7, "{met:?}");
}

#[test]
fn cases_do_not_repeat() {
    let mut seen = HashSet::new();
    let mut again = 0;
    for mut case in cases(&Wish::default()) {
        // Another seed is not another case.
        case.data.seed = 0;
        let what = format!("{:?} {:?} {:?}", case.call, case.data, case.chunks);
        again += u64::from(!seen.insert(what));
    }
    assert!(again * 100 <= CASES, "{again} of {CASES}");
}
