//! A record as JUnit XML, for what shows test results in CI.
//!
//! A file is a test suite and a case a test; a file that comes again is another
//! suite. A violation is a failure whose type is the group of its first violation. A case
//! in which nothing was held to anything is skipped, with the reason: no result to the
//! contract, no target to what the case expects. What an implementation did wrong once is a
//! `flakyFailure` of a test that passes. No time is in it: one record gives one
//! text.

use std::io::{self, Read, Seek, Write};

use ptodiff_edge::consumer::{html, xml as text, xml_lines as lines};
use ptodiff_isa::Party;
use ptodiff_record::{
    CaseRecord, Header, PairRecord, PairVerdict, TargetRecord, TargetVerdict, Verdict,
    reproduce::reproduce,
};
use quick_junit::{
    FlakyOrRerun, NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestRerun, TestSuite,
};
use tempfile::SpooledTempFile;

use crate::{
    flaky,
    group::{Groups, Key, differ},
    slot::write_slot,
    style,
};

/// Tests that come one after the other. Of the cases of a file the text of their
/// tests is kept, which is short; those before it are in a file of their own.
#[derive(Debug)]
pub struct Junit {
    header: Header,
    /// The file whose suite is written, its counts and the text of its tests.
    open: Option<(String, Counts, String)>,
    done: SpooledTempFile,
    all: Counts,
    groups: Groups,
    /// Where in `done` the types of failures belong, and before that in the text of the
    /// tests: only at the end it is known what their groups are called.
    types: Vec<(u64, Key)>,
    /// How many of them are in `done`.
    placed: usize,
}

/// How many tests there are, failed and were skipped.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    tests: usize,
    failures: usize,
    skipped: usize,
    flaky: usize,
}

impl Counts {
    fn add(&mut self, suite: &TestSuite) {
        self.tests += suite.tests;
        self.failures += suite.failures;
        self.skipped += suite.skipped;
    }
}

/// Bytes that are kept in memory rather than in a file.
const KEPT: usize = 16 << 20;

impl Junit {
    /// Tests of a run with this header.
    #[must_use]
    pub fn new(header: &Header) -> Self {
        Self {
            header: header.clone(),
            open: None,
            done: SpooledTempFile::new(KEPT),
            all: Counts::default(),
            groups: Groups::default(),
            types: Vec::new(),
            placed: 0,
        }
    }

    /// Adds the test of the next case.
    ///
    /// # Errors
    /// What the file system gives.
    pub fn add(&mut self, case: &CaseRecord) -> io::Result<()> {
        if self
            .open
            .as_ref()
            .is_none_or(|(file, ..)| *file != case.file)
        {
            self.close()?;
        }
        let new = || (case.file.clone(), Counts::default(), String::new());
        let (_, counts, tests) = self.open.get_or_insert_with(new);
        let group = self.groups.add_first(case);
        let mut status = status(&self.header, case);
        if group.is_some() {
            status.set_type("");
        }
        for (party, answers) in flaky::all(case) {
            let mut once = TestRerun::new(NonSuccessKind::Failure);
            once.set_type(text(&format!("flaky {party}")));
            once.set_message(text(&answers));
            status.add_rerun(once);
            status.set_rerun_kind(FlakyOrRerun::Flaky);
            counts.flaky += 1;
        }
        let passed = matches!(status, TestCaseStatus::Success { .. });
        let mut test = TestCase::new(text(&case.id), status);
        test.set_classname(text(&case.file));
        let told = told(case);
        if passed && !told.is_empty() {
            test.set_system_out(lines(&told.join("\n")));
        }
        let mut alone = TestSuite::new("");
        alone.add_test_case(test);
        counts.add(&alone);
        self.all.add(&alone);
        let alone = serialized(alone)?;
        let test = between(&alone, "        <testcase", SUITE_ENDS);
        // A quote within a text is an entity.
        let mark = " type=\"";
        let failure = test.find("<failure ");
        let at = failure.and_then(|at| Some(at + test[at..].find(mark)? + mark.len()));
        if let (Some(group), Some(at)) = (group, at) {
            self.types.push(((tests.len() + at) as u64, group));
        }
        tests.push_str(test);
        Ok(())
    }

