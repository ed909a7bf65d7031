//! The call of a case, in each of its forms.

use ptodiff_isa::{Call, Coalesce, DType, Form, Instruction, Readings, Role};

use super::keys::{Given, Keys};
use crate::code::Code;
use crate::limits::MAX_DYN_UB;
use crate::notes::Notes;
use crate::operand::{expanded, extents_of};

/// A call as far as its parts were read from the keys of a case. What is wrong was reported,
/// and is as by default.
pub(super) struct Reader<'r, 'f> {
    pub(super) notes: &'r mut Notes<'f>,
    keys: &'r Keys<'r>,
    /// The type of the case.
    pub(super) dtype: Option<DType>,
    pub(super) call: Call,
}

/// The call that the keys describe, unless it has a mistake. `dtype` is that of the case.
pub(super) fn call(
    notes: &mut Notes<'_>,
    keys: &Keys<'_>,
    form: Form,
    dtype: Option<DType>,
    readings: &Readings,
) -> Option<Call> {
    let before = notes.found.len();
    let mut reader = Reader {
        notes,
        keys,
        dtype,
        call: Call::blank(form),
    };
    reader.arguments();
    reader.launch();
    if form.in_gm() {
        let tile = reader.needed_tile(form.data());
        reader.tensor(Role::Table, dtype, None);
        if form == Form::MgatherL1 {
            reader.index_tensor(&tile);
            reader.scratch(&tile);
        } else {
            reader.needed_tile(Role::Index);
        }
    } else {
        let source = reader.needed_tile(Role::Source);
        let extents = match &reader.call {
            Call::TscatterMask(c) => expanded(&source, c.pattern, c.axis),
            _ => extents_of(&source),
        };
        let dtype = dtype.unwrap_or(source.dtype);
        let destination = reader.tile(Role::Destination, Some(dtype), Some(extents));
        match form {
            Form::TscatterMask => {}
            Form::Tgatherb => reader.offset(readings.tgatherb_granularity, &destination),
            _ => {
                reader.tile(Role::Index, Some(DType::Int32), Some(extents));
            }
        }
    }
    let call = reader.call;
    (notes.found.len() == before).then_some(call)
}

impl<'r> Reader<'r, '_> {
    /// The form of the call.
    pub(super) const fn form(&self) -> Form {
        Form::of(&self.call)
    }

    /// The operand of `role` as the case gives it, which it has to where it is `needed`.
    pub(super) fn given(&mut self, role: Role, needed: bool) -> Given<'r> {
        let key = self.form().key(role);
        if needed {
            self.keys.needed(self.notes, key);
        }
        self.keys.operand(key)
    }

    /// Reads the template arguments.
    fn arguments(&mut self) {
        let [own, other, elsewhere] = match self.call.instruction() {
            Instruction::Mscatter => ["MSCATTER", "MGATHER", "Zero"],
            _ => ["MGATHER", "MSCATTER", "Skip"],
        };
        // With the fourth operand the template's default is another (MGATHERL1-API-02).
        let scratch = self.keys.get(self.form().key(Role::Scratch));
        if self.form() == Form::MgatherL1 && scratch.is_some_and(|node| !node.is_scalar()) {
            self.call.set_argument("mode", Coalesce::Elem.into());
        }
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
        }
    }

    /// Reads how the kernel was launched.
    fn launch(&mut self) {
        let raw = self.keys.get("launch");
        let Some(own) = self.call.launch_mut() else {
            return;
        };
        if let Some(word) = raw.and_then(|raw| raw.get("dyn_ub")) {
            own.dyn_ub_bytes = self.notes.count("dyn_ub", word, 0, MAX_DYN_UB);
        }
        self.notes.put(&mut own.dispatch, "dispatch", raw);
        self.notes.put(&mut own.flush, "flush", raw);
    }
}
