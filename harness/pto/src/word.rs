//! Words of the assembler for what the ISA names in C++: the same in small letters.

use std::str::FromStr;

use ptodiff_case::{Code, did_you_mean};
use strum::VariantNames;

use crate::text::{Fault, Part, Read};

/// The word of a value: `elem` of `Coalesce::Elem`, `row_major` of `BLayout::RowMajor`.
pub(crate) fn of(value: impl Into<&'static str>) -> String {
    let mut word = String::new();
    for c in value.into().chars() {
        if c.is_ascii_uppercase() && word.ends_with(|before: char| before.is_ascii_lowercase()) {
            word.push('_');
        }
        word.push(c);
    }
    word.to_lowercase()
}

/// The value that `word` names.
pub(crate) fn value<T: FromStr + VariantNames>(what: &str, word: Part<'_>) -> Read<T> {
    let known: Vec<String> = T::VARIANTS.iter().map(|name| of(*name)).collect();
    let found = known.iter().position(|name| name == word.text);
    let value = found.and_then(|at| T::VARIANTS[at].parse().ok());
    value.ok_or_else(|| unknown(what, word, &known))
}

/// That there is no such `what`.
pub(crate) fn unknown(what: &str, word: Part<'_>, known: &[impl AsRef<str>]) -> Box<Fault> {
    let message = format!("there is no {what} `{}`", word.text);
    let fault = Fault::new(Code::UnknownName, word.range(), message).label("not known");
    let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    match did_you_mean(word.text, known.iter().copied()) {
        Some(meant) => fault.help(meant),
        None => fault.help(format!("there are {}", known.join(", "))),
    }
}

/// Where a tile may stand that no operand of ours does.
pub(crate) const ELSEWHERE: &[&str] = &["left", "right", "acc", "bias", "scaling"];
