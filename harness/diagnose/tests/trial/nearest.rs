//! What comes nearest where no mistake alone explains the failures.

use ptodiff_case::{Case, Form};
use ptodiff_diagnose::explanations;
use ptodiff_isa::{
    Call, Coalesce, Dim, End, Fault, GatherOob, How, Log, Memory, Role, ScatterAtomicOp, Target,
};

use super::{cases, executes, plain, right, told_of};

#[test]
fn what_leaves_all_of_one_failure_and_fails_most_passes_is_near_and_explains_nothing() {
    // Nothing is written of one byte, and nonsense of two.
    let wrong = |call: &Call, memory: &mut Memory, how: &How, log: &mut Log| {
        let size = call.data_tile().dtype.size();
        if size == 1 {
            return Ok(End::Finished);
        }
        let end = right().execute(call, memory, how, log);
        if size == 2 {
            let destination = memory.get_mut(Role::Destination).expect("an operand");
            let bytes = destination.body_mut().iter_mut();
            bytes.for_each(|byte| *byte ^= 0x5a);
        }
        end
    };
    let told = told_of(&executes(wrong), &plain(), |_| "all".to_owned()).remove(0);
    let lines = told.lines(false);
    let begins = "nothing known explains it; nearest: writes nothing: explains 1 of 3 failures";
    assert!(lines[0].0.starts_with(begins), "{lines:?}");
    assert!(!told.is_explained() && !lines[0].1);
}

/// Takes Max and Min for one another.
fn swapped(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let mut call = *call;
    if let Call::Mscatter(own) = &mut call {
        own.atomic = match own.atomic {
            ScatterAtomicOp::Max => ScatterAtomicOp::Min,
            ScatterAtomicOp::Min => ScatterAtomicOp::Max,
            other => other,
        };
    }
    right().execute(&call, memory, how, log)
}

#[test]
fn two_mistakes_that_explain_a_part_each_explain_all_between_them() {
    let cases = cases("cases/axes/mscatter_axes_nd.yaml");
    let told = told_of(&executes(swapped), &cases, |_| "all".to_owned()).remove(0);
    let parts: usize = told.fits[..2].iter().map(|fit| fit.explains).sum();
    let (best, lines) = (&told.fits[0], told.lines(false));
    assert!(best.explains < parts && parts == told.failures, "{told:#?}");
    assert!(
        told.is_explained()
            && lines[0]
                .0
                .ends_with("; together these explain each failure")
    );
    // With nonsense beside them there is more to explain.
    let worse = |call: &Call, memory: &mut Memory, how: &How, log: &mut Log| {
        let end = swapped(call, memory, how, log);
        if call.atomic() == Some(ScatterAtomicOp::Add) {
            memory.get_mut(Role::Table).expect("an operand").body_mut()[0] ^= 0x5a;
        }
        end
    };
    let told = told_of(&executes(worse), &cases, |_| "all".to_owned()).remove(0);
    assert!(told.fits.len() > 1 && !told.is_explained(), "{told:#?}");
}

/// Leaves out the last row, and takes those that are left the other way round.
fn two_mistakes(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let mut call = *call;
    if let Call::Mgather(own) = &mut call {
        own.dst.valid_row = Dim::Dynamic(own.dst.valid_row.get() - 1);
    }
    super::upside_down(&call, memory, how, log)
}

#[test]
fn two_mistakes_are_told_where_no_chance_leaves_all_that_failed() {
    let mut cases = cases("cases/clauses/mgather_bounds.yaml");
    cases.retain(|case| {
        case.targets.contains(&Target::A5) && case.call.mode() == Some(Coalesce::Row)
    });
    let is_told = |cases: &[Case]| {
        let told = told_of(&executes(two_mistakes), cases, |_| "all".to_owned());
        let mut fits = told.iter().flat_map(|told| &told.fits);
        fits.any(|fit| fit.name.contains('+') && fit.contradicts == 0)
    };
    assert!(is_told(&cases));
    assert!(!cases.chunks(2).any(is_told));
}

/// Clamps what is to wrap, and leaves nonsense in the upper half of a tile.
fn half_clamped(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let mut call = *call;
    if let Call::Mgather(own) = &mut call {
        own.oob = GatherOob::Clamp;
    }
    let end = right().execute(&call, memory, how, log);
    let body = memory.get_mut(Role::Destination).expect("an operand");
    let body = body.body_mut();
    let half = body.len() / 2;
    body[half..].fill(0x5a);
    end
}

#[test]
fn what_leaves_the_few_values_that_a_record_shows_is_near_and_explains_nothing() {
    let yaml = "cases:
  - {name: wrapped, instruction: MGATHER, mode: Elem, oob: Wrap, dtype: int32_t,
     tile: {shape: [8, 8]}, index: {shape: [8, 8], data: all-out-of-bounds},
     table: {shape: [1, 1, 1, 1, 32], data: distinct}, targets: [a5]}
";
    let cases = ptodiff_case::load_str("a.yaml", yaml)
        .expect("a case")
        .cases;
    let told = told_of(&executes(half_clamped), &cases, |_| "all".to_owned()).remove(0);
    let near = told.nearest.as_ref().expect("one that is near");
    assert_eq!(
        (&*near.name, near.same, near.of, near.others),
        ("oob-is-clamp", 8, 64, 0)
    );
    assert!(told.fits.is_empty(), "{told:#?}");
}

/// Keeps 16 bits of an index to elements of 8 bits.
fn short(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let all = explanations(Target::A5, &[Form::Mscatter], &how.readings);
    let mut all = all.into_iter();
    let short = all.find(|one| one.name == "index-16-bits");
    match call.data_tile().dtype.size() {
        1 => short
            .expect("a known mistake")
            .model()
            .execute(call, memory, how, log),
        _ => right().execute(call, memory, how, log),
    }
}

/// An index above 65535 misses its own element and changes another one.
#[test]
fn groups_of_the_same_cases_are_one_where_one_mistake_explains_all() {
    let files = ["large_tables", "bounds", "indices", "policies"]
        .map(|of| format!("cases/clauses/mscatter_{of}.yaml"));
    let cases: Vec<Case> = files.iter().flat_map(|file| cases(file)).collect();
    let own = told_of(&executes(short), &cases, |of| of.failure_group.clone());
    assert_eq!(own.len(), 1, "{own:#?}");
    assert!(
        own[0].fits[0].contradicts > 0 && own[0].also.len() == 1,
        "{own:#?}"
    );
    // Two mistakes in the same cases are none that explains all.
    let two = |call: &Call, memory: &mut Memory, how: &How, log: &mut Log| {
        let end = short(call, memory, how, log);
        if call.data_tile().dtype.size() == 1 {
            memory.get_mut(Role::Table).expect("an operand").body_mut()[5] ^= 0x5a;
        }
        end
    };
    let own = told_of(&executes(two), &cases, |of| of.failure_group.clone());
    assert!(
        own.len() == 2 && own.iter().all(|one| one.also.is_empty()),
        "{own:#?}"
    );
}
