//! Which keys of a case each form takes.

use ptodiff_isa::{Call, Form, Instruction, Role};

/// A revision of the document on MSCATTER (000, or 003 for the first one).
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, strum::EnumString, strum::IntoStaticStr, strum::VariantNames,
)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Revision {
    /// The first one.
    First,
    /// The one in force.
    Current,
}

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

/// Whether `key` is for a case of `form` and not for those of every form.
fn is_of(form: Form, key: &str) -> bool {
    let call = Call::blank(form);
    let mut operands = call.operands().into_iter();
    match key {
        "revision" => form.instruction() == Instruction::Mscatter,
        "launch" => form.in_gm(),
        "chunks" => form.output() == Role::Table,
        "scratch" => form == Form::MgatherL1,
        _ => call.argument(key).is_some() || operands.any(|(role, _)| form.key(role) == key),
    }
}

/// Whether a case of `form` may have `key`.
pub(crate) fn takes(form: Form, key: &str) -> bool {
    is_of(form, key) || !Form::ALL.iter().any(|other| is_of(*other, key))
}

/// The forms that take `key`, for a message; none that is named by its plain one.
pub(crate) fn owners(key: &str) -> String {
    let forms = Form::ALL.iter().filter(|form| is_of(**form, key));
    let named = forms.filter(|form| **form == plain(**form) || !is_of(plain(**form), key));
    let titles: Vec<_> = named.map(|form| title(*form)).collect();
    titles.join(", ")
}

/// What may be meant by a `key` that `form` does not take.
pub(crate) fn instead(form: Form, key: &str) -> Option<&'static str> {
    Some(match (form, key) {
        (Form::MscatterFirst, "mode") => {
            "the index tile says it: [N, 1] selects rows, as wide as the source elements"
        }
        (Form::MscatterFirst, "conflict") => "the reading `first-conflict` says who survives",
        (Form::Mgather | Form::MgatherL1, "chunks") => {
            "each call has a tile of its own, and leaves nothing to the next: write a case for each"
        }
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
