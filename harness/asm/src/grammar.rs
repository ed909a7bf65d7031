//! Which operands stand where in which form: what writer and reader share.

use ptodiff_isa::{Form, Instruction, Role};

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

/// The places of a `form` in `spelling`, where there is such a one; of a gather to L1 with a
/// scratch operand, if it is `staged`.
pub(crate) const fn signature(form: Form, staged: bool, spelling: Spelling) -> Option<Signature> {
    use Role::{Destination, Index, Scratch, Source, Table};
    use Spelling::{Bare, Dps, Moded, Ssa};
    let (output, inputs): (_, &[Role]) = match (form, spelling) {
        (Form::Mscatter, Bare) => (None, &[Source, Table, Index]),
        (Form::Mscatter | Form::MscatterFirst, Moded) => (None, &[Table, Source, Index]),
        (Form::Mscatter, Ssa) => (None, &[Source, Index, Table]),
        (Form::Mscatter, Dps) => (Some(Table), &[Source, Index]),
        (Form::MgatherL1, Moded) if staged => (None, &[Destination, Table, Index, Scratch]),
        (Form::MgatherL1, _) if staged => (Some(Destination), &[Table, Index, Scratch]),
        (Form::Mgather | Form::MgatherL1, Moded) => (None, &[Destination, Table, Index]),
        (Form::Mgather | Form::MgatherL1, Bare | Ssa | Dps) => (Some(Destination), &[Table, Index]),
        (Form::TscatterIndex | Form::Tgatherb, Bare | Ssa | Dps) => {
            (Some(Destination), &[Source, Index])
        }
        (Form::TscatterMask, Bare | Ssa | Dps) => (Some(Destination), &[Source]),
        (Form::MscatterFirst, Bare | Ssa | Dps)
        | (Form::TscatterIndex | Form::TscatterMask | Form::Tgatherb, Moded) => return None,
    };
    let types: &[Role] = match (form, spelling) {
        // Operands and types differ in their order there (MSCATTER-ASM-01).
        (Form::Mscatter, Bare) => &[Table, Source, Index],
        // The one form with fewer types than operands (TGATHERB-GAP-11).
        (Form::Tgatherb, Bare) => &[Source],
        _ => inputs,
    };
    Some(Signature {
        output,
        inputs,
        types,
    })
}
