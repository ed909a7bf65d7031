//! From text to a call.

use ptodiff_isa::Call;

use crate::{
    ParseError,
    cursor::Cursor,
    error::{At, Fault, Read},
    resolve, statement,
};

/// Reads one form of a call, with the `pto.tassign` lines before it, if any,
/// and comments (`#` to the end of the line) anywhere.
///
/// Addresses are read and dropped: a call has none.
///
/// # Errors
/// The first mistake, with its line and column and what was expected there.
pub fn parse(text: &str) -> Result<Call, ParseError> {
    read(text).map_err(|fault| fault.locate(text))
}

fn read(text: &str) -> Read<Call> {
    let mut cursor = Cursor::new(text);
    let mut assigned = Vec::new();
    while cursor.eat("pto.tassign") {
        assigned.push(tassign(&mut cursor)?);
    }
    let statement = statement::read(&mut cursor)?;
    cursor.end()?;
    let (call, mut tiles) = resolve::resolve(statement)?;
    for name in assigned {
        let Some(tile) = tiles.iter().position(|tile| *tile == name.value) else {
            return Err(Fault::new(name.at, "a tile operand of the call, once"));
        };
        tiles.swap_remove(tile);
    }
    Ok(call)
}

/// Reads ` %src, @tile(0x1000)` and returns the name.
fn tassign<'t>(cursor: &mut Cursor<'t>) -> Read<At<&'t str>> {
    let name = cursor.name()?;
    for token in [",", "@tile", "("] {
        cursor.expect(token)?;
    }
    cursor.address()?;
    cursor.expect(")")?;
    Ok(name)
}
