//! What the calls have in common to which an implementation gives wrong values, or no answer, or
//! that it rejects though they are legal.
//!
//! A call has properties: its policy, its mode, its element type and so on. Of all sets of
//! up to three of them the one is taken that best tells the calls that go wrong from
//! those that do not, in bits of information less what it costs to name it. The calls
//! that have it are one cause; what is left is looked at again. Of a cause that was found
//! fewer properties are kept where they tell nearly as well of what is left: a fault shows
//! more in some calls than in others.
//!
//! Few calls have one size. Being above a power of two, or no multiple of one, is a property:
//! of each size the power is looked for that tells best alone.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use indexmap::{IndexMap, IndexSet};
use ptodiff_isa::{DType, Party};
use ptodiff_record::{CaseRecord, Finding, TargetRecord, TargetVerdict};

use crate::kind::place;

/// Properties in the order in which they are named: those that a call has of its own, then
/// [`INDICES`], [`TILE`], [`WIDTH`], [`INSTRUCTION`] and [`TARGET`], then sizes.
const NAMES: [&str; 26] = [
    "oob",
    "mode",
    "atomic",
    "conflict",
    "exec",
    "mask",
    "axis",
    "dtype",
    "index dtype",
    "table dtype",
    "source dtype",
    "destination dtype",
    "layout",
    "blayout",
    "slayout",
    "flush",
    "revision",
    "indices",
    "tile",
    "dtype width",
    "instruction",
    "target",
    "elements",
    "rows",
    "row bytes",
    "table",
];
/// What stands out of the index values: each thing is a property.
const INDICES: usize = 17;
const TILE: usize = INDICES + 1;
/// What is moved as it is goes wrong by the width of its type: one fault, of several types.
const WIDTH: usize = TILE + 1;
const INSTRUCTION: usize = WIDTH + 1;
const TARGET: usize = INSTRUCTION + 1;
/// Valid elements of the data tile.
const ELEMENTS: usize = TARGET + 1;
/// Its valid rows.
const ROWS: usize = ELEMENTS + 1;
/// Bytes of a valid row.
const ROW_BYTES: usize = ROWS + 1;
/// Elements of the table.
const TABLE: usize = ROW_BYTES + 1;

/// What is kept of the sizes of a call, each a number that a property is above.
type Sizes = [u8; 6];
/// The size that each is of; of the first four the exponent of the next power of two, of the
/// others how far the largest power that divides it is below [`LARGEST`].
const OF: [usize; 6] = [ELEMENTS, ROWS, ROW_BYTES, TABLE, ELEMENTS, ROW_BYTES];
/// No multiple of a larger power of two than this is looked for, as an exponent.
const LARGEST: u8 = 6;

/// Most properties of a cause: more would fit a few calls by chance.
const MOST: usize = 3;

/// Bits that say which of 64 limits a size is above: what tells less may be chance.
const LIMIT_COST: f64 = 6.0;

/// One of so many calls with a property must go wrong, or it says nothing of the others.
const RARE: usize = 20;

/// How much of the best score fewer properties of a cause must have to stand for both.
const NEARLY: f64 = 0.75;

/// Most kinds of calls that are told apart; where there are more no cause is looked for.
const KINDS: usize = 50_000;

/// A name, properties and sizes that calls share.
type Kind = (Arc<str>, Vec<u32>, Sizes);

/// A name and a value, the name as a number by which properties are in order.
type Property = (usize, String);

/// Properties by their numbers, in order; what is left of the places is [`NONE`].
type Set = [u32; MOST];
const NONE: u32 = u32::MAX;

/// What an implementation does with a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Did {
    /// It leaves wrong values.
    Wrong,
    /// It crashes, takes too long or too much memory.
    Ended,
    /// It rejects what is legal.
    Rejects,
    Conforms,
}

impl Did {
    /// What a finding is about, if it is about what a call did.
    pub(crate) fn of(finding: &Finding) -> Option<Self> {
        match place(&finding.failure_group)? {
            "valid" | "padding" | "guard" | "input" | "scratch" | "out-of-bounds" => {
                Some(Self::Wrong)
            }
            "crash" | "timeout" | "memory" => Some(Self::Ended),
            "rejection" if finding.what.starts_with("rejects what ") => Some(Self::Rejects),
            _ => None,
        }
    }
}

/// The number of a kind of calls, and what goes wrong with them.
pub(crate) type Called = (Did, usize);

