//! Random cases of every form and kind shrink to the smallest case of their
//! form that has what they are wished to have.

use ptodiff_case::{Case, Form, case_yaml};
use ptodiff_isa::{CacheFlush, DType, Dim, Dispatch, Launch, NegativeIndex, Operand, Role};
use ptodiff_judge::Value;

use crate::build::{named, simplest, words};
use crate::watch::{bytes, capacity, elements, indices, random, shrunk};

/// The forms with a table.
const IN_GM: [Form; 4] = [
    Form::Mscatter,
    Form::MscatterFirst,
    Form::Mgather,
    Form::MgatherL1,
];

/// Cases of each form that are shrunk: a pass that leaves one form alone is found by several
/// tests.
const OF_EACH: usize = 5;

/// Shrinks drawn cases of `forms` for which `holds`, as many of each as there
/// are among `count` but at most [`OF_EACH`], and compares what is left with
/// what `expected` makes of the smallest case of its form and of the case; how
/// many these were.
fn all(
    forms: &[Form],
    count: u64,
    holds: impl Fn(&Case) -> bool,
    expected: impl Fn(&Case, &mut Case),
) -> usize {
    let mut seen = 0;
    for form in forms {
        let fitting = random(std::slice::from_ref(form), count)
            .filter(&holds)
            .filter_map(|case| {
                let mut least = named(simplest(*form), &case);
                expected(&case, &mut least);
                // Nothing may take more memory than it did.
                (bytes(&case) >= bytes(&least)).then_some((case, least))
            });
        for (case, least) in fitting.take(OF_EACH) {
            let result = shrunk(&case, &holds);
            let both = [&case, &result].map(case_yaml);
            assert!(result == least, "{}\n{}", both[0], both[1]);
            seen += 1;
        }
    }
    seen
}

/// Whether the call has this template argument.
fn is(case: &Case, key: &str, word: &str) -> bool {
    let own = case.call.argument(key);
    own.is_some_and(|own| own.value == word)
}

#[test]
fn without_a_wish_nothing_is_left() {
    let seen = all(Form::ALL, 12, |_| true, |_, _| {});
    assert!(seen > 30, "{seen}");
}

#[test]
fn a_negative_index_and_wrap() {
    let holds =
        |case: &Case| is(case, "oob", "Wrap") && indices(case).iter().any(|index| *index < 0);
    let seen = all(&IN_GM, 150, holds, |_, least| {
        assert!(least.call.set_argument("oob", "Wrap"));
        least.data.set_literal(Role::Index, words(&[u32::MAX]));
    });
    assert!(seen > 15, "{seen}");
}

#[test]
fn rows_that_are_known_at_run_time_only() {
    let holds = |case: &Case| matches!(case.call.data_tile().valid_row, Dim::Dynamic(_));
    let seen = all(Form::ALL, 12, holds, |_, least| {
        let tile = least.call.tile_mut(Form::of(&least.call).data());
        tile.expect("it has a data tile").valid_row = Dim::Dynamic(1);
    });
    assert!(seen > 30, "{seen}");
}

#[test]
fn a_nan_in_the_source() {
    let forms = [
        Form::Mscatter,
        Form::MscatterFirst,
        Form::TscatterIndex,
        Form::TscatterMask,
        Form::Tgatherb,
    ];
    let holds = |case: &Case| {
        let dtype = case.call.operand(Role::Source).map(Operand::dtype);
        let dtype = dtype.expect("these forms have one");
        elements(case, Role::Source)
            .iter()
            .any(|bits| Value { dtype, bits: *bits }.is_nan())
    };
    let seen = all(&forms, 100, holds, |_, least| {
        for role in [Role::Table, Role::Source, Role::Destination] {
            least.call.set_dtype(role, DType::Float);
        }
        least.data.set_literal(Role::Source, words(&[0x7FC0_0000]));
    });
    assert!(seen > 15, "{seen}");
}

#[test]
fn an_index_past_the_slots() {
    let forms: Vec<Form> = Form::ALL
        .iter()
        .copied()
        .filter(|f| *f != Form::TscatterMask)
        .collect();
    let holds = |case: &Case| {
        let capacity = capacity(&case.call);
        indices(case)
            .iter()
            .any(|index| u64::try_from(*index).is_ok_and(|i| i >= capacity))
    };
    let seen = all(&forms, 30, holds, |_, least| {
        let past = capacity(&least.call);
        least.data.set_literal(Role::Index, words(&[past as u32]));
    });
    assert!(seen > 25, "{seen}");
}

#[test]
fn one_reading_of_many() {
    let holds = |case: &Case| case.data_readings().negative_index == NegativeIndex::Signed;
    let seen = all(Form::ALL, 200, holds, |_, least| {
        least.readings.set("negative-index", "signed").unwrap();
    });
    assert!(seen > 20, "{seen}");
}

#[test]
fn launch_parameters_one_by_one() {
    let launch = |case: &Case| case.call.launch().copied().unwrap_or_default();
    fn of(least: &mut Case) -> &mut Launch {
        least.call.launch_mut().expect("these forms have a launch")
    }
    let sized = |case: &Case| launch(case).dyn_ub_bytes.is_some();
    let seen = all(&IN_GM, 12, sized, |case, least| {
        let bytes = launch(case).dyn_ub_bytes;
        of(least).dyn_ub_bytes = bytes;
    });
    assert!(seen > 8, "{seen}");
    let direct = |case: &Case| launch(case).dispatch == Dispatch::Direct;
    let seen = all(&IN_GM, 24, direct, |_, least| {
        of(least).dispatch = Dispatch::Direct;
    });
    assert!(seen > 8, "{seen}");
    let missing = |case: &Case| launch(case).flush == CacheFlush::Missing;
    let seen = all(&IN_GM, 24, missing, |_, least| {
        of(least).flush = CacheFlush::Missing;
    });
    assert!(seen > 8, "{seen}");
}

#[test]
fn a_mask_or_its_axis() {
    for (key, word, count) in [("mask", "P0100", 60), ("axis", "Col", 40)] {
        let holds = |case: &Case| is(case, key, word);
        let seen = all(&[Form::TscatterMask], count, holds, |_, least| {
            assert!(least.call.set_argument(key, word));
        });
        assert!(seen > 4, "{seen}");
    }
}

#[test]
fn rows_of_a_table_that_lie_apart() {
    let holds = |case: &Case| {
        let table = case.call.table();
        table.is_some_and(|t| t.stride[3].get() > t.shape[4].get())
    };
    let seen = all(&IN_GM, 40, holds, |_, least| {
        let one = Dim::Static(1);
        let two = Dim::Static(2);
        let table = least.call.tensor_mut(Role::Table);
        table.expect("it has one").stride = [two, two, two, two, one];
    });
    assert!(seen > 15, "{seen}");
}

#[test]
fn two_targets_of_three() {
    let holds = |case: &Case| case.targets.len() > 1;
    let seen = all(Form::ALL, 12, holds, |case, least| {
        least.targets = case.targets[case.targets.len() - 2..].to_vec();
    });
    assert!(seen > 20, "{seen}");
}
