//! A record as JUnit XML, for what shows test results in CI.
//!
//! Each implementation is a test suite, and so are the models; a case is a test in the
//! suites of all that took part, its file the name of its class. A violation is a failure
//! and a crash or a time that was up an error; their type is the group, and their text what
//! the terminal says. What was not run is skipped with the reason, and so is a case in which
//! nothing was held to anything: no result to the contract, no target to what the case
//! expects; so is one in which all that is wrong is waived. So is a case that data folders do
//! not have, or have no `output.bin` of, unless that is wanted; one whose folder cannot be
//! judged is an error. What an implementation did wrong
//! once is a `flakyFailure` of a test that passes; where that, or what differs where nothing is
//! promised, fails the run by itself, a test more does. One record gives one text, without times. A
//! run tells how long it took, and how long the models or the answers of an implementation took
//! for each case: cases run beside each other, so they come to more than the whole.
//!
//! A test has no file, no line and no properties: the schema of Jenkins' xUnit plugin refuses
//! a whole file with them. The file stands as the class, and both stand in the text of a
//! failure, where GitHub's readers look.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::time::Duration;

use ptodiff_edge::consumer::{html, xml as text, xml_lines as lines};
use ptodiff_isa::Party;
use ptodiff_record::{
    CaseRecord, Header, PairRecord, PairVerdict, StData, TargetRecord, TargetVerdict, Took,
    Unjudged, counted, joined, reproduce::reproduce,
};
use quick_junit::{
    FlakyOrRerun, NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestRerun, TestSuite,
};
use tempfile::SpooledTempFile;

use crate::{
    failure_text::{head, likely, text as told_text},
    flaky,
    group::{Divergence, Fails, Groups, differ},
    style,
    totals::RunTotals,
};

/// Tests that come one after the other; of each suite they are in a file of their own.
#[derive(Debug)]
pub struct Junit {
    header: Header,
    /// That of the models first, where they have one.
    suites: Vec<Suite>,
}

/// The tests of the models or of one implementation.
#[derive(Debug)]
struct Suite {
    /// Whose they are; the models' if no one's.
    party: Option<Party>,
    /// What the run was told, and counts. It keeps no test.
    suite: TestSuite,
    /// How many tests were flaky.
    flaky: usize,
    tests: SpooledTempFile,
}

/// Bytes that are kept in memory rather than in a file.
const KEPT: usize = 16 << 20;

/// Stands in `tests` around the number of a group where what is only known when all groups
/// are is missing: in a line of its own what may be behind it, elsewhere what it is called.
/// No text of XML has it.
const MISSING: char = '\u{FFFE}';

impl Junit {
    /// Tests of a run with this header.
    #[must_use]
    pub fn new(header: &Header) -> Self {
        let implementations = header.implementations.iter();
        let implementations = implementations.map(|one| Some(one.party.clone()));
        let suite = |party| Suite {
            suite: suite(&party, header),
            party,
            flaky: 0,
            tests: SpooledTempFile::new(KEPT),
        };
        Self {
            header: header.clone(),
            suites: std::iter::once(None)
                .chain(implementations)
                .map(suite)
                .collect(),
        }
    }

    /// Adds the tests of the next case, which fails as [`Groups::add`] says. What took no time
    /// was not timed.
    ///
    /// # Errors
    /// What the file system gives.
    pub fn add(&mut self, case: &CaseRecord, took: &Took, fails: &[Fails]) -> io::Result<()> {
        let Self { header, suites, .. } = self;
        let own: Vec<Party> = suites.iter().filter_map(|s| s.party.clone()).collect();
        for suite in suites {
            let party = suite.party.clone();
            let of = match &party {
                None => Of::Models(&own),
                Some(party) => match case.targets.get(party) {
                    Some(target) => Of::Implementation(party, target),
                    None => continue,
                },
            };
            let took = match &party {
                None => Some(took.models),
                Some(party) => took.implementations.get(party).copied(),
            };
            let took = took.filter(|took| !took.is_zero());
            suite.add(header, case, &of, took, fails)?;
        }
        Ok(())
    }

