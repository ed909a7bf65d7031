//! Every small call on every model: what a model leaves lies slot for slot in
//! what the brute force reaches, and the judge, who knows the contract alone,
//! has nothing against it. A wrong model is caught by both.
//!
//! Models need not leave all that is reached: where the order of stores is
//! open, some orders are enough. Where data breaks a precondition they may leave what
//! they want, but they come to an end.

mod look;
mod wrong;

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_enumerate::world::{
    Ends, Scatters, World, blocks, displaced, gathered_by_offset, gathers, gathers_to_l1,
    scattered_by_index, scattered_by_mask, scattered_first, scattered_to_rows,
};
use ptodiff_isa::*;
use ptodiff_runner::model_of;

use Coalesce::{Elem, Row};
use Target::{A2a3, A5, Cpu};
use look::{Found, about, look};
use wrong::{Mistake, clamping, wrong};

/// Shows the calls of one form.
type Show = fn(&mut dyn FnMut(&World<'_>));

/// Forms, each with how many calls it has: none goes missing unseen.
type Forms = [(&'static str, u64, Show)];

const SCATTERS: &Forms = &[
    ("elements scattered", 27440, elements_scattered),
    ("rows scattered", 19896, rows_scattered),
    ("elements combined", 13140, elements_combined),
    ("rows combined", 9828, rows_combined),
    ("first revision", 15088, |mut see| {
        scattered_first(64, &mut see)
    }),
];

const GATHERS: &Forms = &[
    ("gathers", 22632, |mut see| gathers(64, &mut see)),
    ("blocks", 2328, |mut see| blocks(9, &mut see)),
    ("gathers to L1", 3492, |mut see| gathers_to_l1(9, &mut see)),
];

const DISPLACED: &Forms = &[("displaced", 18144, |mut see| displaced(9, &mut see))];

const TILES: &Forms = &[
    ("scatter by index", 10878, |mut see| {
        scattered_by_index(40, &mut see)
    }),
    ("scatter to rows", 7092, |mut see| {
        scattered_to_rows(9, &mut see)
    }),
    ("scatter by mask", 2520, |mut see| {
        scattered_by_mask(&mut see)
    }),
    ("gather by offset", 21756, |mut see| {
        gathered_by_offset(40, &mut see)
    }),
];

fn templated(mode: Coalesce) -> Scatters {
    Scatters {
        cpu_form: CpuForm::Templated,
        ..Scatters::plain(Cpu, mode)
    }
}

fn elements_scattered(mut see: &mut dyn FnMut(&World<'_>)) {
    Scatters::plain(A2a3, Elem).each(125, &mut see);
    Scatters::plain(A5, Elem).each(125, &mut see);
    Scatters::plain(Cpu, Elem).each(125, &mut see);
    templated(Elem).each(125, &mut see);
}

fn rows_scattered(mut see: &mut dyn FnMut(&World<'_>)) {
    Scatters::plain(A2a3, Row).each(125, &mut see);
    Scatters::plain(A5, Row).each(125, &mut see);
    templated(Row).each(64, &mut see);
}

fn elements_combined(see: &mut dyn FnMut(&World<'_>)) {
    combined(Elem, 27, see);
}

fn rows_combined(see: &mut dyn FnMut(&World<'_>)) {
    combined(Row, 16, see);
}

fn combined(mode: Coalesce, most: u64, mut see: &mut dyn FnMut(&World<'_>)) {
    use DType::{Int8, Int32, Uint32};
    use ScatterAtomicOp::{Add, Max, Min};
    let mut each = |form: Scatters, dtype, atomic| {
        let form = Scatters {
            dtype,
            atomic,
            ..form
        };
        form.each(most, &mut see);
    };
    each(Scatters::plain(A2a3, mode), Int8, Add);
    for dtype in [Int32, Uint32] {
        for atomic in [Add, Max, Min] {
            each(Scatters::plain(A5, mode), dtype, atomic);
        }
    }
    each(templated(mode), Int32, Add);
    each(templated(mode), Int32, Max);
}

/// Holds the models to all calls of some forms.
fn hold(forms: &Forms) {
    for (name, calls, show) in forms {
        let mut seen = 0;
        show(&mut |world| {
            let found = look(model_of(world.target), world);
            let well = found.by_reach.is_none() && found.by_judge.is_none();
            assert!(well, "{name}: {found:?} {}", about(world));
            seen += 1;
        });
        assert_eq!(seen, *calls, "{name}");
    }
}

#[test]
fn tables_are_scattered_to_as_reached_and_permitted() {
    hold(SCATTERS);
}

#[test]
fn tables_are_gathered_from_as_reached_and_permitted() {
    hold(GATHERS);
}

#[test]
fn tables_are_accessed_by_displacement_as_reached_and_permitted() {
    hold(DISPLACED);
}

#[test]
fn tiles_are_moved_as_reached_and_permitted() {
    hold(TILES);
}

/// Where a mistake can be made: form, target, mistake.
type Spot = (&'static str, Target, Mistake);

/// Whether each mistake is caught in some call that ends so. Looks no further
/// where it is.
fn planted(
    ends: Ends,
    mistakes: &[Mistake],
    caught: impl Fn(&Found, &World<'_>) -> bool,
) -> BTreeMap<Spot, bool> {
    let mut all = BTreeMap::new();
    let all_forms = [SCATTERS, GATHERS, DISPLACED, TILES];
    for (name, _, show) in all_forms.into_iter().flatten() {
        show(&mut |world| {
            for &mistake in mistakes.iter().filter(|_| world.ends == ends) {
                if mistake == Mistake::Clamps && clamping(world.call).is_none() {
                    continue;
                }
                let done = all.entry((*name, world.target, mistake)).or_insert(false);
                if !*done {
                    let model = wrong(model_of(world.target), mistake);
                    *done = caught(&look(&model, world), world);
                }
            }
        });
    }
    all
}

/// The forms in which mistakes were planted, all of which must have been caught.
fn forms_caught(all: &BTreeMap<Spot, bool>) -> BTreeSet<&'static str> {
    let missed: Vec<_> = all.iter().filter(|(_, caught)| !**caught).collect();
    assert!(missed.is_empty(), "{missed:?}");
    all.keys().map(|(name, ..)| *name).collect()
}

fn names(forms: &[&Forms]) -> BTreeSet<&'static str> {
    let all = forms.iter().copied().flatten();
    all.map(|(name, ..)| *name).collect()
}

#[test]
fn a_wrong_model_is_caught_in_every_form_by_both_accounts() {
    use Mistake::{Clamps, Forgets, Scribbles, Spills};
    let both = |found: &Found, world: &World<'_>| {
        let [reach, judge] = [&found.by_reach, &found.by_judge].map(Option::is_some);
        assert_eq!(reach, judge, "{found:?} {}", about(world));
        reach
    };
    let all = planted(Ends::Settled, &[Forgets, Spills, Scribbles], both);
    assert_eq!(
        forms_caught(&all),
        names(&[SCATTERS, GATHERS, DISPLACED, TILES])
    );
    // Within a chip there is no policy to mistake.
    let all = planted(Ends::Settled, &[Clamps], both);
    assert_eq!(forms_caught(&all), names(&[SCATTERS, GATHERS, DISPLACED]));
}

#[test]
fn a_model_that_does_not_end_is_caught_where_it_may_leave_what_it_wants() {
    let reach = |found: &Found, _: &World<'_>| found.by_reach.is_some();
    let all = planted(Ends::Undefined, &[Mistake::Panics, Mistake::Hangs], reach);
    let mut forms = names(&[SCATTERS, GATHERS, DISPLACED]);
    forms.extend(["scatter by index", "scatter to rows"]);
    assert_eq!(forms_caught(&all), forms);
}
