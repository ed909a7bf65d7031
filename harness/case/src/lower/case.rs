//! From the keys of one case to a checked [`Case`].

use std::collections::BTreeMap;
use std::path::Path;

use ptodiff_edge::text::{self, is_hidden};
use ptodiff_isa::{Call, DType, Form, Role, Target, TargetReadings};

use super::call::call;
use super::expect::{self, EntryContext};
use super::keys::Keys;
use crate::case::{Case, ExpectedAt, Place};
use crate::code::Code;
use crate::data::{self, Elements};
use crate::form::st_class;
use crate::limits::{self, MAX_CASE_MEMORY, MAX_CHUNKS, MAX_NAME};
use crate::notes::Notes;
use crate::operand;
use crate::plan::{DataPlan, Fill};
use crate::selection;
use crate::yaml::Node;

/// The case, unless it has a mistake.
pub(super) fn lower(notes: &mut Notes<'_>, suite: Option<Target>, keys: &Keys<'_>) -> Option<Case> {
    let before = notes.found.len();
    let name = match keys.get("name") {
        Some(word) => case_name(notes, word),
        None => {
            notes.missing("name", "", keys.owner);
            None
        }
    };
    let instruction = keys.needed(notes, "instruction");
    let instruction = instruction.and_then(|word| notes.name("instruction", word));
    let form = instruction.and_then(|instruction| keys.form(notes, instruction));
    let dtype: Option<DType> = keys.get("dtype").and_then(|word| notes.name("dtype", word));
    // A dtype that is bad was reported; that an operand has none then would mislead.
    let dtype = dtype.or(keys.get("dtype").map(|_| DType::Float));
    let chunks = keys.get("chunks");
    let chunks = chunks.and_then(|word| notes.count("chunks", word, 1, MAX_CHUNKS));
    let chunks = chunks.unwrap_or(1);
    let seed = keys.get("seed");
    let seed = seed.and_then(|word| notes.count("seed", word, 0, u64::MAX));
    let targets = match keys.get("targets") {
        Some(list) => selection::targets(notes, list),
        None => form
            .map_or(<Target as strum::VariantArray>::VARIANTS, Form::targets)
            .to_vec(),
    };
    let readings = match keys.get("readings") {
        Some(raw) => selection::readings(notes, raw),
        None => TargetReadings::default(),
    };
    let clauses = ["rejected", "undefined", "hangs"].map(|key| keys.get(key));
    let [rejected, undefined, hangs] = clauses.map(|raw| {
        raw.map_or_else(Vec::new, |raw| {
            selection::expectations(notes, raw, &targets)
        })
    });
    let entries = keys.get("expect").map_or(&[][..], Node::items);
    let expected = ExpectedAt {
        clauses: clauses.map(|raw| Some(raw?.span.line)),
        entries: entries.iter().map(|entry| entry.span.line).collect(),
    };
    let covers = keys.get("covers");
    let covers = covers.map_or_else(Vec::new, |raw| selection::covers(notes, raw));
    let holes = keys.get("holes");
    let holes = holes.map_or_else(Vec::new, |list| selection::holes(notes, list, &targets));
    let gap = keys.get("gap");
    let gap = gap.and_then(|word| selection::gap(notes, word));

    let form = form?;
    keys.refuse_others(notes, form);
    let of_data = targets.first().copied().unwrap_or(Target::Cpu);
    let call = call(notes, keys, form, dtype, &readings[of_data]);
    let planned = call.map(|call| (call, plan(notes, keys, &call, chunks, seed)));
    let table = planned.as_ref().map(|(_, data)| &data.table);
    let context = EntryContext {
        form,
        call: call.as_ref(),
        sparse: matches!(table, Some(Fill::Rows(_))),
        targets: &targets,
        elsewhere: [&rejected, &undefined, &hangs],
        gap: keys.get("gap").map(|_| gap),
    };
    let expect = expect::all(notes, keys.get("expect"), &context);
    let (call, data) = planned?;
    let place =
        |largest: Option<Role>| largest.map_or(keys.shape(), |role| keys.shape_of(form, role));
    operand::check_memory(notes, (&call, chunks, &data.table), place);

    // Anything reported on the way makes the case unusable, also what has a stand-in.
    if notes.found.len() > before {
        return None;
    }
    let name = name?;
    let prose = |word: &Node| text::lines(word.word()).into_owned();
    let mut case = Case {
        id: id(suite, &call, notes.file, &name),
        name,
        suite,
        place: Place {
            file: notes.file.to_owned(),
            span: keys.owner.clone(),
            expected,
        },
        call,
        spelled: call
            .arguments()
            .iter()
            .any(|argument| keys.get(argument.key).is_some()),
        chunks: u32::try_from(chunks).ok()?,
        data,
        targets,
        readings,
        rejected,
        undefined,
        hangs,
        covers,
        gap,
        holes,
        expect,
        name_differs: keys.get("name_differs").map(prose),
        about: keys.get("about").map(prose),
    };
    case.spelled = !case.leaves_all_out();
    Some(case)
}

/// How the data of each operand is made; what asks for it wrongly was reported.
fn plan(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    call: &Call,
    chunks: u64,
    seed: Option<u64>,
) -> DataPlan {
    let form = Form::of(call);
    let mut plan = DataPlan {
        seed: seed.unwrap_or(0),
        ..DataPlan::of(call)
    };
    for (role, _) in call.operands() {
        let elements = Elements::of(call, role, chunks);
        if let Some((raw, elements)) = keys.data(form, role).zip(elements) {
            data::put(notes, &mut plan, role, raw, &elements);
        }
    }
    let memory = limits::case_memory(call, chunks, &plan.table);
    // Zeros that no memory holds take none.
    if plan.table == Fill::Zeros && call.table().is_some() && memory > MAX_CASE_MEMORY {
        plan.table = Fill::Rows(BTreeMap::new());
    }
    plan
}

/// A case's id: that of the ST test it mirrors, or its file and name.
fn id(suite: Option<Target>, call: &Call, file: &Path, name: &str) -> String {
    match suite {
        Some(suite) => format!("{suite}/{}.{name}", st_class(call)),
        None => {
            let stem = text::path(Path::new(file.file_stem().unwrap_or_default()));
            format!("{stem}/{name}")
        }
    }
}

fn case_name(notes: &mut Notes<'_>, word: &Node) -> Option<String> {
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
        return Some(name.to_owned());
    };
    let message = format!("a case cannot have this name: {wrong}");
    notes.add(Code::BadName, &word.span, message, wrong);
    None
}
