//! What the answers to a gap say so far: of each target each thing once.

use std::collections::BTreeMap;

use ptodiff_isa::Target;

use crate::code::Code;
use crate::expect::{Expectation, ExpectedOutcome};
use crate::notes::Notes;
use crate::yaml::Span;

/// What was said, by which entry and where: an alias stands where its anchor does.
#[derive(Default)]
pub(super) struct Answers<'a> {
    outcomes: BTreeMap<(char, Target), (ExpectedOutcome, By<'a>)>,
    things: BTreeMap<(char, Target, String), By<'a>>,
    entries: usize,
}

/// The number of an entry and its place.
type By<'a> = (usize, &'a Span);

impl<'a> Answers<'a> {
    /// Takes what an entry says; records where something was said before.
    pub(super) fn take(&mut self, notes: &mut Notes<'_>, entry: &Expectation, span: &'a Span) {
        let Some(answer) = entry.answer else { return };
        self.entries += 1;
        let by = (self.entries, span);
        let mut before = None;
        for target in &entry.targets {
            let mut again = |what: &str, first: By<'a>| {
                before.get_or_insert((format!("of {target} {what}"), first));
            };
            let (outcome, first) = *self
                .outcomes
                .entry((answer, *target))
                .or_insert((entry.outcome, by));
            let both = outcome != ExpectedOutcome::Result;
            if first != by && (both || outcome != entry.outcome) {
                again("what comes of the call", first);
            }
            for what in things(entry) {
                let first = self.things.entry((answer, *target, what.clone()));
                let first = *first.or_insert(by);
                if first != by {
                    again(&what, first);
                }
            }
        }
        if let Some((what, (_, first))) = before {
            let message = format!("the answer `{answer}` says {what} twice");
            let related = notes.related(first, "the first");
            notes
                .add(Code::BadAnswer, span, message, "the second")
                .related
                .push(related);
        }
    }
}

/// What an entry speaks of, in words.
fn things(entry: &Expectation) -> Vec<String> {
    let held = entry.slots.iter();
    let mut things: Vec<_> = held.map(|s| format!("what the {} holds", s.role)).collect();
    if !entry.trace.is_empty() {
        things.push("what is issued".to_owned());
    }
    for (spelling, _) in &entry.spelled {
        things.push(format!("how the call is spelled ({spelling})"));
    }
    things
}
