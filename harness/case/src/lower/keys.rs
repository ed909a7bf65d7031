//! The keys of a case: its own and those of `defaults`.

use ptodiff_isa::{Form, Instruction, Role, TileType};

use crate::form::{Revision, takes};
use crate::format::OWN_ALONE;
use crate::notes::Notes;
use crate::yaml::{Node, Span};

/// The keys of one case, and those of the file where it has none of its own.
pub(super) struct Keys<'a> {
    all: Vec<&'a (Node, Node)>,
    /// The case's name, or the whole case: where a missing key is reported.
    pub(super) owner: &'a Span,
}

/// An operand as the case gives it, if it does.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    /// Its key.
    pub(super) what: &'static str,
    /// What stands there.
    pub(super) node: Option<&'a Node>,
    /// Its place, or where to say what it lacks.
    pub(super) span: &'a Span,
}

impl<'a> Given<'a> {
    pub(super) fn get(&self, key: &str) -> Option<&'a Node> {
        self.node?.get(key)
    }
}

impl<'a> Keys<'a> {
    pub(super) fn new(defaults: Option<&'a Node>, own: &'a Node) -> Self {
        let shared = defaults.map_or(&[][..], Node::pairs).iter();
        let shared = shared
            .filter(|(key, _)| own.get(key.word()).is_none() && !OWN_ALONE.contains(&key.word()));
        Self {
            all: own.pairs().iter().chain(shared).collect(),
            owner: own.get("name").map_or(&own.span, |name| &name.span),
        }
    }

    /// What stands under `key`.
    pub(super) fn get(&self, key: &str) -> Option<&'a Node> {
        let own = self.all.iter().find(|(name, _)| name.word() == key);
        own.map(|(_, value)| value)
    }

    /// The operand called `key`.
    pub(super) fn operand(&self, key: &'static str) -> Given<'a> {
        let node = self.get(key);
        Given {
            what: key,
            node,
            span: node.map_or(self.owner, |node| &node.span),
        }
    }

    /// What stands under a key that has to be there, in the case or in `defaults`.
    pub(super) fn needed(&self, notes: &mut Notes<'_>, key: &str) -> Option<&'a Node> {
        let node = self.get(key);
        if node.is_none() {
            notes.missing(key, ", and `defaults` gives none", self.owner);
        }
        node
    }

    /// The form of call that the keys ask for, if they say which.
    pub(super) fn form(&self, notes: &mut Notes<'_>, instruction: Instruction) -> Option<Form> {
        Some(match instruction {
            Instruction::Mscatter => match self.get("revision") {
                Some(word) => match notes.name("revision", word)? {
                    Revision::First => Form::MscatterFirst,
                    Revision::Current => Form::Mscatter,
                },
                None => Form::Mscatter,
            },
            Instruction::Mgather => {
                let location = self.operand("tile").get("location");
                match location.map(|word| word.word().parse()) {
                    Some(Ok(TileType::Mat)) => Form::MgatherL1,
                    _ => Form::Mgather,
                }
            }
            Instruction::Tscatter if self.get("mask").is_some() => Form::TscatterMask,
            Instruction::Tscatter => Form::TscatterIndex,
            Instruction::Tgatherb => Form::Tgatherb,
        })
    }

    /// Records every key that `form` does not take.
    pub(super) fn refuse_others(&self, notes: &mut Notes<'_>, form: Form) {
        for (key, node) in &self.all {
            if !takes(form, key.word()) {
                notes.not_of(form, key.word(), &node.span);
            }
        }
    }

    /// How the data of the operand of `role` is asked for.
    pub(super) fn data(&self, form: Form, role: Role) -> Option<&'a Node> {
        self.get(form.key(role))?.get("data")
    }

    /// Where to report that the operand of `role` is large.
    pub(super) fn place_of(&self, form: Form, role: Role) -> &'a Span {
        let operand = self.get(form.key(role));
        let place = match role {
            Role::Scratch => operand,
            _ => operand.and_then(|operand| operand.get("shape")),
        };
        let shape = |key| self.get(key)?.get("shape");
        let place = place.or_else(|| shape("table").or(shape("source")));
        place.map_or(self.owner, |node| &node.span)
    }
}
