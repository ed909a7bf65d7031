//! What the elements of an operand hold: from tokens to bit patterns.

use std::{collections::BTreeMap, fmt};

use ptodiff_isa::{DType, Operand, Role};

use crate::code::Code;
use crate::data;
use crate::expect::{ExpectedSlot, ExpectedSlots};
use crate::limits::{self, MAX_EXPECTED};
use crate::notes::Notes;
use crate::yaml::{Node, Span};

/// The elements of the operand of `role`, called `what`, each with what it holds.
/// Of one that is `sparse` those count that are named.
pub(super) fn slots(
    notes: &mut Notes<'_>,
    (role, what): (Role, &str),
    raw: &Node,
    operand: Operand<'_>,
    sparse: bool,
) -> Option<ExpectedSlots> {
    let before = notes.found.len();
    if raw.is_scalar() {
        let message = format!("what the {what} holds is a list of tokens, or a mapping to them");
        notes
            .add(Code::WrongKind, &raw.span, message, "one word")
            .help = Some("one token for all elements is `{rest: 7}`".to_owned());
        return None;
    }
    let elements = limits::stored_elements(operand);
    // The case itself is too large then, which is reported elsewhere.
    if elements == u64::MAX {
        return None;
    }
    if !sparse && !notes.expect(elements, &raw.span) {
        return None;
    }
    let mut body = Body {
        notes,
        what,
        dtype: operand.dtype(),
        elements,
        named: BTreeMap::new(),
    };
    let rest = match raw.list() {
        Some(words) => {
            body.all(words, &raw.span);
            ExpectedSlot::Kept
        }
        None => body.some(raw.pairs()),
    };
    let slots = ExpectedSlots::new(role, body.runs(&rest));
    let valued = slots.runs().filter(|(_, slot)| weight(slot) > 0);
    let valued: u64 = valued.map(|(run, _)| run.end - run.start).sum();
    if valued > MAX_EXPECTED {
        let message = format!("values are expected of {valued} elements of the {what}");
        let label = format!("at most {MAX_EXPECTED}; `_` and `any` do not count");
        notes.add(Code::TooLarge, &raw.span, message, label);
    }
    (notes.found.len() == before).then_some(slots)
}

/// The elements of a body as far as they are known.
struct Body<'n, 'f, 'w> {
    notes: &'n mut Notes<'f>,
    what: &'w str,
    dtype: DType,
    elements: u64,
    /// The first of some elements in a row, to how many they are and what they hold.
    named: BTreeMap<u64, (u64, ExpectedSlot)>,
}

