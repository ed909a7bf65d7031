//! `ptodiff export`

use std::{collections::BTreeMap, fs, io::Write, path::PathBuf};

use clap::Args;
use ptodiff_case::{Case, Form};
use ptodiff_data::{npy, place};
use ptodiff_edge::whole::{self, CannotWrite};
use ptodiff_isa::{Clause, DType, Memory, Operand, Role, Target};
use ptodiff_runner::{Element, Holds, Options, elements, from_padding, required};
use serde::Serialize;
use strum::VariantArray as _;

use crate::{
    args::Named,
    commands::run::options_of,
    exit::{Error, Exit},
    out::stdout,
    plain,
    readings::ReadAs,
    select,
    text::{counted, joined},
};

/// `ptodiff export`
#[derive(Args, Debug)]
pub(crate) struct Export {
    /// Which case.
    #[command(flatten)]
    pub(crate) case: Named,
    /// Write every operand before the call, and each target's result, as `.npy` files to DIR
    #[arg(long, value_name = "DIR")]
    npy: PathBuf,
    /// Write what each element may hold, too, and `permits.json`, which says what is there
    #[arg(long)]
    permits: bool,
    /// Root seed of all data
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How the gaps of the documents are read.
    #[command(flatten)]
    pub(crate) read_as: ReadAs,
}

/// An array to be written.
struct Array {
    /// The file's name without its ending.
    name: String,
    dtype: DType,
    extents: Vec<u64>,
    data: Vec<u8>,
}

/// Writes the data of a case as NumPy arrays.
///
/// # Errors
/// No such case, several of that name, or the files cannot be written.
pub(crate) fn export(args: &Export) -> Result<Exit, Error> {
    let case = &select::one(&args.case)?;
    let options = Options {
        seed: args.seed,
        ..options_of(&[], None, &args.read_as.chosen)?
    };
    let mut arrays = operands(case, &options)?;
    let role = case.call.output();
    let types = arrays.iter().map(|a| (a.name.clone(), a.dtype.to_string()));
    let mut contents = Contents {
        case: &case.id,
        seed: args.seed,
        calls: case.chunks,
        output: Form::of(&case.call).key(role),
        operands: types.collect(),
        targets: BTreeMap::new(),
    };
    let (mut without, mut between) = (Vec::new(), Vec::new());
    for target in &case.targets {
        let mut target_contents = TargetContents::default();
        match required(case, *target, &options) {
            Err(why) => target_contents.why = Some(why),
            Ok(r) if !r.undefined.is_empty() => {
                let clauses = joined(&r.undefined, ", ");
                target_contents.why = Some(format!("{target} is undefined by {clauses}"));
                target_contents.undefined = r.undefined.iter().map(|clause| clause.0).collect();
            }
            Ok(r) => {
                let result = array(case, role, format!("result-{target}"), &[&r.memory])?;
                if args.permits
                    && let Some(permits) = &r.permits
                    && let Some(elements) = elements(case, *target, &options, permits)
                {
                    arrays.extend(target_contents.permits(*target, &result, &elements));
                }
                for (role, count) in from_padding(case, *target, &options) {
                    between.push(of_padding(case, *target, role, count));
                    let own = storage(case, role, &options);
                    arrays.extend(own.filter(|own| arrays.iter().all(|one| one.name != own.name)));
                }
                arrays.push(result);
            }
        }
        without.extend(target_contents.why.clone());
        contents.targets.insert(*target, target_contents);
    }
    fs::create_dir_all(&args.npy).map_err(CannotWrite::of_folder(&args.npy))?;
    let of_name = |name: String| args.npy.join(format!("{name}.npy"));
    let mut out = stdout();
    let mut stale = names_of_results();
    stale.extend(contents.operands.keys().map(|key| key.clone() + STORAGE));
    stale.retain(|name| !arrays.iter().any(|one| one.name == *name));
    for one in arrays {
        let path = of_name(one.name);
        whole::write(&path, |to| {
            npy::write(to, one.dtype, &one.extents, &one.data)
        })?;
        let (dtype, spelled) = (one.dtype, npy::spelled(one.dtype));
        writeln!(
            out,
            "{}: {:?} of {dtype}, stored as {spelled}",
            plain::path(&path),
            one.extents
        )?;
    }
    for why in without {
        writeln!(out, "no result: {why}")?;
    }
    for why in between {
        writeln!(out, "{why}")?;
    }
    let permits = args.npy.join("permits.json");
    let mut stale: Vec<PathBuf> = stale.into_iter().map(of_name).collect();
    if args.permits {
        whole::write(&permits, |to| plain::json(to, &contents))?;
        writeln!(out, "{}: what is there", plain::path(&permits))?;
    } else {
        stale.push(permits);
    }
    // All of this export is there: what an older one came to and this one does not would be
    // taken for it.
    stale.retain(|path| fs::symlink_metadata(path).is_ok());
    for path in &stale {
        fs::remove_file(path).map_err(CannotWrite::of(path))?;
    }
    if let [first, ..] = &stale[..] {
        let (all, first) = (counted(stale.len() as u64, "file"), plain::path(first));
        writeln!(out, "removed {all} of another export, first {first}")?;
    }
    Ok(Exit::Conforms)
}

