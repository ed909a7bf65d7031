//! Every value of every axis, and every pair of values, that is legal.

use std::collections::BTreeMap;
use std::collections::HashMap;

use ptodiff_generate::random::{Form, Series, Wish, draw};

use crate::reach::axes::{Place, places};
use crate::reach::expected::axes;
use crate::reach::impossible::Table;

/// Cases drawn of a form, and after how many it is looked whether more are needed: the
/// rarest pair of MSCATTER takes about 100,000.
const MOST: u64 = 400_000;
const LOOK: u64 = 5_000;

/// A bit for each place.
type Places = [u128; 4];

/// Whether each pair of places occurred; a place with itself is that place.
struct Seen {
    numbers: HashMap<Place, usize>,
    places: Vec<Place>,
    /// Of each place those that it occurred with.
    with: Vec<Places>,
}

impl Seen {
    fn of(form: Form) -> Self {
        let places: Vec<Place> = axes(form)
            .into_iter()
            .flat_map(|(axis, values)| values.into_iter().map(move |value| (axis, value)))
            .collect();
        assert!(places.len() <= 128 * Places::default().len());
        let numbers = places.iter().copied().zip(0..).collect();
        let with = vec![Places::default(); places.len()];
        Self {
            numbers,
            places,
            with,
        }
    }

    fn note(&mut self, found: &[Place]) {
        let number = |place: &Place| match self.numbers.get(place) {
            Some(number) => *number,
            None => panic!("{place:?} is on no axis"),
        };
        let found: Vec<usize> = found.iter().map(number).collect();
        let mut all = Places::default();
        for at in &found {
            all[at / 128] |= 1 << (at % 128);
        }
        for at in found {
            for (with, all) in self.with[at].iter_mut().zip(all) {
                *with |= all;
            }
        }
    }

    /// Pairs of places on two axes, or one place twice, and whether they occurred.
    fn pairs(&self) -> impl Iterator<Item = (Place, Place, bool)> {
        let count = self.places.len();
        (0..count).flat_map(move |low| {
            (low..count).filter_map(move |high| {
                let (one, other) = (self.places[low], self.places[high]);
                let same_axis = one.0 == other.0 && low != high;
                let occurred = self.with[low][high / 128] & 1 << (high % 128) != 0;
                (!same_axis).then_some((one, other, occurred))
            })
        })
    }
}

/// Draws legal cases of `form` until all that is possible occurred, and compares.
fn compare(form: Form) {
    let wish = Wish {
        forms: vec![form],
        // Room for a full NZ tile of bytes.
        max_lanes: 512,
        ..Wish::default()
    };
    let series = Series::new(4);
    let (mut seen, mut under_two) = (Seen::of(form), 0);
    let table = Table::of(form);
    let clause = |(one, other, _)| table.clause(one, other);
    let clauses: Vec<_> = seen.pairs().map(clause).collect();
    let is_missing =
        |((_, _, occurred), clause): ((_, _, bool), &Option<_>)| clause.is_none() && !occurred;
    for number in 0..MOST {
        if number % LOOK == 0 && !seen.pairs().zip(&clauses).any(is_missing) {
            break;
        }
        let places = places(&draw(&mut series.number(number), &wish).case);
        // What is possible under each of two readings is not said.
        match places.contains(&("reading", "two")) {
            true => under_two += 1,
            false => seen.note(&places),
        }
    }
    assert!(under_two > 0, "{form:?}");
    let mut wrong: BTreeMap<(&str, &str, &str), Vec<String>> = BTreeMap::new();
    for ((one, other, occurred), excluded) in seen.pairs().zip(clauses) {
        let what = match (excluded, occurred) {
            (None, false) => "missing",
            (Some(_), true) => "thought impossible",
            _ => continue,
        };
        let value = if one == other {
            one.1.to_owned()
        } else {
            format!("{}/{}", one.1, other.1)
        };
        let value = format!(
            "{value}{}",
            excluded.map(|c| format!(" ({c})")).unwrap_or_default()
        );
        wrong.entry((what, one.0, other.0)).or_default().push(value);
    }
    let lines: String = wrong
        .iter()
        .map(|((what, one, other), values)| {
            format!("{what} {one} x {other}: {}\n", values.join(", "))
        })
        .collect();
    assert!(wrong.is_empty(), "{form:?}\n{lines}");
}

macro_rules! of_forms {
    ($($name:ident: $form:ident,)*) => {$(
        #[test]
        fn $name() {
            compare(Form::$form);
        }
    )*};
}

of_forms! {
    mscatter: Mscatter,
    mscatter_first: MscatterFirst,
    mgather: Mgather,
    mgather_to_l1: MgatherL1,
    tscatter_by_index: TscatterIndex,
    tscatter_by_mask: TscatterMask,
    tgatherb: Tgatherb,
}
