//! The assembly's words for what the documents name in C++.

use ptodiff_isa::{DType, Instruction};
use strum::VariantArray as _;

const DTYPES: [(&str, DType); 14] = [
    ("f32", DType::Float),
    ("f16", DType::Half),
    ("bf16", DType::Bfloat16),
    ("i8", DType::Int8),
    ("i16", DType::Int16),
    ("i32", DType::Int32),
    ("i64", DType::Int64),
    ("ui8", DType::Uint8),
    ("ui16", DType::Uint16),
    ("ui32", DType::Uint32),
    ("ui64", DType::Uint64),
    ("f8E4M3FN", DType::Float8E4M3),
    ("f8E5M2", DType::Float8E5M2),
    ("hif8", DType::Hifloat8),
];

/// The words of all element types, as types of MLIR.
#[must_use]
pub fn element_words() -> [&'static str; 14] {
    DTYPES.map(|(_, dtype)| element_word(dtype))
}

/// The element type that a word of the assembly is, if it is one: `f16`.
#[must_use]
pub fn element(word: &str) -> Option<DType> {
    let own = DTYPES.iter().find(|(own, _)| *own == word);
    own.map(|(_, dtype)| *dtype)
}

/// The word of an element type, as a type of MLIR: `f16`, `!pto.hif8`.
#[must_use]
pub fn element_word(dtype: DType) -> &'static str {
    match dtype {
        // The only one that the dialect has itself.
        DType::Hifloat8 => "!pto.hif8",
        _ => bare(dtype),
    }
}

/// The word of an element type without the name of its dialect.
pub(crate) fn bare(dtype: DType) -> &'static str {
    let own = DTYPES.iter().find(|(_, own)| *own == dtype);
    own.map_or("", |(word, _)| *word)
}

/// The mnemonic of an instruction, without the prefix of the SSA and DPS forms.
pub(crate) fn mnemonic(instruction: Instruction) -> String {
    instruction.to_string().to_lowercase()
}

/// The instruction of a mnemonic.
pub(crate) fn instruction(word: &str) -> Option<Instruction> {
    let mut all = Instruction::VARIANTS.iter().copied();
    all.find(|own| mnemonic(*own) == word)
}
