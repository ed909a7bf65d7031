//! Cases written out, for what drawn ones seldom have, and models that do wrong.

use ptodiff_case::{Case, load_str};
use ptodiff_generate::stimulus;
use ptodiff_hunt::Relation;
use ptodiff_hunt::relation::check;
use ptodiff_isa::{Memory, Model, Target};
use ptodiff_runner::model_of;

/// A case of a file, without its name: keys of a YAML mapping, one a line, however far
/// they stand in.
pub(crate) fn case(keys: &str) -> (Case, Vec<Memory>) {
    let keys: Vec<&str> = keys.trim().lines().map(str::trim).collect();
    let text = format!("cases:\n  - name: x\n    {}\n", keys.join("\n    "));
    let corpus = load_str("x.yaml", &text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let case = corpus.cases[0].clone();
    let steps = stimulus(&case, 0).steps;
    (case, steps)
}

/// The right model of `target`.
pub(crate) fn right(target: Target) -> &'static dyn Model {
    model_of(target)
}

/// What `relation` says of a case on `model`.
pub(crate) fn says(
    relation: Relation,
    model: &dyn Model,
    keys: &str,
) -> Option<Result<(), String>> {
    let (case, steps) = case(keys);
    check(relation, model, &case, &steps)
}

/// Whether `relation` binds the case of `keys`, which the right model keeps it on.
pub(crate) fn binds(relation: Relation, target: Target, keys: &[&str]) -> bool {
    let keys = keys.join("\n");
    match says(relation, right(target), &keys) {
        None => false,
        Some(found) => {
            assert_eq!(found, Ok(()), "{relation} on {target}:{keys}");
            true
        }
    }
}

/// `relation` binds the case of the keys `base` and `with`, and not that of
/// `base` and `without`.
pub(crate) fn parts(
    relation: Relation,
    target: Target,
    base: &[&str],
    with: &[&str],
    without: &[&str],
) {
    let binds = |keys| binds(relation, target, &[base, keys].concat());
    assert!(binds(with), "{relation} is to bind {base:?} {with:?}");
    assert!(
        !binds(without),
        "{relation} is not to bind {base:?} {without:?}"
    );
}
