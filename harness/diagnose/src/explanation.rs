//! What is known that could go wrong, each with a name and a sentence.

use std::sync::Arc;

use ptodiff_case::Form;
use ptodiff_isa::{
    Call, End, Fault, How, Log, Memory, Model, Readings, Rejection, Role, Target,
    reading::{GAPS, Gap},
};
use ptodiff_mutants::{Mutant, mutants};
use ptodiff_register::{EDITIONS, Edition};
use ptodiff_runner::altered;
use strum::VariantArray as _;

use crate::{
    evidence::{Shown, Wrong, is_one},
    twist::{Choices, Twist, Twisted, flushed, known, right},
};

/// A model with a known deviation.
#[derive(Clone)]
pub struct Explanation {
    /// Its name, in kebab case; two that are joined have a `+` between them.
    pub name: String,
    /// What it does, without its subject: `leaves out the last row`.
    pub sentence: String,
    model: Arc<dyn Model>,
    /// What it adds to any model, where it is no model of its own.
    twist: Option<Arc<Twist>>,
    /// The gaps that it reads otherwise.
    readings: Choices,
}

impl Explanation {
    /// What the model `inner` of a target becomes with this twist.
    fn twisted(name: String, sentence: String, inner: Arc<dyn Model>, twist: Twist) -> Self {
        let twist = Arc::new(twist);
        Self {
            name,
            sentence,
            model: Arc::new(Twisted {
                target: inner.target(),
                inner,
                twist: Arc::clone(&twist),
            }),
            twist: Some(twist),
            readings: Choices::new(),
        }
    }

    /// The model that does it.
    #[must_use]
    pub fn model(&self) -> &dyn Model {
        &*self.model
    }

    /// Where it is a reading, what leaves a case as it was found that is read as
    /// `before`: with what is `shown`, and right otherwise. None where that cannot be done.
    pub(crate) fn left<'a>(&self, shown: Option<&'a Shown>, before: &Readings) -> Option<Left<'a>> {
        if self.readings.is_empty() {
            return None;
        }
        let target = self.model.target();
        let inner: Arc<dyn Model> = match shown {
            // The rest of what is wrong is not known.
            Some(_) => Arc::clone(&self.model),
            None => Arc::new(Twisted {
                target,
                inner: right(target),
                twist: Arc::new(Twist::Readings(self.choices_of(before))),
            }),
        };
        let slot = |wrong: &'a Wrong| match wrong {
            Wrong::Slot(role, offset, bits) => Some((*role, *offset, &**bits)),
            Wrong::Checked(_) | Wrong::Said(_) | Wrong::Slots(..) => None,
        };
        // What stands in those that are not shown is not known.
        let known = shown.into_iter().flatten().filter(is_one);
        let slots = known.map(slot).collect::<Option<_>>();
        let owned = |(gap, choice): &(&str, &str)| ((*gap).to_owned(), (*choice).to_owned());
        slots.map(|slots| Left {
            readings: self.readings.iter().map(owned).collect(),
            inner,
            slots,
        })
    }

    /// How `readings` read the gaps that it reads otherwise.
    fn choices_of(&self, readings: &Readings) -> Choices {
        let is_ours = |gap: &&Gap| self.readings.iter().any(|(name, _)| *name == gap.name);
        let gaps = GAPS.iter().filter(is_ours);
        gaps.map(|gap| (gap.name, gap.choice(readings))).collect()
    }

    /// This one, and `then` on top of it, if that can be put on top of a model.
    pub(crate) fn and(&self, then: &Self) -> Option<Self> {
        let twist = then.twist.clone()?;
        Some(Self {
            name: format!("{}+{}", self.name, then.name),
            sentence: format!("{}, and {}", self.sentence, then.sentence),
            model: Arc::new(Twisted {
                target: self.model.target(),
                inner: Arc::clone(&self.model),
                twist,
            }),
            twist: None,
            readings: Choices::new(),
        })
    }
}

/// What leaves a case as it was found.
pub(crate) struct Left<'a> {
    /// How it reads the documents otherwise: gaps, and the choice for each.
    pub(crate) readings: Vec<(String, String)>,
    inner: Arc<dyn Model>,
    /// An operand, a byte of it, and the bits of the element there, as a record has them.
    slots: Vec<(Role, i64, &'a str)>,
}

impl Left<'_> {
    /// A model with the slots that hold what was found in them, but for bits that are `flipped`.
    pub(crate) fn model(&self, flipped: u64) -> impl Model {
        altered(&*self.inner, move |model, call, memory, how, log| {
            let end = model.execute(call, memory, how, log)?;
            for (role, offset, bits) in &self.slots {
                let digits = bits.trim_start_matches("0x");
                let Ok(value) = u64::from_str_radix(digits, 16) else {
                    continue;
                };
                let found = &(value ^ flipped).to_le_bytes()[..digits.len().div_ceil(2).min(8)];
                let Some(region) = memory.get_mut(*role) else {
                    continue;
                };
                // In a guard zone before the operand it is negative.
                let at = region
                    .body_range()
                    .start
                    .saturating_add_signed(*offset as isize);
                if let Some(slot) = region.part_mut(at..at + found.len()) {
                    slot.copy_from_slice(found);
                }
            }
            Ok(end)
        })
    }
}

/// Goes with any explanation that leaves operands: an implementation that keeps to them has
/// mostly zeros for what it would read outside. Alone it is no mistake.
pub(crate) fn inside(target: Target) -> Explanation {
    let sentence = "has zeros outside of operands".to_owned();
    Explanation::twisted(
        "zeros-outside".to_owned(),
        sentence,
        right(target),
        Twist::Inside,
    )
}

