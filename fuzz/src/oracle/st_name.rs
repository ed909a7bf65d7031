//! What the grammars of ST names read says each thing once, and what they do not read says why.

use ptodiff_case::st_name::{NotAnStName, Said};
use ptodiff_isa::Instruction;
use strum::VariantArray as _;

use super::Finding;

/// Reads the name of a test.
pub type Read<'a> = &'a dyn Fn(Instruction, &str) -> Result<Said, NotAnStName>;

/// Holds the reader to account on any text.
///
/// # Errors
/// If a name that is read says something twice, or it is rejected without a word.
pub fn any_text(text: &str, read: Read<'_>) -> Finding {
    for instruction in Instruction::VARIANTS {
        match read(*instruction, text) {
            Ok(said) => {
                let mut of: Vec<&str> = said.iter().map(|(of, _)| *of).collect();
                of.sort_unstable();
                if of.windows(2).any(|two| two[0] == two[1]) {
                    return Err(format!("{instruction}: {said:?} says something twice"));
                }
            }
            Err(NotAnStName(why)) if why.is_empty() => {
                return Err(format!("{instruction}: rejected without a word"));
            }
            Err(_) => {}
        }
    }
    Ok(())
}
