//! Random cases: one grammar over a small source of choices.
//!
//! [`draw`] makes a case of the choices that a stable stream or a fuzzer takes; the
//! grammar itself knows no source. What a legal call is comes from the documents (their
//! legality and caller clauses) and from the answers to their gaps in
//! `harness/isa/READINGS.md`, never from the contract, which judges the cases.

mod choices;
mod context;
mod data;
mod drivers;
mod extent;
mod index;
mod legal;
mod readings;
mod rule;
mod space;
mod wild;

use ptodiff_case::Case;
pub use ptodiff_case::Form;
use ptodiff_isa::{
    BLayout, Call, DType, Dim, MaskAxis, MaskPattern, Readings, Scope, Target, TargetReadings,
    TscatterMask,
};

pub use choices::Choices;
pub use drivers::{Bytes, Series, Stable};
pub use rule::Rule;
pub use space::{NoSpace, Space};

use context::{DrawContext, exists};

/// What the drawn cases keep to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rules {
    /// All: no check rejects the call and no precondition of the caller is broken, on
    /// every target of the case.
    #[default]
    Legal,
    /// All but so many, broken on purpose in a legal case. A case that has not
    /// that many to break has fewer.
    Broken(usize),
    /// None: whatever the types can say.
    Wild,
}

/// What cases are asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wish {
    /// Which rules they keep to.
    pub rules: Rules,
    /// Most elements in the valid region of the data tile; at least 1.
    pub max_lanes: u64,
    /// The forms to draw from; all where none is given.
    pub forms: Vec<Form>,
    /// The targets to draw from; all where none is given. A form that none of
    /// them has is drawn only where there is no other, and then on its own targets.
    pub targets: Vec<Target>,
    /// The readings of every case, under which legal ones are legal; drawn where
    /// there are none.
    pub readings: Option<TargetReadings>,
}

impl Default for Wish {
    fn default() -> Self {
        Self {
            rules: Rules::Legal,
            max_lanes: 64,
            forms: Form::ALL.to_vec(),
            targets: <Target as strum::VariantArray>::VARIANTS.to_vec(),
            readings: None,
        }
    }
}

/// A case, and which rules it breaks on purpose.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawn {
    /// The case. It has no name yet: see [`name`].
    pub case: Case,
    /// Each on at least one of its targets; none but under [`Rules::Broken`].
    pub broken: Vec<Rule>,
}

/// Gives `case` the id `random/SEED-NUMBER`, which its data depends on too.
pub fn name(case: &mut Case, seed: u64, number: u64) {
    case.name = format!("{seed}-{number}");
    case.id = format!("random/{}", case.name);
}

/// A case as `wish` asks for, and the rules it breaks.
///
/// The case has an empty name and id, so that nothing is formatted here.
pub fn draw(choices: &mut impl Choices, wish: &Wish) -> Drawn {
    let mut case = blank();
    let broken = fill_in(choices, wish, &mut case);
    data::forget_absent(&mut case);
    Drawn { case, broken }
}

/// Makes the blank `case` one that `wish` asks for; which rules it breaks.
fn fill_in(choices: &mut impl Choices, wish: &Wish, case: &mut Case) -> Vec<Rule> {
    let form = choices.pick(forms(wish));
    if wish.rules == Rules::Wild {
        wild::case(choices, form, wish, case);
        case.readings = wish.readings.unwrap_or(case.readings);
        return Vec::new();
    }
    let context = settle(choices, form, wish);
    legal::case(choices, &context, case);
    case.readings = wish.readings.unwrap_or(case.readings);
    match wish.rules {
        Rules::Broken(count) => rule::break_some(choices, &context, case, count),
        Rules::Legal | Rules::Wild => Vec::new(),
    }
}

/// The case that [`draw`] makes.
pub fn case(choices: &mut impl Choices, wish: &Wish) -> Case {
    draw(choices, wish).case
}

fn forms(wish: &Wish) -> &[Form] {
    if wish.forms.is_empty() {
        Form::ALL
    } else {
        &wish.forms
    }
}

/// Form, readings and targets: what else is drawn has to be legal under these.
fn settle(choices: &mut impl Choices, form: Form, wish: &Wish) -> DrawContext {
    let suites = Readings {
        scope: Scope::AsTheSuite,
        ..Readings::default()
    };
    let all = <Target as strum::VariantArray>::VARIANTS;
    let wished = if wish.targets.is_empty() {
        all
    } else {
        &wish.targets
    };
    let given = wish.readings;
    let could = |form: Form| {
        let may = |target: &Target| {
            exists(
                form,
                *target,
                given.as_ref().map_or(&suites, |given| &given[*target]),
            )
        };
        wished.iter().any(may)
    };
    let other = || forms(wish).iter().copied().find(|form| could(*form));
    let form = if could(form) {
        form
    } else {
        other().unwrap_or(form)
    };
    let wished = if could(form) { wished } else { all };

    let mut readings = readings::of_form(choices, form);
    if !wished.iter().any(|target| exists(form, *target, &readings)) {
        readings = suites;
    }
    if let Some(given) = given {
        let first = all
            .iter()
            .find(|t| wished.contains(t) && exists(form, **t, &given[**t]));
        readings = given[first.copied().unwrap_or(Target::A5)];
    }
    let may = [Target::Cpu, Target::A2a3, Target::A5].map(|target| {
        let of_it = given.as_ref().map_or(&readings, |given| &given[target]);
        wished.contains(&target) && exists(form, target, of_it)
    });
    let mut context = DrawContext {
        form,
        cpu: false,
        a2a3: false,
        a5: false,
        wished: [Target::Cpu, Target::A2a3, Target::A5].map(|target| wished.contains(&target)),
        readings,
        lanes: wish.max_lanes.clamp(1, MOST_LANES),
    };
    // All of them, one, or any.
    let count = may.iter().filter(|may| **may).count() as u64;
    let all = (1_u64 << count) - 1;
    let mut drawn = match choices.below(4) {
        0 => all,
        1 | 2 => 1 << choices.below(count),
        _ => all - choices.below(all),
    };
    for (may, has) in may
        .into_iter()
        .zip([&mut context.cpu, &mut context.a2a3, &mut context.a5])
    {
        if may {
            *has = drawn & 1 == 1;
            drawn >>= 1;
        }
    }
    context
}

/// Lanes that a case may have whatever is wished: tables grow with them.
const MOST_LANES: u64 = 1 << 16;

/// A case to draw into: it has no name, and its call stands for none.
fn blank() -> Case {
    let tile = extent::plain(
        DType::Float,
        [1, 1],
        [Dim::Static(1); 2],
        BLayout::default(),
    );
    let call = TscatterMask {
        dst: tile,
        src: tile,
        pattern: MaskPattern::P1111,
        axis: MaskAxis::Row,
    };
    Case::of_call("", Call::TscatterMask(call))
}
