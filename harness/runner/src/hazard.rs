//! What goes wrong on A2/A3 when one handshake of a kernel is left out.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ptodiff_case::Case;
use ptodiff_isa::{Log, Memory, Readings, Target};
use ptodiff_model_a2a3::{A2a3, Handshake, Surroundings, handshakes, run_pipes};
use serde::Serialize;

use crate::{Options, Trace, Untraced, execute, trace::accepted};

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

/// The handshakes that A2/A3 issues for `case`, by name, in order.
fn handshake_names(case: &Case) -> Vec<String> {
    let all = handshakes(&case.call);
    all.iter().map(ToString::to_string).collect()
}

/// Runs `case` on A2/A3's pipes twice, with all handshakes and without the one
/// called `name` (`before V->S`).
///
/// # Errors
/// If the target rejects the case, if its kernel issues no such handshake, or
/// if the model fails.
pub fn hazard(case: &Case, name: &str, options: &Options) -> Result<Hazard, Untraced> {
    let readings = options.readings(case)[Target::A2a3];
    accepted(&A2a3, &case.call, &readings)?;
    let handshake: Handshake = name
        .parse()
        .ok()
        .filter(|h| handshakes(&case.call).contains(h))
        .ok_or_else(|| Untraced::NoHandshake(handshake_names(case)))?;
    let steps = ptodiff_generate::stimulus(case, options.seed).steps;
    let run = || compare(case, &steps, &readings, handshake);
    catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|cause| Err(Untraced::Fault(execute::panic_text(&*cause))))
}

fn compare(
    case: &Case,
    steps: &[Memory],
    readings: &Readings,
    handshake: Handshake,
) -> Result<Hazard, Untraced> {
    let (mut with, mut without) = (Memory::default(), Memory::default());
    let mut log = Log::default();
    let mut calls = Vec::new();
    let mut differences = Vec::new();
    for (call, step) in steps.iter().enumerate() {
        execute::reload(&mut with, step);
        execute::reload(&mut without, step);
        let fault = |fault: ptodiff_isa::Fault| Untraced::Fault(fault.0);
        let whole =
            run_pipes(&case.call, &mut with, readings, None, &mut Log::default()).map_err(fault)?;
        log.trace = Some(Vec::new());
        let broken = run_pipes(
            &case.call,
            &mut without,
            readings,
            Some(handshake),
            &mut log,
        )
        .map_err(fault)?;
        calls.extend(log.trace.take());
        differences.extend(in_memory(call, &with, &without));
        differences.extend(in_surroundings(call, &whole, &broken));
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
    call: usize,
    with: &'a Memory,
    without: &'a Memory,
) -> impl Iterator<Item = Difference> + 'a {
    let both = with.regions.iter().zip(&without.regions);
    both.filter_map(move |(with, without)| {
        let place = format!("the {} after the call", with.role);
        difference(call, place, with.body(), without.body())
    })
}

fn in_surroundings<'a>(
    call: usize,
    with: &'a Surroundings,
    without: &'a Surroundings,
) -> impl Iterator<Item = Difference> + 'a {
    let both = with.seen.iter().zip(&without.seen);
    both.filter_map(move |(with, without)| {
        let place = format!("the {} that {} found: {}", with.role, with.pipe, with.what);
        difference(call, place, &with.bytes, &without.bytes)
    })
}

fn difference(call: usize, place: String, with: &[u8], without: &[u8]) -> Option<Difference> {
    let both = with.iter().zip(without).enumerate();
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

    fn case(more: &str) -> Case {
        let text = format!(
            "cases:\n  - name: x\n    instruction: MGATHER\n    mode: Elem\n    dtype: float\n    \
             tile: {{shape: [1, 8]}}\n    index: {{shape: [1, 8], data: permutation}}\n    \
             table: {{shape: [1, 1, 1, 1, 64], data: distinct}}\n{more}"
        );
        ptodiff_case::load_str("x.yaml", &text)
            .expect("a case")
            .cases
            .remove(0)
    }

    #[test]
    fn indices_read_too_early_give_another_result() {
        let case = case("");
        let found = hazard(&case, "before V->S", &Options::default()).expect("it runs");
        let places: Vec<&str> = found.differences.iter().map(|d| d.place.as_str()).collect();
        assert!(
            places.contains(&"the destination after the call"),
            "{places:?}"
        );
        assert!(!found.trace.calls[0].is_empty());
    }

    #[test]
    fn an_unknown_handshake_is_answered_with_those_that_there_are() {
        let Err(Untraced::NoHandshake(names)) = hazard(&case(""), "MTE3", &Options::default())
        else {
            panic!("there is no such handshake");
        };
        assert!(names.iter().any(|name| name == "before V->S"), "{names:?}");
    }

    #[test]
    fn a_rejected_case_has_no_hazard() {
        let mut rejected = case("");
        if let ptodiff_isa::Call::Mgather(call) = &mut rejected.call {
            call.idx.dtype = ptodiff_isa::DType::Int16;
        }
        let found = hazard(&rejected, "before V->S", &Options::default());
        assert!(matches!(found, Err(Untraced::Rejected(_))), "{found:?}");
    }
}
