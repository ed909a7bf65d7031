//! Which explanations fit.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    io,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use ptodiff_case::{Case, Form};
use ptodiff_isa::{Model, Party};
use ptodiff_record::{CaseRecord, Diagnosis, Fit, Near, TargetRecord};
use ptodiff_runner::{Options, OutcomeKind, changes, run_as_implementations};

use crate::{
    Evidence, Explanation,
    evidence::{Shown, is_seen, shown},
    explanation::inside,
    explanations,
};

/// Failures of a group that all explanations are held against; those that fit one
/// of them are held against all.
const PROBED: usize = 6;

/// How many explanations of one group are told.
const TOLD: usize = 3;

/// Explains the failures that `evidence` holds, for the groups of most failures, at
/// most `groups`; `cases` are those of the run, `options` as it had them.
///
/// # Errors
/// Threads that cannot be started.
pub fn diagnose(
    evidence: &Evidence,
    cases: &[Case],
    options: &Options,
    groups: usize,
    time: Duration,
) -> io::Result<Vec<Diagnosis>> {
    let end = Instant::now() + time;
    let by_id: BTreeMap<&str, &Case> = cases.iter().map(|c| (c.id.as_str(), c)).collect();
    let options = Options {
        // An implementation has an order of its own, and mostly this one.
        schedules: 1,
        targets: vec![evidence.party().target],
        all_readings: false,
        details: false,
        part: None,
        max_fails: None,
        ..options.clone()
    };
    let search = Search {
        evidence,
        cases,
        by_id,
        options,
        end,
    };
    let mut all: Vec<_> = evidence.failed.iter().collect();
    all.sort_by_key(|(_, cases)| Reverse(cases.len()));
    all.truncate(groups);
    let all = all.into_iter();
    let mut looked = all
        .map(|(group, failed)| search.singly(group, failed))
        .collect::<io::Result<Vec<_>>>()?;
    // Pairs are many: what one mistake explains is known of every group before.
    for one in &mut looked {
        if !one.of_group.is_explained() {
            search.in_pairs(one)?;
        }
        rank(&mut one.of_group);
    }
    Ok(looked.into_iter().map(|one| one.of_group).collect())
}

/// A group, and what was learnt of it with one mistake at a time.
struct Looked<'e> {
    of_group: Diagnosis,
    failed: &'e BTreeMap<String, Shown>,
    failing: Vec<Case>,
    passing: Vec<Case>,
    /// A failure that no mistake alone explains, if there is one.
    hard: Option<Case>,
    /// What leaves anything wrong in those that were probed.
    wrong: Vec<Explanation>,
}

/// What a few failures say of explanations.
struct Probe<'e> {
    /// Those that leave in one of them what the implementation left.
    fitting: Vec<&'e Explanation>,
    /// The failures that one of those explains.
    explained: BTreeSet<String>,
    /// Those that leave anything wrong in one.
    wrong: Vec<&'e Explanation>,
}

struct Search<'a> {
    evidence: &'a Evidence,
    /// Those of the run, in its order.
    cases: &'a [Case],
    by_id: BTreeMap<&'a str, &'a Case>,
    options: Options,
    end: Instant,
}

