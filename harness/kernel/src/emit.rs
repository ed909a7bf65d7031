//! The C++ of one instantiated call.

use std::fmt::Write as _;

use ptodiff_asm::{NoForm, PieceKind};
use ptodiff_isa::{Call, DType, Role};

use crate::Dialect;

/// Names of cases that a comment gives; the others are counted.
const NAMED: usize = 3;

/// A call that the program holds once, whoever asks for it.
pub(crate) struct Instance {
    /// Its key.
    pub(crate) key: String,
    /// One of the calls with this key.
    pub(crate) call: Call,
    /// The cases that have it.
    pub(crate) names: Vec<String>,
}

impl Instance {
    /// Its kernel, and what starts it, under the number `n`.
    ///
    /// # Errors
    /// `dialect` has no such form.
    pub(crate) fn kernel(&self, n: usize, dialect: Dialect) -> Result<String, NoForm> {
        let parts = dialect.pieces(&self.call)?;
        let (mut before, mut after, mut pointers) = (String::new(), String::new(), String::new());
        let mut tiles = 0;
        for piece in &parts.operands {
            let (variable, role) = (&piece.variable, piece.role);
            // Writing to a string does not fail.
            let _ = match &piece.kind {
                PieceKind::Tensor { pointer } => writeln!(
                    pointers,
                    "    auto* {pointer} = ptodiff::device::elements<{}>(call->{role});",
                    self.dtype(role)
                ),
                PieceKind::Tile { address } => {
                    let address = match address {
                        Some(address) => {
                            let place = format!("ptodiff::device::address({address:#x}, {tiles})");
                            let _ = writeln!(before, "    TASSIGN({variable}, {place});");
                            place
                        }
                        // Only tiles beyond any memory: the library is to say so.
                        None => "0".to_owned(),
                    };
                    tiles += 1;
                    let _ = writeln!(
                        after,
                        "    ptodiff::device::give_back({variable}, {address}, call->{role});"
                    );
                    writeln!(
                        before,
                        "    ptodiff::device::fill({variable}, {address}, call->{role});"
                    )
                }
            };
        }
        let (declarations, intrinsic) = (parts.declarations, parts.intrinsic);
        let array = if declarations.contains("at[") {
            "    __gm__ const int64_t* at = call->at;\n"
        } else {
            ""
        };
        Ok(format!(
            "\n#if PTODIFF_WANTED({n}) && !defined(PTODIFF_REJECTED_{n})\n\
             // {names}\n\
             AICORE static void call_{n}_body(__gm__ ptodiff::Operands* call)\n\
             {{\n{array}{pointers}{declarations}{before}    ptodiff::device::settle();\n    \
             {intrinsic}\n    ptodiff::device::settle();\n{after}}}\n\
             PTODIFF_KERNEL(call_{n})\n#endif\n",
            names = self.names()
        ))
    }

    /// Its lines in the table of calls.
    pub(crate) fn entry(&self, n: usize) -> String {
        let key = &self.key;
        format!(
            "#ifdef PTODIFF_REJECTED_{n}\n    {{\"{key}\", nullptr, PTODIFF_REJECTED_{n}}},\n\
             #elif PTODIFF_WANTED({n})\n    {{\"{key}\", call_{n}, nullptr}},\n#endif\n"
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
