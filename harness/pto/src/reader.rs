//! Goes through a file: keeps modules, functions and constants in mind, and stops at
//! the operations of the four instructions.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_case::{Code, Diagnostic};
use ptodiff_isa::Target;

use crate::attributes::Attributes;
use crate::definition::{self, Definition};
use crate::operation::{self, Operation, Stream};
use crate::scope::{Meaning, Scope};
use crate::text::{Fault, Part, Read, Source};
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
    /// The device of a module of which no target is known.
    pub(crate) device: Option<Part<'t>>,
    /// The values.
    pub(crate) scope: &'a Scope<'t>,
    /// What the names of types and attributes mean.
    pub(crate) aliases: &'a BTreeMap<&'t str, Part<'t>>,
}

/// A module or a function around what is read.
#[derive(Default)]
struct Around<'t> {
    target: Option<Target>,
    device: Option<Part<'t>>,
    function: Option<(&'t str, Scope<'t>)>,
}

/// The number that the user gives to a value of a function, by both names.
pub(crate) type Given<'g> = &'g dyn Fn(&str, &str) -> Option<u64>;

/// Reads `tokens`, and gives every operation of the instructions to `each`, for all targets
/// where `any_arch`. Mistakes are collected in `wrong`.
pub(crate) fn read<'t>(
    source: Source<'t>,
    tokens: &Tokens<'t>,
    given: Given<'_>,
    any_arch: bool,
    wrong: &mut Vec<Diagnostic>,
    mut each: impl FnMut(&Found<'_, 't>),
) {
    let aliases = tokens
        .aliases
        .iter()
        .map(|(name, means)| (name.text, *means));
    let mut reader = Reader {
        given,
        any_arch,
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
            Kind::Word if part.text == "{" => {
                reader.scope().enter();
                Ok(())
            }
            Kind::Word if part.text == "}" => {
                reader.scope().leave();
                Ok(())
            }
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
                        let number = reader.number();
                        let meant = |ty| reader.meant(ty);
                        let written = match token.kind {
                            Kind::Text => operation::generic(instruction, name, &mut stream, meant),
                            _ => operation::read(instruction, name, &mut stream),
                        };
                        match written {
                            Ok(written) => each(&reader.found(written, number)),
                            Err(fault) => wrong.push(Diagnostic {
                                calls: vec![source.span(name.range())],
                                ..source.tell(*fault)
                            }),
                        }
                        Ok(())
                    }
                    None if name.text == "pto.set_validshape" => {
                        reader.valid_set(name, &mut stream)
                    }
                    None if definition::defining(name.text).is_some() => Ok(()),
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

/// What is known where a file is read.
pub(crate) struct Reader<'g, 't> {
    given: Given<'g>,
    any_arch: bool,
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
    pub(crate) fn scope(&mut self) -> &mut Scope<'t> {
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
                Err(fault) if !self.any_arch && self.architectures.insert(value.text) => {
                    return Err(fault);
                }
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
            (Kind::Word, "arith.constant") => {
                let signs = if body.at("-") { 2 } else { 1 };
                let signs = body.rest.iter().take(signs).map(|sign| sign.part.text);
                constant(&signs.collect::<String>())
            }
            (Kind::Text, "arith.constant") => {
                let parts = operation::generic_parts(name_of, &mut body).ok();
                let value = parts.and_then(|(_, attributes, _)| attributes.get("value"));
                value.map_or(Meaning::Other, |value| constant(value.text))
            }
            (Kind::Word, mnemonic) => self.computed(mnemonic, body.rest),
            // Of a loop, as in `scf.for %k = %c0 to %c4`.
            _ => Meaning::Other,
        };
        self.scope().define(name, means, None);
        Ok(())
    }

    /// What the user says that the value of this name is.
    pub(crate) fn asked(&self, name: &str) -> Option<u64> {
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

    pub(crate) fn known(&self, name: &str) -> Option<&Meaning<'t>> {
        let (_, scope) = self.function_here();
        scope.get(name).map(|value| &value.means)
    }

    /// The name of the innermost function and its values; an empty name outside of all.
    pub(crate) fn function_here(&self) -> (&'t str, &Scope<'t>) {
        let inner = self.around.iter().rev();
        let own = inner.filter_map(|around| around.function.as_ref()).next();
        own.map_or(("", &self.outside), |(name, scope)| (name, scope))
    }

    /// What a type or an attribute is, where it has a name of its own.
    pub(crate) fn meant(&self, part: Part<'t>) -> Part<'t> {
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
        let here = match self.any_arch {
            true => Around::default(),
            false => self.here(),
        };
        Found {
            written,
            function,
            number,
            target: here.target,
            device: here.device,
            scope,
            aliases: &self.aliases,
        }
    }
}

/// What `arith.constant` is, of `-3` or `32 : index`.
fn constant<'t>(text: &str) -> Meaning<'t> {
    let text = text.split(':').next().unwrap_or_default().trim();
    let (minus, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let number = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    let signed = number
        .map(i128::from)
        .map(|own| if minus { -own } else { own });
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
