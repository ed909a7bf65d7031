//! What the cases of a run came to: the numbers that its exit code and its closing line
//! are made of.

use ptodiff_isa::Party;
use ptodiff_record::{
    CaseRecord, Header, StData, TargetVerdict, Unjudged, Verdict, counted, flaky_by_no_chance,
    grouped, joined,
};

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
    /// Those that an implementation cannot run, or that data folders have none of.
    pub not_run: usize,
    /// Those that an implementation did not say that it cannot run.
    pub answered: usize,
    /// Those in which an implementation did wrong once, and not when it was asked again.
    pub flaky: usize,
    /// Those in which an implementation differs where nothing is promised.
    pub unpromised: usize,
    /// Whether flaky cases fail the run: the command was told so.
    pub fail_flaky: bool,
    /// Whether those of `unpromised` do.
    pub fail_unpromised: bool,
    /// Those that were not begun, as enough had failed; they are not among `cases`.
    pub left_out: usize,
    /// How many there are of a run that was interrupted before the last.
    pub interrupted: Option<usize>,
    /// Whether a result was held to the contract, or a target to what a case expects.
    shown: bool,
    /// Implementations, and whether each was held to something in any case.
    implementations: Vec<(Party, bool)>,
    /// Whose files were judged, where data was read.
    data: Option<StData>,
    /// How many of its `golden.bin` and `output.bin` were judged.
    files: [usize; 2],
    /// Cases in which nothing is promised of them.
    no_promise: usize,
}

impl RunTotals {
    /// Nothing yet, of a run with this header.
    #[must_use]
    pub fn of(header: &Header) -> Self {
        let implementations = header.implementations.iter();
        Self {
            implementations: implementations.map(|i| (i.party.clone(), false)).collect(),
            left_out: header.left_out.unwrap_or_default(),
            not_run: header
                .st_data
                .iter()
                .map(|data| data.unjudged.no_folder.len())
                .sum(),
            data: header.st_data.clone(),
            ..Self::default()
        }
    }

    /// Adds the next case.
    pub fn add(&mut self, case: &CaseRecord) {
        self.cases += 1;
        self.failing += usize::from(case.verdict == Verdict::Violation);
        self.flaky += usize::from(case.targets.values().any(|own| !own.flaky.is_empty()));
        self.unpromised += usize::from(!case.unpromised.is_empty());
        self.shown |= match &self.data {
            Some(data) => {
                let judged = data.judged(case);
                let files = self.files.iter_mut().zip(judged);
                files.for_each(|(count, judged)| *count += usize::from(judged));
                self.no_promise += usize::from(judged == [false; 2]);
                judged != [false; 2]
            }
            None => case.is_held(),
        };
        let (mut lacking, mut answered) = (false, false);
        for (party, held) in &mut self.implementations {
            if let Some(own) = case.targets.get(party) {
                let unsupported = own.verdict == TargetVerdict::Unsupported;
                // Of what is undefined anything will do.
                *held |= !unsupported && own.verdict != TargetVerdict::Undefined;
                lacking |= unsupported;
                answered |= !unsupported;
            }
        }
        self.not_run += usize::from(lacking);
        self.answered += usize::from(answered);
    }

    /// Takes the last case, which failed, for one in which all is waived.
    pub const fn waive(&mut self) {
        self.failing -= 1;
        self.waived += 1;
    }

    /// Implementations that were held to nothing: each case is undefined, or they cannot run it.
    pub fn idle(&self) -> impl Iterator<Item = &Party> {
        let idle = self.implementations.iter();
        idle.filter(|(_, held)| !held).map(|(party, _)| party)
    }

    /// What was not judged of the data that was read.
    fn unjudged(&self) -> Option<&Unjudged> {
        self.data.as_ref().map(|data| &data.unjudged)
    }

