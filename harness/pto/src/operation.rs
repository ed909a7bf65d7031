//! How an operation is written: `ins(...) outs(...)`, or the generic form.

use ptodiff_case::{Code, nearest};
use ptodiff_isa::{DType, Instruction};

use crate::attributes::Attributes;
use crate::text::{Fault, LONGEST, Part, Read};
use crate::tokens::{Kind, Token};
use crate::types;

/// An operand: its name and its type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand<'t> {
    pub(crate) name: Part<'t>,
    pub(crate) ty: Part<'t>,
}

/// An operation as it is written.
#[derive(Debug)]
pub(crate) struct Operation<'t> {
    /// What it is.
    pub(crate) instruction: Instruction,
    /// Its mnemonic.
    pub(crate) name: Part<'t>,
    /// The operands that it reads.
    pub(crate) ins: Vec<Operand<'t>>,
    /// The operand that it writes.
    pub(crate) out: Operand<'t>,
    /// Its attributes.
    pub(crate) attributes: Attributes<'t>,
    /// `"row"` or `"col"`, without quotes, where it stands among the types.
    pub(crate) axis: Option<Part<'t>>,
}

/// The instruction of a mnemonic, `pto.mgather`.
pub(crate) fn instruction(mnemonic: &str) -> Option<Instruction> {
    let name = mnemonic.strip_prefix("pto.")?;
    let (_, instruction) = OURS.iter().find(|(own, _)| *own == name)?;
    Some(*instruction)
}

/// The operations of the instructions, without `pto.`.
pub(crate) const OURS: &[(&str, Instruction)] = &[
    ("mgather", Instruction::Mgather),
    ("mscatter", Instruction::Mscatter),
    ("tscatter", Instruction::Tscatter),
    ("tgatherb", Instruction::Tgatherb),
];

/// What `mnemonic` may have meant, where it is nearly that of an instruction, or has more
/// behind it as in the documents' `mscatter.row`, and is no operation of the dialect.
pub(crate) fn meant(mnemonic: &str) -> Option<&'static str> {
    // What else the dialect calls nearly so.
    const OTHERS: &[&str] = &["tgather", "vgather2", "vgatherb", "vscatter"];
    let mut ours = OURS.iter().map(|(name, _)| *name);
    let Some(name) = mnemonic.strip_prefix("pto.") else {
        return ours.find(|own| *own == mnemonic);
    };
    let more = ours.clone().find(|own| name.starts_with(own));
    more.or_else(|| {
        let near = nearest(name, ours.chain(OTHERS.iter().copied()))?;
        (!OTHERS.contains(&near)).then_some(near)
    })
}

/// The rest of the tokens, read one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Stream<'a, 't> {
    pub(crate) rest: &'a [Token<'t>],
    /// The whole text.
    pub(crate) text: &'t str,
}

