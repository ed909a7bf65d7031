//! Which operands stand where in which form: what writer and reader share.

use ptodiff_isa::{Call, Instruction, MgatherL1, Role};

/// One of the four ways to write a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spelling {
    /// Synchronous form without a mode: `%dst = mgather %mem, %idx : ...`.
    Bare,
    /// Synchronous form with its policies as suffixes: `mgather.row.clamp ...`.
    Moded,
    /// Level 1: `%dst = pto.mgather ...`.
    Ssa,
    /// Level 2: `pto.mgather ins(...) outs(...)`.
    Dps,
}

impl Spelling {
    /// The name of the tile type.
    pub(crate) const fn tile_word(self) -> &'static str {
        match self {
            Self::Bare | Self::Moded | Self::Ssa => "tile",
            Self::Dps => "tile_buf",
        }
    }

    /// The name of the type of an operand in GM.
    pub(crate) const fn tensor_word(self) -> &'static str {
        match self {
            Self::Bare | Self::Moded => "memref",
            Self::Ssa | Self::Dps => "partition_tensor_view",
        }
    }

    /// An operand's name, as the documents' lines have it.
    pub(crate) const fn operand_name(self, instruction: Instruction, role: Role) -> &'static str {
        match (role, self, instruction) {
            (Role::Table, Self::Moded, _) => "table",
            (Role::Table, _, _) => "mem",
            (Role::Source, _, _) => "src",
            (Role::Destination, _, _) => "dst",
            (Role::Index, _, Instruction::Tgatherb) => "offsets",
            (Role::Index, _, _) => "idx",
            (Role::Scratch, _, _) => "scratch",
        }
    }
}

/// What decides which operands a call has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Mscatter,
    MscatterFirst,
    Mgather,
    MgatherL1,
    MgatherL1Scratch,
    TscatterIndex,
    TscatterMask,
    Tgatherb,
}

impl Kind {
    pub(crate) const fn of(call: &Call) -> Self {
        match call {
            Call::Mscatter(_) => Self::Mscatter,
            Call::MscatterFirst(_) => Self::MscatterFirst,
            Call::Mgather(_) => Self::Mgather,
            Call::MgatherL1(MgatherL1 { scratch: None, .. }) => Self::MgatherL1,
            Call::MgatherL1(MgatherL1 {
                scratch: Some(_), ..
            }) => Self::MgatherL1Scratch,
            Call::TscatterIndex(_) => Self::TscatterIndex,
            Call::TscatterMask(_) => Self::TscatterMask,
            Call::Tgatherb(_) => Self::Tgatherb,
        }
    }
}

/// The places of one form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signature {
    /// Before the `=`, or in `outs`.
    pub(crate) output: Option<Role>,
    /// After the mnemonic, or in `ins`.
    pub(crate) inputs: &'static [Role],
    /// Whose types stand after the colon.
    pub(crate) types: &'static [Role],
}

/// The places of `kind` in `spelling`, where there is such a form.
pub(crate) const fn signature(kind: Kind, spelling: Spelling) -> Option<Signature> {
    use Role::{Destination, Index, Scratch, Source, Table};
    use Spelling::{Bare, Dps, Moded, Ssa};
    let (output, inputs): (_, &[Role]) = match (kind, spelling) {
        (Kind::Mscatter, Bare) => (None, &[Source, Table, Index]),
        (Kind::Mscatter | Kind::MscatterFirst, Moded) => (None, &[Table, Source, Index]),
        (Kind::Mscatter, Ssa) => (None, &[Source, Index, Table]),
        (Kind::Mscatter, Dps) => (Some(Table), &[Source, Index]),
        (Kind::Mgather | Kind::MgatherL1, Moded) => (None, &[Destination, Table, Index]),
        (Kind::MgatherL1Scratch, Moded) => (None, &[Destination, Table, Index, Scratch]),
        (Kind::Mgather | Kind::MgatherL1, Bare | Ssa | Dps) => (Some(Destination), &[Table, Index]),
        (Kind::MgatherL1Scratch, Bare | Ssa | Dps) => (Some(Destination), &[Table, Index, Scratch]),
        (Kind::TscatterIndex | Kind::Tgatherb, Bare | Ssa | Dps) => {
            (Some(Destination), &[Source, Index])
        }
        (Kind::TscatterMask, Bare | Ssa | Dps) => (Some(Destination), &[Source]),
        (Kind::MscatterFirst, Bare | Ssa | Dps)
        | (Kind::TscatterIndex | Kind::TscatterMask | Kind::Tgatherb, Moded) => return None,
    };
    let types: &[Role] = match (kind, spelling) {
        // Operands and types differ in their order there (MSCATTER-ASM-01).
        (Kind::Mscatter, Bare) => &[Table, Source, Index],
        // The one form with fewer types than operands (TGATHERB-GAP-11).
        (Kind::Tgatherb, Bare) => &[Source],
        _ => inputs,
    };
    Some(Signature {
        output,
        inputs,
        types,
    })
}
