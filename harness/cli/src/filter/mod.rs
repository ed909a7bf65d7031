//! Filter expressions: `instruction(mscatter) & dtype(half) & !target(cpu)`.
//!
//! The grammar is that of nextest's filtersets, with predicates of its own.

mod facts;
mod parse;

use ptodiff_case::{Form, nearest};
use ptodiff_isa::{
    BLayout, Coalesce, DType, GatherOob, Instruction, Layout, ScatterAtomicOp, ScatterConflict,
    ScatterOob, Target, reading,
};
use ptodiff_record::Verdict;
use regex_lite::Regex;
use strum::VariantNames;

use crate::exit::Error;

pub(crate) use facts::Facts;

/// What a predicate looks at.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, strum::EnumString, strum::IntoStaticStr, strum::VariantNames,
)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Key {
    /// `MSCATTER`
    Instruction,
    /// `mgather-l1`
    Form,
    /// `Row`, `Elem`
    Mode,
    /// `Add`
    Atomic,
    /// `Clamp`
    Oob,
    /// `Last`
    Conflict,
    /// Element type of the data tile.
    Dtype,
    /// Layout of the table, order of the data tile.
    Layout,
    /// A target that the case is for.
    Target,
    /// A clause that the case is about.
    Clause,
    /// A gap whose readings the case distinguishes, by number or by its reading's name.
    Gap,
    /// The file that it stands in.
    File,
    /// Its id.
    Id,
    /// What came of it: only where a record is read.
    Verdict,
}

impl Key {
    /// Every word that may stand here; none where any may.
    pub(crate) fn words(self) -> Option<Vec<&'static str>> {
        let gaps = |wanted: bool| {
            let entries = ptodiff_register::entries().iter();
            entries
                .filter(move |e| e.gap.is_some() == wanted)
                .map(|e| e.id)
        };
        Some(match self {
            Self::Instruction => Instruction::VARIANTS.to_vec(),
            Self::Form => Form::ALL.iter().map(|form| (*form).into()).collect(),
            Self::Mode => Coalesce::VARIANTS.to_vec(),
            Self::Atomic => ScatterAtomicOp::VARIANTS.to_vec(),
            Self::Oob => {
                let scatter = ScatterOob::VARIANTS;
                let gather = GatherOob::VARIANTS.iter();
                let others = gather.filter(|word| !scatter.contains(word));
                scatter.iter().chain(others).copied().collect()
            }
            Self::Conflict => ScatterConflict::VARIANTS.to_vec(),
            Self::Dtype => DType::VARIANTS.to_vec(),
            Self::Layout => [Layout::VARIANTS, BLayout::VARIANTS].concat(),
            Self::Target => Target::VARIANTS.to_vec(),
            Self::Clause => gaps(false).collect(),
            Self::Gap => gaps(true)
                .chain(reading::GAPS.iter().map(|g| g.name))
                .collect(),
            Self::Verdict => <Verdict as strum::VariantArray>::VARIANTS
                .iter()
                .map(|v| v.into())
                .collect(),
            Self::File | Self::Id => return None,
        })
    }
}

/// The predicate that has `word`, or one near to it, among its words.
fn predicate_of(word: &str) -> Option<String> {
    let all = Key::VARIANTS.iter().flat_map(|name| {
        let words = name.parse::<Key>().ok().and_then(Key::words);
        words
            .unwrap_or_default()
            .into_iter()
            .map(move |w| (name, w))
    });
    let near = nearest(word, all.clone().map(|(_, known)| known))?;
    let (name, known) = all.into_iter().find(|(_, known)| *known == near)?;
    Some(format!("{name}({})", known.to_lowercase()))
}

/// A filter expression.
#[derive(Clone, Debug)]
pub(crate) enum Expr {
    /// `all()`
    All,
    /// `dtype(half)`
    Is(Key, Regex),
    /// `!x`
    Not(Box<Expr>),
    /// `x & y`
    And(Box<Expr>, Box<Expr>),
    /// `x | y`
    Or(Box<Expr>, Box<Expr>),
}

impl Expr {
    fn takes(&self, case: &impl Facts) -> bool {
        match self {
            Self::All => true,
            Self::Is(key, wanted) => case.values(*key).iter().any(|value| wanted.is_match(value)),
            Self::Not(inner) => !inner.takes(case),
            Self::And(left, right) => left.takes(case) && right.takes(case),
            Self::Or(left, right) => left.takes(case) || right.takes(case),
        }
    }
}

/// The filter expressions of a command: a case is taken that one of them takes,
/// or where there is none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter(Vec<Expr>);

impl Filter {
    /// Reads each of `texts`; with `records` where verdicts are known.
    ///
    /// # Errors
    /// Names the first mistake, with a caret under it.
    pub(crate) fn parse(texts: &[String], records: bool) -> Result<Self, Error> {
        let read = |text: &String| {
            parse::parse(text, records).map_err(|mistake| mistake.error("-E", text))
        };
        texts.iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// Whether `case` is selected.
    pub(crate) fn takes(&self, case: &impl Facts) -> bool {
        self.0.is_empty() || self.0.iter().any(|expr| expr.takes(case))
    }
}