    /// Whether data folders cannot be judged.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.unjudged().is_some_and(|all| !all.broken.is_empty())
    }

    /// Whether data that was asked for is not judged.
    fn is_lacking(&self) -> bool {
        self.unjudged().is_some_and(Unjudged::is_lacking)
    }

    /// Whether it shows nothing, or not all that was asked for: nothing was held to anything,
    /// an implementation to nothing, or data is not judged.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        let nothing = self.waived == 0 && !self.shown || self.idle().next().is_some();
        self.is_lacking() || self.failing == 0 && nothing
    }

    /// Whether something was held to something, and one of several implementations ran no
    /// case, or data is not judged.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        let answered = self.implementations.iter().any(|(_, any)| *any);
        self.is_nothing() && self.shown && (answered || self.is_lacking())
    }

    /// Whether flaky cases fail the run: so many that it is no chance do by themselves.
    fn fails_flaky(&self) -> bool {
        self.fail_flaky || self.is_flaky_by_no_chance()
    }

    /// Whether so many cases are flaky that it is no chance.
    pub(crate) const fn is_flaky_by_no_chance(&self) -> bool {
        flaky_by_no_chance(self.flaky as u64, self.answered as u64)
    }

    /// What fails the run though nothing is violated.
    #[must_use]
    pub fn fails_by_flag(&self) -> Option<String> {
        let differ = [
            "differs where nothing is promised",
            "differ where nothing is promised",
        ];
        let flaky = (self.fails_flaky(), self.flaky, ["is flaky", "are flaky"]);
        let all = [flaky, (self.fail_unpromised, self.unpromised, differ)].into_iter();
        let found = all.filter(|(asked, count, _)| *asked && *count > 0 && self.failing == 0);
        let said = found.enumerate().map(|(n, (_, count, [one, many]))| {
            let of = match n {
                0 => format!(" of {}", self.all()),
                _ => String::new(),
            };
            let what = if count == 1 { one } else { many };
            format!("{}{of} {what}", grouped(count))
        });
        Some(joined(said, ", ")).filter(|said| !said.is_empty())
    }

    /// How many cases there are, in words.
    fn all(&self) -> String {
        let plural = if self.cases == 1 { "" } else { "s" };
        format!("{} case{plural}", grouped(self.cases))
    }

    /// Whether it passed, in a word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match (self.failing, self.is_nothing()) {
            _ if self.interrupted.is_some() => "INTERRUPTED",
            _ if self.fails_by_flag().is_some() => "FAILED",
            (0, true) if self.is_broken() => "FAILED",
            (0, true) if self.is_incomplete() => "INCOMPLETE",
            (0, true) => "NOTHING TESTED",
            (0, false) => "PASSED",
            _ => "FAILED",
        }
    }

    /// What was judged of no implementation that ran here: of data folders how many files,
    /// which are what an implementation left.
    #[must_use]
    pub fn alone(&self) -> String {
        let Some(unjudged) = self.unjudged() else {
            return "no implementation tested".to_owned();
        };
        let [golden, output] = self.files;
        // One with an error may have one.
        let none = unjudged.no_output.len() == self.cases && unjudged.broken.is_empty();
        let mut said = match none {
            true => format!("{golden} golden.bin judged, no output.bin"),
            false => format!("{golden} golden.bin and {output} output.bin judged"),
        };
        if self.no_promise > 0 {
            let cases = counted(self.no_promise, "case");
            said.push_str(&format!(", nothing promised in {cases}"));
        }
        said
    }

    /// What was asked for of data folders and is not judged: lines of a word, which may be
    /// none, and a text.
    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        /// How many folders are named.
        const MOST: usize = 100;
        let Some(StData {
            suite, unjudged, ..
        }) = &self.data
        else {
            return Vec::new();
        };
        let Unjudged {
            broken,
            no_folder,
            no_output,
            partial,
        } = unjudged;
        // Ids of the cases of a suite begin with it, and folders do not.
        let prefix = format!("{suite}/");
        let folder = |id: &'_ str| id.strip_prefix(&prefix).unwrap_or(id).to_owned();
        let told = broken.iter().take(MOST);
        let told = told.map(|(id, why)| ("error", format!("{}: {why}", folder(id))));
        let mut lines: Vec<_> = told.collect();
        if let Some(more @ 1..) = broken.len().checked_sub(MOST) {
            lines.push(("error", format!("{more} more like these")));
        }
        let all = self.cases + self.left_out + broken.len() + no_folder.len();
        let of = counted(all, "case");
        let first = |ids: &[String], what, named: &dyn Fn(&str) -> String| {
            let first = named(ids.first()?);
            let have = if ids.len() == 1 { "has" } else { "have" };
            let count = ids.len();
            Some((
                "",
                format!("{count} of {of} {have} no {what} here, first {first}"),
            ))
        };
        lines.extend(first(no_folder, "folder", &folder));
        lines.extend(first(no_output, "output.bin", &str::to_owned));
        if !partial && no_folder.len() + no_output.len() > 0 {
            let wanted = "--partial says that this is wanted".to_owned();
            lines.push(("not all was judged", wanted));
        }
        lines
    }

    /// What data is not judged, in numbers; nothing where all is that was wanted.
    #[must_use]
    pub fn lacks(&self) -> String {
        let all = self.unjudged().filter(|all| all.is_lacking());
        let counts = all.into_iter().flat_map(|all| {
            [
                (all.broken.len(), "with an error"),
                (all.no_folder.len(), "without a folder"),
                (all.no_output.len(), "without an output.bin"),
            ]
        });
        let counts = counts.filter(|(count, _)| *count > 0);
        joined(
            counts.map(|(n, what)| format!("{} {what}", counted(n, "case"))),
            ", ",
        )
    }

    /// After the word, how many cases; `groups` are those of its divergences.
    #[must_use]
    pub fn said(&self, groups: &[Divergence]) -> String {
        let cases = self.all();
        let mut said = match self.failing {
            0 if self.interrupted.is_some() => format!("{cases}, none of them fails"),
            0 if let Some(by_flag) = self.fails_by_flag() => by_flag,
            0 if self.implementations.is_empty() => format!("{cases}, {}", self.alone()),
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
        let broken = self.unjudged().map_or(0, |all| all.broken.len());
        // What fails the run by a flag alone is said above.
        let alone = self.failing == 0;
        let flaky = self.flaky * usize::from(!(self.fails_flaky() && alone));
        let unpromised = self.unpromised * usize::from(self.fail_unpromised && !alone);
        for (count, are) in [
            (self.waived, "waived"),
            (flaky, "flaky"),
            (unpromised, "differing where nothing is promised"),
            (broken, "with an error"),
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
