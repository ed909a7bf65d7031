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
use crate::raw::{RawExpect, RawSlots, RawSpelled, RawTrace, Value};
use crate::selection;
use crate::word::{Answer, Pattern};
use crate::yaml::Located;

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
    raw: Option<&Located<Vec<Located<RawExpect>>>>,
    context: &EntryContext<'_>,
) -> Vec<Expectation> {
    let Some(list) = raw else { return Vec::new() };
    if list.value.is_empty() {
        let message = "`expect` has no entries";
        notes.add(Code::BadExpectation, &list.span, message, "an empty list");
    }
    let mut answers = Answers::default();
    let mut entries = Vec::new();
    for raw in &list.value {
        let entry = one(notes, raw, context);
        answers.take(notes, &entry, &raw.span);
        entries.push(entry);
    }
    entries
}

fn one(notes: &mut Notes<'_>, raw: &Located<RawExpect>, context: &EntryContext<'_>) -> Expectation {
    let RawExpect {
        targets,
        answer,
        outcome,
        trace,
        spelled,
        ..
    } = &raw.value;
    let letter = answer
        .as_ref()
        .and_then(|word| letter(notes, word, context.gap));
    let targets = match targets {
        Some(list) => {
            for word in &list.value {
                let target = word.value.text.parse();
                if target.is_ok_and(|target| !context.targets.contains(&target)) {
                    let message = format!("the case does not run on {}", word.value.text);
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
    let kind = match outcome {
        Some(word) => notes.name("outcome", word),
        None => Some(ExpectedOutcome::Result),
    };
    let operands = operands(&raw.value);
    let slots = operands
        .iter()
        .filter_map(|(key, operand)| slots_of(notes, key, (*operand)?, context))
        .collect();
    let issued = trace.as_ref().map(|raw| patterns(notes, &raw.value));
    let spellings = spelled.as_ref().map(|raw| spellings(notes, &raw.value));
    let named = operands
        .iter()
        .filter_map(|(key, raw)| Some((*key, &(*raw)?.span)));
    let mut found: Vec<_> = named.collect();
    if let Some(raw) = trace
        && raw.value.says_something()
    {
        found.push(("trace", &raw.span));
    }
    let spells = spelled
        .as_ref()
        .is_some_and(|raw| raw.value.says_something());
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

/// The operands that an entry may name, each with what it says of it.
fn operands(raw: &RawExpect) -> [(&'static str, Option<&Located<RawSlots>>); 7] {
    [
        ("table", raw.table.as_ref()),
        ("tile", raw.tile.as_ref()),
        ("destination", raw.destination.as_ref()),
        ("scratch", raw.scratch.as_ref()),
        ("source", raw.source.as_ref()),
        ("index", raw.index.as_ref()),
        ("offset", raw.offset.as_ref()),
    ]
}

/// What the operand called `key` holds.
fn slots_of(
    notes: &mut Notes<'_>,
    key: &str,
    raw: &Located<RawSlots>,
    context: &EntryContext<'_>,
) -> Option<ExpectedSlots> {
    let form = context.form;
    if !takes(form, key) {
        notes.not_of(form, key, &raw.span);
        return None;
    }
    let role = match key {
        "table" => Role::Table,
        "scratch" => Role::Scratch,
        "index" | "offset" => Role::Index,
        "destination" => Role::Destination,
        "tile" if form == Form::Mgather || form == Form::MgatherL1 => Role::Destination,
        _ => Role::Source,
    };
    let Some(operand) = context.call?.operand(role) else {
        let message = format!("the call has no `{key}`");
        notes.add(Code::NotApplicable, &raw.span, message, "not an operand");
        return None;
    };
    let sparse = context.sparse && role == Role::Table;
    slots::slots(notes, (role, key), raw, operand, sparse)
}

/// The letter of a reading of `gap`.
fn letter(
    notes: &mut Notes<'_>,
    word: &Value<Answer>,
    gap: Option<Option<Clause>>,
) -> Option<char> {
    let text = &word.value.text;
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

fn patterns(notes: &mut Notes<'_>, raw: &RawTrace) -> ExpectedTrace {
    let mut trace = ExpectedTrace::default();
    for (word, number) in raw.count.iter().flat_map(|counts| &counts.value.0) {
        let number = notes.count("how many lines fit", number, 0, u64::MAX);
        trace.count.extend(pattern(notes, word).zip(number));
    }
    for word in raw.order.iter().flat_map(|list| &list.value) {
        trace.order.extend(pattern(notes, word));
    }
    trace
}

fn spellings(notes: &mut Notes<'_>, raw: &RawSpelled) -> Vec<(Spelling, String)> {
    raw.by_spelling()
        .into_iter()
        .filter_map(|(spelling, word)| Some((spelling, pattern(notes, word?)?)))
        .collect()
}

fn pattern(notes: &mut Notes<'_>, word: &Value<Pattern>) -> Option<String> {
    let text = &word.value.text;
    if text.trim().is_empty() {
        let message = "an empty pattern fits nothing";
        notes
            .add(Code::BadExpectation, &word.span, message, "empty")
            .help = Some("`*` stands for any text".to_owned());
        return None;
    }
    Some(text.clone())
}
