//! `ptodiff cpp --harness`

use std::{
    collections::BTreeMap,
    io::Write as _,
    path::{Path, PathBuf},
    str::FromStr,
};

use clap::Args as ClapArgs;
use ptodiff_case::{Case, Form};
use ptodiff_isa::{
    Coalesce, DType, GatherOob, Instruction, MaskAxis, MaskPattern, ScatterAtomicOp,
    ScatterConflict, ScatterOob, Target,
};
use ptodiff_kernel::{Dialect, Extents, Harness, HarnessError, Lattice, Outer, Places, WriteError};

use super::Cpp;
use crate::{
    corpus,
    exit::{Error, Exit},
    out::stdout,
    plain,
    pto::PtoArgs,
    select,
    text::{grouped, joined},
};

/// Most rows or columns of a shape.
const MOST_EXTENT: u64 = 65_536;

/// The program that `ptodiff cpp --harness` writes.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "A program around a real library")]
pub(crate) struct Sources {
    /// Write a C++ program into DIR that runs the cases' calls as an implementation
    #[arg(long, value_name = "DIR")]
    pub(crate) harness: Option<PathBuf>,
    /// Overwrite files in DIR that this command did not write
    #[arg(long, requires = "harness")]
    force: bool,
    /// Take forms that only the ST suites have to be there: templated MSCATTER on cpu, masked
    /// TSCATTER and the gather to L1 on every target, the axis of a mask
    #[arg(long, requires = "harness")]
    suite_forms: bool,
    /// Instead of cases' calls every combination of the options below, 3000 at most
    #[arg(long, requires = "harness", conflicts_with = "wanted")]
    lattice: bool,
    /// Instructions (MSCATTER) or forms of them (mscatter-first) [default: all of the target]
    #[arg(long, requires = "lattice", value_name = "NAME", value_delimiter = ',')]
    instructions: Vec<Part>,
    /// Padded shapes of the data tile [default: 8x32,16x64]
    #[arg(long, requires = "lattice", value_name = "RxC", value_delimiter = ',', value_parser = shape)]
    shapes: Vec<(u64, u64)>,
    /// Types of the data [default: float,half,int32_t,int8_t]
    #[arg(long, requires = "lattice", value_name = "DTYPE", value_delimiter = ',', value_parser = word::<DType>)]
    dtypes: Vec<DType>,
    /// Types of the indices of MSCATTER and MGATHER [default: int32_t]
    #[arg(long, requires = "lattice", value_name = "DTYPE", value_delimiter = ',', value_parser = word::<DType>)]
    index_dtypes: Vec<DType>,
    /// Row, Elem [default: both]
    #[arg(long, requires = "lattice", value_name = "MODE", value_delimiter = ',', value_parser = word::<Coalesce>)]
    modes: Vec<Coalesce>,
    /// None, Add, Max, Min [default: None,Add]
    #[arg(long, requires = "lattice", value_name = "OP", value_delimiter = ',', value_parser = word::<ScatterAtomicOp>)]
    atomics: Vec<ScatterAtomicOp>,
    /// Undefined, Skip (scatters), Zero (gathers), Clamp, Wrap [default: all]
    #[arg(long, requires = "lattice", value_name = "POLICY", value_delimiter = ',', value_parser = bounds)]
    oob: Vec<Bounds>,
    /// Last, Default [default: both]
    #[arg(long, requires = "lattice", value_name = "POLICY", value_delimiter = ',', value_parser = word::<ScatterConflict>)]
    conflicts: Vec<ScatterConflict>,
    /// Patterns of masked TSCATTER [default: all]
    #[arg(long, requires = "lattice", value_name = "PATTERN", value_delimiter = ',', value_parser = word::<MaskPattern>)]
    patterns: Vec<MaskPattern>,
    /// Axes of masked TSCATTER: Row, Col [default: Row; with --suite-forms on cpu both]
    #[arg(long, requires = "lattice", value_name = "AXIS", value_delimiter = ',', value_parser = word::<MaskAxis>)]
    mask_axes: Vec<MaskAxis>,
    /// dynamic: known at run time; static: at compile time, whole tiles [default: dynamic]
    #[arg(long, requires = "lattice", value_name = "KIND", value_delimiter = ',', value_parser = word::<Extents>)]
    extents: Vec<Extents>,
    /// Outer dimensions of tables, as in 2x1x3; `?` is known at run time, as in ?x?x? [default: 1x1x1]
    #[arg(
        long,
        requires = "lattice",
        value_name = "AxBxC",
        value_delimiter = ','
    )]
    outer: Vec<Outer>,
    /// Types of a table, where cpu lets them differ [default: the data's]
    #[arg(long, requires = "lattice", value_name = "DTYPE", value_delimiter = ',', value_parser = word::<DType>)]
    table_dtypes: Vec<DType>,
}

