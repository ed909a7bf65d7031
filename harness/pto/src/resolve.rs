//! From an operation as it is written to a call.

use std::collections::BTreeMap;

use ptodiff_case::limits::{self, MAX_STRIDE};
use ptodiff_case::{Code, DataPlan};
use ptodiff_isa::{
    Call, Coalesce, Dim, Form, GlobalTensor, Instruction, Layout, MaskPattern,
    Operand as Descriptor, Role, Tile, TileType,
};

use crate::attributes;
use crate::operation::Operand;
use crate::reader::Found;
use crate::remarks::{self, Remark};
use crate::scope::{Meaning, Number, Shape};
use crate::text::{Fault, Part, Read};
use crate::types::{self, Type, View};
use crate::word;

/// A call, and what is to be said of how it is written.
pub(crate) struct Resolved<'t> {
    pub(crate) call: Call,
    /// The names of the operands.
    pub(crate) names: Vec<(Role, Part<'t>)>,
    pub(crate) remarks: Vec<Remark>,
}

/// A number that the user gives: that of `name`, or none.
pub(crate) type Constants<'g> = &'g dyn Fn(&str) -> Option<u64>;

/// The words of a template argument.
type Words = &'static [&'static str];

/// The call of `found`.
///
/// # Errors
/// Every mistake in it.
pub(crate) fn resolve<'t>(
    found: &Found<'_, 't>,
    constants: Constants<'_>,
) -> Result<Resolved<'t>, Vec<Fault>> {
    let mut resolver = Resolver {
        found,
        constants,
        faults: Vec::new(),
        remarks: Vec::new(),
    };
    if let Some(mut call) = resolver.call()
        && resolver.faults.is_empty()
    {
        resolver.bounded(&mut call);
        if resolver.faults.is_empty() {
            let names = resolver.names(&call);
            remarks::remarks(found, &call, &names, constants, &mut resolver.remarks);
            return Ok(Resolved {
                names,
                call,
                remarks: resolver.remarks,
            });
        }
    }
    Err(resolver.faults)
}

/// What is said of an operand that has to be a view.
const TILE: &str = "a tile";

struct Resolver<'a, 't> {
    found: &'a Found<'a, 't>,
    constants: Constants<'a>,
    faults: Vec<Fault>,
    remarks: Vec<Remark>,
}

