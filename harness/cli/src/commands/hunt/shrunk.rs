//! What no clause explains, and smallest cases on the screen and in a file.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    iter,
    path::Path,
};

use ptodiff_case::{Case, case_entry};
use ptodiff_edge::text;
use ptodiff_hunt::{Found, Plan, Seen, Smallest, unexplained};
use ptodiff_isa::Model;
use ptodiff_report::{
    Cause,
    style::{BAD, BOLD, CLAUSE, DIM},
};

use super::{Hunt, draw::command};
use crate::{corpus::NO_CASE, exit::Error, files::write_to, text::counted};

/// A kind of what went wrong: failure groups with one cause, or one that stands for itself.
pub(super) struct Kind {
    /// What it is called.
    pub(super) name: String,
    /// At least one.
    pub(super) failure_groups: BTreeSet<String>,
    /// The failure group by which it is shown. Its smallest case is looked for as it was found.
    pub(super) shown: String,
    /// In how many cases it was seen, and the first of them.
    pub(super) seen: Seen,
    /// Whether it may have been seen in more: a case may show several of its failure groups.
    pub(super) at_least: bool,
    /// What its calls have in common.
    pub(super) cause: Option<Cause>,
    /// What else is to be said of it: a line each.
    pub(super) told: Vec<String>,
}

impl Kind {
    pub(super) fn alone(failure_group: &str, seen: Seen) -> Self {
        Self {
            name: failure_group.to_owned(),
            failure_groups: BTreeSet::from([failure_group.to_owned()]),
            shown: failure_group.to_owned(),
            seen,
            at_least: false,
            cause: None,
            told: Vec::new(),
        }
    }

    /// Whether `case` has what its calls have in common.
    pub(super) fn has(&self, case: &Case, seed: u64) -> bool {
        let cause = self.cause.as_ref();
        cause.is_none_or(|cause| cause.is_of(&described(case, seed)))
    }

    /// Takes out of its name, and of what its calls have in common, what its smallest `case` has not.
    pub(super) fn named_by(&mut self, case: &Case, seed: u64) {
        if let Some(cause) = &mut self.cause {
            let left = cause.had_by(&described(case, seed));
            let all = cause.properties.join(", ");
            self.name = match left[..] {
                [] => self.shown.clone(),
                _ => self.name.replace(&all, &left.join(", ")),
            };
            cause.properties = left.into_iter().map(str::to_owned).collect();
        }
    }

    /// Whether `case`, the smallest of `other`, which has nothing in common, has all that is
    /// common here.
    pub(super) fn takes(&self, other: &Self, case: &Case, seed: u64) -> bool {
        let cause = self.cause.as_ref().filter(|_| other.cause.is_none());
        let cause = cause.filter(|cause| !cause.properties.is_empty());
        cause.is_some_and(|cause| {
            let had = cause.had_by(&described(case, seed));
            had.len() == cause.properties.len()
        })
    }

    /// Takes `other` for a part of it.
    pub(super) fn join(&mut self, other: Self) {
        self.failure_groups.extend(other.failure_groups);
        self.seen.first = self.seen.first.min(other.seen.first);
        self.seen.count = self.seen.count.max(other.seen.count);
        self.at_least = true;
    }
}

/// The call of a case as a record has it.
fn described(case: &Case, seed: u64) -> BTreeMap<String, String> {
    let steps = ptodiff_generate::stimulus(case, seed).steps;
    ptodiff_runner::describe_with(case, &steps)
}

/// Says what no clause explains of `models`, with a smallest case of the first `most` kinds,
/// which it gives back, and the command that shows the case as it was drawn.
pub(super) fn write_unexplained(
    to: &mut impl Write,
    models: &[&dyn Model],
    args: &Hunt,
    plan: &Plan,
    found: &Found,
    most: usize,
) -> io::Result<Vec<Kept>> {
    if found.unexplained.is_empty() {
        writeln!(to, "{BOLD}no unexplained difference{BOLD:#}")?;
        return Ok(Vec::new());
    }
    let count = found.unexplained.len();
    writeln!(to, "{BAD}{count} unexplained{BAD:#}")?;
    let kinds = found.unexplained.iter().map(|(failure_group, seen)| Kind {
        told: vec![format!(
            "  as drawn: {}",
            text::line(&command(args, seen.first))
        )],
        ..Kind::alone(failure_group, *seen)
    });
    let all = unexplained(models, plan, found, most);
    write_kinds(to, kinds.collect(), all.into_iter().map(Some).collect())
}

