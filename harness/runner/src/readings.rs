//! Which readings matter for a case: under which other choice a target
//! answers differently.

use std::{
    cell::OnceCell,
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use ptodiff_contract::{Enforced, Permit, Permits};
use ptodiff_isa::{
    Call, Coalesce, How, Layout, MaskPattern, Memory, Model, Readings, Role, Schedule, Target,
    Tile,
    reading::{GAPS, Gap},
};
use ptodiff_judge::Answer;
use ptodiff_record::ReadingUse;

use crate::execute;

/// The parameters that matter for `call` on `models`, with `readings` in force.
pub(crate) fn that_matter(
    call: &Call,
    steps: &[Memory],
    readings: &Readings,
    models: &[&dyn Model],
) -> Vec<ReadingUse> {
    let asked = Asked {
        call,
        steps,
        readings,
        models: models.iter().map(|m| (*m, OnceCell::new())).collect(),
    };
    GAPS.iter().filter_map(|gap| asked.use_of(gap)).collect()
}

/// A call whose readings are asked about.
struct Asked<'a> {
    call: &'a Call,
    steps: &'a [Memory],
    readings: &'a Readings,
    /// Each model with what it makes of the call under the readings in force.
    models: Vec<(&'a dyn Model, OnceCell<Account>)>,
}

impl Asked<'_> {
    fn use_of(&self, gap: &Gap) -> Option<ReadingUse> {
        let matters = |target| may_matter(gap, self.call, self.steps, target);
        let models = self.models.iter();
        let concerned: Vec<_> = models.filter(|(m, _)| matters(m.target())).collect();
        if concerned.is_empty() {
            return None;
        }
        let choice = self.readings.choice(gap.name)?;
        let mut differs_under = BTreeMap::new();
        for other in gap.choices.iter().filter(|c| **c != choice) {
            let mut changed = *self.readings;
            changed.set(gap.name, other).ok()?;
            let differs = |(model, own): &&(&dyn Model, OnceCell<Account>)| {
                let own = own.get_or_init(|| account(*model, self.call, self.steps, self.readings));
                *own != account(*model, self.call, self.steps, &changed)
            };
            let differing = concerned.iter().copied().filter(differs);
            let targets: Vec<Target> = differing.map(|(m, _)| m.target()).collect();
            if !targets.is_empty() {
                differs_under.insert((*other).to_owned(), targets);
            }
        }
        (!differs_under.is_empty()).then(|| ReadingUse {
            gap: gap.name.to_owned(),
            clauses: gap.clauses.iter().map(ToString::to_string).collect(),
            choice: choice.to_owned(),
            differs_under,
            verdict_under: BTreeMap::new(),
        })
    }
}

/// Whether the gap can touch this call on this target at all: saves running
/// what cannot differ.
fn may_matter(gap: &Gap, call: &Call, steps: &[Memory], target: Target) -> bool {
    if gap.name == "negative-index" {
        return target != Target::Cpu && has_negative_index(call, steps);
    }
    match (call, gap.name) {
        (Call::Mscatter(_), "cpu-form") => target == Target::Cpu,
        (Call::Mscatter(c), "nz-elem-order") => {
            target == Target::A2a3 && c.table.layout == Layout::NZ && c.mode == Coalesce::Elem
        }
        (Call::MscatterFirst(c), "first-mode") => c.src.cols == 1 && c.idx.cols == 1,
        (Call::MscatterFirst(_), name) => name.starts_with("first-"),
        (Call::MgatherL1(_), "scope") => target == Target::Cpu,
        (Call::MgatherL1(c), "l1-row-padding") => c.mode == Coalesce::Row && padded(&c.dst),
        (Call::MgatherL1(c), "l1-scratch-zero") => c.mode == Coalesce::Elem && padded(&c.dst),
        (Call::MgatherL1(_), "l1-index-pitch") => true,
        (Call::TscatterIndex(c), "scope") => c.src.dtype.size() == 8 || c.dst.dtype.size() == 8,
        (Call::TscatterIndex(c), "tscatter-range") => padded(&c.dst),
        (Call::TscatterIndex(_), name) => name.starts_with("tscatter-"),
        (Call::TscatterMask(_), "scope") => true,
        (Call::TscatterMask(c), "mask-p1111-padding") => {
            c.pattern == MaskPattern::P1111 && padded(&c.dst)
        }
        (Call::Tgatherb(c), "tgatherb-boundary") => padded(&c.src),
        (Call::Tgatherb(_), name) => name.starts_with("tgatherb-"),
        _ => false,
    }
}

