//! From text to tokens: what tree-sitter's grammar of MLIR finds, in the order of
//! the text.
//!
//! The grammar does not know the operations of the `pto` dialect, so where one of
//! them ends is not for it to say: `%x =` after an operation belongs to it as
//! likely as to the next. Types, attributes, strings, functions and
//! modules it knows.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::ControlFlow;

use tree_sitter::{Node, Parser};

use ptodiff_case::Code;

use crate::text::{self, Fault, LONGEST, Part};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// `%x`
    Value,
    /// `!pto.tile_buf<...>`, `index`
    Type,
    /// `{a = b}`, `#pto<...>`
    Attribute,
    /// `"pto.mgather"`, with its quotes
    Text,
    /// `@f`
    Symbol,
    /// `-3`
    Number,
    /// A name without a sign before it, or a sign.
    Word,
    /// A function begins; it has no text.
    Function,
    /// A module begins; it has no text.
    Module,
    /// The last function or module that began ends; it has no text.
    End,
}

/// One token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) kind: Kind,
    pub(crate) part: Part<'t>,
}

/// What a file is made of.
#[derive(Default)]
pub(crate) struct Tokens<'t> {
    /// In the order of the text.
    pub(crate) all: Vec<Token<'t>>,
    /// `!tile = !pto.tile_buf<...>` and `#row = #pto<coalesce row>`: name and meaning.
    pub(crate) aliases: Vec<(Part<'t>, Part<'t>)>,
    /// Where the text is no MLIR.
    pub(crate) faults: Vec<Fault>,
    /// Where the innermost bracket stands that is open at the end of the text.
    pub(crate) open: Option<usize>,
    /// Where a bracket without a partner stands.
    pub(crate) alone: Option<usize>,
}

/// Mistakes of syntax that are told: after some, the next ones follow from them.
const MOST_FAULTS: usize = 8;

/// Bytes that the parser may ask for, and how many for each byte of text. It goes back to the
/// start of the line for each token of it: files that people have take about a hundred for a
/// byte, a line of 60 KB as many as are allowed.
const MOST_BYTES: usize = 1 << 28;
const MOST_FOR_BYTE: usize = 1 << 10;

/// Bytes that it is given at a time, and so the unit in which they are counted.
const CHUNK: usize = 1 << 10;

/// The tokens of `text`.
pub(crate) fn tokens(text: &str) -> Tokens<'_> {
    let Brackets { open, alone } = brackets(text);
    let mut found = Tokens {
        open,
        alone,
        ..Tokens::default()
    };
    let mut parser = Parser::new();
    let fits = parser.set_language(&tree_sitter_mlir::LANGUAGE.into());
    debug_assert!(fits.is_ok(), "the grammar is of the parser's version");
    if let Some(open) = found.open {
        let line = text[..open].matches('\n').count() + 1;
        let bracket = &text[open..=open];
        let message = format!("the text ends too early: `{bracket}` of line {line} is open");
        let end = text.trim_end().len();
        let last = text[..end].char_indices().last().map_or(0, |(at, _)| at);
        found
            .faults
            .push(*Fault::new(Code::NotMlir, last..end, message));
    }
    let Some(tree) = parse(&mut parser, &in_lines(&opaque(text))) else {
        let none = Fault::new(
            Code::NotMlir,
            0..0,
            "not valid MLIR, or its lines are too long",
        );
        found.faults.push(*none);
        return found;
    };
    let mut cursor = tree.walk();
    let mut open = Vec::new();
    loop {
        let node = cursor.node();
        let inner = enter(node, text, &mut found);
        if inner && cursor.goto_first_child() {
            open.push(node);
            continue;
        }
        while !cursor.goto_next_sibling() {
            let Some(node) = open.pop() else {
                return found;
            };
            if around(node, text).is_some() {
                let at = node.end_byte();
                let part = Part { text: "", at };
                let kind = Kind::End;
                found.all.push(Token { kind, part });
            }
            cursor.goto_parent();
        }
    }
}

/// `text` with blanks in place of its comments: whoever cuts attributes out of it need not know
/// of any, and what is behind one keeps its place.
pub(crate) fn without_comments(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let mut slash = None;
        let mut slashes = code(line).filter(|(_, byte)| *byte == b'/');
        let begin = slashes.find_map(|(at, _)| slash.replace(at).filter(|last| last + 1 == at));
        let (own, comment) = line.split_at(begin.unwrap_or(line.len()));
        let said = comment.trim_end_matches(['\r', '\n']);
        [own, &" ".repeat(said.len()), &comment[said.len()..]].concat()
    });
    lines.collect()
}

