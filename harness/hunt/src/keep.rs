//! Keeping what was found as case files.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use ptodiff_case::{Case, Form, Hole, LoadError, case_yaml};
use ptodiff_edge::whole::{self, CannotWrite};

/// With more clauses than these it is not said which one is to blame.
pub const MOST_CLAUSES: usize = 3;

/// The holes that the cases of a folder show.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Known {
    holes: Vec<(Form, Hole)>,
}

impl Known {
    /// Those of the cases in `folder`, or of a file of cases; none where
    /// nothing is there.
    ///
    /// # Errors
    /// If a case file there is bad.
    pub fn load(folder: &Path) -> Result<Self, LoadError> {
        let empty = !folder.exists()
            || fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
        if empty {
            return Ok(Self::default());
        }
        ptodiff_case::load(&[folder.to_owned()]).map(|corpus| Self::of(&corpus.cases))
    }

    /// Those of `cases`.
    #[must_use]
    pub fn of<'a>(cases: impl IntoIterator<Item = &'a Case>) -> Self {
        let of_case = |case: &'a Case| {
            let form = Form::of(&case.call);
            case.holes.iter().map(move |hole| (form, hole.clone()))
        };
        Self {
            holes: cases.into_iter().flat_map(of_case).collect(),
        }
    }

    /// These, and `others`.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.holes.extend(others.holes);
        self
    }

    /// These, and those of `cases`.
    pub(crate) fn with(&self, cases: &[Case]) -> Self {
        self.clone().and(Self::of(cases))
    }

    /// Whether `hole` in a call of `form` is one to keep: it is not known, and
    /// its clauses are so few that one of them is to blame.
    #[must_use]
    pub fn lacks(&self, form: Form, hole: &Hole) -> bool {
        has_few_clauses(hole) && !self.has(form, hole)
    }

    /// Whether all holes that `case` names are known without it.
    pub(crate) fn has_all(&self, case: &Case) -> bool {
        let form = Form::of(&case.call);
        case.holes.iter().all(|hole| self.has(form, hole))
    }

    /// Whether a case there shows `hole` in a call of `form`: in that place or
    /// a worse one, or by some of its clauses alone.
    #[must_use]
    pub fn has(&self, form: Form, hole: &Hole) -> bool {
        self.holes.iter().any(|(of, known)| {
            let alike = *of == form && known.kind == hole.kind && known.targets == hole.targets;
            let within = known
                .clauses
                .iter()
                .all(|clause| hole.clauses.contains(clause));
            let whole = known.clauses.len() == hole.clauses.len();
            alike && within && (!whole || known.place <= hole.place)
        })
    }
}

/// Whether it can be said of `hole` which clause is to blame: of a case that
/// breaks many preconditions at once it cannot.
pub(crate) fn has_few_clauses(hole: &Hole) -> bool {
    hole.clauses.len() <= MOST_CLAUSES
}

/// What stands above the cases of a file.
const HEAD: &str =
    "# Found by `ptodiff hunt`, shrunk, and kept: each is run as an expected finding.\n";

/// How the first line of a case begins.
const NAME: &str = "  - name: ";

/// Adds `cases`, which the command `by` found, to the files of `folder`, one a form, and says
/// which files were written. Nothing of what stands there is changed. A file is written
/// whole or not at all.
///
/// # Errors
/// What the file system gives.
pub fn keep(folder: &Path, cases: &[Case], by: &str) -> Result<Vec<PathBuf>, CannotWrite> {
    let mut by_file: BTreeMap<PathBuf, String> = BTreeMap::new();
    for case in cases {
        let path = folder.join(format!("{}.yaml", stem(Form::of(&case.call))));
        let (text, by) = match by_file.remove(&path) {
            Some(text) => (text, None),
            None => match fs::read_to_string(&path) {
                Ok(text) => (text, Some(by)),
                Err(e) if e.kind() == io::ErrorKind::NotFound => (String::new(), Some(by)),
                Err(e) => return Err(CannotWrite::of(&path)(e)),
            },
        };
        by_file.insert(path, with(text, case, by));
    }
    if !by_file.is_empty() {
        fs::create_dir_all(folder).map_err(CannotWrite::of(folder))?;
    }
    for (path, text) in &by_file {
        whole::write_bytes(path, text.as_bytes())?;
    }
    Ok(by_file.into_keys().collect())
}

/// `text` with `case` at its end, below the command that found it and those after it, under
/// a name that none there has: a worse case of what is kept already would have the same.
fn with(mut text: String, case: &Case, by: Option<&str>) -> String {
    let mut alone = case_yaml(case);
    for number in 2_u32.. {
        let mut lines = alone.lines();
        let taken = lines.find(|line| line.starts_with(NAME));
        if !taken.is_some_and(|name| text.lines().any(|line| line == name)) {
            break;
        }
        let mut other = case.clone();
        other.name = format!("{}.{number}", case.name);
        alone = case_yaml(&other);
    }
    let (head, entry) = alone.split_once("cases:\n").unwrap_or_default();
    if text.is_empty() {
        text = format!("{head}{HEAD}cases:\n");
    } else if !text.ends_with('\n') {
        text.push('\n');
    }
    if let Some(by) = by {
        text.push_str(&format!("  # Found by: {by}\n"));
    }
    text + entry
}

/// Unlike that of any file elsewhere: a case's id begins with it.
fn stem(form: Form) -> String {
    match form {
        Form::MgatherL1 => "holes_mgather_gm2l1".to_owned(),
        _ => format!("holes_{form}").replace('-', "_"),
    }
}
