//! The syntax of one form, before anybody asks what its operands are.

use ptodiff_isa::Instruction;

use crate::{
    attribute::Attributes,
    cursor::Cursor,
    error::{At, Fault, Read},
    form::Level,
    types::{self, Type},
    word,
};

const INSTRUCTION: &str = "an instruction, `mscatter`, `mgather`, `tscatter` or `tgatherb`";

/// A form as it was written.
pub(crate) struct Statement<'t> {
    pub(crate) level: Level,
    pub(crate) mnemonic: At<Instruction>,
    /// Empty but in [`Level::Mode`].
    pub(crate) suffixes: Vec<At<&'t str>>,
    /// Before the `=`, or in `outs`.
    pub(crate) output: Option<At<&'t str>>,
    /// After the mnemonic, or in `ins`, and what else it takes.
    pub(crate) body: Body<'t>,
    pub(crate) attributes: Attributes<'t>,
}

/// The operands of a form and their types.
pub(crate) struct Body<'t> {
    pub(crate) inputs: List<At<&'t str>>,
    pub(crate) types: List<At<Type>>,
    pub(crate) output_type: Option<At<Type>>,
}

/// What stood between commas, and where it ended.
pub(crate) struct List<T> {
    pub(crate) items: Vec<T>,
    pub(crate) end: usize,
}

/// Reads one form.
pub(crate) fn read<'t>(cursor: &mut Cursor<'t>) -> Read<Statement<'t>> {
    let mut output = None;
    if cursor.sees("%") {
        output = Some(cursor.name()?);
        cursor.expect("=")?;
    }
    let at = cursor.here();
    let prefixed = cursor.eat_tight("pto.");
    let name = cursor
        .word_tight(INSTRUCTION)
        .map_err(|fault| Fault::new(at, fault.expected))?;
    let instruction = word::instruction(name.value);
    let instruction = instruction.ok_or_else(|| Fault::new(name.at, INSTRUCTION))?;
    let mnemonic = At {
        value: instruction,
        at,
    };

    let mut suffixes = Vec::new();
    while !prefixed && cursor.eat_tight(".") {
        suffixes.push(cursor.word_tight("a suffix")?);
    }
    let level = match (prefixed, suffixes.is_empty()) {
        (true, _) if cursor.sees("ins") => Level::Dps,
        (true, _) => Level::Ssa,
        (false, true) => Level::Synchronous,
        (false, false) => Level::Mode,
    };
    let body = match level {
        Level::Dps => {
            if let Some(result) = output {
                return Err(Fault::new(result.at, "no result before a form with `outs`"));
            }
            let (body, name) = dps(cursor)?;
            output = Some(name);
            body
        }
        _ => plain(cursor, level)?,
    };
    let attributes = Attributes::read(cursor, level)?;
    Ok(Statement {
        level,
        mnemonic,
        suffixes,
        output,
        body,
        attributes,
    })
}

/// `%a, %b : T, T`, then `-> T` or nothing; with suffixes or a prefix the types stand in
/// brackets, with a prefix `-> T` or `-> ()` follows.
fn plain<'t>(cursor: &mut Cursor<'t>, level: Level) -> Read<Body<'t>> {
    let inputs = names(cursor)?;
    cursor.expect(":")?;
    let in_brackets = level != Level::Synchronous;
    if in_brackets {
        cursor.expect("(")?;
    }
    let types = types(cursor, level)?;
    if in_brackets {
        cursor.expect(")")?;
    }
    let has_output = match level {
        Level::Synchronous => cursor.eat("->"),
        Level::Ssa => {
            cursor.expect("->")?;
            !cursor.eat("(")
        }
        _ => false,
    };
    let mut output_type = None;
    if has_output {
        output_type = Some(types::read(cursor, level)?);
    } else if level == Level::Ssa {
        cursor.expect(")")?;
    }
    Ok(Body {
        inputs,
        types,
        output_type,
    })
}

/// `ins(%a, %b : T, T) outs(%c : T)`.
fn dps<'t>(cursor: &mut Cursor<'t>) -> Read<(Body<'t>, At<&'t str>)> {
    cursor.expect("ins")?;
    cursor.expect("(")?;
    let inputs = names(cursor)?;
    cursor.expect(":")?;
    let types = types(cursor, Level::Dps)?;
    for token in [")", "outs", "("] {
        cursor.expect(token)?;
    }
    let output = cursor.name()?;
    cursor.expect(":")?;
    let output_type = Some(types::read(cursor, Level::Dps)?);
    cursor.expect(")")?;
    Ok((
        Body {
            inputs,
            types,
            output_type,
        },
        output,
    ))
}

fn names<'t>(cursor: &mut Cursor<'t>) -> Read<List<At<&'t str>>> {
    list(cursor, Cursor::name)
}

fn types(cursor: &mut Cursor<'_>, level: Level) -> Read<List<At<Type>>> {
    list(cursor, |cursor| types::read(cursor, level))
}

fn list<'t, T>(
    cursor: &mut Cursor<'t>,
    item: impl Fn(&mut Cursor<'t>) -> Read<T>,
) -> Read<List<T>> {
    let mut items = vec![item(cursor)?];
    while cursor.eat(",") {
        items.push(item(cursor)?);
    }
    let end = cursor.here();
    Ok(List { items, end })
}
