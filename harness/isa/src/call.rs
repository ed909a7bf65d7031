//! One call of an instruction: its operands' descriptors and template arguments.

use crate::{
    Coalesce, GatherOob, GlobalTensor, ScatterAtomicOp, ScatterConflict, ScatterOob, Tile,
    word::words,
};

words! {
    /// An instruction's name.
    #[serde(rename_all = "UPPERCASE")]
    #[strum(serialize_all = "UPPERCASE")]
    pub enum Instruction {
        /// Tile to GM through an index tile (000).
        Mscatter,
        /// GM to tile through an index tile (001).
        Mgather,
    }
}

/// How the kernel that contains the call was launched (A5: 000 and 001, UB Memory Budget).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Launch {
    /// `dynUBufSize` in bytes, the second launch argument; `None` for `nullptr`.
    pub dyn_ub_bytes: Option<u64>,
}

/// `MSCATTER(table, src, idx)`: operands of memory roles Table, Source, Index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mscatter {
    /// Destination in GM.
    pub table: GlobalTensor,
    /// Source tile.
    pub src: Tile,
    /// Index tile.
    pub idx: Tile,
    /// What one index selects.
    pub mode: Coalesce,
    /// How values combine.
    pub atomic: ScatterAtomicOp,
    /// Out-of-bounds policy.
    pub oob: ScatterOob,
    /// Conflict policy; only A5 has this parameter, the other targets do not look at it.
    pub conflict: ScatterConflict,
    /// Launch parameters.
    pub launch: Launch,
}

/// `MGATHER(dst, table, idx)`, GM to UB: operands of memory roles Destination, Table, Index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mgather {
    /// Destination tile.
    pub dst: Tile,
    /// Source in GM.
    pub table: GlobalTensor,
    /// Index tile.
    pub idx: Tile,
    /// What one index selects.
    pub mode: Coalesce,
    /// Out-of-bounds policy.
    pub oob: GatherOob,
    /// Launch parameters.
    pub launch: Launch,
}

/// A call of one of the instructions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Call {
    /// MSCATTER, current revision.
    Mscatter(Mscatter),
    /// MGATHER, GM to UB.
    Mgather(Mgather),
}

impl Call {
    /// The instruction's name.
    #[must_use]
    pub const fn instruction(&self) -> Instruction {
        match self {
            Self::Mscatter(_) => Instruction::Mscatter,
            Self::Mgather(_) => Instruction::Mgather,
        }
    }

    /// The table in GM.
    #[must_use]
    pub const fn table(&self) -> &GlobalTensor {
        match self {
            Self::Mscatter(c) => &c.table,
            Self::Mgather(c) => &c.table,
        }
    }

    /// The tile that carries data: the source of a scatter, the destination of a gather.
    #[must_use]
    pub const fn data_tile(&self) -> &Tile {
        match self {
            Self::Mscatter(c) => &c.src,
            Self::Mgather(c) => &c.dst,
        }
    }

    /// The index tile.
    #[must_use]
    pub const fn index_tile(&self) -> &Tile {
        match self {
            Self::Mscatter(c) => &c.idx,
            Self::Mgather(c) => &c.idx,
        }
    }
}
