//! What a hunt says of implementations.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    time::Duration,
};

use ptodiff_hunt::{Asked, Found, Plan, Seen, smallest};
use ptodiff_impl::Implementation;
use ptodiff_report::style::{BAD, BOLD};

use super::{
    MOST,
    cause_group::{self, CauseGroup},
    shrunk::{self, Kept},
};
use crate::{
    implementations::say_idle,
    text::{counted, grouped},
};

/// Says what implementations did wrong that is not `known`, with a smallest case of each
/// kind, which it gives back.
pub(super) fn write(
    to: &mut impl Write,
    implementations: &[Implementation],
    plan: &Plan,
    found: &Found,
    known: &BTreeSet<String>,
    diagnosis: Duration,
) -> io::Result<Vec<Kept>> {
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
    if !found.flaky.is_empty() {
        let seen: u64 = found.flaky.values().map(|seen| seen.count).sum();
        let cases = counted(seen, "time");
        writeln!(
            to,
            "{BOLD}flaky{BOLD:#} {cases}: wrong once, and not when asked again alone"
        )?;
        for (failure_group, seen) in &found.flaky {
            shrunk::head(to, failure_group, seen)?;
            writeln!(to)?;
        }
    }
    if found.implementations.is_empty() {
        writeln!(to, "{BOLD}no violation by an implementation{BOLD:#}")?;
        return Ok(Vec::new());
    }
    let new = found.most_frequent(known);
    let old = found.implementations.len() - new.len();
    if old > 0 {
        let kinds = counted(old as u64, "known kind");
        writeln!(to, "{BOLD}{kinds}{BOLD:#} of violation by implementations")?;
    }
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let new: Vec<(&str, Seen)> = new
        .into_iter()
        .map(|(group, seen)| (&**group, *seen))
        .collect();
    let kinds = cause_group::kinds(implementations, plan, found, &new, diagnosis)?;
    let count = counted(kinds.len() as u64, "kind");
    writeln!(
        to,
        "{BAD}{count} of violation by implementations{BAD:#}, the most frequent first"
    )?;
    // A hunt that was broken off has no implementations, and no smallest cases.
    let most = if implementations.is_empty() { 0 } else { MOST };
    let first: Vec<(&str, Seen)> = kinds.iter().take(most).map(CauseGroup::first).collect();
    let smallest = smallest(implementations, plan, &first);
    let mut kept = Vec::new();
    let mut left = 0;
    for (n, kind) in kinds.into_iter().enumerate() {
        kind.head(to)?;
        match smallest.get(n).and_then(Option::as_ref) {
            Some(one) => {
                shrunk::case(to, one)?;
                kept.push(Kept {
                    smallest: one.clone(),
                    failure_groups: kind.groups.into_keys().collect(),
                });
            }
            None => {
                writeln!(to)?;
                left += 1;
            }
        }
        for line in &kind.told {
            writeln!(to, "  {line}")?;
        }
    }
    if left > 0 {
        let kinds = counted(left, "kind");
        writeln!(
            to,
            "  {kinds} without a smallest case: hunt again with --known FILE of --out"
        )?;
    }
    Ok(kept)
}

/// Whether an implementation could run nothing of what it was asked.
pub(super) fn is_idle(asked: &Asked) -> bool {
    asked.cases == asked.unsupported
}
