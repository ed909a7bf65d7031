//! From a file of waivers as written to checked [`Waiver`]s.

use std::collections::{BTreeSet, HashMap};

use ptodiff_isa::{Instruction, Party};
use serde_json::json;

use super::{Waiver, Waivers};
use crate::code::Code;
use crate::diagnostic::{self, SourceFile};
use crate::format::TEXT;
use crate::load_error::LoadError;
use crate::notes::Notes;
use crate::yaml::{self, Node, Shape, Span, keys};
use Shape::{Entries, List, Map, Named, Word};

/// A file of waivers.
static WAIVERS: Shape = Named(
    "Waivers",
    "Violations that are known and owned. The conformance gate lets them pass\n\
     until they expire, and fails on one that nothing needs.",
    &Map(
        keys! {
            /// The waivers.
            "waivers": Entries(&WAIVER),
        },
        &["waivers"],
    ),
);

const WAIVER: Shape = Named(
    "Waiver",
    "One violation that is known and owned.",
    &Map(
        keys! {
            /// The failure group of the violation, as a report prints it. Nothing else is hidden.
            "failure-group": TEXT,
            /// The target (a5) or the two targets (cpu/a5) that the violation is
            /// recorded under, or * for a failure group that several have.
            "pair": Word(|| {
                let party = "(cpu|a2a3|a5)(:[^/]+)?";
                json!({ "type": "string", "pattern": format!(r"^(\*|{party}(/{party})?)$") })
            }),
            /// Ids of the cases that show it; without the key every case that does.
            "cases": List(&TEXT, None),
            /// Why the violation is there.
            "cause": TEXT,
            /// Where more is to be found about it: an issue, a page, a document.
            "reference": TEXT,
            /// Who is to fix it.
            "owner": TEXT,
            /// The last day on which the waiver holds, in UTC.
            "expires": Word(|| json!({ "type": "string", "format": "date" })),
        },
        &[
            "failure-group",
            "pair",
            "cause",
            "reference",
            "owner",
            "expires",
        ],
    ),
);

/// The JSON Schema of a file of waivers, from what its reader checks.
///
/// `reports/waivers.schema.json` is this, kept fresh by a test.
#[must_use]
pub fn schema() -> serde_json::Value {
    WAIVERS.document()
}

/// The waivers of `file`.
pub(super) fn waivers(file: SourceFile) -> Result<Waivers, LoadError> {
    let mut notes = Notes::new(&file.path, &file.text);
    let root = yaml::read(&mut notes, &WAIVERS, "waivers");
    let (mut list, mut seen) = (Vec::new(), Seen::default());
    let all = root.as_ref().and_then(|root| root.get("waivers"));
    for raw in all.map_or(&[][..], Node::items) {
        let Some((waiver, span)) = lower(&mut notes, raw) else {
            continue;
        };
        if let Some(first) = seen.add(&waiver, span) {
            let message = format!("`{}` is waived twice", waiver.failure_group);
            let related = notes.related(&first, "the first");
            let found = notes.add(Code::WaivedTwice, span, message, "the second");
            found.related.push(related);
        }
        list.push(waiver);
    }
    let (old_words, mut found) = (notes.old_words, notes.found);
    if found.is_empty() {
        return Ok(Waivers {
            list,
            file,
            old_words,
        });
    }
    diagnostic::in_order(&mut found);
    Err(LoadError::bad(file, found))
}

/// Where failure groups are waived first, by group and case. [`ANY`] stands for any waiver of
/// the group, and [`ALL`] for one that names no case: no id is so.
#[derive(Default)]
struct Seen(HashMap<(String, String), Span>);

const ANY: &str = "";
const ALL: &str = " ";

impl Seen {
    /// Adds a waiver; gives an earlier one that hides something of the same.
    fn add(&mut self, waiver: &Waiver, span: &Span) -> Option<Span> {
        let key = |case: &str| (waiver.failure_group.clone(), case.to_owned());
        let mut first = self.0.get(&key(ALL)).cloned();
        if waiver.cases.is_empty() {
            first = first.or_else(|| self.0.get(&key(ANY)).cloned());
            self.0.entry(key(ALL)).or_insert_with(|| span.clone());
        }
        for id in &waiver.cases {
            let earlier = self.0.entry(key(id)).or_insert_with(|| span.clone());
            if earlier != span {
                first.get_or_insert_with(|| earlier.clone());
            }
        }
        self.0.entry(key(ANY)).or_insert_with(|| span.clone());
        first
    }
}

