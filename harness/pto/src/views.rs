//! From what defines a view or a tile to what is known of it.

use ptodiff_case::Code;
use ptodiff_isa::Layout;

use crate::attributes::{self, Attributes};
use crate::definition::Definition;
use crate::operation::Stream;
use crate::reader::Reader;
use crate::scope::{Meaning, Number, Shape};
use crate::text::{Fault, Part, Read};
use crate::types::{self, Type, View};
use crate::word;

impl<'t> Reader<'_, 't> {
    /// That `name` is the view or the tile that is defined so.
    pub(crate) fn definition(&mut self, name: Part<'t>, read: Read<Definition<'t>>) -> Read<()> {
        let read = read.map(|definition| (self.defined(&definition), definition));
        let (means, definition) = match read {
            Ok((means, definition)) => (means, Some(definition)),
            Err(fault) => (Err(fault), None),
        };
        let ty = definition
            .as_ref()
            .map(|definition| self.meant(definition.ty));
        let within = match definition {
            Some(definition) if definition.by.name == "partition_view" => self.within(&definition),
            _ => Ok(()),
        };
        let means = means.and_then(|means| within.clone().map(|()| means));
        self.scope()
            .define(name, means.unwrap_or_else(Meaning::Wrong), ty);
        within
    }

    /// That a partition ends where its view does, as far as numbers are known.
    fn within(&self, definition: &Definition<'t>) -> Read<()> {
        let Some(view) = definition.base else {
            return Ok(());
        };
        let (_, scope) = self.function_here();
        scope.defines(view)?;
        let Ok(of) = self.base(definition) else {
            return Ok(());
        };
        let lists = ["offsets", "sizes"].map(|key| self.numbers(definition, key));
        let [Ok(offsets), Ok(sizes)] = lists else {
            return Ok(());
        };
        for (at, three) in of.extents.iter().zip(offsets).zip(sizes).enumerate() {
            let ((extent, from), size) = three;
            let numbers = [*extent, from, size].map(|number| self.value_of(number));
            let [Some(extent), Some(from), Some(size)] = numbers else {
                continue;
            };
            if from.checked_add(size).is_none_or(|end| end > extent) {
                let message = format!(
                    "{size} from {from} on do not fit dimension {at} of `{}`: it has {extent}",
                    view.text
                );
                return Err(Fault::new(Code::BadOperation, view.range(), message));
            }
        }
        Ok(())
    }

    /// What a number is: what it is known to be, or what the user says.
    fn value_of(&self, number: Number<'t>) -> Option<u64> {
        match number {
            Number::Known(number) => Some(number),
            Number::Of(name) => self.asked(name.text),
        }
    }

    /// What a view or a tile is that is defined so.
    fn defined(&self, definition: &Definition<'t>) -> Read<Meaning<'t>> {
        if definition.by.name == "alloc_tile" {
            return Ok(Meaning::Tile {
                valid: [
                    self.one(definition, "valid_row")?,
                    self.one(definition, "valid_col")?,
                ],
                at: self.one(definition, "addr")?,
            });
        }
        if definition.by.name == "make_tensor_view" {
            let extents = self.numbers(definition, "shape")?;
            self.made(definition, &extents)?;
            let rank = extents.len();
            return Ok(Meaning::View(Shape {
                extents,
                strides: Some(self.numbers(definition, "strides")?),
                layout: self.layout(definition)?,
                told: true,
                from: definition
                    .base
                    .map(|base| (base.text, vec![Number::Known(0); rank])),
            }));
        }
        let of = self.base(definition)?;
        let [offsets, extents] = [
            self.numbers(definition, "offsets")?,
            self.numbers(definition, "sizes")?,
        ];
        if offsets.len() != extents.len() {
            let message = format!("{} offsets for {} sizes", offsets.len(), extents.len());
            let at = definition.name.range();
            return Err(Fault::new(Code::WrongLength, at, message));
        }
        self.cut(definition)?;
        Ok(Meaning::View(of.part(&offsets, extents)))
    }

    /// That the valid extents of a tile are those of `pto.set_validshape %tile, %row, %col`
    /// from here on, in either form.
    pub(crate) fn valid_set(&mut self, name: Part<'t>, stream: &mut Stream<'_, 't>) -> Read<()> {
        stream.eat_word("(");
        let [tile, row, col] = stream.values(name, &mut Attributes::default())?[..] else {
            return Err(stream.wrong(name, "`%tile, %row, %col`"));
        };
        let valid = [
            Some(self.said(row, name, "valid_row")?),
            Some(self.said(col, name, "valid_col")?),
        ];
        let (_, scope) = self.function_here();
        let value = scope.get(tile.text);
        let at = match value.map(|value| &value.means) {
            Some(Meaning::Wrong(_)) => return Ok(()),
            Some(Meaning::Tile { at, .. }) => *at,
            _ => None,
        };
        let ty = value.and_then(|value| value.ty);
        self.scope().define(tile, Meaning::Tile { valid, at }, ty);
        Ok(())
    }

    /// The type of a value, where it is known.
    fn ty(&self, name: Option<Part<'t>>) -> Option<Part<'t>> {
        let (_, scope) = self.function_here();
        let ty = scope.get(name?.text)?.ty?;
        Some(self.meant(ty))
    }

    /// That the type of a view that is made has the elements of the pointer and the extents
    /// that are said.
    fn made(&self, definition: &Definition<'t>, said: &[Number<'t>]) -> Read<()> {
        let part = self.meant(definition.ty);
        let Ok(Type::View(View { extents, dtype })) = types::read(part) else {
            return Ok(());
        };
        let wrong = |message| {
            Err(Fault::new(
                Code::BadOperation,
                definition.ty.range(),
                message,
            ))
        };
        if extents.len() != said.len() {
            let (own, of) = (extents.len(), said.len());
            return wrong(format!("the type has {own} extents, and `shape` {of}"));
        }
        for (extent, said) in extents.into_iter().zip(said) {
            if let (Some(extent), Number::Known(said)) = (extent, *said)
                && extent != said
            {
                return wrong(format!("the type has {extent}, and `shape` {said}"));
            }
        }
        let pointer = self.ty(definition.base);
        let pointer = pointer.and_then(|ty| ty.after("!pto.ptr")?.between("<", ">"));
        let element = pointer.and_then(|inner| inner.list().first().copied());
        match element.map(|element| (types::dtype_of(element), element.text)) {
            Some((Ok(of), element)) if of != dtype => wrong(format!(
                "the pointer is to {element}, and the type has other elements"
            )),
            _ => Ok(()),
        }
    }

    /// That a view of which a part is cut has the type that is said here, and its elements.
    fn cut(&self, definition: &Definition<'t>) -> Read<()> {
        let (Some(base), Some(here)) = (definition.base, definition.base_ty) else {
            return Ok(());
        };
        let view = |ty| match types::read(self.meant(ty)) {
            Ok(Type::View(view)) => Some(view),
            _ => None,
        };
        let Some(said) = view(here) else {
            return Ok(());
        };
        let own = self.ty(definition.base);
        if let Some(own) = own.filter(|own| view(*own).is_some_and(|view| view != said)) {
            let message = format!(
                "`{}` is `{}` here and `{}` where it is defined",
                base.text, here.text, own.text
            );
            let mut fault = Fault::new(Code::BadOperation, here.range(), message);
            fault.related = Some((own.range(), "the definition".to_owned()));
            return Err(fault);
        }
        match view(definition.ty) {
            Some(part) if part.dtype != said.dtype => {
                let message = format!("a part of `{}` has its elements", here.text);
                Err(Fault::new(
                    Code::BadOperation,
                    definition.ty.range(),
                    message,
                ))
            }
            _ => Ok(()),
        }
    }

    /// The view of which `definition` is a part: what is not known of it its type says.
    fn base(&self, definition: &Definition<'t>) -> Read<Shape<'t>> {
        let (_, scope) = self.function_here();
        let value = definition.base.and_then(|base| scope.get(base.text));
        match value.map(|value| &value.means) {
            Some(Meaning::View(shape)) => return Ok(shape.clone()),
            Some(Meaning::Wrong(fault)) => return Err(fault.clone()),
            _ => {}
        }
        let ty = value.and_then(|value| value.ty.or(definition.base_ty));
        let view = ty.and_then(|ty| match types::read(self.meant(ty)) {
            Ok(Type::View(view)) => Some((view, ty)),
            _ => None,
        });
        let extents = view.map(|(view, ty)| {
            let extents = view.extents.into_iter();
            extents
                .map(|extent| extent.map_or(Number::Of(ty), Number::Known))
                .collect()
        });
        let name = definition.base.map_or("", |base| base.text);
        Ok(Shape::packed(extents.unwrap_or_default(), name))
    }

    /// The numbers of `key`.
    fn numbers(&self, definition: &Definition<'t>, key: &str) -> Read<Vec<Number<'t>>> {
        let list = definition.needed(key)?.iter();
        list.map(|part| self.said(*part, definition.name, key))
            .collect()
    }

    /// The number of `key`, if it is there.
    fn one(&self, definition: &Definition<'t>, key: &str) -> Read<Option<Number<'t>>> {
        let list = definition.list(key).unwrap_or_default();
        let first = list.first();
        first
            .map(|part| self.said(*part, definition.name, key))
            .transpose()
    }

    /// The number that `part` says.
    fn said(&self, part: Part<'t>, name: Part<'t>, key: &str) -> Read<Number<'t>> {
        let number = match self.known(part.text) {
            Some(Meaning::Constant(number)) => Some(*number),
            _ => part.text.parse().ok(),
        };
        let Some(number) = number else {
            return Ok(Number::Of(part));
        };
        u64::try_from(number).map(Number::Known).map_err(|_| {
            let message = format!("`{key}` of `{}` cannot be {number}", name.text);
            Fault::new(Code::OutOfLimits, part.range(), message)
        })
    }

    fn layout(&self, definition: &Definition<'t>) -> Read<Layout> {
        let Some(value) = definition.attributes.get("layout") else {
            return Ok(Layout::default());
        };
        word::value("layout", attributes::inner("layout", self.meant(value))?)
    }
}
