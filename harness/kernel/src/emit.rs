//! The C++ of one instantiated call.

use std::{collections::HashMap, fmt::Write as _};

use ptodiff_asm::{Piece, PieceKind, Pieces};
use ptodiff_isa::{Call, DType, Operand, Role};

use crate::{Dialect, key::operand_key};

/// Names of cases that a comment gives; the others are counted.
const NAMED: usize = 3;

/// A call that the program holds once, whoever asks for it.
pub(crate) struct Instance {
    /// Its key.
    pub(crate) key: String,
    /// One of the calls with this key.
    pub(crate) call: Call,
    /// Its parts.
    pub(crate) pieces: Pieces,
    /// How many template arguments the cases that have it give.
    pub(crate) given: usize,
    /// The cases that have it.
    pub(crate) names: Vec<String>,
}

/// The operands of a file's calls, each type once: how the probe tells an operand that
/// the library cannot build from a call that it rejects.
#[derive(Default)]
pub(crate) struct Operands {
    /// What makes one of each type.
    texts: Vec<String>,
    by_type: HashMap<String, usize>,
}

impl Operands {
    /// The number of the type of `operand`, one of which is made by `made`.
    fn number(&mut self, operand: Operand<'_>, made: String) -> usize {
        let new = self.texts.len();
        let number = *self.by_type.entry(operand_key(operand)).or_insert(new);
        if number == new {
            self.texts.push(made);
        }
        number
    }

    /// A function for each, which only the probe compiles.
    pub(crate) fn functions(&self) -> String {
        let mut text = String::from("\n#if defined(PTODIFF_PROBE) && PTODIFF_PROBE == 2\n");
        for (n, made) in self.texts.iter().enumerate() {
            // Writing to a string does not fail.
            let _ = write!(
                text,
                "#ifndef PTODIFF_UNBUILT_{n}\n#line 1 \"operand_{n}\"\n\
                 AICORE void operand_{n}(__gm__ ptodiff::Operands* call)\n{{\n{AT}{made}}}\n#endif\n"
            );
        }
        text.push_str("#endif\n");
        text
    }
}

/// What makes extents of run time reachable.
const AT: &str = "    __gm__ const int64_t* at = call->at;\n    (void)at;\n";

impl Instance {
    /// Its kernel, and what starts it, under the number `n`. Its operands join `operands`.
    pub(crate) fn kernel(&self, n: usize, dialect: Dialect, operands: &mut Operands) -> String {
        let (mut made, mut left) = (String::new(), String::new());
        let mut numbers = String::new();
        let mut tiles = 0;
        for piece in &self.pieces.operands {
            let (before, after) = self.operand(piece, &mut tiles);
            if let Some(operand) = self.call.operand(piece.role) {
                let number = operands.number(operand, format!("{before}{after}"));
                // Writing to a string does not fail.
                let _ = write!(numbers, " {number}");
            }
            made.push_str(&before);
            left.push_str(&after);
        }
        let spelled = &self.pieces.intrinsic;
        let given = match self.given {
            // Without any it is the call of another form.
            0 if dialect.is_of_the_suites(&self.call) => usize::MAX,
            given => given,
        };
        let short = self.pieces.with_arguments(given);
        let intrinsic = if short == *spelled {
            format!("    {spelled}\n")
        } else {
            format!("#ifdef PTODIFF_SPELL_DEFAULTS\n    {spelled}\n#else\n    {short}\n#endif\n")
        };
        format!(
            "\n// call {n} has operands{numbers}\n#if PTODIFF_WANTED({n}) && \
             !defined(PTODIFF_REJECTED_{n}) && !defined(PTODIFF_UNSUPPORTED_{n})\n\
             // {names}\n#ifdef PTODIFF_PROBE\n#line 1 \"call_{n}\"\n#endif\n\
             AICORE static void call_{n}_body(__gm__ ptodiff::Operands* call)\n\
             {{\n{AT}{made}    ptodiff::device::settle();\n#ifndef PTODIFF_OPERANDS_ALONE\n\
             {intrinsic}#endif\n    ptodiff::device::settle();\n{left}}}\n\
             PTODIFF_KERNEL(call_{n})\n#endif\n",
            names = self.names()
        )
    }

    /// What makes an operand before the call, and what takes its contents after it. `tiles`
    /// counts those before it.
    fn operand(&self, piece: &Piece, tiles: &mut usize) -> (String, String) {
        let Piece {
            role,
            variable,
            declaration,
            kind,
        } = piece;
        match kind {
            PieceKind::Tensor { pointer } => {
                let dtype = self.dtype(*role);
                let elements = format!("ptodiff::device::elements<{dtype}>(call->{role})");
                (
                    format!("    auto* {pointer} = {elements};\n{declaration}"),
                    String::new(),
                )
            }
            PieceKind::Tile { address } => {
                let (assigned, address) = match address {
                    Some(address) => {
                        let place = format!("ptodiff::device::address({address:#x}, {tiles})");
                        (format!("    TASSIGN({variable}, {place});\n"), place)
                    }
                    // Only tiles beyond any memory: the library is to say so.
                    None => (String::new(), "0".to_owned()),
                };
                *tiles += 1;
                let copy = |what| {
                    format!("    ptodiff::device::{what}({variable}, {address}, call->{role});\n")
                };
                (
                    format!("{declaration}{assigned}{}", copy("fill")),
                    copy("give_back"),
                )
            }
        }
    }

    /// Its lines in the table of calls.
    pub(crate) fn entry(&self, n: usize) -> String {
        let key = &self.key;
        format!(
            "#if defined(PTODIFF_UNSUPPORTED_{n})\n    {{\"{key}\", nullptr, \"unsupported\", PTODIFF_UNSUPPORTED_{n}}},\n\
             #elif defined(PTODIFF_REJECTED_{n})\n    {{\"{key}\", nullptr, \"rejected\", PTODIFF_REJECTED_{n}}},\n\
             #elif PTODIFF_WANTED({n})\n    {{\"{key}\", call_{n}, nullptr, nullptr}},\n#endif\n"
        )
    }

    fn dtype(&self, role: Role) -> DType {
        let operand = self.call.operand(role);
        operand.map_or(DType::Uint8, |operand| operand.dtype())
    }

    /// The cases' names, fit for a comment of one line.
    fn names(&self) -> String {
        let some = self.names.iter().take(NAMED);
        let mut text = some.cloned().collect::<Vec<_>>().join(", ");
        if let Some(more @ 1..) = self.names.len().checked_sub(NAMED) {
            let _ = write!(text, " and {more} more");
        }
        // A backslash at the end would draw the next line into the comment.
        text.replace(|c: char| c == '\\' || c.is_control(), "_")
    }
}
