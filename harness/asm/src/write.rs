//! From a call to the text of one form.

use ptodiff_isa::{Call, Coalesce, Form, GlobalTensor, Operand, Role, Tile};

use crate::{
    attribute::Dictionary,
    form::Level,
    grammar::{Signature, signature},
    place, policy, types, word,
};

fn signature_of(call: &Call, level: Level) -> Option<Signature> {
    let staged = call.operand(Role::Scratch).is_some();
    signature(Form::of(call), staged, level)
}

/// `call` at `level`, where it has such a form.
pub(crate) fn text(call: &Call, level: Level) -> Option<String> {
    match level {
        Level::Sketch => sketch(call),
        Level::Manual => manual(call),
        _ => line(call, level),
    }
}

fn line(call: &Call, level: Level) -> Option<String> {
    let signature = signature_of(call, level)?;
    let mnemonic = word::mnemonic(call.instruction());
    let inputs = comma(signature.inputs.iter().map(|role| name(call, level, *role)));
    let types = comma(signature.types.iter().map(|role| ty(call, level, *role)));
    let output = signature
        .output
        .map(|role| (name(call, level, role), ty(call, level, role)));
    let result = |(name, _): &(String, String)| format!("{name} = ");
    let result = output.as_ref().map(result).unwrap_or_default();
    let dictionary = dictionary(call, level);
    Some(match level {
        Level::Synchronous => {
            let arrow = output
                .map(|(_, ty)| format!(" -> {ty}"))
                .unwrap_or_default();
            format!("{result}{mnemonic} {inputs} : {types}{arrow}{dictionary}")
        }
        Level::Mode | Level::Sketch => {
            let suffixes = policy::suffixes(call);
            format!("{mnemonic}{suffixes} {inputs} : ({types}){dictionary}")
        }
        Level::Ssa | Level::Manual => {
            let to = output.map_or("()".to_owned(), |(_, ty)| ty);
            format!("{result}pto.{mnemonic} {inputs} : ({types}) -> {to}{dictionary}")
        }
        Level::Dps => {
            let (name, to) = output?;
            format!("pto.{mnemonic} ins({inputs} : {types}) outs({name} : {to}){dictionary}")
        }
    })
}

/// The SSA form after a `pto.tassign` for each tile, where all have a place.
fn manual(call: &Call) -> Option<String> {
    let mut text = String::new();
    for (role, address) in place::places(call)? {
        let name = name(call, Level::Ssa, role);
        text += &format!("pto.tassign {name}, @tile({address:#x})\n");
    }
    Some(text + &line(call, Level::Ssa)?)
}

/// The form with suffixes in the short types of the documents, whose extents
/// are the valid ones, or the padded ones in the first revision (MSCATTER0-GAP-06).
fn sketch(call: &Call) -> Option<String> {
    let level = Level::Mode;
    let signature = signature_of(call, level)?;
    let padded = matches!(call, Call::MscatterFirst(_));
    let short = |operand: Operand<'_>| match operand {
        Operand::Tensor(GlobalTensor { .. }) => format!("!pto.{}<...>", level.tensor_word()),
        Operand::Tile(Tile {
            dtype,
            rows,
            cols,
            valid_row,
            valid_col,
            ..
        }) => {
            let (rows, cols) = match padded {
                true => (*rows, *cols),
                false => (valid_row.get(), valid_col.get()),
            };
            let dtype = word::bare(*dtype);
            format!("!pto.{}<{rows}x{cols}x{dtype}>", level.tile_word())
        }
    };
    let (mnemonic, suffixes) = (word::mnemonic(call.instruction()), policy::suffixes(call));
    let names = comma(signature.inputs.iter().map(|role| name(call, level, *role)));
    let roles = signature.types.iter();
    let types = comma(roles.filter_map(|role| call.operand(*role)).map(short));
    Some(format!("{mnemonic}{suffixes} {names} : ({types})"))
}

/// What the mnemonic and the types of a form do not say.
fn dictionary(call: &Call, level: Level) -> Dictionary {
    let mut dictionary = Dictionary::default();
    policy::put(call, level, &mut dictionary);
    if let (Call::Tgatherb(_), Level::Synchronous) = (call, level) {
        dictionary.put("offset", ty(call, level, Role::Index));
    }
    for (role, operand) in call.operands() {
        let values = types::run_time(operand);
        if !values.is_empty() {
            let values = comma(values.iter().map(u64::to_string));
            dictionary.put(&name(call, level, role), format_args!("[{values}]"));
        }
    }
    dictionary
}

/// Whether the mode form of `call` goes by row.
pub(crate) fn by_row(call: &Call) -> bool {
    match call {
        Call::MscatterFirst(c) => policy::first_mode(c) == Coalesce::Row,
        _ => call.mode() == Some(Coalesce::Row),
    }
}

fn name(call: &Call, level: Level, role: Role) -> String {
    format!("%{}", level.operand_name(call.instruction(), role))
}

fn ty(call: &Call, level: Level, role: Role) -> String {
    call.operand(role)
        .map(|operand| types::write(operand, level))
        .unwrap_or_default()
}

fn comma(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}
