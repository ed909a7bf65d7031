//! Words of the assembler for what the ISA names in C++: the same in small letters.

use std::str::FromStr;

use ptodiff_case::{Code, did_you_mean};
use ptodiff_isa::{Call, Instruction, Role};
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
    let value = one_of(what, word, T::VARIANTS)?.parse();
    value.map_err(|_| unknown(what, word, T::VARIANTS))
}

/// The one of `names` whose word it is.
pub(crate) fn one_of(
    what: &str,
    word: Part<'_>,
    names: &'static [&'static str],
) -> Read<&'static str> {
    let known: Vec<String> = names.iter().map(|name| of(*name)).collect();
    let found = known.iter().position(|name| name == word.text);
    let name = found.map(|at| names[at]);
    name.ok_or_else(|| unknown(what, word, &known))
}

/// The attribute of a template argument of `call`: its key and its kind, as in
/// `scatterOob = #pto<scatter_oob skip>`. None where the assembler has none.
pub(crate) fn attribute(call: &Call, argument: &str) -> Option<(&'static str, &'static str)> {
    Some(match (argument, call.instruction()) {
        ("mode", _) => ("coalesce", "coalesce"),
        ("atomic", _) => ("scatterAtomicOp", "scatter_atomic_op"),
        ("oob", Instruction::Mscatter) => ("scatterOob", "scatter_oob"),
        ("oob", _) => ("gatherOob", "gather_oob"),
        ("conflict", _) => ("scatterConflict", "scatter_conflict"),
        _ => return None,
    })
}

/// The keys of the attributes that the operation of `call` may have.
pub(crate) fn attributes(call: &Call) -> Vec<&'static str> {
    match call.instruction() {
        // `axis` is another word for the axis of a mask.
        Instruction::Tscatter => vec!["maskPattern", "maskAxis", "axis"],
        _ => {
            let arguments = call.arguments().into_iter();
            let keys = arguments.filter_map(|own| attribute(call, own.key));
            keys.map(|(key, _)| key).collect()
        }
    }
}

/// The operands that an operation reads, in its order; not every call has the last one.
pub(crate) const fn ins(instruction: Instruction) -> &'static [Role] {
    match instruction {
        Instruction::Mgather => &[Role::Table, Role::Index, Role::Scratch],
        _ => &[Role::Source, Role::Index],
    }
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
