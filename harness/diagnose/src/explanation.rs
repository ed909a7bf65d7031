//! What is known that could go wrong, each with a name and a sentence.

use std::sync::Arc;

use ptodiff_case::Form;
use ptodiff_isa::{Model, Readings, Target, reading::GAPS};
use ptodiff_mutants::{Mutant, mutants};

use crate::twist::{Twist, Twisted, known, right};

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
}

impl Explanation {
    /// The model that does it.
    #[must_use]
    pub fn model(&self) -> &dyn Model {
        &*self.model
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
        })
    }
}

/// Goes with any explanation that leaves operands: an implementation that keeps to them has
/// mostly zeros for what it would read outside. Alone it is no mistake.
pub(crate) fn inside(target: Target) -> Explanation {
    let twist = Arc::new(Twist::Inside);
    Explanation {
        name: "zeros-outside".to_owned(),
        sentence: "has zeros outside of operands".to_owned(),
        model: Arc::new(Twisted {
            target,
            inner: right(target),
            twist: Arc::clone(&twist),
        }),
        twist: Some(twist),
    }
}

/// All that could explain what an implementation of `target` does wrong with calls
/// of these forms under `readings`, what is most specific first.
#[must_use]
pub fn explanations(target: Target, forms: &[Form], readings: &Readings) -> Vec<Explanation> {
    let mut all = Vec::new();
    let ours = mutants().iter().filter(|m| forms.contains(&m.form));
    // A mistake that was thought of for one target can be made on any.
    let (own, others): (Vec<&Mutant>, Vec<&Mutant>) = ours.partition(|m| m.target == target);
    for mutant in own.into_iter().chain(others) {
        all.push(Explanation {
            name: mutant.name.to_owned(),
            sentence: mutant.mistake.to_owned(),
            model: Arc::new(mutant.on(target)),
            twist: None,
        });
    }
    let mut twisted = |name: String, sentence: String, inner, twist, joins: bool| {
        let twist = Arc::new(twist);
        all.push(Explanation {
            name,
            sentence,
            model: Arc::new(Twisted {
                target,
                inner,
                twist: Arc::clone(&twist),
            }),
            twist: joins.then_some(twist),
        });
    };
    for gap in GAPS {
        let in_force = readings.choice(gap.name);
        for choice in gap.choices.iter().filter(|c| in_force != Some(**c)) {
            let name = format!("{}={choice}", gap.name);
            let sentence = format!("does what the reading {name} says");
            let twist = Twist::Reading(gap.name, choice);
            twisted(name, sentence, right(target), twist, true);
        }
    }
    for (name, sentence, twist) in known() {
        twisted(name, sentence, right(target), twist, true);
    }
    for other in [Target::Cpu, Target::A2a3, Target::A5] {
        if other != target {
            let sentence = format!("does what the documents say of {other}");
            twisted(
                format!("as-{other}"),
                sentence,
                right(other),
                Twist::Other,
                false,
            );
        }
    }
    all
}
