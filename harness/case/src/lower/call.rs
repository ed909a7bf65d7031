//! The call of a case, in each of its forms.

use ptodiff_isa::{Call, DType, Form, Instruction, Operand, Readings, Role};

use super::keys::Keys;
use super::launch::launch;
use super::operands;
use crate::code::Code;
use crate::notes::Notes;
use crate::operand::{expanded, extents_of, too_large};

/// The call that the keys describe. `dtype` is that of the case.
///
/// Every part is read before any is missed, so that all mistakes are reported.
pub(super) fn call(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    form: Form,
    dtype: Option<DType>,
    readings: &Readings,
) -> Option<Call> {
    let mut call = Call::blank(form);
    let wrong = arguments(notes, keys, &mut call);
    let mut whole = wrong.is_empty();
    if let Some(own) = call.launch_mut() {
        match launch(notes, keys) {
            Some(given) => *own = given,
            None => whole = false,
        }
    }
    let (arguments, known) = (call, |key| !wrong.contains(&key));
    let mut put = |role, operand: Option<Operand<'_>>| {
        whole &= operand.is_some_and(|operand| call.put(role, operand));
    };
    if form.in_gm() {
        let mode = arguments.mode().filter(|_| known("mode"));
        let tile = operands::needed(notes, keys, form, form.data(), dtype);
        put(form.data(), tile.as_ref().map(Operand::Tile));
        let table = operands::table(notes, keys, dtype);
        put(Role::Table, table.as_ref().map(Operand::Tensor));
        if form == Form::MgatherL1 {
            let idx = operands::index_tensor(notes, keys, mode, tile.as_ref());
            put(Role::Index, idx.as_ref().map(Operand::Tensor));
            let scratch = operands::scratch(notes, keys, dtype, mode, tile.as_ref());
            if scratch != Some(None) {
                put(
                    Role::Scratch,
                    scratch.flatten().as_ref().map(Operand::Tensor),
                );
            }
        } else {
            let idx = operands::needed_index(notes, keys);
            put(Role::Index, idx.as_ref().map(Operand::Tile));
        }
    } else {
        let src = operands::needed(notes, keys, form, Role::Source, dtype);
        put(Role::Source, src.as_ref().map(Operand::Tile));
        let extents = match (&arguments, src.as_ref()) {
            (Call::TscatterMask(c), Some(src)) if known("mask") && known("axis") => {
                let expanded = expanded(src, c.pattern, c.axis);
                if expanded.is_none() {
                    too_large(notes, keys.shape(), None, None, None);
                }
                expanded
            }
            (Call::TscatterMask(_), _) => None,
            (_, src) => src.map(extents_of),
        };
        let dst = operands::destination(notes, keys, dtype, src.as_ref(), extents);
        put(Role::Destination, dst.as_ref().map(Operand::Tile));
        let idx = match form {
            Form::TscatterMask => return whole.then_some(call),
            Form::Tgatherb => {
                operands::offset(notes, keys, readings.tgatherb_granularity, dst.as_ref())
            }
            _ => operands::index(notes, keys, extents.into()),
        };
        put(Role::Index, idx.as_ref().map(Operand::Tile));
    }
    whole.then_some(call)
}

/// Gives `call` its template arguments; the keys of those that are wrong.
fn arguments(notes: &mut Notes<'_>, keys: &Keys<'_>, call: &mut Call) -> Vec<&'static str> {
    let [own, other, elsewhere] = match call.instruction() {
        Instruction::Mscatter => ["MSCATTER", "MGATHER", "Zero"],
        _ => ["MGATHER", "MSCATTER", "Skip"],
    };
    let mut wrong = Vec::new();
    for argument in call.arguments() {
        let Some(word) = keys.get(argument.key) else {
            continue;
        };
        if call.set_argument(argument.key, word.word()) {
            continue;
        }
        if (argument.key, word.word()) == ("oob", elsewhere) {
            let message = format!("{own} has no policy {elsewhere}");
            let label = format!("belongs to {other}");
            notes
                .add(Code::NotApplicable, &word.span, message, label)
                .help = Some(format!("{own} has {}", argument.words.join(", ")));
        } else {
            notes.no_name(argument.key, word, argument.words);
        }
        wrong.push(argument.key);
    }
    wrong
}
