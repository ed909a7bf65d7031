//! An operand's descriptor, whatever its kind.

use crate::{DType, GlobalTensor, Role, Tile};

/// The descriptor of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand<'a> {
    /// On chip.
    Tile(&'a Tile),
    /// In GM.
    Tensor(&'a GlobalTensor),
}

impl<'a> Operand<'a> {
    /// Its element type.
    #[must_use]
    pub const fn dtype(self) -> DType {
        match self {
            Self::Tile(tile) => tile.dtype,
            Self::Tensor(tensor) => tensor.dtype,
        }
    }

    /// The tile, if it is one.
    #[must_use]
    pub const fn tile(self) -> Option<&'a Tile> {
        match self {
            Self::Tile(tile) => Some(tile),
            Self::Tensor(_) => None,
        }
    }

    /// The tensor, if it is one.
    #[must_use]
    pub const fn tensor(self) -> Option<&'a GlobalTensor> {
        match self {
            Self::Tile(_) => None,
            Self::Tensor(tensor) => Some(tensor),
        }
    }
}

pub(crate) const fn tile(role: Role, tile: &Tile) -> (Role, Operand<'_>) {
    (role, Operand::Tile(tile))
}

pub(crate) const fn tensor(role: Role, tensor: &GlobalTensor) -> (Role, Operand<'_>) {
    (role, Operand::Tensor(tensor))
}
