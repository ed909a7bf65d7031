//! Which operands stand where in which form: what writer and reader share.

use ptodiff_isa::{Form, Instruction, Role};

use crate::form::Level;

impl Level {
    /// The name of the tile type.
    pub(crate) const fn tile_word(self) -> &'static str {
        match self {
            Self::Dps => "tile_buf",
            _ => "tile",
        }
    }

    /// The name of the type of an operand in GM.
    pub(crate) const fn tensor_word(self) -> &'static str {
        match self {
            Self::Synchronous | Self::Mode | Self::Sketch => "memref",
            Self::Ssa | Self::Dps | Self::Manual => "partition_tensor_view",
        }
    }

    /// An operand's name, as the documents' lines have it.
    pub(crate) const fn operand_name(self, instruction: Instruction, role: Role) -> &'static str {
        match (role, self, instruction) {
            (Role::Table, Self::Mode | Self::Sketch, _) => "table",
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

/// The places of a `form` at a `level`, where there is such a one; of a gather to L1 with a
/// scratch operand, if it is `staged`.
pub(crate) const fn signature(form: Form, staged: bool, level: Level) -> Option<Signature> {
    use Role::{Destination, Index, Scratch, Source, Table};
    let (output, inputs): (_, &[Role]) = match (form, level) {
        (Form::Mscatter, Level::Synchronous) => (None, &[Source, Table, Index]),
        (Form::Mscatter | Form::MscatterFirst, Level::Mode) => (None, &[Table, Source, Index]),
        (Form::Mscatter, Level::Dps) => (Some(Table), &[Source, Index]),
        (Form::Mscatter, _) => (None, &[Source, Index, Table]),
        (Form::MgatherL1, Level::Mode) if staged => (None, &[Destination, Table, Index, Scratch]),
        (Form::MgatherL1, _) if staged => (Some(Destination), &[Table, Index, Scratch]),
        (Form::Mgather | Form::MgatherL1, Level::Mode) => (None, &[Destination, Table, Index]),
        (Form::Mgather | Form::MgatherL1, _) => (Some(Destination), &[Table, Index]),
        (Form::MscatterFirst, _) | (_, Level::Mode) => return None,
        (Form::TscatterIndex | Form::Tgatherb, _) => (Some(Destination), &[Source, Index]),
        (Form::TscatterMask, _) => (Some(Destination), &[Source]),
    };
    let types: &[Role] = match (form, level) {
        // Operands and types differ in their order there (MSCATTER-ASM-01).
        (Form::Mscatter, Level::Synchronous) => &[Table, Source, Index],
        // The one form with fewer types than operands (TGATHERB-GAP-11).
        (Form::Tgatherb, Level::Synchronous) => &[Source],
        _ => inputs,
    };
    Some(Signature {
        output,
        inputs,
        types,
    })
}
