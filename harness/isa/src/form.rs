//! The forms that a call has: one declaration each.

use strum::VariantArray;

use crate::{Call, Instruction, Role, Target, words};

words! {
    /// A form of an instruction, one for each variant of [`Call`]; as a word
    /// `mscatter`, `mscatter-first`, ...
    #[serde(rename_all = "kebab-case")]
    #[strum(serialize_all = "kebab-case")]
    pub enum Form {
        /// MSCATTER, current revision.
        Mscatter,
        /// MSCATTER, first revision.
        MscatterFirst,
        /// MGATHER to UB.
        Mgather,
        /// MGATHER to L1.
        MgatherL1,
        /// TSCATTER by index.
        TscatterIndex,
        /// TSCATTER by mask.
        TscatterMask,
        /// TGATHERB.
        Tgatherb,
    }
}

/// What is the same for every call of a form.
struct Declaration {
    instruction: Instruction,
    /// How the numbers of its clauses begin.
    area: &'static str,
    /// The operand that the call is for.
    output: Role,
    /// The tile over whose valid region the documents let the call run.
    data: Role,
    /// What the operand of the indices is called.
    index: &'static str,
    /// Whether it has a table in GM.
    in_gm: bool,
    /// Whose documents have it.
    targets: &'static [Target],
}

impl Form {
    /// All of them.
    pub const ALL: &[Self] = Self::VARIANTS;

    const fn declaration(self) -> Declaration {
        use Role::{Destination, Source, Table};
        let in_gm = Declaration {
            instruction: Instruction::Mscatter,
            area: "MSCATTER",
            output: Table,
            data: Source,
            index: "index",
            in_gm: true,
            targets: Target::VARIANTS,
        };
        let on_chip = Declaration {
            instruction: Instruction::Tscatter,
            area: "TSCATTER",
            output: Destination,
            data: Source,
            index: "index",
            in_gm: false,
            targets: Target::VARIANTS,
        };
        match self {
            Self::Mscatter => in_gm,
            Self::MscatterFirst => Declaration {
                area: "MSCATTER0",
                // 003 is a document of A5 alone.
                targets: &[Target::A5],
                ..in_gm
            },
            Self::Mgather => Declaration {
                instruction: Instruction::Mgather,
                area: "MGATHER",
                output: Destination,
                data: Destination,
                ..in_gm
            },
            Self::MgatherL1 => Declaration {
                instruction: Instruction::Mgather,
                area: "MGATHERL1",
                output: Destination,
                data: Destination,
                ..in_gm
            },
            Self::TscatterIndex | Self::TscatterMask => on_chip,
            Self::Tgatherb => Declaration {
                instruction: Instruction::Tgatherb,
                area: "TGATHERB",
                data: Destination,
                index: "offset",
                ..on_chip
            },
        }
    }

    /// The form of a call.
    #[must_use]
    pub const fn of(call: &Call) -> Self {
        match call {
            Call::Mscatter(_) => Self::Mscatter,
            Call::MscatterFirst(_) => Self::MscatterFirst,
            Call::Mgather(_) => Self::Mgather,
            Call::MgatherL1(_) => Self::MgatherL1,
            Call::TscatterIndex(_) => Self::TscatterIndex,
            Call::TscatterMask(_) => Self::TscatterMask,
            Call::Tgatherb(_) => Self::Tgatherb,
        }
    }

    /// The instruction that it is a form of.
    #[must_use]
    pub const fn instruction(self) -> Instruction {
        self.declaration().instruction
    }

    /// The part of the register that is about it: how its clauses' numbers begin.
    #[must_use]
    pub const fn area(self) -> &'static str {
        self.declaration().area
    }

    /// The operand that a call is for.
    #[must_use]
    pub const fn output(self) -> Role {
        self.declaration().output
    }

    /// The tile over whose valid region the documents let a call run: the source of
    /// a scatter, the destination of a gather.
    #[must_use]
    pub const fn data(self) -> Role {
        self.declaration().data
    }

    /// Whether a call has a table in GM; else all its operands are tiles.
    #[must_use]
    pub const fn in_gm(self) -> bool {
        self.declaration().in_gm
    }

    /// What an operand is called: its key in case files.
    #[must_use]
    pub fn key(self, role: Role) -> &'static str {
        match role {
            Role::Index => self.declaration().index,
            // With a table there is one data tile: a source or a destination.
            Role::Source | Role::Destination if self.in_gm() => "tile",
            role => role.into(),
        }
    }

    /// What an operand is called in the C++ call.
    #[must_use]
    pub const fn variable(self, role: Role) -> &'static str {
        match (role, self) {
            (Role::Table, _) => "table",
            (Role::Source, _) => "src",
            (Role::Destination, _) => "dst",
            (Role::Index, Self::Tgatherb) => "offset",
            (Role::Index, _) => "idx",
            (Role::Scratch, _) => "scratch",
        }
    }

    /// Where a case of this form runs unless it says so.
    #[must_use]
    pub const fn targets(self) -> &'static [Target] {
        self.declaration().targets
    }
}
