//! The forms that a call has, and which keys of a case each form takes.

use ptodiff_isa::{Call, Instruction, Role, Target};

/// A revision of the document on MSCATTER (000, or 003 for the first one).
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Revision {
    /// The first one.
    First,
    /// The one in force.
    Current,
}

/// A form of an instruction, one for each variant of [`Call`]; as a word
/// `mscatter`, `mscatter-first`, ...
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    strum::Display,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
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

/// Keys that not every form takes, in the order in which a case gives them.
const KEYS: &[(&str, &[Form])] = {
    use Form::{
        Mgather, MgatherL1, Mscatter, MscatterFirst, Tgatherb, TscatterIndex, TscatterMask,
    };
    const IN_GM: &[Form] = &[Mscatter, MscatterFirst, Mgather, MgatherL1];
    const ON_CHIP: &[Form] = &[TscatterIndex, TscatterMask, Tgatherb];
    &[
        ("revision", &[Mscatter, MscatterFirst]),
        ("mode", &[Mscatter, Mgather, MgatherL1]),
        ("atomic", &[Mscatter, MscatterFirst]),
        ("oob", IN_GM),
        ("conflict", &[Mscatter]),
        ("exec", &[MgatherL1]),
        ("mask", &[TscatterMask]),
        ("axis", &[TscatterMask]),
        ("tile", IN_GM),
        (
            "index",
            &[Mscatter, MscatterFirst, Mgather, MgatherL1, TscatterIndex],
        ),
        ("table", IN_GM),
        ("scratch", &[MgatherL1]),
        ("source", ON_CHIP),
        ("destination", ON_CHIP),
        ("offset", &[Tgatherb]),
        ("launch", IN_GM),
        ("chunks", IN_GM),
    ]
};

impl Form {
    /// All of them.
    pub const ALL: &[Self] = <Self as strum::VariantArray>::VARIANTS;

    /// What an operand is called: its key in case files.
    #[must_use]
    pub fn key(self, role: Role) -> &'static str {
        match role {
            Role::Index if self == Self::Tgatherb => "offset",
            // With a table there is one data tile: a source or a destination.
            Role::Source | Role::Destination if self.takes("tile") => "tile",
            role => role.into(),
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

    /// The part of the register that is about it: how its clauses' numbers begin.
    #[must_use]
    pub const fn area(self) -> &'static str {
        match self {
            Self::Mscatter => "MSCATTER",
            Self::MscatterFirst => "MSCATTER0",
            Self::Mgather => "MGATHER",
            Self::MgatherL1 => "MGATHERL1",
            Self::TscatterIndex | Self::TscatterMask => "TSCATTER",
            Self::Tgatherb => "TGATHERB",
        }
    }

    /// What messages call it.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Mscatter => "MSCATTER",
            Self::MscatterFirst => "the first revision of MSCATTER",
            Self::Mgather => "MGATHER",
            Self::MgatherL1 => "MGATHER to L1",
            Self::TscatterIndex => "TSCATTER",
            Self::TscatterMask => "TSCATTER by mask",
            Self::Tgatherb => "TGATHERB",
        }
    }

    /// The form that an instruction has unless a key makes it another one.
    const fn plain(self) -> Self {
        match self {
            Self::Mscatter | Self::MscatterFirst => Self::Mscatter,
            Self::Mgather | Self::MgatherL1 => Self::Mgather,
            Self::TscatterIndex | Self::TscatterMask => Self::TscatterIndex,
            Self::Tgatherb => Self::Tgatherb,
        }
    }

    /// Whether a case of this form may have `key`.
    pub(crate) fn takes(self, key: &str) -> bool {
        KEYS.iter()
            .all(|(name, forms)| *name != key || forms.contains(&self))
    }

    /// The forms that take `key`, for a message; none that is named by its plain one.
    pub(crate) fn owners(key: &str) -> String {
        let forms = KEYS.iter().find(|(name, _)| *name == key);
        let forms = forms.map_or(&[][..], |(_, forms)| forms);
        let titles: Vec<_> = forms
            .iter()
            .filter(|form| **form == form.plain() || !forms.contains(&form.plain()))
            .map(|form| form.title())
            .collect();
        titles.join(", ")
    }

    /// What may be meant by a `key` that this form does not take.
    pub(crate) fn instead(self, key: &str) -> Option<&'static str> {
        Some(match (self, key) {
            (Self::MscatterFirst, "mode") => {
                "the index tile says it: [N, 1] selects rows, as wide as the source elements"
            }
            (Self::MscatterFirst, "conflict") => "the reading `first-conflict` says who survives",
            (Self::Mgather, "exec" | "scratch") => {
                "a gather to L1 has `location: Mat` in its `tile`"
            }
            (Self::TscatterIndex, "axis") => "`axis` goes with a `mask`",
            (Self::TscatterMask, "index") => "without its `mask` the call scatters by index",
            (Self::Tgatherb, "index") => "did you mean `offset`?",
            (_, "offset") if self.takes("index") => "did you mean `index`?",
            (_, "tile" | "table") => "its operands are `source` and `destination`",
            (_, "source" | "destination") => "its operands are `tile`, `index` and `table`",
            _ => return None,
        })
    }

    /// Where a case of this form runs unless it says so: 003 is a document of A5 alone.
    #[must_use]
    pub const fn targets(self) -> &'static [Target] {
        match self {
            Self::MscatterFirst => &[Target::A5],
            _ => <Target as strum::VariantArray>::VARIANTS,
        }
    }
}

/// The gtest class that has an ST suite's tests of such a call.
pub(crate) fn st_class(call: &Call) -> &'static str {
    match (call.instruction(), Form::of(call)) {
        (_, Form::MgatherL1) => "MGATHERGM2L1Test",
        (Instruction::Mscatter, _) => "MSCATTERTest",
        (Instruction::Mgather, _) => "MGATHERTest",
        (Instruction::Tscatter, _) => "TSCATTERTest",
        (Instruction::Tgatherb, _) => "TGATHERBTest",
    }
}
