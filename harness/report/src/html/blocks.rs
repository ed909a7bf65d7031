//! All of a case that the list does not show, in blocks.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    io,
};

use ptodiff_isa::Party;
use ptodiff_record::{CaseDetail, CaseRecord, Covers, PairRecord, ReadingUse, TargetRecord};
use serde::Serialize;

use super::pack::Packer;
use crate::group::failure_groups;

/// Cases in one block.
pub const BLOCK: usize = 256;
/// Divergent cases that are shown with values, map and traces.
pub const FULL: usize = 800;
/// The first of them, whatever they show.
pub const FULL_FIRST: usize = 400;
/// Of each failure group, after those.
pub const FULL_EACH: usize = 25;
/// Bytes of the page that texts of cases may take which show no divergence.
pub const TEXTS: usize = 3_000_000;

/// Stands for the name of a case in its text: most texts have it, and nothing
/// in them is more various.
const NAME: char = '\0';

/// The blocks of cases that come one after the other, packed, as the page has them.
#[derive(Default)]
pub(super) struct Blocks {
    shown: Shown,
    /// Cases in the blocks that grow.
    growing: usize,
    rest: Packer,
    texts: Packer,
    /// Blocks that are done.
    all: Vec<String>,
    /// Blocks of texts, the first: as many as [`TEXTS`] has room for.
    all_texts: Vec<String>,
    /// Whether that has room for no more.
    full: bool,
    /// Bytes of the page that the blocks take, and those of them that are texts.
    size: usize,
    texts_size: usize,
}

impl Blocks {
    /// How many bytes of the page they take, about.
    pub(super) fn size(&self) -> usize {
        self.size + self.rest.size() + self.texts.size()
    }

    /// Adds the next case.
    ///
    /// # Errors
    /// As [`Packer`].
    pub(super) fn add(&mut self, case: &CaseRecord) -> io::Result<()> {
        let how = self.shown.next(case);
        let text = text(case, how);
        let before = if self.growing == 0 { b"[" } else { b"," };
        self.rest.add(before)?;
        let rest = rest(case, how, text.is_some());
        self.rest.add(&serde_json::to_vec(&rest)?)?;
        if !self.full {
            self.texts.add(before)?;
            self.texts.add(&serde_json::to_vec(&text)?)?;
        }
        self.growing += 1;
        match self.growing {
            BLOCK => self.close(),
            _ => Ok(()),
        }
    }

    /// Ends the blocks that grow.
    fn close(&mut self) -> io::Result<()> {
        self.growing = 0;
        let rest = closed(&mut self.rest)?;
        self.size += rest.len();
        self.all.push(rest);
        if self.full {
            return Ok(());
        }
        let texts = closed(&mut self.texts)?;
        self.full = self.texts_size + texts.len() > TEXTS;
        if !self.full {
            self.size += texts.len();
            self.texts_size += texts.len();
            self.all_texts.push(texts);
        }
        Ok(())
    }

    /// All of them, as the page has them.
    ///
    /// # Errors
    /// As [`Packer`].
    pub(super) fn done(mut self) -> io::Result<String> {
        if self.growing > 0 {
            self.close()?;
        }
        let named = |name: String, packed: &String| {
            format!("<script type=\"application/octet-stream\" id=\"d-{name}\">{packed}</script>\n")
        };
        let all = self.all.iter().enumerate();
        let all = all.map(|(n, packed)| named(n.to_string(), packed));
        let texts = self.all_texts.iter().enumerate();
        let texts = texts.map(|(n, packed)| named(format!("text-{n}"), packed));
        Ok(all.chain(texts).collect())
    }
}

/// All that was added, with the end of a list.
fn closed(packer: &mut Packer) -> io::Result<String> {
    let mut packer = std::mem::take(packer);
    packer.add(b"]")?;
    packer.done()
}

/// A case without what the columns of the list hold.
#[derive(Serialize)]
struct Rest<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    targets: Cow<'a, BTreeMap<Party, TargetRecord>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pairs: Cow<'a, [PairRecord]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outlier: Option<&'a Party>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    readings: &'a [ReadingUse],
    #[serde(skip_serializing_if = "Option::is_none")]
    name_differs: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    holes: &'a [String],
    #[serde(skip_serializing_if = "Covers::is_empty")]
    covers: &'a Covers,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a CaseDetail>,
    /// Its text stands among the texts, if there is room.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    text: bool,
    /// Values, map and traces are left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
}

/// How much of a case is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    /// All of a case in which something differs.
    Full,
    /// Something differs, as in many like it: no values, map, traces.
    Cut,
    /// Nothing differs.
    Plain,
}

/// How much is shown of cases that come one after the other: of a divergent one
/// all, or, where there are many, of the first of each failure group.
#[derive(Default)]
struct Shown {
    /// Cases that are shown in full.
    full: usize,
    /// Cases that show each failure group in full.
    seen: HashMap<String, usize>,
}

impl Shown {
    fn next(&mut self, case: &CaseRecord) -> How {
        let groups = failure_groups(case);
        if groups.is_empty() {
            return How::Plain;
        }
        let few = |group: &&str| self.seen.get(*group).is_none_or(|n| *n < FULL_EACH);
        let room = self.full < FULL_FIRST || self.full < FULL && groups.keys().any(few);
        if !room {
            return How::Cut;
        }
        self.full += 1;
        for group in groups.into_keys() {
            *self.seen.entry(group.to_owned()).or_default() += 1;
        }
        How::Full
    }
}

/// A case's text for the texts, with its name told by [`NAME`]; none where
/// there is none or it stands with the rest.
fn text(case: &CaseRecord, how: How) -> Option<String> {
    let detail = case.detail.as_ref();
    let yaml = detail.filter(|_| how != How::Full).map(|d| &d.yaml)?;
    // A text with that character would not read back; a name without any would not end.
    let told = !yaml.contains(NAME) && !case.name.is_empty();
    told.then(|| yaml.replace(&case.name, "\0"))
}

/// The rest of a case whose text stands among the texts or does not.
fn rest(case: &CaseRecord, how: How, text: bool) -> Rest<'_> {
    // Mostly an id is a file's stem and the name.
    let stem = case.id.strip_suffix(&case.name);
    let told = stem.is_some_and(|stem| stem.ends_with('/')) && !case.name.contains('/');
    let (targets, pairs) = match how {
        How::Full | How::Plain => (Cow::Borrowed(&case.targets), Cow::Borrowed(&*case.pairs)),
        How::Cut => (
            Cow::Owned(without_slots(&case.targets)),
            Cow::Owned(case.pairs.iter().map(without_values).collect()),
        ),
    };
    Rest {
        name: (!told).then_some(&case.name),
        targets,
        pairs,
        outlier: case.outlier.as_ref(),
        readings: &case.readings,
        name_differs: case.name_differs.as_deref(),
        holes: &case.holes,
        covers: &case.covers,
        detail: case.detail.as_ref().filter(|_| !text),
        text,
        cut: how == How::Cut,
    }
}

fn without_slots(targets: &BTreeMap<Party, TargetRecord>) -> BTreeMap<Party, TargetRecord> {
    let mut targets = targets.clone();
    let findings = targets.values_mut().flat_map(|t| &mut t.findings);
    findings.for_each(|finding| finding.slot = None);
    targets
}

fn without_values(pair: &PairRecord) -> PairRecord {
    PairRecord {
        slots: Vec::new(),
        ..pair.clone()
    }
}
