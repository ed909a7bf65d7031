//! Any call at all, legal or not, under any readings, on memory of any size: what each
//! model keeps to whatever it is given, and that the contract answers.

use ptodiff_contract::{
    Permits, Promise, Question, Verbosity, data_preconditions, feeders, hangs, legality, permits,
};
use ptodiff_enumerate::enumerate;
use ptodiff_generate::random::{Choices, Form, Rules, Series, Stable, Wish, case};
use ptodiff_isa::{
    Call, Dim, End, Fault, How, Log, Memory, Model, OobAccesses, Pipe, Readings, Region, Role,
    Schedule, Target, reading::GAPS,
};
use ptodiff_model_a2a3::{handshakes, owed_by_caller, run_pipes, run_pipes_draining};
use ptodiff_runner::{model_of, models};
use rayon::prelude::*;
use strum::VariantArray as _;

/// Extents and strides that no memory has.
const HUGE: [u64; 5] = [1 << 31, 1 << 32, 1 << 40, 1 << 60, u64::MAX];

/// What `check` asks of `count` random calls of each form.
fn each(count: u64, rules: Rules, check: impl Fn(&mut Stable, Call, Readings, &Memory) + Sync) {
    Form::ALL.par_iter().for_each(|form| {
        let wish = Wish {
            forms: vec![*form],
            rules,
            ..Wish::default()
        };
        (0..count).into_par_iter().for_each(|number| {
            let mut choices = Series::new(1).number(number);
            let drawn = case(&mut choices, &wish);
            let mut call = drawn.call;
            let readings = any_readings(&mut choices);
            if choices.one_in(4) {
                enlarge(&mut choices, &mut call);
            }
            let before = memory(&mut choices);
            check(&mut choices, call, readings, &before);
        });
    });
}

/// Any choice for each gap.
pub(crate) fn any_readings(choices: &mut impl Choices) -> Readings {
    let mut readings = Readings::default();
    for gap in GAPS {
        let number = choices.below(gap.choices.len() as u64);
        gap.put(&mut readings, number as usize);
    }
    readings
}

/// Gives an operand a size that no memory has. Valid extents and the outer ones of a table
/// drive loops: they stay.
fn enlarge(choices: &mut impl Choices, call: &mut Call) {
    let roles: Vec<Role> = call.operands().iter().map(|(role, _)| *role).collect();
    let role = choices.pick(&roles);
    let size = choices.pick(&HUGE);
    if let Some(tile) = call.tile_mut(role) {
        if choices.below(2) == 0 {
            tile.rows = size;
        } else {
            tile.cols = size;
        }
    } else if let Some(tensor) = call.tensor_mut(role) {
        let dims = [&mut tensor.shape, &mut tensor.stride];
        dims[choices.below(2) as usize][2 + choices.below(3) as usize] = Dim::Dynamic(size);
    }
}

/// Whether a tile has a size that no memory has: A2/A3 goes through a whole one piece by piece.
fn has_huge_tile(call: &Call) -> bool {
    let tiles = call
        .operands()
        .into_iter()
        .filter_map(|(_, one)| one.tile());
    tiles
        .into_iter()
        .any(|tile| HUGE.contains(&tile.rows.max(tile.cols)))
}

