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
    let name = match keys.own.get("name") {
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
    let calls = match keys.get("chunks") {
        Some(word) => notes.count("chunks", word, 1, MAX_CHUNKS),
        None => Some(1),
    };
    let seed = match keys.get("seed") {
        Some(word) => notes.count("seed", word, 0, u64::MAX),
        None => Some(0),
    };
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
    let own = |key| keys.own.get(key);
    let entries = own("expect").map_or(&[][..], Node::items);
    let expected = ExpectedAt {
        clauses: clauses.map(|raw| Some(raw?.span.line)),
        entries: entries.iter().map(|entry| entry.span.line).collect(),
    };
    let covers = own("covers").map_or_else(Vec::new, |raw| selection::covers(notes, raw));
    let holes = own("holes");
    let holes = holes.map_or_else(Vec::new, |list| selection::holes(notes, list, &targets));
    let gap = own("gap");
    let gap = gap.and_then(|word| selection::gap(notes, word));

    let form = form?;
    keys.refuse_others(notes, form);
    let of_data = targets.first().copied().unwrap_or(Target::Cpu);
    let call = call(notes, keys, form, dtype, &readings[of_data]);
    // One that is bad was reported.
    let chunks = calls.unwrap_or(1);
    let sparse = call.as_ref().and_then(|call| sparse(keys, call, chunks));
    let context = EntryContext {
        form,
        call: call.as_ref(),
        sparse: sparse.is_some(),
        targets: &targets,
        elsewhere: [&rejected, &undefined, &hangs],
        gap: own("gap").map(|_| gap),
    };
    let expect = expect::all(notes, own("expect"), &context);
    let call = call?;
    let memory = limits::memory(&call, chunks, sparse);
    if memory.is_none_or(|bytes| bytes > MAX_CASE_MEMORY) {
        let largest = limits::largest(&call, chunks);
        let place = largest.map_or(keys.shape(), |role| keys.shape_of(form, role));
        let sparse = sparse.map(|_| &call);
        operand::too_large(notes, place, memory, largest, sparse);
        return None;
    }
    let mut data = plan(notes, keys, &call, chunks, seed?)?;
    if sparse.is_some() && data.table == Fill::Zeros {
        data.table = Fill::Rows(BTreeMap::new());
    }

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

/// How many rows of a sparse table are given, and how many bytes: of one that has
/// `rows`, and of one all of whose zeros no memory holds.
fn sparse(keys: &Keys<'_>, call: &Call, chunks: u64) -> Option<[u64; 2]> {
    let table = call.operand(Role::Table)?;
    match keys.data(Form::of(call), Role::Table).map(Node::way) {
        Some(("rows", Some(rows))) => {
            let rows = rows.pairs();
            let given: usize = rows.iter().map(|(_, list)| list.items().len()).sum();
            let bytes = given as u64 * table.dtype().size() as u64;
            Some([rows.len() as u64, bytes])
        }
        Some(("zeros", _)) => None,
        None if DataPlan::of(call).table == Fill::Zeros => None,
        _ => return None,
    }
    .or_else(|| {
        let whole = limits::memory(call, chunks, None);
        whole
            .is_none_or(|bytes| bytes > MAX_CASE_MEMORY)
            .then_some([0; 2])
    })
}

/// How the data of each operand is made.
fn plan(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    call: &Call,
    chunks: u64,
    seed: u64,
) -> Option<DataPlan> {
    let form = Form::of(call);
    let mut plan = DataPlan {
        seed,
        ..DataPlan::of(call)
    };
    let mut whole = Some(());
    for (role, _) in call.operands() {
        let elements = Elements::of(call, role, chunks);
        if let Some((raw, elements)) = keys.data(form, role).zip(elements) {
            whole = data::put(notes, &mut plan, role, raw, &elements).and(whole);
        }
    }
    whole.map(|()| plan)
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
