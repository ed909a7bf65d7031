//! The record of a hunt: what it counted, so that the parts of a hunt can be put
//! together and somebody else can go on from there.
//!
//! Its first line is a [`HuntHeader`]; a line for each thing that was counted follows,
//! in an order of its own; the last one closes it. Lines have checksums as those of a
//! run's record. It holds no case and no clock: its size depends on how many kinds of
//! findings there are, and not on the cases tried.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, BufRead, Write},
};

use ptodiff_case::{Form, Hole};
use ptodiff_isa::Party;
use ptodiff_record::{
    ImplementationRecord, MergeError, Partition, PartyText, ReadError, SealedReader, SealedWriter,
    Verdict, joined, sealed_schema,
};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Deserialize, Serialize, Serializer};

use crate::{Asked, Found, Group, Relation, Seen};

/// The format's version: a reader takes no other one.
pub const HUNT_FORMAT: u32 = 1;

/// What a hunt was: enough to repeat it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HuntHeader {
    /// [`HUNT_FORMAT`] of the writer.
    pub ptodiff_hunt: u32,
    /// Version of ptodiff that wrote it: another one may draw other cases.
    pub version: String,
    /// Root seed of cases and data.
    pub seed: u64,
    /// Cases of the whole hunt.
    pub count: u64,
    /// What else chose the cases, as options of the command and their values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// BLAKE3 of the calls of the program that cases were drawn for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lattice: Option<String>,
    /// Implementations that took part, in the order given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub implementations: Vec<ImplementationRecord>,
    /// Which part of the hunt this is, as `2/4`; none of a whole one.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "fraction"
    )]
    pub part: Option<Partition>,
}

fn fraction<S: Serializer>(part: &Option<Partition>, to: S) -> Result<S::Ok, S::Error> {
    part.map(Partition::fraction).serialize(to)
}

impl HuntHeader {
    /// How many cases its record is about.
    #[must_use]
    pub fn cases(&self) -> u64 {
        let share = self.share();
        share.end - share.start
    }

    fn share(&self) -> std::ops::Range<u64> {
        self.part
            .map_or(0..self.count, |part| part.share(self.count))
    }

    /// The part, where a whole hunt is the only one.
    fn partition(&self) -> Option<Partition> {
        self.part.or_else(|| Partition::new(1, 1).ok())
    }
}

/// A line between the first and the last.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Line {
    /// How many cases came to what: always there, the first of all.
    Tried {
        verdicts: BTreeMap<Verdict, u64>,
        relations: BTreeMap<String, u64>,
        readings: u64,
        several: u64,
    },
    /// How often an implementation was asked.
    Asked {
        #[schemars(with = "PartyText")]
        party: Party,
        cases: u64,
        unsupported: u64,
        /// Numbers of the first cases to which it conforms, or that it rejects as it should.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        right: Vec<u64>,
    },
    /// Holes of a group that showed together.
    Holes {
        form: String,
        holes: Vec<String>,
        count: u64,
        first: u64,
    },
    /// What no clause explains.
    Unexplained(Failures),
    /// What an implementation did wrong.
    Violation(Failures),
    /// What it did wrong once.
    Flaky(Failures),
}

/// Failures of one group.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Failures {
    failure_group: String,
    count: u64,
    first: u64,
    /// Numbers of the first few cases of a violation, to be looked at again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cases: Vec<u64>,
}

/// Writes the record of what was `found`.
///
/// # Errors
/// What the writer gives.
pub fn write_record(to: impl Write, header: &HuntHeader, found: &Found) -> io::Result<()> {
    let mut to = SealedWriter::new(to);
    to.put(header)?;
    let relations = found.relations.iter();
    to.put(&Line::Tried {
        verdicts: found.verdicts.clone(),
        relations: relations
            .map(|(name, n)| ((*name).to_owned(), *n))
            .collect(),
        readings: found.readings,
        several: found.several,
    })?;
    for (party, asked) in &found.asked {
        to.put(&Line::Asked {
            party: party.clone(),
            cases: asked.cases,
            unsupported: asked.unsupported,
            right: numbers(found.right.get(party)),
        })?;
    }
    for (group, together) in &found.holes {
        for (holes, seen) in together {
            to.put(&Line::Holes {
                form: group.form.to_string(),
                holes: holes.iter().map(ToString::to_string).collect(),
                count: seen.count,
                first: seen.first,
            })?;
        }
    }
    let none = BTreeMap::new();
    for (line, all, few) in [
        (Line::Unexplained as fn(_) -> _, &found.unexplained, &none),
        (Line::Violation, &found.implementations, &found.wrong),
        (Line::Flaky, &found.flaky, &none),
    ] {
        for (failure_group, seen) in all {
            to.put(&line(Failures {
                failure_group: failure_group.clone(),
                count: seen.count,
                first: seen.first,
                cases: numbers(few.get(failure_group)),
            }))?;
        }
    }
    to.finish()
}

