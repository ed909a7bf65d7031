//! Floating-point sums, in one order or in any.

use crate::float::Format;

mod bounds;
mod reached;

use bounds::bounded;
pub(crate) use reached::reached;

/// What a slot may hold after its contributions were added.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Sum {
    /// This, or some NaN (MSCATTER-GAP-81).
    One(f64),
    /// One of these, increasing, at least two; the last may be every NaN.
    Listed(Vec<f64>),
    /// Between the first two of these, or one of those after them.
    Within(Vec<f64>),
}

/// One contribution: its value, and the call of a sequence that makes it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Term {
    /// What is added.
    pub(crate) value: f64,
    /// Number of the call.
    pub(crate) step: u32,
}

/// `old` with the terms added in any order that keeps the steps apart
/// (MSCATTER-ATOM-22): all that some order reaches, where that can be listed.
pub(crate) fn in_any_order(format: Format, old: f64, terms: &[Term]) -> Sum {
    let values = || std::iter::once(old).chain(terms.iter().map(|t| t.value));
    // Once a sum is infinite, only the other infinity changes it, to NaN.
    let opposite = [f64::INFINITY, f64::NEG_INFINITY];
    if values().any(f64::is_nan) || opposite.iter().all(|all| values().any(|x| x == *all)) {
        return Sum::One(f64::NAN);
    }
    let bounds = bounded(format, old, terms);
    if let [one, same] = bounds[..]
        && one.to_bits() == same.to_bits()
    {
        return Sum::One(one);
    }
    match reached(old, terms, |a, b| format.add(a, b)) {
        Some(sums) => match sums[..] {
            [sum] => Sum::One(sum),
            _ => Sum::Listed(sums),
        },
        None => Sum::Within(bounds),
    }
}

/// The contributions of one call.
#[cfg(test)]
fn terms(values: &[f64]) -> Vec<Term> {
    let term = |&value| Term { value, step: 0 };
    values.iter().map(term).collect()
}
