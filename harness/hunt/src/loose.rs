//! Wrong results that the contract takes: what lies near a value that some order
//! reaches, and is reached by none, is offered to the judge as a result.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_case::{Case, Form};
use ptodiff_contract::{Permit, Permits, Run, data_preconditions, legality, permits};
use ptodiff_enumerate::{NAN, Out, Reachable, Values, enumerate};
use ptodiff_generate::random::Rules;
use ptodiff_isa::{
    Call, DType, Memory, OobAccesses, Party, Readings, Region, Role, Schedule, Target,
    TargetReadings,
};
use ptodiff_judge::{Answer, CaseContext, Expect, PartyInput, Ran, Value, each_wrong_slot};
use rayon::prelude::*;
use serde::Serialize;

use crate::{Drawer, Plan};

/// Most elements in the valid region of a data tile that is drawn: every order of
/// so many stores to one slot can mostly be tried.
const LANES: u64 = 16;
/// Reached values of a slot whose neighbours are offered.
const NEAR: usize = 6;

/// What wrong results were offered of, and under what kind of permit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Kind {
    /// The form of the call.
    pub form: Form,
    /// The element type of its output.
    pub dtype: DType,
    /// What the contract says of the slot: `kept`, `exactly`, `one of`,
    /// `interval`, `wide interval` or `anything`.
    pub permit: &'static str,
}

impl Kind {
    /// Whether the contract itself says that it permits more than it lists.
    #[must_use]
    pub fn is_stated(&self) -> bool {
        self.permit.ends_with("interval")
    }
}

/// How it went with one kind.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Count {
    /// Slots.
    pub slots: u64,
    /// Wrong values that were offered for them.
    pub offered: u64,
    /// Those that were taken.
    pub accepted: u64,
    /// The first of these, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
}

/// What was offered, and what of it was taken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Loose {
    /// By kind.
    pub kinds: BTreeMap<Kind, Count>,
    /// Calls on a target of which every slot was offered.
    pub calls: u64,
    /// Calls that brute force does not cover, such as those of too many orders.
    pub skipped: u64,
}

impl Loose {
    /// Of `cases`, with data of seed 0.
    #[must_use]
    pub fn of_cases(cases: &[Case]) -> Self {
        let of = |case: &Case| Self::of(case, &case.id);
        cases.par_iter().map(of).reduce(Self::default, Self::and)
    }

    /// Of legal cases `from` to `to` of seed 0.
    #[must_use]
    pub fn of_draws(from: u64, to: u64) -> Self {
        let drawer = Drawer::new(&Plan {
            rules: Some(Rules::Legal),
            max_lanes: LANES,
            further: false,
            ..Plan::default()
        });
        let of = |number| Self::of(&drawer.number(number).case, &format!("draw {number}"));
        let draws = (from..to).into_par_iter();
        draws.map(of).reduce(Self::default, Self::and)
    }

    /// Both together.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        for (kind, count) in other.kinds {
            let all = self.kinds.entry(kind).or_default();
            all.slots += count.slots;
            all.offered += count.offered;
            all.accepted += count.accepted;
            all.example = all.example.take().or(count.example);
        }
        self.calls += other.calls;
        self.skipped += other.skipped;
        self
    }

    fn of(case: &Case, name: &str) -> Self {
        Self::under(case, name, &|call, steps, target, readings| {
            permits(call, steps, target, readings)
        })
    }

    /// With what `promise` says of the calls.
    fn under(case: &Case, name: &str, promise: Promise<'_>) -> Self {
        let steps = ptodiff_generate::stimulus(case, 0).steps;
        let steps: Vec<&Memory> = steps.iter().collect();
        let call = &case.call;
        let mut all = Self::default();
        for target in case.targets.iter().copied() {
            let readings = &case.readings[target];
            if !legality(call, target, readings).is_empty()
                || !data_preconditions(call, &steps, target, readings).is_empty()
            {
                continue;
            }
            let Out::Of(reachable) = enumerate(call, &steps, target, readings) else {
                all.skipped += 1;
                continue;
            };
            let name = format!("{name} {target}");
            let permits = promise(call, &steps, target, readings);
            let kinds = permits.and_then(|p| offered(call, &steps, target, &p, &reachable, &name));
            all.calls += u64::from(kinds.is_some());
            let kinds = kinds.unwrap_or_default();
            all = all.and(Self {
                kinds,
                ..Self::default()
            });
        }
        all
    }
}

/// Says what may stand where after a call.
type Promise<'a> = &'a dyn Fn(&Call, &[&Memory], Target, &Readings) -> Option<Permits>;

