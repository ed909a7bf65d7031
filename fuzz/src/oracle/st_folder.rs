//! The files of a data folder: their order is turned into that of the values
//! and back, and whatever they hold is judged.

use ptodiff_case::Case;
use ptodiff_data::st::{self, GOLDEN, OUTPUT, Stored};
use ptodiff_isa::Target;
use ptodiff_runner::{Options, ResultFile, judge_result_files};

use super::{Finding, record};
use crate::corpus;

/// From the bytes of a file to values in logical order.
pub type Unpack = fn(&Stored<'_>, &[u8]) -> Vec<u8>;

/// The small mirrored cases.
pub fn mirrored() -> impl Iterator<Item = &'static Case> {
    let small = corpus::small().iter().copied();
    small.filter(|case| case.suite.is_some())
}

/// The case that the first two bytes name, by its number among the small
/// mirrored ones, and the bytes that are left.
fn chosen(bytes: &[u8]) -> Option<(&'static Case, Target, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<2>()?;
    let count = mirrored().count().max(1);
    let case = mirrored().nth(usize::from(u16::from_le_bytes(*number)) % count)?;
    Some((case, case.suite?, rest))
}

/// So many bytes: those given, over and over, each time a little changed.
fn filled(bytes: &[u8], len: usize) -> Vec<u8> {
    let mut from = bytes.iter().copied().cycle();
    let at = |n: usize| {
        let times = n / bytes.len().max(1);
        from.next().unwrap_or(0).wrapping_add(times as u8)
    };
    (0..len).map(at).collect()
}

/// Holds what reads a folder to account: the first two bytes choose a case,
/// the others fill its files.
///
/// # Errors
/// If a file is another once its values are put back, two values have one
/// place, or what is judged cannot be written down and read.
pub fn any_bytes(bytes: &[u8], unpack: Unpack) -> Finding {
    let Some((case, suite, rest)) = chosen(bytes) else {
        return Ok(());
    };
    let mut given = case.clone();
    for file in st::inputs(suite, &case.call, case.chunks) {
        let values = values(&file, rest, unpack)?;
        given.data.set_literal(file.role, values);
    }
    given.expect.clear();
    let mut results = Vec::new();
    for (name, from) in [(GOLDEN, rest), (OUTPUT, &rest[rest.len() / 2..])] {
        if let Some(file) = st::result(suite, &case.call, name) {
            let values = values(&file, from, unpack)?;
            results.push((file, values));
        }
    }
    let parties: Vec<ResultFile<'_>> = results
        .iter()
        .map(|(file, values)| ResultFile { file, values })
        .collect();
    let options = Options {
        details: true,
        schedules: 1,
        ..Options::default()
    };
    match judge_result_files(&given, suite, &parties, &options) {
        Ok(judged) => record::reads_back(&options.header(1), &[judged]),
        Err(why) if why.is_empty() => Err("not judged, without a word".to_owned()),
        Err(_) => Ok(()),
    }
}

/// The values of a file filled with `bytes`.
fn values(file: &Stored<'_>, bytes: &[u8], unpack: Unpack) -> Result<Vec<u8>, String> {
    let len = file.len().and_then(|len| usize::try_from(len).ok());
    let stored = filled(bytes, len.ok_or("a file of no size")?);
    let values = unpack(file, &stored);
    if file.packed(&values) != stored {
        let name = file.name;
        return Err(format!("{name} is another once its values are put back"));
    }
    let mut places = file.places(stored.len());
    places.sort_unstable();
    let count = stored.len() / file.dtype().size();
    match places.into_iter().eq(0..count) {
        true => Ok(values),
        false => Err(format!("two values of {} have one place", file.name)),
    }
}
