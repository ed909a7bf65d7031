//! Goes through a file: keeps modules, functions and constants in mind, and stops at
//! the operations of the four instructions.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_case::{Code, Diagnostic};
use ptodiff_isa::{Layout, Target};

use crate::attributes::{self, Attributes};
use crate::definition::{self, Definition};
use crate::operation::{self, Operation, Stream};
use crate::scope::{Meaning, Number, Scope, Shape};
use crate::text::{Fault, Part, Read, Source};
use crate::tokens::{Kind, Token, Tokens};
use crate::types::{self, Type, View};
use crate::word;

/// An operation of one of the instructions, and what is known where it stands.
pub(crate) struct Found<'a, 't> {
    /// How it is written.
    pub(crate) written: Operation<'t>,
    /// The function's name; empty where it is in none.
    pub(crate) function: &'t str,
    /// Which operation it is of all functions of this name in the file, from 1.
    pub(crate) number: usize,
    /// What the module is for: no word of it is all targets.
    pub(crate) target: Option<Target>,
    /// The device of a module of which no target is known.
    pub(crate) device: Option<Part<'t>>,
    /// The values.
    pub(crate) scope: &'a Scope<'t>,
    /// What the names of types and attributes mean.
    pub(crate) aliases: &'a BTreeMap<&'t str, Part<'t>>,
}

/// A module or a function around what is read.
struct Around<'t> {
    target: Option<Target>,
    device: Option<Part<'t>>,
    function: Option<(&'t str, Scope<'t>)>,
}

/// The number that the user gives to a value of a function, by both names.
pub(crate) type Given<'g> = &'g dyn Fn(&str, &str) -> Option<u64>;

/// Reads `tokens`, and gives every operation of the instructions to `each`. Mistakes are
/// collected in `wrong`.
pub(crate) fn read<'t>(
    source: Source<'t>,
    tokens: &Tokens<'t>,
    given: Given<'_>,
    wrong: &mut Vec<Diagnostic>,
    mut each: impl FnMut(&Found<'_, 't>),
) {
    let aliases = tokens
        .aliases
        .iter()
        .map(|(name, means)| (name.text, *means));
    let mut reader = Reader {
        given,
        aliases: aliases.collect(),
        around: Vec::new(),
        outside: Scope::default(),
        numbers: BTreeMap::new(),
        architectures: BTreeSet::new(),
    };
    let mut stream = Stream {
        rest: &tokens.all,
        text: source.text,
    };
    while let Some(token) = stream.next() {
        let part = token.part;
        let done = match token.kind {
            Kind::Module => reader.module(&mut stream),
            Kind::Function => reader.function(&mut stream),
            Kind::End => {
                reader.around.pop();
                Ok(())
            }
            Kind::Value => reader.value(part, &mut stream),
            // These are used and never defined.
            Kind::Word if matches!(part.text, "ins" | "outs") => {
                if stream.eat_word("(") {
                    // How they are written is not looked at.
                    let _ = stream.values(part, &mut Attributes::default());
                }
                Ok(())
            }
            Kind::Word | Kind::Text => {
                let name = part.between("\"", "\"").unwrap_or(part);
                match operation::instruction(name.text) {
                    Some(instruction) => {
                        let read = match token.kind {
                            Kind::Text => operation::generic,
                            _ => operation::read,
                        };
                        let number = reader.number();
                        let written = read(instruction, name, &mut stream);
                        written.map(|written| each(&reader.found(written, number)))
                    }
                    None => operation::meant(name.text)
                        .or_else(|| definition::meant(name.text))
                        .map_or(Ok(()), |near| {
                            let message = format!("`{}` is no operation that is known", name.text);
                            let fault = Fault::new(Code::UnknownOperation, name.range(), message);
                            Err(fault.help(format!("did you mean `pto.{near}`?")))
                        }),
                }
            }
            _ => Ok(()),
        };
        if let Err(fault) = done {
            wrong.push(source.tell(*fault));
        }
    }
}

struct Reader<'g, 't> {
    given: Given<'g>,
    aliases: BTreeMap<&'t str, Part<'t>>,
    around: Vec<Around<'t>>,
    /// Values of no function.
    outside: Scope<'t>,
    /// Operations of each function so far.
    numbers: BTreeMap<&'t str, usize>,
    /// Those that were found not to be known.
    architectures: BTreeSet<&'t str>,
}

