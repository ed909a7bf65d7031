//! The parts of a baseline, each read so that nothing is there twice and every
//! clause, gap, choice and party exists. An error is made where the reader stands,
//! so that it is told with its line and column.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::sync::Arc;

use ptodiff_edge::renamed;
use ptodiff_isa::reading::GAPS;
use ptodiff_isa::{Party, Target};
use ptodiff_register::find;
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::shown::{Clauses, Covered, Distinguished};

/// What is kept of an entry of a map, or what is wrong with it.
type Take<'a, V, T> = &'a mut dyn FnMut(&str, V) -> Result<T, String>;

/// A map in which each key is there once.
struct Entries<'a, V, T>(Take<'a, V, T>);

impl<'de, V: Deserialize<'de>, T> Visitor<'de> for Entries<'_, V, T> {
    type Value = BTreeMap<String, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let mut all = BTreeMap::new();
        while let Some(key) = from.next_key::<String>()? {
            if all.contains_key(&key) {
                return Err(A::Error::custom(twice(&key)));
            }
            let kept = (self.0)(&key, from.next_value()?).map_err(A::Error::custom)?;
            all.insert(key, kept);
        }
        Ok(all)
    }
}

/// A list in which nothing is there twice.
struct Once<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Clone + Ord + Display> Visitor<'de> for Once<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Vec<T>, A::Error> {
        let mut seen = BTreeSet::new();
        let mut all = Vec::new();
        while let Some(one) = from.next_element::<T>()? {
            if !seen.insert(one.clone()) {
                return Err(A::Error::custom(twice(&one)));
            }
            all.push(one);
        }
        Ok(all)
    }
}

fn twice(what: &impl Display) -> String {
    format!("`{what}` is there twice")
}

/// A list as [`Once`].
#[derive(Deserialize)]
#[serde(bound = "T: Deserialize<'de> + Clone + Ord + Display")]
struct List<T>(#[serde(deserialize_with = "each_once")] Vec<T>);

pub(crate) fn each_once<'de, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Clone + Ord + Display,
{
    from.deserialize_seq(Once(PhantomData))
}

pub(crate) fn holes<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeSet<String>, D::Error> {
    Ok(each_once(from)?.into_iter().collect())
}

fn entries<'de, D: Deserializer<'de>, V: Deserialize<'de>, T>(
    from: D,
    mut take: impl FnMut(&str, V) -> Result<T, String>,
) -> Result<BTreeMap<String, T>, D::Error> {
    from.deserialize_map(Entries(&mut take))
}

pub(crate) fn readings<'de, D>(from: D) -> Result<Vec<(String, String)>, D::Error>
where
    D: Deserializer<'de>,
{
    let all: Vec<(String, String)> = Vec::deserialize(from)?;
    let mut seen = BTreeSet::new();
    for (name, choice) in &all {
        let gap = GAPS.iter().find(|gap| gap.name == name);
        let gap = gap.ok_or_else(|| D::Error::custom(format!("there is no reading `{name}`")))?;
        let now = renamed::now(renamed::CHOICES, choice).unwrap_or(choice);
        if !gap.choices.contains(&now) {
            let none = format!("the reading `{name}` has no choice `{choice}`");
            return Err(D::Error::custom(none));
        }
        if !seen.insert(name) {
            return Err(D::Error::custom(twice(name)));
        }
    }
    Ok(all)
}

/// How a clause is covered, by target.
struct On(BTreeMap<Target, Covered>);

impl<'de> Deserialize<'de> for On {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let all = entries(from, |target, how| {
            let known = target.parse::<Target>();
            let target = known.map_err(|_| format!("there is no target `{target}`"))?;
            Ok((target, how))
        })?;
        Ok(Self(all.into_values().collect()))
    }
}

pub(crate) fn clauses<'de, D: Deserializer<'de>>(from: D) -> Result<Clauses, D::Error> {
    entries(from, |id, On(on): On| {
        let entry = find(id).filter(|entry| entry.gap.is_none());
        let entry = entry.ok_or_else(|| format!("there is no clause `{id}`"))?;
        match on.keys().find(|target| !entry.targets.contains(target)) {
            Some(target) => Err(format!("the clause `{id}` does not speak of {target}")),
            None => Ok(on),
        }
    })
}

pub(crate) fn gaps<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<BTreeMap<String, Distinguished>, D::Error> {
    entries(from, |id, told| {
        let gap = find(id).filter(|entry| entry.gap.is_some());
        gap.map(|_| told)
            .ok_or_else(|| format!("there is no gap `{id}`"))
    })
}

pub(crate) fn cases<'de, D>(from: D) -> Result<BTreeMap<String, Arc<[String]>>, D::Error>
where
    D: Deserializer<'de>,
{
    let mut known = BTreeSet::new();
    entries(from, |_, List(results): List<String>| {
        match results.iter().find(|who| !is_result(who)) {
            Some(none) => Err(format!("`{none}` is no party and no pair of two")),
            None => Ok(one_of(&mut known, results)),
        }
    })
}

/// Whether `who` is a party (`a5`) or a pair of two (`cpu/a5`), whose names may
/// have a `/`, too.
fn is_result(who: &str) -> bool {
    let party = |text: &str| text.parse::<Party>().is_ok();
    party(who)
        || who
            .match_indices('/')
            .any(|(at, _)| party(&who[..at]) && party(&who[at + 1..]))
}

/// `list`, kept once for all cases that have it.
pub(crate) fn one_of(known: &mut BTreeSet<Arc<[String]>>, list: Vec<String>) -> Arc<[String]> {
    if let Some(same) = known.get(&list[..]) {
        return Arc::clone(same);
    }
    let list: Arc<[String]> = list.into();
    known.insert(Arc::clone(&list));
    list
}

pub(crate) fn expects<'de, D>(from: D) -> Result<BTreeMap<String, Vec<Target>>, D::Error>
where
    D: Deserializer<'de>,
{
    entries(from, |_, List(targets)| Ok(targets))
}