    /// Writes all as JUnit XML; `totals` and `groups` are those of all cases, and `took` how
    /// long the run took, which no record knows.
    ///
    /// # Errors
    /// What the writer gives.
    pub fn write(
        self,
        mut to: impl Write,
        totals: &RunTotals,
        groups: &[Divergence],
        took: Option<Duration>,
    ) -> io::Result<()> {
        let mut report = Report::new("ptodiff");
        report.time = took;
        let mut suites = self.suites;
        if let (Some(data), Some(suite)) = (&self.header.st_data, suites.first_mut()) {
            suite.add_unjudged(data)?;
        }
        suites.retain(|suite| suite.suite.tests > 0);
        for Suite { suite, flaky, .. } in &suites {
            report.add_test_suite(suite.clone());
            if let (1.., Some(suite)) = (*flaky, report.test_suites.last_mut()) {
                suite.add_property(Property::new("flaky", flaky.to_string()));
            }
        }
        // What reads tests only must not take them for all, or for a run that passes.
        let interrupted = totals.interrupted.map(|of| {
            let said = format!("interrupted after {} of {of} cases", totals.cases);
            ("interrupted", NonSuccessKind::Error, said)
        });
        let flagged = totals.fails_by_flag();
        let flagged = flagged.map(|said| ("the run fails", NonSuccessKind::Failure, said));
        for (name, kind, said) in interrupted.into_iter().chain(flagged) {
            let mut status = TestCaseStatus::non_success(kind);
            status.set_type(name);
            status.set_message(said);
            let mut suite = TestSuite::new(name);
            let mut test = TestCase::new("all cases", status);
            test.set_classname("ptodiff");
            suite.add_test_case(test);
            report.add_test_suite(suite.clone());
            suites.push(Suite {
                party: None,
                suite,
                flaky: 0,
                tests: SpooledTempFile::new(KEPT),
            });
        }
        let text = report.to_string().map_err(io::Error::other)?;
        // The schema has it for a suite alone.
        let text = text.replacen(&format!(" skipped=\"{}\"", report.skipped), "", 1);
        let named = groups
            .iter()
            .flat_map(|g| g.numbers.iter().map(move |number| (number.to_string(), g)));
        let named: HashMap<String, &Divergence> = named.collect();
        // Tests stand behind what is told of their suite.
        let mut told = text.split(SUITE_ENDS);
        to.write_all(told.next().unwrap_or_default().as_bytes())?;
        for (suite, next) in suites.into_iter().zip(told) {
            suite.write(&mut to, &named)?;
            write!(to, "{SUITE_ENDS}{next}")?;
        }
        Ok(())
    }
}

/// Whose part of a case a test is about.
enum Of<'a> {
    /// All that are none of these.
    Models(&'a [Party]),
    Implementation(&'a Party, &'a TargetRecord),
}

impl Of<'_> {
    /// Whether it is about what one of `parties` does.
    fn is_about(&self, parties: &[Party]) -> bool {
        match self {
            Self::Models(others) => !parties.iter().any(|party| others.contains(party)),
            Self::Implementation(own, _) => parties.contains(own),
        }
    }
}

impl Suite {
    fn add(
        &mut self,
        header: &Header,
        case: &CaseRecord,
        of: &Of<'_>,
        took: Option<Duration>,
        fails: &[Fails],
    ) -> io::Result<()> {
        let fails = fails.iter().filter(|fails| of.is_about(&fails.parties));
        let waived = fails
            .clone()
            .filter_map(|fails| fails.found.waived.as_deref());
        let waived = joined(BTreeSet::from_iter(waived), "; ");
        // As its group shows it.
        let fails = fails.min_by_key(|fails| (fails.found.kind, fails.found.begins()));
        let mut status = status(header, case, of, fails, &waived);
        for (party, answers) in flaky::all(case) {
            if of.is_about(std::slice::from_ref(party)) {
                let mut once = TestRerun::new(NonSuccessKind::Failure);
                once.set_type(text(&format!("flaky {party}")));
                once.set_message(text(&answers));
                status.add_rerun(once);
                status.set_rerun_kind(FlakyOrRerun::Flaky);
                self.flaky += 1;
            }
        }
        let passed = matches!(status, TestCaseStatus::Success { .. });
        let mut test = TestCase::new(text(&case.id), status);
        test.set_classname(text(&case.file));
        test.time = took;
        if let Some(took) = took {
            *self.suite.time.get_or_insert_default() += took;
        }
        let told = told(case, of);
        if passed && !told.is_empty() {
            test.set_system_out(lines(&told.join("\n")));
        }
        self.push(test)
    }

