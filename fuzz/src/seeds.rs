//! Seeds: inputs that stand for what is in `cases/`.

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

use ptodiff_asm::forms;
use ptodiff_case::{Case, Corpus, case_yaml};
use ptodiff_data::{npy, place};
use ptodiff_generate::random::{Choices, Series};
use ptodiff_impl::{
    frame,
    message::{Reply, Returned},
};
use ptodiff_isa::Role;
use ptodiff_runner::{Options, run};

use crate::corpus;
use crate::oracle::st_folder;
use crate::target::{
    ANSWER, ASM, CASE_READER, HOLES, NPY, RECORD, Reads, ST_FOLDER, ST_NAME, Target,
};

/// Largest text that is a seed: longer ones are slow and show nothing more.
const MOST_TEXT: usize = 4 << 10;

/// Of so many small cases one is a seed of the case reader: it is slow, and
/// most cases are written with the same keys.
const ONE_IN: usize = 8;

/// A seed, or an input near one: the name of its file, and its bytes.
pub type Seed = (String, Vec<u8>);

/// The bytes of small case `number`: itself, in order, without any change.
#[must_use]
pub fn of_case(number: u16) -> Vec<u8> {
    let [low, high] = number.to_le_bytes();
    vec![3, 0, low, high]
}

/// The seeds of `target`: one a small case where it reads cases, and texts
/// from `corpus` where it reads texts.
#[must_use]
pub fn of(target: &Target, corpus: &Corpus) -> Vec<Seed> {
    let mut seeds = Vec::new();
    if let Reads::Case(_) | Reads::CaseOrText(..) = target.reads {
        let numbers = 0..u16::try_from(corpus::small().len()).unwrap_or(u16::MAX);
        seeds.extend(numbers.map(|number| (format!("case-{number:05}"), of_case(number))));
    }
    let texts: BTreeSet<String> = match target.name {
        name if name == CASE_READER.name => {
            let files = corpus.files.iter().map(|file| file.text.clone());
            let cases = small_ones().step_by(ONE_IN).map(case_yaml);
            cases.chain(files).collect()
        }
        name if name == ST_NAME.name => {
            let mirrored = corpus.cases.iter().filter(|case| case.suite.is_some());
            mirrored.map(|case| case.name.clone()).collect()
        }
        name if name == ASM.name => small_ones().enumerate().filter_map(one_form).collect(),
        _ => BTreeSet::new(),
    };
    let short = texts.into_iter().filter(|text| text.len() <= MOST_TEXT);
    let named = short.enumerate();
    seeds.extend(named.map(|(number, text)| (format!("text-{number:05}"), text.into_bytes())));
    let bytes: BTreeSet<Vec<u8>> = match target.name {
        name if name == NPY.name => small_ones().filter_map(array).collect(),
        name if name == RECORD.name => small_ones().step_by(14).filter_map(record).collect(),
        name if name == ANSWER.name => answers(),
        name if name == ST_FOLDER.name => folders(),
        _ => BTreeSet::new(),
    };
    let named = bytes.into_iter().enumerate();
    seeds.extend(named.map(|(number, bytes)| (format!("bytes-{number:05}"), bytes)));
    seeds
}

fn small_ones() -> impl Iterator<Item = &'static Case> {
    corpus::small().iter().copied()
}

/// The output of a case as an array, its bytes those of its id.
fn array(case: &Case) -> Option<Vec<u8>> {
    let operand = case.call.operand(case.call.output())?;
    let len = usize::try_from(place::bytes(operand)?).ok()?;
    let data: Vec<u8> = case.id.bytes().cycle().take(len).collect();
    let mut out = Vec::new();
    npy::write(&mut out, operand.dtype(), &place::extents(operand), &data).ok()?;
    (out.len() <= MOST_TEXT).then_some(out)
}

/// Largest record that is a seed.
const MOST_RECORD: usize = 16 << 10;

/// The record of a run of one case.
fn record(case: &Case) -> Option<Vec<u8>> {
    let options = Options {
        schedules: 1,
        jobs: 1,
        ..Options::default()
    };
    let mut out = Vec::new();
    let records = run(std::slice::from_ref(case), &options).ok()?;
    ptodiff_record::write(&mut out, &options.header(1), &records).ok()?;
    (out.len() <= MOST_RECORD).then_some(out)
}

