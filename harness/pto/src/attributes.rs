//! The attributes of an operation.

use ptodiff_case::{Code, nearest};

use crate::text::{Fault, LONGEST, Part, Read};
use crate::word;

/// Attributes, each with its value as it is written.
#[derive(Default, Debug)]
pub(crate) struct Attributes<'t> {
    all: Vec<(Part<'t>, Part<'t>)>,
}

impl<'t> Attributes<'t> {
    /// Adds those of a dictionary, `{a = b}`.
    pub(crate) fn add(&mut self, dictionary: Part<'t>) -> Read<()> {
        let Some(inner) = dictionary.between("{", "}") else {
            let message = format!("`{}` is no dictionary of attributes", dictionary.text);
            return Err(Fault::new(Code::BadOperation, dictionary.range(), message));
        };
        for entry in inner.list() {
            if entry.text.is_empty() {
                let message = "an attribute is missing between commas or brackets";
                let at = entry.at..entry.at + 1;
                return Err(Fault::new(Code::BadOperation, at, message));
            }
            let (key, value) = entry.split_once('=').unwrap_or((entry, entry));
            let key = key.between("\"", "\"").unwrap_or(key);
            if let Some((first, _)) = self.all.iter().find(|(known, _)| known.text == key.text) {
                return Err(Fault::twice(key, *first));
            }
            self.all.push((key, value));
        }
        Ok(())
    }

    /// The value of `key`.
    pub(crate) fn get(&self, key: &str) -> Option<Part<'t>> {
        let found = self.all.iter().find(|(known, _)| known.text == key);
        found.map(|(_, value)| *value)
    }

    /// That none is nearly one of `known`.
    pub(crate) fn none_near(&self, known: &[&str]) -> Read<()> {
        let wrong = self.all.iter().find(|(key, _)| {
            !known.contains(&key.text) && nearest(key.text, known.iter().copied()).is_some()
        });
        match wrong {
            Some((key, _)) => Err(word::unknown("attribute of a module", *key, known)),
            None => Ok(()),
        }
    }

    /// That all are among `known`, or of no meaning here: those of a dialect, and
    /// what the generic form has for its own use.
    pub(crate) fn only(&self, known: &[&str]) -> Read<()> {
        for (key, _) in &self.all {
            let other = key.text.contains('.')
                || matches!(key.text, "operandSegmentSizes" | "operand_segment_sizes");
            if !other && !known.contains(&key.text) {
                let mut fault = word::unknown("attribute of this operation", *key, known);
                if known.is_empty() {
                    fault.help = Some("this operation has no attributes".to_owned());
                }
                return Err(fault);
            }
        }
        Ok(())
    }
}

/// The word in `#pto<coalesce row>`, `#pto.coalesce<row>` or `#pto.mask_pattern<P0101>`,
/// of an attribute of this kind.
pub(crate) fn inner<'t>(kind: &str, value: Part<'t>) -> Read<Part<'t>> {
    let short = Some(value).filter(|value| value.text.len() <= LONGEST);
    let pair = short
        .and_then(|value| value.after("#pto"))
        .and_then(|rest| {
            let rest = rest.trim();
            match rest.between("<", ">") {
                Some(both) => {
                    let both = both.trim();
                    let (first, second) = both.text.split_once(char::is_whitespace)?;
                    let at = both.at + both.text.len() - second.len();
                    Some((first, Part { text: second, at }.trim()))
                }
                None => {
                    let rest = rest.after(".")?;
                    let (name, _) = rest.text.split_once('<')?;
                    let word = rest.after(name)?.between("<", ">")?;
                    Some((name.trim(), word.trim()))
                }
            }
        });
    match pair {
        Some((name, word)) if name == kind => Ok(word),
        _ => {
            let message = format!("`{}` is no `{kind}` of the dialect", value.text);
            Err(Fault::new(Code::BadOperation, value.range(), message)
                .help(format!("as in `#pto<{kind} ...>`")))
        }
    }
}
