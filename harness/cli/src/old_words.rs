//! Words of the version before: read for one version, with a warning.

use std::{ffi::OsString, path::Path};

use ptodiff_case::{OldWord, SourceFile, Style, Waivers, waiver};
use ptodiff_edge::renamed::{CHOICES, OPTIONS, now};

use ptodiff_report::style::WARNING;

use crate::{
    exit::Error,
    out::{say, say_as_it_is},
};

/// The arguments of the command with the new words, and a warning for each old one.
pub(crate) fn arguments(given: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut all = Vec::new();
    // After `--` there are no options.
    let mut options = true;
    for word in given {
        options &= word != "--";
        let renewed = word.to_str().filter(|_| options).and_then(|word| {
            option(word).or_else(|| {
                let before = all.last().and_then(|last: &OsString| last.to_str());
                reading(word, before)
            })
        });
        match renewed {
            Some((new, old, now)) => {
                warn(&format!("`{old}` is now called `{now}`"));
                all.push(new.into());
            }
            None => all.push(word),
        }
    }
    all
}

/// An argument in new words, with the old word and the new one.
type Renewed<'a> = (String, &'a str, &'static str);

/// `--subject mine=./a`, in two words or with `=` in one.
fn option(word: &str) -> Option<Renewed<'_>> {
    let (name, value) = match word.split_once('=') {
        Some((name, _)) => (name, &word[name.len()..]),
        None => (word, ""),
    };
    let new = now(OPTIONS, name)?;
    Some((format!("{new}{value}"), name, new))
}

/// `--reading row-pitch=duty`, in two words or with `=` in one.
fn reading<'a>(word: &'a str, before: Option<&str>) -> Option<Renewed<'a>> {
    if before != Some("--reading") && !word.starts_with("--reading=") {
        return None;
    }
    let (gap, choice) = word.rsplit_once('=')?;
    let new = now(CHOICES, choice)?;
    Some((format!("{gap}={new}"), choice, new))
}

/// Reads a file of waivers, and warns of old words in it.
///
/// # Errors
/// As [`waiver::load`].
pub(crate) fn load_waivers(path: &Path) -> Result<Waivers, Error> {
    let waivers = waiver::load(path)?;
    warn_of(&waivers.old_words, std::slice::from_ref(&waivers.file));
    Ok(waivers)
}

pub(crate) fn warn_of(words: &[OldWord], files: &[SourceFile]) {
    let warnings = ptodiff_case::warnings(words);
    say_as_it_is(ptodiff_case::render(&warnings, files, Style::Coloured));
}

/// A warning of an old word that stands in no file of YAML.
pub(crate) fn warn(what: &str) {
    say(format!(
        "{WARNING}warning{WARNING:#}: {what}; the next version rejects the old word"
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renewed(line: &str) -> String {
        let words = arguments(line.split(' ').map(OsString::from));
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        words.join(" ")
    }

    #[test]
    fn old_options_become_new_ones_and_nothing_else_changes() {
        for (old, new) in [
            (
                "ptodiff run --subject a=b --as a5",
                "ptodiff run --impl a=b --as a5",
            ),
            (
                "ptodiff run --subject=a=--subject",
                "ptodiff run --impl=a=--subject",
            ),
            (
                "ptodiff hunt --subject-time 3s",
                "ptodiff hunt --impl-time 3s",
            ),
            (
                "ptodiff hunt --subject-memory=1",
                "ptodiff hunt --impl-memory=1",
            ),
            (
                "ptodiff run --reading row-pitch=duty",
                "ptodiff run --reading row-pitch=precondition",
            ),
            (
                "ptodiff run --reading=nz-dynamic=refused",
                "ptodiff run --reading=nz-dynamic=rejected",
            ),
        ] {
            assert_eq!(renewed(old), new);
        }
        for same in [
            "ptodiff run --subjects a=b",
            "ptodiff run subject refused duty",
            "ptodiff run --filter x=duty",
            "ptodiff run -- --subject",
        ] {
            assert_eq!(renewed(same), same);
        }
    }
}