/// Answers of every kind.
fn answers() -> BTreeSet<Vec<u8>> {
    let of = |id: u64| {
        let why = format!("no. {id}");
        let bytes = id % 48;
        let regions = vec![Returned {
            role: Role::Table,
            bytes,
            parts: id.is_multiple_of(3).then_some(id % 4),
        }];
        let out_of_bounds = id;
        [
            Reply::Hello {
                protocol: 2,
                name: why.clone(),
                batch: Some(8),
                jobs: Some(2),
                sparse: true,
            },
            Reply::Sorry { why: why.clone() },
            Reply::Done {
                id,
                regions,
                bytes,
                out_of_bounds,
            },
            Reply::Rejected {
                id,
                why: why.clone(),
                clause: Some(why.clone()),
            },
            Reply::Hangs { id },
            Reply::Unsupported { id, why },
        ]
    };
    let written = |reply: &Reply| {
        let payload = match reply {
            Reply::Done { bytes, .. } => vec![7; *bytes as usize],
            _ => Vec::new(),
        };
        let mut out = Vec::new();
        // A vector takes all that is written to it.
        let _ = frame::write(&mut out, reply, &[&payload]);
        out
    };
    (0..48).flat_map(of).map(|reply| written(&reply)).collect()
}

/// Folders of every small mirrored case.
fn folders() -> BTreeSet<Vec<u8>> {
    let count = u16::try_from(st_folder::mirrored().count()).unwrap_or(u16::MAX);
    let of = |number: u16| {
        let [low, high] = number.to_le_bytes();
        [&[0][..], &[1, 2, 3, 5, 8, 13, 21], &[255, 128, 0, 127]]
            .map(|fill| [&[low, high][..], fill].concat())
    };
    (0..count).flat_map(of).collect()
}

/// One form of the call of case `number`, in turn another one.
fn one_form((number, case): (usize, &Case)) -> Option<String> {
    let mut forms = forms(&case.call);
    let at = number.checked_rem(forms.len())?;
    Some(forms.swap_remove(at).text)
}

/// The inputs of a check of `target` without a fuzzer: its seeds, and `count` inputs near
/// them; a tenth of that near records, since a page is made of each.
#[must_use]
pub fn to_check(target: &Target, corpus: &Corpus, count: usize) -> Vec<Seed> {
    let mut inputs = of(target, corpus);
    let count = match target.name {
        // A new hole is a find, not a fault, and near a case there may be one.
        name if name == HOLES.name => 0,
        name if name == RECORD.name => count / 10,
        _ => count,
    };
    inputs.extend(near(&inputs, count));
    inputs
}

/// `count` inputs near those of `seeds`: the same ones every time.
#[must_use]
pub fn near(seeds: &[Seed], count: usize) -> Vec<Seed> {
    let series = Series::new(0);
    let one = |number: u64| {
        let mut choices = series.number(number);
        let from = choices.below(seeds.len() as u64) as usize;
        let seed = seeds.get(from);
        let mut bytes = seed.map_or(Vec::new(), |(_, bytes)| bytes.clone());
        for _ in 0..=choices.below(4) {
            spoil(&mut bytes, &mut choices);
        }
        (format!("near-{number:05}"), bytes)
    };
    (0..count as u64).map(one).collect()
}

/// Adds a few bytes at the end, changes one, takes one out or doubles a part.
fn spoil(bytes: &mut Vec<u8>, choices: &mut impl Choices) {
    let at = choices.below(bytes.len() as u64) as usize;
    let len = 1 + choices.below(12) as usize;
    match choices.below(4) {
        0 | 1 if bytes.len() < MOST_TEXT => {
            bytes.extend((0..len).map(|_| choices.below(256) as u8));
        }
        2 if at < bytes.len() => bytes[at] = choices.below(256) as u8,
        3 if at < bytes.len() => {
            let part = bytes[at..].iter().take(len).copied().collect::<Vec<_>>();
            match choices.below(2) {
                0 => drop(bytes.drain(at..at + part.len())),
                _ => drop(bytes.splice(at..at, part)),
            }
        }
        _ => {}
    }
}

/// Writes the seeds of `target`, or `most` of them from here and there, into
/// `folder`, beside what is there; how many they are.
///
/// # Errors
/// What the file system gives.
pub fn write(target: &Target, corpus: &Corpus, most: usize, folder: &Path) -> io::Result<usize> {
    fs::create_dir_all(folder)?;
    let seeds = of(target, corpus);
    let apart = seeds.len().div_ceil(most.max(1)).max(1);
    let chosen = seeds.iter().step_by(apart);
    let count = chosen.len();
    for (name, bytes) in chosen {
        fs::write(folder.join(name), bytes)?;
    }
    Ok(count)
}
