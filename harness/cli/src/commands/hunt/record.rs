//! The record of a hunt: written, and gone on with.

use std::{
    fs,
    path::{Path, PathBuf},
};

use ptodiff_edge::whole;
use ptodiff_hunt::{Found, HUNT_FORMAT, HuntHeader, read_record, write_record};
use ptodiff_impl::Implementation;

use super::{
    Hunt,
    draw::{options, typed},
    lattice, parsed, plan, targets,
};
use crate::{
    exit::Error,
    files::{is_stream, open_record},
    plain,
};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Whether a record can be written to `path`: who hunts for hours learns it now.
pub(super) fn try_out(path: &Path) -> Result<(), Error> {
    if is_stream(path) {
        return Err(Error::usage(
            "--record - names no file: a record is written whole or not at all",
        ));
    }
    Ok(whole::try_write(path)?)
}

/// That no file which is written is another one, too.
pub(super) fn keep_apart(args: &Hunt) -> Result<(), Error> {
    let mut others: Vec<(&str, PathBuf)> = Vec::new();
    for (option, path, is_written) in [
        ("--from", &args.from, false),
        ("--known", &args.known, false),
        ("--record", &args.record, true),
        ("--out", &args.out, true),
    ] {
        // Of a device, and of a word that names no file, nothing is lost.
        let is_file = |path: &&Path| path.is_file() || is_written && !path.exists();
        let Some(path) = path.as_deref().filter(is_file) else {
            continue;
        };
        let place = fs::canonicalize(path).or_else(|_| std::path::absolute(path));
        let place = place.unwrap_or_else(|_| path.to_owned());
        let same = others.iter().find(|(_, own)| is_written && *own == place);
        if let Some((other, _)) = same {
            return Err(Error::usage(format!(
                "{other} and {option} are both {}: it would be lost",
                plain::path(path)
            )));
        }
        others.push((option, place));
    }
    Ok(())
}

/// Writes what was `found` of a hunt for `count` cases.
pub(super) fn write(
    path: &Path,
    args: &Hunt,
    count: u64,
    implementations: &[Implementation],
    found: &Found,
) -> Result<(), Error> {
    let header = HuntHeader {
        ptodiff_hunt: HUNT_FORMAT,
        version: VERSION.to_owned(),
        seed: args.seed,
        count,
        options: options(args),
        lattice: lattice::fingerprint(args)?,
        implementations: ptodiff_runner::listed(implementations),
        part: args.partition,
    };
    Ok(whole::write(path, |to| write_record(to, &header, found))?)
}

/// Reads the record `path`, to go on as `args` say: the arguments that chose the cases of the
/// hunt, and what it found.
///
/// # Errors
/// It cannot be read or is damaged, it is of another version, or `args` name another
/// lattice, or an implementation that took no part.
pub(super) fn read(path: &Path, args: &Hunt) -> Result<(Hunt, Found), Error> {
    let (name, from) = open_record(path)?;
    let name = plain::text(&name);
    let bad = |why: String| Error::usage(format!("{name}: {}", plain::text(&why)));
    let (header, found) = read_record(from).map_err(|why| bad(why.to_string()))?;
    if header.version != VERSION {
        return Err(bad(format!(
            "it was written by ptodiff {}, and {VERSION} may draw other cases: use that one",
            header.version
        )));
    }
    let line = format!("hunt --seed {} --count {}", header.seed, header.count);
    let words = line.split(' ').map(str::to_owned);
    let words = words.chain(header.options.iter().flat_map(|(option, value)| {
        let value = Some(value).filter(|value| !value.is_empty());
        [Some(option), value].into_iter().flatten().cloned()
    }));
    let mut drawn = match parsed(words) {
        // What chooses no case has no business in a record.
        Ok(drawn) if options(&drawn) == header.options => drawn,
        _ => {
            let options = typed(&header.options);
            return Err(bad(format!("no hunt has its options:{options}")));
        }
    };
    drawn.partition = header.part;
    drawn.lattice.clone_from(&args.lattice);
    match (&header.lattice, lattice::fingerprint(&drawn)?) {
        (None, Some(_)) => return Err(bad("it was drawn without --lattice".to_owned())),
        (Some(_), None) => {
            let why = "its cases were drawn for a program: give --lattice with its lattice.yaml";
            return Err(bad(why.to_owned()));
        }
        (Some(own), Some(given)) if *own != given => {
            return Err(bad("it was drawn with another file of --lattice".to_owned()));
        }
        _ => {}
    }
    for (party, _) in args.implementations.columns(&targets(&plan(&drawn)?))? {
        if !header.implementations.iter().any(|one| one.party == party) {
            return Err(bad(format!("no implementation {party} took part")));
        }
    }
    Ok((drawn, found))
}