impl<'t> Stream<'_, 't> {
    pub(crate) fn next(&mut self) -> Option<Token<'t>> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn here(&self) -> Part<'t> {
        let end = Part {
            text: "",
            at: self.text.len(),
        };
        self.rest.first().map_or(end, |token| token.part)
    }

    pub(crate) fn eat(&mut self, kind: Kind) -> Option<Part<'t>> {
        let first = self.rest.first().filter(|token| token.kind == kind)?;
        self.rest = &self.rest[1..];
        Some(first.part)
    }

    /// Whether this word is the next.
    pub(crate) fn at(&self, word: &str) -> bool {
        let first = self.rest.first();
        first.is_some_and(|token| token.kind == Kind::Word && token.part.text == word)
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let is = self.at(word);
        if is {
            self.rest = &self.rest[1..];
        }
        is
    }

    /// Whether a dictionary is the next, whose entries `attributes` gets. The grammar takes
    /// some for signs: `{}`, and one that begins with `a.b = c`.
    pub(crate) fn eat_dictionary(&mut self, attributes: &mut Attributes<'t>) -> Read<bool> {
        let mut depth = 0_usize;
        let mut signs = self.rest.iter().take(LONGEST);
        let close = signs.position(|sign| {
            match sign.part.text {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        });
        let dictionary = match close.filter(|_| self.at("{")) {
            Some(close) => {
                let (own, rest) = self.rest.split_at(close + 1);
                let (from, to) = (own[0].part.at, own[close].part.range().end);
                self.rest = rest;
                let text = &self.text[from..to];
                Some(Part { text, at: from })
            }
            None => self.eat(Kind::Attribute),
        };
        dictionary.map_or(Ok(false), |own| attributes.add(own).map(|()| true))
    }

    /// `key` of `key =`.
    pub(crate) fn eat_key(&mut self) -> Option<Part<'t>> {
        let [key, equals, rest @ ..] = self.rest else {
            return None;
        };
        let is = key.kind == Kind::Word && equals.part.text == "=";
        is.then(|| {
            self.rest = rest;
            key.part
        })
    }

    /// `%a`
    pub(crate) fn value(&mut self, name: Part<'_>) -> Read<Part<'t>> {
        let value = self.eat(Kind::Value);
        value.ok_or_else(|| self.wrong(name, "an operand, `%name`,"))
    }

    /// `%a`, `8`, or several as `[%a, 8]`.
    pub(crate) fn numbers(&mut self, name: Part<'_>) -> Read<Vec<Part<'t>>> {
        let several = self.eat_word("[");
        let mut numbers = Vec::new();
        loop {
            let number = self.eat(Kind::Value).or_else(|| self.eat(Kind::Number));
            numbers.push(number.ok_or_else(|| self.wrong(name, "a number, or `%name`,"))?);
            if !(several && self.eat_word(",")) {
                break;
            }
        }
        if several {
            self.expect(name, "]")?;
        }
        Ok(numbers)
    }

    pub(crate) fn wrong(&self, name: Part<'_>, expected: &str) -> Box<Fault> {
        let here = self.here();
        let message = match here.text.lines().next().unwrap_or_default() {
            "" => format!("`{}` ends too early", name.text),
            found => format!("`{}` cannot have `{found}` here", name.text),
        };
        let line = here.text.lines().next().unwrap_or_default().len();
        Fault::new(Code::BadOperation, here.at..here.at + line, message)
            .help(format!("{expected} is expected"))
    }

    fn expect(&mut self, name: Part<'_>, word: &str) -> Read<()> {
        match self.eat_word(word) {
            true => Ok(()),
            false => Err(self.wrong(name, &format!("`{word}`"))),
        }
    }

    /// As [`Self::expect`]: documents show other forms, too.
    fn expect_form(&mut self, name: Part<'_>, word: &str) -> Read<()> {
        self.expect(name, word).map_err(|fault| {
            let read = format!("`{} ins(...) outs(...)` is read", name.text);
            fault.help(format!(
                "`{word}` is expected: {read}, a form with a result is not"
            ))
        })
    }

    /// Names, separated by commas, at least one; a dictionary may stand among them.
    pub(crate) fn values(
        &mut self,
        name: Part<'_>,
        attributes: &mut Attributes<'t>,
    ) -> Read<Vec<Part<'t>>> {
        let mut values = Vec::new();
        loop {
            if !self.eat_dictionary(attributes)? {
                values.push(self.value(name)?);
            }
            if !self.eat_word(",") {
                return Ok(values);
            }
        }
    }

    /// That the operation called `name` ends here: the next one begins with a name, a region
    /// ends. A dictionary that the grammar cannot read is no token but the signs of it.
    fn ends(&self, name: Part<'_>) -> Read<()> {
        let next = match self.rest {
            [] => return Ok(()),
            [next, ..] => next,
        };
        let begins = match next.kind {
            Kind::Word => {
                let first = next
                    .part
                    .text
                    .starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '}' | '^'));
                first && next.part.text != "attributes"
            }
            Kind::Value | Kind::Text | Kind::Function | Kind::Module | Kind::End => true,
            Kind::Type | Kind::Attribute | Kind::Symbol | Kind::Number => false,
        };
        if begins {
            return Ok(());
        }
        Err(self.unread(name))
    }

    /// That the attributes of `name`, which begin here, cannot be read.
    pub(crate) fn unread(&self, name: Part<'_>) -> Box<Fault> {
        let message = format!("the attributes of `{}` cannot be read", name.text);
        let at = self.here().at;
        let fault = Fault::new(Code::BadOperation, at..at + 1, message);
        fault.help(match name.text {
            "pto.mgather" => {
                "as in `{coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob clamp>}`"
            }
            "pto.mscatter" => {
                "as in `{coalesce = #pto<coalesce row>, scatterOob = #pto<scatter_oob clamp>}`"
            }
            "pto.tscatter" => "as in `{maskPattern = #pto.mask_pattern<P0101>}`",
            "pto.make_tensor_view" => "as in `{layout = #pto.layout<dn>}`",
            _ => "this operation has no attributes",
        })
    }

    /// A type.
    pub(crate) fn ty(&mut self, name: Part<'_>) -> Read<Part<'t>> {
        let ty = self.eat(Kind::Type);
        ty.ok_or_else(|| self.wrong(name, "a type"))
    }

    /// Types, separated by commas, and a text among them.
    fn types(&mut self, name: Part<'_>) -> Read<(Vec<Part<'t>>, Option<Part<'t>>)> {
        let (mut types, mut text) = (Vec::new(), None);
        loop {
            match self.eat(Kind::Text) {
                Some(found) => text = Some(found),
                None => types.push(self.ty(name)?),
            }
            if !self.eat_word(",") {
                return Ok((types, text));
            }
        }
    }
}

