//! The parts of a call's C++, for a program that supplies what is around them.

use ptodiff_isa::{Call, Dim, Operand, Role, Target};

use super::{NoForm, Text, declare, header, intrinsic, names::Names};
use crate::place;

/// The C++ of one call without any function around it. Pointers, contents of
/// tiles and run-time extents are left to its user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pieces {
    /// The line that includes the library.
    pub header: &'static str,
    /// The operands, in the order of the C++ call. The extents and strides that are
    /// known at run time only are `at[0]`, `at[1]`, ... in that order: valid rows, then
    /// columns of a tile; the shape's, then the stride's of a tensor, outermost first.
    pub operands: Vec<Piece>,
    /// The line that calls the intrinsic, not indented.
    pub intrinsic: String,
}

/// One operand in the C++ of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The part it plays.
    pub role: Role,
    /// Its variable.
    pub variable: String,
    /// Its type and object, each line indented by four spaces. A tensor is made
    /// from the pointer that `kind` names.
    pub declaration: String,
    /// What else there is of it.
    pub kind: PieceKind,
}

/// What the declarations of an operand need or leave to be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PieceKind {
    /// A tensor needs this pointer to elements of its type.
    Tensor {
        /// The pointer's name.
        pointer: String,
    },
    /// A tile has no place yet.
    Tile {
        /// A byte address of its own in its memory, a multiple of 32, as
        /// `cpp` gives it; none where 64 bits cannot tell the tiles apart.
        address: Option<u64>,
    },
}

/// The parts of `call` as `target` spells it.
///
/// # Errors
/// The clause by which `target` has no form for it.
pub fn pieces(call: &Call, target: Target) -> Result<Pieces, NoForm> {
    of(call, intrinsic::line(call, target)?)
}

/// The parts of `call` in the form that only an ST suite has: the axis of a masked
/// TSCATTER is its second template argument (TSCATTER-GAP-09).
///
/// # Errors
/// The clause by which no suite has a form for it.
pub fn suite_pieces(call: &Call) -> Result<Pieces, NoForm> {
    of(call, intrinsic::suite_line(call)?)
}

impl Pieces {
    /// The line that calls the intrinsic with the first `count` template arguments; the others
    /// are left to their defaults.
    #[must_use]
    pub fn with_arguments(&self, count: usize) -> String {
        let Some((name, rest)) = self.intrinsic.split_once('<') else {
            return self.intrinsic.clone();
        };
        let (all, operands) = rest.split_once('>').unwrap_or_default();
        match &all.split(", ").take(count).collect::<Vec<_>>()[..] {
            [] => format!("{name}{operands}"),
            first => format!("{name}<{}>{operands}", first.join(", ")),
        }
    }
}

fn of(call: &Call, intrinsic: String) -> Result<Pieces, NoForm> {
    let places = place::places(call).unwrap_or_default();
    let mut values = RunTime::Array { next: 0 };
    let mut operands = Vec::new();
    for (role, operand) in call.operands() {
        let names = Names::of(call, role);
        let mut text = Text::default();
        operands.push(match operand {
            Operand::Tensor(tensor) => {
                declare::tensor(&mut text, names, tensor, &mut values);
                Piece {
                    role,
                    variable: names.tensor(),
                    declaration: text.0,
                    kind: PieceKind::Tensor {
                        pointer: names.pointer(),
                    },
                }
            }
            Operand::Tile(tile) => {
                declare::tile(&mut text, names, tile, &mut values);
                let place = places.iter().find(|(of, _)| *of == role);
                Piece {
                    role,
                    variable: names.variable.to_owned(),
                    declaration: text.0,
                    kind: PieceKind::Tile {
                        address: place.map(|(_, address)| *address),
                    },
                }
            }
        });
    }
    Ok(Pieces {
        header: header(call),
        operands,
        intrinsic,
    })
}

/// How extents that are known at run time only are written.
pub(super) enum RunTime {
    /// As the values of the call.
    Literal,
    /// As the next elements of an array.
    Array {
        /// Index of the next one.
        next: usize,
    },
}

impl RunTime {
    /// The constructor arguments for the dynamic ones of `dims`.
    pub(super) fn arguments(&mut self, dims: &[Dim]) -> Vec<String> {
        let dynamic = dims.iter().filter(|dim| dim.known().is_none());
        dynamic.map(|dim| self.argument(*dim)).collect()
    }

    fn argument(&mut self, dim: Dim) -> String {
        match self {
            Self::Literal => format!("int64_t{{{}}}", dim.get()),
            Self::Array { next } => {
                let at = *next;
                *next += 1;
                format!("at[{at}]")
            }
        }
    }
}
