//! What the grammars of ST names read is printed and read back the same.
//!
//! The printer here was written from the grammars as documented, not from
//! their readers.

use ptodiff_case::st_name::table::{StMode, StPattern, StTable, TableName};
use ptodiff_case::st_name::{
    Extents, NotAnStName, StName, TgatherbName, TscatterForm, TscatterName,
};
use ptodiff_isa::{DType, Instruction, MaskAxis, ScatterAtomicOp, ScatterConflict};
use strum::VariantArray as _;

use super::Finding;

/// Reads the name of a test.
pub type Read<'a> = &'a dyn Fn(Instruction, &str) -> Result<StName, NotAnStName>;

/// Holds the reader to account on any text.
///
/// # Errors
/// If a name that is read says something else once printed, or it is rejected
/// without a word.
pub fn any_text(text: &str, read: Read<'_>) -> Finding {
    for instruction in Instruction::VARIANTS {
        let name = match read(*instruction, text) {
            Ok(name) => name,
            Err(NotAnStName(why)) if why.is_empty() => {
                return Err(format!("{instruction}: rejected without a word"));
            }
            Err(_) => continue,
        };
        let printed = print(&name);
        let again = read(*instruction, &printed);
        if again.as_ref() != Ok(&name) {
            return Err(format!(
                "{instruction}: {name:?} is printed `{printed}`, which is {again:?}"
            ));
        }
    }
    Ok(())
}

/// A name that says `name`.
#[must_use]
pub fn print(name: &StName) -> String {
    let words = match name {
        StName::Table(name) => table(name),
        StName::Tscatter(name) => tscatter(name),
        StName::Tgatherb(name) => tgatherb(name),
    };
    format!("case_{}", words.join("_"))
}

fn table(name: &TableName) -> Vec<String> {
    let mode = match name.mode {
        StMode::Row => "row",
        StMode::Elem => "elem",
        StMode::Elem2d => "elem2d",
    };
    let mut words = vec![mode.to_owned(), dtype(name.dtype)];
    let flags = [
        (name.simt, "simt"),
        (name.nz, "nz"),
        (name.colidx, "colidx"),
    ];
    let more = [
        (name.scalar, "scalar"),
        (name.dynamic && !name.remarks.contains(&"user"), "dyn"),
    ];
    let given = flags.into_iter().chain(more).filter(|(given, _)| *given);
    words.extend(given.map(|(_, word)| word.to_owned()));
    // A user's extents are dynamic ones.
    let remark = |remark: &&str| {
        if *remark == "user" {
            "dyn_user"
        } else {
            remark
        }
        .to_owned()
    };
    words.extend(name.remarks.iter().map(remark));
    words.extend(name.oob.map(str::to_lowercase));
    words.extend(name.conflict.map(|conflict| match conflict {
        ScatterConflict::Last => "last".to_owned(),
        ScatterConflict::Default => "default".to_owned(),
    }));
    words.extend(name.atomic.map(|atomic| match atomic {
        ScatterAtomicOp::Add => "atomic_add".to_owned(),
        other => format!("atomic{other}").to_lowercase(),
    }));
    words.extend(name.pattern.map(|pattern| {
        let pattern = match pattern {
            StPattern::Random => "random",
            StPattern::Same => "same",
            StPattern::Seq => "seq",
            StPattern::NoDup => "no_dup",
        };
        pattern.to_owned()
    }));
    words.push(extents(name.valid));
    words.extend(name.padded.map(|padded| format!("in_{}", extents(padded))));
    words.extend(name.table.map(|table| match table {
        StTable::Rows(rows) => format!("{rows}rows"),
        StTable::Size(size) => format!("{size}size"),
        StTable::Blocks(blocks) => format!("{blocks}blk"),
        StTable::Grid(grid) => extents(grid),
    }));
    words
}

fn tscatter(name: &TscatterName) -> Vec<String> {
    let data = dtype(name.dtype);
    match &name.form {
        TscatterForm::Index {
            index,
            data: tile,
            indices,
        } => vec![data, dtype(*index), extents(*tile), extents(*indices)],
        TscatterForm::Mask {
            pattern,
            sizes: Some((source, destination)),
            ..
        } => {
            let sizes = [*source, *destination].map(extents);
            let [source, destination] = sizes;
            vec![
                "mask".to_owned(),
                data,
                source,
                destination,
                pattern.to_string(),
            ]
        }
        TscatterForm::Mask { pattern, axis, .. } => {
            let form = match axis {
                MaskAxis::Row => "masked",
                MaskAxis::Col => "col",
            };
            vec![form.to_owned(), data, pattern.to_string()]
        }
    }
}

fn tgatherb(name: &TgatherbName) -> Vec<String> {
    let sizes = [name.source, name.offsets, name.destination];
    let sizes = sizes.into_iter().map(extents);
    std::iter::once(dtype(name.dtype)).chain(sizes).collect()
}

/// A dtype without the end that the suites leave out.
fn dtype(dtype: DType) -> String {
    let name = dtype.to_string();
    name.strip_suffix("_t").unwrap_or(&name).to_owned()
}

fn extents((rows, cols): Extents) -> String {
    format!("{rows}x{cols}")
}