/// Reads what follows the mnemonic `name` of `instruction`.
pub(crate) fn read<'t>(
    instruction: Instruction,
    name: Part<'t>,
    stream: &mut Stream<'_, 't>,
) -> Read<Operation<'t>> {
    let mut attributes = Attributes::default();
    stream.expect_form(name, "ins")?;
    stream.expect(name, "(")?;
    let ins = stream.values(name, &mut attributes)?;
    stream.expect(name, ":")?;
    let (in_types, axis) = stream.types(name)?;
    stream.expect(name, ")")?;
    stream.expect_form(name, "outs")?;
    stream.expect(name, "(")?;
    let outs = stream.values(name, &mut attributes)?;
    stream.expect(name, ":")?;
    let (out_types, _) = stream.types(name)?;
    stream.expect(name, ")")?;
    while stream.eat_dictionary(&mut attributes)? {}
    stream.ends(name)?;
    let ins = paired(name, &ins, &in_types)?;
    let out = match paired(name, &outs, &out_types)?[..] {
        [out] => out,
        ref all => {
            let message = format!("`{}` writes one operand, not {}", name.text, all.len());
            return Err(Fault::new(Code::BadOperation, outs[0].range(), message));
        }
    };
    let axis = axis.map(|axis| axis.between("\"", "\"").unwrap_or(axis));
    Ok(Operation {
        instruction,
        name,
        ins,
        out,
        attributes,
        axis,
    })
}

/// Reads what follows the mnemonic `name` in the generic form. `meant` is what a type is that
/// has a name of its own.
pub(crate) fn generic<'t>(
    instruction: Instruction,
    name: Part<'t>,
    stream: &mut Stream<'_, 't>,
    meant: impl Fn(Part<'t>) -> Part<'t>,
) -> Read<Operation<'t>> {
    let (values, attributes, types) = generic_parts(name, stream)?;
    let mut ins = paired(name, &values, &types)?;
    if ins.is_empty() {
        let message = "an operation without operands";
        return Err(Fault::new(Code::BadOperation, name.range(), message));
    }
    let out = ins.remove(written(instruction, &ins, meant)?);
    // A masked TSCATTER reads one operand, the others two at least.
    if ins.len() == 1 && instruction != Instruction::Tscatter {
        let last = match instruction {
            Instruction::Mscatter => "%mem",
            _ => "%dst",
        };
        let message = format!("`{last}` is missing");
        let fault = Fault::new(Code::BadOperation, name.range(), message);
        return Err(fault.help("the operand that is written is the third in this form"));
    }
    Ok(Operation {
        instruction,
        name,
        ins,
        out,
        attributes,
        axis: None,
    })
}