/// What calls of one implementation that go wrong have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cause {
    /// The properties, each as `oob=Wrap`.
    pub properties: Vec<String>,
    /// Calls that go wrong and have them.
    pub wrong: usize,
    /// Those, and the calls that have them and do not go wrong so.
    pub calls: usize,
    /// Those that go wrong and are of no cause that was found before.
    pub(crate) own: usize,
}

impl Cause {
    /// Whether a call has the properties that its parameters tell one by one, as a record has
    /// them: sizes are not looked at.
    #[must_use]
    pub fn is_of(&self, call: &BTreeMap<String, String>) -> bool {
        let own = own(call);
        let mut all = self.properties.iter().map(|property| read(property));
        all.all(|property| property.0 > INDICES || own.contains(&property))
    }

    /// The properties that a call has, as a record has them, sizes among them.
    #[must_use]
    pub fn had_by(&self, call: &BTreeMap<String, String>) -> Vec<&str> {
        let (own, sizes) = (own(call), sizes(call));
        let has = |property: &&str| {
            let property = read(property);
            let mut above = (0..OF.len()).flat_map(|n| (0..sizes[n]).map(move |l| named((n, l))));
            matches!(property.0, INSTRUCTION | TARGET)
                || own.contains(&property)
                || above.any(|size| size == property)
        };
        let all = self.properties.iter().map(String::as_str);
        all.filter(has).collect()
    }

    /// In one line, with the numbers that speak for it.
    pub(crate) fn said(&self) -> String {
        let Self {
            wrong, calls, own, ..
        } = self;
        let named = self.properties.join(", ");
        let mut said = match wrong == calls {
            true => format!("{named}: all {calls} calls with it fail"),
            false => format!("{named}: {wrong} of the {calls} calls with it fail"),
        };
        if own < wrong {
            said += &format!(", {} of them in another group", wrong - own);
        }
        said
    }
}

/// The calls of implementations, counted by their properties.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls {
    properties: IndexSet<Property>,
    /// By the name of an implementation, the numbers of the properties, in order, and the
    /// sizes: how many calls did what, by [`Did`].
    kinds: IndexMap<Kind, [usize; 4]>,
    /// Whether there were more than [`KINDS`].
    full: bool,
}

/// The causes, and which of them a kind of call is of.
pub(crate) struct Causes {
    pub(crate) all: Vec<Cause>,
    of: HashMap<Called, usize>,
}

impl Causes {
    pub(crate) fn of(&self, called: Called) -> Option<usize> {
        self.of.get(&called).copied()
    }
}

impl Calls {
    /// Adds the call that `party` was asked for in `case`: what went wrong, and the number of
    /// its kind. Models are no implementations.
    pub(crate) fn add(
        &mut self,
        case: &CaseRecord,
        party: &Party,
        target: &TargetRecord,
    ) -> Option<Called> {
        let name = party.form.as_ref()?;
        let wrong = target.findings.iter().filter_map(Did::of).min();
        let conforms = target.verdict == TargetVerdict::Conforms;
        let did = wrong.or_else(|| conforms.then_some(Did::Conforms))?;
        let is_clause = |of: &Finding| of.clause.is_some() && Did::of(of) == wrong;
        if did == Did::Ended && target.findings.iter().any(is_clause) {
            // It should have rejected the call: what such calls have in common is the clause.
            return None;
        }
        let key = (
            name.clone(),
            self.properties(case, party),
            sizes(&case.call),
        );
        if self.kinds.len() == KINDS && !self.kinds.contains_key(&key) {
            self.full = true;
            return None;
        }
        let kind = self.kinds.entry(key);
        let number = kind.index();
        kind.or_default()[did as usize] += 1;
        Some((did, number))
    }

    /// The numbers of the properties of a call, in order.
    fn properties(&mut self, case: &CaseRecord, party: &Party) -> Vec<u32> {
        let own = own(&case.call).into_iter();
        let mut has: Vec<u32> = own.map(|(name, value)| self.number(name, &value)).collect();
        has.push(self.number(INSTRUCTION, case.instruction.into()));
        has.push(self.number(TARGET, party.target.into()));
        has.sort_unstable();
        has
    }

    fn number(&mut self, name: usize, value: &str) -> u32 {
        let (number, _) = self.properties.insert_full((name, value.to_owned()));
        u32::try_from(number).unwrap_or(NONE)
    }

