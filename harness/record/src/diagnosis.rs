//! What may be behind the failures of an implementation.

use ptodiff_isa::Party;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schema::PartyText;

/// What may be behind the failures of one group.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Diagnosis {
    /// The implementation.
    #[schemars(with = "PartyText")]
    pub party: Party,
    /// The failure group, as reports call it.
    pub failure_group: String,
    /// Further ones that the same explains as a whole: with them it is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Cases in them that show a value under the first schedule.
    pub failures: usize,
    /// Those that do so under another schedule only.
    #[serde(default, skip_serializing_if = "crate::words::is_zero")]
    pub elsewhere: usize,
    /// Cases of the same forms that the implementation passed.
    pub passes: usize,
    /// What explains failures of it, the best first; where nothing does, what comes nearest of
    /// all that leaves the whole of a failure, or else a reading that promises nothing of any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fits: Vec<Fit>,
    /// What comes nearest, where nothing leaves the whole of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Near>,
    /// Whether each failure is explained by one of several that no pass is against.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub together: bool,
    /// Whether the time was up before all had been tried.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unfinished: bool,
}

/// An explanation, and what it does with what is known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fit {
    /// Its name.
    pub name: String,
    /// What it does, without its subject.
    pub sentence: String,
    /// Failures of the group in which it leaves the same.
    pub explains: usize,
    /// Passes that it would have failed.
    pub contradicts: usize,
    /// Other failures of which nothing is promised under it, where it is a reading.
    #[serde(default, skip_serializing_if = "crate::words::is_zero")]
    pub unpromised: usize,
    /// The first case that it explains; none where that is every failure, and in records that
    /// do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
}

/// An explanation that leaves some of the values of one case.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Near {
    /// Its name.
    pub name: String,
    /// What it does, without its subject.
    pub sentence: String,
    /// The case.
    pub case: String,
    /// Values of it that are the same.
    pub same: usize,
    /// Values of it that the record shows.
    pub of: usize,
    /// Values that this would leave wrong and the record does not show.
    #[serde(default, skip_serializing_if = "crate::words::is_zero")]
    pub others: usize,
}

impl Fit {
    /// Whether it would have failed more passes than it explains failures.
    #[must_use]
    pub const fn is_weak(&self) -> bool {
        self.contradicts > self.explains
    }

    /// Whether it says something of so many failures and passes: it explains all failures, or a
    /// part and contradicts no pass, or at least half of them and a clearly larger share than it
    /// would fail of the passes.
    #[must_use]
    pub const fn tells(&self, failures: usize, passes: usize) -> bool {
        /// Below so many times the share of the passes calls of the kind that it is about are a
        /// little more frequent among the failures, and no more.
        const CLEARLY: usize = 3;
        self.explains == failures
            || self.explains > 0 && self.contradicts == 0
            || 2 * self.explains >= failures
                && self.explains * passes > CLEARLY * self.contradicts * failures
    }

    /// Whether it explains each of so many failures of which it promises anything.
    #[must_use]
    pub const fn is_whole(&self, failures: usize) -> bool {
        self.explains + self.unpromised == failures
    }
}

impl Diagnosis {
    /// Whether something explains every failure of which it promises anything, or several do.
    #[must_use]
    pub fn is_explained(&self) -> bool {
        let tells = |fit: &Fit| fit.tells(self.failures, self.passes);
        let mut fits = self.fits.iter();
        self.together || fits.any(|fit| tells(fit) && fit.is_whole(self.failures))
    }

    /// What is found, a line an explanation, each with whether it is one that is not weak. Where
    /// `several` parties fail so it says of which one it is.
    #[must_use]
    pub fn lines(&self, several: bool) -> Vec<(String, bool)> {
        let whose = match several {
            true => format!(" of {}", self.party),
            false => String::new(),
        };
        let nothing = match self.unfinished {
            true => "nothing of what was tried explains it",
            false => "nothing known explains it",
        };
        let told = |fit: &Fit| {
            if fit.explains == 0 {
                let failures = crate::counted(fit.unpromised as u64, "failure");
                let open = format!("{nothing}; nothing is promised of {failures}{whose} if it");
                return (format!("{open} {}", fit.sentence), false);
            }
            let (lead, but) = match fit.tells(self.failures, self.passes) {
                true if fit.is_weak() => ("weak: ".to_owned(), "but "),
                true => (String::new(), ""),
                false => (format!("{nothing}; nearest: "), "but "),
            };
            let line = format!("{lead}{}", self.told(fit, &whose, but));
            (line, but.is_empty())
        };
        let mut lines: Vec<(String, bool)> = self.fits.iter().map(told).collect();
        if let (true, Some((best, _))) = (self.together, lines.first_mut()) {
            best.push_str("; together these explain each failure");
        }
        if lines.is_empty() {
            let near = self.nearest.as_ref().map(|near| {
                let (sentence, case) = (&near.sentence, &near.case);
                let others = match near.others {
                    0 => String::new(),
                    n => format!(", but has {} wrong", crate::counted(n, "other")),
                };
                format!(
                    "; nearest in {case}: {sentence}, {} of {} values{others}",
                    near.same, near.of
                )
            });
            lines.push((format!("{nothing}{}", near.unwrap_or_default()), false));
        }
        if self.unfinished {
            let more = "the time was up before everything known had been tried: --diagnosis TIME gives more";
            lines.push((more.to_owned(), false));
        }
        lines
    }

    fn told(&self, fit: &Fit, whose: &str, but: &str) -> String {
        let contradicts = match fit.contradicts {
            0 => "none".to_owned(),
            n => n.to_string(),
        };
        let passes = match self.passes {
            0 => "no pass to hold it against".to_owned(),
            1 => format!("{but}contradicts {contradicts} of 1 pass"),
            n => format!("{but}contradicts {contradicts} of {n} passes"),
        };
        let unpromised = match fit.unpromised {
            0 => String::new(),
            n => format!(", promises nothing of {n} more"),
        };
        let elsewhere = match self.elsewhere {
            0 => String::new(),
            n => format!(", {n} more fail under another schedule only"),
        };
        // It is told beside failures that it does not explain, too.
        let which = match (&fit.first, fit.explains) {
            (None, _) => String::new(),
            (Some(case), 1) => format!(" ({case})"),
            (Some(case), _) => format!(" (first {case})"),
        };
        format!(
            "{}: explains {} of {}{whose}{which}{unpromised}{elsewhere}, {passes}",
            fit.sentence,
            fit.explains,
            crate::counted(self.failures as u64, "failure"),
        )
    }
}