/// Whether part of the tile does not count.
fn padded(tile: &Tile) -> bool {
    (tile.valid_row.get(), tile.valid_col.get()) != (tile.rows, tile.cols)
}

fn has_negative_index(call: &Call, steps: &[Memory]) -> bool {
    let Some(dtype) = call.operand(Role::Index).map(|operand| operand.dtype()) else {
        return false;
    };
    let sign = dtype.size().saturating_sub(1);
    dtype.is_signed_integer()
        && steps.iter().filter_map(|s| s.get(Role::Index)).any(|r| {
            r.body()
                .chunks_exact(dtype.size())
                .any(|i| i[sign] & 0x80 != 0)
        })
}

/// What a target makes of a call, as far as a reading can change it.
#[derive(PartialEq)]
enum Account {
    Refused,
    Undefined,
    /// Holds these bytes; what it may hold, as a digest.
    Ran(Vec<u8>, Option<u64>),
    Hung,
    Fault,
}

fn account(model: &dyn Model, call: &Call, steps: &[Memory], readings: &Readings) -> Account {
    match execute::check(model, call, readings) {
        Err(_) => return Account::Fault,
        Ok(refusals) if !refusals.is_empty() => return Account::Refused,
        Ok(_) => {}
    }
    let target = model.target();
    let by_caller = |b: &ptodiff_contract::Broken| b.enforced == Enforced::ByCaller;
    let all: Vec<&Memory> = steps.iter().collect();
    if ptodiff_contract::legality(call, target, readings)
        .iter()
        .any(by_caller)
        || !ptodiff_contract::data_duties(call, &all, target, readings).is_empty()
    {
        return Account::Undefined;
    }
    let how = How {
        schedule: Schedule::InOrder,
        readings: *readings,
    };
    match execute::execute(model, call, steps, &how) {
        Answer::Ran(ran) => {
            let output = ran.memory.get(call.output());
            let bytes = output.map(|r| r.bytes().to_vec()).unwrap_or_default();
            let promised = ptodiff_contract::permits(call, &all, target, readings);
            Account::Ran(bytes, promised.ok().map(|permits| digest(&permits)))
        }
        Answer::Hung(_) => Account::Hung,
        Answer::Refused(_) | Answer::Fault(_) => Account::Fault,
    }
}

/// What `permits` lets each slot hold, whatever the clauses.
fn digest(permits: &Permits) -> u64 {
    let mut hasher = DefaultHasher::new();
    let pool = |at: usize, len: usize| &permits.pool[at..at + len];
    for operand in &permits.operands {
        (operand.role, operand.guards_free.is_some()).hash(&mut hasher);
        let size = operand.dtype.size();
        // Runs that differ in their clauses only are one.
        let mut exact_until = None;
        for run in &operand.runs {
            let exactly = matches!(run.permit, Permit::Exactly { .. }) && run.or_kept.is_none();
            if !exactly || exact_until != Some(run.offset) {
                (run.offset, run.or_kept.is_some()).hash(&mut hasher);
            }
            exact_until = exactly.then_some(run.offset + run.len);
            match run.permit {
                Permit::Exactly { at } => hasher.write(pool(at, run.len)),
                Permit::OneOf { at, count } => {
                    (run.len, count, pool(at, run.len * count)).hash(&mut hasher);
                }
                Permit::Between { low, high } => {
                    ("from", pool(low, size), pool(high, size)).hash(&mut hasher);
                }
                Permit::Anything => ("anything", run.len).hash(&mut hasher),
            }
        }
    }
    permits.strays.is_some().hash(&mut hasher);
    hasher.finish()
}
