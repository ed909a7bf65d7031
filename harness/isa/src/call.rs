//! One call of an instruction: its operands' descriptors and template arguments.

use arrayvec::ArrayVec;

use crate::{
    Coalesce, DType, Form, GatherExec, GatherOob, GlobalTensor, Launch, MaskAxis, MaskPattern,
    Role, ScatterAtomicOp, ScatterConflict, ScatterOob, Tile,
    operand::{Operand, tensor, tile},
    words,
};

/// The operands of a call, at most four.
pub type Operands<'a> = ArrayVec<(Role, Operand<'a>), 4>;

words! {
    /// An instruction's name.
    #[serde(rename_all = "UPPERCASE")]
    #[strum(serialize_all = "UPPERCASE")]
    pub enum Instruction {
        /// Tile to GM through an index tile (000; 003 for the first revision).
        Mscatter,
        /// GM to tile through indices (001).
        Mgather,
        /// Tile to tile, by index or by mask (002).
        Tscatter,
        /// Tile to tile through byte offsets (004).
        Tgatherb,
    }
}

/// `MSCATTER(table, src, idx)`: operands of memory roles Table, Source, Index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
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

/// `MSCATTER<Atomic, Mode>(table, src, indices)`, first revision, A5 only
/// (003): operands of memory roles Table, Source, Index. What one index
/// selects follows from the index tile's padded shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct MscatterFirst {
    /// Destination in GM.
    pub table: GlobalTensor,
    /// Source tile.
    pub src: Tile,
    /// Index tile: padded `[N, 1]` by row, or as wide as the source by element.
    pub idx: Tile,
    /// How values combine.
    pub atomic: ScatterAtomicOp,
    /// Out-of-bounds policy.
    pub oob: ScatterOob,
    /// Launch parameters.
    pub launch: Launch,
}

/// `MGATHER(dst, table, idx)`, GM to UB: operands of memory roles Destination, Table, Index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
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

/// `MGATHER(dst, table, idx)` or `MGATHER(dst, table, idx, scratch)`, GM to L1
/// (001, GM to L1 Gather): operands of memory roles Destination, Table, Index, Scratch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct MgatherL1 {
    /// Destination tile (`TileType::Mat`, NZ form).
    pub dst: Tile,
    /// Source in GM.
    pub table: GlobalTensor,
    /// Indices, in GM.
    pub idx: GlobalTensor,
    /// Staging area in GM: the fourth operand, which Elem has and Row has not.
    pub scratch: Option<GlobalTensor>,
    /// What one index selects.
    pub mode: Coalesce,
    /// Out-of-bounds policy.
    pub oob: GatherOob,
    /// Who collects the elements in Elem mode; only A5 has a choice.
    pub exec: GatherExec,
    /// Launch parameters.
    pub launch: Launch,
}

/// `TSCATTER(dst, src, indexes)`, index form (002): operands of memory roles
/// Destination, Source, Index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TscatterIndex {
    /// Destination tile.
    pub dst: Tile,
    /// Source tile.
    pub src: Tile,
    /// Index tile: flat element offsets in the destination's storage.
    pub idx: Tile,
}

/// `TSCATTER<pattern>(dst, src)`, mask form (002): operands of memory roles
/// Destination, Source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TscatterMask {
    /// Destination tile.
    pub dst: Tile,
    /// Source tile.
    pub src: Tile,
    /// Which lane of each group takes the source element.
    pub pattern: MaskPattern,
    /// Along which axis groups lie.
    pub axis: MaskAxis,
}

/// `TGATHERB(dst, src, offset)` (004): operands of memory roles Destination,
/// Source, Index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tgatherb {
    /// Destination tile.
    pub dst: Tile,
    /// Source tile.
    pub src: Tile,
    /// Offset tile: byte offsets from the start of the source's storage.
    pub offset: Tile,
}

/// A call of one of the instructions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "one is made a case and it is copied a few times: a box would cost it `Copy`"
)]
pub enum Call {
    /// MSCATTER, current revision.
    Mscatter(Mscatter),
    /// MSCATTER, first revision.
    MscatterFirst(MscatterFirst),
    /// MGATHER, GM to UB.
    Mgather(Mgather),
    /// MGATHER, GM to L1.
    MgatherL1(MgatherL1),
    /// TSCATTER by index.
    TscatterIndex(TscatterIndex),
    /// TSCATTER by mask.
    TscatterMask(TscatterMask),
    /// TGATHERB.
    Tgatherb(Tgatherb),
}

