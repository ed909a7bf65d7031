//! From the keys of one case to a checked [`Case`].

use std::collections::BTreeMap;
use std::path::Path;

use ptodiff_edge::text::{self, is_hidden};
use ptodiff_isa::{Call, DType, Form, Target};

use super::call::call;
use super::expect;
use super::keys::Keys;
use crate::case::Case;
use crate::code::Code;
use crate::data::{self, Elements};
use crate::form::st_class;
use crate::limits::{self, MAX_CASE_MEMORY, MAX_CHUNKS, MAX_NAME};
use crate::notes::Notes;
use crate::operand;
use crate::plan::Fill;
use crate::selection;
use crate::yaml::Node;

/// The case, unless it has a mistake. What is wrong is reported, and stays as by default until
/// all was read.
pub(super) fn lower(notes: &mut Notes<'_>, suite: Option<Target>, keys: &Keys<'_>) -> Option<Case> {
    let before = notes.found.len();
    let name = keys.get("name");
    match name {
        Some(word) => check_name(notes, word),
        None => notes.missing("name", "", keys.owner),
    }
    let instruction = keys.needed(notes, "instruction");
    let instruction = instruction.and_then(|word| notes.name("instruction", word));
    let form = instruction.and_then(|instruction| keys.form(notes, instruction));
    let blank = Call::blank(form.unwrap_or(Form::Mscatter));
    let mut case = Case::of_call(name.map_or("", Node::word), blank);
    case.place.file = notes.file.to_owned();
    case.place.span = keys.owner.clone();
    let dtype: Option<DType> = keys.get("dtype").and_then(|word| notes.name("dtype", word));
    // A dtype that is bad was reported; that an operand has none then would mislead.
    let dtype = dtype.or(keys.get("dtype").map(|_| DType::Float));
    if let Some(word) = keys.get("chunks") {
        let chunks = notes.count("chunks", word, 1, MAX_CHUNKS);
        case.chunks = chunks.unwrap_or(1) as u32;
    }
    if let Some(word) = keys.get("seed") {
        case.data.seed = notes.count("seed", word, 0, u64::MAX).unwrap_or(0);
    }
    if let Some(list) = keys.get("targets") {
        case.targets = selection::targets(notes, list);
    }
    if let Some(raw) = keys.get("readings") {
        case.readings = selection::readings(notes, raw);
    }
    let said = [
        ("rejected", &mut case.rejected),
        ("undefined", &mut case.undefined),
        ("hangs", &mut case.hangs),
    ];
    for ((key, own), line) in said.into_iter().zip(&mut case.place.expected.clauses) {
        if let Some(raw) = keys.get(key) {
            *own = selection::expectations(notes, raw, &case.targets);
            *line = Some(raw.span.line);
        }
    }
    if let Some(raw) = keys.get("covers") {
        case.covers = selection::covers(notes, raw, instruction);
    }
    if let Some(list) = keys.get("holes") {
        case.holes = selection::holes(notes, list, &case.targets);
    }
    case.gap = keys.get("gap").map(|word| selection::gap(notes, word));

    let form = form?;
    keys.refuse_others(notes, form);
    let call = call(notes, keys, form, dtype, case.data_readings());
    if let Some(call) = call {
        case.call = call;
        plan(notes, keys, &mut case);
    }
    if let Some(list) = keys.get("expect") {
        case.expect = expect::all(notes, list, &case, call.is_some());
        let lines = list.items().iter().map(|entry| entry.span.line);
        case.place.expected.entries = lines.collect();
    }
    let run = (&call?, case.chunks.into(), &case.data.table);
    operand::check_memory(notes, run, |role| keys.place_of(form, role));

    if notes.found.len() > before {
        return None;
    }
    case.gives(|argument| keys.get(argument.key).is_some());
    let prose = |word: &Node| text::lines(word.word()).into_owned();
    case.name_differs = keys.get("name_differs").map(prose);
    case.about = keys.get("about").map(prose);
    case.suite = suite;
    case.id = id(&case);
    Some(case)
}

/// How the data of each operand of `case` is made.
fn plan(notes: &mut Notes<'_>, keys: &Keys<'_>, case: &mut Case) {
    let (call, chunks) = (&case.call, case.chunks.into());
    let plan = &mut case.data;
    for (role, _) in call.operands() {
        let elements = Elements::of(call, role, chunks);
        if let Some((raw, elements)) = keys.data(Form::of(call), role).zip(elements) {
            data::put(notes, plan, role, raw, &elements);
        }
    }
    let memory = limits::case_memory(call, chunks, &plan.table);
    // Zeros that no memory holds take none.
    if plan.table == Fill::Zeros && call.table().is_some() && memory > MAX_CASE_MEMORY {
        plan.table = Fill::Rows(BTreeMap::new());
    }
}

/// A case's id: that of the ST test it mirrors, or its file and name.
fn id(case: &Case) -> String {
    let name = &case.name;
    match case.suite {
        Some(suite) => format!("{suite}/{}.{name}", st_class(&case.call)),
        None => {
            let stem = case.place.file.file_stem().unwrap_or_default();
            format!("{}/{name}", text::path(Path::new(stem)))
        }
    }
}

/// That a case can have this name.
fn check_name(notes: &mut Notes<'_>, word: &Node) {
    let name = word.word();
    let wrong = if name.is_empty() {
        "it is empty"
    } else if name.chars().count() > MAX_NAME {
        "it has more than 200 characters"
    } else if name.chars().any(is_hidden) {
        "it has a control character, or one that is not seen"
    } else if text::marks(name).next().is_some() {
        "it has what a CI job takes for a command: `##`, a word and a `[`"
    } else if name.contains(['/', '\\']) {
        "it has a `/` or `\\`"
    } else if name.trim() != name {
        "it starts or ends with white space"
    } else if matches!(name, "." | "..") {
        "it names a folder"
    } else {
        return;
    };
    let message = format!("a case cannot have this name: {wrong}");
    notes.add(Code::BadName, &word.span, message, wrong);
}
