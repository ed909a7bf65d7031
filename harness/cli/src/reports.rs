//! The reports of a record: each made from the record alone, in one pass.

use std::{
    env,
    io::{self, Write},
    path::Path,
    time::Duration,
};

use anstream::adapter::strip_bytes;
use ptodiff_case::waiver::Waiver;
use ptodiff_isa::Party;
use ptodiff_record::{CaseRecord, Header, Took};
use ptodiff_report::{
    Divergence, Fails, Junit, PageWriter, Summary, annotations, biggest, coverage, markdown, plain,
    style::{BAD, GOOD},
    summary, write_groups,
};

use crate::{
    args::{OutputArgs, Show},
    diagnosis::Failures,
    exit::Exit,
    sources::TESTS,
    text::counted,
};

/// Where the reports of a run go, unless told.
pub(crate) const OUT: &str = "reports/out";

/// The reports of a record. Each takes every case once and keeps as little of it as it can: a
/// record may be larger than memory.
pub(crate) struct Reports {
    pub(crate) header: Header,
    /// How the run was called: the commands of the page say it, which is for people here.
    pub(crate) called: Header,
    /// How long the run took, if it is known: no record knows.
    pub(crate) took: Option<Duration>,
    /// Until all is known.
    pub(crate) failures: Failures,
    /// What hides failures, as far as it is in force.
    pub(crate) waivers: Vec<Waiver>,
    /// What `failures` came to, then.
    sorted: Option<Vec<Divergence>>,
    /// What the cases come to, made plain.
    pub(crate) summary: Summary,
    page: Option<PageWriter>,
    junit: Option<Junit>,
}

/// A report of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReportFormat {
    /// What a run prints at its end.
    Text,
    /// The page.
    Page,
    /// JUnit XML.
    Junit,
    /// The summary for a CI job.
    Markdown,
    /// Annotations for a GitHub check.
    Annotations,
    /// What is covered, as JSON.
    Coverage,
}

impl Reports {
    /// Those of a record with this header; of the large ones, page and JUnit, `asked`. What may
    /// be behind failures is looked for of `parties`.
    pub(crate) fn new(header: &Header, asked: &[ReportFormat], parties: Vec<Party>) -> Self {
        let is = |format| asked.contains(&format);
        Self {
            header: header.clone(),
            called: header.clone(),
            took: None,
            failures: Failures::of(parties),
            waivers: Vec::new(),
            sorted: None,
            summary: Summary::new(&plain::cleaned(header)),
            page: is(ReportFormat::Page).then(PageWriter::default),
            junit: is(ReportFormat::Junit).then(|| Junit::new(header)),
        }
    }

    /// Adds the next case, and how long it took.
    ///
    /// # Errors
    /// What the file system gives: of the largest reports a part lies there meanwhile.
    pub(crate) fn add(&mut self, case: &CaseRecord, took: &Took) -> io::Result<()> {
        let plain = plain::cleaned(case);
        let fails = self.failures.add(case, &plain, |group, parties| {
            let mut all = self.waivers.iter();
            let hides = all.find(|own| own.is_about(group, parties, &case.id))?;
            Some(hides.to_string())
        });
        self.summary.add(&plain);
        let waived = !fails.is_empty() && fails.iter().all(Fails::is_waived);
        if waived {
            self.summary.totals.waive();
        }
        if let Some(page) = &mut self.page {
            page.add(&plain, waived)?;
        }
        if let Some(junit) = &mut self.junit {
            junit.add(case, took, &fails)?;
        }
        Ok(())
    }

    /// The groups of divergences, once all is known.
    fn divergences(&mut self) -> &[Divergence] {
        let failures = &mut self.failures;
        let sorted = || std::mem::take(failures).sorted();
        self.sorted.get_or_insert_with(sorted)
    }

