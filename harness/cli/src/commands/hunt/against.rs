//! What a hunt says of subjects.

use std::io::{self, Write};

use ptodiff_hunt::{Asked, Found, Plan, Smallest, smallest};
use ptodiff_report::style::{BAD, BOLD};
use ptodiff_subject::Subject;

use super::shrunk;
use crate::{
    exit::Exit,
    subjects::say_idle,
    text::{counted, grouped},
};

/// Kinds of wrong of which a smallest case is made: one may take minutes where
/// a subject hangs.
const MOST: usize = 16;

/// Says what subjects did wrong, with a smallest case of each kind, which it
/// gives back.
pub(super) fn write(
    to: &mut impl Write,
    subjects: &[Subject],
    plan: &Plan,
    found: &Found,
) -> io::Result<Vec<Smallest>> {
    for (party, asked) in &found.asked {
        let times = counted(asked.cases, "time");
        write!(to, "{BOLD}{party}{BOLD:#} asked {times}")?;
        if asked.unsupported > 0 {
            write!(to, ", {} of them unsupported", grouped(asked.unsupported))?;
        }
        writeln!(to)?;
        if is_idle(asked) {
            say_idle(party, asked.cases);
        }
    }
    if found.subjects.is_empty() {
        writeln!(to, "{BOLD}no violation by a subject{BOLD:#}")?;
        return Ok(Vec::new());
    }
    let kinds = counted(found.subjects.len() as u64, "kind");
    writeln!(to, "{BAD}{kinds} of violation by subjects{BAD:#}")?;
    let all = smallest(subjects, plan, found, MOST);
    for one in &all {
        shrunk::write(to, one)?;
    }
    // Without its subjects an interrupted hunt has no smallest cases.
    let shown = if subjects.is_empty() { 0 } else { MOST };
    for (signature, seen) in found.subjects.iter().skip(shown) {
        shrunk::head(to, signature, seen)?;
        writeln!(to)?;
    }
    Ok(all)
}

/// Whether a subject could run nothing of what it was asked.
fn is_idle(asked: &Asked) -> bool {
    asked.cases == asked.unsupported
}

/// How a hunt ends by what its subjects did.
pub(super) fn exit(found: &Found) -> Exit {
    if !found.subjects.is_empty() {
        Exit::Violation
    } else if found.asked.values().any(is_idle) {
        Exit::Nothing
    } else {
        Exit::Conforms
    }
}
