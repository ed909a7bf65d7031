//! What a case says that must be found.

use ptodiff_isa::{Call, Clause, Form, Role, Target};

use super::answers::Answers;
use super::slots;
use crate::code::Code;
use crate::expect::{
    Expectation, ExpectedOutcome, ExpectedSlots, ExpectedTrace, Spelling, speaks_of,
};
use crate::form::takes;
use crate::notes::Notes;
use crate::selection;
use crate::yaml::Node;

/// What an entry has to go by.
pub(super) struct EntryContext<'a> {
    /// The form of the call.
    pub(super) form: Form,
    /// The call, unless it has a mistake.
    pub(super) call: Option<&'a Call>,
    /// The targets of the case.
    pub(super) targets: &'a [Target],
    /// Its `rejected`, `undefined` and `hangs`.
    pub(super) elsewhere: [&'a [(Target, Clause)]; 3],
    /// Whether its table is sparse.
    pub(super) sparse: bool,
    /// The gap of the case, if it has one; nothing in it where that is none.
    pub(super) gap: Option<Option<Clause>>,
}

/// Every entry, in the order given.
pub(super) fn all(
    notes: &mut Notes<'_>,
    list: Option<&Node>,
    context: &EntryContext<'_>,
) -> Vec<Expectation> {
    let Some(list) = list else { return Vec::new() };
    if list.items().is_empty() {
        let message = "`expect` has no entries";
        notes.add(Code::BadExpectation, &list.span, message, "an empty list");
    }
    let mut answers = Answers::default();
    let mut entries = Vec::new();
    for raw in list.items() {
        let entry = one(notes, raw, context);
        answers.take(notes, &entry, &raw.span);
        entries.push(entry);
    }
    entries
}

fn one(notes: &mut Notes<'_>, raw: &Node, context: &EntryContext<'_>) -> Expectation {
    let answer = raw.get("answer");
    let letter = answer.and_then(|word| letter(notes, word, context.gap));
    let targets = match raw.get("targets") {
        Some(list) => {
            for word in list.items() {
                let target = word.word().parse();
                if target.is_ok_and(|target| !context.targets.contains(&target)) {
                    let message = format!("the case does not run on {}", word.word());
                    let label = "nothing to expect here";
                    notes.add(Code::BadTargets, &word.span, message, label);
                }
            }
            selection::targets(notes, list)
        }
        None => {
            let left = speaks_of(context.targets, context.elsewhere, answer.is_some());
            if left.is_empty() {
                let message = "this expects something of no target";
                notes
                    .add(Code::BadTargets, &raw.span, message, "speaks of none")
                    .help = Some("`rejected`, `undefined` and `hangs` name all targets".to_owned());
            }
            left
        }
    };
    let outcome = raw.get("outcome");
    let kind = outcome.map_or(Some(ExpectedOutcome::Result), |word| {
        notes.name("outcome", word)
    });
    let slots = OPERANDS.iter();
    let slots = slots.filter_map(|key| slots_of(notes, key, raw.get(key)?, context));
    let slots = slots.collect();
    let trace = raw.get("trace");
    let issued = trace.map(|raw| patterns(notes, raw));
    let spelled = raw.get("spelled");
    let spellings = spelled.map(|raw| spellings(notes, raw));
    let said = OPERANDS.iter();
    let mut found: Vec<_> = said
        .filter_map(|key| Some((*key, &raw.get(key)?.span)))
        .collect();
    let patterns = |raw: &Node| raw.pairs().iter().any(|(_, all)| !all.is_empty());
    if let Some(raw) = trace.filter(|raw| patterns(raw)) {
        found.push(("trace", &raw.span));
    }
    let spells = spelled.is_some_and(|raw| !raw.is_empty());
    match outcome {
        Some(word) if kind != Some(ExpectedOutcome::Result) => {
            for (key, span) in found {
                let message = format!("`{key}` is looked at only where the call has a result");
                let outcome = notes.related(&word.span, "the outcome");
                notes
                    .add(Code::BadExpectation, span, message, "with another outcome")
                    .related
                    .push(outcome);
            }
        }
        None if found.is_empty() && !spells => {
            let help = "name an operand, `trace`, `spelled` or an `outcome`";
            let message = "this entry of `expect` says nothing";
            notes
                .add(Code::BadExpectation, &raw.span, message, "expects nothing")
                .help = Some(help.to_owned());
        }
        _ => {}
    }
    Expectation {
        targets,
        answer: letter,
        outcome: kind.unwrap_or_default(),
        slots,
        trace: issued.unwrap_or_default(),
        spelled: spellings.unwrap_or_default(),
    }
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
    context: &EntryContext<'_>,
) -> Option<ExpectedSlots> {
    let form = context.form;
    if !takes(form, key) {
        notes.not_of(form, key, &raw.span);
        return None;
    }
    let mut operands = context.call?.operands().into_iter();
    let Some((role, operand)) = operands.find(|(role, _)| form.key(*role) == key) else {
        let message = format!("the call has no `{key}`");
        notes.add(Code::NotApplicable, &raw.span, message, "not an operand");
        return None;
    };
    let sparse = context.sparse && role == Role::Table;
    slots::slots(notes, (role, key), raw, operand, sparse)
}

/// The letter of a reading of `gap`.
fn letter(notes: &mut Notes<'_>, word: &Node, gap: Option<Option<Clause>>) -> Option<char> {
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
    let gap = gap?;
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
