//! Pairs of values that no legal case has, and the clauses that say so.

use ptodiff_generate::random::Form;

use crate::reach::axes::Place;

/// A line of the table.
struct Row {
    forms: &'static str,
    /// One set of values, or two that do not go together.
    values: Vec<Values>,
    clause: &'static str,
}

/// Values of an axis, as the table writes them.
type Values = (&'static str, &'static str);

/// What is impossible.
pub(crate) struct Table(Vec<Row>);

impl Table {
    /// The table beside this file, for `form`.
    pub(crate) fn of(form: Form) -> Self {
        let lines = include_str!("impossible.txt").lines();
        let rows = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let of_form = |row: &Row| row.forms.split('|').any(|of| of == <&str>::from(form));
        Self(rows.map(row).filter(of_form).collect())
    }

    /// The clause by which `one` and `other` do not go together.
    pub(crate) fn clause(&self, one: Place, other: Place) -> Option<&'static str> {
        let row = self.0.iter().find(|row| match row.values[..] {
            [values] => fits(values, one) || fits(values, other),
            [left, right] => {
                (fits(left, one) && fits(right, other)) || (fits(left, other) && fits(right, one))
            }
            _ => false,
        })?;
        Some(row.clause)
    }
}

fn row(line: &'static str) -> Row {
    let parts: Vec<&str> = line.split(" : ").collect();
    let [forms, values @ .., clause] = &parts[..] else {
        panic!("no row: {line}");
    };
    let values = values.iter().map(|part| {
        let split = part.split_once('=');
        split.unwrap_or_else(|| panic!("no values in {line}"))
    });
    Row {
        forms,
        values: values.collect(),
        clause,
    }
}

fn fits((axis, values): Values, place: Place) -> bool {
    axis == place.0 && values.split('|').any(|value| matches(value, place.1))
}

fn matches(pattern: &str, value: &str) -> bool {
    pattern.split('&').all(|one| {
        if let Some(other) = one.strip_prefix('!') {
            !matches(other, value)
        } else if let Some(part) = one.strip_prefix('~') {
            value.split(['+', '=']).any(|of| of == part)
        } else {
            one == value
        }
    })
}

/// Every line is about something: forms and axes that exist, a clause.
#[test]
fn the_table_is_sound() {
    for form in Form::ALL {
        let axes = crate::reach::expected::axes(*form);
        for row in Table::of(*form).0 {
            assert!((1..=2).contains(&row.values.len()), "{}", row.clause);
            for (axis, values) in row.values {
                let known = axes.iter().filter(|(name, _)| *name == axis);
                let mut known = known.flat_map(|(_, values)| values);
                assert!(
                    known.any(|value| fits((axis, values), (axis, value))),
                    "{form:?}: nothing is {axis}={values}"
                );
            }
        }
    }
}