impl Search<'_> {
    /// Tries one mistake at a time.
    fn singly<'e>(
        &self,
        group: &str,
        failed: &'e BTreeMap<String, Shown>,
    ) -> io::Result<Looked<'e>> {
        let failing = self.cases(failed.keys());
        let mut forms: Vec<Form> = failing.iter().map(|c| Form::of(&c.call)).collect();
        forms.sort_unstable();
        forms.dedup();
        let mut passing = self.cases(self.evidence.passed.iter());
        passing.retain(|case| forms.contains(&Form::of(&case.call)));
        let of_group = Diagnosis {
            party: self.evidence.party().clone(),
            failure_group: group.to_owned(),
            failures: failed.len(),
            passes: passing.len(),
            fits: Vec::new(),
            nearest: None,
            unfinished: false,
        };
        let mut looked = Looked {
            of_group,
            failed,
            failing,
            passing,
            hard: None,
            wrong: Vec::new(),
        };
        let Some(readings) = looked.failing.first().map(|c| self.options.readings(c)) else {
            return Ok(looked);
        };
        // Evenly among them, as neighbours are alike.
        let step = looked.failing.len().div_ceil(PROBED);
        let probed: Vec<Case> = looked.failing.iter().step_by(step).cloned().collect();
        let target = self.evidence.party().target;
        let single = explanations(target, &forms, &readings[target]);
        let probe = self.probe(&single, &probed, failed, &mut looked.of_group)?;
        self.hold(&probe.fitting, &mut looked)?;
        let alone = |case: &&Case| !probe.explained.contains(&case.id);
        looked.hard = probed.iter().find(alone).or(probed.first()).cloned();
        looked.wrong = probe.wrong.into_iter().cloned().collect();
        Ok(looked)
    }

    /// Tries two mistakes, one after the other.
    fn in_pairs(&self, looked: &mut Looked<'_>) -> io::Result<()> {
        // What does nothing to these cases alone does nothing to them with another.
        let inside = inside(self.evidence.party().target);
        let wrong = std::mem::take(&mut looked.wrong);
        let within = wrong.iter().filter_map(|one| one.and(&inside));
        let two = wrong.iter().flat_map(|one| {
            let others = wrong.iter().filter(|then| then.sentence != one.sentence);
            others.filter_map(|then| one.and(then))
        });
        let pairs: Vec<Explanation> = within.chain(two).collect();
        let hard: Vec<Case> = looked.hard.take().into_iter().collect();
        let probe = self.probe(&pairs, &hard, looked.failed, &mut looked.of_group)?;
        self.hold(&probe.fitting, looked)
    }

    fn cases<'c>(&self, ids: impl Iterator<Item = &'c String>) -> Vec<Case> {
        ids.filter_map(|id| self.by_id.get(id.as_str()).map(|case| (*case).clone()))
            .collect()
    }

    /// The id of the one that comes first in the run.
    fn first(&self, records: &[&CaseRecord]) -> Option<String> {
        let is = |case: &&Case| records.iter().any(|record| record.id == case.id);
        Some(self.cases.iter().find(is)?.id.clone())
    }

    fn late(&self) -> bool {
        Instant::now() >= self.end
    }

    /// Tries `all` on `probed`.
    fn probe<'e>(
        &self,
        all: &'e [Explanation],
        probed: &[Case],
        failed: &BTreeMap<String, Shown>,
        of_group: &mut Diagnosis,
    ) -> io::Result<Probe<'e>> {
        let models: Vec<&dyn Model> = all.iter().map(Explanation::model).collect();
        let (mut fits, mut is_wrong) = (vec![false; all.len()], vec![false; all.len()]);
        let mut explained = BTreeSet::new();
        run_as_implementations(&models, probed, &self.options, |number, record| {
            if self.late() {
                of_group.unfinished = true;
                return ControlFlow::Break(());
            }
            let (explanation, left) = (&all[number], self.left(&record));
            is_wrong[number] |= left.is_some();
            if let Some(wanted) = failed.get(&record.id) {
                if left.as_ref() == Some(wanted) {
                    fits[number] = true;
                    explained.insert(record.id.clone());
                }
                let left = left.unwrap_or_default();
                let same = left.intersection(wanted).count();
                let near = Near {
                    name: explanation.name.clone(),
                    sentence: explanation.sentence.clone(),
                    case: record.id,
                    same,
                    of: wanted.len(),
                    others: left.len() - same,
                };
                come_near(of_group, near);
            }
            ControlFlow::Continue(())
        })?;
        let those = |are: Vec<bool>| {
            all.iter()
                .zip(are)
                .filter_map(|(one, is)| is.then_some(one))
                .collect()
        };
        Ok(Probe {
            fitting: those(fits),
            explained,
            wrong: those(is_wrong),
        })
    }

    /// Holds `candidates` against all failures and all passes.
    fn hold(&self, candidates: &[&Explanation], looked: &mut Looked<'_>) -> io::Result<()> {
        let Looked {
            of_group,
            failed,
            failing,
            passing,
            ..
        } = looked;
        for explanation in candidates {
            if self.late() {
                of_group.unfinished = true;
                break;
            }
            let records = self.run(explanation, failing)?;
            let explained = |record: &&CaseRecord| {
                let left = self.left(record);
                left.is_some() && left.as_ref() == failed.get(&record.id)
            };
            let explained: Vec<&CaseRecord> = records.iter().filter(explained).collect();
            let fails = |record: &&CaseRecord| {
                let part = self.part(record);
                part.is_some_and(|part| part.findings.iter().any(is_seen))
            };
            let passed = self.run(explanation, passing)?;
            let contradicting: Vec<&CaseRecord> = passed.iter().filter(fails).collect();
            let (mut sentence, mut contradicts) =
                (explanation.sentence.clone(), contradicting.len());
            if let Some((property, fewer)) = restricted(&explained, &contradicting) {
                sentence += &format!(", where {property}");
                contradicts = fewer;
            }
            let part = explained.len() < failing.len();
            let mut fit = Fit {
                name: explanation.name.clone(),
                sentence,
                explains: explained.len(),
                contradicts,
                unpromised: 0,
                first: part.then(|| self.first(&explained)).flatten(),
            };
            if tells(&fit, failing.len(), passing.len()) {
                fit.unpromised = self.unpromised(explanation, failing, &explained);
                of_group.fits.push(fit);
            }
        }
        Ok(())
    }

    /// The failures that a reading does not explain and of which it promises nothing.
    fn unpromised(
        &self,
        explanation: &Explanation,
        failing: &[Case],
        explained: &[&CaseRecord],
    ) -> usize {
        let Some((gap, choice)) = explanation.reading else {
            return 0;
        };
        let mut under = self.options.clone();
        under.readings.push((gap.to_owned(), choice.to_owned()));
        let is_undefined = |case: &&Case| {
            let mut changes = changes(case, &self.options, &under).into_iter();
            changes.any(|change| change.comes[1] == OutcomeKind::Undefined)
        };
        let other = |case: &&Case| explained.iter().all(|record| record.id != case.id);
        failing.iter().filter(other).filter(is_undefined).count()
    }

    fn run(&self, explanation: &Explanation, cases: &[Case]) -> io::Result<Vec<CaseRecord>> {
        let mut records = Vec::with_capacity(cases.len());
        run_as_implementations(&[explanation.model()], cases, &self.options, |_, record| {
            records.push(record);
            ControlFlow::Continue(())
        })?;
        Ok(records)
    }

    fn part<'r>(&self, record: &'r CaseRecord) -> Option<&'r TargetRecord> {
        record.targets.get(&Party::of(self.evidence.party().target))
    }

    fn left(&self, record: &CaseRecord) -> Option<Shown> {
        let party = Party::of(self.evidence.party().target);
        let part = self.part(record)?;
        shown(&party, part).filter(|shown| !shown.is_empty())
    }
}

