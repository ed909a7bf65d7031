//! The C++ intrinsic of a call, with all that it needs around it.

mod declare;
mod intrinsic;
mod kernel;
mod load;
mod names;
mod pieces;

use ptodiff_isa::{Call, Clause, Operand, Target};

use crate::{place, word};

use pieces::RunTime;
pub use pieces::{Piece, PieceKind, Pieces, pieces, suite_pieces};

/// A target has no form of the intrinsic that could express a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why} ({clause})")]
pub struct NoForm {
    /// The clause that says so.
    pub clause: Clause,
    /// What is missing, in one line.
    pub why: &'static str,
}

/// `call` as a C++ function for `target`: tile and tensor types, run-time
/// extents as constructor arguments, addresses (bytes, multiples of 32) by
/// `TASSIGN`, loads with their handshake where the documents' examples have
/// them, and the intrinsic with its template arguments written out. For A5 a
/// kernel and its launch follow.
///
/// A policy that the target's form has no parameter for is left out
/// (MSCATTER-API-01, MSCATTER-API-03). Tiles that no 64-bit addresses can tell
/// apart are left to the compiler, as in auto mode.
///
/// # Errors
/// The clause by which `target` has no such form.
pub fn cpp(call: &Call, target: Target) -> Result<String, NoForm> {
    let intrinsic = intrinsic::line(call, target)?;
    let name = word::mnemonic(call.instruction());
    let mut text = Text::default();
    text.line(0, header(call));
    text.line(0, "");
    text.line(0, "using namespace pto;");
    text.line(0, "");
    let parameters = kernel::parameters(call);
    text.line(
        0,
        format!("AICORE void {name}_call({})", kernel::declare(&parameters)),
    );
    text.line(0, "{");
    declarations(&mut text, call);
    load::lines(&mut text, call, target);
    text.line(1, intrinsic);
    text.line(0, "}");
    if target == Target::A5
        && let Some(launch) = call.launch()
    {
        kernel::lines(&mut text, &name, call, launch, &parameters);
    }
    Ok(text.0)
}

/// The header that users include (MSCATTER-API-09, MGATHER-API-06; the first
/// revision's examples include another).
const fn header(call: &Call) -> &'static str {
    match call {
        Call::MscatterFirst(_) => "#include <pto/npu/a5/custom/MScatter.hpp>",
        _ => "#include <pto/pto-inst.hpp>",
    }
}

/// Types, objects and addresses of all operands.
fn declarations(text: &mut Text, call: &Call) {
    let mut values = RunTime::Literal;
    for (role, operand) in call.operands() {
        let names = names::Names::of(call, role);
        match operand {
            Operand::Tensor(tensor) => declare::tensor(text, names, tensor, &mut values),
            Operand::Tile(tile) => {
                if let Some(image) = load::image(call, role, tile) {
                    declare::tensor(text, names, &image, &mut values);
                }
                declare::tile(text, names, tile, &mut values);
            }
        }
    }
    for (role, address) in place::places(call).unwrap_or_default() {
        let variable = names::Names::of(call, role).variable;
        text.line(1, format!("TASSIGN({variable}, {address:#x});"));
    }
}

/// C++ text being written.
#[derive(Default)]
struct Text(String);

impl Text {
    /// One line, `depth` steps of four spaces deep.
    fn line(&mut self, depth: usize, line: impl AsRef<str>) {
        self.0.push_str(&"    ".repeat(depth));
        self.0.push_str(line.as_ref());
        self.0.push('\n');
    }
}
