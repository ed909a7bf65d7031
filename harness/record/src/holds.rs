//! Whether a case says one thing: its verdict follows from what is found.

use crate::{CaseRecord, PairVerdict, TargetVerdict, Verdict};

impl CaseRecord {
    /// Whether its verdicts follow from its findings: a reader believes neither
    /// of two that contradict each other.
    ///
    /// # Errors
    /// The contradiction, in one line.
    pub(crate) fn holds(&self) -> Result<(), String> {
        for (party, target) in &self.targets {
            let violates = target.verdict == TargetVerdict::Violates;
            if violates && target.findings.is_empty() {
                return Err(format!("{party} violates, and nothing is found"));
            }
            if !violates && !target.findings.is_empty() {
                let did = target.verdict;
                return Err(format!("{party} has findings, and its verdict is `{did}`"));
            }
        }
        for pair in &self.pairs {
            let (a, b) = &pair.targets;
            if let Some(party) = [a, b].into_iter().find(|p| !self.targets.contains_key(p)) {
                return Err(format!(
                    "{a} and {b} are compared, and {party} takes no part"
                ));
            }
            let differ = match pair.verdict {
                PairVerdict::Agree => Some(false),
                PairVerdict::Permitted => Some(true),
                PairVerdict::Violation | PairVerdict::NotCompared => None,
            };
            if differ.is_some_and(|differ| differ != (pair.differing > 0)) {
                let (did, slots) = (pair.verdict, pair.differing);
                return Err(format!(
                    "{a} and {b} differ in {slots} slots, and their verdict is `{did}`"
                ));
            }
        }
        let found = self.found();
        match self.verdict == found {
            true => Ok(()),
            false => Err(format!(
                "its verdict is `{}`, and what is found makes it `{found}`",
                self.verdict
            )),
        }
    }

    /// What its parties and pairs make of it.
    fn found(&self) -> Verdict {
        // A further form of the case has no result to give in its place.
        let itself = || {
            let own = self
                .targets
                .iter()
                .filter(|(party, _)| party.form.is_none());
            own.map(|(_, target)| target.verdict)
        };
        let pair = |which| self.pairs.iter().any(|pair| pair.verdict == which);
        let violates = |t: &crate::TargetRecord| t.verdict == TargetVerdict::Violates;
        if self.targets.values().any(violates) || pair(PairVerdict::Violation) {
            Verdict::Violation
        } else if pair(PairVerdict::Permitted) {
            Verdict::Permitted
        } else if pair(PairVerdict::Agree) {
            Verdict::Agree
        } else if itself().any(|v| v == TargetVerdict::Conforms) {
            Verdict::Single
        } else if itself().all(|v| v == TargetVerdict::Rejected) {
            Verdict::Rejected
        } else if itself().any(|v| v == TargetVerdict::Hangs) {
            Verdict::Hangs
        } else {
            Verdict::Undefined
        }
    }
}