    /// How much was left when the time for explanations was up, as a line of text.
    pub(crate) fn left(&mut self) -> Option<String> {
        let groups = self.divergences().iter();
        let found: Vec<_> = groups
            .filter_map(|group| group.diagnosis.as_ref())
            .collect();
        let n = found.iter().filter(|one| one.unfinished).count();
        (n > 0).then(|| {
            let groups = counted(found.len() as u64, "failure group");
            format!("  {n} of {groups} not looked at to the end: --diagnosis TIME gives more\n")
        })
    }

    /// What the cases came to, in words.
    pub(crate) fn said(&mut self) -> String {
        self.divergences();
        let groups = self.sorted.as_deref().unwrap_or_default();
        self.summary.totals.said(groups)
    }

    /// Writes a report, once; nothing of a large one that was not asked for.
    pub(crate) fn write(&mut self, format: ReportFormat, mut to: impl Write) -> io::Result<()> {
        self.divergences();
        let groups = self.sorted.as_deref().unwrap_or_default();
        let (header, summary) = (&self.header, &self.summary);
        match format {
            ReportFormat::Text => to.write_all(&self.text(&OutputArgs::all())?),
            ReportFormat::Page => match self.page.take() {
                Some(page) => {
                    let headers = [header, &self.called];
                    page.write(to, headers, summary, groups, TESTS)
                }
                None => Ok(()),
            },
            ReportFormat::Junit => match self.junit.take() {
                Some(junit) => junit.write(to, &summary.totals, groups, self.took),
                None => Ok(()),
            },
            ReportFormat::Markdown => markdown::write(to, header, summary, groups),
            ReportFormat::Annotations => annotations::write(to, header, summary, groups),
            ReportFormat::Coverage => {
                serde_json::to_writer_pretty(&mut to, &summary.spoken.coverage(TESTS))?;
                to.write_all(b"\n")
            }
        }
    }

    /// A violation fails the run; a run in which nothing was held to anything has
    /// shown nothing, nor has one of an implementation that could run no case. A part of a
    /// run may be as small as chance makes it. Folders that cannot be judged are a mistake.
    pub(crate) fn exit(&self) -> Exit {
        let totals = &self.summary.totals;
        if totals.failing > 0 {
            Exit::Violation
        } else if totals.is_broken() {
            Exit::Usage
        } else if totals.is_nothing() && self.header.part.is_none() {
            Exit::Nothing
        } else {
            Exit::Conforms
        }
    }

    /// All that can be printed of a run that ends with `exit`, as a file has it.
    pub(crate) fn whole(&mut self, exit: Exit) -> io::Result<Vec<u8>> {
        let mut to = self.text(&OutputArgs::all())?;
        let result = self.said();
        to.extend(self.closing(exit, &result, None, None).bytes());
        Ok(to)
    }

    /// The last line of a run that ends with `exit`: what it came to, how long it took, and
    /// where its page is. A part may test nothing and fail nothing by it.
    pub(crate) fn closing(
        &self,
        exit: Exit,
        result: &str,
        took: Option<Duration>,
        page: Option<&Path>,
    ) -> String {
        let totals = &self.summary.totals;
        let (style, word) = match exit {
            _ if totals.interrupted.is_some() => (BAD, totals.word()),
            Exit::Conforms | Exit::Nothing if totals.is_nothing() => (BAD, totals.word()),
            Exit::Conforms => (GOOD, "PASSED"),
            Exit::Nothing => (BAD, "INCOMPLETE"),
            _ => (BAD, "FAILED"),
        };
        let took = took.map_or_else(String::new, |took| format!(", {:.1} s", took.as_secs_f64()));
        let page = page.map_or_else(String::new, |page| {
            format!("   {}", crate::plain::path(page))
        });
        format!("\n{style}{word}{style:#}  {result}{took}{page}\n")
    }