/// Says what was seen of `kinds`, with the smallest case of each that has one: those cases.
pub(super) fn write_kinds(
    to: &mut impl Write,
    kinds: Vec<Kind>,
    smallest: Vec<Option<Smallest>>,
) -> io::Result<Vec<Kept>> {
    let mut kept: Vec<Kept> = Vec::new();
    let smallest = smallest.into_iter().chain(iter::repeat(None));
    for (kind, smallest) in kinds.into_iter().zip(smallest) {
        let least = if kind.at_least { "at least " } else { "" };
        let (name, cases, first) = (kind.name, counted(kind.seen.count, "case"), kind.seen.first);
        write!(
            to,
            "  {CLAUSE}{name}{CLAUSE:#}  {least}{cases}, first {first}"
        )?;
        if let Some(smallest) = smallest {
            let mut others = kept.iter_mut();
            let same = others.find(|other| other.smallest.is_same_call(&smallest));
            if let Some(same) = same {
                let name = &same.smallest.case.name;
                writeln!(to, "; its smallest case is {name}, too")?;
                same.failure_groups.extend(kind.failure_groups);
            } else {
                case(to, &smallest)?;
                kept.push(Kept {
                    smallest,
                    failure_groups: kind.failure_groups,
                });
            }
        } else {
            writeln!(to)?;
        }
        for line in &kind.told {
            writeln!(to, "  {line}")?;
        }
    }
    Ok(kept)
}

/// Goes on in a line about one: how it shows, and the case.
fn case(to: &mut impl Write, one: &Smallest) -> io::Result<()> {
    match one.schedule {
        Some(schedule) if one.stopped => writeln!(
            to,
            "; shows with the lanes {schedule}, and may be made smaller:"
        )?,
        Some(schedule) if one.spent => writeln!(
            to,
            "; shows with the lanes {schedule}; the tries to make it smaller are used up:"
        )?,
        None if one.stopped => writeln!(to, "; as it was drawn:")?,
        Some(schedule) => writeln!(to, "; shows with the lanes {}:", schedule)?,
        None => writeln!(to, "; not seen again:")?,
    }
    if let Some(why) = &one.why {
        writeln!(to, "    {why}")?;
    }
    for line in case_entry(&one.case).lines() {
        writeln!(to, "  {DIM}|{DIM:#} {line}")?;
    }
    Ok(())
}

/// How a line begins that says what the case below it shows.
pub(super) const KIND: &str = "  # ";

/// A smallest case that is written to a file, and the failure groups of its kind.
pub(super) struct Kept {
    pub(super) smallest: Smallest,
    pub(super) failure_groups: BTreeSet<String>,
}

/// Writes a case file of all, which the command `by` found, to `path`, each with what it shows;
/// where there are none it says so, too, and nothing older is taken for what was found.
pub(super) fn keep(to: &mut impl Write, path: &Path, all: &[Kept], by: &str) -> Result<(), Error> {
    write_to(path, |to| to.write_all(file(all, by).as_bytes()))?;
    let cases = counted(all.len() as u64, "case");
    writeln!(to, "  {cases} in {}", text::path(path))?;
    Ok(())
}

