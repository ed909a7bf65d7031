//! Where a case is legal, as the models' checks and the contract see it.

use std::{cell::LazyCell, collections::BTreeSet};

use ptodiff_case::Case;
use ptodiff_contract::{Enforced, data_preconditions};
use ptodiff_isa::reading::GAPS;
use ptodiff_isa::{Call, Clause, Memory, Readings, Target};

use crate::{Options, case::selected, context::Prepared, execute};

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
    /// Preconditions of the caller that the call breaks, and then those that its data breaks.
    pub preconditions: Vec<(Clause, String)>,
    /// How many of these its data breaks.
    pub by_data: usize,
    /// What is undefined though none of that is against the call.
    pub undefined: Option<Undefined>,
}

/// What of a legal call nothing is promised of: elements of the result, or accesses outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undefined {
    /// By which clause.
    pub clause: Clause,
    /// How many; none where they are the whole result, 0 where accesses lead outside alone.
    pub elements: Option<usize>,
}

impl Undefined {
    /// Of a call that breaks nothing and returns. Of padding nobody asks.
    fn of(case: &Case, steps: &[&Memory], target: Target, readings: &Readings) -> Option<Self> {
        let permits = ptodiff_contract::permits(&case.call, steps, target, readings)?;
        let role = case.call.output();
        let operand = permits.of(role)?;
        let bytes = steps.first()?.get(role)?.body().len();
        let size = operand.dtype.size();
        let open: usize = operand.open().map(|run| run.len).sum();
        // As a run has it: nothing is left to compare.
        if open / size == bytes / size {
            let clause = operand.open().next()?.clause;
            let elements = None;
            return Some(Self { clause, elements });
        }
        let clause = permits.oob_accesses?;
        let by_it = operand.open().filter(|run| run.clause == clause);
        let elements = Some(by_it.map(|run| run.len / size).sum());
        Some(Self { clause, elements })
    }

    /// Whether indices that lead out of range are why.
    #[must_use]
    pub fn is_by_index(&self) -> bool {
        self.clause.0.contains("-OOB-")
    }

    /// In words, of the call of `case`.
    #[must_use]
    pub fn said(&self, case: &Case) -> String {
        let what = match self.elements {
            Some(0) => "an access leaves its operand".to_owned(),
            Some(1) => "1 element of the result is undefined".to_owned(),
            Some(n) => format!("{n} elements of the result are undefined"),
            None => "nothing is promised of the result".to_owned(),
        };
        let beyond = self.is_by_index();
        match &case.call {
            Call::Tgatherb(_) if beyond => format!("offsets lead outside the source: {what}"),
            _ if beyond => format!("indices are out of range: {what}"),
            _ => what,
        }
    }
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
            let data_breaks = by_data.len();
            preconditions.extend(by_data.into_iter().map(|b| (b.clause, b.why)));
            let rejected = match execute::check(model, &case.call, readings) {
                Ok(all) => all.into_iter().map(|r| (r.clause, r.why)).collect(),
                Err(why) => vec![(Clause("harness fault"), why)],
            };
            let returns = ptodiff_contract::hangs(&case.call, target, readings).is_none();
            let legal = rejected.is_empty() && broken.is_empty() && preconditions.is_empty();
            let undefined = || Undefined::of(case, &all, target, readings);
            Legality {
                target,
                rejected,
                by_check: of(Enforced::ByCheck),
                undefined: (legal && returns).then(undefined).flatten(),
                preconditions,
                by_data: data_breaks,
            }
        })
        .collect()
}

/// Whether what `case` says of `target` holds under the readings of `options`: they are its
/// own, or those that are not cannot matter.
#[must_use]
pub fn is_as_stated(case: &Case, target: Target, options: &Options) -> bool {
    Prepared::new(case, options).context().is_as_stated(target)
}

/// The clause by which `case` never returns on `target`, if it does not.
#[must_use]
pub fn hangs(case: &Case, target: Target) -> Option<Clause> {
    ptodiff_contract::hangs(&case.call, target, &case.readings[target])
}

