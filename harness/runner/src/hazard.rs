//! What goes wrong when one handshake of a kernel or of its caller is left out.

use std::ops::Range;

use ptodiff_case::{Case, Form};
use ptodiff_isa::{Call, Fault, How, Log, Memory, Pipe, Region, Role, Target};
use ptodiff_model_a2a3::{Handshake, Seen, handshakes, run_pipes};
use ptodiff_model_a5::{CallerStep, run_without};
use serde::Serialize;

use crate::{Options, Trace, Untraced, execute, model_of, trace::accepted};

/// A run without a handshake beside the run with all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hazard {
    /// What was issued without it.
    pub trace: Trace,
    /// What came out otherwise: nothing where this kernel or its data cannot show it.
    pub differences: Vec<Difference>,
}

/// Bytes that came out otherwise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// The call of the case, from 0.
    pub call: usize,
    /// Where: an operand, or what an operation around the call found in one.
    pub place: String,
    /// How many bytes differ.
    pub bytes: usize,
    /// Of how many.
    pub of: usize,
    /// The first of them.
    pub first: usize,
    /// That byte with all handshakes.
    pub with: u8,
    /// That byte without the one.
    pub without: u8,
}

/// Something that can be left out.
#[derive(Clone, Copy)]
enum Step {
    A2a3(Handshake),
    A5(CallerStep),
}

impl Step {
    /// Everything that `target` and the caller do for `call`, by name, in order.
    fn all(call: &Call, target: Target) -> Vec<(String, Self)> {
        match target {
            Target::Cpu => Vec::new(),
            Target::A2a3 => ptodiff_model_a2a3::owed_by_caller(call)
                .into_iter()
                .chain(handshakes(call))
                .map(|handshake| (handshake.to_string(), Self::A2a3(handshake)))
                .collect(),
            Target::A5 => ptodiff_model_a5::owed_by_caller(call)
                .into_iter()
                .map(|step| (step.to_string(), Self::A5(step)))
                .collect(),
        }
    }

    /// Runs `call` in place with all steps, or without this one.
    fn run(
        self,
        left_out: bool,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<Vec<Seen>, Fault> {
        match self {
            Self::A2a3(handshake) => {
                let without = left_out.then_some(handshake);
                Ok(run_pipes(call, memory, &how.readings, without, log)?.seen)
            }
            Self::A5(step) => {
                let (_, stored) = run_without(call, memory, how, left_out.then_some(step), log)?;
                Ok(vec![Seen {
                    what: "store after the call",
                    pipe: Pipe::MTE3,
                    role: Role::Destination,
                    bytes: stored,
                }])
            }
        }
    }
}

/// Runs `case` on `target` twice, with all handshakes and without the one called `name`
/// (`before V->S`, `caller MTE2->V`).
///
/// # Errors
/// If the target rejects the case, if neither its kernel nor the caller has such a
/// handshake, or if the model fails.
pub fn hazard(
    case: &Case,
    target: Target,
    name: &str,
    options: &Options,
) -> Result<Hazard, Untraced> {
    let how = How {
        readings: options.readings(case)[target],
        ..How::default()
    };
    accepted(model_of(target), &case.call, &how.readings)?;
    let all = Step::all(&case.call, target);
    let Some((_, step)) = all.iter().find(|(known, _)| known == name) else {
        let names = all.into_iter().map(|(name, _)| name).collect();
        return Err(Untraced::NoHandshake(names));
    };
    let steps = ptodiff_generate::stimulus(case, options.seed).steps;
    let table = steps.first().and_then(|step| step.get(Role::Table));
    if target == Target::A2a3
        && case.call.output() == Role::Table
        && table.is_some_and(Region::is_sparse)
    {
        // What each pipe knows of it is held byte by byte.
        return Err(Untraced::Sparse);
    }
    execute::caught(|| compare(&case.call, &steps, &how, *step)).map_err(Untraced::Fault)?
}

fn compare(call: &Call, steps: &[Memory], how: &How, step: Step) -> Result<Hazard, Untraced> {
    let (mut with, mut without) = (Memory::default(), Memory::default());
    let mut log = Log::default();
    let mut calls = Vec::new();
    let mut differences = Vec::new();
    for (number, stimulus) in steps.iter().enumerate() {
        execute::reload(&mut with, stimulus);
        execute::reload(&mut without, stimulus);
        let fault = |fault: Fault| Untraced::Fault(fault.0);
        let whole = step
            .run(false, call, &mut with, how, &mut Log::default())
            .map_err(fault)?;
        log.trace = Some(Vec::new());
        let broken = step
            .run(true, call, &mut without, how, &mut log)
            .map_err(fault)?;
        calls.extend(log.trace.take());
        let form = Form::of(call);
        differences.extend(in_memory(form, number, &with, &without));
        differences.extend(in_surroundings(form, number, &whole, &broken));
    }
    Ok(Hazard {
        trace: Trace {
            calls,
            oob_accesses: log.oob_accesses,
            hung: false,
        },
        differences,
    })
}

fn in_memory<'a>(
    form: Form,
    call: usize,
    with: &'a Memory,
    without: &'a Memory,
) -> impl Iterator<Item = Difference> + 'a {
    let both = with.regions.iter().zip(&without.regions);
    both.filter_map(move |(with, without)| {
        let place = format!("the {} after the call", form.key(with.role));
        difference(
            call,
            place,
            with.body(),
            without.body(),
            &with.apart(without, 1),
        )
    })
}

fn in_surroundings<'a>(
    form: Form,
    call: usize,
    with: &'a [Seen],
    without: &'a [Seen],
) -> impl Iterator<Item = Difference> + 'a {
    let both = with.iter().zip(without);
    both.filter_map(move |(with, without)| {
        let key = form.key(with.role);
        let place = format!("the {key} that {} found: {}", with.pipe, with.what);
        let all = 0..with.bytes.len().min(without.bytes.len());
        let all = std::slice::from_ref(&all);
        difference(call, place, &with.bytes, &without.bytes, all)
    })
}

/// How two contents differ, which do so in these parts at most.
fn difference(
    call: usize,
    place: String,
    with: &[u8],
    without: &[u8],
    parts: &[Range<usize>],
) -> Option<Difference> {
    let places = parts.iter().cloned().flatten();
    let both = places.map(|at| (at, (&with[at], &without[at])));
    let mut differing = both.filter(|(_, (a, b))| a != b);
    let (first, (a, b)) = differing.next()?;
    Some(Difference {
        call,
        place,
        bytes: 1 + differing.count(),
        of: with.len(),
        first,
        with: *a,
        without: *b,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejected_case_has_no_hazard() {
        let text = "cases:\n  - {name: x, instruction: MGATHER, mode: Elem, dtype: float, \
                    tile: {shape: [1, 8]}, index: {dtype: int16_t, shape: [1, 16], valid: [1, 8]}, \
                    table: {shape: [1, 1, 1, 1, 64]}}\n";
        let cases = ptodiff_case::load_str("x.yaml", text)
            .expect("a case")
            .cases;
        let found = hazard(&cases[0], Target::A2a3, "before V->S", &Options::default());
        assert!(matches!(found, Err(Untraced::Rejected(_))), "{found:?}");
    }
}
