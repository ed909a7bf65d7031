//! All of a case that the list does not show, in blocks.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    io,
};

use ptodiff_isa::Party;
use ptodiff_record::{CaseDetail, CaseRecord, Covers, PairRecord, ReadingUse, TargetRecord};
use rayon::prelude::*;
use serde::Serialize;

use super::{columns::failure_groups_of, pack::pack};

/// Cases in one block.
pub const BLOCK: usize = 256;
/// Divergent cases that are shown with values, map and traces.
pub const FULL: usize = 800;
/// Of each failure group, where there are more divergent cases than [`FULL`].
pub const FULL_EACH: usize = 25;
/// Bytes of the page that texts of cases may take which show no divergence.
pub const TEXTS: usize = 3_500_000;

/// Stands for the name of a case in its text: most texts have it, and nothing
/// in them is more various.
const NAME: char = '\0';

/// The blocks, packed.
#[derive(Serialize)]
pub(super) struct Blocks {
    /// Cases, in the order of the record.
    cases: Vec<String>,
    /// Texts of cases, those of the first blocks: as many as [`TEXTS`] has room for.
    texts: Vec<String>,
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

/// The blocks of `cases`.
///
/// # Errors
/// As [`pack`].
pub(super) fn blocks(cases: &[CaseRecord]) -> io::Result<Blocks> {
    let shown = shown(cases);
    let block = |(cases, shown): (&[CaseRecord], &[How])| {
        let both = cases.iter().zip(shown);
        let texts: Vec<_> = both.clone().map(|(case, how)| text(case, *how)).collect();
        let rest = both
            .zip(&texts)
            .map(|((case, how), text)| rest(case, *how, text.is_some()));
        let rest: Vec<Rest<'_>> = rest.collect();
        Ok((pack(&rest)?, pack(&texts)?))
    };
    let blocks = cases.par_chunks(BLOCK).zip(shown.par_chunks(BLOCK));
    let packed: io::Result<Vec<(String, String)>> = blocks.map(block).collect();
    let (cases, mut texts): (Vec<_>, Vec<_>) = packed?.into_iter().unzip();
    let mut taken = 0;
    let fits = |text: &&String| {
        taken += text.len();
        taken <= TEXTS
    };
    let fitting = texts.iter().take_while(fits).count();
    texts.truncate(fitting);
    Ok(Blocks { cases, texts })
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

/// How much is shown of each case: of a divergent one all, or, where there are
/// many, of the first of each failure group.
fn shown(cases: &[CaseRecord]) -> Vec<How> {
    let failure_groups: Vec<Vec<&str>> = cases.iter().map(failure_groups_of).collect();
    let divergent = failure_groups.iter().filter(|s| !s.is_empty()).count();
    let each = if divergent > FULL { FULL_EACH } else { FULL };
    let mut room = FULL;
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut out = Vec::with_capacity(cases.len());
    for failure_groups in &failure_groups {
        let few = |s: &&str| seen.get(s).is_none_or(|n| *n < each);
        out.push(if failure_groups.is_empty() {
            How::Plain
        } else if room == 0 || !failure_groups.iter().any(few) {
            How::Cut
        } else {
            room -= 1;
            for failure_group in failure_groups {
                *seen.entry(failure_group).or_default() += 1;
            }
            How::Full
        });
    }
    out
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
