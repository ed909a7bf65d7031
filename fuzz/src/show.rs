//! An input for people: the case that it stands for as a case file, or its text.

use std::fmt::Write as _;

use ptodiff_case::{Case, case_yaml};
use ptodiff_generate::literal;
use ptodiff_isa::Schedule;

use crate::input::{self, Recipe};
use crate::target::{Reads, Target};

/// What `bytes` are to `target`: a case file with the case called `name`, its
/// data given literally, the text, or the bytes in hexadecimal. Comments above say what is wrong with it, and under which
/// schedule the case ran or what the reader says of the text.
#[must_use]
pub fn input(target: &Target, name: &str, bytes: &[u8]) -> String {
    let found = match target.find(bytes) {
        Ok(()) => "nothing is wrong with it".to_owned(),
        Err(why) => why,
    };
    let shown = match target.reads {
        Reads::Case(recipe) => case(&recipe, name, bytes),
        Reads::CaseOrText(recipe, _) if input::is_case(bytes) => case(&recipe, name, bytes),
        Reads::CaseOrText(_, says) | Reads::Text(says) => {
            let text = input::text(bytes);
            comments(&says(text)) + text
        }
        Reads::Bytes(says) => comments(&says(bytes)) + &hexadecimal(bytes),
        Reads::Folder => hexadecimal(bytes),
    };
    comments(&found) + &shown
}

/// Bytes in lines of a bearable length.
fn hexadecimal(bytes: &[u8]) -> String {
    bytes.chunks(32).fold(String::new(), |mut out, line| {
        for byte in line {
            let _ = write!(out, "{byte:02x}");
        }
        out + "\n"
    })
}

fn case(recipe: &Recipe, name: &str, bytes: &[u8]) -> String {
    let input = input::read(bytes, recipe);
    let order = match input.schedule {
        Schedule::InOrder => "in order".to_owned(),
        Schedule::Reversed => "reversed".to_owned(),
        Schedule::Shuffled(seed) => format!("shuffled by {seed}"),
    };
    let case = Case {
        id: format!("fuzz/{name}"),
        name: name.to_owned(),
        suite: None,
        ..literal(&input.case, 0)
    };
    format!("# lanes {order}\n{}", case_yaml(&case))
}

/// `text` as lines that a case file and the assembly reader pass over.
fn comments(text: &str) -> String {
    text.lines().fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "# {line}");
        out
    })
}