/// How many times as large a share of the failures as of the passes a mistake leaves at least
/// that is told for a part of the failures: below that calls of the kind that it is about are a
/// little more frequent among the failures, and no more.
const CLEARLY: usize = 3;

/// Whether it explains all failures, or a part and contradicts no pass, or at least half of
/// them and a clearly larger share than it would fail of the passes.
const fn tells(fit: &Fit, failures: usize, passes: usize) -> bool {
    fit.explains == failures
        || fit.contradicts == 0
        || 2 * fit.explains >= failures
            && fit.explains * passes > CLEARLY * fit.contradicts * failures
}

/// Properties of a call in which alone a mistake may be made.
const WHERE: [&str; 6] = ["mode", "atomic", "oob", "conflict", "dtype", "axis"];

/// Fewer `explained` failures have something in common by chance.
const IN_COMMON: usize = 3;

/// The property that all `explained` calls have and fewest of those that contradict, and how many
/// of these: a mistake may be made there alone. None where at least half of them have it, too.
fn restricted(explained: &[&CaseRecord], contradicting: &[&CaseRecord]) -> Option<(String, usize)> {
    let first = explained.first().filter(|_| explained.len() >= IN_COMMON)?;
    let each = WHERE.iter().filter_map(|name| {
        let value = first.call.get(*name)?;
        let has = |record: &&&CaseRecord| record.call.get(*name) == Some(value);
        let fewer = contradicting.iter().filter(has).count();
        let all = explained.iter().filter(has).count() == explained.len();
        all.then(|| (format!("{name}={value}"), fewer))
    });
    let least = each.min_by_key(|(_, fewer)| *fewer);
    least.filter(|(_, fewer)| 2 * fewer < contradicting.len())
}

