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
//! Calls without a result are one group by what was said of them. There properties that all of
//! it have are taken where they tell nearly as well; where none do, how many have those is told.
//!
//! Few calls have one size. Being above a power of two, or no multiple of one, is a property:
//! of each size the power is looked for that tells best alone.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use indexmap::{IndexMap, IndexSet};
use ptodiff_isa::Party;
use ptodiff_record::{CaseRecord, Finding, TargetRecord, TargetVerdict};

use crate::{
    kind::place,
    property::{
        INDICES, INSTRUCTION, OF, Property, Sizes, TARGET, WIDTH, named, own, read, shown, sizes,
    },
};

/// Most properties of a cause: more would fit a few calls by chance.
const MOST: usize = 3;

/// Bits that say which of 64 limits a size is above: what tells less may be chance.
const LIMIT_COST: f64 = 6.0;

/// One of so many calls with a property must go wrong, or it says nothing of the others.
const RARE: usize = 20;

/// How much of the best score fewer properties of a cause must have to stand for both.
const NEARLY: f64 = 0.75;

/// Most groups of calls that are looked at, the largest, as each is held against all calls.
const LOOKED: usize = 50;

/// Most kinds of calls that are told apart; where there are more no cause is looked for.
const KINDS: usize = 50_000;

/// What causes are looked for of: the implementation, what it did, and where it gave no result
/// the failure group without the party. What conforms is of what leaves wrong values.
type Of = (Arc<str>, Did, String);

/// Properties and sizes that calls share.
type Kind = (Of, Vec<u32>, Sizes);

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
    /// Calls without a result of the same group that do not have them.
    rest: usize,
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
        let mut named = self.properties.join(", ");
        if self.rest > 0 {
            named = format!("{own} of the {} have {named}", own + self.rest);
        }
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
    /// By the numbers of the properties, in order, and the sizes: how many calls went wrong, and
    /// how many conform.
    kinds: IndexMap<Kind, [usize; 2]>,
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
        let mut own = target.findings.iter().filter(|f| Did::of(f) == wrong);
        let own = own.next().filter(|_| did > Did::Wrong);
        let words = own.map(|f| f.failure_group.replacen(&party.to_string(), "", 1));
        let words = words.unwrap_or_default();
        let of = (name.clone(), wrong.unwrap_or(Did::Wrong), words);
        let key = (of, self.properties(case, party), sizes(&case.call));
        if self.kinds.len() == KINDS && !self.kinds.contains_key(&key) {
            self.full = true;
            return None;
        }
        let kind = self.kinds.entry(key);
        let number = kind.index();
        kind.or_default()[usize::from(did == Did::Conforms)] += 1;
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
            let mut all: BTreeMap<&Of, usize> = BTreeMap::new();
            for ((of, ..), [wrong, _]) in &self.kinds {
                *all.entry(of).or_default() += wrong;
            }
            // One wrong call has everything in common with itself.
            let several = all.into_iter().filter(|(_, wrong)| *wrong > 1);
            let mut several: Vec<(&Of, usize)> = several.collect();
            several.sort_by_key(|((_, did, _), wrong)| (*did, Reverse(*wrong)));
            for (of, _) in several.into_iter().take(LOOKED) {
                self.look(of, &mut causes);
            }
        }
        causes
    }

    /// The kinds of calls `of` the implementation, with their numbers, and how many calls went
    /// wrong so and how many did not.
    fn of<'a>(&'a self, of: &'a Of) -> impl Iterator<Item = (usize, &'a Kind, [usize; 2])> {
        let all = self.kinds.iter().enumerate();
        all.filter_map(move |(n, (kind, counts))| match &kind.0 {
            own if own == of => Some((n, kind, *counts)),
            // What would have come of the others without a result nobody knows.
            (name, Did::Wrong, _) if *name == of.0 => Some((n, kind, [0, counts.iter().sum()])),
            _ => None,
        })
    }

    /// For each size the limit above which calls are wrong most clearly, if there is one.
    fn limits(&self, of: &Of) -> Vec<(usize, u8)> {
        let sum = |above: &dyn Fn(&Sizes) -> bool| {
            let those = self.of(of).filter(|(_, (.., sizes), _)| above(sizes));
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

    /// Looks for the causes of what an implementation did.
    fn look(&self, of: &Of, causes: &mut Causes) {
        let limits = self.limits(of);
        let did = of.1;
        let mut properties: Vec<Property> = self.properties.iter().cloned().collect();
        let mut own: IndexMap<Vec<u32>, Alike> = IndexMap::new();
        for (n, (_, has, sizes), counts) in self.of(of) {
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
        while wrong > 1 {
            let costs = |set: &Set| {
                let limits = set.iter().filter(|n| sizes.contains(n)).count();
                cost * len(set) as f64 + LIMIT_COST * limits as f64
            };
            let score = |set: &Set, [inside, conform]: [usize; 2]| {
                gain([inside, conform], [wrong, conforming]) - costs(set)
            };
            let best = |least: usize| {
                let several = counts.iter().filter(|(_, [inside, conform])| {
                    *inside >= least && inside * RARE >= inside + conform
                });
                several
                    .map(|(set, count)| (score(set, *count), *set))
                    .max_by(|(a, one), (b, other)| {
                        // What all calls of an instruction have says no more than that.
                        let whole = |set| names(set).iter().any(|(name, _)| *name == INSTRUCTION);
                        a.total_cmp(b)
                            .then_with(|| len(other).cmp(&len(one)))
                            .then_with(|| whole(one).cmp(&whole(other)))
                            .then_with(|| names(other).cmp(&names(one)))
                    })
            };
            let Some((most, mut set)) = best(2).filter(|(score, _)| *score > 0.0) else {
                return;
            };
            let of_all =
                best(wrong).filter(|(score, _)| did != Did::Wrong && *score >= most * NEARLY);
            set = of_all.map_or(set, |(_, of_all)| of_all);
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
                rest: if did == Did::Wrong { 0 } else { wrong - inside },
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
            wrong = if did == Did::Wrong { wrong - inside } else { 0 };
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
