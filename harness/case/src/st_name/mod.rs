//! The grammars of the ST suites' test names.

pub mod on_chip;
pub mod table;

use ptodiff_isa::{DType, Instruction};

pub use on_chip::{TgatherbName, TscatterForm, TscatterName};
pub use table::TableName;

/// Rows and columns.
pub type Extents = (u64, u64);

/// What an ST name says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StName {
    /// Of MSCATTER or MGATHER, also to L1.
    Table(TableName),
    /// Of TSCATTER.
    Tscatter(TscatterName),
    /// Of TGATHERB.
    Tgatherb(TgatherbName),
}

/// Why a text is no ST name, in one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotAnStName(pub String);

/// Reads the name of a test of `instruction`.
///
/// # Errors
/// Says which part does not fit the grammar.
pub fn parse(instruction: Instruction, name: &str) -> Result<StName, NotAnStName> {
    match instruction {
        Instruction::Mscatter | Instruction::Mgather => table::parse(name).map(StName::Table),
        Instruction::Tscatter => on_chip::tscatter(name).map(StName::Tscatter),
        Instruction::Tgatherb => on_chip::tgatherb(name).map(StName::Tgatherb),
    }
}

/// A dtype: the suites leave out the `_t` of the ISA's names, and some write
/// `U16` for `uint16_t`.
fn dtype(word: &str) -> Option<DType> {
    let short = |prefix, long| {
        let bits = word.strip_prefix(prefix)?;
        number(bits).map(|bits| format!("{long}{bits}_t"))
    };
    let long = short('U', "uint").or_else(|| short('I', "int"));
    word.parse()
        .or_else(|_| long.unwrap_or_else(|| format!("{word}_t")).parse())
        .ok()
}

fn extents(word: &str) -> Option<Extents> {
    let (rows, cols) = word.split_once('x')?;
    Some((number(rows)?, number(cols)?))
}

fn number(word: &str) -> Option<u64> {
    let digits = word.bytes().all(|b| b.is_ascii_digit());
    word.parse().ok().filter(|_| digits)
}