    /// The causes of what is wrong with each implementation.
    pub(crate) fn causes(&self) -> Causes {
        let mut causes = Causes {
            all: Vec::new(),
            of: HashMap::new(),
        };
        if !self.full {
            let names: BTreeSet<&str> = self.kinds.keys().map(|(of, ..)| &**of).collect();
            for name in names {
                for did in [Did::Wrong, Did::Ended, Did::Rejects] {
                    self.look(name, did, &mut causes);
                }
            }
        }
        causes
    }

    /// The kinds of calls of the implementation called `name`, with their numbers, and how many
    /// calls went wrong in the way of `did` and how many did not.
    fn of<'a>(
        &'a self,
        name: &'a str,
        did: Did,
    ) -> impl Iterator<Item = (usize, &'a Kind, [usize; 2])> {
        let all = self.kinds.iter().enumerate();
        let own = all.filter(move |(_, ((of, ..), _))| **of == *name);
        own.map(move |(n, (kind, counts))| {
            // What would have come of the others without a result nobody knows.
            let ran = match did {
                Did::Wrong => counts[Did::Conforms as usize],
                _ => counts[Did::Wrong as usize] + counts[Did::Conforms as usize],
            };
            (n, kind, [counts[did as usize], ran])
        })
    }

    /// For each size the limit above which calls are wrong most clearly, if there is one.
    fn limits(&self, name: &str, did: Did) -> Vec<(usize, u8)> {
        let sum = |above: &dyn Fn(&Sizes) -> bool| {
            let those = self
                .of(name, did)
                .filter(|(_, (.., sizes), _)| above(sizes));
            those.fold([0, 0], |[a, b], (.., [wrong, conform])| {
                [a + wrong, b + conform]
            })
        };
        let all = sum(&|_| true);
        let best = |size: usize| {
            let each = (0..u64::BITS as u8).map(|limit| {
                let told = gain(sum(&|sizes| sizes[size] > limit), all);
                (told, (size, limit))
            });
            each.max_by(|(one, _), (other, _)| one.total_cmp(other))
        };
        let best = (0..OF.len()).filter_map(best);
        best.filter(|(told, _)| *told > LIMIT_COST)
            .map(|(_, limit)| limit)
            .collect()
    }

    /// Looks for the causes of what the implementation called `name` did.
    fn look(&self, name: &str, did: Did, causes: &mut Causes) {
        let limits = self.limits(name, did);
        let mut properties: Vec<Property> = self.properties.iter().cloned().collect();
        let mut own: IndexMap<Vec<u32>, Alike> = IndexMap::new();
        for (n, (_, has, sizes), counts) in self.of(name, did) {
            let above = limits.iter().zip(properties.len() as u32..);
            let above = above.filter(|((size, limit), _)| sizes[*size] > *limit);
            let alike = own.entry(has.iter().copied().chain(above.map(|(_, p)| p)).collect());
            alike.or_default().add(n, counts);
        }
        properties.extend(limits.into_iter().map(named));
        let sizes = self.properties.len() as u32..properties.len() as u32;
        let mut counts: HashMap<Set, [usize; 2]> = HashMap::new();
        for (has, of) in own.iter().filter(|(_, of)| of.wrong > 0) {
            for set in subsets(has) {
                counts.entry(set).or_default()[0] += of.wrong;
            }
        }
        for (has, of) in own.iter().filter(|(_, of)| of.conforming > 0) {
            for set in subsets(has) {
                if let Some(count) = counts.get_mut(&set) {
                    count[1] += of.conforming;
                }
            }
        }
        let mut wrong: usize = own.values().map(|of| of.wrong).sum();
        let conforming: usize = own.values().map(|of| of.conforming).sum();
        let names = |set: &Set| -> Vec<&Property> {
            let numbers = set.iter().filter(|n| **n != NONE);
            let mut all: Vec<&Property> = numbers.map(|n| &properties[*n as usize]).collect();
            all.sort_unstable();
            all
        };
        // A width is no property more: it is that of the types.
        let others = properties.iter().filter(|(name, _)| *name != WIDTH);
        let cost = (others.count().max(2) as f64).log2();
        let instructions = self.properties.iter().zip(0..);
        let instructions = instructions.filter(|((name, _), _)| *name == INSTRUCTION);
        let instructions: Vec<u32> = instructions.map(|(_, number)| number).collect();
        let mut found: Vec<(usize, Set)> = Vec::new();
        // One wrong call has everything in common with itself.
        while wrong > 1 {
            let costs = |set: &Set| {
                let limits = set.iter().filter(|n| sizes.contains(n)).count();
                cost * len(set) as f64 + LIMIT_COST * limits as f64
            };
            let score = |set: &Set, [inside, conform]: [usize; 2]| {
                gain([inside, conform], [wrong, conforming]) - costs(set)
            };
            let several = counts
                .iter()
                .filter(|(_, [inside, conform])| *inside > 1 && inside * RARE >= inside + conform);
            let best = several
                .map(|(set, count)| (score(set, *count), *set))
                .max_by(|(a, one), (b, other)| {
                    // What all calls of an instruction have says no more than that.
                    let whole = |set| names(set).iter().any(|(name, _)| *name == INSTRUCTION);
                    a.total_cmp(b)
                        .then_with(|| len(other).cmp(&len(one)))
                        .then_with(|| whole(one).cmp(&whole(other)))
                        .then_with(|| names(other).cmp(&names(one)))
                });
            let Some((most, mut set)) = best.filter(|(score, _)| *score > 0.0) else {
                return;
            };
            if !tells_in_each(&set, costs(&set), &own, &instructions) {
                counts.remove(&set);
                continue;
            }
            let mut cause = causes.all.len();
            let mut near = most * NEARLY;
            for (of, whole) in &found {
                for part in subsets(&whole[..len(whole)]).filter(|part| part != whole) {
                    let score = counts.get(&part).map_or(0.0, |count| score(&part, *count));
                    if score >= near {
                        (cause, set, near) = (*of, part, score);
                    }
                }
            }
            let [inside, conform] = counts[&set];
            let have = |has: &[u32]| set.iter().all(|p| *p == NONE || has.contains(p));
            let those = own.iter().filter(|(has, _)| have(has));
            let wrong_of_all: usize = those.map(|(_, of)| of.all_wrong).sum();
            let mut now = Cause {
                properties: names(&set).into_iter().map(shown).collect(),
                wrong: wrong_of_all,
                calls: wrong_of_all + conform,
                own: inside,
            };
            match causes.all.get_mut(cause) {
                Some(wider) => {
                    now.own += wider.own;
                    *wider = now;
                    found.retain(|(of, _)| *of != cause);
                }
                None => causes.all.push(now),
            }
            found.push((cause, set));
            for (has, of) in own.iter_mut().filter(|(_, of)| of.wrong > 0) {
                if have(has) {
                    for n in &of.kinds {
                        causes.of.insert((did, *n), cause);
                    }
                    for set in subsets(has) {
                        if let Some(count) = counts.get_mut(&set) {
                            count[0] -= of.wrong;
                        }
                    }
                    of.wrong = 0;
                }
            }
            wrong -= inside;
        }
    }
}

