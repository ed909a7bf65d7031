//! What the grammars of ST names read says each thing once and passes over no word, and what
//! they do not read says why.

use ptodiff_case::st_name::Said;
use ptodiff_isa::Instruction;
use strum::VariantArray as _;

use super::Finding;

/// Words about the purpose of the sizes, which state no value.
const PURPOSE: [&str; 4] = ["user", "unaligned", "partial", "small"];

/// A word of `name` without which it says the same, if there is one.
fn passed_over(name: &str, same: impl Fn(&str) -> bool) -> Option<&str> {
    let words: Vec<&str> = name.split('_').collect();
    let without = |at: usize| [&words[..at], &words[at + 1..]].concat().join("_");
    let mut places = 0..words.len();
    let place = places.find(|at| !PURPOSE.contains(&words[*at]) && same(&without(*at)));
    place.map(|at| words[at])
}

/// Holds the reader to account on any text.
///
/// # Errors
/// If a name that is read says something twice or a word of it says nothing, or it is rejected
/// without a word.
pub fn any_text(text: &str, read: &dyn Fn(Instruction, &str) -> Result<Said, String>) -> Finding {
    for instruction in Instruction::VARIANTS {
        match read(*instruction, text) {
            Ok(said) => {
                let mut of: Vec<&str> = said.iter().map(|(of, _)| *of).collect();
                of.sort_unstable();
                if of.windows(2).any(|two| two[0] == two[1]) {
                    return Err(format!("{instruction}: {said:?} says something twice"));
                }
                let same = |other: &str| read(*instruction, other).as_ref() == Ok(&said);
                if let Some(word) = passed_over(text, same) {
                    return Err(format!(
                        "{instruction}: `{word}` in {text:?} is passed over"
                    ));
                }
            }
            Err(why) if why.is_empty() => {
                return Err(format!("{instruction}: rejected without a word"));
            }
            Err(_) => {}
        }
    }
    Ok(())
}