fn file(all: &[Kept], by: &str) -> String {
    if all.is_empty() {
        return NO_CASE.to_owned();
    }
    let mut text = format!("# Found by: {by}\ncases:\n");
    let mut names = BTreeSet::new();
    for one in all {
        // One case may show several kinds.
        let mut case = one.smallest.case.clone();
        let mut number = 2;
        while !names.insert(case.name.clone()) {
            case.name = format!("{}.{number}", one.smallest.case.name);
            number += 1;
        }
        for failure_group in &one.failure_groups {
            text.push_str(&format!("{KIND}{failure_group}\n"));
        }
        text.push_str(&case_entry(&case));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use ptodiff_hunt::{Limit, Participants, hunt_on};
    use ptodiff_isa::{Role, Target};
    use ptodiff_runner::{altered, model_of};

    use super::*;
    use crate::{commands::hunt::parsed, exit::Exit};

    #[test]
    fn every_case_of_a_file_has_a_name_of_its_own() {
        let yaml = "cases:\n  - name: mine-7\n    instruction: MSCATTER\n    mode: Elem\n    \
                    dtype: int32_t\n    tile: {shape: [1, 8]}\n    index: {shape: [1, 8], data: seq}\n    \
                    table: {shape: [1, 1, 1, 1, 8]}\n";
        let case = ptodiff_case::load_str("x.yaml", yaml)
            .expect("a case")
            .cases
            .remove(0);
        let one = |failure_group: &str| Smallest {
            failure_group: failure_group.to_owned(),
            seen: Seen { count: 1, first: 7 },
            case: case.clone(),
            schedule: None,
            stopped: false,
            spent: false,
            why: None,
        };
        let all = [one("A a5:mine crash -"), one("A a5:mine valid X"), one("B")];
        let mut other = all[1].clone();
        (other.case.name, other.case.targets) = ("mine-8".to_owned(), Vec::new());
        assert!(all[0].is_same_call(&other));
        other.case.chunks += 1;
        assert!(!all[0].is_same_call(&other));
        let all = all.map(|smallest| Kept {
            failure_groups: BTreeSet::from([smallest.failure_group.clone()]),
            smallest,
        });
        let text = file(&all, "ptodiff hunt");
        let read = ptodiff_case::load_str("found.yaml", &text)
            .expect("cases")
            .cases;
        let names: Vec<&str> = read.iter().map(|case| &case.name[..]).collect();
        assert_eq!(names, ["mine-7", "mine-7.2", "mine-7.3"]);
    }
    /// A wrong model in the place of the right one.
    #[test]
    fn a_wrong_model_is_told_shrunk_and_fails_the_hunt() {
        let wrong = ptodiff_mutants::mutants();
        let wrong = wrong.iter().find(|m| m.name == "tgatherb-a5-rounded-down");
        let models: [&dyn Model; 1] = [wrong.expect("a wrong model")];
        let line = "hunt --form tgatherb --target a5 --rules legal --seed 4";
        let args = parsed(line.split(' ').map(str::to_owned)).expect("it reads");
        let plan = super::super::plan(&args).expect("a plan");
        let participants = Participants {
            models: &models,
            implementations: &[],
        };
        let found = hunt_on(
            participants,
            &plan,
            Limit::count(400),
            &AtomicBool::new(false),
            |_| {},
        );
        let mut text = Vec::new();
        let all =
            write_unexplained(&mut text, &models, &args, &plan, &found, 16).expect("a vector");
        let text = String::from_utf8(text).expect("text");
        assert_eq!(all.len(), found.unexplained.len());
        assert!(
            all.iter().all(|one| one.smallest.schedule.is_some()),
            "{text}"
        );
        assert!(text.contains(" unexplained"), "{text}");
        let (failure_group, seen) = found.unexplained.iter().next().expect("it is caught");
        assert!(text.contains(failure_group), "{text}");
        let own = "--form tgatherb --target a5 --rules legal";
        let shown = format!(
            "    as drawn: ptodiff hunt --show {} --seed 4 {own}\n",
            seen.first
        );
        assert!(text.contains(&shown), "{text}");
        assert_eq!(
            super::super::exit(&found, &Default::default()),
            Exit::Violation
        );

        assert!(!text.contains("used up"), "{text}");

        // What is kept shows the same on the wrong model, and nothing on the right one.
        let first = &all[0].smallest;
        let steps = ptodiff_generate::stimulus(&first.case, 4).steps;
        let schedule = first.schedule.expect("it shows");
        let right = ptodiff_runner::trial(&first.case, &steps, &schedule);
        assert!(right.unexplained().is_empty());
        let again = ptodiff_runner::trial_on(&models, &first.case, &steps, &schedule);
        assert!(again.unexplained().contains(&first.failure_group), "{text}");
    }

    /// What is wrong needs a hundred different values.
    #[test]
    fn a_case_of_which_the_tries_are_used_up_says_so() {
        let wrong = altered(model_of(Target::Cpu), |right, call, memory, how, log| {
            let before = memory.get(Role::Destination).expect("one").body().to_vec();
            let end = right.execute(call, memory, how, log)?;
            let left = memory.get_mut(Role::Destination).expect("one").body_mut();
            let size = call.data_tile().dtype.size();
            let pairs = before.chunks_exact(size).zip(left.chunks_exact(size));
            let written = pairs.filter(|(old, new)| old != new).map(|(_, new)| new);
            if written.collect::<BTreeSet<_>>().len() > 100 {
                left[0] ^= 1;
            }
            Ok(end)
        });
        let models: [&dyn Model; 1] = [&wrong];
        let line = "hunt --form tgatherb --target cpu --rules legal --max-lanes 2048 --quick";
        let args = parsed(line.split(' ').map(str::to_owned)).expect("it reads");
        let plan = super::super::plan(&args).expect("a plan");
        let who = Participants {
            models: &models,
            implementations: &[],
        };
        let found = hunt_on(
            who,
            &plan,
            Limit::count(20),
            &AtomicBool::new(false),
            |_| {},
        );
        let mut text = Vec::new();
        write_unexplained(&mut text, &models, &args, &plan, &found, 1).expect("a vector");
        let text = String::from_utf8(text).expect("text");
        assert!(
            text.contains("the tries to make it smaller are used up:"),
            "{text}"
        );
    }
}