    /// Writes all as JUnit XML.
    ///
    /// # Errors
    /// What the writer gives.
    pub fn write(mut self, mut to: impl Write) -> io::Result<()> {
        self.close()?;
        let mut report = Report::new("ptodiff");
        report.tests = self.all.tests;
        report.failures = self.all.failures;
        report.skipped = self.all.skipped;
        let report = report.to_string().map_err(io::Error::other)?;
        let (begins, ends) = report.split_at(report.rfind("</testsuites>").unwrap_or(0));
        to.write_all(begins.as_bytes())?;
        self.done.rewind()?;
        let names = self.groups.names();
        let mut at = 0;
        for (place, group) in &self.types {
            io::copy(&mut (&mut self.done).take(place - at), &mut to)?;
            at = *place;
            let name = names.get(group).map_or("violation", String::as_str);
            let name = html(&text(name)).replace("&#39;", "&apos;");
            to.write_all(name.as_bytes())?;
        }
        io::copy(&mut self.done, &mut to)?;
        to.write_all(ends.as_bytes())
    }

    /// Writes the suite that is open.
    fn close(&mut self) -> io::Result<()> {
        let Some((file, counts, tests)) = self.open.take() else {
            return Ok(());
        };
        let mut suite = suite(&self.header, &file);
        suite.tests = counts.tests;
        suite.failures = counts.failures;
        suite.skipped = counts.skipped;
        if counts.flaky > 0 {
            suite.add_property(Property::new("flaky", counts.flaky.to_string()));
        }
        let suite = serialized(suite)?;
        let begins = between(&suite, "    <testsuite ", SUITE_ENDS);
        let before = self.done.stream_position()? + begins.len() as u64;
        for (place, _) in &mut self.types[self.placed..] {
            *place += before;
        }
        self.placed = self.types.len();
        for text in [begins, &tests, SUITE_ENDS, "\n"] {
            self.done.write_all(text.as_bytes())?;
        }
        Ok(())
    }
}

const SUITE_ENDS: &str = "    </testsuite>";

/// A report of one suite.
fn serialized(suite: TestSuite) -> io::Result<String> {
    let mut report = Report::new("");
    report.test_suites.push(suite);
    report.to_string().map_err(io::Error::other)
}

/// The part of `xml` from the first `begins` to the last `ends`, in which `<` of a
/// text is an entity.
fn between<'a>(xml: &'a str, begins: &str, ends: &str) -> &'a str {
    let ends = xml.rfind(ends).unwrap_or(xml.len());
    let begins = xml[..ends].find(begins).unwrap_or(ends);
    &xml[begins..ends]
}

/// Writes the record as JUnit XML.
///
/// # Errors
/// What the writer gives.
pub fn write_junit(to: impl Write, header: &Header, cases: &[CaseRecord]) -> io::Result<()> {
    let mut all = Junit::new(header);
    cases.iter().try_for_each(|case| all.add(case))?;
    all.write(to)
}

/// The suite of a file, with what the run was told.
fn suite(header: &Header, file: &str) -> TestSuite {
    let mut suite = TestSuite::new(text(file));
    let data = match &header.st_data {
        Some(data) => ("data", text(&data.folder)),
        None => ("seed", header.seed.to_string()),
    };
    let told = [
        ("ptodiff", text(&header.version)),
        data,
        ("schedules", header.schedules.to_string()),
    ];
    for (name, value) in told {
        suite.add_property(Property::new(name, value));
    }
    suite
}

fn status(header: &Header, case: &CaseRecord) -> TestCaseStatus {
    if case.verdict == Verdict::Violation {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        let (failure_group, what) = first_violation(case);
        status.set_type(text(failure_group));
        status.set_message(text(&what));
        status.set_description(lines(&details(header, case)));
        return status;
    }
    if case.is_held() {
        return TestCaseStatus::success();
    }
    let mut status = TestCaseStatus::skipped();
    let why = "no target has a result, and the record has no expectation of one";
    status.set_message(text(&format!("{why}: {}", parts(case))));
    status
}

