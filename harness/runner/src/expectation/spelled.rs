//! How the call is spelled against what the case says.

use ptodiff_asm::{Form, Level, cpp, forms, parse};
use ptodiff_case::Spelling;
use ptodiff_isa::{Call, Target};

use super::Pattern;

/// What is not as the case says, each in one line.
pub(super) fn unmet(call: &Call, target: Target, expected: &[(Spelling, String)]) -> Vec<String> {
    if expected.is_empty() {
        return Vec::new();
    }
    let forms = forms(call);
    expected
        .iter()
        .filter_map(|(spelling, pattern)| {
            let why = match level(*spelling) {
                None => in_cpp(call, target, pattern),
                Some(level) => {
                    let form = forms.iter().find(|f| f.level == level);
                    form.map_or_else(
                        || Err("there is none".to_owned()),
                        |f| in_form(call, f, pattern),
                    )
                }
            };
            why.err()
                .map(|why| format!("{spelling} is not `{pattern}`: {why}"))
        })
        .collect()
}

const fn level(spelling: Spelling) -> Option<Level> {
    Some(match spelling {
        Spelling::Synchronous => Level::Synchronous,
        Spelling::Mode => Level::Mode,
        Spelling::Level1 => Level::Ssa,
        Spelling::Level2 => Level::Dps,
        Spelling::Manual => Level::Manual,
        Spelling::Sketch => Level::Sketch,
        Spelling::Cpp => return None,
    })
}

fn in_form(call: &Call, form: &Form, pattern: &str) -> Result<(), String> {
    let pattern = Pattern::new(pattern);
    let fit = match form.level {
        Level::Manual => form.text.lines().any(|line| pattern.fits(line)),
        _ => pattern.fits(&form.text),
    };
    if !fit {
        return Err(format!("it is `{}`", form.text));
    }
    if !form.level.is_lossless() {
        return Ok(());
    }
    match parse(&form.text) {
        Ok(back) if back == *call => Ok(()),
        Ok(_) => Err("it reads back to another call".to_owned()),
        Err(why) => Err(format!("it does not read back: {why}")),
    }
}

fn in_cpp(call: &Call, target: Target, pattern: &str) -> Result<(), String> {
    let text = cpp(call, target).map_err(|none| none.to_string())?;
    let pattern = Pattern::new(pattern);
    if text.lines().any(|line| pattern.fits(line)) {
        Ok(())
    } else {
        Err(format!("no line of the C++ for {target} fits"))
    }
}
