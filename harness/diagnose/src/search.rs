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
use ptodiff_record::{CaseRecord, Diagnosis, Fit, Near, TargetRecord, TargetVerdict};
use ptodiff_runner::{Options, run_as_implementations};

use crate::{
    Evidence, Explanation,
    evidence::{Shown, in_common, is_same, is_seen, shown},
    explanation::{inside, of_gaps},
    explanations,
    looked::{Found, Looked, Step},
    property::restricted,
    rank::{TOLD, come_near, rank},
};

/// Failures of a group that all explanations are held against; those that fit one
/// of them are held against all.
const PROBED: usize = 6;

/// Explains the failures that `evidence` holds: looks at the `most` of `groups`, each a name and
/// the numbers of its cases in the evidence, that have most failures. Those that one mistake
/// explains as a whole are one. `cases` are those of the run, `options` as it had them.
///
/// # Errors
/// Threads that cannot be started.
pub fn diagnose(
    evidence: &Evidence,
    groups: &[(String, Vec<usize>)],
    cases: &[Case],
    options: &Options,
    most: usize,
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
    let mut all: Vec<Looked> = Vec::new();
    for (name, numbers) in groups {
        let one = search.group(name, evidence.of_groups(numbers));
        match all.iter_mut().find(|other| other.failed == one.failed) {
            Some(same) => same.twins.push(name.clone()),
            None => all.extend(Some(one).filter(|one| !one.failing.is_empty())),
        }
    }
    // What checks did wrong says itself what it is.
    all.sort_by_key(|one| (one.is_of_checks(), Reverse(one.failing.len())));
    // Pairs are many: what one mistake explains is known of every group before.
    for step in [Step::Alone, Step::Inside, Step::Pairs] {
        let mut left = most;
        let next = |one: &Looked| {
            let begun = step == Step::Alone || one.tried.is_some();
            begun && one.tried < Some(step) && !one.is_explained()
        };
        while let Some(n) = all.iter().position(next).filter(|_| left > 0) {
            let mut one = all.remove(n);
            one.tried = Some(step);
            match step {
                Step::Alone => search.singly(&mut one)?,
                Step::Inside => search.inside(&mut one)?,
                Step::Pairs => search.in_pairs(&mut one)?,
            }
            search.unite(&mut one, &mut all, |other| match step {
                Step::Alone => other.tried.is_none(),
                Step::Inside => true,
                // Two mistakes are no simpler than one of each group.
                Step::Pairs => !other.is_explained(),
            })?;
            all.push(one);
            left -= 1;
        }
    }
    all.retain(|one| one.tried.is_some());
    all.iter_mut().try_for_each(|one| search.finish(one))?;
    all.retain(|one| !one.is_of_checks() || !one.of_group.fits.is_empty());
    all.sort_by_key(|one| Reverse(one.of_group.failures));
    Ok(all.into_iter().flat_map(Looked::told).collect())
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
    /// The group of `failed`, of which nothing was learnt yet.
    fn group(&self, name: &str, failed: BTreeMap<String, Shown>) -> Looked {
        let seen = failed.iter().filter(|(_, shown)| !shown.is_empty());
        let failing = self.cases(seen.map(|(id, _)| id));
        let mut forms: Vec<Form> = failing.iter().map(|c| Form::of(&c.call)).collect();
        forms.sort_unstable();
        forms.dedup();
        let mut passing = self.cases(self.evidence.passed.iter());
        passing.retain(|case| forms.contains(&Form::of(&case.call)));
        let of_group = Diagnosis {
            party: self.evidence.party().clone(),
            failure_group: name.to_owned(),
            also: Vec::new(),
            failures: failing.len(),
            elsewhere: failed.len() - failing.len(),
            passes: passing.len(),
            fits: Vec::new(),
            nearest: None,
            together: false,
            unfinished: false,
        };
        Looked {
            of_group,
            twins: Vec::new(),
            failed,
            failing,
            forms,
            passing,
            found: Vec::new(),
            refused: Vec::new(),
            tried: None,
            hard: Vec::new(),
            wrong: Vec::new(),
        }
    }

    /// Tries one mistake at a time.
    fn singly(&self, looked: &mut Looked) -> io::Result<()> {
        let Some(readings) = looked.failing.first().map(|c| self.options.readings(c)) else {
            return Ok(());
        };
        // Evenly among them, as neighbours are alike.
        let step = looked.failing.len().div_ceil(PROBED);
        let probed: Vec<Case> = looked.failing.iter().step_by(step).cloned().collect();
        let target = self.evidence.party().target;
        let single = explanations(target, &looked.forms, &readings[target]);
        let probe = self.probe(&single, &probed, looked)?;
        self.hold(&probe.fitting, looked)?;
        let (alone, hard): (Vec<Case>, Vec<Case>) = probed
            .into_iter()
            .partition(|case| probe.explained.contains(&case.id));
        looked.hard = match hard.is_empty() {
            true => alone.into_iter().take(1).collect(),
            false => hard,
        };
        looked.wrong = probe.wrong.into_iter().cloned().collect();
        Ok(())
    }

    /// Tries each mistake in an implementation that keeps inside its operands.
    fn inside(&self, looked: &mut Looked) -> io::Result<()> {
        let inside = inside(self.evidence.party().target);
        let within = looked.wrong.iter().filter_map(|one| one.and(&inside));
        let hard = looked.hard.clone();
        self.on_top(&within.collect::<Vec<_>>(), &hard, looked)
    }

    /// Tries two mistakes, one after the other.
    fn in_pairs(&self, looked: &mut Looked) -> io::Result<()> {
        // What does nothing to these cases alone does nothing to them with another.
        let wrong = std::mem::take(&mut looked.wrong);
        let two = wrong.iter().flat_map(|one| {
            let others = wrong.iter().filter(|then| then.sentence != one.sentence);
            others.filter_map(|then| one.and(then))
        });
        // They are very many, and one fits a failure or two by chance.
        let one = usize::from(looked.failing.len() > 2);
        let hard: Vec<Case> = looked.hard.iter().take(one).cloned().collect();
        self.on_top(&two.collect::<Vec<_>>(), &hard, looked)
    }

    /// Tries what consists of two on those that are `hard`.
    fn on_top(&self, pairs: &[Explanation], hard: &[Case], looked: &mut Looked) -> io::Result<()> {
        let probe = self.probe(pairs, hard, looked)?;
        self.hold(&probe.fitting, looked)
    }

    /// Takes each of `all` that it `may` for a part of `one`, where something that explains all of
    /// `one` and would fail nothing else does so of both.
    fn unite(
        &self,
        one: &mut Looked,
        all: &mut Vec<Looked>,
        may: impl Fn(&Looked) -> bool,
    ) -> io::Result<()> {
        let mut whole = one.found.clone();
        whole.retain(|found| found.fit.is_whole(one.failing.len()) && found.fit.contradicts == 0);
        let mut n = 0;
        while n < all.len() && !whole.is_empty() {
            let mut of_both = Vec::new();
            for found in whole.iter().filter(|_| may(&all[n]) && !self.late()) {
                if self.has_all(found, one, &all[n])? {
                    of_both.push(found.clone());
                }
            }
            if of_both.is_empty() {
                n += 1;
            } else {
                self.join(one, all.remove(n));
                whole = of_both;
                one.found.clone_from(&whole);
            }
        }
        Ok(())
    }

    /// Whether what was `found` of `one` explains all of `other`, and would fail nothing else.
    fn has_all(&self, found: &Found, one: &Looked, other: &Looked) -> io::Result<bool> {
        let Found {
            explanation, only, ..
        } = found;
        // That calls of two forms have the same mistake is a guess where no call passes.
        if one.forms != other.forms && one.passing.is_empty() && other.passing.is_empty() {
            return Ok(false);
        }
        let is_there = |record: &CaseRecord| only.as_ref().is_none_or(|only| only.is_of(record));
        let (explained, unpromised) = self.explained(explanation, other)?;
        if explained.len() + unpromised < other.failing.len() || !explained.iter().all(is_there) {
            return Ok(false);
        }
        // The passes of the same forms are known.
        let mut passing = other.passing.clone();
        passing.retain(|case| !one.forms.contains(&Form::of(&case.call)));
        let contradicting = self.contradicting(explanation, &passing)?;
        Ok(!contradicting.iter().any(is_there))
    }

    /// Takes the failures of `other` for failures of `one`.
    fn join(&self, one: &mut Looked, other: Looked) {
        let mut failed = std::mem::take(&mut one.failed);
        failed.extend(other.failed);
        let mut of_both = self.group(&one.of_group.failure_group, failed);
        let also = &mut of_both.of_group.also;
        also.append(&mut one.of_group.also);
        also.push(other.of_group.failure_group);
        also.extend(other.of_group.also);
        also.extend(other.twins);
        also.append(&mut one.twins);
        (of_both.found, of_both.tried) = (std::mem::take(&mut one.found), one.tried);
        *one = of_both;
    }

    /// Says what was found.
    fn finish(&self, looked: &mut Looked) -> io::Result<()> {
        let mut found = std::mem::take(&mut looked.found);
        if !looked.of_group.also.is_empty() {
            // It was found of a part.
            for one in &mut found {
                *one = self.held(&one.explanation, looked)?;
            }
        }
        if looked.is_of_checks() {
            // A part of them, or one check that is there, tells nothing.
            let failures = looked.failing.len();
            found.retain(|one| one.fit.is_whole(failures) && one.fit.contradicts == 0);
        }
        looked.of_group.fits = found.iter().map(|one| one.fit.clone()).collect();
        if looked.of_group.fits.is_empty() && !looked.is_of_checks() {
            let refused = looked.refused.iter().filter(|fit| fit.explains > 0);
            let nearest = refused.min_by_key(|fit| (Reverse(fit.explains), fit.contradicts));
            let nearest = nearest.cloned();
            // What accounts for all of them says more than what comes near by chance.
            let open = self.open(looked)?;
            looked.of_group.fits.extend(open.or(nearest));
        }
        rank(&mut looked.of_group);
        // Where several explain each failure between them, what explains none of its own is no news.
        let (fits, mut explained) = (&mut looked.of_group.fits, BTreeSet::new());
        let mut parts = fits.clone();
        parts.retain(|fit| {
            let before = explained.len();
            let own = found
                .iter()
                .filter(|one| one.fit == *fit && fit.contradicts == 0);
            explained.extend(own.flat_map(|one| &one.explained));
            explained.len() > before
        });
        looked.of_group.together =
            (2..=TOLD).contains(&parts.len()) && explained.len() == looked.failing.len();
        match looked.of_group.together {
            true => *fits = parts,
            false => fits.truncate(TOLD),
        }
        Ok(())
    }

    /// A reading under which nothing is promised of any failure.
    fn open(&self, looked: &mut Looked) -> io::Result<Option<Fit>> {
        let target = self.evidence.party().target;
        let Some(first) = looked.failing.first() else {
            return Ok(None);
        };
        let shown = looked.failed.get(&first.id);
        for open in of_gaps(target, &self.options.readings(first)[target], true) {
            if self.late() {
                looked.of_group.unfinished = true;
                break;
            }
            if self.allowed(&open, first, shown, !0)?.is_some()
                && self.explained(&open, looked)?.1 == looked.failing.len()
            {
                return Ok(Some(self.held(&open, looked)?.fit));
            }
        }
        Ok(None)
    }

    fn cases<'c>(&self, ids: impl Iterator<Item = &'c String>) -> Vec<Case> {
        ids.filter_map(|id| self.by_id.get(id.as_str()).map(|case| (*case).clone()))
            .collect()
    }

    /// The id of the one that comes first in the run.
    fn first(&self, records: &[CaseRecord]) -> Option<String> {
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
        looked: &mut Looked,
    ) -> io::Result<Probe<'e>> {
        let models: Vec<&dyn Model> = all.iter().map(Explanation::model).collect();
        let (mut fits, mut is_wrong) = (vec![false; all.len()], vec![false; all.len()]);
        let mut explained = BTreeSet::new();
        let (of_group, failed) = (&mut looked.of_group, &looked.failed);
        run_as_implementations(&models, probed, &self.options, |number, record| {
            if self.late() {
                of_group.unfinished = true;
                return ControlFlow::Break(());
            }
            let (explanation, left) = (&all[number], self.left(&record));
            is_wrong[number] |= left.is_some();
            if let Some(wanted) = failed.get(&record.id) {
                if left.as_ref().is_some_and(|left| is_same(left, wanted)) {
                    fits[number] = true;
                    explained.insert(record.id.clone());
                }
                let (same, of, others) = in_common(&left.unwrap_or_default(), wanted);
                let near = Near {
                    name: explanation.name.clone(),
                    sentence: explanation.sentence.clone(),
                    case: record.id,
                    same,
                    of,
                    others,
                };
                come_near(of_group, near);
            }
            ControlFlow::Continue(())
        })?;
        for (n, explanation) in all.iter().enumerate() {
            for case in probed {
                // It may promise nothing of most of what fails, or permit what its model leaves not.
                let shown = failed.get(&case.id);
                fits[n] = fits[n] || self.allowed(explanation, case, shown, 0)?.is_some();
            }
        }
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
    fn hold(&self, candidates: &[&Explanation], looked: &mut Looked) -> io::Result<()> {
        for explanation in candidates {
            if self.late() {
                looked.of_group.unfinished = true;
                break;
            }
            let found = self.held(explanation, looked)?;
            match found.fit.tells(looked.failing.len(), looked.passing.len()) {
                true => looked.found.push(found),
                false => looked.refused.push(found.fit),
            }
        }
        Ok(())
    }

    /// Holds `explanation` against all failures and all passes.
    fn held(&self, explanation: &Explanation, looked: &Looked) -> io::Result<Found> {
        let (explained, unpromised) = self.explained(explanation, looked)?;
        let contradicting = self.contradicting(explanation, &looked.passing)?;
        let only = restricted(&explained, &contradicting);
        let (mut sentence, mut contradicts) = (explanation.sentence.clone(), contradicting.len());
        if let Some(only) = &only {
            sentence += &format!(", where {}={}", only.name, only.value);
            contradicts = contradicting.iter().filter(|one| only.is_of(one)).count();
        }
        let part = explained.len() < looked.failing.len();
        let fit = Fit {
            name: explanation.name.clone(),
            sentence,
            explains: explained.len(),
            contradicts,
            unpromised,
            first: part.then(|| self.first(&explained)).flatten(),
        };
        Ok(Found {
            explanation: explanation.clone(),
            fit,
            explained: explained.into_iter().map(|record| record.id).collect(),
            only,
        })
    }

    /// What it leaves or permits in the failures of a group that it explains, and how many others
    /// there are of which it promises nothing.
    fn explained(
        &self,
        explanation: &Explanation,
        looked: &Looked,
    ) -> io::Result<(Vec<CaseRecord>, usize)> {
        let mut records = self.run(explanation, &looked.failing)?;
        records.retain(|record| {
            let left = self.left(record);
            let both = left.as_ref().zip(looked.failed.get(&record.id));
            both.is_some_and(|(left, wanted)| is_same(left, wanted))
        });
        let mut unpromised = 0;
        for case in &looked.failing {
            if records.iter().any(|record| record.id == case.id) {
                continue;
            }
            let shown = looked.failed.get(&case.id);
            let Some(allowed) = self.allowed(explanation, case, shown, 0)? else {
                continue;
            };
            // Where it permits the opposite, too, it tells nothing.
            match self.allowed(explanation, case, shown, !0)? {
                Some(_) => unpromised += 1,
                None => records.push(allowed),
            }
        }
        Ok((records, unpromised))
    }

    /// What it leaves in the passes that it would have failed.
    fn contradicting(
        &self,
        explanation: &Explanation,
        passing: &[Case],
    ) -> io::Result<Vec<CaseRecord>> {
        let mut records = self.run(explanation, passing)?;
        records.retain(|record| {
            let part = self.part(record);
            part.is_some_and(|part| part.findings.iter().any(is_seen))
        });
        let mut all = Vec::new();
        for record in records {
            let case = self.by_id[record.id.as_str()];
            if self.allowed(explanation, case, None, 0)?.is_none() {
                all.push(record);
            }
        }
        Ok(all)
    }

    /// What comes of `case` left with what is `shown`, but for bits that are `flipped`, and
    /// otherwise right as it is read: where it is readings that allow it.
    fn allowed(
        &self,
        explanation: &Explanation,
        case: &Case,
        shown: Option<&Shown>,
        flipped: u64,
    ) -> io::Result<Option<CaseRecord>> {
        let target = self.evidence.party().target;
        let before = self.options.readings(case)[target];
        let Some(left) = explanation.left(shown, &before) else {
            return Ok(None);
        };
        let mut under = self.options.clone();
        under.readings.extend(left.readings.iter().cloned());
        let model = left.model(flipped);
        let (mut record, case) = (None, std::slice::from_ref(case));
        run_as_implementations(&[&model], case, &under, |_, of_case| {
            record = Some(of_case);
            ControlFlow::Continue(())
        })?;
        let allowed = [TargetVerdict::Conforms, TargetVerdict::Undefined];
        Ok(record.filter(|record| {
            let part = self.part(record);
            part.is_some_and(|part| allowed.contains(&part.verdict))
        }))
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