impl Body<'_, '_, '_> {
    /// All elements: those that are named, and `rest` between them.
    fn runs(self, rest: &ExpectedSlot) -> Vec<(u64, ExpectedSlot)> {
        let (mut runs, mut end) = (Vec::new(), 0);
        for (first, (count, slot)) in self.named {
            runs.push((first - end, rest.clone()));
            runs.push((count, slot));
            end = first + count;
        }
        runs.push((self.elements - end, rest.clone()));
        runs
    }

    /// A token for every element.
    fn all(&mut self, words: &[Node], span: &Span) {
        let (given, elements) = (words.len() as u64, self.elements);
        if given != elements {
            let message = format!(
                "{given} tokens for {elements} elements of the {}",
                self.what
            );
            let label = format!("{elements} are expected");
            self.notes
                .add(Code::LiteralCount, span, message, label)
                .help = Some("padding counts; a mapping may name some elements only".to_owned());
        }
        for (at, word) in (0..).zip(words) {
            let token = self.token(word.word(), &word.span);
            if at < elements {
                self.named.insert(at, (1, token));
            }
        }
    }

    /// The elements that are named; what all others hold is the answer.
    fn some(&mut self, pairs: &[(Node, Node)]) -> ExpectedSlot {
        let mut rest = None;
        for (key, tokens) in pairs {
            if key.word() == "rest" {
                rest = Some((key, tokens));
            } else if let Some((first, last)) = self.places(key) {
                self.fill(key, tokens, first, last);
            }
        }
        let Some((key, tokens)) = rest else {
            return ExpectedSlot::Kept;
        };
        if tokens.list().is_some() {
            let message = "`rest` is one token for all other elements";
            self.notes
                .add(Code::BadSlots, &tokens.span, message, "a list");
            return ExpectedSlot::Kept;
        }
        let named: u64 = self.named.values().map(|(count, _)| count).sum();
        self.one(tokens, self.elements - named, &key.span)
    }

    /// The first element of a key, and the last one of a range.
    fn places(&mut self, key: &Node) -> Option<(u64, Option<u64>)> {
        let text = key.word();
        let (first, last) = match text.split_once('-') {
            Some((first, last)) => (first.trim(), Some(last.trim())),
            None => (text.trim(), None),
        };
        // Other readers of YAML take `010` for 8.
        let is_number = |text: &str| {
            text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'))
        };
        let is_number = |text: &str| !text.is_empty() && is_number(text);
        if !is_number(first) || !last.is_none_or(is_number) {
            let message = format!("`{text}` names no elements");
            self.notes
                .add(Code::BadSlots, &key.span, message, "not an element")
                .help = Some("an element is `7`, a range `4-7`, all others are `rest`".to_owned());
            return None;
        }
        // What is no such number is beyond any end.
        let number = |text: &str| text.parse().unwrap_or(u64::MAX);
        let said = last.unwrap_or(first);
        let (first, last) = (number(first), last.map(number));
        if last.is_some_and(|last| last < first) {
            let message = format!("the range `{text}` runs backwards");
            self.notes
                .add(Code::BadSlots, &key.span, message, "no element");
            return None;
        }
        let end = last.unwrap_or(first);
        if end >= self.elements {
            self.beyond(said, &key.span);
            return None;
        }
        Some((first, last))
    }

    fn fill(&mut self, key: &Node, tokens: &Node, first: u64, last: Option<u64>) {
        match tokens.list() {
            None => {
                let count = last.unwrap_or(first) - first + 1;
                let token = self.one(tokens, count, &key.span);
                self.set(&key.span, [(first, count, token)]);
            }
            Some(words) => {
                let given = words.len() as u64;
                let room = last.map(|last| last - first + 1);
                if words.is_empty() || room.is_some_and(|room| room != given) {
                    let wanted = room.map_or("at least 1".to_owned(), |room| room.to_string());
                    let message = format!("{given} tokens for `{}`", key.word());
                    let label = format!("{wanted} expected");
                    self.notes
                        .add(Code::LiteralCount, &tokens.span, message, label);
                } else if given > self.elements - first {
                    let at = &words[(self.elements - first) as usize].span;
                    self.beyond(self.elements, at);
                } else {
                    let each = (first..).zip(words);
                    let each = each.map(|(at, word)| (at, 1, self.token(word.word(), &word.span)));
                    let each: Vec<_> = each.collect();
                    self.set(&key.span, each);
                }
            }
        }
    }

    /// Gives elements what they hold: the first, how many, and what.
    fn set(&mut self, span: &Span, runs: impl IntoIterator<Item = (u64, u64, ExpectedSlot)>) {
        let mut twice = None;
        for (first, count, token) in runs {
            let before = self.named.range(..first + count).next_back();
            match before {
                Some((start, (given, _))) if start + given > first => {
                    twice = twice.or(Some(first.max(*start)));
                }
                _ => {
                    self.named.insert(first, (count, token));
                }
            }
        }
        if let Some(at) = twice {
            let message = format!("element {at} of the {} is given twice", self.what);
            self.notes.add(Code::BadSlots, span, message, "again");
        }
    }

    fn beyond(&mut self, at: impl fmt::Display, span: &Span) {
        let elements = self.elements;
        let message = format!("the {} has no element {at}", self.what);
        let label = format!("it has {elements}, the first is 0");
        self.notes.add(Code::BadSlots, span, message, label);
    }

    /// A token that `count` elements have.
    fn one(&mut self, tokens: &Node, count: u64, span: &Span) -> ExpectedSlot {
        // As it was written, where YAML takes the word for nothing.
        let text = match tokens.is_null() {
            true => self.notes.text(&tokens.span),
            false => tokens.word(),
        };
        let token = self.token(text, &tokens.span);
        let more = count.saturating_mul(weight(&token));
        match self.notes.expect(more, span) {
            true => token,
            false => ExpectedSlot::Kept,
        }
    }

    /// What a token says; that all is kept, where that is wrong.
    fn token(&mut self, text: &str, span: &Span) -> ExpectedSlot {
        match text.trim() {
            "_" => return ExpectedSlot::Kept,
            "any" => return ExpectedSlot::Any,
            _ => {}
        }
        // Counted before they are read: a file may have very many.
        let words = text.split('|');
        if !self.notes.expect(words.clone().count() as u64, span) {
            return ExpectedSlot::Kept;
        }
        let (mut bits, mut or_kept) = (Vec::new(), false);
        let mut seen = BTreeMap::new();
        for word in words.map(str::trim) {
            let before = if word == "_" {
                std::mem::replace(&mut or_kept, true).then_some(word)
            } else {
                match value(self.dtype, word) {
                    Ok(value) => {
                        bits.push(value);
                        seen.insert(value, word)
                    }
                    Err(why) => {
                        let message = format!("`{word}` does not fit {}", self.dtype);
                        self.notes.add(Code::LiteralDoesNotFit, span, message, why);
                        return ExpectedSlot::Kept;
                    }
                }
            };
            if let Some(before) = before {
                let dtype = self.dtype;
                let (message, rounds) = if before == word {
                    let message = format!("`{word}` stands among its own alternatives");
                    (message, false)
                } else {
                    let message = format!("`{before}` and `{word}` are the same {dtype}");
                    (message, !dtype.is_integer())
                };
                let help = || format!("a value is rounded to the nearest that {dtype} has");
                self.notes.add(Code::BadSlots, span, message, "twice").help = rounds.then(help);
                return ExpectedSlot::Kept;
            }
        }
        ExpectedSlot::OneOf { bits, or_kept }
    }
}

/// The bits of one alternative. In a float type `0x..` is raw bits.
fn value(dtype: DType, word: &str) -> Result<u64, String> {
    if word == "any" {
        return Err("`any` stands alone".to_owned());
    }
    if word.is_empty() {
        return Err("an alternative is empty".to_owned());
    }
    data::token(dtype, word)
}

/// What a slot counts for against the limit of a file.
fn weight(slot: &ExpectedSlot) -> u64 {
    match slot {
        ExpectedSlot::Kept | ExpectedSlot::Any => 0,
        ExpectedSlot::OneOf { bits, .. } => bits.len() as u64,
    }
}
