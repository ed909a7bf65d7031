//! Cases with their data given literally make the bytes that they made before.

use std::collections::BTreeSet;
use std::path::Path;

use ptodiff_case::{Case, DataPlan, Fill, IndexPattern, Style, load};
use ptodiff_enumerate::world::build;
use ptodiff_generate::random::Rules;
use ptodiff_generate::{MAX_LITERALS, literal, stimulus, written_out};
use ptodiff_isa::{Call, Coalesce, DType, Dim, GlobalTensor, Role};

use crate::reach::{drawn, read_back::again};

/// Cases drawn of each form and kind.
const CASES: u64 = 120;

fn random() -> impl Iterator<Item = Case> {
    let kinds = [Rules::Legal, Rules::Broken(2), Rules::Wild];
    kinds.into_iter().flat_map(|rules| drawn(11, rules, CASES))
}

fn is_drawn(fill: &Fill) -> bool {
    use Fill::{Distinct, Percent, RandomBits, SmallInts};
    matches!(fill, SmallInts | Percent | Distinct | RandomBits)
}

fn is_drawn_pattern(pattern: &IndexPattern) -> bool {
    use IndexPattern::{Literal, Same, Seq};
    !matches!(pattern, Same | Seq | Literal(_))
}

/// What the plan says of each operand of the call, without literal bytes.
fn kinds(case: &Case) -> Vec<String> {
    let kind = |role| match (case.data.fill(role), &case.data.index) {
        (Some(Fill::Literal(_)), _) | (None, IndexPattern::Literal(_)) => "Literal".to_owned(),
        (Some(fill), _) => format!("{fill:?}"),
        (None, pattern) => format!("{pattern:?}"),
    };
    let operands = case.call.operands();
    operands.iter().map(|(role, _)| kind(*role)).collect()
}

/// What is drawn becomes literal, all else stays, and the bytes are the same
/// under any seed.
#[test]
fn drawn_data_becomes_literal_and_makes_the_same_bytes() {
    let mut replaced = BTreeSet::new();
    let mut chunked = 0;
    for (seed, case) in (0..).zip(random()) {
        let fixed = literal(&case, seed);
        assert_eq!(
            stimulus(&fixed, seed + 1),
            stimulus(&case, seed),
            "{case:?}"
        );
        let before = case.call.operands().into_iter().map(|(role, _)| {
            let fill = case.data.fill(role);
            fill.map_or(is_drawn_pattern(&case.data.index), is_drawn)
        });
        for ((old, new), drawn) in kinds(&case).into_iter().zip(kinds(&fixed)).zip(before) {
            if drawn {
                assert_eq!(new, "Literal");
                replaced.insert(old.split(' ').next().unwrap_or_default().to_owned());
            } else {
                assert_eq!(new, old);
            }
        }
        let plain = Case {
            data: fixed.data.clone(),
            ..case.clone()
        };
        assert_eq!(plain, fixed, "nothing but the data changes");
        assert_eq!(fixed.data.seed, 0, "nothing is drawn");
        chunked += usize::from(case.chunks > 1);
    }
    for kind in [
        "SmallInts",
        "Percent",
        "Distinct",
        "RandomBits",
        "Random",
        "Permutation",
        "OutOfBounds",
        "OutOfBoundsNoDup",
        "AllOutOfBounds",
        "Hot",
        "Edges",
        "Negative",
        "TwoRows",
    ] {
        assert!(replaced.contains(kind), "{kind} was drawn by no case");
    }
    assert!(chunked > 20, "{chunked}");
}

/// Of what is written out only zeros and poison keep their names.
#[test]
fn all_that_depends_on_a_place_is_written_out() {
    for (seed, case) in (0..).zip(random()) {
        let out = written_out(&case, seed);
        assert_eq!(stimulus(&out, seed + 1), stimulus(&case, seed), "{case:?}");
        for (old, new) in kinds(&case).into_iter().zip(kinds(&out)) {
            let keeps = old == "Zeros" || old == "Poison";
            assert_eq!(new, if keeps { &old } else { "Literal" });
        }
    }
}