/// A value of `--instructions`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// All forms that the target has of it.
    All(Instruction),
    /// One form.
    One(Form),
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let instruction = text.parse().map(Self::All);
        instruction
            .or_else(|_| text.parse().map(Self::One))
            .map_err(|_| {
                let forms = joined(Form::ALL, ", ");
                format!("expected MSCATTER, MGATHER, TSCATTER, TGATHERB, {forms}")
            })
    }
}

/// A bounds policy, of scatters, of gathers, or of both.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    scatter: Option<ScatterOob>,
    gather: Option<GatherOob>,
}

fn bounds(text: &str) -> Result<Bounds, String> {
    let (scatter, gather) = (text.parse().ok(), text.parse().ok());
    if scatter.is_none() && gather.is_none() {
        return Err("expected Undefined, Skip, Zero, Clamp or Wrap".to_owned());
    }
    Ok(Bounds { scatter, gather })
}

fn shape(text: &str) -> Result<(u64, u64), String> {
    let extent = |word: &str| word.parse().ok().filter(|n| (1..=MOST_EXTENT).contains(n));
    let extents = text.split_once('x');
    let extents = extents.and_then(|(r, c)| Some((extent(r)?, extent(c)?)));
    extents.ok_or_else(|| {
        format!("expected rows and columns, as in 8x32, each from 1 to {MOST_EXTENT}")
    })
}

fn word<T: FromStr + strum::VariantNames>(text: &str) -> Result<T, String> {
    let expected = |_| format!("expected one of {}", T::VARIANTS.join(", "));
    text.parse().map_err(expected)
}

/// Writes the program into `folder`.
///
/// # Errors
/// No such cases, nothing or too much to instantiate, a file in the way.
pub(super) fn harness(args: &Cpp, folder: &Path) -> Result<Exit, Error> {
    let dialect = Dialect {
        target: args.target.unwrap_or(Target::Cpu),
        suite_forms: args.sources.suite_forms,
    };
    let mut harness = Harness::new(dialect);
    let left_out = if args.sources.lattice {
        harness.add_lattice(&args.sources.lattice(dialect)?)
    } else {
        add_cases(&mut harness, args, dialect.target)?
    };
    let mut out = stdout();
    for (reason, count) in &left_out {
        writeln!(out, "left out: {}: {reason}", grouped(*count as u64))?;
    }
    let files = harness
        .files(&places(args, folder)?)
        .map_err(|error| match error {
            HarnessError::Many(_) if args.sources.lattice => Error::usage(format!(
                "{error}; give fewer --shapes, --dtypes, --oob, --conflicts or --outer, or one of \
             the --instructions to a program"
            )),
            HarnessError::Many(_) => Error::usage(format!("{error}; name fewer cases or files")),
            HarnessError::Empty => Error::nothing(error),
        })?;
    ptodiff_kernel::write(folder, &files, args.sources.force).map_err(|error| match error {
        WriteError::Foreign(_) => Error::usage(error),
        WriteError::Io(why) => why.into(),
    })?;
    writeln!(
        out,
        "{}: {} calls, {} instantiations in {} files; {} says how to build them",
        dialect.target,
        grouped(harness.calls() as u64),
        grouped(harness.instances() as u64),
        files.len(),
        plain::path(&folder.join("README.md"))
    )?;
    Ok(Exit::Conforms)
}

