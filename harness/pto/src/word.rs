//! Words of the assembler for what the ISA names in C++: the same in small letters.

use std::str::FromStr;

use ptodiff_case::{Code, did_you_mean};
use ptodiff_isa::{BLayout, Layout, SLayout, TileType};
use strum::VariantNames;

use crate::text::{Fault, Part, Read};

/// The value that `word` names: `elem` for `Coalesce::Elem`.
pub(crate) fn policy<T: FromStr + VariantNames>(what: &str, word: Part<'_>) -> Read<T> {
    let small = T::VARIANTS.iter().map(|name| name.to_lowercase());
    let known: Vec<String> = small.collect();
    let found = known.iter().position(|name| name == word.text);
    let value = found.and_then(|at| T::VARIANTS[at].parse().ok());
    value.ok_or_else(|| unknown(what, word, &known))
}

/// The word of a policy's value.
pub(crate) fn of_policy(value: impl Into<&'static str>) -> String {
    value.into().to_lowercase()
}

/// A value that is one of `words`.
pub(crate) fn one_of<T: Copy>(what: &str, word: Part<'_>, words: &[(&str, T)]) -> Read<T> {
    let found = words.iter().find(|(known, _)| *known == word.text);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        unknown(what, word, &known)
    })
}

/// The word of `value`.
pub(crate) fn of<T: PartialEq>(value: &T, words: &[(&'static str, T)]) -> &'static str {
    let found = words.iter().find(|(_, known)| known == value);
    found.map_or("", |(word, _)| word)
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

/// Where a tile stands.
pub(crate) const LOCATIONS: &[(&str, TileType)] = &[("vec", TileType::Vec), ("mat", TileType::Mat)];
/// Where a tile may stand that no operand of ours does.
pub(crate) const ELSEWHERE: &[&str] = &["left", "right", "acc", "bias", "scaling"];
/// Order of a tile.
pub(crate) const BLAYOUTS: &[(&str, BLayout)] = &[
    ("row_major", BLayout::RowMajor),
    ("col_major", BLayout::ColMajor),
];
/// Order of a box.
pub(crate) const SLAYOUTS: &[(&str, SLayout)] = &[
    ("none_box", SLayout::NoneBox),
    ("row_major", SLayout::RowMajor),
    ("col_major", SLayout::ColMajor),
];
/// Layout of a view.
pub(crate) const LAYOUTS: &[(&str, Layout)] =
    &[("nd", Layout::ND), ("dn", Layout::DN), ("nz", Layout::NZ)];