const STORAGE: &str = "-storage";

/// That so many elements of the result come from between the elements of the operand `role`.
pub(super) fn of_padding(case: &Case, target: Target, role: Role, count: usize) -> String {
    let (key, elements) = (
        Form::of(&case.call).key(role),
        counted(count as u64, "element"),
    );
    format!(
        "the result on {target} has {elements} from between those of the {key}: `export` writes \
         {key}{STORAGE}.npy, all that lies there"
    )
}

/// All that lies where the operand `role` is before the first call, without its guard zones.
fn storage(case: &Case, role: Role, options: &Options) -> Option<Array> {
    let dtype = case.call.operand(role)?.dtype();
    let steps = ptodiff_generate::stimulus(case, options.seed).steps;
    let data = steps
        .iter()
        .find_map(|step| step.get(role))?
        .body()
        .to_vec();
    Some(Array {
        name: Form::of(&case.call).key(role).to_owned() + STORAGE,
        dtype,
        extents: vec![(data.len() / dtype.size()) as u64],
        data,
    })
}

/// What is said of the elements of a result, in the order in which it is made.
const COLUMNS: [&str; 7] = [
    "holds",
    "clause",
    "freedom",
    "values",
    "value-ends",
    "writers",
    "writer-ends",
];

/// The names of all arrays that say what a call comes to.
fn names_of_results() -> Vec<String> {
    let of = |target: &Target| {
        let columns = COLUMNS.iter().map(|column| format!("{target}-{column}"));
        columns
            .chain([format!("result-{target}")])
            .collect::<Vec<_>>()
    };
    Target::VARIANTS.iter().flat_map(of).collect()
}

/// What `permits.json` says.
#[derive(Serialize)]
struct Contents<'a> {
    case: &'a str,
    /// The root seed of its data.
    seed: u64,
    /// How many calls write to the output, one after the other.
    calls: u32,
    output: &'static str,
    /// The element types of the operands, by the names of their arrays.
    operands: BTreeMap<String, String>,
    targets: BTreeMap<Target, TargetContents>,
}

/// What is told of a target.
#[derive(Serialize, Default)]
struct TargetContents {
    /// Why there is no result.
    why: Option<String>,
    /// Why nothing is promised, if that is so.
    undefined: Vec<&'static str>,
    /// The clauses that `clause` and `freedom` count, and what they say.
    clauses: Vec<(&'static str, &'static str)>,
}