/// Which operand of the generic form, at least one, is written. TSCATTER has its index before
/// it in older assemblers, and behind it in newer ones: there the element types tell.
fn written<'t>(
    instruction: Instruction,
    all: &[Operand<'t>],
    meant: impl Fn(Part<'t>) -> Part<'t>,
) -> Read<usize> {
    let dtype = |operand: &Operand<'t>| types::read(meant(operand.ty)).map(|ty| ty.dtype());
    match (instruction, all) {
        // A scratch is behind it.
        (Instruction::Mgather, [_, _, _, _]) => Ok(2),
        (Instruction::Tscatter, [source, second, third]) => {
            let (Ok(own), Ok(before), Ok(behind)) = (dtype(source), dtype(second), dtype(third))
            else {
                // What is wrong with a type is told where it is looked at.
                return Ok(2);
            };
            // An index of another width may be a destination of another type.
            let fits = |index: DType| index.is_integer() && index.size() == own.size().clamp(2, 4);
            let is_index = |one: DType| fits(one) || !fits(own);
            match (before == own, behind == own) {
                (true, false) if is_index(behind) => Ok(1),
                (false, true) if is_index(before) => Ok(2),
                _ => {
                    let message = "the element types do not tell which operand is the index";
                    let fault = Fault::new(Code::BadOperation, second.name.range(), message);
                    Err(fault.help(
                        "versions of the assembler have `%src, %idx, %dst` and `%src, %dst, %idx`: \
                         `pto.tscatter ins(%src, %idx : ...) outs(%dst : ...)` is read",
                    ))
                }
            }
        }
        _ => Ok(all.len() - 1),
    }
}

/// Operands, attributes and the operands' types.
type Parts<'t> = (Vec<Part<'t>>, Attributes<'t>, Vec<Part<'t>>);

/// What stands between the mnemonic `name` of the generic form and the types of its results.
pub(crate) fn generic_parts<'t>(name: Part<'t>, stream: &mut Stream<'_, 't>) -> Read<Parts<'t>> {
    let mut attributes = Attributes::default();
    let (mut values, mut types) = (Vec::new(), Vec::new());
    stream.expect(name, "(")?;
    if !stream.eat_word(")") {
        values = stream.values(name, &mut Attributes::default())?;
        stream.expect(name, ")")?;
    }
    // Where the grammar sees no whole operation it gives the signs one by one.
    if stream.eat_word("<") {
        stream.eat_dictionary(&mut attributes)?;
        stream.expect(name, ">")?;
    }
    while stream.eat_dictionary(&mut attributes)? {}
    stream.expect(name, ":")?;
    stream.expect(name, "(")?;
    if !stream.eat_word(")") {
        (types, _) = stream.types(name)?;
        stream.expect(name, ")")?;
    }
    stream.expect(name, "->")?;
    Ok((values, attributes, types))
}

fn paired<'t>(name: Part<'_>, values: &[Part<'t>], types: &[Part<'t>]) -> Read<Vec<Operand<'t>>> {
    if values.len() != types.len() {
        let message = format!(
            "`{}` has {} operands here and {} types",
            name.text,
            values.len(),
            types.len()
        );
        let at = values.first().map_or(name.range(), |value| value.range());
        return Err(Fault::new(Code::BadOperation, at, message).label("each has a type"));
    }
    let pairs = values.iter().zip(types);
    Ok(pairs
        .map(|(name, ty)| Operand {
            name: *name,
            ty: *ty,
        })
        .collect())
}
