//! What the cases of a run came to: the numbers that its exit code and its closing line
//! are made of.

use ptodiff_isa::Party;
use ptodiff_record::{CaseRecord, Header, TargetVerdict, Verdict, counted, grouped};

use crate::group::Divergence;

/// What the cases of a run came to.
#[derive(Clone, Debug, Default)]
pub struct RunTotals {
    /// Cases.
    pub cases: usize,
    /// Those with a violation or an expectation that is not met.
    pub failing: usize,
    /// Those in which all that would fail is waived; they are not among `failing`.
    pub waived: usize,
    /// Those that an implementation cannot run.
    pub not_run: usize,
    /// Those in which an implementation did wrong once, and not when it was asked again.
    pub flaky: usize,
    /// Those in which an implementation differs where nothing is promised.
    pub unpromised: usize,
    /// Those that were not begun, as enough had failed; they are not among `cases`.
    pub left_out: usize,
    /// How many there are of a run that was interrupted before the last.
    pub interrupted: Option<usize>,
    /// Whether a result was held to the contract, or a target to what a case expects.
    shown: bool,
    /// Implementations, and whether each had an answer to any case.
    implementations: Vec<(Party, bool)>,
}

impl RunTotals {
    /// Nothing yet, of a run with this header.
    #[must_use]
    pub fn of(header: &Header) -> Self {
        let implementations = header.implementations.iter();
        Self {
            implementations: implementations.map(|i| (i.party.clone(), false)).collect(),
            left_out: header.left_out.unwrap_or_default(),
            ..Self::default()
        }
    }

    /// Adds the next case.
    pub fn add(&mut self, case: &CaseRecord) {
        self.cases += 1;
        self.failing += usize::from(case.verdict == Verdict::Violation);
        self.flaky += usize::from(case.targets.values().any(|own| !own.flaky.is_empty()));
        self.unpromised += usize::from(!case.unpromised.is_empty());
        self.shown |= case.is_held();
        let mut lacking = false;
        for (party, answered) in &mut self.implementations {
            if let Some(own) = case.targets.get(party) {
                let unsupported = own.verdict == TargetVerdict::Unsupported;
                *answered |= !unsupported;
                lacking |= unsupported;
            }
        }
        self.not_run += usize::from(lacking);
    }

    /// Takes the last case, which failed, for one in which all is waived.
    pub const fn waive(&mut self) {
        self.failing -= 1;
        self.waived += 1;
    }

    /// Implementations that could run no case.
    pub fn idle(&self) -> impl Iterator<Item = &Party> {
        let idle = self.implementations.iter();
        idle.filter(|(_, answered)| !answered)
            .map(|(party, _)| party)
    }

    /// Whether it shows nothing: nothing was held to anything, or an implementation could
    /// run no case.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.failing + self.waived == 0 && (!self.shown || self.idle().next().is_some())
    }

    /// The word where something was tested, and something else that was asked for was not.
    pub const INCOMPLETE: &str = "INCOMPLETE";

    /// Whether something was held to something, and one of several implementations ran no case.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        self.is_nothing() && self.shown && self.implementations.iter().any(|(_, any)| *any)
    }

    /// Whether it passed, in a word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match (self.failing, self.is_nothing()) {
            _ if self.interrupted.is_some() => "INTERRUPTED",
            (0, true) if self.is_incomplete() => Self::INCOMPLETE,
            (0, true) => "NOTHING TESTED",
            (0, false) => "PASSED",
            _ => "FAILED",
        }
    }

    /// After the word, how many cases; `groups` are those of its divergences, `alone` is added
    /// to a pass without implementations.
    pub(crate) fn said(&self, groups: &[Divergence], alone: &str) -> String {
        let cases = format!(
            "{} case{}",
            grouped(self.cases),
            if self.cases == 1 { "" } else { "s" }
        );
        let mut said = match self.failing {
            0 if self.interrupted.is_some() => format!("{cases}, none of them fails"),
            0 if self.implementations.is_empty() => format!("{cases}, {alone}"),
            0 => cases,
            failing => {
                let groups = groups.iter().filter(|group| group.kind.fails()).count();
                format!(
                    "{} of {cases} in {}",
                    grouped(failing),
                    counted(groups, "group")
                )
            }
        };
        if let Some(of) = self.interrupted {
            let (done, of) = (grouped(self.cases), grouped(of));
            said = format!("after {done} of {of} cases: {said}");
        }
        for (count, are) in [
            (self.waived, "waived"),
            (self.flaky, "flaky"),
            (self.not_run, "not run"),
            (self.left_out, "not begun"),
        ] {
            if count > 0 {
                said.push_str(&format!(", {} {are}", grouped(count)));
            }
        }
        said
    }
}
