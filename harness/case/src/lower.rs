//! From a case as written to a checked [`Case`].

use std::collections::BTreeSet;
use std::path::Path;

use ptodiff_isa::{
    Call, Coalesce, DType, GatherOob, GlobalTensor, Instruction, Launch, Mgather, Mscatter,
    Readings, ScatterAtomicOp, ScatterConflict, ScatterOob, Target, Tile,
};

use crate::case::{Case, Place};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::limits::{self, MAX_CASE_BYTES, MAX_CHUNKS, MAX_DYN_UB, MAX_NAME};
use crate::notes::Notes;
use crate::operand;
use crate::plan::{DataPlan, Fill};
use crate::raw::{RawCase, RawFile, Value};
use crate::selection;
use crate::word::{CaseName, EitherOf, Prose};
use crate::yaml::{self, Located, Span};

/// A case, and where its name stands.
pub(crate) type Named = (Case, Span);

/// The cases of one file, and every mistake in it. A case with a mistake is not among them.
pub(crate) fn file(path: &Path, text: &str) -> (Vec<Named>, Vec<Diagnostic>) {
    let mut notes = Notes::new(path);
    let cases = match yaml::read::<RawFile>(text) {
        Ok(raw) => lower_file(&mut notes, &raw),
        Err(fault) => {
            notes.fault(fault);
            Vec::new()
        }
    };
    // A mistake in what cases share is met once for each.
    let mut seen = BTreeSet::new();
    notes.found.retain(|mistake| {
        let bytes = mistake.place.as_ref().map(|spot| spot.span.bytes.clone());
        let bytes = bytes.unwrap_or_default();
        seen.insert((
            bytes.start,
            bytes.end,
            mistake.code,
            mistake.message.clone(),
        ))
    });
    (cases, notes.found)
}

fn lower_file(notes: &mut Notes<'_>, raw: &RawFile) -> Vec<Named> {
    let suite = raw.suite.as_ref().and_then(|w| notes.name("suite", w));
    if let Some(name) = raw.defaults.as_ref().and_then(|d| d.value.name.as_ref()) {
        let message = "`defaults` cannot give a name: every case has its own";
        notes.add(Code::UnknownKey, &name.span, message, "not in `defaults`");
    }
    if raw.cases.value.is_empty() {
        notes.add(
            Code::NoCases,
            &raw.cases.span,
            "the file has no cases",
            "an empty list",
        );
    }
    let defaults = raw.defaults.as_ref().map(|d| &d.value);
    let lower = |case| lower_case(notes, suite, defaults, case);
    raw.cases.value.iter().filter_map(lower).collect()
}

/// A case's own key, else that of `defaults`.
macro_rules! key {
    ($own:expr, $defaults:expr, $key:ident) => {
        $own.$key
            .as_ref()
            .or($defaults.and_then(|d| d.$key.as_ref()))
    };
}

