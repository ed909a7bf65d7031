//! The text of a file, or why it is none.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ptodiff_edge::text;

use crate::code::Code;
use crate::diagnostic::{Diagnostic, SourceFile};
use crate::limits::MAX_FILE_BYTES;
use crate::load_error::LoadError;
use crate::yaml::Span;

/// A file with its path as reports show it.
///
/// # Errors
/// If it cannot be read, or is a mistake as a whole: then with what can be shown of it.
pub(crate) fn read(path: &Path) -> Result<SourceFile, LoadError> {
    let name = shown(path);
    let io = |why| LoadError::unreadable(&name, &why);
    if !fs::metadata(path).map_err(io)?.is_file() {
        return Err(io(neither()));
    }
    read_from(&name, fs::File::open(path).map_err(io)?)
}

/// That something is no file that can be read twice, as a pipe.
pub(crate) fn neither() -> io::Error {
    io::Error::other("neither a file nor a folder; `ptodiff check -` reads standard input")
}

/// What `from` has, as a file with the path `name`.
///
/// # Errors
/// If it cannot be read, or is a mistake as a whole: then with what can be shown of it.
pub fn read_from(name: &Path, from: impl Read) -> Result<SourceFile, LoadError> {
    let path = name.to_owned();
    let mut bytes = Vec::new();
    match from.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes) {
        Ok(_) => text_of(path, bytes),
        Err(why) => Err(LoadError::unreadable(&path, &why)),
    }
}

fn text_of(path: PathBuf, bytes: Vec<u8>) -> Result<SourceFile, LoadError> {
    if bytes.len() as u64 > MAX_FILE_BYTES {
        let message = format!("a file is at most {} MiB", MAX_FILE_BYTES >> 20);
        let diagnostic = Diagnostic::at(Code::FileTooLarge, &path, Span::default(), message);
        let text = String::new();
        return Err(LoadError::bad(SourceFile { path, text }, vec![diagnostic]));
    }
    // Its ASCII characters are valid UTF-8 with zeros between them.
    let wide = matches!(
        bytes[..],
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [0, ..] | [_, 0, ..]
    );
    let (right, bytes) = match String::from_utf8(bytes) {
        Ok(text) if wide => (0, text.into_bytes()),
        Ok(text) => match lone_return(&text) {
            Some(at) => (at, text.into_bytes()),
            None => return Ok(SourceFile { path, text }),
        },
        Err(error) => (error.utf8_error().valid_up_to(), error.into_bytes()),
    };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let start = text[..right].rfind('\n').map_or(0, |at| at + 1);
    let span = Span {
        line: text[..start].matches('\n').count() as u32 + 1,
        column: text[start..right].chars().count() as u32 + 1,
        bytes: right..right + text[right..].chars().next().map_or(0, char::len_utf8),
    };
    let (code, message, with) = match bytes[right] {
        _ if wide => (
            Code::NotText,
            "the file is UTF-16, not UTF-8".to_owned(),
            "the encoding UTF-8",
        ),
        b'\r' => (
            Code::LoneReturn,
            "a carriage return without a line feed ends no line".to_owned(),
            "line feeds at the ends of lines",
        ),
        byte => (
            Code::NotText,
            format!("the byte 0x{byte:02X} is not UTF-8"),
            "the encoding UTF-8",
        ),
    };
    let mut diagnostic = Diagnostic::at(code, &path, span, message);
    diagnostic.help = Some(format!("save the file again with {with}"));
    Err(LoadError::bad(SourceFile { path, text }, vec![diagnostic]))
}

/// Where the first carriage return stands that something else than a line feed follows.
fn lone_return(text: &str) -> Option<usize> {
    let mut all = text.match_indices('\r').map(|(at, _)| at);
    all.find(|at| !matches!(text.as_bytes().get(at + 1), None | Some(b'\n')))
}

/// `file` without the byte-order mark that some editors put at its start.
pub(crate) fn without_mark(mut file: SourceFile) -> SourceFile {
    if file.text.starts_with('\u{FEFF}') {
        file.text.drain(..'\u{FEFF}'.len_utf8());
    }
    file
}

/// A path as reports show it: with `/`, and nothing hidden.
pub(crate) fn shown(path: &Path) -> PathBuf {
    PathBuf::from(text::path(path))
}
