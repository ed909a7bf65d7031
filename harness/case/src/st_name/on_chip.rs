//! The grammars of the names of TSCATTER's and TGATHERB's tests.
//!
//! ```text
//! tscatter = "case_" dtype "_" dtype "_" source "_" indices
//!          | "case_masked_" dtype "_" mask                   along the columns
//!          | "case_col_" dtype "_" mask                      whole rows
//!          | "case_mask_" dtype "_" source "_" destination "_" mask
//! tgatherb = "case_" dtype "_" source "_" offsets "_" destination
//! dtype    = "float" | "half" | "int8" ... "U16" | "I16" ...
//! source   = indices = destination = offsets = R "x" C
//! mask     = "P0101" | "P1010" | "P0001" ...
//! ```
//!
//! A TSCATTER by index has a destination as large as its source.

use ptodiff_isa::{DType, MaskAxis, MaskPattern};

use super::{Extents, NotAnStName, dtype, extents};

/// What the name of a test of TSCATTER says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TscatterName {
    /// The element type of source and destination.
    pub dtype: DType,
    /// The form, and what it says of its own.
    pub form: TscatterForm,
}

/// The form of TSCATTER that a name is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TscatterForm {
    /// By index.
    Index {
        /// The element type of the indices.
        index: DType,
        /// Rows and columns of source and destination.
        data: Extents,
        /// Rows and columns of the index tile.
        indices: Extents,
    },
    /// By mask.
    Mask {
        /// The pattern.
        pattern: MaskPattern,
        /// Along which axis groups lie.
        axis: MaskAxis,
        /// Rows and columns of source and destination, where the name gives them.
        sizes: Option<(Extents, Extents)>,
    },
}

/// What the name of a test of TGATHERB says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TgatherbName {
    /// The element type of source and destination.
    pub dtype: DType,
    /// Rows and columns of the source.
    pub source: Extents,
    /// Rows and columns of the offset tile.
    pub offsets: Extents,
    /// Rows and columns of the destination.
    pub destination: Extents,
}

/// Reads the name of a test of TSCATTER.
///
/// # Errors
/// Says which part does not fit the grammar.
pub fn tscatter(name: &str) -> Result<TscatterName, NotAnStName> {
    let words = words(name)?;
    let (dtype, form) = match words.as_slice() {
        ["masked", dtype, mask] => (dtype, by_mask(mask, MaskAxis::Row, None)?),
        ["col", dtype, mask] => (dtype, by_mask(mask, MaskAxis::Col, None)?),
        ["mask", dtype, source, destination, mask] => {
            let sizes = (sized(source)?, sized(destination)?);
            (dtype, by_mask(mask, MaskAxis::Row, Some(sizes))?)
        }
        [dtype, index, data, indices] => {
            let form = TscatterForm::Index {
                index: typed(index)?,
                data: sized(data)?,
                indices: sized(indices)?,
            };
            (dtype, form)
        }
        _ => return Err(misshapen(&words)),
    };
    let dtype = typed(dtype)?;
    Ok(TscatterName { dtype, form })
}

/// Reads the name of a test of TGATHERB.
///
/// # Errors
/// Says which part does not fit the grammar.
pub fn tgatherb(name: &str) -> Result<TgatherbName, NotAnStName> {
    let words = words(name)?;
    let [dtype, source, offsets, destination] = words.as_slice() else {
        return Err(misshapen(&words));
    };
    Ok(TgatherbName {
        dtype: typed(dtype)?,
        source: sized(source)?,
        offsets: sized(offsets)?,
        destination: sized(destination)?,
    })
}

fn words(name: &str) -> Result<Vec<&str>, NotAnStName> {
    let rest = name.strip_prefix("case_");
    let rest = rest.ok_or_else(|| NotAnStName("it does not start with `case_`".to_owned()))?;
    Ok(rest.split('_').collect())
}

fn misshapen(words: &[&str]) -> NotAnStName {
    NotAnStName(format!("no form of the call has {} words", words.len()))
}

fn typed(word: &str) -> Result<DType, NotAnStName> {
    dtype(word).ok_or_else(|| NotAnStName(format!("`{word}` is no dtype")))
}

fn sized(word: &str) -> Result<Extents, NotAnStName> {
    extents(word).ok_or_else(|| NotAnStName(format!("`{word}` is no size")))
}

fn by_mask(
    mask: &str,
    axis: MaskAxis,
    sizes: Option<(Extents, Extents)>,
) -> Result<TscatterForm, NotAnStName> {
    let pattern = mask.parse();
    let pattern = pattern.map_err(|_| NotAnStName(format!("`{mask}` is no mask")))?;
    Ok(TscatterForm::Mask {
        pattern,
        axis,
        sizes,
    })
}
