//! The faces of a record: each made from the record alone, in one pass.

use std::{
    borrow::Cow,
    env,
    io::{self, Write},
};

use anstream::adapter::strip_bytes;
use ptodiff_isa::Party;
use ptodiff_record::{CaseRecord, Diagnosis, Header, TargetVerdict, Verdict};
use ptodiff_report::{
    Annotations, Groups, Junit, Markdown, PageWriter, Summary, coverage::Spoken, plain, summary,
};

use crate::sources::TESTS;

/// The faces that are asked for. Each takes every case once and keeps as little of
/// it as it can: a record may be larger than memory.
pub(crate) struct Faces {
    header: Header,
    came: Came,
    text: Option<Text>,
    page: Option<PageWriter>,
    junit: Option<Junit>,
    markdown: Option<Markdown>,
    annotations: Option<Annotations>,
    coverage: Option<Spoken>,
}

/// A face of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Face {
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

impl Faces {
    /// These faces of a record with this header.
    pub(crate) fn new(header: &Header, asked: &[Face]) -> Self {
        let is = |face| asked.contains(&face);
        Self {
            header: header.clone(),
            came: Came::of(header),
            text: is(Face::Text).then(Text::default),
            page: is(Face::Page).then(|| PageWriter::new(header)),
            junit: is(Face::Junit).then(|| Junit::new(header)),
            markdown: is(Face::Markdown).then(Markdown::default),
            annotations: is(Face::Annotations).then(Annotations::default),
            coverage: is(Face::Coverage).then(Spoken::default),
        }
    }

    /// Adds the next case.
    ///
    /// # Errors
    /// What the file system gives: of the largest faces a part lies there meanwhile.
    pub(crate) fn add(&mut self, case: &CaseRecord) -> io::Result<()> {
        let plain = match self.text.is_some() || self.page.is_some() {
            true => plain::case(case),
            false => Cow::Borrowed(case),
        };
        self.came.add(case);
        if let Some(text) = &mut self.text {
            text.add(&plain);
        }
        if let Some(page) = &mut self.page {
            page.add(&plain)?;
        }
        if let Some(junit) = &mut self.junit {
            junit.add(case)?;
        }
        if let Some(markdown) = &mut self.markdown {
            markdown.add(case);
        }
        if let Some(annotations) = &mut self.annotations {
            annotations.add(case);
        }
        if let Some(coverage) = &mut self.coverage {
            coverage.add(case);
        }
        Ok(())
    }

    /// Adds what may be behind failures, after all cases.
    pub(crate) fn diagnosed(&mut self, diagnoses: &[Diagnosis]) {
        for diagnosis in diagnoses {
            let plain = plain::diagnosis(diagnosis);
            if let Some(text) = &mut self.text {
                text.groups.diagnosed(&plain);
            }
            if let Some(page) = &mut self.page {
                page.diagnosed(&plain);
            }
            if let Some(markdown) = &mut self.markdown {
                markdown.diagnosed(diagnosis);
            }
        }
    }

    /// What the cases came to.
    pub(crate) const fn came(&self) -> &Came {
        &self.came
    }

    /// The header, for what is told beside the record: the files say what that does.
    pub(crate) const fn header_mut(&mut self) -> &mut Header {
        &mut self.header
    }

    /// Writes a face, once; nothing of one that was not asked for.
    ///
    /// # Errors
    /// What the writer gives.
    pub(crate) fn write(&mut self, face: Face, mut to: impl Write) -> io::Result<()> {
        match face {
            Face::Text => to.write_all(&self.text()?),
            Face::Page => match self.page.take() {
                Some(page) => page.write(to, TESTS),
                None => Ok(()),
            },
            Face::Junit => match self.junit.take() {
                Some(junit) => junit.write(to),
                None => Ok(()),
            },
            Face::Markdown => match self.markdown.take() {
                Some(markdown) => markdown.write(to, &self.header),
                None => Ok(()),
            },
            Face::Annotations => match self.annotations.take() {
                Some(annotations) => annotations.write(to, &self.header),
                None => Ok(()),
            },
            Face::Coverage => match self.coverage.take() {
                Some(coverage) => {
                    serde_json::to_writer_pretty(&mut to, &coverage.coverage(TESTS))?;
                    to.write_all(b"\n")
                }
                None => Ok(()),
            },
        }
    }

    /// What a run prints at its end, as often as it is asked for.
    ///
    /// # Errors
    /// None in practice: memory takes everything.
    pub(crate) fn text(&mut self) -> io::Result<Vec<u8>> {
        match &mut self.text {
            Some(text) => text.written(&self.header),
            None => Ok(Vec::new()),
        }
    }
}

/// What a run prints at its end: divergences by failure group, counts, coverage.
#[derive(Default)]
struct Text {
    groups: Groups,
    summary: Summary,
    spoken: Spoken,
}

impl Text {
    fn add(&mut self, case: &CaseRecord) {
        self.groups.add(case);
        self.summary.add(case);
        self.spoken.add(case);
    }

    fn written(&self, header: &Header) -> io::Result<Vec<u8>> {
        let mut to = Vec::new();
        let header = plain::header(header);
        ptodiff_report::write_groups(&mut to, &header, &self.groups.clone().sorted())?;
        summary::write(&mut to, &self.summary)?;
        if self.spoken.has_something() {
            let coverage = self.spoken.coverage(TESTS);
            ptodiff_report::coverage::write_line(&mut to, &coverage)?;
        }
        Ok(to)
    }
}

/// What the cases of a run came to, as far as its exit code tells.
pub(crate) struct Came {
    pub(crate) cases: usize,
    pub(crate) violations: usize,
    /// Whether anything was held to anything, or something was promised.
    pub(crate) shown: bool,
    /// Implementations, and whether each had an answer to any case.
    implementations: Vec<(Party, bool)>,
}

impl Came {
    /// Of a run with this header.
    fn of(header: &Header) -> Self {
        let implementations = header.implementations.iter();
        Self {
            cases: 0,
            violations: 0,
            shown: false,
            implementations: implementations.map(|i| (i.party.clone(), false)).collect(),
        }
    }

    fn add(&mut self, case: &CaseRecord) {
        self.cases += 1;
        self.violations += usize::from(case.verdict == Verdict::Violation);
        let promised = |t: &ptodiff_record::TargetRecord| t.verdict != TargetVerdict::Undefined;
        self.shown |= case.is_held() || case.targets.values().any(promised);
        for (party, answered) in &mut self.implementations {
            let own = case.targets.get(party);
            *answered |= own.is_some_and(|t| t.verdict != TargetVerdict::Unsupported);
        }
    }

    /// Implementations that could run no case.
    pub(crate) fn idle(&self) -> Vec<&Party> {
        let idle = self
            .implementations
            .iter()
            .filter(|(_, answered)| !answered);
        idle.map(|(party, _)| party).collect()
    }
}

/// `text` as a file has it.
pub(crate) fn without_colours(text: &[u8]) -> Vec<u8> {
    strip_bytes(text).into_vec()
}

/// Whether this runs as a step of a job on GitHub, which reads annotations.
pub(crate) fn on_github() -> bool {
    env::var_os("GITHUB_ACTIONS").is_some_and(|v| v == "true")
}
