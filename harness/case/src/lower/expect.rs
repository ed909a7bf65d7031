//! What a case says that must be found.

use std::collections::{BTreeMap, btree_map::Entry};

use ptodiff_isa::{Clause, Form, Role, Target};

use super::slots;
use crate::case::Case;
use crate::code::Code;
use crate::expect::{Expectation, ExpectedOutcome, ExpectedSlots, ExpectedTrace, Spelling};
use crate::form::takes;
use crate::notes::Notes;
use crate::plan::Fill;
use crate::selection;
use crate::yaml::{Node, Span};

/// What the answers to a gap said so far, of each target each thing once: where first, and
/// what comes of the call there.
type Said<'a> = BTreeMap<(char, Target, String), (&'a Span, ExpectedOutcome)>;

/// Every entry of what `case` expects, in the order given. `whole` is whether its call is right.
pub(super) fn all(
    notes: &mut Notes<'_>,
    list: &Node,
    case: &Case,
    whole: bool,
) -> Vec<Expectation> {
    notes.not_empty(Code::BadExpectation, list, "`expect` has no entries");
    let mut said = Said::new();
    let mut entries = Vec::new();
    for raw in list.items() {
        let entry = one(notes, raw, case, whole);
        answer(notes, &mut said, &entry, &raw.span);
        entries.push(entry);
    }
    entries
}

/// Takes what an entry answers; records where that was said before.
fn answer<'a>(notes: &mut Notes<'_>, said: &mut Said<'a>, entry: &Expectation, span: &'a Span) {
    let Some(answer) = entry.answer else { return };
    let mut before = None;
    for target in &entry.targets {
        for what in things(entry) {
            // Several may tell of one result.
            let may = what == OUTCOME && entry.outcome == ExpectedOutcome::Result;
            match said.entry((answer, *target, what)) {
                Entry::Vacant(first) => {
                    first.insert((span, entry.outcome));
                }
                Entry::Occupied(first) => {
                    let ((.., what), (place, outcome)) = (first.key(), *first.get());
                    if !may || outcome != ExpectedOutcome::Result {
                        let message =
                            format!("the answer `{answer}` says of {target} {what} twice");
                        before.get_or_insert((message, place));
                    }
                }
            }
        }
    }
    if let Some((message, first)) = before {
        let related = notes.related(first, "the first");
        notes
            .add(Code::BadAnswer, span, message, "the second")
            .related
            .push(related);
    }
}

const OUTCOME: &str = "what comes of the call";

/// What an entry speaks of, in words.
fn things(entry: &Expectation) -> Vec<String> {
    let mut things = vec![OUTCOME.to_owned()];
    let held = entry.slots.iter();
    things.extend(held.map(|s| format!("what the {} holds", s.role)));
    if !entry.trace.is_empty() {
        things.push("what is issued".to_owned());
    }
    for (spelling, _) in &entry.spelled {
        things.push(format!("how the call is spelled ({spelling})"));
    }
    things
}

fn one(notes: &mut Notes<'_>, raw: &Node, case: &Case, whole: bool) -> Expectation {
    let before = notes.found.len();
    let answer = raw.get("answer");
    let letter = answer.and_then(|word| letter(notes, word, case.gap));
    let targets = match raw.get("targets") {
        Some(list) => {
            for word in list.items() {
                let target = word.word().parse();
                if target.is_ok_and(|target| !case.targets.contains(&target)) {
                    let message = format!("the case does not run on {}", word.word());
                    let label = "nothing to expect here";
                    notes.add(Code::BadTargets, &word.span, message, label);
                }
            }
            selection::targets(notes, list)
        }
        None => {
            let left = case.spoken_of(answer.is_some());
            if left.is_empty() {
                let message = "this expects something of no target";
                notes
                    .add(Code::BadTargets, &raw.span, message, "speaks of none")
                    .help = Some("`rejected`, `undefined` and `hangs` name all targets".to_owned());
            }
            left
        }
    };
    let mut entry = Expectation {
        targets,
        answer: letter,
        ..Expectation::default()
    };
    notes.put(&mut entry.outcome, "outcome", Some(raw));
    let mut found = Vec::new();
    for key in OPERANDS {
        if let Some(raw) = raw.get(key) {
            entry.slots.extend(slots_of(notes, key, raw, case, whole));
            found.push((key, &raw.span));
        }
    }
    if let Some(raw) = raw.get("trace") {
        entry.trace = patterns(notes, raw);
        if raw.pairs().iter().any(|(_, all)| !all.is_empty()) {
            found.push(("trace", &raw.span));
        }
    }
    let spelled = raw.get("spelled");
    entry.spelled = spelled.map_or_else(Vec::new, |raw| spellings(notes, raw));
    // What a reading leaves open is told apart from others by `any`.
    let read = whole && answer.is_none() && notes.found.len() == before;
    let open = read && !entry.says_more_than_a_result();
    match raw.get("outcome") {
        Some(word) if entry.outcome != ExpectedOutcome::Result => {
            for (key, span) in found {
                let message = format!("`{key}` is looked at only where the call has a result");
                let outcome = notes.related(&word.span, "the outcome");
                notes
                    .add(Code::BadExpectation, span, message, "with another outcome")
                    .related
                    .push(outcome);
            }
        }
        None if open || found.is_empty() && spelled.is_none_or(Node::is_empty) => {
            let help = "name `trace`, `spelled`, an `outcome`, or what an operand holds but `any`";
            let message = "this entry of `expect` says nothing";
            notes
                .add(Code::BadExpectation, &raw.span, message, "expects nothing")
                .help = Some(help.to_owned());
        }
        _ => {}
    }
    entry
}

