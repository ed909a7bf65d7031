//! Extents in a type, and the run-time values that a type cannot hold.

use ptodiff_isa::Dim;

use crate::{cursor::Cursor, error::Read};

/// One extent as a type spells it: `?` where it is known at run time.
#[must_use]
pub fn extent(dim: Dim) -> String {
    dim.known()
        .map_or("?".to_owned(), |extent| extent.to_string())
}

/// The run-time values of those of `dims` that have one, in order.
pub(crate) fn run_time(dims: impl IntoIterator<Item = Dim>) -> Vec<u64> {
    dims.into_iter()
        .filter(|dim| dim.known().is_none())
        .map(Dim::get)
        .collect()
}

/// Reads one extent that stands right here; `?` is 0 until [`fill`] knows better.
pub(crate) fn read_tight(cursor: &mut Cursor<'_>) -> Read<Dim> {
    if cursor.eat_tight("?") {
        return Ok(Dim::Dynamic(0));
    }
    Ok(Dim::Static(cursor.number_tight()?.value))
}

/// Reads one extent.
pub(crate) fn read(cursor: &mut Cursor<'_>) -> Read<Dim> {
    cursor.here();
    read_tight(cursor)
}

/// Gives the dynamic ones of `dims` their run-time values.
///
/// # Errors
/// How many there are, when that is not how many are given.
pub(crate) fn fill<'d>(
    dims: impl IntoIterator<Item = &'d mut Dim>,
    values: &[u64],
) -> Result<(), usize> {
    let dynamic: Vec<_> = dims
        .into_iter()
        .filter(|dim| dim.known().is_none())
        .collect();
    if dynamic.len() != values.len() {
        return Err(dynamic.len());
    }
    for (dim, value) in dynamic.into_iter().zip(values) {
        *dim = Dim::Dynamic(*value);
    }
    Ok(())
}
