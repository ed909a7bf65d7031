//! What random cases reach: every value, every pair of values, every rule.

pub(crate) mod axes;
mod drivers;
mod expected;
mod impossible;
mod named;
mod pairs;
mod pinned;
pub(crate) mod read_back;
mod rules;

use ptodiff_case::Case;
use ptodiff_generate::random::{Form, Rules, Series, Wish, draw, name};

/// The first cases of `seed` of every form that keep to `rules`, named.
pub(crate) fn drawn(seed: u64, rules: Rules, each: u64) -> impl Iterator<Item = Case> {
    let series = Series::new(seed);
    Form::ALL.iter().flat_map(move |form| {
        let wish = Wish {
            rules,
            forms: vec![*form],
            ..Wish::default()
        };
        let series = series.clone();
        (0..each).map(move |number| {
            let mut case = draw(&mut series.number(number), &wish).case;
            name(&mut case, seed, number);
            case
        })
    })
}
