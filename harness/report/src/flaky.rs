//! What implementations did wrong at first, and not when they were asked again alone:
//! told everywhere with both answers, and never a failure.

use ptodiff_isa::Party;
use ptodiff_record::{CaseRecord, TargetRecord};
use serde::Serialize;

use crate::slot::line;

/// Cases that are named before they are only counted.
const MOST: usize = 8;

/// Cases in which an implementation was flaky.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flaky {
    pub(crate) cases: usize,
    /// The first of them, one for each party.
    pub(crate) first: Vec<Once>,
}

/// One case of a party.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Once {
    pub(crate) id: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) party: String,
    /// Both answers, in one line.
    pub(crate) answers: String,
}

impl Flaky {
    pub(crate) fn add(&mut self, case: &CaseRecord) {
        let before = self.cases;
        for (party, answers) in all(case) {
            self.cases = before + 1;
            if self.cases <= MOST {
                self.first.push(Once {
                    id: case.id.clone(),
                    file: case.file.clone(),
                    line: case.line,
                    party: party.to_string(),
                    answers,
                });
            }
        }
    }

    /// How many are not named.
    pub(crate) fn more(&self) -> usize {
        self.cases.saturating_sub(MOST)
    }
}

/// The parties that were flaky in `case`, with both answers.
pub(crate) fn all(case: &CaseRecord) -> impl Iterator<Item = (&Party, String)> {
    let answers = |(party, target)| Some((party, answers(case, target)?));
    case.targets.iter().filter_map(answers)
}

fn answers(case: &CaseRecord, target: &TargetRecord) -> Option<String> {
    let first = target.flaky.first()?;
    let slot = first.slot.as_ref();
    let slot = slot.map_or_else(String::new, |slot| format!(": {}", line(case, slot)));
    Some(format!(
        "first {}{slot}; then {}",
        first.what, target.verdict
    ))
}