fn lower_case(
    notes: &mut Notes<'_>,
    suite: Option<Target>,
    defaults: Option<&RawCase>,
    located: &Located<RawCase>,
) -> Option<Named> {
    let before = notes.found.len();
    let own = &located.value;
    let owner = own.name.as_ref().map_or(&located.span, |name| &name.span);

    let name = notes
        .needed("name", own.name.as_ref(), owner)
        .and_then(|word| case_name(notes, word));
    let instruction = notes
        .needed("instruction", key!(own, defaults, instruction), owner)
        .and_then(|word| notes.name("instruction", word));
    let dtype: Option<DType> =
        key!(own, defaults, dtype).and_then(|word| notes.name("dtype", word));
    // A dtype that is bad was reported; that an operand has none then would mislead.
    let dtype = dtype.or(key!(own, defaults, dtype).map(|_| DType::Float));
    let raw_tile = notes.needed("tile", key!(own, defaults, tile), owner);
    let raw_index = notes.needed("index", key!(own, defaults, index), owner);
    let raw_table = notes.needed("table", key!(own, defaults, table), owner);
    let tile = raw_tile.and_then(|raw| operand::tile(notes, "tile", raw, dtype));
    let index = raw_index.and_then(|raw| operand::tile(notes, "index", raw, Some(DType::Int32)));
    let table = raw_table.and_then(|raw| operand::table(notes, raw, dtype));
    let chunks = match key!(own, defaults, chunks) {
        Some(word) => notes.count("chunks", word, 1, MAX_CHUNKS),
        None => Some(1),
    };
    let seed = match key!(own, defaults, seed) {
        Some(word) => notes.count("seed", word, 0, u64::MAX),
        None => Some(0),
    };
    let dyn_ub_bytes = key!(own, defaults, launch)
        .and_then(|launch| launch.value.dyn_ub.as_ref())
        .and_then(|word| notes.count("dyn_ub", word, 0, MAX_DYN_UB));
    let launch = Launch { dyn_ub_bytes };
    let targets = match key!(own, defaults, targets) {
        Some(list) => selection::targets(notes, list),
        None => <Target as strum::VariantArray>::VARIANTS.to_vec(),
    };
    let readings = match key!(own, defaults, readings) {
        Some(raw) => selection::readings(notes, raw),
        None => Readings::default(),
    };
    let refused = key!(own, defaults, refused);
    let refused = refused.map_or_else(Vec::new, |raw| {
        selection::expectations(notes, raw, &targets)
    });
    let undefined = key!(own, defaults, undefined);
    let undefined = undefined.map_or_else(Vec::new, |raw| {
        selection::expectations(notes, raw, &targets)
    });

    let instruction = instruction?;
    if let (Some(tile), Some(index), Some(table), Some(chunks)) = (&tile, &index, &table, chunks) {
        let bytes = limits::case_bytes(tile, index, table, chunks);
        if bytes.is_none_or(|bytes| bytes > MAX_CASE_BYTES) {
            let span = raw_table.map_or(owner, |raw| &raw.value.shape.span);
            operand::too_large(notes, span);
            return None;
        }
    }
    let operands = Operands {
        tile: tile?,
        index: index?,
        table: table?,
        launch,
    };
    let call = call(notes, own, defaults, instruction, operands)?;
    let chunks = chunks?;
    let (default_table, default_tile) = match instruction {
        Instruction::Mscatter => (Fill::Zeros, Fill::Distinct),
        Instruction::Mgather => (Fill::Ramp, Fill::Poison),
    };
    let table = call.table();
    let elements = limits::shape_elements(table)?;
    let raw = raw_table.and_then(|raw| raw.value.data.as_ref());
    let table_data = operand::fill(notes, raw, default_table, table.dtype, elements);
    let tile = call.data_tile();
    let elements = limits::valid_elements(tile, chunks)?;
    let raw = raw_tile.and_then(|raw| raw.value.data.as_ref());
    let tile_data = operand::fill(notes, raw, default_tile, tile.dtype, elements);
    let index = call.index_tile();
    let elements = limits::valid_elements(index, chunks)?;
    let raw = raw_index.and_then(|raw| raw.value.data.as_ref());
    let index_data = operand::pattern(notes, raw, index.dtype, elements);

    // Anything reported on the way makes the case unusable, also what has a stand-in.
    if notes.found.len() > before {
        return None;
    }
    let name = name?;
    let prose = |word: &Value<Prose>| word.value.text.clone();
    let case = Case {
        id: id(suite, instruction, notes.file, &name),
        name,
        suite,
        place: Place {
            file: notes.file.to_owned(),
            line: owner.line,
            column: owner.column,
        },
        call,
        chunks: u32::try_from(chunks).ok()?,
        data: DataPlan {
            table: table_data?,
            tile: tile_data?,
            index: index_data?,
            seed: seed?,
        },
        targets,
        readings,
        refused,
        undefined,
        name_differs: key!(own, defaults, name_differs).map(prose),
        about: key!(own, defaults, about).map(prose),
    };
    Some((case, owner.clone()))
}

/// What both instructions have.
struct Operands {
    tile: Tile,
    index: Tile,
    table: GlobalTensor,
    launch: Launch,
}

