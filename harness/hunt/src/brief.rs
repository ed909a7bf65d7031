//! Long literal data of a kept case, made short.

use ptodiff_case::{Case, Fill, IndexPattern};

/// Most bytes of an operand that are given one by one where others do as well.
const MOST: usize = 1024;

/// What stands for long data: no seed touches it.
const FILLS: [Fill; 3] = [Fill::Ramp, Fill::Zeros, Fill::Poison];

/// What stands for many indices.
const PATTERNS: [IndexPattern; 2] = [IndexPattern::Seq, IndexPattern::Same];

/// `case` with the first fill or pattern for which `keeps` answers true in
/// place of each literal that is long; those for which none does stay.
pub(crate) fn brief(mut case: Case, keeps: &mut dyn FnMut(&Case) -> bool) -> Case {
    if matches!(&case.data.index, IndexPattern::Literal(bytes) if bytes.len() > MOST) {
        try_each(&mut case, &PATTERNS, keeps, |case, pattern| {
            case.data.index = pattern;
        });
    }
    let call = case.call;
    for (role, _) in call.operands() {
        if matches!(case.data.fill(role), Some(Fill::Literal(bytes)) if bytes.len() > MOST) {
            try_each(&mut case, &FILLS, keeps, |case, fill| {
                case.data.set_fill(role, fill);
            });
        }
    }
    case
}

/// Makes the first change of `all` that `keeps` lets pass.
fn try_each<T: Clone>(
    case: &mut Case,
    all: &[T],
    keeps: &mut dyn FnMut(&Case) -> bool,
    change: impl Fn(&mut Case, T),
) {
    for one in all {
        let mut other = case.clone();
        change(&mut other, one.clone());
        if keeps(&other) {
            *case = other;
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A scatter with so many bytes of source and of indices.
    fn with(source: usize, index: usize) -> Case {
        let text = "cases:\n  - name: x\n    instruction: MSCATTER\n    mode: Elem\n    \
                    dtype: int32_t\n    tile: {shape: [64, 8]}\n    index: {shape: [64, 8]}\n    \
                    table: {shape: [1, 1, 1, 1, 8]}\n";
        let mut case = ptodiff_case::load_str("x.yaml", text)
            .expect("a case")
            .cases
            .remove(0);
        case.data.source = Fill::Literal(vec![1; source]);
        case.data.index = IndexPattern::Literal(vec![0; index]);
        case
    }

    #[test]
    fn long_literals_give_way_to_the_first_that_does() {
        let any = brief(with(2048, 2048), &mut |_| true);
        assert_eq!(any.data.source, Fill::Ramp);
        assert_eq!(any.data.index, IndexPattern::Seq);
        let picky =
            |case: &Case| case.data.index != IndexPattern::Seq && case.data.source != Fill::Ramp;
        let other = brief(with(2048, 2048), &mut { picky });
        assert_eq!(other.data.source, Fill::Zeros);
        assert_eq!(other.data.index, IndexPattern::Same);
    }

    #[test]
    fn short_ones_and_those_that_matter_stay() {
        let short = with(1024, 1024);
        assert_eq!(brief(short.clone(), &mut |_| true), short);
        let long = with(2048, 2048);
        assert_eq!(brief(long.clone(), &mut |_| false), long);
    }
}