#[test]
fn literal_cases_are_read_back() {
    for (seed, case) in (0..).zip(random().step_by(3)) {
        let fixed = literal(&case, seed);
        assert_eq!(again(&fixed), fixed);
        let out = written_out(&case, seed);
        assert_eq!(again(&out), out);
    }
}

#[test]
fn cases_of_files_make_the_same_bytes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let corpus = load(&[folder]).unwrap_or_else(|error| panic!("{}", error.render(Style::Plain)));
    assert!(corpus.cases.len() > 500);
    for case in &corpus.cases {
        let fixed = literal(case, 3);
        // What is too large is drawn as before.
        let seed = if kinds(&fixed).iter().all(|kind| kind == "Literal") {
            4
        } else {
            3
        };
        assert!(stimulus(&fixed, seed) == stimulus(case, 3), "{}", case.id);
        assert_eq!(literal(&fixed, 3), fixed, "{}", case.id);
    }
}

/// A gather of eight elements by Elem from a table of this shape.
fn gather(dtype: DType, shape: [u64; 5], data: DataPlan) -> Case {
    let eight = |dtype| build::tile(dtype, [1, 8], [1, 8]);
    let mut stride = [1; 5];
    for at in (0..4).rev() {
        stride[at] = shape[at + 1].saturating_mul(stride[at + 1]);
    }
    let table = GlobalTensor {
        dtype,
        shape: shape.map(Dim::Static),
        stride: stride.map(Dim::Static),
        ..GlobalTensor::default()
    };
    let call = build::gather(eight(dtype), table, eight(DType::Int32), Coalesce::Elem);
    let mut case = Case::of_call("table", Call::Mgather(call));
    case.id = "random/table".to_owned();
    case.data = data;
    case
}

fn random_bits(seed: u64) -> DataPlan {
    DataPlan {
        table: Fill::RandomBits,
        seed,
        ..DataPlan::default()
    }
}

/// As many literals as there may be, and of the longest, can be read again.
#[test]
fn the_most_literals_that_a_case_is_given_can_be_read() {
    let rows = MAX_LITERALS / 8 - 1;
    let case = gather(DType::Int64, [1, 1, 1, rows, 8], random_bits(5));
    let fixed = literal(&case, 0);
    assert_eq!(kinds(&fixed), ["Poison", "Literal", "Literal"]);
    assert!(again(&fixed) == fixed);
}

/// One literal more stays drawn; the indices are given all the same.
#[test]
fn what_is_too_large_is_drawn_as_before() {
    let case = gather(DType::Uint8, [1, 1, 1, 1, MAX_LITERALS - 7], random_bits(5));
    let fixed = literal(&case, 2);
    assert_eq!(kinds(&fixed), ["Poison", "RandomBits", "Literal"]);
    assert_eq!(fixed.data.seed, 5, "it is still needed");
    assert!(stimulus(&fixed, 2) == stimulus(&case, 2));
}

/// Literals that are there already take room from the others.
#[test]
fn literals_count_together() {
    let values = vec![0; MAX_LITERALS as usize - 7];
    let data = DataPlan {
        table: Fill::Literal(values),
        ..random_bits(0)
    };
    let case = gather(DType::Uint8, [1, 1, 1, 1, MAX_LITERALS - 7], data);
    assert_eq!(kinds(&literal(&case, 2)), ["Poison", "Literal", "Random"]);
}

/// Sizes are only counted, so those that fit no memory do no harm.
#[test]
fn sizes_beyond_all_bounds_stay() {
    let mut case = gather(
        DType::Int32,
        [u64::MAX, 1, 7, u64::MAX, u64::MAX],
        random_bits(1),
    );
    let Call::Mgather(call) = &mut case.call else {
        unreachable!("it is a gather");
    };
    (call.idx.rows, call.idx.valid_row) = (u64::MAX, Dim::Dynamic(u64::MAX));
    assert_eq!(literal(&case, 0), case);
    assert_eq!(written_out(&case, 0), case);
    // Nothing in it, however large the rest.
    let Call::Mgather(call) = &mut case.call else {
        unreachable!("it is a gather");
    };
    call.table.shape[2] = Dim::Dynamic(0);
    assert_eq!(literal(&case, 0).data.table, Fill::Literal(Vec::new()));
    assert_eq!(case.data.fill(Role::Table), Some(&Fill::RandomBits));
}
