//! What the assembly reader reads is written and read back the same.

use ptodiff_asm::{ParseError, cpp, forms};
use ptodiff_isa::{Call, Target};
use strum::VariantArray as _;

use super::Finding;

/// Reads one form of a call.
type Read = dyn Fn(&str) -> Result<Call, ParseError>;

/// Holds the reader to account on any text.
///
/// # Errors
/// If a call that is read is another one once written, or if the mistake of a
/// text that is rejected has no place in it.
pub fn any_text(text: &str, read: &Read) -> Finding {
    match read(text) {
        Ok(call) => any_call(&call, read),
        Err(mistake) => {
            let lines = text.lines().count().max(1);
            // A newline at the end has one more line after it.
            let inside = (1..=lines + 1).contains(&mistake.line) && mistake.column >= 1;
            let told = !mistake.expected.is_empty() && !mistake.found.is_empty();
            (inside && told)
                .then_some(())
                .ok_or_else(|| format!("rejected, and the mistake is {mistake:?}"))
        }
    }
}

/// Holds writer and reader to account on any call: each form that loses
/// nothing is read back to it, the sketch is not read, and the C++ of each
/// target is written or rejected with a reason.
///
/// # Errors
/// The first form that is read back as something else, and what it is read as.
pub fn any_call(call: &Call, read: &Read) -> Finding {
    for form in forms(call) {
        let again = read(&form.text);
        let right = match form.level.is_lossless() {
            true => again.as_ref() == Ok(call),
            false => again.is_err(),
        };
        if !right {
            let (level, text) = (form.level, form.text);
            return Err(format!(
                "{level} form of {call:?}\n{text}\nis read as {again:?}"
            ));
        }
    }
    for target in Target::VARIANTS {
        let text = cpp(call, *target);
        let said = text
            .as_ref()
            .map_or_else(|none| none.clause.0, String::as_str);
        if said.is_empty() {
            return Err(format!("no C++ of {call:?} on {target}, and no reason"));
        }
    }
    Ok(())
}