/// The operands that an entry may name.
const OPERANDS: [&str; 7] = [
    "table",
    "tile",
    "destination",
    "scratch",
    "source",
    "index",
    "offset",
];

/// What the operand called `key` holds.
fn slots_of(
    notes: &mut Notes<'_>,
    key: &str,
    raw: &Node,
    case: &Case,
    whole: bool,
) -> Option<ExpectedSlots> {
    let form = Form::of(&case.call);
    if !takes(form, key) {
        notes.not_of(form, key, &raw.span);
        return None;
    }
    if !whole {
        return None;
    }
    let mut operands = case.call.operands().into_iter();
    let Some((role, operand)) = operands.find(|(role, _)| form.key(*role) == key) else {
        let message = format!("the call has no `{key}`");
        notes.add(Code::NotApplicable, &raw.span, message, "not an operand");
        return None;
    };
    let sparse = role == Role::Table && matches!(case.data.table, Fill::Rows(_));
    slots::slots(notes, (role, key), raw, operand, sparse)
}

/// The letter of a reading of `gap`.
fn letter(notes: &mut Notes<'_>, word: &Node, gap: Option<Clause>) -> Option<char> {
    let text = word.word();
    let Some(gap) = gap else {
        let message = "an answer is given, and the case has no gap to answer";
        notes
            .add(Code::BadAnswer, &word.span, message, "an answer to what?")
            .help = Some("`gap` names the gap whose readings the case distinguishes".to_owned());
        return None;
    };
    let mut chars = text.chars();
    let (Some(letter @ 'a'..='z'), None) = (chars.next(), chars.next()) else {
        let message = format!("an answer is one small letter, not `{text}`");
        notes.add(Code::BadAnswer, &word.span, message, "not a letter");
        return None;
    };
    let readings = ptodiff_register::find(gap.0)?.gap?;
    if readings.reading(letter).is_none() {
        let letters: Vec<_> = readings
            .readings
            .iter()
            .map(|reading| format!("`{}`", reading.letter))
            .collect();
        let message = format!("{gap} has no reading `{letter}`");
        notes
            .add(Code::BadAnswer, &word.span, message, "not in the register")
            .help = Some(format!("its readings are {}", letters.join(", ")));
        return None;
    }
    Some(letter)
}

fn patterns(notes: &mut Notes<'_>, raw: &Node) -> ExpectedTrace {
    let mut trace = ExpectedTrace::default();
    for (word, number) in raw.get("count").map_or(&[][..], Node::pairs) {
        let number = notes.count("how many lines fit", number, 0, u64::MAX);
        trace.count.extend(pattern(notes, word).zip(number));
    }
    for word in raw.get("order").map_or(&[][..], Node::items) {
        trace.order.extend(pattern(notes, word));
    }
    trace
}

fn spellings(notes: &mut Notes<'_>, raw: &Node) -> Vec<(Spelling, String)> {
    let all = <Spelling as strum::VariantArray>::VARIANTS.iter();
    all.filter_map(|spelling| Some((*spelling, pattern(notes, raw.get(spelling.into())?)?)))
        .collect()
}

fn pattern(notes: &mut Notes<'_>, word: &Node) -> Option<String> {
    let text = word.word();
    if text.trim().is_empty() {
        let message = "an empty pattern fits nothing";
        notes
            .add(Code::BadExpectation, &word.span, message, "empty")
            .help = Some("`*` stands for any text".to_owned());
        return None;
    }
    Some(text.to_owned())
}