impl<'t> Resolver<'_, 't> {
    /// The value, or a mistake more.
    fn note<T>(&mut self, read: Read<T>) -> Option<T> {
        read.map_err(|fault| self.faults.push(*fault)).ok()
    }

    fn call(&mut self) -> Option<Call> {
        let written = &self.found.written;
        let form = match written.instruction {
            Instruction::Mgather => return self.mgather(),
            Instruction::Mscatter => Form::Mscatter,
            Instruction::Tscatter => {
                // A mask that is not there is that of the template (TSCATTER-GAP-16).
                let is_masked = written.attributes.get("maskPattern").is_some();
                match is_masked || written.ins.len() == 1 {
                    true => Form::TscatterMask,
                    false => Form::TscatterIndex,
                }
            }
            Instruction::Tgatherb => Form::Tgatherb,
        };
        let mut call = Call::blank(form);
        self.only(&word::attributes(&call))?;
        match form {
            Form::TscatterMask => self.reads(1, "%src, {maskPattern = ...}")?,
            Form::Tgatherb => self.reads(2, "%src, %off")?,
            _ => self.reads(2, "%src, %idx")?,
        }
        let ins = word::ins(written.instruction).iter().zip(&written.ins);
        // All is read before any is missed.
        let read = ins.map(|(role, operand)| self.put(&mut call, *role, *operand));
        let read: Vec<Option<()>> = read.collect();
        let out = self.put(&mut call, form.output(), written.out);
        let said = self.arguments(&mut call);
        read.into_iter()
            .chain([out, said])
            .collect::<Option<()>>()?;
        Some(call)
    }

    /// A gather: where its destination stands says to where.
    fn mgather(&mut self) -> Option<Call> {
        let written = &self.found.written;
        self.only(&word::attributes(&Call::blank(Form::Mgather)))?;
        if !matches!(written.ins.len(), 2 | 3) {
            self.reads(2, "%mem, %idx")?;
        }
        let dst = self.tile(written.out);
        let mut call = Call::blank(match dst {
            Some(dst) if dst.location == TileType::Mat => Form::MgatherL1,
            _ => Form::Mgather,
        });
        let table = self.put(&mut call, Role::Table, written.ins[0]);
        let to_l1 = matches!(call, Call::MgatherL1(_));
        if to_l1 && written.ins.len() == 3 {
            // With a scratch the template's default is another (MGATHERL1-API-02).
            call.set_argument("mode", Coalesce::Elem.into());
        }
        let said = self.arguments(&mut call);
        if let (Some(third), Some(_), false) = (written.ins.get(2), dst, to_l1) {
            return self.note(Err(predicated(*third)));
        }
        let idx = self.put(&mut call, Role::Index, written.ins[1]);
        // The wrong one may be the destination: where it is says what the index has to be.
        if let Some(fault) = self.faults.last_mut().filter(|f| to_l1 && f.label == TILE) {
            fault.help = Some(format!(
                "`{}` is in L1: a gather to `loc=mat` has its index in GM, one to `loc=vec` in a tile",
                written.out.name.text
            ));
            fault.related = Some((written.out.ty.range(), "the destination".to_owned()));
        }
        let scratch = match written.ins.get(2).filter(|_| to_l1) {
            Some(scratch) => self.put(&mut call, Role::Scratch, *scratch),
            None => Some(()),
        };
        table.and(said).and(idx).and(scratch)?;
        call.put(Role::Destination, Descriptor::Tile(&dst?));
        Some(call)
    }

    /// Reads the operand of `call` that plays `role`.
    fn put(&mut self, call: &mut Call, role: Role, operand: Operand<'t>) -> Option<()> {
        if let Some(own) = call.tile_mut(role) {
            *own = self.tile(operand)?;
        } else {
            let tensor = self.tensor(operand)?;
            call.put(role, Descriptor::Tensor(&tensor));
        }
        Some(())
    }

    /// Gives `call` the template arguments that attributes say.
    fn arguments(&mut self, call: &mut Call) -> Option<()> {
        let mut whole = Some(());
        for argument in call.arguments() {
            let said = match (argument.key, word::attribute(call, argument.key)) {
                ("mask", _) => self.mask(),
                ("axis", _) => self.axis(argument.words),
                (_, Some((key, kind))) => self.policy(key, kind, argument.words),
                (_, None) => None,
            };
            match said {
                Some(Ok(word)) => whole = whole.filter(|()| call.set_argument(argument.key, word)),
                Some(Err(fault)) => whole = self.note(Err(fault)),
                None => {}
            }
        }
        whole
    }

    /// The policy that `key` gives, as `#pto<kind word>`.
    fn policy(&self, key: &str, kind: &str, words: Words) -> Option<Read<&'static str>> {
        let value = self.attribute(key)?;
        Some(attributes::inner(kind, value).and_then(|word| word::one_of(key, word, words)))
    }

    /// The pattern of a mask, which is written in capitals.
    fn mask(&self) -> Option<Read<&'static str>> {
        let known = <MaskPattern as strum::VariantNames>::VARIANTS;
        let value = self.attribute("maskPattern")?;
        Some(attributes::inner("mask_pattern", value).and_then(|word| {
            let own = known.iter().find(|own| **own == word.text);
            own.copied()
                .ok_or_else(|| word::unknown("mask pattern", word, known))
        }))
    }

    fn axis(&self, words: Words) -> Option<Read<&'static str>> {
        let said = self.attribute("maskAxis").or(self.attribute("axis"));
        let said = said.map(|said| said.between("\"", "\"").unwrap_or(said));
        let word = self.found.written.axis.or(said)?;
        Some(word::one_of("axis of a mask", word, words))
    }

    /// That so many operands are read.
    fn reads(&mut self, count: usize, expected: &str) -> Option<()> {
        let written = &self.found.written;
        let name = written.name;
        if written.ins.len() == count {
            return Some(());
        }
        // Beside a mask it is the index, of which there is one or the other.
        let one_more = count > 1 && written.ins.len() == count + 1;
        if one_more && written.instruction != Instruction::Tgatherb {
            return self.note(Err(predicated(written.ins[count])));
        }
        let message = format!("`{}` reads `{expected}`", name.text);
        let label = format!("{} operands are read here", written.ins.len());
        let first = written.ins.first().map_or(name, |first| first.name);
        let fault = Fault::new(Code::BadOperation, first.range(), message);
        self.note(Err(fault.label(label)))
    }

    fn only(&mut self, known: &[&str]) -> Option<()> {
        self.note(self.found.written.attributes.only(known))
    }

    fn attribute(&self, key: &str) -> Option<Part<'t>> {
        let value = self.found.written.attributes.get(key)?;
        Some(meant(self.found.aliases, value))
    }

    fn ty(&mut self, operand: Operand<'t>) -> Option<Type> {
        self.note(self.found.scope.defines(operand.name))?;
        let part = meant(self.found.aliases, operand.ty);
        let ty = types::read(part);
        let ty = self.note(ty)?;
        let defined = self.found.scope.get(operand.name.text);
        if let Some(Meaning::Wrong(fault)) = defined.map(|value| &value.means) {
            return self.note(Err(fault.clone()));
        }
        let defined = defined.and_then(|value| value.ty);
        if let Some(own) = defined.map(|own| meant(self.found.aliases, own))
            && own.text != part.text
            && types::read(own).is_ok_and(|own| own != ty)
        {
            let (here, there) = apart(part, own);
            let message = format!(
                "`{}` is `{here}` here and `{there}` where it is defined",
                operand.name.text
            );
            let mut fault =
                Fault::new(Code::BadOperation, operand.ty.range(), message).label("here");
            fault.related = Some((own.range(), "the definition".to_owned()));
            return self.note(Err(fault));
        }
        Some(ty)
    }

    fn tile(&mut self, operand: Operand<'t>) -> Option<Tile> {
        let Type::Tile(tile) = self.ty(operand)? else {
            let message = format!("`{}` has to be a tile", operand.name.text);
            let fault = Fault::new(Code::BadOperation, operand.ty.range(), message);
            return self.note(Err(fault.label("a view in GM")));
        };
        let value = self.found.scope.get(operand.name.text);
        let valid = match value.map(|value| &value.means) {
            Some(Meaning::Tile { valid, .. }) => *valid,
            _ => [None; 2],
        };
        let row = self.valid(tile.valid_row, valid[0], tile.rows, operand, "rows");
        let col = self.valid(tile.valid_col, valid[1], tile.cols, operand, "columns");
        Some(Tile {
            valid_row: row?,
            valid_col: col?,
            ..tile
        })
    }

    /// A valid extent: that of the type, or what `alloc_tile` says, or all.
    fn valid(
        &mut self,
        known: Dim,
        said: Option<Number<'t>>,
        room: u64,
        operand: Operand<'t>,
        what: &str,
    ) -> Option<Dim> {
        let tile = operand.name.text;
        if let Dim::Static(count) = known {
            if said.is_none_or(|said| said == Number::Known(count)) {
                return Some(known);
            }
            let message =
                format!("`{tile}` has {count} valid {what} in its type, and others are set");
            let fault = Fault::new(Code::BadOperation, operand.name.range(), message);
            return self.note(Err(fault.help("`?` stands in the type for what is said")));
        }
        let (value, from) = match said {
            Some(Number::Known(value)) => (Some(value), None),
            Some(Number::Of(name)) => (self.asked(name.text), Some(name.text)),
            None => (None, None),
        };
        let Some(value) = value else {
            let (cause, help) = match from {
                Some(name) => {
                    let bare = name.trim_start_matches('%');
                    (
                        format!("`{name}` is no constant"),
                        Some(format!("--set {bare}=N")),
                    )
                }
                None => ("nothing here says it".to_owned(), None),
            };
            let least = from.and_then(|name| self.least(name));
            let least = least.filter(|(least, ..)| *least < room);
            let (taken, all) = match least {
                Some((least, what, of)) => (least, format!("{least}, all {what} of `{of}`")),
                None => (room, format!("all {room}")),
            };
            self.remarks.push(Remark {
                rule: "unknown-extent",
                at: operand.name.range(),
                message: format!(
                    "how many {what} of `{tile}` are valid is not known, {cause}: taken as {all}"
                ),
                help,
                ..Remark::default()
            });
            return Some(Dim::Dynamic(taken));
        };
        if value > room {
            let message = format!("{value} valid {what} do not fit a tile of {room}");
            let fault = Fault::new(Code::ValidExceedsPadded, operand.name.range(), message);
            return self.note(Err(fault.label(format!("at most {room}"))));
        }
        Some(Dim::Dynamic(value))
    }

    /// The least room that a tile of the operation has for the value of this name: it is one
    /// number wherever it stands.
    fn least(&self, name: &str) -> Option<(u64, &'static str, &'t str)> {
        let written = &self.found.written;
        let rooms = written
            .ins
            .iter()
            .chain([&written.out])
            .flat_map(|operand| {
                let ty = types::read(meant(self.found.aliases, operand.ty));
                let value = self.found.scope.get(operand.name.text);
                let (Ok(Type::Tile(tile)), Some(Meaning::Tile { valid, .. })) =
                    (ty, value.map(|value| &value.means))
                else {
                    return [None; 2];
                };
                [
                    (tile.valid_row, valid[0], tile.rows, "rows"),
                    (tile.valid_col, valid[1], tile.cols, "columns"),
                ]
                .map(|(known, said, room, what)| match (known, said) {
                    (Dim::Dynamic(_), Some(Number::Of(own))) if own.text == name => {
                        Some((room, what, operand.name.text))
                    }
                    _ => None,
                })
            });
        rooms.flatten().min_by_key(|(room, ..)| *room)
    }

    /// What the user says that the value of this name is.
    fn asked(&self, name: &str) -> Option<u64> {
        (self.constants)(name.trim_start_matches('%'))
    }

    fn tensor(&mut self, operand: Operand<'t>) -> Option<GlobalTensor> {
        let Type::View(View { extents, dtype }) = self.ty(operand)? else {
            let message = format!("`{}` has to be a view in GM", operand.name.text);
            let fault = Fault::new(Code::BadOperation, operand.ty.range(), message);
            return self.note(Err(fault.label(TILE)));
        };
        let value = self.found.scope.get(operand.name.text);
        let shape = match value.map(|value| &value.means) {
            Some(Meaning::View(shape)) => Some(shape),
            _ => None,
        };
        let before = self.faults.len();
        let inner = self.extents(&extents, shape, operand);
        let strides = shape.and_then(|shape| shape.strides.as_ref());
        let strides = strides.map(|strides| self.strides(strides, extents.len(), operand));
        if self.faults.len() > before {
            return None;
        }
        if !shape.is_some_and(|shape| shape.told) {
            let whole = strides.is_none();
            let taken = if whole { "" } else { "a part of what is " };
            self.remarks.push(Remark {
                rule: "unknown-strides",
                at: operand.name.range(),
                message: format!(
                    "how `{}` lies in GM is not known, no `pto.make_tensor_view` is followed to \
                     it: taken for {taken}packed, and ND",
                    operand.name.text
                ),
                ..Remark::default()
            });
        }
        let layout = shape.map_or(Layout::default(), |shape| shape.layout);
        let five = five(&inner, strides.flatten());
        let Some((shape, stride)) = five else {
            let message = format!("`{}` is too large", operand.name.text);
            let fault = Fault::new(Code::TooLarge, operand.ty.range(), message);
            return self.note(Err(fault));
        };
        Some(GlobalTensor {
            dtype,
            shape,
            stride,
            layout,
        })
    }

    /// The extents of a view, those that are not known from its definition.
    fn extents(
        &mut self,
        known: &[Option<u64>],
        shape: Option<&Shape<'t>>,
        operand: Operand<'t>,
    ) -> Vec<Dim> {
        let said = shape.map(|shape| &shape.extents[..]).unwrap_or_default();
        let fits = said.len() == known.len();
        let extent = |(at, known): (usize, &Option<u64>)| match (known, said.get(at)) {
            (Some(extent), Some(Number::Known(other))) if fits && extent != other => {
                let message = format!(
                    "`{}` has {extent} in its type and {other} where it is defined",
                    operand.name.text
                );
                let fault = Fault::new(Code::BadOperation, operand.ty.range(), message);
                self.note(Err(fault))
            }
            (Some(extent), _) => Some(Dim::Static(*extent)),
            (None, _) => {
                let said = said.get(at).filter(|_| fits);
                self.number(said, operand, "an extent", &format!("extent{at}"))
                    .map(Dim::Dynamic)
            }
        };
        known.iter().enumerate().filter_map(extent).collect()
    }

    fn strides(
        &mut self,
        strides: &[Number<'t>],
        rank: usize,
        operand: Operand<'t>,
    ) -> Option<Vec<Dim>> {
        if strides.len() != rank {
            let message = format!(
                "the view behind `{}` has {} strides for {rank} extents",
                operand.name.text,
                strides.len()
            );
            let fault = Fault::new(Code::WrongLength, operand.name.range(), message);
            return self.note(Err(fault));
        }
        let stride = |(at, stride): (usize, &Number<'t>)| {
            let value = self.number(Some(stride), operand, "a stride", &format!("stride{at}"))?;
            if value > MAX_STRIDE {
                let message = format!("a stride is at most {MAX_STRIDE}, this is {value}");
                let fault = Fault::new(Code::OutOfLimits, operand.name.range(), message);
                return self.note(Err(fault));
            }
            Some(match stride {
                Number::Known(_) => Dim::Static(value),
                Number::Of(_) => Dim::Dynamic(value),
            })
        };
        strides.iter().enumerate().map(stride).collect()
    }

    /// A number, or what the user says it is.
    fn number(
        &mut self,
        said: Option<&Number<'t>>,
        operand: Operand<'t>,
        what: &str,
        otherwise: &str,
    ) -> Option<u64> {
        let view = operand.name.text;
        let (name, at) = match said {
            Some(Number::Known(value)) => return Some(*value),
            Some(Number::Of(name)) => (name.text.trim_start_matches('%').to_owned(), name.range()),
            // It has no name of its own.
            None => {
                let bare = view.trim_start_matches('%');
                (format!("{bare}.{otherwise}"), operand.ty.range())
            }
        };
        let value = (self.constants)(&name);
        if value.is_none() {
            let message = format!("{what} of `{view}` is not known: no constant says `{name}`");
            let mut fault = Fault::new(Code::NotFollowed, at.clone(), message)
                .label("not known here")
                .help(format!("give it: --set {name}=N"));
            if !operand.ty.range().contains(&at.start) {
                fault.related = Some((operand.name.range(), "the operand".to_owned()));
            }
            self.faults.push(*fault);
        }
        value
    }

    /// That the call, and its launch, is not larger than a case may be.
    fn bounded(&mut self, call: &mut Call) {
        if limits::settle(call, 1, &mut DataPlan::of(call).table) {
            let (found, constants) = (self.found, self.constants);
            let launched = remarks::launched(found, call, constants, &mut self.remarks);
            self.note(launched);
        } else {
            let message = format!(
                "to run this takes more than {} MiB of memory, or its table spans more than {} GiB",
                limits::MAX_CASE_MEMORY >> 20,
                limits::MAX_SPARSE >> 30
            );
            let at = self.found.written.name.range();
            self.faults.push(*Fault::new(Code::TooLarge, at, message));
        }
    }

    fn names(&self, call: &Call) -> Vec<(Role, Part<'t>)> {
        let written = &self.found.written;
        let ins = word::ins(call.instruction()).iter().copied();
        let ins = ins.zip(written.ins.iter().map(|o| o.name));
        let out = (call.output(), written.out.name);
        ins.chain([out]).collect()
    }
}

