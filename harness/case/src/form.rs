//! Which keys of a case each form takes.

use ptodiff_isa::{Call, Form, Instruction};

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

/// Keys that not every form takes, in the order in which a case gives them.
pub(crate) const KEYS: &[(&str, &[Form])] = {
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

/// What messages call it.
pub(crate) const fn title(form: Form) -> &'static str {
    match form {
        Form::Mscatter => "MSCATTER",
        Form::MscatterFirst => "the first revision of MSCATTER",
        Form::Mgather => "MGATHER",
        Form::MgatherL1 => "MGATHER to L1",
        Form::TscatterIndex => "TSCATTER",
        Form::TscatterMask => "TSCATTER by mask",
        Form::Tgatherb => "TGATHERB",
    }
}

/// The form that an instruction has unless a key makes it another one.
const fn plain(form: Form) -> Form {
    match form.instruction() {
        Instruction::Mscatter => Form::Mscatter,
        Instruction::Mgather => Form::Mgather,
        Instruction::Tscatter => Form::TscatterIndex,
        Instruction::Tgatherb => Form::Tgatherb,
    }
}

/// Whether a case of `form` may have `key`.
pub(crate) fn takes(form: Form, key: &str) -> bool {
    KEYS.iter()
        .all(|(name, forms)| *name != key || forms.contains(&form))
}

/// The forms that take `key`, for a message; none that is named by its plain one.
pub(crate) fn owners(key: &str) -> String {
    let forms = KEYS.iter().find(|(name, _)| *name == key);
    let forms = forms.map_or(&[][..], |(_, forms)| forms);
    let titles: Vec<_> = forms
        .iter()
        .filter(|form| **form == plain(**form) || !forms.contains(&plain(**form)))
        .map(|form| title(*form))
        .collect();
    titles.join(", ")
}

/// What may be meant by a `key` that `form` does not take.
pub(crate) fn instead(form: Form, key: &str) -> Option<&'static str> {
    Some(match (form, key) {
        (Form::MscatterFirst, "mode") => {
            "the index tile says it: [N, 1] selects rows, as wide as the source elements"
        }
        (Form::MscatterFirst, "conflict") => "the reading `first-conflict` says who survives",
        (Form::Mgather, "exec" | "scratch") => "a gather to L1 has `location: Mat` in its `tile`",
        (Form::TscatterIndex, "axis") => "`axis` goes with a `mask`",
        (Form::TscatterMask, "index") => "without its `mask` the call scatters by index",
        (Form::Tgatherb, "index") => "did you mean `offset`?",
        (_, "offset") if takes(form, "index") => "did you mean `index`?",
        (_, "tile" | "table") => "its operands are `source` and `destination`",
        (_, "source" | "destination") => "its operands are `tile`, `index` and `table`",
        _ => return None,
    })
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