/// The first index of `steps` of which no policy takes care, in the contract's words.
#[must_use]
pub fn out_of_range(case: &Case, steps: &[&Memory], target: Target) -> Option<String> {
    let broken = data_preconditions(&case.call, steps, target, &case.readings[target]);
    broken.into_iter().next().map(|broken| broken.why)
}

/// A reading under which a case does not break a clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lifting {
    /// The gap that is read.
    pub gap: &'static str,
    /// How it is read.
    pub choice: &'static str,
    /// Whether nothing else is against the case either.
    pub legal: bool,
}

/// The readings, each the only one that changes, under which `case` does not break
/// `clause` on `target`, and nothing else that it does not break now.
#[must_use]
pub fn lifting(case: &Case, target: Target, clause: Clause, options: &Options) -> Vec<Lifting> {
    let now = options.readings(case)[target];
    let steps = LazyCell::new(|| ptodiff_generate::stimulus(case, options.seed).steps);
    // Data is looked at only where the call itself does not break the clause.
    let broken = |readings: &Readings, clause: Option<Clause>| {
        let by_call = ptodiff_contract::legality(&case.call, target, readings);
        let mut broken: BTreeSet<Clause> = by_call.into_iter().map(|b| b.clause).collect();
        if clause.is_none_or(|clause| !broken.contains(&clause)) {
            let steps: Vec<&Memory> = steps.iter().collect();
            let by_data = data_preconditions(&case.call, &steps, target, readings);
            broken.extend(by_data.into_iter().map(|b| b.clause));
            broken.extend(ptodiff_contract::hangs(&case.call, target, readings));
        }
        broken
    };
    let before = LazyCell::new(|| broken(&now, None));
    let mut found = Vec::new();
    for (gap, choice, other) in otherwise(now) {
        let after = broken(&other, Some(clause));
        if !after.contains(&clause) && after.is_subset(&before) {
            found.push(Lifting {
                gap,
                choice,
                legal: after.is_empty(),
            });
        }
    }
    found
}

/// A reading under which something is against a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Barring {
    /// The gap that is read.
    pub gap: &'static str,
    /// How it is read.
    pub choice: &'static str,
    /// The clause that is broken then.
    pub clause: Clause,
    /// What is against the case.
    pub why: String,
}

/// The readings, each the only one that changes, under which something is against `case` on
/// `target`, and the first such thing; nothing where something is now. Its data counts only
/// `with_data`.
#[must_use]
pub fn barring(case: &Case, target: Target, with_data: bool, options: &Options) -> Vec<Barring> {
    let now = options.readings(case)[target];
    let steps = ptodiff_generate::stimulus(case, options.seed).steps;
    let steps: Vec<&Memory> = steps.iter().collect();
    let against = |readings: &Readings| {
        let by_call = ptodiff_contract::legality(&case.call, target, readings);
        let mut broken = by_call.into_iter().map(|b| (b.clause, b.why));
        let hangs = || {
            let clause = ptodiff_contract::hangs(&case.call, target, readings)?;
            Some((clause, "it never returns".to_owned()))
        };
        let by_data = || {
            let broken = data_preconditions(&case.call, &steps, target, readings);
            let first = broken.into_iter().map(|b| (b.clause, b.why)).next();
            first.or_else(|| {
                let open = Undefined::of(case, &steps, target, readings)?;
                Some((open.clause, open.said(case)))
            })
        };
        let by_call = broken.next().or_else(hangs);
        by_call.or_else(|| by_data().filter(|_| with_data))
    };
    if against(&now).is_some() {
        return Vec::new();
    }
    otherwise(now)
        .filter_map(|(gap, choice, other)| {
            let (clause, why) = against(&other)?;
            Some(Barring {
                gap,
                choice,
                clause,
                why,
            })
        })
        .collect()
}

/// `now` with one gap read in another way, for each: its name, and the choice.
fn otherwise(now: Readings) -> impl Iterator<Item = (&'static str, &'static str, Readings)> {
    GAPS.iter().flat_map(move |gap| {
        let choices = gap.choices.iter().enumerate();
        let others = choices.filter(move |(_, choice)| gap.choice(&now) != **choice);
        others.map(move |(number, choice)| {
            let mut other = now;
            gap.put(&mut other, number);
            (gap.name, *choice, other)
        })
    })
}
