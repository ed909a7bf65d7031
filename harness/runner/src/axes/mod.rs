//! Which combinations of its parameters a call may have with a promised result, and
//! which of them a case has.
//!
//! The axes are the words themselves. What is promised is asked of the contract, for a
//! small call of each combination: nothing here says what is legal.

mod calls;

use std::collections::BTreeSet;

use ptodiff_asm::pieces;
use ptodiff_case::{Case, Form, IndexPattern};
use ptodiff_contract::{Promise, Question, Verbosity, legality};
use ptodiff_generate::stimulus;
use ptodiff_isa::{
    BLayout, Call, Coalesce, CpuForm, DType, OffsetGranularity, Readings, SLayout, Scope, Target,
    Tile,
};
use serde::{Serialize, Serializer};

/// What a call on a target is made of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Combination {
    /// The target.
    pub target: Target,
    /// The form of the instruction.
    #[serde(serialize_with = "word")]
    pub form: Form,
    /// Its parameters and their values: the reading that makes it a form of its own,
    /// the template arguments, elements, layouts.
    #[serde(serialize_with = "map")]
    pub parameters: Vec<(&'static str, &'static str)>,
}

fn word<S: Serializer>(form: &Form, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str((*form).into())
}

fn map<S: Serializer>(of: &[(&'static str, &'static str)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(of.iter().copied())
}

/// The layouts of a tile that the documents name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr, strum::VariantArray)]
enum TileLayout {
    RowMajor,
    ColMajor,
    #[strum(serialize = "NZ")]
    Nz,
}

impl TileLayout {
    const fn of(tile: &Tile) -> Option<Self> {
        match (tile.blayout, tile.slayout) {
            (BLayout::RowMajor, SLayout::NoneBox) => Some(Self::RowMajor),
            (BLayout::ColMajor, SLayout::NoneBox) => Some(Self::ColMajor),
            (BLayout::ColMajor, SLayout::RowMajor) => Some(Self::Nz),
            (BLayout::RowMajor, SLayout::RowMajor) | (_, SLayout::ColMajor) => None,
        }
    }
}

/// Every combination of which `target` promises a result, under the default readings or
/// in the forms of the ST suites.
#[must_use]
pub fn promised(target: Target) -> BTreeSet<Combination> {
    let suites = Readings {
        cpu_form: CpuForm::Templated,
        scope: Scope::AsTheSuite,
        tgatherb_granularity: OffsetGranularity::Block,
        ..Readings::default()
    };
    let mut all = BTreeSet::new();
    for readings in [Readings::default(), suites] {
        for form in Form::ALL {
            calls::each(*form, |call| {
                if !legality(&call, target, &readings).is_empty() {
                    return;
                }
                if let Some(at) = combination(&call, target, &readings)
                    && !all.contains(&at)
                {
                    let mut case = Case::of_call("axes", call);
                    case.data.index = IndexPattern::Seq;
                    case.readings = readings.into();
                    if promises(&case, 0, target, &readings) {
                        all.insert(at);
                    }
                }
            });
        }
    }
    all
}

/// Template parameters in order, by their keys in case files, each with how an intrinsic
/// begins its value.
const TEMPLATE: [(&str, &str); 7] = [
    ("mode", "Coalesce::"),
    ("oob", "OOB::"),
    ("atomic", "ScatterAtomicOp::"),
    ("conflict", "ScatterConflict::"),
    ("exec", "GatherExec::"),
    ("mask", ""),
    ("axis", ""),
];

/// What `call` is made of on `target`; nothing where its layout has no name, or no
/// target has a form to spell it.
///
/// A template parameter that the target's form does not have is none: whatever its
/// value, the call is spelled the same.
#[must_use]
pub fn combination(call: &Call, target: Target, readings: &Readings) -> Option<Combination> {
    let data = call.data_tile();
    let mut parameters = Vec::new();
    match call {
        Call::Mscatter(_) if target == Target::Cpu => {
            parameters.push(("cpu-form", readings.choice("cpu-form")?));
        }
        Call::Tgatherb(_) => {
            let name = "tgatherb-granularity";
            parameters.push((name, readings.choice(name)?));
        }
        _ => {}
    }
    let spelled = spelled(call, target, readings)?;
    if let Call::MscatterFirst(c) = call {
        let rows = c.idx.cols == 1;
        let mode = if rows { Coalesce::Row } else { Coalesce::Elem };
        parameters.push(("mode", mode.into()));
    }
    let arguments = call.arguments();
    for (key, of_type) in TEMPLATE {
        let own = arguments.iter().find(|argument| argument.key == key);
        let own = own.filter(|_| spelled.contains(of_type));
        parameters.extend(own.map(|argument| (key, argument.value)));
    }
    parameters.push(("elements", elements(data.dtype)));
    parameters.push(("tile", TileLayout::of(data)?.into()));
    if let Some(table) = call.table() {
        parameters.push(("table", table.layout.into()));
    }
    Some(Combination {
        target,
        form: Form::of(call),
        parameters,
    })
}

/// The intrinsic with the template arguments that `target`'s form has. A form that only
/// the suites give to a target is spelled as A5's; how they spell the axis of a mask is
/// not known.
fn spelled(call: &Call, target: Target, readings: &Readings) -> Option<String> {
    let templated = readings.cpu_form == CpuForm::Templated;
    let of = match call {
        Call::Mscatter(_) if target == Target::Cpu && templated => Target::A5,
        _ => target,
    };
    match pieces(call, of).or_else(|_| pieces(call, Target::A5)) {
        Ok(pieces) => Some(pieces.intrinsic),
        Err(_) if matches!(call, Call::TscatterMask(_)) => Some(String::new()),
        Err(_) => None,
    }
}

/// The class of a type: types of one class differ in the sign or the split of their bits.
const fn elements(dtype: DType) -> &'static str {
    match dtype {
        DType::Int8 | DType::Uint8 => "int8",
        DType::Int16 | DType::Uint16 => "int16",
        DType::Int32 | DType::Uint32 => "int32",
        DType::Int64 | DType::Uint64 => "int64",
        DType::Half | DType::Bfloat16 => "half",
        DType::Float => "float",
        DType::Float8E4M3 | DType::Float8E5M2 | DType::Hifloat8 => "float8",
    }
}

/// Whether `target` promises a result of `case` under `readings`, with the data of
/// `seed`: nothing is broken, it returns, and of what it writes not all is open.
#[must_use]
pub fn promises(case: &Case, seed: u64, target: Target, readings: &Readings) -> bool {
    let question = Question {
        call: &case.call,
        target,
        readings,
        verbosity: Verbosity::Brief,
    };
    let promise = Promise::of(&question, &stimulus(case, seed).steps);
    let (Some(permits), None) = (promise.permits(), promise.hangs()) else {
        return false;
    };
    let written = permits.of(case.call.output());
    written.is_some_and(|of| of.runs.is_empty() || of.open().count() < of.runs.len())
}
