//! Goes through a file: keeps modules, functions and constants in mind, and stops at
//! the operations of the four instructions.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_case::{Code, Diagnostic};
use ptodiff_isa::{Layout, Target};

use crate::attributes::{self, Attributes};
use crate::operation::{self, Operation, Stream};
use crate::scope::{Meaning, Number, Scope, Shape};
use crate::text::{Fault, LONGEST, Part, Read, Source};
use crate::tokens::{Kind, Token, Tokens};
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
    /// The values.
    pub(crate) scope: &'a Scope<'t>,
    /// What the names of types and attributes mean.
    pub(crate) aliases: &'a BTreeMap<&'t str, Part<'t>>,
}

/// A module or a function around what is read.
struct Around<'t> {
    target: Option<Target>,
    function: Option<(&'t str, Scope<'t>)>,
}

/// Reads `tokens`, and gives every operation of the instructions to `each`. Mistakes are
/// collected in `wrong`.
pub(crate) fn read<'t>(
    source: Source<'t>,
    tokens: &Tokens<'t>,
    wrong: &mut Vec<Diagnostic>,
    mut each: impl FnMut(&Found<'_, 't>),
) {
    let aliases = tokens
        .aliases
        .iter()
        .map(|(name, means)| (name.text, *means));
    let mut reader = Reader {
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
            Kind::Function => {
                reader.function(&mut stream);
                Ok(())
            }
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
                    None => operation::meant(name.text).map_or(Ok(()), |near| {
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

struct Reader<'t> {
    aliases: BTreeMap<&'t str, Part<'t>>,
    around: Vec<Around<'t>>,
    /// Values of no function.
    outside: Scope<'t>,
    /// Operations of each function so far.
    numbers: BTreeMap<&'t str, usize>,
    /// Those that were found not to be known.
    architectures: BTreeSet<&'t str>,
}

impl<'t> Reader<'t> {
    fn scope(&mut self) -> &mut Scope<'t> {
        let inner = self.around.iter_mut().rev();
        let own = inner.filter_map(|around| around.function.as_mut()).next();
        own.map_or(&mut self.outside, |(_, scope)| scope)
    }

    fn target(&self) -> Option<Target> {
        self.around.last().and_then(|around| around.target)
    }

    /// What stands between `module` and its `{`, or before it in the generic form.
    fn module(&mut self, stream: &mut Stream<'_, 't>) -> Read<()> {
        let mut target = self.target();
        let mut read = Ok(());
        for token in stream.rest {
            match token.kind {
                Kind::Attribute => {
                    let mut attributes = Attributes::default();
                    read = attributes.add(token.part);
                    if let Some(value) = attributes.get("pto.target_arch") {
                        match architecture(value) {
                            Ok(of) => target = Some(of),
                            Err(fault) if self.architectures.insert(value.text) => {
                                read = Err(fault);
                            }
                            Err(_) => {}
                        }
                    } else if let Some(value) = attributes.get("pto.device-spec") {
                        target = device(value).or(target);
                    }
                }
                Kind::Word if token.part.text == "{" => break,
                Kind::Word | Kind::Symbol => {}
                _ => break,
            }
        }
        self.around.push(Around {
            target,
            function: None,
        });
        read
    }

    /// The name of the function and its arguments.
    fn function(&mut self, stream: &mut Stream<'_, 't>) {
        let mut name = "";
        let mut scope = Scope::of_function();
        let mut argument = None;
        for token in stream.rest {
            match token.kind {
                Kind::Symbol if name.is_empty() => {
                    let own = token.part.text.trim_start_matches('@');
                    name = own.trim_matches('"');
                }
                Kind::Attribute if name.is_empty() => {
                    let mut attributes = Attributes::default();
                    // A dictionary that cannot be read has no name.
                    let _ = attributes.add(token.part);
                    let own = attributes.get("sym_name");
                    name = own.map_or("", |own| own.text.trim_matches('"'));
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
                Kind::Word | Kind::Attribute | Kind::Symbol | Kind::Text => {}
                _ => break,
            }
        }
        self.around.push(Around {
            target: self.target(),
            function: Some((name, scope)),
        });
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
        let mnemonic = operation.part.text;
        if operation.kind != Kind::Word {
            // Of a loop, as in `scf.for %k = %c0 to %c4`.
            self.scope().define(name, Meaning::Other, None);
            return Ok(());
        }
        let body = &stream.rest[2..];
        let (means, ty) = match mnemonic {
            "arith.constant" => (constant(body), None),
            "pto.make_tensor_view" | "pto.partition_view" | "pto.alloc_tile" => {
                self.defined(mnemonic, body)
            }
            _ => (self.computed(mnemonic, body), None),
        };
        self.scope().define(name, means, ty);
        match body.first() {
            Some(view) if mnemonic == "pto.partition_view" => {
                self.scope().defines(view.part)?;
                self.within(view.part, body)
            }
            _ => Ok(()),
        }
    }

    /// That the partition of `view` that `body` defines ends where the view does, as far as
    /// numbers are known.
    fn within(&self, view: Part<'t>, body: &[Token<'t>]) -> Read<()> {
        let Some(Meaning::View(of)) = self.known(view.text) else {
            return Ok(());
        };
        let lists = Lists { body, reader: self };
        let [offsets, sizes] = ["offsets", "sizes"].map(|key| lists.list(key).unwrap_or_default());
        for (at, three) in of.extents.iter().zip(offsets).zip(sizes).enumerate() {
            let ((Number::Known(extent), Number::Known(from)), Number::Known(size)) = three else {
                continue;
            };
            if from.checked_add(size).is_none_or(|end| end > *extent) {
                let message = format!(
                    "{size} from {from} on do not fit dimension {at} of `{}`: it has {extent}",
                    view.text
                );
                return Err(Fault::new(Code::BadOperation, view.range(), message));
            }
        }
        Ok(())
    }

    /// What a number that is computed from constants is.
    fn computed(&mut self, mnemonic: &str, body: &[Token<'t>]) -> Meaning<'t> {
        let operands = body
            .iter()
            .take_while(|token| token.kind == Kind::Value || token.part.text == ",")
            .filter(|token| token.kind == Kind::Value);
        let operands: Vec<Option<i128>> = operands
            .map(|token| self.scope().constant(token.part.text))
            .collect();
        let number = match (mnemonic, &operands[..]) {
            (
                "arith.index_cast" | "arith.index_castui" | "arith.extsi" | "arith.extui"
                | "arith.trunci",
                [Some(a)],
            ) => Some(*a),
            ("arith.addi", [Some(a), Some(b)]) => a.checked_add(*b),
            ("arith.subi", [Some(a), Some(b)]) => a.checked_sub(*b),
            ("arith.muli", [Some(a), Some(b)]) => a.checked_mul(*b),
            _ => None,
        };
        number.map_or(Meaning::Other, Meaning::Constant)
    }

    /// What a view or a tile is that is defined by what follows `mnemonic`.
    fn defined(&mut self, mnemonic: &str, rest: &[Token<'t>]) -> (Meaning<'t>, Option<Part<'t>>) {
        // The definition ends with its type, or the last of two.
        let is_type = |token: &Token<'_>| token.kind == Kind::Type;
        let Some(first) = rest.iter().take(LONGEST).position(is_type) else {
            return (Meaning::Other, None);
        };
        let body = &rest[..first];
        let after = &rest[first + 1..];
        let last = match after {
            [arrow, ty, ..] if arrow.part.text == "->" && is_type(ty) => ty.part,
            _ => rest[first].part,
        };
        let ty = Some(self.meant(last));
        let base = body.first().map(|token| token.part.text);
        let lists = Lists { body, reader: self };
        let means = match mnemonic {
            "pto.alloc_tile" => Meaning::Tile {
                valid: ["valid_row", "valid_col"].map(|key| lists.one(key)),
                at: lists.one("addr"),
            },
            "pto.make_tensor_view" => match lists.list("shape") {
                Some(extents) => Meaning::View(Shape {
                    extents,
                    strides: lists.list("strides"),
                    layout: lists.layout(),
                }),
                None => Meaning::Other,
            },
            _ => {
                let of = base.and_then(|base| lists.reader.known(base));
                let (strides, layout) = match of {
                    Some(Meaning::View(shape)) => (shape.strides.clone(), shape.layout),
                    _ => (None, Layout::default()),
                };
                match lists.list("sizes") {
                    Some(extents) => Meaning::View(Shape {
                        extents,
                        strides,
                        layout,
                    }),
                    None => Meaning::Other,
                }
            }
        };
        (means, ty)
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
            scope,
            aliases: &self.aliases,
        }
    }
}

/// The tokens of a definition, up to its type.
struct Lists<'a, 't> {
    body: &'a [Token<'t>],
    reader: &'a Reader<'t>,
}

impl<'t> Lists<'_, 't> {
    /// What follows `key =`.
    fn after(&self, key: &str) -> Option<&[Token<'t>]> {
        let mut rest = self.body;
        while let [first, equals, after @ ..] = rest {
            if first.part.text == key && equals.part.text == "=" {
                return Some(after);
            }
            rest = &rest[1..];
        }
        None
    }

    /// The numbers of `key = [%a, %b]`.
    fn list(&self, key: &str) -> Option<Vec<Number<'t>>> {
        let inner = self.after(key)?.iter();
        let inner = inner.skip(1).take_while(|token| token.part.text != "]");
        let numbers = inner.filter(|token| token.part.text != ",");
        Some(numbers.map(|token| self.number(token)).collect())
    }

    /// The number of `key = %a`.
    fn one(&self, key: &str) -> Option<Number<'t>> {
        self.after(key)?.first().map(|token| self.number(token))
    }

    fn number(&self, token: &Token<'t>) -> Number<'t> {
        match token.part.text.parse() {
            Ok(number) => Number::Known(number),
            Err(_) => match self.reader.known(token.part.text) {
                Some(Meaning::Constant(number)) => {
                    u64::try_from(*number).map_or(Number::Of(token.part), Number::Known)
                }
                _ => Number::Of(token.part),
            },
        }
    }

    fn layout(&self) -> Layout {
        let dictionary = self.body.iter().find(|token| token.kind == Kind::Attribute);
        let mut attributes = Attributes::default();
        if let Some(dictionary) = dictionary {
            // A dictionary that cannot be read has no layout.
            let _ = attributes.add(dictionary.part);
        }
        let value = attributes
            .get("layout")
            .map(|value| self.reader.meant(value));
        let word = value.and_then(|value| attributes::inner("layout", value).ok());
        word.and_then(|word| word::value("layout", word).ok())
            .unwrap_or_default()
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