/// The call, with the policies of its instruction.
fn call(
    notes: &mut Notes<'_>,
    own: &RawCase,
    defaults: Option<&RawCase>,
    instruction: Instruction,
    operands: Operands,
) -> Option<Call> {
    let Operands {
        tile,
        index,
        table,
        launch,
    } = operands;
    let mode = match key!(own, defaults, mode) {
        Some(word) => notes.name("mode", word),
        None => Some(Coalesce::default()),
    };
    match instruction {
        Instruction::Mscatter => {
            let atomic = match key!(own, defaults, atomic) {
                Some(word) => notes.name("ScatterAtomicOp", word),
                None => Some(ScatterAtomicOp::default()),
            };
            let conflict = match key!(own, defaults, conflict) {
                Some(word) => notes.name("ScatterConflict", word),
                None => Some(ScatterConflict::default()),
            };
            let oob = match key!(own, defaults, oob) {
                Some(word) => scatter_oob(notes, word),
                None => Some(ScatterOob::default()),
            };
            Some(Call::Mscatter(Mscatter {
                table,
                src: tile,
                idx: index,
                mode: mode?,
                atomic: atomic?,
                oob: oob?,
                conflict: conflict?,
                launch,
            }))
        }
        Instruction::Mgather => {
            let only_scatter = [
                ("atomic", key!(own, defaults, atomic).map(|word| &word.span)),
                (
                    "conflict",
                    key!(own, defaults, conflict).map(|word| &word.span),
                ),
            ];
            for (key, span) in only_scatter {
                if let Some(span) = span {
                    let message = format!("MGATHER has no `{key}`");
                    notes.add(Code::NotApplicable, span, message, "belongs to MSCATTER");
                }
            }
            let oob = match key!(own, defaults, oob) {
                Some(word) => gather_oob(notes, word),
                None => Some(GatherOob::default()),
            };
            Some(Call::Mgather(Mgather {
                dst: tile,
                table,
                idx: index,
                mode: mode?,
                oob: oob?,
                launch,
            }))
        }
    }
}

/// A case's id: that of the ST test it mirrors, or its file and name.
fn id(suite: Option<Target>, instruction: Instruction, file: &Path, name: &str) -> String {
    match suite {
        Some(suite) => format!("{suite}/{instruction}Test.{name}"),
        None => {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            format!("{stem}/{name}")
        }
    }
}

fn case_name(notes: &mut Notes<'_>, word: &Value<CaseName>) -> Option<String> {
    let name = &word.value.text;
    let wrong = if name.is_empty() {
        "it is empty"
    } else if name.chars().count() > MAX_NAME {
        "it has more than 200 characters"
    } else if name.chars().any(char::is_control) {
        "it has a control character"
    } else if name.contains(['/', '\\']) {
        "it has a `/` or `\\`"
    } else if name.trim() != name {
        "it starts or ends with white space"
    } else if matches!(name.as_str(), "." | "..") {
        "it names a folder"
    } else {
        return Some(name.clone());
    };
    let message = format!("a case cannot have this name: {wrong}");
    notes.add(Code::BadName, &word.span, message, wrong);
    None
}

fn scatter_oob(
    notes: &mut Notes<'_>,
    word: &Value<EitherOf<ScatterOob, GatherOob>>,
) -> Option<ScatterOob> {
    if word.value.text.parse::<GatherOob>() == Ok(GatherOob::Zero) {
        let message = "MSCATTER has no policy Zero";
        notes.add(
            Code::NotApplicable,
            &word.span,
            message,
            "belongs to MGATHER",
        );
        return None;
    }
    notes.name_of("ScatterOOB", &word.value.text, &word.span)
}

fn gather_oob(
    notes: &mut Notes<'_>,
    word: &Value<EitherOf<ScatterOob, GatherOob>>,
) -> Option<GatherOob> {
    if word.value.text.parse::<ScatterOob>() == Ok(ScatterOob::Skip) {
        let message = "MGATHER has no policy Skip";
        notes.add(
            Code::NotApplicable,
            &word.span,
            message,
            "belongs to MSCATTER",
        );
        return None;
    }
    notes.name_of("GatherOOB", &word.value.text, &word.span)
}
