//! The assembly's words for what the documents name in C++.

use ptodiff_isa::{Coalesce, DType, GatherOob, Instruction, ScatterAtomicOp, ScatterOob};

/// The instructions' mnemonics, without the prefix of the SSA and DPS forms.
const MNEMONICS: [(&str, Instruction); 4] = [
    ("mscatter", Instruction::Mscatter),
    ("mgather", Instruction::Mgather),
    ("tscatter", Instruction::Tscatter),
    ("tgatherb", Instruction::Tgatherb),
];

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
    DType::read(word)
}

/// The word of an element type, as a type of MLIR: `f16`, `!pto.hif8`.
#[must_use]
pub fn element_word(dtype: DType) -> &'static str {
    match dtype {
        // The only one that the dialect has itself.
        DType::Hifloat8 => "!pto.hif8",
        _ => dtype.word().unwrap_or_default(),
    }
}

/// The suffixes of the modes (MSCATTER-ASM-02, -03; MGATHER-ASM-02, -03).
const MODES: [(&str, Coalesce); 2] = [("row", Coalesce::Row), ("elem", Coalesce::Elem)];

/// The suffixes of a scatter's policies; the default has none (MSCATTER-ASM-04).
const SCATTER_OOB: [(&str, ScatterOob); 3] = [
    ("skip", ScatterOob::Skip),
    ("clamp", ScatterOob::Clamp),
    ("wrap", ScatterOob::Wrap),
];

/// The suffixes of the atomic operations; the default has none
/// (MSCATTER-ASM-04, MSCATTER-GAP-48).
const ATOMICS: [(&str, ScatterAtomicOp); 3] = [
    ("atomic_add", ScatterAtomicOp::Add),
    ("atomic_max", ScatterAtomicOp::Max),
    ("atomic_min", ScatterAtomicOp::Min),
];

/// The suffixes of a gather's policies; the default has none (MGATHER-ASM-04).
const GATHER_OOB: [(&str, GatherOob); 3] = [
    ("clamp", GatherOob::Clamp),
    ("wrap", GatherOob::Wrap),
    ("zero", GatherOob::Zero),
];

/// A value that one word of the assembly stands for.
pub(crate) trait Spelled: Copy + PartialEq + 'static {
    /// Every word and its value.
    const WORDS: &'static [(&'static str, Self)];

    /// Its word, if it has one.
    fn word(self) -> Option<&'static str> {
        Self::WORDS
            .iter()
            .find(|(_, value)| *value == self)
            .map(|(word, _)| *word)
    }

    /// The value of `word`.
    fn read(word: &str) -> Option<Self> {
        Self::WORDS
            .iter()
            .find(|(known, _)| *known == word)
            .map(|(_, value)| *value)
    }
}

/// Gives each type its table.
macro_rules! spelled {
    ($($table:ident: $type:ty),+ $(,)?) => {
        $(impl Spelled for $type {
            const WORDS: &'static [(&'static str, Self)] = &$table;
        })+
    };
}

spelled!(
    MNEMONICS: Instruction,
    DTYPES: DType,
    MODES: Coalesce,
    SCATTER_OOB: ScatterOob,
    ATOMICS: ScatterAtomicOp,
    GATHER_OOB: GatherOob,
);
