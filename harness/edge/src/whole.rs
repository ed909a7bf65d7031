//! Files written whole or not at all.
//!
//! A file is written beside the place where it belongs, under a name of its
//! own that begins with [`PREFIX`], and takes that place when it is complete.
//! Until then, and where anything fails, what stood there stays, and a reader
//! has it to its end. A power cut may lose the new file, too: nothing
//! waits for a disk. What a killed program left is removed by the next one that
//! writes into the folder.

use std::{
    collections::BTreeSet,
    error, fmt,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, ErrorKind, Write},
    mem,
    path::{Path, PathBuf},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use tempfile::NamedTempFile;

use crate::text;

/// That a file or folder could not be written.
#[derive(Debug)]
pub struct CannotWrite {
    /// Which.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

impl CannotWrite {
    /// From what the file system said of `path`.
    pub fn of(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self { path, error }
    }

    /// As [`Self::of`], of a folder: it says that one is wanted, where nothing else does.
    pub fn of_folder(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| match error.kind() {
            ErrorKind::AlreadyExists | ErrorKind::NotADirectory => Self { path, error },
            kind => {
                let why = format!("a folder is wanted, and none can be made there: {error}");
                let error = io::Error::new(kind, why);
                Self { path, error }
            }
        }
    }
}

impl fmt::Display for CannotWrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, error } = self;
        write!(f, "cannot write {}: ", text::path(path))?;
        let there = |path: &&Path| path.symlink_metadata().is_ok();
        let nearest = path.ancestors().find(there).unwrap_or(path);
        let above = path.parent().filter(|above| *above != Path::new(""));
        match (error.kind(), above) {
            // Only a folder cannot be made where a file is.
            (ErrorKind::AlreadyExists, _) if path.is_file() => {
                f.write_str("it is a file, and a folder is wanted")
            }
            (ErrorKind::AlreadyExists, _) if path.is_dir() => {
                f.write_str("it is a folder, and a file is wanted")
            }
            (ErrorKind::NotADirectory, _) if nearest.is_file() => {
                write!(f, "{} is a file and no folder", text::path(nearest))
            }
            (ErrorKind::NotFound, Some(above)) if !above.exists() => {
                write!(f, "there is no folder {}", text::path(above))
            }
            _ => error.fmt(f),
        }
    }
}

impl CannotWrite {
    /// Whether another name would have done: what is there is something else, may not be
    /// written, or has no folder.
    #[must_use]
    pub fn is_of_name(&self) -> bool {
        use ErrorKind::{
            AlreadyExists, InvalidFilename, InvalidInput, IsADirectory, NotADirectory, NotFound,
            PermissionDenied, ReadOnlyFilesystem,
        };
        matches!(
            self.error.kind(),
            AlreadyExists
                | InvalidFilename
                | InvalidInput
                | IsADirectory
                | NotADirectory
                | NotFound
                | PermissionDenied
                | ReadOnlyFilesystem
        )
    }
}

impl error::Error for CannotWrite {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&self.error)
    }
}

/// How the names of files begin that are not complete. One stays only where
/// the program is killed without a word, until the next one writes there.
pub const PREFIX: &str = ".ptodiff-";

/// Letters and digits that follow.
const DRAWN: usize = 6;

/// Files that are not complete.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    // Nothing panics while it holds the list.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the program is about to end itself: no file is begun any more.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Removes the files that are not complete: for a program that is about to end
/// itself while other threads write. Who begins one from then on waits for the end.
pub fn drop_unfinished() {
    let unfinished = unfinished();
    ENDING.store(true, Ordering::SeqCst);
    for path in unfinished.iter() {
        // One that took its place meanwhile is gone.
        let _ = fs::remove_file(path);
    }
}