fn numbers(all: Option<&BTreeSet<u64>>) -> Vec<u64> {
    all.into_iter().flatten().copied().collect()
}

/// The JSON Schema of a line of the record of a hunt, from the types that write one.
///
/// `reports/hunt-record.schema.json` is this, kept fresh by a test.
#[must_use]
pub fn schema() -> serde_json::Value {
    let mut generator = SchemaSettings::draft07().into_generator();
    let header = generator.subschema_for::<HuntHeader>();
    let line = generator.subschema_for::<Line>();
    sealed_schema(
        &format!("A line of the record of a ptodiff hunt, of format {HUNT_FORMAT}"),
        "The first line is the header, the second says what came of the cases, the last one closes the record, every line between them is something that was counted.",
        vec![header.into(), line.into()],
        generator.take_definitions(true),
    )
}

/// Reads the header of a record alone: nothing is known of the lines that follow.
///
/// # Errors
/// See [`ReadError`].
pub fn read_header(from: impl BufRead) -> Result<HuntHeader, ReadError> {
    header(&mut SealedReader::new(from))
}

fn header<R: BufRead>(from: &mut SealedReader<R>) -> Result<HuntHeader, ReadError> {
    /// The version is looked at before anything else.
    #[derive(Deserialize)]
    struct Version {
        ptodiff_hunt: u64,
    }
    let first = from.line()?.ok_or(ReadError::Empty)?;
    let version = serde_json::from_str::<Version>(&first).map_err(|_| ReadError::NoHunt)?;
    if version.ptodiff_hunt != u64::from(HUNT_FORMAT) {
        return Err(ReadError::OtherHunt {
            found: version.ptodiff_hunt,
            own: HUNT_FORMAT,
        });
    }
    from.read(&first)
}

/// Reads a record whole or not at all.
///
/// # Errors
/// See [`ReadError`].
pub fn read_record(from: impl BufRead) -> Result<(HuntHeader, Found), ReadError> {
    let mut from = SealedReader::new(from);
    let header = header(&mut from)?;
    let mut found = Found::default();
    let mut is_tried = false;
    while let Some(line) = from.line()? {
        let read: Line = from.read(&line)?;
        if is_tried == matches!(read, Line::Tried { .. }) {
            return Err(from.damaged("what came of the cases is told once, in the second line"));
        }
        is_tried = true;
        add(&mut found, &header, read).map_err(|why| from.damaged(why))?;
    }
    match is_tried {
        true => Ok((header, found)),
        false => Err(from.damaged("what came of the cases is not told")),
    }
}

/// Adds what a line says.
fn add(found: &mut Found, header: &HuntHeader, line: Line) -> Result<(), String> {
    let share = header.share();
    let is_there = |number: &u64| match share.contains(number) {
        true => Ok(()),
        false => Err(format!(
            "case {number} is none of {} to {}",
            share.start, share.end
        )),
    };
    let seen = |count, first| {
        is_there(&first)?;
        (count > 0)
            .then_some(Seen { count, first })
            .ok_or_else(|| "it counts no case".to_owned())
    };
    let (all, one) = match line {
        Line::Tried {
            verdicts,
            relations,
            readings,
            several,
        } => {
            let sum = verdicts
                .values()
                .try_fold(0, |sum: u64, n| sum.checked_add(*n));
            if sum != Some(header.cases()) {
                return Err(format!("it is not about {} cases", header.cases()));
            }
            found.cases = header.cases();
            (found.verdicts, found.readings, found.several) = (verdicts, readings, several);
            for (name, count) in relations {
                let known: Result<Relation, _> = name.parse();
                let known = known.map_err(|_| format!("`{name}` is no relation"))?;
                found.relations.insert(known.into(), count);
            }
            return Ok(());
        }
        Line::Asked {
            party,
            cases,
            unsupported,
            right,
        } => {
            right.iter().try_for_each(is_there)?;
            if !right.is_empty() {
                let right = right.into_iter().collect();
                found.right.insert(party.clone(), right);
            }
            let asked = Asked { cases, unsupported };
            return once(found.asked.insert(party, asked));
        }
        Line::Holes {
            form,
            holes,
            count,
            first,
        } => {
            let form: Form = form.parse().map_err(|_| format!("`{form}` is no form"))?;
            let hole = |text: &String| text.parse().map_err(|e| format!("`{text}`: {e}"));
            let holes: Vec<Hole> = holes.iter().map(hole).collect::<Result<_, _>>()?;
            let one = holes.first().ok_or("it names no hole")?;
            let group = Group::of(form, one);
            if holes.iter().any(|hole| Group::of(form, hole) != group) {
                return Err("its holes are of different kinds or clauses".to_owned());
            }
            let group = found.holes.entry(group).or_default();
            return once(group.insert(holes, seen(count, first)?));
        }
        Line::Unexplained(one) => (&mut found.unexplained, one),
        Line::Violation(mut one) => {
            one.cases.iter().try_for_each(is_there)?;
            let few = std::mem::take(&mut one.cases).into_iter().collect();
            found.wrong.insert(one.failure_group.clone(), few);
            (&mut found.implementations, one)
        }
        Line::Flaky(one) => (&mut found.flaky, one),
    };
    once(all.insert(one.failure_group, seen(one.count, one.first)?))
}

