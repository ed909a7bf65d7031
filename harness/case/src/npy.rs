//! Literal data that stands in an `.npy` file beside the case file.

use std::path::{Component, Path, PathBuf};

use ptodiff_data::{
    file,
    npy::{self, NpyError},
};

use crate::code::Code;
use crate::data::Elements;
use crate::notes::Notes;
use crate::yaml::Node;

/// The values of an operand, from the file that `word` names.
pub(crate) fn values(notes: &mut Notes<'_>, word: &Node, wanted: &Elements) -> Option<Vec<u8>> {
    let name = word.word();
    let Some(folder) = notes.folder else {
        let message = format!("`{name}` cannot be read: the case stands in no file");
        notes.add(Code::NpyNotRead, &word.span, message, "no file beside it");
        return None;
    };
    let bytes = wanted.count.checked_mul(wanted.dtype.size() as u64);
    if !notes.load(bytes.unwrap_or(u64::MAX), &word.span) {
        return None;
    }
    let path = match inside(folder, name) {
        Ok(path) => path,
        Err(why) => {
            let message = format!("`{name}` cannot be read: {why}");
            notes.add(Code::NpyNotRead, &word.span, message, "").help =
                Some("the path is relative to the case file's folder and stays in it".to_owned());
            return None;
        }
    };
    let read = file::open(&path)
        .map_err(|e| (Code::NpyNotRead, e.to_string()))
        .and_then(|(from, _)| {
            npy::read(from, wanted.dtype, &wanted.extents).map_err(|e| match e {
                NpyError::Io(_) => (Code::NpyNotRead, e.to_string()),
                _ => (Code::NpyDoesNotFit, e.to_string()),
            })
        });
    match read {
        Ok(values) => Some(values),
        Err((code, why)) => {
            let message = match code {
                Code::NpyDoesNotFit => format!("`{name}` does not fit: {why}"),
                _ => format!("`{name}` cannot be read: {why}"),
            };
            notes.add(code, &word.span, message, "");
            None
        }
    }
}

/// The file called `name`, if it lies in `folder`, links followed.
fn inside(folder: &Path, name: &str) -> Result<PathBuf, String> {
    if name.is_empty() || name.chars().any(|c| c.is_control() || c == '\\') {
        return Err("it is empty, or has a control character or a `\\`".to_owned());
    }
    let relative = Path::new(name);
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !relative.components().all(plain) {
        return Err("it leaves the case file's folder".to_owned());
    }
    let real = |path: &Path| path.canonicalize().map_err(|e| e.to_string());
    let (folder, path) = (real(folder)?, real(&folder.join(relative))?);
    if !path.starts_with(&folder) {
        return Err("a link leads out of the case file's folder".to_owned());
    }
    Ok(path)
}