impl TargetContents {
    /// The arrays of what the elements of `result` may hold. Where one ends in the arrays
    /// `values` and `writers` stands in `value-ends` and `writer-ends`.
    fn permits(&mut self, target: Target, result: &Array, elements: &[Element]) -> Vec<Array> {
        let mut known: BTreeMap<&str, i32> = BTreeMap::new();
        let mut number = |clause: Option<Clause>| {
            let Some(clause) = clause else { return -1 };
            *known.entry(clause.0).or_insert_with(|| {
                let says = ptodiff_register::find(clause.0).map_or("", |entry| entry.says);
                self.clauses.push((clause.0, says));
                self.clauses.len() as i32 - 1
            })
        };
        let mut columns: [Vec<u8>; 7] = Default::default();
        let [
            holds,
            clauses,
            freedoms,
            values,
            value_ends,
            writers,
            writer_ends,
        ] = &mut columns;
        for element in elements {
            holds.push(match element.holds {
                Holds::OneOf => 0,
                Holds::Between => 1,
                Holds::Anything => 2,
            });
            clauses.extend(number(Some(element.clause)).to_le_bytes());
            freedoms.extend(number(element.freedom).to_le_bytes());
            values.extend(&element.values);
            value_ends.extend(((values.len() / result.dtype.size()) as u64).to_le_bytes());
            for writer in &element.writers {
                for n in [writer.step as u64, writer.r, writer.c] {
                    writers.extend(n.to_le_bytes());
                }
            }
            writer_ends.extend((writers.len() as u64 / 24).to_le_bytes());
        }
        let (all, flat) = (&result.extents, [elements.len() as u64]);
        let listed = [(values.len() / result.dtype.size()) as u64];
        let lanes = [writers.len() as u64 / 24, 3];
        let stored: [(DType, &[u64]); 7] = [
            (DType::Uint8, all),
            (DType::Int32, all),
            (DType::Int32, all),
            (result.dtype, &listed),
            (DType::Int64, &flat),
            (DType::Int64, &lanes),
            (DType::Int64, &flat),
        ];
        let named = COLUMNS.iter().zip(stored).zip(columns);
        let array = |((name, (dtype, extents)), data): ((_, (_, &[u64])), _)| Array {
            name: format!("{target}-{name}"),
            dtype,
            extents: extents.to_vec(),
            data,
        };
        named.map(array).collect()
    }
}

/// Every operand before the call, under its key in the case.
fn operands(case: &Case, options: &Options) -> Result<Vec<Array>, Error> {
    let steps = ptodiff_generate::stimulus(case, options.seed).steps;
    let roles = case.call.operands().into_iter().map(|(role, _)| role);
    roles
        .map(|role| {
            let steps: Vec<&Memory> = steps.iter().filter(|s| s.get(role).is_some()).collect();
            array(
                case,
                role,
                Form::of(&case.call).key(role).to_owned(),
                &steps,
            )
        })
        .collect()
}

/// The operand that plays `role`, after each other as each of `steps` has it.
fn array(case: &Case, role: Role, name: String, steps: &[&Memory]) -> Result<Array, Error> {
    let bytes = case.call.operand(role).and_then(place::bytes);
    if let Some(bytes) = bytes.filter(|bytes| *bytes > npy::MAX_BYTES) {
        return Err(Error::usage(format!(
            "{}: {} has {} MiB of values; an array has {} MiB at most",
            plain::text(&case.id),
            Form::of(&case.call).key(role),
            bytes.div_ceil(1 << 20),
            npy::MAX_BYTES >> 20
        )));
    }
    let whole = || {
        let operand: Operand<'_> = case.call.operand(role)?;
        let mut extents = place::extents(operand);
        if steps.len() > 1 {
            extents.insert(0, steps.len() as u64);
        }
        let mut data = Vec::new();
        for step in steps {
            data.extend(place::take(operand, step.get(role)?.body())?);
        }
        Some((operand.dtype(), extents, data))
    };
    let (dtype, extents, data) = whole().ok_or_else(|| {
        Error::usage(format!(
            "{}: the {} has values without a place: its boxes do not divide its padded extents",
            plain::text(&case.id),
            Form::of(&case.call).key(role)
        ))
    })?;
    Ok(Array {
        name,
        dtype,
        extents,
        data,
    })
}