    /// Adds a test for each case of which `data` has nothing that can be judged.
    fn add_unjudged(&mut self, data: &StData) -> io::Result<()> {
        let Unjudged {
            broken, no_folder, ..
        } = &data.unjudged;
        let broken = broken.iter().map(|(id, why)| {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_type("cannot be judged");
            status.set_message(text(why));
            (id, status)
        });
        let no_folder = no_folder.iter().map(|id| (id, skipped("no folder here")));
        for (id, status) in broken.chain(no_folder) {
            let mut test = TestCase::new(text(id), status);
            test.set_classname(text(&data.folder));
            self.push(test)?;
        }
        Ok(())
    }

    fn push(&mut self, test: TestCase) -> io::Result<()> {
        self.suite.add_test_case(test);
        let mut alone = TestSuite::new("");
        alone.test_cases.append(&mut self.suite.test_cases);
        let mut report = Report::new("");
        report.test_suites.push(alone);
        let report = report.to_string().map_err(io::Error::other)?;
        // Between these `<` of a text is an entity.
        let ends = report.rfind(SUITE_ENDS).unwrap_or(report.len());
        let begins = report.find("        <testcase").unwrap_or(ends);
        self.tests.write_all(&report.as_bytes()[begins..ends])
    }

    /// Writes the tests, with what is missing in them.
    fn write(
        mut self,
        to: &mut impl Write,
        groups: &HashMap<String, &Divergence>,
    ) -> io::Result<()> {
        self.tests.rewind()?;
        let escaped = |line: &str| html(&text(line)).replace("&#39;", "&apos;");
        for line in BufReader::new(self.tests).lines() {
            let line = line?;
            match line.split(MISSING).collect::<Vec<_>>()[..] {
                ["", group, ""] => {
                    let Some(group) = groups.get(group) else {
                        continue;
                    };
                    writeln!(to, "  in group   {}", escaped(&head(group)))?;
                    let likely = likely(group);
                    for line in told_text(&likely) {
                        writeln!(to, "{}", escaped(&line))?;
                    }
                }
                [before, group, after] => {
                    let name = groups.get(group).map_or("violation", |g| &g.failure_group);
                    writeln!(to, "{before}{}{after}", escaped(name))?;
                }
                _ => writeln!(to, "{line}")?,
            }
        }
        Ok(())
    }
}

const SUITE_ENDS: &str = "    </testsuite>";

/// A suite without its tests, with what the run was told.
fn suite(party: &Option<Party>, header: &Header) -> TestSuite {
    let name = match (party, &header.st_data) {
        (Some(party), _) => party.to_string(),
        (None, Some(data)) => format!("data of {}", data.folder),
        (None, None) => "models".to_owned(),
    };
    let data = match &header.st_data {
        Some(data) => ("data", text(&data.folder)),
        None => ("seed", header.seed.to_string()),
    };
    let mut suite = TestSuite::new(text(&name));
    for (name, value) in [
        ("ptodiff", text(&header.version)),
        data,
        ("schedules", header.schedules.to_string()),
    ] {
        suite.add_property(Property::new(name, value));
    }
    suite
}

/// Writes the record as JUnit XML.
///
/// # Errors
/// What the writer gives.
pub fn write_junit(to: impl Write, header: &Header, cases: &[CaseRecord]) -> io::Result<()> {
    let (mut all, mut groups) = (Junit::new(header), Groups::default());
    for case in cases {
        all.add(case, &Took::default(), &groups.add(case))?;
    }
    all.write(to, &RunTotals::of(header), &groups.sorted(), None)
}

