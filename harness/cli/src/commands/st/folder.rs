//! One data folder: from its files to a case with exactly these bytes.

use std::{fs, path::Path};

use ptodiff_case::Case;
use ptodiff_data::{
    file::{self, FileError},
    st::{self, GOLDEN, OUTPUT, Stored},
};
use ptodiff_isa::Target;
use ptodiff_record::CaseRecord;
use ptodiff_runner::{Options, ResultFile, judge_result_files};

/// Judges the results in `folder` under the contract of `held_to`.
///
/// # Errors
/// What is wrong with the folder's files, or why nothing is judged, in one line.
pub(super) fn judged(
    folder: &Path,
    case: &Case,
    suite: Target,
    held_to: Target,
    options: &Options,
) -> Result<CaseRecord, String> {
    let kind = fs::symlink_metadata(folder).map_err(|e| e.to_string())?;
    if !kind.is_dir() {
        return Err("not a plain folder".to_owned());
    }
    let mut given = case.clone();
    for input in st::inputs(suite, &case.call, case.chunks) {
        let values = input.unpacked(&bytes(folder, &input)?);
        given.data.set_literal(input.role, values);
    }
    // What a case expects was worked out for data of its own.
    given.expect.clear();
    given.covers.clear();
    given.gap = None;
    given.holes.clear();
    let results = results(folder, suite, case)?;
    let parties: Vec<ResultFile<'_>> = results
        .iter()
        .map(|(file, values)| ResultFile { file, values })
        .collect();
    judge_result_files(&given, held_to, &parties, options)
}

/// The results that the folder has, at least one, in logical order.
fn results<'a>(
    folder: &Path,
    suite: Target,
    case: &'a Case,
) -> Result<Vec<(Stored<'a>, Vec<u8>)>, String> {
    let mut found = Vec::new();
    for name in [GOLDEN, OUTPUT] {
        let file = st::result(suite, &case.call, name).ok_or("the call has no output")?;
        // The suites have no `golden.bin` less, but may have run nothing yet.
        let there = name == GOLDEN || fs::symlink_metadata(folder.join(name)).is_ok();
        if there {
            let values = file.unpacked(&bytes(folder, &file)?);
            found.push((file, values));
        }
    }
    Ok(found)
}

fn bytes(folder: &Path, file: &Stored<'_>) -> Result<Vec<u8>, String> {
    let name = file.name;
    let len = file.len().ok_or_else(|| format!("{name}: too large"))?;
    file::exactly(&folder.join(name), len).map_err(|e| match e {
        FileError::Length { .. } => format!("{name}: {e} for the {}", file.role),
        _ => format!("{name}: {e}"),
    })
}
