//! What a target issues against what the case says it does.

use ptodiff_case::{ExpectedTrace, Form};
use ptodiff_isa::{Event, Model, Schedule};

use super::{Pattern, spaced};
use crate::context::RunContext;
use crate::trace::Untraced;

/// An event as text, its operands by their keys and, as older case files have them, their
/// roles.
#[derive(Clone)]
struct Line {
    keys: String,
    roles: String,
}

impl Line {
    fn fits(&self, pattern: &Pattern) -> bool {
        pattern.fits_spaced(&self.keys) || pattern.fits_spaced(&self.roles)
    }
}

/// What is not as the case says, each in one line.
pub(super) fn unmet(
    context: &RunContext<'_>,
    model: &dyn Model,
    expected: &ExpectedTrace,
) -> Vec<String> {
    let form = Form::of(&context.case.call);
    let lines: Vec<Line> = match context.issued(model, Schedule::InOrder) {
        Ok(trace) => {
            let events = trace.calls.iter().flatten();
            let line = |event: &Event| Line {
                keys: spaced(&event.named(|role| form.key(role))),
                roles: spaced(&event.to_string()),
            };
            events.map(line).collect()
        }
        // The outcome is held against the case elsewhere.
        Err(Untraced::Rejected(_) | Untraced::NoHandshake(_) | Untraced::Sparse) => {
            return Vec::new();
        }
        Err(Untraced::Fault(why)) => return vec![why],
    };
    let counts = expected.count.iter().filter_map(|(pattern, wanted)| {
        let of = Pattern::new(pattern);
        let found = lines.iter().filter(|line| line.fits(&of)).count() as u64;
        (found != *wanted)
            .then(|| format!("`{pattern}` fits {found} events of the trace, by the case {wanted}"))
    });
    counts
        .chain(out_of_order(&expected.order, &lines))
        .collect()
}

/// The first pattern that fits nothing after what fits those before it.
fn out_of_order(order: &[String], lines: &[Line]) -> Option<String> {
    let mut rest = lines.iter();
    for (n, pattern) in order.iter().enumerate() {
        let of = Pattern::new(pattern);
        if !rest.any(|line| line.fits(&of)) {
            return Some(
                match n.checked_sub(1).and_then(|before| order.get(before)) {
                    None => format!("no event of the trace fits `{pattern}`"),
                    Some(before) => {
                        format!("no event of the trace fits `{pattern}` after that for `{before}`")
                    }
                },
            );
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(patterns: &[&str]) -> Option<String> {
        let patterns: Vec<String> = patterns.iter().map(ToString::to_string).collect();
        let line = |text: &str| Line {
            keys: text.to_owned(),
            roles: text.to_owned(),
        };
        out_of_order(&patterns, &["a", "b", "a", "c"].map(line))
    }

    #[test]
    fn one_event_serves_one_pattern() {
        assert_eq!(order(&["a", "a", "c"]), None);
        assert_eq!(order(&["b", "*", "c"]), None);
        let why = order(&["c", "a"]).expect("not in this order");
        assert!(why.contains("`a` after that for `c`"), "{why}");
        assert!(order(&["a", "a", "a"]).is_some());
        assert!(order(&["d"]).is_some_and(|why| why.contains("`d`")));
    }
}