/// Folders whose abandoned files are removed.
static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Abandoned files that were removed.
static REMOVED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The files that programs had left which were killed while they wrote: those
/// that this one found where it wrote, and removed.
#[must_use]
pub fn removed() -> Vec<PathBuf> {
    mem::take(&mut *REMOVED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Removes incomplete files of dead processes in `folder`, once. Who writes a file holds
/// a lock on it, which ends with him whatever ends him.
fn sweep(folder: &Path) {
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if !swept.insert(folder.to_owned()) {
        return;
    }
    // What cannot be looked at stays.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let drawn = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let letters = |drawn: &str| drawn.bytes().all(|b| b.is_ascii_alphanumeric());
        if !drawn.is_some_and(|drawn| drawn.len() == DRAWN && letters(drawn))
            || !entry.file_type().is_ok_and(|kind| kind.is_file())
        {
            continue;
        }
        let path = entry.path();
        let held = OpenOptions::new().write(true).open(&path);
        // Not held by another, and gone before this one lets it go.
        if held.is_ok_and(|file| file.try_lock().is_ok() && fs::remove_file(&path).is_ok()) {
            REMOVED
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(path);
        }
    }
}

/// A new file in `folder` that is not complete, locked and on the list.
fn part_in(folder: &Path) -> io::Result<(NamedTempFile<File>, Listed)> {
    sweep(folder);
    let create = |path: &Path| {
        // With the permissions of any new file: others may read a report.
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        // Without a lock nothing is removed.
        let _ = file.lock();
        Ok(file)
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).rand_bytes(DRAWN);
    loop {
        // It is on the list before anybody can go through that.
        let mut unfinished = unfinished();
        while ENDING.load(Ordering::SeqCst) {
            drop(unfinished);
            thread::park();
            unfinished = self::unfinished();
        }
        let part = builder.make_in(folder, create)?;
        // Who sweeps may have come between its name and its lock.
        if part.path().symlink_metadata().is_ok() {
            let listed = Listed::new(&mut unfinished, part.path());
            return Ok((part, listed));
        }
    }
}

/// Makes a file in `folder` that goes away again.
///
/// # Errors
/// If it takes none.
pub fn try_out(folder: &Path) -> Result<(), CannotWrite> {
    part_in(folder).map(drop).map_err(CannotWrite::of(folder))
}

/// Makes a file beside `path` that goes away again.
///
/// # Errors
/// If [`write()`] would give one.
pub fn try_write(path: &Path) -> Result<(), CannotWrite> {
    let tried = || {
        permissions_of(path)?;
        part_in(folder_of(path)?).map(drop)
    };
    tried().map_err(CannotWrite::of(path))
}

/// Writes the file `path` with what `fill` gives, whole or not at all.
///
/// A link in its place is replaced, never followed. An older file's
/// permissions are kept; a new file has those that any new file has.
///
/// # Errors
/// What `fill` and the file system give; that a folder, a device or a pipe has
/// the name, that the older file may not be written, or that `path` names no file.
pub fn write<T>(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<&File>) -> io::Result<T>,
) -> Result<T, CannotWrite> {
    replaced(path, fill).map_err(CannotWrite::of(path))
}

/// As [`write()`], with these bytes.
///
/// # Errors
/// As [`write()`].
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), CannotWrite> {
    write(path, |to| to.write_all(bytes))
}

fn replaced<T>(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<&File>) -> io::Result<T>,
) -> io::Result<T> {
    let permissions = permissions_of(path)?;
    let (part, listed) = part_in(folder_of(path)?)?;
    let mut to = BufWriter::new(part.as_file());
    let done = fill(&mut to)?;
    to.flush()?;
    drop(to);
    if let Some(permissions) = permissions {
        part.as_file().set_permissions(permissions)?;
    }
    part.persist(path).map_err(|failed| failed.error)?;
    drop(listed);
    Ok(done)
}

/// The folder of the file `path`.
fn folder_of(path: &Path) -> io::Result<&Path> {
    match (path.file_name(), path.parent()) {
        (Some(_), Some(folder)) if folder == Path::new("") => Ok(Path::new(".")),
        (Some(_), Some(folder)) => Ok(folder),
        _ => Err(io::Error::new(
            ErrorKind::InvalidInput,
            "this names no file",
        )),
    }
}

/// Those of an older file, which may be replaced.
fn permissions_of(path: &Path) -> io::Result<Option<fs::Permissions>> {
    let old = match fs::symlink_metadata(path) {
        Ok(old) => old,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e),
    };
    let (kind, permissions) = (old.file_type(), old.permissions());
    if kind.is_symlink() {
        Ok(None)
    } else if !kind.is_file() {
        Err(io::Error::new(
            ErrorKind::AlreadyExists,
            "something that is no file has this name",
        ))
    } else if permissions.readonly() {
        // To take its place would need no right to it.
        Err(io::Error::new(
            ErrorKind::PermissionDenied,
            "the file there may not be written",
        ))
    } else {
        Ok(Some(permissions))
    }
}

/// A file that is on the list while this lives.
struct Listed(PathBuf);

impl Listed {
    fn new(all: &mut BTreeSet<PathBuf>, path: &Path) -> Self {
        all.insert(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}