/// Offers all wrong values of a call; none where there is nothing to offer them for.
fn offered(
    call: &Call,
    steps: &[&Memory],
    target: Target,
    permits: &Permits,
    reachable: &Reachable,
    name: &str,
) -> Option<BTreeMap<Kind, Count>> {
    let role = call.output();
    let key = Form::of(call).key(role);
    // A table keeps from call to call what it holds, and the others may lack it;
    // all else is loaded anew.
    let mut before = Memory::clone(steps.first()?);
    if role != Role::Table {
        *before.get_mut(role)? = steps.last()?.get(role)?.clone();
    }
    let before = &before;
    let offers = Offers::of(permits, reachable, before.get(role)?)?;
    let mut kinds = BTreeMap::<Kind, Count>::new();
    for slot in &offers.slots {
        let count = kinds.entry(offers.kind(call, slot)).or_default();
        count.slots += 1;
        count.offered += slot.wrong.len() as u64;
    }
    let party = Party::of(target);
    let most = offers.slots.iter().map(|slot| slot.wrong.len()).max()?;
    for round in 0..most {
        let answers = [offers.answer(before, role, round)];
        let input = PartyInput {
            party: &party,
            legality: &[],
            preconditions: &[],
            hangs: None,
            permits: Some(permits),
            answers: &answers,
            expect: Expect::NOTHING,
        };
        let context = CaseContext {
            call,
            before,
            steps: std::slice::from_ref(before),
            brief: true,
            readings: &TargetReadings::default(),
        };
        let mut rejected = BTreeSet::new();
        each_wrong_slot(&context, &input, |offset| {
            rejected.insert(offset / reachable.size);
        });
        for slot in offers.slots.iter().filter(|s| !rejected.contains(&s.at)) {
            let Some(&bits) = slot.wrong.get(round) else {
                continue;
            };
            let count = kinds.entry(offers.kind(call, slot)).or_default();
            count.accepted += 1;
            let dtype = offers.dtype;
            let value = Value { dtype, bits };
            let at = slot.at;
            let told = || format!("{name}: {} in element {at} of the {key}", value.hex());
            count.example.get_or_insert_with(told);
        }
    }
    Some(kinds)
}

/// The wrong values of every slot of an output.
struct Offers {
    dtype: DType,
    slots: Vec<Slot>,
}

struct Slot {
    at: usize,
    permit: &'static str,
    wrong: Vec<u64>,
}

impl Offers {
    fn of(permits: &Permits, reachable: &Reachable, before: &Region) -> Option<Self> {
        let mut operands = permits.operands.iter();
        let operand = operands.find(|operand| operand.role == reachable.role)?;
        let (dtype, size) = (operand.dtype, reachable.size);
        let mut runs = operand.runs.iter().peekable();
        let slots = reachable.slots.iter().zip(before.body().chunks_exact(size));
        let slot = |(at, (values, old)): (usize, (&Values, &[u8]))| {
            while runs
                .next_if(|run| run.offset + run.len <= at * size)
                .is_some()
            {}
            let run = runs.peek().filter(|run| run.offset <= at * size);
            let reached = values.set(Value::read(dtype, old).bits)?;
            let bounds = run.map_or(Vec::new(), |run| bounds(run, dtype, &permits.pool));
            Some(Slot {
                at,
                permit: run.map_or("kept", |run| kind(run, &permits.pool)),
                wrong: wrong(dtype, &reached, &bounds),
            })
        };
        Some(Self {
            dtype,
            slots: slots.enumerate().filter_map(slot).collect(),
        })
    }

    fn kind(&self, call: &Call, slot: &Slot) -> Kind {
        Kind {
            form: Form::of(call),
            dtype: self.dtype,
            permit: slot.permit,
        }
    }

    /// A result with the wrong value of this number in each slot that has so many.
    fn answer(&self, before: &Memory, role: Role, round: usize) -> Answer {
        let mut memory = before.clone();
        let size = self.dtype.size();
        if let Some(region) = memory.get_mut(role) {
            for slot in &self.slots {
                if let Some(bits) = slot.wrong.get(round) {
                    let bytes = &bits.to_le_bytes()[..size];
                    region.body_mut()[slot.at * size..][..size].copy_from_slice(bytes);
                }
            }
        }
        Answer::Ran(Ran {
            memory,
            oob_accesses: OobAccesses::default(),
            inputs_changed: Vec::new(),
            schedule: Schedule::InOrder,
        })
    }
}

fn kind(run: &Run, pool: &[u8]) -> &'static str {
    match run.permit {
        Permit::Exactly { .. } => "exactly",
        Permit::OneOf { .. } => "one of",
        Permit::Between { wide: true, .. } => "wide interval",
        // One value twice, and others.
        Permit::Between { low, high, .. } if pool[low..high] == pool[high..][..high - low] => {
            "one of"
        }
        Permit::Between { .. } => "interval",
        Permit::Anything => "anything",
    }
}

fn bounds(run: &Run, dtype: DType, pool: &[u8]) -> Vec<u64> {
    match run.permit {
        Permit::Between { low, high, .. } => [low, high]
            .map(|at| Value::read(dtype, &pool[at..]).bits)
            .to_vec(),
        _ => Vec::new(),
    }
}