/// Where the program and its cases are, for its README.
fn places(args: &Cpp, folder: &Path) -> Result<Places, Error> {
    let absolute = |path: &Path| {
        let whole = std::path::absolute(path);
        whole.map_err(|error| Error::usage(format!("{}: {error}", plain::path(path))))
    };
    // Those in the command are so called wherever one stands.
    let called = |path: &Path| match corpus::is_own(path) {
        true => Ok(plain::path(path)),
        false => absolute(path).map(|path| path.to_string_lossy().into_owned()),
    };
    let mut cases = Vec::new();
    for path in args.wanted.iter().map(Path::new) {
        if corpus::is_there(path) {
            cases.push(called(path)?);
        }
    }
    // A case by its name is found in the folder of all.
    if cases.len() < args.wanted.len() || cases.is_empty() {
        cases = vec![called(&args.cases)?];
    }
    Ok(Places {
        folder: absolute(folder)?,
        cases,
    })
}

/// Adds the cases that are wanted; why others were not, and how many.
fn add_cases(
    harness: &mut Harness,
    args: &Cpp,
    target: Target,
) -> Result<Vec<(String, usize)>, Error> {
    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    for case in wanted(args)? {
        let reason = if case.targets.contains(&target) {
            let added = harness.add(&case);
            added.err().map(|none| none.to_string())
        } else {
            Some(format!("cases that are not for {target}"))
        };
        if let Some(reason) = reason {
            *left_out.entry(reason).or_default() += 1;
        }
    }
    Ok(left_out.into_iter().collect())
}

fn wanted(args: &Cpp) -> Result<Vec<Case>, Error> {
    if args.wanted.is_empty() {
        return Ok(crate::pto::load_all(std::slice::from_ref(&args.cases))?.cases);
    }
    let mut cases = Vec::new();
    for what in &args.wanted {
        let path = PathBuf::from(what);
        if corpus::is_there(&path) {
            cases.extend(crate::pto::load_all(&[path])?.cases);
        } else {
            cases.extend(select::named(what, &args.cases, &PtoArgs::default())?);
        }
    }
    Ok(cases)
}

impl Sources {
    /// The lattice that the options describe; an option not given has its default.
    fn lattice(&self, dialect: Dialect) -> Result<Lattice, Error> {
        let default = Lattice::of(dialect);
        let scatter: Vec<_> = self.oob.iter().filter_map(|b| b.scatter).collect();
        let gather: Vec<_> = self.oob.iter().filter_map(|b| b.gather).collect();
        let (scatter_oob, gather_oob) = if self.oob.is_empty() {
            (default.scatter_oob, default.gather_oob)
        } else {
            (scatter, gather)
        };
        Ok(Lattice {
            dialect,
            forms: self.forms(&default.forms)?,
            shapes: or_default(&self.shapes, default.shapes),
            dtypes: or_default(&self.dtypes, default.dtypes),
            index_dtypes: or_default(&self.index_dtypes, default.index_dtypes),
            modes: or_default(&self.modes, default.modes),
            atomics: or_default(&self.atomics, default.atomics),
            scatter_oob,
            gather_oob,
            conflicts: or_default(&self.conflicts, default.conflicts),
            patterns: or_default(&self.patterns, default.patterns),
            mask_axes: or_default(&self.mask_axes, default.mask_axes),
            extents: or_default(&self.extents, default.extents),
            outer: or_default(&self.outer, default.outer),
            table_dtypes: or_default(&self.table_dtypes, default.table_dtypes),
        })
    }

    fn forms(&self, default: &[Form]) -> Result<Vec<Form>, Error> {
        if self.instructions.is_empty() {
            return Ok(default.to_vec());
        }
        let mut forms = Vec::new();
        for part in &self.instructions {
            match part {
                Part::One(form) => forms.push(*form),
                Part::All(instruction) => {
                    forms.extend(
                        default
                            .iter()
                            .filter(|form| form.instruction() == *instruction),
                    );
                }
            }
        }
        if forms.is_empty() {
            return Err(Error::usage("the target has no form of these instructions"));
        }
        Ok(forms)
    }
}

fn or_default<T: Clone>(values: &[T], default: Vec<T>) -> Vec<T> {
    if values.is_empty() {
        default
    } else {
        values.to_vec()
    }
}