/// The best first, weak ones last; one with a mistake of its own before two that are joined.
fn rank(of_group: &mut Diagnosis) {
    let failures = of_group.failures;
    of_group.fits.sort_by_key(|fit| {
        let joined = fit.name.contains('+');
        // A pass that it contradicts weighs as much as a failure that it explains.
        let weight = fit.explains.saturating_sub(fit.contradicts);
        let weight = match joined && fit.explains < failures {
            // Of all pairs with a true mistake one explains a few more by chance.
            true => weight * 3 / 4,
            false => weight,
        };
        (fit.is_weak(), Reverse(weight), fit.contradicts, joined)
    });
    // One after the other or the reverse is the same to a reader; so are two that say
    // the same of two targets.
    let mut told = BTreeSet::new();
    of_group.fits.retain(|fit| {
        let mut parts: Vec<String> = fit.sentence.split(", and ").map(str::to_owned).collect();
        parts.sort_unstable();
        told.insert(parts)
    });
    if let Some(best) = of_group.fits.first().cloned() {
        let (whole, two) = (best.explains == of_group.failures, best.name.contains('+'));
        // Beside what explains all a part is no news, nor are two mistakes beside one.
        of_group.fits.retain(|fit| {
            (!whole || fit.explains == best.explains) && (two || !fit.name.contains('+'))
        });
    }
    of_group.fits.truncate(TOLD);
    if !of_group.fits.is_empty() {
        of_group.nearest = None;
    }
}

fn come_near(of_group: &mut Diagnosis, near: Near) {
    // What has as many others wrong is near to nothing, and one value is the same by chance.
    let score = |near: &Near| near.same.saturating_sub(near.others);
    if score(&near) > of_group.nearest.as_ref().map_or(1, score) {
        of_group.nearest = Some(near);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_four() -> Diagnosis {
        Diagnosis {
            party: "a5:mine".parse().expect("a party"),
            failure_group: "S".into(),
            failures: 4,
            passes: 40,
            fits: Vec::new(),
            nearest: None,
            unfinished: false,
        }
    }

    #[test]
    fn one_value_that_is_the_same_is_near_to_nothing() {
        let mut of_group = of_four();
        let near = |same, others| Near {
            name: "n".into(),
            sentence: "does it".into(),
            case: "a/b".into(),
            same,
            of: 9,
            others,
        };
        come_near(&mut of_group, near(1, 0));
        come_near(&mut of_group, near(4, 4));
        assert_eq!(of_group.nearest, None);
        come_near(&mut of_group, near(2, 0));
        come_near(&mut of_group, near(5, 3));
        assert_eq!(of_group.nearest.map(|near| near.same), Some(2));
    }

    #[test]
    fn what_many_passes_contradict_stands_behind_what_none_does() {
        let fit = |name: &str, explains, contradicts| Fit {
            name: name.into(),
            sentence: format!("does {name}"),
            explains,
            contradicts,
            unpromised: 0,
            first: None,
        };
        let mut of_group = Diagnosis {
            fits: vec![fit("all", 4, 30), fit("some", 3, 0), fit("few", 4, 5)],
            ..of_four()
        };
        rank(&mut of_group);
        let names: Vec<&str> = of_group.fits.iter().map(|fit| &*fit.name).collect();
        assert_eq!(names, ["some", "few", "all"]);
        // One mistake that explains nearly as much as two does, unless these explain all.
        for (explains, first) in [(3, "a"), (4, "a+b")] {
            let mut of_group = Diagnosis {
                failures: 8,
                fits: vec![fit("a+b", explains * 2, 0), fit("a", 5, 0)],
                ..of_four()
            };
            rank(&mut of_group);
            assert_eq!(of_group.fits.len(), 1);
            assert_eq!(of_group.fits[0].name, first);
        }
        // Of 4 failures and 40 passes.
        assert!(tells(&fit("few", 4, 5), 4, 40) && tells(&fit("none", 1, 0), 4, 0));
        assert!(tells(&fit("all", 4, 40), 4, 40) && tells(&fit("most", 3, 9), 4, 40));
        assert!(!tells(&fit("noise", 3, 10), 4, 40) && !tells(&fit("seldom", 1, 1), 4, 40));
    }
}
