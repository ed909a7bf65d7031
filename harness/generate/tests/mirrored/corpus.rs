//! The mirrored corpus, and words for what its cases have.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use ptodiff_case::{Case, Corpus, Style, load};
use ptodiff_isa::{Call, Target};

pub(crate) static CORPUS: LazyLock<Corpus> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/st");
    load(&[folder]).unwrap_or_else(|error| panic!("{}", error.render(Style::Plain)))
});

pub(crate) fn cases() -> &'static [Case] {
    &CORPUS.cases
}

pub(crate) fn suite(case: &Case) -> Target {
    case.suite.expect("a mirrored case names its suite")
}

/// The suite's test class, less `Test`.
pub(crate) fn class(case: &Case) -> &str {
    let (_, test) = case.id.split_once('/').expect("suite, test");
    test.split_once("Test.").expect("class, name").0
}

pub(crate) fn key(case: &Case) -> String {
    format!("{} {} {}", class(case), suite(case), case.name)
}

pub(crate) fn count(cases: &[Case], of: impl Fn(&Case) -> String) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for case in cases {
        *counts.entry(of(case)).or_default() += 1;
    }
    counts
}

pub(crate) fn expected<'a>(
    counts: impl IntoIterator<Item = (&'a str, usize)>,
) -> BTreeMap<String, usize> {
    let counts = counts.into_iter();
    counts.map(|(key, n)| (key.to_owned(), n)).collect()
}

pub(crate) fn of(wanted: &str, target: Target) -> Vec<Case> {
    let wanted = |c: &&Case| class(c) == wanted && suite(c) == target;
    cases().iter().filter(wanted).cloned().collect()
}

/// Rows `name : value` of a file, without its comments.
pub(crate) fn table(text: &'static str) -> Vec<(&'static str, &'static str)> {
    let rows = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|line| line.split_once(" : ").expect("name, value"))
        .collect()
}

pub(crate) fn policy(case: &Case) -> String {
    match &case.call {
        Call::MscatterFirst(c) => format!("first {} {}", c.atomic, c.oob),
        Call::TscatterIndex(_) => "Index".to_owned(),
        Call::TscatterMask(c) => format!("{} {}", c.axis, c.pattern),
        Call::Tgatherb(_) => format!("{:?}", case.data_readings().tgatherb_granularity),
        call => call
            .arguments()
            .iter()
            .map(|own| own.value)
            .collect::<Vec<_>>()
            .join(" "),
    }
}

pub(crate) fn pattern(case: &Case) -> &'static str {
    (&case.data.index).into()
}
