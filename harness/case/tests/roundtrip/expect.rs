//! Any expectations that a case may have.

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use ptodiff_case::{
    Case, Expectation, ExpectedOutcome, ExpectedSlot, ExpectedSlots, ExpectedTrace, Hole, HoleKind,
    HolePlace, Spelling,
};
use ptodiff_isa::{Clause, Operand, Role};

/// The order in which a file has operands.
const ROLES: [Role; 5] = [
    Role::Table,
    Role::Destination,
    Role::Scratch,
    Role::Source,
    Role::Index,
];

/// The order in which a file has spellings.
const SPELLINGS: [Spelling; 7] = [
    Spelling::Synchronous,
    Spelling::Mode,
    Spelling::Level1,
    Spelling::Level2,
    Spelling::Manual,
    Spelling::Sketch,
    Spelling::Cpp,
];

fn known(id: &str) -> Clause {
    Clause(ptodiff_register::find(id).expect("in the register").id)
}

/// Clauses to be a case that covers.
pub(crate) fn covers() -> impl Strategy<Value = Vec<Clause>> {
    let ids = vec!["MSCATTER-SEM-02", "MGATHER-SEM-01", "TSCATTER-SHAPE-02"];
    subsequence(ids, 0..=3)
        .prop_shuffle()
        .prop_map(|ids| ids.into_iter().map(known).collect())
}

/// The first `count` of some holes of the targets of `case`.
pub(crate) fn holes(case: &Case, count: usize) -> Vec<Hole> {
    let kinds = [HoleKind::UncheckedPrecondition, HoleKind::OneSidedRejection];
    let hole = |kind: &HoleKind| Hole {
        kind: *kind,
        targets: case.targets.iter().rev().copied().collect(),
        clauses: vec![known("MSCATTER-SEM-02"), known("MSCATTER-GAP-01")],
        place: HolePlace::OutOfBoundsWrite,
    };
    kinds[..count].iter().map(hole).collect()
}

/// A gap to tell the readings of apart.
pub(crate) fn gap() -> impl Strategy<Value = Option<Clause>> {
    option::of(select(vec!["MSCATTER-GAP-01", "TGATHERB-GAP-14"]).prop_map(known))
}

/// Entries of `case` without an answer, then one each for some answers to its gap.
pub(crate) fn entries(case: &Case) -> impl Strategy<Value = Vec<Expectation>> + use<> {
    let gap = case.gap.and_then(|gap| ptodiff_register::find(gap.0)?.gap);
    let letters: Vec<char> = gap.map_or(Vec::new(), |gap| {
        gap.readings.iter().map(|reading| reading.letter).collect()
    });
    let answered = subsequence(letters.clone(), 0..=letters.len());
    let plain = 0..3_usize;
    let entry = entry(case);
    (plain, answered).prop_flat_map(move |(plain, answered)| {
        let answers = std::iter::repeat_n(None, plain).chain(answered.into_iter().map(Some));
        let entries: Vec<_> = answers
            .map(|answer| {
                let with = move |entry| Expectation { answer, ..entry };
                entry.clone().prop_map(with).boxed()
            })
            .collect();
        entries
    })
}

fn entry(case: &Case) -> BoxedStrategy<Expectation> {
    let all = case.targets.clone();
    let targets = subsequence(all.clone(), 1..=all.len());
    let outcome = select(vec![
        ExpectedOutcome::Rejected,
        ExpectedOutcome::Undefined,
        ExpectedOutcome::Hangs,
    ]);
    let result = (operands(case), trace(), spelled())
        .prop_filter("an entry says something", |(slots, trace, spelled)| {
            !(slots.is_empty() && trace.is_empty() && spelled.is_empty())
        })
        .prop_map(|(slots, trace, spelled)| (ExpectedOutcome::Result, slots, trace, spelled));
    let other = (outcome, spelled())
        .prop_map(|(outcome, spelled)| (outcome, Vec::new(), ExpectedTrace::default(), spelled));
    (targets, prop_oneof![4 => result, 1 => other])
        .prop_map(|(targets, (outcome, slots, trace, spelled))| Expectation {
            targets,
            answer: None,
            outcome,
            slots,
            trace,
            spelled,
        })
        .boxed()
}

fn operands(case: &Case) -> BoxedStrategy<Vec<ExpectedSlots>> {
    let call = case.call;
    let has = ROLES
        .into_iter()
        .filter(|role| call.operand(*role).is_some());
    let has: Vec<_> = has.collect();
    subsequence(has.clone(), 0..=has.len())
        .prop_flat_map(move |roles| {
            let each: Vec<_> = roles
                .into_iter()
                .filter_map(|role| Some(slots(role, call.operand(role)?)))
                .collect();
            each
        })
        .boxed()
}

/// Elements from the first to the last one of an operand's body.
fn body(operand: Operand<'_>) -> usize {
    let elements = match operand {
        Operand::Tile(tile) => tile.rows * tile.cols,
        Operand::Tensor(tensor) => {
            let reach = |at: usize| (tensor.shape[at].get() - 1) * tensor.stride[at].get();
            if tensor.shape.iter().any(|extent| extent.get() == 0) {
                0
            } else {
                (0..5).map(reach).sum::<u64>() + 1
            }
        }
    };
    elements as usize
}

/// Runs of tokens, as many as the operand takes.
fn slots(role: Role, operand: Operand<'_>) -> BoxedStrategy<ExpectedSlots> {
    let elements = body(operand);
    let most = u64::MAX >> (64 - 8 * operand.dtype().size());
    let value = prop_oneof![0..4_u64, any::<u64>()].prop_map(move |bits| bits & most);
    let one_of = (vec(value, 1..4), any::<bool>()).prop_map(|(mut bits, or_kept)| {
        bits.sort_unstable();
        bits.dedup();
        bits.reverse();
        ExpectedSlot::OneOf { bits, or_kept }
    });
    let token = prop_oneof![
        3 => Just(ExpectedSlot::Kept),
        1 => Just(ExpectedSlot::Any),
        3 => one_of,
    ];
    let length = prop_oneof![1..3_usize, 1..40_usize];
    vec((token, length), 1..8)
        .prop_map(move |runs| {
            let runs = runs.iter().cycle();
            let each = runs.flat_map(|(token, n)| std::iter::repeat_n(token, *n));
            let each = each.take(elements).cloned();
            ExpectedSlots::new(role, each.map(|token| (1, token)))
        })
        .boxed()
}

fn pattern() -> impl Strategy<Value = String> {
    let long = Just("* 0123456789".repeat(120));
    let text = "[ -~é\n]{0,20}[*a-z]";
    prop_oneof![9 => text, 1 => long]
}

fn trace() -> impl Strategy<Value = ExpectedTrace> {
    let count = btree_map(pattern(), any::<u64>(), 0..3);
    (count, vec(pattern(), 0..3)).prop_map(|(count, order)| ExpectedTrace {
        count: count.into_iter().rev().collect(),
        order,
    })
}

fn spelled() -> impl Strategy<Value = Vec<(Spelling, String)>> {
    subsequence(SPELLINGS.to_vec(), 0..=3).prop_flat_map(|spellings| {
        let each: Vec<_> = spellings
            .into_iter()
            .map(|spelling| (Just(spelling), pattern()))
            .collect();
        each
    })
}