impl Call {
    /// A call of `form` to be filled in: operands of one element, all else as by default.
    #[must_use]
    pub fn blank(form: Form) -> Self {
        match form {
            Form::Mscatter => Self::Mscatter(Mscatter::default()),
            Form::MscatterFirst => Self::MscatterFirst(MscatterFirst::default()),
            Form::Mgather => Self::Mgather(Mgather::default()),
            Form::MgatherL1 => Self::MgatherL1(MgatherL1::default()),
            Form::TscatterIndex => Self::TscatterIndex(TscatterIndex::default()),
            Form::TscatterMask => Self::TscatterMask(TscatterMask::default()),
            Form::Tgatherb => Self::Tgatherb(Tgatherb::default()),
        }
    }

    /// The instruction's name.
    #[must_use]
    pub const fn instruction(&self) -> Instruction {
        Form::of(self).instruction()
    }

    /// Its operands in the order of the C++ call.
    #[must_use]
    pub fn operands(&self) -> Operands<'_> {
        use Role::{Destination, Index, Scratch, Source, Table};
        let list = |operands: &[_]| operands.iter().copied().collect();
        match self {
            Self::Mscatter(c) => list(&[
                tensor(Table, &c.table),
                tile(Source, &c.src),
                tile(Index, &c.idx),
            ]),
            Self::MscatterFirst(c) => list(&[
                tensor(Table, &c.table),
                tile(Source, &c.src),
                tile(Index, &c.idx),
            ]),
            Self::Mgather(c) => list(&[
                tile(Destination, &c.dst),
                tensor(Table, &c.table),
                tile(Index, &c.idx),
            ]),
            Self::MgatherL1(c) => {
                let mut operands: Operands<'_> = list(&[
                    tile(Destination, &c.dst),
                    tensor(Table, &c.table),
                    tensor(Index, &c.idx),
                ]);
                operands.extend(c.scratch.iter().map(|scratch| tensor(Scratch, scratch)));
                operands
            }
            Self::TscatterIndex(c) => list(&[
                tile(Destination, &c.dst),
                tile(Source, &c.src),
                tile(Index, &c.idx),
            ]),
            Self::TscatterMask(c) => list(&[tile(Destination, &c.dst), tile(Source, &c.src)]),
            Self::Tgatherb(c) => list(&[
                tile(Destination, &c.dst),
                tile(Source, &c.src),
                tile(Index, &c.offset),
            ]),
        }
    }

    /// The operand that plays `role`, if the call has one.
    #[must_use]
    pub fn operand(&self, role: Role) -> Option<Operand<'_>> {
        self.operands()
            .into_iter()
            .find_map(|(r, operand)| (r == role).then_some(operand))
    }

    /// The tile that plays `role`, to be changed, if one does.
    pub const fn tile_mut(&mut self, role: Role) -> Option<&mut Tile> {
        use Role::{Destination, Index, Source};
        Some(match (self, role) {
            (Self::Mscatter(c), Source) => &mut c.src,
            (Self::Mscatter(c), Index) => &mut c.idx,
            (Self::MscatterFirst(c), Source) => &mut c.src,
            (Self::MscatterFirst(c), Index) => &mut c.idx,
            (Self::Mgather(c), Destination) => &mut c.dst,
            (Self::Mgather(c), Index) => &mut c.idx,
            (Self::MgatherL1(c), Destination) => &mut c.dst,
            (Self::TscatterIndex(c), Source) => &mut c.src,
            (Self::TscatterIndex(c), Destination) => &mut c.dst,
            (Self::TscatterIndex(c), Index) => &mut c.idx,
            (Self::TscatterMask(c), Source) => &mut c.src,
            (Self::TscatterMask(c), Destination) => &mut c.dst,
            (Self::Tgatherb(c), Source) => &mut c.src,
            (Self::Tgatherb(c), Destination) => &mut c.dst,
            (Self::Tgatherb(c), Index) => &mut c.offset,
            _ => return None,
        })
    }

    /// The tensor that plays `role`, to be changed, if one does.
    pub const fn tensor_mut(&mut self, role: Role) -> Option<&mut GlobalTensor> {
        match (self, role) {
            (Self::Mscatter(c), Role::Table) => Some(&mut c.table),
            (Self::MscatterFirst(c), Role::Table) => Some(&mut c.table),
            (Self::Mgather(c), Role::Table) => Some(&mut c.table),
            (Self::MgatherL1(c), Role::Table) => Some(&mut c.table),
            (Self::MgatherL1(c), Role::Index) => Some(&mut c.idx),
            (Self::MgatherL1(c), Role::Scratch) => c.scratch.as_mut(),
            _ => None,
        }
    }

    /// Makes `operand` the one that plays `role`; whether one of its kind does.
    pub fn put(&mut self, role: Role, operand: Operand<'_>) -> bool {
        match (self, operand) {
            (Self::MgatherL1(c), Operand::Tensor(tensor)) if role == Role::Scratch => {
                c.scratch = Some(*tensor);
                true
            }
            (call, Operand::Tile(tile)) => call.tile_mut(role).map(|own| *own = *tile).is_some(),
            (call, Operand::Tensor(tensor)) => {
                call.tensor_mut(role).map(|own| *own = *tensor).is_some()
            }
        }
    }

    /// Gives the operand that plays `role`, if one does, elements of another type.
    pub const fn set_dtype(&mut self, role: Role, dtype: DType) {
        if let Some(tile) = self.tile_mut(role) {
            tile.dtype = dtype;
        } else if let Some(tensor) = self.tensor_mut(role) {
            tensor.dtype = dtype;
        }
    }

    /// The operand that the call is for.
    #[must_use]
    pub const fn output(&self) -> Role {
        Form::of(self).output()
    }

    /// The table in GM, where there is one.
    #[must_use]
    pub const fn table(&self) -> Option<&GlobalTensor> {
        match self {
            Self::Mscatter(c) => Some(&c.table),
            Self::MscatterFirst(c) => Some(&c.table),
            Self::Mgather(c) => Some(&c.table),
            Self::MgatherL1(c) => Some(&c.table),
            Self::TscatterIndex(_) | Self::TscatterMask(_) | Self::Tgatherb(_) => None,
        }
    }

    /// The tile over whose valid region the documents let the call run: the
    /// source of a scatter, the destination of a gather.
    #[must_use]
    pub const fn data_tile(&self) -> &Tile {
        match self {
            Self::Mscatter(c) => &c.src,
            Self::MscatterFirst(c) => &c.src,
            Self::Mgather(c) => &c.dst,
            Self::MgatherL1(c) => &c.dst,
            Self::TscatterIndex(c) => &c.src,
            Self::TscatterMask(c) => &c.src,
            Self::Tgatherb(c) => &c.dst,
        }
    }

    /// How values combine, where the call says so.
    #[must_use]
    pub const fn atomic(&self) -> Option<ScatterAtomicOp> {
        match self {
            Self::Mscatter(c) => Some(c.atomic),
            Self::MscatterFirst(c) => Some(c.atomic),
            _ => None,
        }
    }

    /// What one index selects, where the call says so.
    #[must_use]
    pub const fn mode(&self) -> Option<Coalesce> {
        match self {
            Self::Mscatter(c) => Some(c.mode),
            Self::Mgather(c) => Some(c.mode),
            Self::MgatherL1(c) => Some(c.mode),
            Self::MscatterFirst(_)
            | Self::TscatterIndex(_)
            | Self::TscatterMask(_)
            | Self::Tgatherb(_) => None,
        }
    }

    /// Launch parameters, to be changed, where the instruction depends on them.
    pub const fn launch_mut(&mut self) -> Option<&mut Launch> {
        match self {
            Self::Mscatter(c) => Some(&mut c.launch),
            Self::MscatterFirst(c) => Some(&mut c.launch),
            Self::Mgather(c) => Some(&mut c.launch),
            Self::MgatherL1(c) => Some(&mut c.launch),
            Self::TscatterIndex(_) | Self::TscatterMask(_) | Self::Tgatherb(_) => None,
        }
    }

    /// Launch parameters, where the instruction depends on them.
    #[must_use]
    pub const fn launch(&self) -> Option<&Launch> {
        match self {
            Self::Mscatter(c) => Some(&c.launch),
            Self::MscatterFirst(c) => Some(&c.launch),
            Self::Mgather(c) => Some(&c.launch),
            Self::MgatherL1(c) => Some(&c.launch),
            Self::TscatterIndex(_) | Self::TscatterMask(_) | Self::Tgatherb(_) => None,
        }
    }
}
