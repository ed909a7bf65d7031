//! Names of places that do not depend on how somebody typed them.

use std::{
    env,
    path::{Component, Path, PathBuf},
};

/// `path` as it is named from the working folder: `cases` for `cases`, `./cases`,
/// `cases/` and the absolute path of that folder. What leads out of the working
/// folder begins with `..`. No link is followed, unless the way to the working
/// folder has one.
#[must_use]
pub fn from_here(path: &Path) -> PathBuf {
    let Ok(here) = env::current_dir() else {
        return path.to_owned();
    };
    if path.is_relative() {
        return or_here(plain(path));
    }
    let path = &plain(path);
    if let Ok(below) = path.strip_prefix(&here) {
        return or_here(below.to_owned());
    }
    // A shell may have come here by a link.
    if let (Ok(path), Ok(here)) = (path.canonicalize(), here.canonicalize())
        && let Ok(below) = path.strip_prefix(&here)
    {
        return or_here(below.to_owned());
    }
    let same = path.components().zip(here.components());
    let same = same.take_while(|(a, b)| a == b).count();
    if same == 0 {
        // Another drive.
        return path.clone();
    }
    let out = here.components().skip(same).map(|_| Component::ParentDir);
    out.chain(path.components().skip(same)).collect()
}

/// Without what says nothing.
fn plain(path: &Path) -> PathBuf {
    let says = |part: &Component<'_>| *part != Component::CurDir;
    path.components().filter(says).collect()
}

fn or_here(path: PathBuf) -> PathBuf {
    match path.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => path,
    }
}