/// Every operand that a call may have. The bytes are small numbers so that indices hit.
fn memory(choices: &mut impl Choices) -> Memory {
    let roles = [
        Role::Scratch,
        Role::Table,
        Role::Source,
        Role::Destination,
        Role::Index,
    ];
    let regions = roles.map(|role| {
        let (len, seed) = (choices.below(3000), choices.below(1 << 32));
        let byte = |at: u64| match at.wrapping_add(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48 {
            word if at & 3 == 0 && word & 7 != 0 => (word % 40) as u8,
            word if word & 63 == 0 => (word >> 8) as u8,
            _ => 0,
        };
        let bytes: Vec<u8> = (0..len).map(byte).collect();
        let end = bytes.len().saturating_sub(choices.below(64) as usize);
        let start = end.min(choices.below(64) as usize);
        Region::new(role, bytes, start..end)
    });
    Memory {
        regions: regions.into(),
    }
}

type Ran = (Result<End, Fault>, Memory, Log);

fn ran(model: &dyn Model, call: &Call, how: &How, before: &Memory, traced: bool) -> Ran {
    let (mut memory, mut log) = (before.clone(), Log::default());
    log.trace = traced.then(Vec::new);
    let end = model.execute(call, &mut memory, how, &mut log);
    (end, memory, log)
}

/// The image with the operand's own bytes blanked.
fn guards(region: &Region) -> Vec<u8> {
    let mut bytes = region.bytes().to_vec();
    bytes[region.body_range()].fill(0);
    bytes
}

/// Whether it is sure that every write stayed inside: accesses beyond the kept ones are unknown.
fn no_write_outside(accesses: &OobAccesses) -> bool {
    accesses.count <= OobAccesses::KEPT as u64 && accesses.first.iter().all(|one| !one.write)
}

#[test]
fn any_call_runs_and_changes_only_what_it_may() {
    each(1000, Rules::Wild, |choices, call, readings, before| {
        let shuffled = Schedule::Shuffled(choices.below(1 << 32));
        let schedule = choices.pick(&[Schedule::InOrder, Schedule::Reversed, shuffled]);
        let how = How { schedule, readings };
        for model in models() {
            let target = model.target();
            if target == Target::A2a3 && has_huge_tile(&call) {
                continue;
            }
            let rejections = model.check(&call, &readings);
            assert!(rejections.iter().all(|one| !one.why.is_empty()));
            let (end, memory, log) = ran(model, &call, &how, before, false);
            let (end_traced, memory_traced, log_traced) = ran(model, &call, &how, before, true);
            assert_eq!(end, end_traced, "{target} {call:?}");
            assert_eq!(memory, memory_traced, "{target} {call:?}");
            assert_eq!(log.oob_accesses, log_traced.oob_accesses);
            assert_eq!((&log.trace, log_traced.trace.is_some()), (&None, true));
            if end != Ok(End::Finished) {
                assert_eq!(memory, *before, "{target} {call:?}");
            }
            for (old, new) in before.regions.iter().zip(&memory.regions) {
                // What is staged there has no place on CPU (MGATHERL1-GAP-14).
                let staged = old.role == Role::Scratch && target != Target::Cpu;
                if old.role == call.output() || staged {
                    let stay = !no_write_outside(&log.oob_accesses) || guards(old) == guards(new);
                    assert!(stay, "a write outside is not in the log: {target} {call:?}");
                } else {
                    assert_eq!(old, new, "{target} {call:?}");
                }
            }
            // An accepted call is a fault only where no memory could hold it.
            if let Err(Fault(why)) = end {
                let may = !rejections.is_empty() || why.contains("fits no memory");
                assert!(may, "{target}: {why} {call:?}");
            }
        }
    });
}

#[test]
fn a_missing_operand_is_a_fault() {
    each(100, Rules::Wild, |_, call, readings, whole| {
        let how = How {
            readings,
            ..How::default()
        };
        for (missing, _) in call.operands() {
            let mut before = whole.clone();
            before.regions.retain(|region| region.role != missing);
            for model in models() {
                let (end, memory, _) = ran(model, &call, &how, &before, false);
                assert!(end.is_err(), "{} {missing} {call:?}", model.target());
                assert_eq!(memory, before, "{} {missing} {call:?}", model.target());
            }
        }
    });
}

/// With all handshakes in place the pipes of A2/A3 end where the sequential run ends, in
/// whatever order they are drained; without one they end somewhere.
#[test]
fn pipes_end_as_the_sequential_run_does() {
    use Pipe::{MTE2, MTE3, V};
    for rules in [Rules::Legal, Rules::Wild] {
        each(100, rules, |_, call, readings, before| {
            if has_huge_tile(&call) {
                return;
            }
            let how = How {
                readings,
                ..How::default()
            };
            let (end, memory, log) = ran(model_of(Target::A2a3), &call, &how, before, true);
            let mut found = Vec::new();
            for order in [
                [V, MTE2, MTE3],
                [V, MTE3, MTE2],
                [MTE2, V, MTE3],
                [MTE2, MTE3, V],
                [MTE3, V, MTE2],
                [MTE3, MTE2, V],
            ] {
                let mut on_pipes = (before.clone(), Log::default());
                on_pipes.1.trace = Some(Vec::new());
                let (after, issued) = (&mut on_pipes.0, &mut on_pipes.1);
                let seen = run_pipes_draining(&call, after, &readings, None, &order, issued);
                assert_eq!(seen.is_ok(), end.is_ok(), "{call:?}");
                if seen.is_ok() {
                    assert_eq!(
                        on_pipes,
                        (memory.clone(), log.clone()),
                        "{order:?} {call:?}"
                    );
                }
                found.push(seen);
            }
            assert!(found.iter().all(|seen| *seen == found[0]), "{call:?}");
            for without in handshakes(&call).into_iter().chain(owed_by_caller(&call)) {
                let (mut memory, mut log) = (before.clone(), Log::default());
                let seen = run_pipes(&call, &mut memory, &readings, Some(without), &mut log);
                assert_eq!(seen.is_ok(), end.is_ok(), "{without} {call:?}");
            }
        });
    }
}

/// Gives an operand extents and strides that no memory has: nothing runs over them here.
fn widen(choices: &mut impl Choices, call: &mut Call) {
    let roles: Vec<Role> = call.operands().iter().map(|(role, _)| *role).collect();
    let role = choices.pick(&roles);
    let dims: Vec<&mut Dim> = if call.operand(role).is_some_and(|one| one.tile().is_some()) {
        let tile = call.tile_mut(role).into_iter();
        tile.flat_map(|tile| [&mut tile.valid_row, &mut tile.valid_col])
            .collect()
    } else {
        let tensor = call.tensor_mut(role).into_iter();
        tensor
            .flat_map(|tensor| tensor.shape.iter_mut().chain(&mut tensor.stride))
            .collect()
    };
    for dim in dims {
        if choices.one_in(3) {
            *dim = Dim::Dynamic(choices.pick(&HUGE));
        }
    }
}

/// The runs of an operand of `len` bytes are whole slots in it, one after the other.
fn are_slots(permits: &Permits, role: Role, len: usize) -> bool {
    let mut operands = permits.operands.iter();
    let operand = operands.find(|operand| operand.role == role).expect("it");
    let size = operand.dtype.size();
    let mut end = 0;
    operand.runs.iter().all(|run| {
        let follows = run.offset >= end && run.len > 0;
        end = run.offset + run.len;
        follows && end <= len && run.offset.is_multiple_of(size) && run.len.is_multiple_of(size)
    })
}

/// What is asked of the contract has an answer, by the first clause that the call breaks if
/// it breaks one; one question says what the four functions say; and the enumeration ends.
#[test]
fn the_contract_answers_of_any_call() {
    for rules in [Rules::Legal, Rules::Wild] {
        each(1000, rules, |choices, mut call, readings, before| {
            if choices.one_in(3) {
                widen(choices, &mut call);
            }
            let mut steps = vec![before.clone()];
            if choices.one_in(2) {
                steps.push(memory(choices));
            }
            let all: Vec<&Memory> = steps.iter().collect();
            for target in Target::VARIANTS.iter().copied() {
                let _ = enumerate(&call, &all, target, &readings);
                let (call, readings) = (&call, &readings);
                let broken = legality(call, target, readings);
                let owed = data_preconditions(call, &all, target, readings);
                let hung = hangs(call, target, readings);
                let own = permits(call, &all, target, readings);
                for verbosity in [Verbosity::Brief, Verbosity::Full] {
                    let question = Question {
                        call,
                        target,
                        readings,
                        verbosity,
                    };
                    let promise = Promise::of(&question, &steps);
                    let mut told = [broken.clone(), owed.clone()];
                    if verbosity == Verbosity::Brief {
                        told.iter_mut().flatten().for_each(|one| one.why.clear());
                    }
                    assert_eq!(promise.legality(), told[0], "{target} {call:?}");
                    assert_eq!(promise.preconditions(), told[1], "{target} {call:?}");
                    assert_eq!(promise.hangs(), hung, "{target} {call:?}");
                    let clean = broken.is_empty() && owed.is_empty();
                    assert_eq!(promise.permits(), own.as_ref().filter(|_| clean));
                }
                let Some(own) = own else { continue };
                if let Some(clause) = broken.first().map(|one| one.clause).or(hung) {
                    assert_eq!(own.oob_accesses, Some(clause), "{target} {call:?}");
                    continue;
                }
                for region in &before.regions {
                    let lasts = matches!(region.role, Role::Table | Role::Scratch);
                    let step = if lasts { all[0] } else { all[all.len() - 1] };
                    let len = step.get(region.role).expect("it").body().len();
                    assert!(are_slots(&own, region.role, len), "{target} {call:?}");
                }
                let _ = feeders(call, &all, target, readings, call.output(), 1);
            }
        });
    }
}
