//! Where a case is legal, as the models' checks and the contract see it.

use ptodiff_case::Case;
use ptodiff_contract::{Enforced, data_preconditions};
use ptodiff_isa::{Clause, Memory, Model, Readings, Rejection, Target};

use crate::{Options, case::selected, execute};

/// Whether a case is legal on a target, as the target's own checks and the
/// contract see it. The two were written apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Legality {
    /// The target.
    pub target: Target,
    /// What the model's checks reject.
    pub rejected: Vec<(Clause, String)>,
    /// What the contract says a check must reject.
    pub by_check: Vec<(Clause, String)>,
    /// Preconditions of the caller that the call or its data breaks.
    pub preconditions: Vec<(Clause, String)>,
}

impl Legality {
    /// Whether checks and contract agree on whether the call is rejected.
    #[must_use]
    pub fn consistent(&self) -> bool {
        self.rejected.is_empty() == self.by_check.is_empty()
    }
}

/// Where `case` is legal, for each target that it selects.
#[must_use]
pub fn legality(case: &Case, options: &Options) -> Vec<Legality> {
    let readings = options.readings(case);
    let steps = ptodiff_generate::stimulus(case, options.seed).steps;
    let all: Vec<&Memory> = steps.iter().collect();
    selected(case, options)
        .map(|model| {
            let target = model.target();
            let readings = &readings[target];
            let broken = ptodiff_contract::legality(&case.call, target, readings);
            let of = |by: Enforced| {
                let of_that = broken.iter().filter(move |b| b.enforced == by);
                of_that
                    .map(|b| (b.clause, b.why.clone()))
                    .collect::<Vec<_>>()
            };
            let mut preconditions = of(Enforced::ByCaller);
            let by_data = data_preconditions(&case.call, &all, target, readings);
            preconditions.extend(by_data.into_iter().map(|b| (b.clause, b.why)));
            Legality {
                target,
                rejected: rejections(model, case, readings)
                    .into_iter()
                    .map(|r| (r.clause, r.why))
                    .collect(),
                by_check: of(Enforced::ByCheck),
                preconditions,
            }
        })
        .collect()
}

fn rejections(model: &dyn Model, case: &Case, readings: &Readings) -> Vec<Rejection> {
    execute::check(model, &case.call, readings).unwrap_or_else(|why| {
        vec![Rejection {
            clause: Clause("harness fault"),
            why,
        }]
    })
}