/// A waiver, and where its failure group stands.
fn lower<'r>(notes: &mut Notes<'_>, raw: &'r Node) -> Option<(Waiver, &'r Span)> {
    let before = notes.found.len();
    let pair = pair(notes, raw.get("pair")?);
    let group = raw.get("failure-group")?;
    let failure_group = text(notes, "failure_group", group);
    let against = against_group(&failure_group, pair.as_deref());
    if let Some((message, label, help)) = against.filter(|_| !failure_group.is_empty()) {
        notes
            .add(Code::BadFailureGroup, &group.span, message, label)
            .help = help;
    }
    let cases = raw.get("cases");
    let cases = cases.map_or_else(Vec::new, |cases| ids(notes, cases));
    let cause = text(notes, "cause", raw.get("cause")?);
    let reference = text(notes, "reference", raw.get("reference")?);
    let owner = text(notes, "owner", raw.get("owner")?);
    let day = raw.get("expires")?;
    let expires = super::day(day.word().trim());
    if let Err(why) = &expires {
        notes.add(Code::BadDay, &day.span, why, "no such day");
    }
    let expires = expires.ok().filter(|_| notes.found.len() == before)?;
    let waiver = Waiver {
        failure_group,
        pair,
        cases,
        cause,
        reference,
        owner,
        expires,
        line: raw.span.line,
    };
    Some((waiver, &group.span))
}

/// A text that says something, without white space around it.
fn text(notes: &mut Notes<'_>, key: &str, word: &Node) -> String {
    let text = word.word().trim();
    if text.is_empty() {
        notes.add(
            Code::EmptyText,
            &word.span,
            format!("`{key}` says nothing"),
            "an empty text",
        );
    }
    // What `gate` prints for its user to replace.
    if let ("cause", "WHY") | ("reference", "WHERE") | ("owner", "WHO") = (key, text) {
        let message = format!("`{key}` says `{text}` still, the placeholder of the gate");
        notes.add(
            Code::EmptyText,
            &word.span,
            message,
            "to be replaced by your own words",
        );
    }
    text.to_owned()
}

/// One party, two in their order, or `*`.
fn pair(notes: &mut Notes<'_>, word: &Node) -> Option<String> {
    let text = word.word().trim();
    if text == "*" {
        return None;
    }
    let parties: Option<Vec<Party>> = text.split('/').map(|party| party.parse().ok()).collect();
    let wrong = match parties.as_deref() {
        Some([_]) => None,
        Some([a, b]) if a < b && a.meets(b) => None,
        Some([a, b]) if b < a && a.meets(b) => Some(Some(format!("it is written `{b}/{a}`"))),
        _ => Some(None),
    };
    if let Some(help) = wrong {
        let message = format!("`{text}` is no target and no pair of targets that are compared");
        let found = notes.add(
            Code::BadPair,
            &word.span,
            message,
            "as in `a5` or `cpu/a5`, or `*`",
        );
        found.help = help;
    }
    Some(text.to_owned())
}

/// What is wrong with a failure group, as far as that can be said without a record: its
/// instruction, that it is of a violation, and that it speaks of the parties of the waiver. In
/// words, at the caret, and what may be done.
fn against_group(text: &str, pair: Option<&str>) -> Option<(String, &'static str, Option<String>)> {
    let mut words = text.split(' ');
    let (instruction, parties, kind) = (words.next(), words.next(), words.next());
    let (Some(instruction), Some(parties), Some(kind)) = (instruction, parties, kind) else {
        let help = "a report prints the failure group above the violations that it groups";
        let message = format!("`{text}` is no failure group");
        return Some((message, "too few words", Some(help.into())));
    };
    // A name of a property has two words at most. What an implementation said stands later.
    if kind.contains('=') || words.next().is_some_and(|word| word.contains('=')) {
        let message = format!("`{text}` is the heading of several failures, and no failure group");
        let help = "the page and summary.md list the failure groups below it";
        return Some((message, "has properties", Some(help.into())));
    }
    if instruction.parse::<Instruction>().is_err() {
        let message = format!("`{text}` begins with no instruction");
        return Some((message, "no instruction", None));
    }
    if kind == "permitted" {
        let message = "a difference that clauses permit is no violation";
        return Some((message.to_owned(), "needs no waiver", None));
    }
    // Some failure groups name no party: those of a case that is no case that covers it.
    let mut named = parties.split('/').map(str::parse::<Party>);
    if named.any(|party| party.is_err()) || pair.is_none_or(|pair| pair == parties) {
        return None;
    }
    let message = format!("the failure group speaks of `{parties}`, and `pair` of something else");
    let help = format!("write `pair: {parties}`");
    Some((message, "of other targets", Some(help)))
}

/// Ids of cases, each once and at least one.
fn ids(notes: &mut Notes<'_>, list: &Node) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut ids = Vec::with_capacity(list.items().len());
    if list.items().is_empty() {
        let message = "`cases` names none";
        notes
            .add(Code::BadCases, &list.span, message, "an empty list")
            .help =
            Some("leave the key out where every case that shows the failure group is meant".into());
    }
    for word in list.items() {
        let id = text(notes, "cases", word);
        if !seen.insert(id.clone()) {
            let message = format!("the case `{id}` is named twice");
            notes.add(Code::BadCases, &word.span, message, "named already");
        }
        ids.push(id);
    }
    ids
}