/// Whether a set tells more than it costs of each instruction in which calls with it go wrong:
/// faults of two instructions are two, whatever else their calls have in common.
fn tells_in_each(
    set: &Set,
    costs: f64,
    own: &IndexMap<Vec<u32>, Alike>,
    instructions: &[u32],
) -> bool {
    let count = |instruction: u32, within: bool| {
        let those = own.iter().filter(|(has, _)| {
            has.contains(&instruction)
                && (!within || set.iter().all(|p| *p == NONE || has.contains(p)))
        });
        those.fold([0, 0], |[a, b], (_, of)| [a + of.wrong, b + of.conforming])
    };
    let inside = instructions.iter().map(|i| (count(*i, true), *i));
    let wrong: Vec<_> = inside.filter(|([wrong, _], _)| *wrong > 0).collect();
    let tells = |(inside, i): &([usize; 2], u32)| gain(*inside, count(*i, false)) > costs;
    wrong.len() < 2 || wrong.iter().all(tells)
}

/// Kinds of calls with the same properties.
#[derive(Default)]
struct Alike {
    kinds: Vec<usize>,
    /// Of no cause yet.
    wrong: usize,
    all_wrong: usize,
    conforming: usize,
}

impl Alike {
    fn add(&mut self, kind: usize, [wrong, conforming]: [usize; 2]) {
        if wrong > 0 {
            self.kinds.push(kind);
        }
        self.wrong += wrong;
        self.all_wrong += wrong;
        self.conforming += conforming;
    }
}