/// Bits of the fraction of a floating-point type.
const fn fraction(dtype: DType) -> Option<u32> {
    Some(match dtype {
        DType::Half => 10,
        DType::Bfloat16 => 7,
        DType::Float => 23,
        DType::Float8E4M3 | DType::Hifloat8 => 3,
        DType::Float8E5M2 => 2,
        _ => return None,
    })
}

/// Values that are not `reached`: next to, at the sign of and at the exponents
/// beside some that are or that are `bounds`, and specials of the type.
fn wrong(dtype: DType, reached: &BTreeSet<u64>, bounds: &[u64]) -> Vec<u64> {
    let sign = 1 << (8 * dtype.size() - 1);
    let all = sign | (sign - 1);
    let near = reached.iter().step_by(reached.len().div_ceil(NEAR));
    let near = near.chain(reached.last()).chain(bounds);
    let mut offers = BTreeSet::new();
    for &x in near.filter(|x| **x != NAN) {
        let [below, above] = match fraction(dtype) {
            Some(bits) => [x.wrapping_sub(1 << bits), x.wrapping_add(1 << bits)],
            None => [x >> 1, x << 1],
        };
        offers.extend([x.wrapping_sub(1), x.wrapping_add(1), x ^ sign, below, above]);
    }
    match fraction(dtype) {
        Some(bits) => {
            let infinity = sign - (1 << bits);
            let nans = [infinity + 1, infinity | 1 << (bits - 1)];
            let specials = [0, 1, infinity, infinity - 1].into_iter().chain(nans);
            offers.extend(specials.flat_map(|x| [x, x | sign]));
        }
        None => offers.extend([0, 1, sign, sign - 1, all]),
    }
    let nan = |bits| Value { dtype, bits }.is_nan();
    let right = |x: &u64| reached.contains(x) || (reached.contains(&NAN) && nan(*x));
    offers
        .into_iter()
        .map(|x| x & all)
        .filter(|x| !right(x))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two sums on A5, one of which comes to -inf or NaN, and a kept slot.
    fn case() -> Case {
        let text = "cases:\n  - name: x\n    instruction: MSCATTER\n    mode: Elem\n    \
            atomic: Add\n    targets: [a5]\n    dtype: half\n    \
            tile: {shape: [1, 16], valid: [1, 4], data: {values: [60000, 6000, -inf, 1]}}\n    \
            index: {shape: [1, 8], valid: [1, 4], data: {values: [0, 0, 0, 1]}}\n    \
            table: {shape: [1, 1, 1, 1, 3], data: {values: [0, 2, 5]}}\n";
        let suite = ptodiff_case::load_str("x.yaml", text).expect("a case");
        suite.cases[0].clone()
    }

    #[test]
    fn what_no_order_reaches_is_not_taken() {
        let all = Loose::of(&case(), "x");
        assert_eq!((all.calls, all.skipped), (1, 0));
        let kinds: Vec<&str> = all.kinds.keys().map(|kind| kind.permit).collect();
        assert_eq!(kinds, ["exactly", "kept", "one of"]);
        for (kind, count) in &all.kinds {
            assert!(count.offered >= 8, "{kind:?} {count:?}");
            assert_eq!((count.slots, count.accepted), (1, 0), "{kind:?} {count:?}");
        }
    }

    #[test]
    fn what_is_taken_is_counted_with_the_first() {
        let open = |call: &Call, steps: &[&Memory], target, readings: &Readings| {
            let mut permits = permits(call, steps, target, readings)?;
            permits.operands[0].runs[0].permit = Permit::Anything;
            Some(permits)
        };
        let all = Loose::under(&case(), "x", &open);
        let of = |permit| {
            let found = all.kinds.iter().find(|(kind, _)| kind.permit == permit);
            found.expect("a slot").1
        };
        assert_eq!(of("anything").accepted, of("anything").offered);
        let example = of("anything").example.as_deref();
        assert_eq!(example, Some("x a5: 0x0000 in element 0 of the table"));
        assert_eq!(of("exactly").accepted + of("kept").accepted, 0);
    }

    #[test]
    fn neighbours_and_specials_are_offered() {
        // 65504 and some NaN.
        let offers = wrong(DType::Half, &[0x7BFF, NAN].into(), &[]);
        let near = [0x7BFE, 0x7C00, 0xFBFF, 0x77FF, 0x7FFF];
        for (n, bits) in near.into_iter().enumerate() {
            // What has the next exponent is a NaN.
            assert_eq!(offers.contains(&bits), n != 4, "{bits:#x}");
        }
        assert!(
            [0, 0x8000, 1, 0x8001, 0xFC00]
                .iter()
                .all(|x| offers.contains(x))
        );
        assert!(!offers.contains(&0x7BFF) && !offers.contains(&0x7E00));
        // 200 of eight bits.
        let offers = wrong(DType::Uint8, &[200].into(), &[]);
        assert_eq!(offers, [0, 1, 72, 100, 127, 128, 144, 199, 201, 255]);
    }
}