/// The same mistake in calls of several forms: with one index for all of them it is
/// in each. What the first of a form does is known by that one; another is on its own.
fn alike<'a>(all: impl Iterator<Item = &'a Mutant>) -> Vec<Vec<&'a Mutant>> {
    let mut groups: Vec<Vec<&Mutant>> = Vec::new();
    for mutant in all {
        let takes = |group: &&mut Vec<&Mutant>| {
            group[0].mistake == mutant.mistake && group.iter().all(|m| m.form != mutant.form)
        };
        match groups.iter_mut().find(takes) {
            Some(group) => group.push(mutant),
            None => groups.push(vec![mutant]),
        }
    }
    groups
}

/// A model with the same mistake in several forms.
struct Alike {
    target: Target,
    /// At most one a form.
    of: Vec<Mutant>,
}

impl Alike {
    fn model(&self, call: &Call) -> Arc<dyn Model> {
        let form = Form::of(call);
        let own = self.of.iter().find(|mutant| mutant.form == form);
        match own.or(self.of.first()) {
            // Where a form has none of its own, the first is tried: most have steps in common.
            Some(mutant) => Arc::new(mutant.on(self.target, form)),
            None => right(self.target),
        }
    }
}

impl Model for Alike {
    fn target(&self) -> Target {
        self.target
    }

    fn check(&self, call: &Call, readings: &Readings) -> Vec<Rejection> {
        self.model(call).check(call, readings)
    }

    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<End, Fault> {
        self.model(call).execute(&flushed(call), memory, how, log)
    }
}

/// How the name of an edition's readings begins.
pub(crate) const EDITION: &str = "edition=";

/// How an edition reads the gaps on `target`.
fn of_edition(edition: &Edition, target: Target) -> Choices {
    let own = |(gap, choice): &(&'static str, &'static str)| match gap.split_once(':') {
        None => Some((*gap, *choice)),
        Some((of, gap)) => (of.parse() == Ok(target)).then_some((gap, *choice)),
    };
    edition.readings.iter().filter_map(own).collect()
}

/// What reads the documents otherwise.
fn reads(target: Target, name: String, sentence: String, readings: Choices) -> Explanation {
    let twist = Twist::Readings(readings.clone());
    Explanation {
        readings,
        ..Explanation::twisted(name, sentence, right(target), twist)
    }
}

/// Choices that say nothing of what is done: anything would be explained by them.
const OPEN: [&str; 5] = ["undefined", "precondition", "anything", "any", "either"];

/// Each choice for a gap but those in force that says nothing of what is done, where it is to be
/// `open`, and that says something where it is not.
pub(crate) fn of_gaps(
    target: Target,
    readings: &Readings,
    open: bool,
) -> impl Iterator<Item = Explanation> {
    GAPS.iter().flat_map(move |gap| {
        let says = move |c: &&&str| gap.choice(readings) != **c && OPEN.contains(*c) == open;
        gap.choices.iter().filter(says).map(move |choice| {
            let name = format!("{}={choice}", gap.name);
            let sentence = format!("does what the reading {name} says");
            reads(target, name, sentence, vec![(gap.name, choice)])
        })
    })
}

/// All that could explain what an implementation of `target` does wrong with calls
/// of these forms under `readings`, what is most specific first.
#[must_use]
pub fn explanations(target: Target, forms: &[Form], readings: &Readings) -> Vec<Explanation> {
    let mut all = Vec::new();
    let is_ours = |mutant: &&&Mutant| {
        let instruction = mutant.form.instruction();
        forms.iter().any(|form| form.instruction() == instruction)
    };
    // A mistake that was thought of for one target can be made on any.
    let (own, others): (Vec<&Mutant>, Vec<&Mutant>) =
        mutants().iter().partition(|m| m.target == target);
    for alike in alike(own.into_iter().chain(others)) {
        let Some(first) = alike.iter().find(is_ours) else {
            continue;
        };
        all.push(Explanation {
            name: first.name.to_owned(),
            sentence: first.mistake.to_owned(),
            model: Arc::new(Alike {
                target,
                of: alike.into_iter().copied().collect(),
            }),
            twist: None,
            readings: Choices::new(),
        });
    }
    all.extend(of_gaps(target, readings, false));
    for edition in EDITIONS {
        let choices = of_edition(edition, target);
        let is_in_force = |gap: &&Gap| choices.contains(&(gap.name, gap.choice(readings)));
        // Of one alone it is that reading.
        if choices.len() - GAPS.iter().filter(is_in_force).count() > 1 {
            let name = format!("{EDITION}{}", edition.name);
            let sentence = format!("does what the edition {} says", edition.name);
            all.push(reads(target, name, sentence, choices));
        }
    }
    for (name, sentence, twist) in known(forms) {
        all.push(Explanation::twisted(name, sentence, right(target), twist));
    }
    for other in Target::VARIANTS.iter().filter(|other| **other != target) {
        all.push(Explanation {
            name: format!("as-{other}"),
            sentence: format!("does what the documents say of {other}"),
            model: Arc::new(Twisted {
                target,
                inner: right(*other),
                twist: Arc::new(Twist::Other),
            }),
            twist: None,
            readings: Choices::new(),
        });
    }
    // Of those that leave the same it is the simplest.
    all.sort_by_key(|one| one.name != "nothing-written");
    all
}