/// The properties of a call but for instruction, target and sizes.
fn own(call: &BTreeMap<String, String>) -> Vec<Property> {
    let mut has = Vec::with_capacity(NAMES.len());
    for (n, name) in NAMES[..INDICES].iter().enumerate() {
        has.extend(call.get(*name).map(|value| (n, value.clone())));
    }
    let indices = call.get(NAMES[INDICES]).into_iter();
    let indices = indices.flat_map(|all| all.split(", "));
    has.extend(indices.map(|one| (INDICES, one.to_owned())));
    let tile = ["tile", "source", "destination"].map(|name| call.get(name));
    if tile.into_iter().flatten().any(|text| text.contains(" in ")) {
        has.push((TILE, "partly valid".to_owned()));
    }
    if let Some(dtype) = dtype(call) {
        has.push((WIDTH, format!("{} bits", 8 * dtype.size())));
    }
    has
}

/// A property that a cause names.
fn read(property: &str) -> Property {
    let (name, value) = property.split_once('=').unwrap_or_default();
    let number = NAMES.iter().position(|known| *known == name);
    (number.unwrap_or(NAMES.len()), value.to_owned())
}

fn dtype(call: &BTreeMap<String, String>) -> Option<DType> {
    call.get("dtype")?.parse().ok()
}

/// The sizes of a call; what it does not have is 0.
fn sizes(call: &BTreeMap<String, String>) -> Sizes {
    // A gather by offsets has its lanes in the destination.
    let on_chip = match call.contains_key("offset") {
        true => "destination",
        false => "source",
    };
    let data = ["tile", on_chip]
        .into_iter()
        .find_map(|name| call.get(name));
    let tile = data.map(|text| extents(text)).unwrap_or_default();
    let table = call.get("table").map(|text| extents(text));
    let product = |all: &[u64]| all.iter().fold(1, |n: u64, one| n.saturating_mul(*one));
    let bytes = dtype(call).map_or(1, |dtype| dtype.size() as u64);
    let row_bytes = tile.get(1).map_or(0, |cols| cols.saturating_mul(bytes));
    let above = |n: u64| (u64::BITS - n.saturating_sub(1).leading_zeros()) as u8;
    let below = |n: u64| LARGEST - (n.trailing_zeros() as u8).min(LARGEST);
    [
        above(product(&tile)),
        above(tile.first().copied().unwrap_or_default()),
        above(row_bytes),
        above(table.map_or(0, |shape| product(&shape))),
        below(product(&tile)),
        below(row_bytes),
    ]
}

/// The extents in `2x8 in 4x8 RowMajor`, or `1x1x1xdyn 4x8`: of a tile its valid ones.
fn extents(text: &str) -> Vec<u64> {
    let valid = text.split(" in ").next().unwrap_or_default();
    let each = valid.split('x').map(|part| part.trim_start_matches("dyn "));
    each.map_while(|part| part.split(' ').next()?.parse().ok())
        .collect()
}

/// A size above a limit as a property.
fn named((size, limit): (usize, u8)) -> Property {
    let value = match size < 4 {
        true => format!("more than {}", 1_u64 << limit),
        false => format!("no multiple of {}", 1_u64 << (LARGEST - limit)),
    };
    (OF[size], value)
}

fn shown((name, value): &Property) -> String {
    format!("{}={value}", NAMES[*name])
}

fn len(set: &Set) -> usize {
    set.iter().filter(|n| **n != NONE).count()
}

/// The sets of one to [`MOST`] of `has`, which is in order.
fn subsets(has: &[u32]) -> impl Iterator<Item = Set> {
    has.iter().enumerate().flat_map(move |(n, a)| {
        let two = has[n + 1..].iter().enumerate().flat_map(move |(m, b)| {
            let three = has[n + m + 2..].iter().map(move |c| [*a, *b, *c]);
            std::iter::once([*a, *b, NONE]).chain(three)
        });
        std::iter::once([*a, NONE, NONE]).chain(two)
    })
}

/// Bits that a set tells of whether a call is wrong; 0 where its calls are so less often.
/// Both have the wrong calls first, then the others.
fn gain(inside: [usize; 2], all: [usize; 2]) -> f64 {
    let outside = [all[0] - inside[0], all[1] - inside[1]];
    let rate = |[wrong, right]: [usize; 2]| wrong as f64 / (wrong + right).max(1) as f64;
    match rate(inside) > rate(all) {
        true => bits(all) - bits(inside) - bits(outside),
        false => 0.0,
    }
}

/// Bits that say which of the calls are wrong, one by one.
fn bits([wrong, right]: [usize; 2]) -> f64 {
    let all = (wrong + right) as f64;
    let of = |n: usize| match n {
        0 => 0.0,
        n => n as f64 * (all / n as f64).log2(),
    };
    of(wrong) + of(right)
}
