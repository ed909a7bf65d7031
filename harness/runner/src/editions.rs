//! What becomes of a case where its gaps are read otherwise.

use ptodiff_case::{Case, HolePlace};
use ptodiff_isa::{Call, Model, Readings, Target, reading::GAPS};
use ptodiff_judge::Answer;

use crate::{
    Options, OutcomeKind, case::selected, context::Prepared, party_run::PartyRun,
    reading_outcome::difference,
};

/// A target on which other readings make something else of a case.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Change {
    /// Which.
    pub target: Target,
    /// What comes of the case under the first readings and under the second;
    /// twice a result where its bytes or its promise differ.
    pub comes: [OutcomeKind; 2],
    /// Whether both have a result, of the same bytes, and differ in what is promised.
    pub promise_only: bool,
    /// The readings that make a difference by themselves, as `GAP=CHOICE` of the
    /// second; all that differ where none does.
    pub by: Vec<String>,
}

/// What changes of `case`, target by target, where it runs as `after` says in place of
/// `before`: with the same data, in order.
#[must_use]
pub fn changes(case: &Case, before: &Options, after: &Options) -> Vec<Change> {
    let prepared = Prepared::new(case, before);
    let (old, new) = (prepared.readings, after.readings(case));
    let change = |model: &'static dyn Model| {
        let target = model.target();
        let (old, new) = (&old[target], &new[target]);
        if old == new {
            return None;
        }
        let under = |readings: &Readings| prepared.context().under(model, *readings);
        let (before, after) = (under(old), under(new));
        let place = difference(&case.call, [&before, &after])?;
        let comes = [&before, &after].map(|run| comes(&case.call, run));
        if comes == [OutcomeKind::Undefined; 2] {
            return None;
        }
        let differ = GAPS.iter().filter_map(|gap| {
            let choice = gap.choice(new);
            (gap.choice(old) != choice).then_some((gap.name, choice))
        });
        let differ: Vec<_> = differ.collect();
        let alone = |(gap, choice): &(&str, &str)| {
            let mut one = *old;
            // Gap and choice come from the list of them: they exist.
            let _ = one.set(gap, choice);
            difference(&case.call, [&before, &under(&one)]).is_some()
        };
        let mut by: Vec<_> = differ.iter().copied().filter(alone).collect();
        if by.is_empty() {
            by = differ;
        }
        let by = by.iter().map(|(gap, choice)| format!("{gap}={choice}"));
        Some(Change {
            target,
            comes,
            promise_only: place == HolePlace::Promise && comes == [OutcomeKind::Result; 2],
            by: by.collect(),
        })
    };
    selected(case, before).filter_map(change).collect()
}

/// What comes of `call`: a result of which something is promised, or what else.
fn comes(call: &Call, run: &PartyRun) -> OutcomeKind {
    let kind = OutcomeKind::of(run);
    let role = call.output();
    let left = run.answer().and_then(Answer::ran);
    let left = left.and_then(|ran| ran.memory.get(role));
    let promised = run.promise.permits().and_then(|permits| permits.of(role));
    let is_open = left.zip(promised).is_some_and(|(left, promised)| {
        let open = promised.open().map(|run| run.len);
        open.sum::<usize>() == left.body().len()
    });
    match is_open {
        true if kind == OutcomeKind::Result => OutcomeKind::Undefined,
        _ => kind,
    }
}