/// What a type or an attribute is, where it has a name of its own.
fn meant<'t>(aliases: &BTreeMap<&'t str, Part<'t>>, part: Part<'t>) -> Part<'t> {
    aliases.get(part.text).copied().unwrap_or(part)
}

/// Where two types differ: the first parameter, or all where it has no partner in the other.
fn apart<'t>(one: Part<'t>, other: Part<'t>) -> (&'t str, &'t str) {
    let parameters = |ty: Part<'t>| {
        let (head, inner) = ty.text.split_at(ty.text.find('<')?);
        let at = ty.at + head.len();
        Some((head, Part { text: inner, at }.between("<", ">")?.list()))
    };
    let key = |part: Part<'t>| part.split_once('=').map(|(key, _)| key.text);
    let differ = || {
        let ((head, ones), (own, others)) = (parameters(one)?, parameters(other)?);
        let same = |one: Part<'_>| others.iter().any(|other| other.text == one.text);
        let at = ones.iter().position(|one| !same(*one))?;
        let (one, other) = (ones[at], *others.get(at)?);
        let pair = head == own && ones.len() == others.len() && key(one) == key(other);
        pair.then_some((one.text, other.text))
    };
    differ().unwrap_or((one.text, other.text))
}

/// That an operand more than an operation has is a predicate, which is not here.
fn predicated(operand: Operand<'_>) -> Box<Fault> {
    let message = format!(
        "ptodiff has no predicate operand, as `{}` seems to be: its documents have none",
        operand.name.text
    );
    Fault::new(Code::NotHere, operand.name.range(), message).label("one operand too many")
}

/// Five extents and strides from those that are given, packed where strides are not.
fn five(extents: &[Dim], strides: Option<Vec<Dim>>) -> Option<([Dim; 5], [Dim; 5])> {
    let mut shape = [Dim::Static(1); 5];
    let mut stride = [Dim::Static(1); 5];
    let first = 5_usize.checked_sub(extents.len())?;
    shape[first..].copy_from_slice(extents);
    let constants = strides.unwrap_or_default();
    for at in (0..5).rev() {
        stride[at] = match constants
            .get(at.wrapping_sub(first))
            .filter(|_| at >= first)
        {
            Some(stride) => *stride,
            None if at == 4 => Dim::Static(1),
            None => {
                let (inner, count) = (stride[at + 1].get(), shape[at + 1].get().max(1));
                Dim::Static(inner.checked_mul(count)?)
            }
        };
    }
    Some((shape, stride))
}
