//! The call of a case, in each of its forms.

use ptodiff_isa::{
    CacheFlush, Call, DType, Dispatch, Form, Instruction, Launch, Operand, Readings, Role,
};

use super::keys::{Given, Keys};
use crate::code::Code;
use crate::limits::MAX_DYN_UB;
use crate::notes::Notes;
use crate::operand::{expanded, extents_of};

/// A call as far as its parts were read from the keys of a case.
pub(super) struct Reader<'r, 'f> {
    pub(super) notes: &'r mut Notes<'f>,
    pub(super) keys: &'r Keys<'r>,
    /// The type of the case.
    pub(super) dtype: Option<DType>,
    call: Call,
    /// Whether all parts so far are right.
    pub(super) whole: bool,
}

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
    let mut reader = Reader {
        notes,
        keys,
        dtype,
        call: Call::blank(form),
        whole: true,
    };
    let wrong = reader.arguments();
    let known = |key| !wrong.contains(&key);
    reader.launch();
    let arguments = reader.call;
    if form.in_gm() {
        let mode = arguments.mode().filter(|_| known("mode"));
        let tile = reader.needed_tile(form.data());
        reader.table();
        if form == Form::MgatherL1 {
            reader.index_tensor(mode, tile.as_ref());
            reader.scratch(mode, tile.as_ref());
        } else {
            reader.needed_tile(Role::Index);
        }
    } else {
        let source = reader.needed_tile(Role::Source);
        let extents = match (&arguments, source.as_ref()) {
            (Call::TscatterMask(c), Some(source)) if known("mask") && known("axis") => {
                Some(expanded(source, c.pattern, c.axis))
            }
            (Call::TscatterMask(_), _) => None,
            (_, source) => source.map(extents_of),
        };
        let destination = reader.destination(source.as_ref(), extents);
        match form {
            Form::TscatterMask => {}
            Form::Tgatherb => reader.offset(readings.tgatherb_granularity, destination.as_ref()),
            _ => {
                reader.tile(Role::Index, Some(DType::Int32), extents);
            }
        }
    }
    reader.whole.then_some(reader.call)
}

impl<'r> Reader<'r, '_> {
    /// The form of the call.
    pub(super) const fn form(&self) -> Form {
        Form::of(&self.call)
    }

    /// The operand of `role` as the case gives it.
    pub(super) fn given(&self, role: Role) -> Given<'r> {
        self.keys.operand(self.form().key(role))
    }

    /// Takes the operand of `role`, which is right if there is one.
    pub(super) fn put(&mut self, role: Role, operand: Option<Operand<'_>>) {
        self.whole &= operand.is_some_and(|operand| self.call.put(role, operand));
    }

    /// Reads the template arguments; the keys of those that are wrong.
    fn arguments(&mut self) -> Vec<&'static str> {
        let [own, other, elsewhere] = match self.call.instruction() {
            Instruction::Mscatter => ["MSCATTER", "MGATHER", "Zero"],
            _ => ["MGATHER", "MSCATTER", "Skip"],
        };
        let mut wrong = Vec::new();
        for argument in self.call.arguments() {
            let Some(word) = self.keys.get(argument.key) else {
                continue;
            };
            if self.call.set_argument(argument.key, word.word()) {
                continue;
            }
            if (argument.key, word.word()) == ("oob", elsewhere) {
                let message = format!("{own} has no policy {elsewhere}");
                let label = format!("belongs to {other}");
                let mistake = self
                    .notes
                    .add(Code::NotApplicable, &word.span, message, label);
                mistake.help = Some(format!("{own} has {}", argument.words.join(", ")));
            } else {
                self.notes.no_name(argument.key, word, argument.words);
            }
            wrong.push(argument.key);
        }
        self.whole &= wrong.is_empty();
        wrong
    }

    /// Reads how the kernel was launched.
    fn launch(&mut self) {
        let (Some(raw), Some(own)) = (self.keys.get("launch"), self.call.launch_mut()) else {
            return;
        };
        let notes = &mut *self.notes;
        let bytes = raw.get("dyn_ub");
        let bytes = bytes.map(|word| notes.count("dyn_ub", word, 0, MAX_DYN_UB));
        let dispatch = notes.name_or("dispatch", raw.get("dispatch"), Dispatch::default());
        let flush = notes.name_or("flush", raw.get("flush"), CacheFlush::default());
        match (bytes, dispatch, flush) {
            (None | Some(Some(_)), Some(dispatch), Some(flush)) => {
                *own = Launch {
                    dyn_ub_bytes: bytes.flatten(),
                    dispatch,
                    flush,
                };
            }
            _ => self.whole = false,
        }
    }
}