    /// What a run prints at its end, as often as it is asked for.
    ///
    /// # Errors
    /// None in practice: memory takes everything.
    pub(crate) fn text(&mut self, shown: &OutputArgs) -> io::Result<Vec<u8>> {
        self.divergences();
        let groups = self.sorted.as_deref().unwrap_or_default();
        // The failures stand last: the end of a terminal is read first.
        let mut to = Vec::new();
        let failing = groups.partition_point(|group| group.kind.fails());
        let all = shown.shows(Show::All);
        if shown.shows(Show::Permitted) {
            write_groups(&mut to, &plain::cleaned(&self.header), &groups[failing..])?;
        }
        if !shown.quiet {
            summary::write_counts(&mut to, &self.summary)?;
            let most = if all { usize::MAX } else { summary::UNPROMISED };
            summary::write_unpromised(&mut to, &self.summary, most)?;
        }
        if all {
            summary::write_more(&mut to, &self.summary)?;
        }
        if shown.shows(Show::Readings) {
            summary::write_readings(&mut to, &self.summary)?;
        }
        if shown.shows(Show::Coverage) && self.summary.spoken.has_something() {
            let coverage = self.summary.spoken.coverage(TESTS);
            coverage::write_line(&mut to, &coverage)?;
        }
        self.write_failures(&mut to, all)?;
        let flaky = self.summary.totals.flaky;
        if flaky > 0 && failing > 0 {
            let cases = counted(flaky as u64, "more case");
            let were = if flaky == 1 { "was" } else { "were" };
            writeln!(
                to,
                "\n{cases} {were} wrong once and right when asked again: what fails above may be chance, \
                 too; --rerun-failed RECORD asks for what failed again"
            )?;
        }
        summary::write_unjudged(&mut to, &self.summary.totals)?;
        Ok(to)
    }

    /// Writes the failure groups that no waiver hides: the biggest, or all. Whether there are any.
    pub(crate) fn write_failures(&mut self, mut to: impl Write, all: bool) -> io::Result<bool> {
        self.divergences();
        let groups = self.sorted.as_deref().unwrap_or_default();
        let header = plain::cleaned(&self.header);
        let failing = groups.partition_point(|group| group.kind.fails());
        let most = if all { failing } else { GROUPS.min(failing) };
        write_groups(&mut to, &header, biggest(&groups[..failing], most))?;
        if let Some(more @ 1..) = failing.checked_sub(most) {
            let groups = counted(more as u64, "smaller group");
            writeln!(to, "\nand {groups}: --show all")?;
        }
        Ok(failing > 0)
    }
}

/// Failure groups that are shown unless all are.
const GROUPS: usize = 10;

/// `text` as a file has it.
pub(crate) fn without_colours(text: &[u8]) -> Vec<u8> {
    strip_bytes(text).into_vec()
}

/// Whether this runs as a step of a job on GitHub, which reads annotations.
pub(crate) fn on_github() -> bool {
    env::var_os("GITHUB_ACTIONS").is_some_and(|v| v == "true")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use ptodiff_record::{Diagnosis, Reader};

    use super::*;

    #[test]
    fn what_the_time_left_is_counted_when_the_text_is_written() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../record/tests/older/format-5.jsonl"
        );
        let record = fs::read(path).expect("a record");
        let mut record = Reader::new(&record[..]).expect("a header");
        let mut reports = Reports::new(record.header(), &[], Vec::new());
        let cases: Vec<CaseRecord> = record.by_ref().map(|case| case.expect("a case")).collect();
        for case in &cases {
            reports.add(case, &Took::default()).expect("memory");
        }
        let group = ptodiff_report::groups(&cases).remove(0);
        let unfinished = Diagnosis {
            party: Party::of(ptodiff_isa::Target::A5),
            failure_group: group.failure_group,
            also: Vec::new(),
            failures: 1,
            elsewhere: 0,
            passes: 0,
            fits: Vec::new(),
            nearest: None,
            together: false,
            unfinished: true,
        };
        reports.failures.diagnosed(&[unfinished]);
        reports.text(&OutputArgs::all()).expect("memory");
        let left = reports.left().expect("a line");
        assert!(
            left.starts_with("  1 of 1 failure group not looked at to the end: "),
            "{left}"
        );
    }
}