/// What came of a test; where it fails two things are missing in it of its group.
fn status(
    header: &Header,
    case: &CaseRecord,
    of: &Of<'_>,
    fails: Option<&Fails>,
    waived: &str,
) -> TestCaseStatus {
    match fails {
        Some(fails) if fails.is_waived() => return skipped(waived),
        Some(fails) => return failed(header, fails),
        None => {}
    }
    if let Some(data) = &header.st_data {
        return match data.judged(case) {
            [false, false] => {
                let own = case
                    .targets
                    .iter()
                    .filter(|(p, _)| p.target == data.held_to);
                let own = joined(own.map(|(p, t)| part(p, t)), "; ");
                skipped(&format!("nothing is promised: {own}"))
            }
            [_, false] if !data.unjudged.partial => skipped("no output.bin here"),
            _ => TestCaseStatus::success(),
        };
    }
    match of {
        Of::Models(_) if case.is_held() => TestCaseStatus::success(),
        Of::Models(_) => {
            let why = "no target has a result, and the record has no expectation of one";
            skipped(&format!("{why}: {}", parts(case, of)))
        }
        Of::Implementation(party, target) => match target.verdict {
            TargetVerdict::Conforms | TargetVerdict::Rejected => TestCaseStatus::success(),
            TargetVerdict::Unsupported => skipped(&part(party, target)),
            TargetVerdict::Undefined | TargetVerdict::Hangs => {
                skipped(&format!("nothing is promised: {}", part(party, target)))
            }
            TargetVerdict::Violates => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
                status.set_message("the record does not say what is wrong");
                status
            }
        },
    }
}

fn skipped(why: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(text(why));
    status
}

fn failed(header: &Header, fails: &Fails) -> TestCaseStatus {
    let found = &fails.found;
    let missing = format!("{MISSING}{}{MISSING}", fails.group());
    // Whether there was no answer, or a wrong one.
    let kind = match found.failure_group.split(' ').nth(2) {
        Some("crash" | "timeout" | "memory" | "protocol" | "start") => NonSuccessKind::Error,
        _ => NonSuccessKind::Failure,
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(missing.as_str());
    status.set_message(text(&found.brief()));
    let again = [("reproduce", reproduce(header, &found.first))];
    let [found, again] = [&found.found()[..], &again].map(|all| lines(&told_text(all).join("\n")));
    status.set_description(format!("{found}\n{missing}\n{again}\n"));
    status
}

/// What is to be known of a case that passes: by which clauses results differ,
/// or that none were compared.
fn told(case: &CaseRecord, of: &Of<'_>) -> Vec<String> {
    let about = |pair: &&PairRecord| of.is_about(&[pair.targets.0.clone(), pair.targets.1.clone()]);
    let with = |verdict| {
        let pairs = case.pairs.iter().filter(about);
        pairs.filter(move |pair| pair.verdict == verdict)
    };
    let mut out: Vec<String> = with(PairVerdict::Permitted)
        .map(|pair| format!("{}, permitted by {}", differ(pair), pair.clauses.join(", ")))
        .collect();
    if out.is_empty() && with(PairVerdict::Agree).next().is_none() {
        out.push(format!("no two results were compared: {}", parts(case, of)));
    }
    if let Of::Implementation(party, _) = of {
        let own = case
            .unpromised
            .iter()
            .filter(|one| one.got.contains_key(*party));
        out.extend(own.map(|one| {
            let slots = counted(one.slots, "slot");
            format!(
                "differs in {slots} where nothing is promised, by {}",
                one.clause
            )
        }));
    }
    out
}

/// What each party did that the test is about.
fn parts(case: &CaseRecord, of: &Of<'_>) -> String {
    let own = case
        .targets
        .iter()
        .filter(|(party, _)| of.is_about(std::slice::from_ref(party)));
    joined(own.map(|(p, t)| part(p, t)), "; ")
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