impl<'t> Reader<'_, 't> {
    fn scope(&mut self) -> &mut Scope<'t> {
        let inner = self.around.iter_mut().rev();
        let own = inner.filter_map(|around| around.function.as_mut()).next();
        own.map_or(&mut self.outside, |(_, scope)| scope)
    }

    fn target(&self) -> Option<Target> {
        self.around.last().and_then(|around| around.target)
    }

    /// What is within a module or a function with these attributes: the nearest word counts,
    /// and in it the architecture before the device.
    fn inside(&mut self, around: &mut Around<'t>, attributes: &Attributes<'t>) -> Read<()> {
        if let Some(value) = attributes.get(ARCHITECTURE) {
            match architecture(value) {
                Ok(of) => (around.target, around.device) = (Some(of), None),
                Err(fault) if self.architectures.insert(value.text) => return Err(fault),
                Err(_) => {}
            }
        } else if let Some(value) = attributes.get(DEVICE) {
            match device(value) {
                Some(of) => (around.target, around.device) = (Some(of), None),
                None => around.device = Some(value),
            }
        }
        attributes.none_near(&[ARCHITECTURE, DEVICE])
    }

    /// What is known where nothing is added.
    fn here(&self) -> Around<'t> {
        let last = self.around.last();
        Around {
            target: self.target(),
            device: last.and_then(|around| around.device),
            function: None,
        }
    }

    /// What stands between `module` and its `{`, or before it in the generic form.
    fn module(&mut self, stream: &mut Stream<'_, 't>) -> Read<()> {
        let mut around = self.here();
        let mut read = Ok(());
        for token in stream.rest {
            match token.kind {
                Kind::Attribute => {
                    let mut attributes = Attributes::default();
                    read = attributes
                        .add(token.part)
                        .and_then(|()| self.inside(&mut around, &attributes));
                }
                Kind::Word if token.part.text == "{" => break,
                Kind::Word | Kind::Symbol => {}
                _ => break,
            }
        }
        self.around.push(around);
        read
    }

    /// The name of the function and its arguments.
    fn function(&mut self, stream: &mut Stream<'_, 't>) -> Read<()> {
        let (mut around, mut read) = (self.here(), Ok(()));
        let mut name = "";
        let mut scope = Scope::of_function();
        let mut argument = None;
        for token in stream.rest {
            match token.kind {
                Kind::Symbol if name.is_empty() => {
                    let own = token.part.text.trim_start_matches('@');
                    name = own.trim_matches('"');
                }
                Kind::Attribute => {
                    let mut attributes = Attributes::default();
                    // A dictionary that cannot be read has no name.
                    if attributes.add(token.part).is_ok() {
                        read = read.and(self.inside(&mut around, &attributes));
                    }
                    if let Some(own) = attributes.get("sym_name").filter(|_| name.is_empty()) {
                        name = own.text.trim_matches('"');
                    }
                }
                Kind::Value => {
                    scope.mention(token.part);
                    argument = Some(token.part);
                }
                Kind::Type => {
                    if let Some(argument) = argument.take() {
                        scope.define(argument, Meaning::Other, Some(token.part));
                    }
                }
                Kind::Word if token.part.text == "{" => break,
                Kind::Word | Kind::Symbol | Kind::Text => {}
                _ => break,
            }
        }
        around.function = Some((name, scope));
        self.around.push(around);
        read
    }

    /// What `%name` is, if it is defined here.
    fn value(&mut self, name: Part<'t>, stream: &mut Stream<'_, 't>) -> Read<()> {
        let [equals, operation, ..] = stream.rest else {
            return Ok(());
        };
        if equals.part.text != "=" {
            // One of several results, say, or of a block's arguments.
            self.scope().mention(name);
            return Ok(());
        }
        let name_of = operation.part.between("\"", "\"").unwrap_or(operation.part);
        let mut body = Stream {
            rest: &stream.rest[2..],
            text: stream.text,
        };
        if let Some(by) = definition::defining(name_of.text) {
            let read = match operation.kind {
                Kind::Text => Definition::generic,
                _ => Definition::read,
            };
            return self.definition(name, read(by, name_of, &mut body));
        }
        let means = match (operation.kind, name_of.text) {
            (Kind::Word, "arith.constant") => constant(body.rest),
            (Kind::Word, mnemonic) => self.computed(mnemonic, body.rest),
            // Of a loop, as in `scf.for %k = %c0 to %c4`.
            _ => Meaning::Other,
        };
        self.scope().define(name, means, None);
        Ok(())
    }

    /// That `name` is the view or the tile that is defined so.
    fn definition(&mut self, name: Part<'t>, read: Read<Definition<'t>>) -> Read<()> {
        let read = read.map(|definition| (self.defined(&definition), definition));
        let (means, definition) = match read {
            Ok((means, definition)) => (means, Some(definition)),
            Err(fault) => (Err(fault), None),
        };
        let ty = definition
            .as_ref()
            .map(|definition| self.meant(definition.ty));
        self.scope()
            .define(name, means.unwrap_or_else(Meaning::Wrong), ty);
        match definition {
            Some(definition) if definition.by.name == "partition_view" => self.within(&definition),
            _ => Ok(()),
        }
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

    /// What the user says that the value of this name is.
    fn asked(&self, name: &str) -> Option<u64> {
        let (function, _) = self.function_here();
        (self.given)(function, name.strip_prefix('%')?)
    }

    /// What a number that is computed from constants is.
    fn computed(&self, mnemonic: &str, body: &[Token<'t>]) -> Meaning<'t> {
        const FOLLOWED: &[&str] = &[
            "arith.index_cast",
            "arith.index_castui",
            "arith.extsi",
            "arith.extui",
            "arith.trunci",
            "arith.addi",
            "arith.subi",
            "arith.muli",
        ];
        if !FOLLOWED.contains(&mnemonic) {
            return Meaning::Other;
        }
        let operands = body
            .iter()
            .take_while(|token| token.kind == Kind::Value || token.part.text == ",")
            .filter(|token| token.kind == Kind::Value);
        let operands = operands.map(|token| match self.known(token.part.text) {
            Some(Meaning::Constant(number)) => Some(*number),
            _ => self.asked(token.part.text).map(i128::from),
        });
        let number = match (mnemonic, &operands.collect::<Vec<_>>()[..]) {
            ("arith.addi", [Some(a), Some(b)]) => a.checked_add(*b),
            ("arith.subi", [Some(a), Some(b)]) => a.checked_sub(*b),
            ("arith.muli", [Some(a), Some(b)]) => a.checked_mul(*b),
            (_, [Some(a)]) => Some(*a),
            _ => None,
        };
        number.map_or(Meaning::Other, Meaning::Constant)
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
            return Ok(Meaning::View(Shape {
                extents,
                strides: Some(self.numbers(definition, "strides")?),
                layout: self.layout(definition)?,
                told: true,
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
        Ok(Meaning::View(Shape { extents, ..of }))
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
        Ok(Shape::packed(extents.unwrap_or_default()))
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

    fn known(&self, name: &str) -> Option<&Meaning<'t>> {
        let (_, scope) = self.function_here();
        scope.get(name).map(|value| &value.means)
    }

    /// The name of the innermost function and its values; an empty name outside of all.
    fn function_here(&self) -> (&'t str, &Scope<'t>) {
        let inner = self.around.iter().rev();
        let own = inner.filter_map(|around| around.function.as_ref()).next();
        own.map_or(("", &self.outside), |(name, scope)| (name, scope))
    }

    /// What a type or an attribute is, where it has a name of its own.
    fn meant(&self, part: Part<'t>) -> Part<'t> {
        self.aliases.get(part.text).copied().unwrap_or(part)
    }

    /// Which operation of its function the next one is, whether it reads well or not.
    fn number(&mut self) -> usize {
        let (function, _) = self.function_here();
        let number = self.numbers.entry(function).or_default();
        *number += 1;
        *number
    }

    fn found(&self, written: Operation<'t>, number: usize) -> Found<'_, 't> {
        let (function, scope) = self.function_here();
        Found {
            written,
            function,
            number,
            target: self.target(),
            device: self.around.last().and_then(|around| around.device),
            scope,
            aliases: &self.aliases,
        }
    }
}

/// The number of `arith.constant`.
fn constant<'t>(body: &[Token<'t>]) -> Meaning<'t> {
    let (minus, rest) = match body {
        [sign, rest @ ..] if sign.part.text == "-" => (true, rest),
        rest => (false, rest),
    };
    let number = rest.first().filter(|token| token.kind == Kind::Number);
    let number = number.and_then(|token| {
        let text = token.part.text;
        match text.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16).ok(),
            None => text.parse::<i128>().ok(),
        }
    });
    let signed = number.map(|number| if minus { -number } else { number });
    signed.map_or(Meaning::Other, Meaning::Constant)
}

/// Attributes that say what a module or a function is for.
const ARCHITECTURE: &str = "pto.target_arch";
const DEVICE: &str = "pto.device-spec";

/// The target of a device, as in `"Ascend910B1"`, where a module names no architecture.
fn device(value: Part<'_>) -> Option<Target> {
    const KNOWN: &[(&str, Target)] = &[
        ("Ascend950", Target::A5),
        ("Ascend910_95", Target::A5),
        ("Ascend910_93", Target::A2a3),
        ("Ascend910B", Target::A2a3),
        ("Ascend910C", Target::A2a3),
    ];
    let name = value.between("\"", "\"")?.text;
    let found = KNOWN.iter().find(|(start, _)| name.starts_with(start));
    found.map(|(_, target)| *target)
}

/// The target of an architecture.
fn architecture(value: Part<'_>) -> Read<Target> {
    const KNOWN: [(&str, Target); 4] = [
        ("a2", Target::A2a3),
        ("a3", Target::A2a3),
        ("a2a3", Target::A2a3),
        ("a5", Target::A5),
    ];
    match value.between("\"", "\"") {
        // The assembler takes capitals, too.
        Some(word) => {
            let own = |(known, _): &&(&str, _)| word.text.eq_ignore_ascii_case(known);
            let found = KNOWN.iter().find(own).map(|(_, target)| *target);
            found.ok_or_else(|| {
                let known = KNOWN.map(|(known, _)| known);
                word::unknown("architecture", word, &known)
            })
        }
        None => {
            let message = format!("`{}` is no architecture", value.text);
            Err(Fault::new(Code::UnknownName, value.range(), message).help("as in `\"a2a3\"`"))
        }
    }
}