/// What of `text`, which has no comments, stands in no string, each byte with its place.
fn code(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let (mut quoted, mut escaped) = (false, false);
    text.bytes().enumerate().filter(move |(_, byte)| {
        let was = quoted;
        match byte {
            b'\n' => (quoted, escaped) = (false, false),
            b'"' if !escaped => quoted = !quoted,
            _ => {}
        }
        escaped = quoted && *byte == b'\\' && !escaped;
        !was && !quoted
    })
}

/// What brackets of a text have no partner.
struct Brackets {
    /// The innermost that the end of the text leaves open. One within another that is closed
    /// is a mistake of its own.
    open: Option<usize>,
    /// The first that is alone, or seems so: a `}` that begins a line stands below the line
    /// of its `{`.
    alone: Option<usize>,
}

fn brackets(text: &str) -> Brackets {
    const BRACKETS: [(u8, u8); 4] = [(b'(', b')'), (b'[', b']'), (b'{', b'}'), (b'<', b'>')];
    let lines = text::lines(text);
    let line = |at: usize| lines[lines.partition_point(|begin| *begin <= at) - 1];
    // One that is deeper says nothing, and takes time.
    let indent = |begin: usize| {
        let first = text[begin..].bytes().take(1 << 8);
        first.take_while(u8::is_ascii_whitespace).count()
    };
    let askew = |open: usize, close: usize| {
        let (first, last) = (line(open), line(close));
        last + indent(last) == close && indent(first) != indent(last)
    };
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut of_kind = [0_usize; BRACKETS.len()];
    let (mut alone, mut shifted, mut before) = (None, None, 0);
    for (at, byte) in code(text) {
        let last = std::mem::replace(&mut before, byte);
        // The head of an arrow, and the sign of a comparison.
        let is_sign = byte == b'>' && last == b'-' || text.as_bytes().get(at + 1) == Some(&b'=');
        if matches!(byte, b'<' | b'>') && is_sign {
            continue;
        }
        for (kind, (opens, closes)) in BRACKETS.iter().enumerate() {
            if byte == *opens {
                open.push((at, kind));
                of_kind[kind] += 1;
            } else if byte == *closes && of_kind[kind] == 0 {
                alone.get_or_insert(at);
            }
            while byte == *closes && of_kind[kind] > 0 {
                let Some((begin, inner)) = open.pop() else {
                    break;
                };
                of_kind[inner] -= 1;
                if inner != kind {
                    alone.get_or_insert(begin);
                } else if byte == b'}' && askew(begin, at) {
                    shifted.get_or_insert(begin);
                }
                if inner == kind {
                    break;
                }
            }
        }
    }
    let left = open.iter().rfind(|(at, _)| text.as_bytes()[*at] != b'<');
    let left = left.map(|(at, _)| *at);
    let shifted = shifted.filter(|_| left.is_some());
    Brackets {
        // What ends a line of its own ends no text too early.
        open: left.filter(|_| shifted.is_none()),
        alone: alone.or(shifted),
    }
}