fn once<T>(before: Option<T>) -> Result<(), String> {
    match before {
        None => Ok(()),
        Some(_) => Err("the same is told twice".to_owned()),
    }
}

/// Of so many parts it is said which are missing.
const MOST_PARTS: usize = 1 << 16;

/// Puts the records of all parts of a hunt together, each with a name for messages, and
/// writes the whole as one hunt would have written it, to the byte; returns its header.
/// They may come in any order. Memory holds what was found, and no more.
///
/// # Errors
/// If a record is damaged, two are of different hunts, a part is missing or there
/// twice, or the whole cannot be written.
pub fn merge_records<R: BufRead>(
    records: impl IntoIterator<Item = (String, R)>,
    to: impl Write,
) -> Result<HuntHeader, MergeError> {
    let mut all: Option<(String, HuntHeader, Found)> = None;
    let mut given: BTreeMap<u32, String> = BTreeMap::new();
    for (name, from) in records {
        let (header, found) = match read_record(from) {
            Ok(read) => read,
            Err(why) => return Err(MergeError::Read { name, why }),
        };
        if let Some((first, own, _)) = &all {
            same_hunt((first, own), (&name, &header))?;
        }
        if let Some(part) = header.partition()
            && let Some(first) = given.insert(part.part(), name.clone())
        {
            return Err(MergeError::Twice {
                first,
                second: name,
                part: part.fraction(),
            });
        }
        match &mut all {
            None => all = Some((name, header, found)),
            Some((_, _, all)) => all.merge(found),
        }
    }
    let (_, header, found) = all.ok_or(MergeError::Nothing)?;
    let parts = header.partition().map(Partition::siblings);
    let parts = parts.into_iter().flatten().take(MOST_PARTS);
    let parts: Vec<Partition> = parts.filter(|p| !given.contains_key(&p.part())).collect();
    if !parts.is_empty() {
        return Err(MergeError::Gap {
            missing: header.count - found.cases,
            of: header.count,
            parts,
        });
    }
    let header = HuntHeader {
        part: None,
        ..header
    };
    write_record(to, &header, &found)?;
    Ok(header)
}

fn same_hunt(a: (&str, &HuntHeader), b: (&str, &HuntHeader)) -> Result<(), MergeError> {
    let shown = |header: &HuntHeader| -> [(&'static str, String); 7] {
        let options = header.options.iter();
        let options = options.map(|(o, v)| format!("{o} {v}").trim_end().to_owned());
        let implementations = header.implementations.iter().map(|one| {
            let text = format!("{} {}", one.party, one.introduced);
            text.trim_end().to_owned()
        });
        let or_none = |text: String| match text.is_empty() {
            true => "none".to_owned(),
            false => text,
        };
        let parts = header.partition().map_or(0, Partition::parts);
        [
            ("versions of ptodiff", header.version.clone()),
            ("seeds", header.seed.to_string()),
            ("counts", header.count.to_string()),
            ("options", or_none(joined(options, " "))),
            (
                "lattices",
                or_none(header.lattice.clone().unwrap_or_default()),
            ),
            ("implementations", or_none(joined(implementations, " "))),
            ("numbers of parts", parts.to_string()),
        ]
    };
    let mut both = shown(a.1).into_iter().zip(shown(b.1));
    match both.find(|(ours, others)| ours != others) {
        None => Ok(()),
        Some(((what, theirs), (_, others))) => Err(MergeError::Differ {
            first: a.0.to_owned(),
            second: b.0.to_owned(),
            of: "hunt",
            what,
            theirs: theirs.into(),
            others: others.into(),
        }),
    }
}
