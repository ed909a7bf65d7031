//! What pairs of values do not say of random cases.

use std::collections::{BTreeSet, HashSet};

use ptodiff_case::{Case, IndexPattern};
use ptodiff_generate::random::{Form, Series, Wish, draw};
use ptodiff_isa::{Coalesce, Dim};

/// Cases drawn.
const CASES: u64 = 20_000;

fn cases(wish: &Wish) -> impl Iterator<Item = Case> {
    let series = Series::new(1);
    (0..CASES).map(move |number| draw(&mut series.number(number), wish).case)
}

/// The value that an index pattern is named for occurs in literals too.
#[test]
fn literal_indices_have_the_edges() {
    let wish = Wish {
        forms: vec![Form::Mscatter],
        ..Wish::default()
    };
    let mut met = BTreeSet::new();
    for case in cases(&wish) {
        let (IndexPattern::Literal(bytes), Some(table)) = (&case.data.index, case.call.table())
        else {
            continue;
        };
        let shape = table.shape.map(Dim::get);
        let slots = match case.call.mode() {
            Some(Coalesce::Row) => shape[3],
            _ => shape.iter().product(),
        };
        let edges = [
            (0, "0"),
            (slots - 1, "capacity - 1"),
            (slots, "capacity"),
            (2 * slots, "2 * capacity"),
            ((1 << 31) - 1, "2^31 - 1"),
            (1 << 31, "2^31"),
            ((1 << 32) - 1, "2^32 - 1"),
        ];
        for index in bytes.as_chunks().0 {
            let index = u64::from(u32::from_le_bytes(*index));
            met.extend(edges.iter().filter(|(edge, _)| *edge == index).map(|e| e.1));
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