/// `text` with `_` for what stands in the brackets of types of dialects: only their
/// dialect knows it, and the grammar guesses. No byte changes its place.
fn opaque(text: &str) -> String {
    let (mut blank, mut from) = (String::with_capacity(text.len()), 0);
    for (at, _) in code(text).filter(|(_, byte)| *byte == b'!') {
        let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
        let rest = text[at + 1..].trim_start_matches(of_name);
        if at < from || !rest.starts_with('<') {
            continue;
        }
        let (mut depth, mut before) = (0_usize, 0);
        let close = code(rest).take(LONGEST).find(|(_, byte)| {
            let last = std::mem::replace(&mut before, *byte);
            match byte {
                b'<' | b'(' | b'[' | b'{' => depth += 1,
                // The head of an arrow closes nothing.
                b'>' if last == b'-' => {}
                b'>' | b')' | b']' | b'}' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        if let Some((last, b'>')) = close {
            let open = text.len() - rest.len();
            blank += &text[from..open];
            blank.extend(std::iter::repeat_n('_', last + 1));
            from = open + last + 1;
        }
    }
    blank + &text[from..]
}

/// `text` with long lines broken where a space stands: the parser goes back to the start of
/// the line for each token of it. No byte changes its place.
fn in_lines(text: &str) -> Cow<'_, str> {
    const LONG: usize = 1 << 10;
    if text.lines().all(|line| line.len() <= LONG) {
        return Cow::Borrowed(text);
    }
    let mut broken = text.as_bytes().to_vec();
    let mut start = 0;
    for (at, byte) in code(text) {
        match byte {
            b'\n' => start = at,
            b' ' if at - start > LONG => {
                broken[at] = b'\n';
                start = at;
            }
            _ => {}
        }
    }
    String::from_utf8(broken).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// None where the parser does not come to an end.
fn parse(parser: &mut Parser, text: &str) -> Option<tree_sitter::Tree> {
    let (asked, most) = (Cell::new(0), MOST_BYTES + MOST_FOR_BYTE * text.len());
    let mut patient = |_: &tree_sitter::ParseState| match asked.get() < most {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let options = tree_sitter::ParseOptions::new().progress_callback(&mut patient);
    let bytes = text.as_bytes();
    let mut from = |at: usize, _| {
        asked.set(asked.get() + CHUNK);
        let rest = bytes.get(at..).unwrap_or_default();
        &rest[..rest.len().min(CHUNK)]
    };
    parser.parse_with_options(&mut from, None, Some(options))
}

/// What begins with `node`, if a module or a function does: in the generic form it is known
/// by its name.
fn around(node: Node<'_>, text: &str) -> Option<Kind> {
    let what = match node.kind() {
        "generic_operation" => &text[node.child(0)?.byte_range()],
        kind => kind,
    };
    match what {
        "func_operation" | "\"func.func\"" => Some(Kind::Function),
        "module_operation" | "\"builtin.module\"" => Some(Kind::Module),
        _ => None,
    }
}

/// Adds what `node` is, and says whether its parts are to be looked at.
fn enter<'t>(node: Node<'_>, text: &'t str, found: &mut Tokens<'t>) -> bool {
    let whole = Part {
        text: &text[node.byte_range()],
        at: node.start_byte(),
    };
    let part = whole.trim();
    // That it ends too early is told.
    let at_end = node.end_byte() >= text.trim_end().len();
    if found.open.is_some() && at_end && (node.is_missing() || node.is_error()) {
        return node.is_error();
    }
    if node.is_missing() {
        let message = format!("not valid MLIR: `{}` is missing", node.kind());
        fault(found, part, message);
        return false;
    }
    if node.is_error() {
        let message = match part.text.lines().next().unwrap_or_default() {
            "" => "not valid MLIR".to_owned(),
            line => format!("not valid MLIR: `{}`", short(line)),
        };
        fault(found, part, message);
        return true;
    }
    let mut add = |kind| {
        found.all.push(Token { kind, part });
        false
    };
    if let Some(kind) = around(node, text) {
        let part = Part { text: "", ..part };
        found.all.push(Token { kind, part });
        // Its attributes stand behind what is in it.
        let is_generic = node.kind() == "generic_operation";
        for inner in node.children(&mut node.walk()).filter(|_| is_generic) {
            if matches!(inner.kind(), "attribute" | "properties") {
                enter(inner, text, found);
            }
        }
        return true;
    }
    match node.kind() {
        "trailing_location" => false,
        "type_alias_def" | "attribute_alias_def" => {
            if let Some((name, means)) = part.split_once('=') {
                let means = means.after("type").map_or(means, Part::trim);
                found.aliases.push((name, means));
            }
            false
        }
        "value_use" => add(Kind::Value),
        "type" => add(Kind::Type),
        "attribute" | "dictionary_attribute" => add(Kind::Attribute),
        // `<{a = b}>`: a dictionary all the same.
        "properties" => {
            let part = part.between("<", ">").unwrap_or(part);
            let kind = Kind::Attribute;
            found.all.push(Token { kind, part });
            false
        }
        "string_literal" => add(Kind::Text),
        "symbol_ref_id" => add(Kind::Symbol),
        "integer_literal" => add(Kind::Number),
        _ if node.child_count() == 0 => {
            if !part.text.is_empty() {
                add(Kind::Word);
            }
            false
        }
        _ => true,
    }
}

fn fault(found: &mut Tokens<'_>, part: Part<'_>, message: String) {
    if found.faults.len() < MOST_FAULTS {
        // A caret under many lines says nothing.
        let line = part.text.lines().next().unwrap_or_default();
        let at = part.at..part.at + line.len();
        found.faults.push(*Fault::new(Code::NotMlir, at, message));
    }
}

/// The start of a line.
fn short(line: &str) -> &str {
    let end = line.char_indices().nth(40).map_or(line.len(), |(at, _)| at);
    &line[..end]
}
