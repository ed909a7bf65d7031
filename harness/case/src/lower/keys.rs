//! The keys of a case: its own and those of `defaults`.

use ptodiff_isa::{Form, Instruction, Role, TileType};

use crate::form::{Revision, takes};
use crate::notes::Notes;
use crate::raw::{RawCase, RawFill, RawPattern, RawScratch};
use crate::yaml::{Located, Span};

/// The keys of one case.
#[derive(Clone, Copy)]
pub(super) struct Keys<'a> {
    /// Those that it gives itself.
    pub(super) own: &'a RawCase,
    /// Those of the file, where it does not.
    pub(super) defaults: Option<&'a RawCase>,
    /// The case's name, or the whole case: where a missing key is reported.
    pub(super) owner: &'a Span,
}

/// A case's own key, else that of `defaults`.
macro_rules! key {
    ($keys:expr, $key:ident) => {
        $keys
            .own
            .$key
            .as_ref()
            .or($keys.defaults.and_then(|d| d.$key.as_ref()))
    };
}
pub(super) use key;

/// The place of the shape that an operand is given.
macro_rules! shape {
    ($keys:expr, $key:ident) => {
        key!($keys, $key)
            .and_then(|operand| operand.value.shape.as_ref())
            .map(|list| &list.span)
    };
}

/// The named keys, each with its place where it is given.
macro_rules! places {
    ($keys:expr; $($key:ident),*) => {
        [$((stringify!($key), key!($keys, $key).map(|value| &value.span))),*]
    };
}

/// The keys that a case never has from `defaults`, each with its place where it is given.
pub(super) fn own_alone(raw: &RawCase) -> [(&'static str, Option<&Span>); 5] {
    [
        ("name", raw.name.as_ref().map(|word| &word.span)),
        ("covers", raw.covers.as_ref().map(|list| &list.span)),
        ("gap", raw.gap.as_ref().map(|word| &word.span)),
        ("holes", raw.holes.as_ref().map(|list| &list.span)),
        ("expect", raw.expect.as_ref().map(|list| &list.span)),
    ]
}

impl<'a> Keys<'a> {
    /// Whether one of the template arguments is given.
    pub(super) fn spell_arguments(&self) -> bool {
        let given = places!(self; mode, atomic, oob, conflict, exec, mask, axis);
        given.iter().any(|(_, place)| place.is_some())
    }

    pub(super) fn new(defaults: Option<&'a RawCase>, case: &'a Located<RawCase>) -> Self {
        let own = &case.value;
        Self {
            own,
            defaults,
            owner: own.name.as_ref().map_or(&case.span, |name| &name.span),
        }
    }

    /// The form of call that the keys ask for, if they say which.
    pub(super) fn form(&self, notes: &mut Notes<'_>, instruction: Instruction) -> Option<Form> {
        Some(match instruction {
            Instruction::Mscatter => match key!(self, revision) {
                Some(word) => match notes.name("revision", word)? {
                    Revision::First => Form::MscatterFirst,
                    Revision::Current => Form::Mscatter,
                },
                None => Form::Mscatter,
            },
            Instruction::Mgather => {
                let location = key!(self, tile).and_then(|tile| tile.value.location.as_ref());
                match location.map(|word| word.value.text.parse()) {
                    Some(Ok(TileType::Mat)) => Form::MgatherL1,
                    _ => Form::Mgather,
                }
            }
            Instruction::Tscatter if key!(self, mask).is_some() => Form::TscatterMask,
            Instruction::Tscatter => Form::TscatterIndex,
            Instruction::Tgatherb => Form::Tgatherb,
        })
    }

    /// Records every key that `form` does not take.
    pub(super) fn refuse_others(&self, notes: &mut Notes<'_>, form: Form) {
        let places = places!(
            self; revision, mode, atomic, oob, conflict, exec, mask, axis, tile, index, table,
            scratch, source, destination, offset, launch, chunks
        );
        for (key, span) in places {
            let Some(span) = span else { continue };
            if !takes(form, key) {
                notes.not_of(form, key, span);
            }
        }
    }

    /// How the data operand of `role` asks to be filled.
    pub(super) fn fill(&self, form: Form, role: Role) -> Option<&'a Located<RawFill>> {
        let tile = match role {
            Role::Table => return key!(self, table)?.value.data.as_ref(),
            Role::Scratch => {
                return match &key!(self, scratch)?.value {
                    RawScratch::Tensor(tensor) => tensor.data.as_ref(),
                    RawScratch::Word(_) => None,
                };
            }
            Role::Index => return None,
            Role::Source | Role::Destination if form.in_gm() => key!(self, tile),
            Role::Source => key!(self, source),
            Role::Destination => key!(self, destination),
        };
        tile?.value.data.as_ref()
    }

    /// How the index operand asks to be filled.
    pub(super) fn pattern(&self, form: Form) -> Option<&'a Located<RawPattern>> {
        match form {
            Form::Tgatherb => key!(self, offset)?.value.data.as_ref(),
            _ => key!(self, index)?.value.data.as_ref(),
        }
    }

    /// Where to report what is wrong with the operands' sizes.
    pub(super) fn shape(&self) -> &'a Span {
        let table = shape!(self, table);
        table.or(shape!(self, source)).unwrap_or(self.owner)
    }

    /// Where to report that the operand of `role` is large.
    pub(super) fn shape_of(&self, form: Form, role: Role) -> &'a Span {
        let shape = match role {
            Role::Table => shape!(self, table),
            Role::Scratch => key!(self, scratch).map(|scratch| &scratch.span),
            Role::Index if form == Form::Tgatherb => shape!(self, offset),
            Role::Index => shape!(self, index),
            Role::Source | Role::Destination if form.in_gm() => shape!(self, tile),
            Role::Source => shape!(self, source),
            Role::Destination => shape!(self, destination),
        };
        shape.unwrap_or_else(|| self.shape())
    }
}