/// The failure group and the line that say first what is wrong with a violation.
fn first_violation(case: &CaseRecord) -> (&str, String) {
    let finding = case.targets.values().flat_map(|t| &t.findings).next();
    if let Some(finding) = finding {
        return (&finding.failure_group, finding.what.clone());
    }
    let wrong = |pair: &&PairRecord| pair.verdict == PairVerdict::Violation;
    match case.pairs.iter().find(wrong) {
        Some(pair) => {
            let failure_group = pair
                .failure_groups
                .first()
                .map_or("violation", String::as_str);
            (failure_group, differ(pair))
        }
        None => (
            "violation",
            "the record does not say what is wrong".to_owned(),
        ),
    }
}

/// Everything that is wrong with a case, and the command that shows it again.
fn details(header: &Header, case: &CaseRecord) -> String {
    let mut out = Vec::new();
    // A vector takes all that is written to it.
    let _ = write_details(&mut out, header, case);
    String::from_utf8_lossy(&out).into_owned()
}

fn write_details(to: &mut impl Write, header: &Header, case: &CaseRecord) -> io::Result<()> {
    writeln!(to, "{}:{}", case.file, case.line)?;
    for (party, target) in &case.targets {
        for finding in &target.findings {
            let schedule = finding.schedule.as_deref();
            let schedule = schedule.map_or_else(String::new, |s| format!(", schedule {s}"));
            writeln!(
                to,
                "{party}: {}\n  {}{schedule}",
                finding.failure_group, finding.what
            )?;
            if let Some(slot) = &finding.slot {
                write_slot(to, slot)?;
            }
        }
        for line in &target.stderr {
            writeln!(to, "  | {line}")?;
        }
    }
    for pair in case
        .pairs
        .iter()
        .filter(|p| p.verdict == PairVerdict::Violation)
    {
        let why = pair.why.as_deref().unwrap_or("no reason is given");
        writeln!(to, "{}: {why}", differ(pair))?;
        for failure_group in &pair.failure_groups {
            writeln!(to, "  {failure_group}")?;
        }
        for slot in pair.slots.iter().take(2) {
            write_slot(to, slot)?;
        }
    }
    writeln!(to, "reproduce: {}", reproduce(header, case))
}

/// What is to be known of a case that passes: by which clauses results differ,
/// that none were compared, what an implementation cannot run.
fn told(case: &CaseRecord) -> Vec<String> {
    let with = |verdict| {
        case.pairs
            .iter()
            .filter(move |pair| pair.verdict == verdict)
    };
    let mut out: Vec<String> = with(PairVerdict::Permitted)
        .map(|pair| format!("{}, permitted by {}", differ(pair), pair.clauses.join(", ")))
        .collect();
    if out.is_empty() && with(PairVerdict::Agree).next().is_none() {
        out.push(format!("no two results were compared: {}", parts(case)));
        return out;
    }
    let lacking = case.targets.iter();
    let lacking = lacking.filter(|(_, target)| target.verdict == TargetVerdict::Unsupported);
    out.extend(lacking.map(|(party, target)| part(party, target)));
    out
}

/// What each party did.
fn parts(case: &CaseRecord) -> String {
    let all: Vec<String> = case.targets.iter().map(|(p, t)| part(p, t)).collect();
    all.join("; ")
}

/// What a party did, and where it has no result by which clause or why.
fn part(party: &Party, target: &TargetRecord) -> String {
    let did = format!("{party} {}", style::did(target.verdict));
    let reason = target.reasons.first();
    match (target.verdict, reason, &target.why) {
        (TargetVerdict::Unsupported, _, Some(why)) => format!("{did}: {why}"),
        (TargetVerdict::Conforms, ..) | (_, None, _) => did,
        (TargetVerdict::Violates, Some(reason), _) => format!("{did} {}", reason.clause),
        (_, Some(reason), _) => format!("{did} by {}", reason.clause),
    }
}
