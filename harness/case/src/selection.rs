//! What a case asks for besides its call: targets, readings, expectations.

use ptodiff_isa::reading::{GAPS, UnknownReading};
use ptodiff_isa::{Clause, Instruction, Target, TargetReadings};

use crate::clause;
use crate::code::Code;
use crate::hole::Hole;
use crate::notes::Notes;
use crate::suggest;
use crate::yaml::Node;

/// Each target once, in the order of [`Target`].
pub(crate) fn targets(notes: &mut Notes<'_>, list: &Node) -> Vec<Target> {
    let mut all: Vec<Target> = Vec::new();
    notes.not_empty(Code::BadTargets, list, "no target is named");
    for word in list.items() {
        if let Some(target) = notes.name("target", word) {
            let again = format!("target {target} is named twice");
            notes.once(&mut all, target, (Code::BadTargets, &word.span, again));
        }
    }
    all.sort();
    all
}

/// The defaults with the readings that the case gives; those of one target count
/// more than those of all.
pub(crate) fn readings(notes: &mut Notes<'_>, raw: &Node) -> TargetReadings {
    let mut known = Vec::new();
    for (gap, choice) in raw.pairs() {
        let (gap_text, choice_text) = (gap.word(), choice.word());
        match TargetReadings::default().set(gap_text, choice_text) {
            Ok(()) => known.push((gap_text, choice_text)),
            Err(UnknownReading::Gap) => {
                let names: Vec<_> = GAPS.iter().map(|gap| gap.name).collect();
                let message = format!("there is no reading called `{gap_text}`");
                notes.add(Code::UnknownReading, &gap.span, message, "").help =
                    suggest::help(gap_text, &names);
            }
            Err(UnknownReading::Target(known, target)) => {
                let message = format!("`{}` changes nothing on {target}", known.name);
                let about: Vec<&str> = known.targets.iter().map(|t| (*t).into()).collect();
                notes.add(Code::UnknownReading, &gap.span, message, "").help =
                    Some(format!("it is about {}", about.join(", ")));
            }
            Err(UnknownReading::Choice(known)) => {
                let message = format!("`{}` cannot be `{choice_text}`", known.name);
                notes
                    .add(Code::UnknownReading, &choice.span, message, "")
                    .help = suggest::help(choice_text, known.choices);
            }
        }
    }
    let readings = TargetReadings::default().with(known.into_iter());
    readings.unwrap_or_default()
}

/// Target and clause in the order of targets, then as written. Only a target
/// that the case runs on can be expected of.
pub(crate) fn expectations(
    notes: &mut Notes<'_>,
    raw: &Node,
    targets: &[Target],
) -> Vec<(Target, Clause)> {
    let mut all: Vec<(Target, Clause)> = Vec::new();
    for target in <Target as strum::VariantArray>::VARIANTS.iter().copied() {
        let Some(clauses) = raw.get(target.into()) else {
            continue;
        };
        if !targets.contains(&target) {
            let message = format!("the case does not run on {target}");
            notes.add(
                Code::BadTargets,
                &clauses.span,
                message,
                "nothing to expect here",
            );
        }
        let none = format!("no clause is given for {target}");
        notes.not_empty(Code::BadTargets, clauses, &none);
        for word in words(clauses) {
            if let Some(clause) = known(notes, word) {
                let again = format!("{clause} is given twice for {target}");
                let again = (Code::BadTargets, &word.span, again);
                notes.once(&mut all, (target, clause), again);
            }
        }
    }
    all
}

/// Clauses in the order given, each once, none of them a gap or of another instruction than
/// `of`; of MGATHER and MSCATTER each may show what the other left.
pub(crate) fn covers(notes: &mut Notes<'_>, raw: &Node, of: Option<Instruction>) -> Vec<Clause> {
    let family = |name: &str| match name {
        name if name.starts_with("TSCATTER") => "TSCATTER",
        name if name.starts_with("TGATHERB") => "TGATHERB",
        _ => "MGATHER or MSCATTER",
    };
    let own = of.map(|instruction| family(instruction.into()));
    let mut all: Vec<Clause> = Vec::new();
    let none = "no clause is given that the case covers";
    notes.not_empty(Code::BadCovers, raw, none);
    for word in words(raw) {
        let Some(clause) = known(notes, word) else {
            continue;
        };
        if clause::is_gap(clause) {
            let message = format!("{clause} is a gap: nothing is promised there");
            notes
                .add(Code::BadCovers, &word.span, message, "a gap")
                .help = Some("a case that distinguishes its readings names it in `gap`".to_owned());
        } else if let Some(own) = own.filter(|own| *own != family(clause.0)) {
            let message = format!("a case of {own} covers no clause of {}", family(clause.0));
            notes.add(
                Code::BadCovers,
                &word.span,
                message,
                "of another instruction",
            );
        } else {
            let again = format!("{clause} is given twice");
            notes.once(&mut all, clause, (Code::BadCovers, &word.span, again));
        }
    }
    all
}

/// Holes in the order given, each once and of targets that the case runs on.
pub(crate) fn holes(notes: &mut Notes<'_>, list: &Node, targets: &[Target]) -> Vec<Hole> {
    let mut all: Vec<Hole> = Vec::new();
    notes.not_empty(Code::BadHole, list, "`holes` has no entries");
    for word in list.items() {
        let (code, span) = (Code::BadHole, &word.span);
        match word.word().parse::<Hole>() {
            Err(why) => {
                notes.add(code, span, why, "not a hole");
            }
            Ok(hole) => {
                if let Some(target) = hole.targets.iter().find(|t| !targets.contains(t)) {
                    let message = format!("the case does not run on {target}");
                    notes.add(code, span, message, "nothing shows there");
                }
                let again = format!("`{hole}` is given twice");
                notes.once(&mut all, hole, (code, span, again));
            }
        }
    }
    all
}

/// A gap of the register; what is none has no readings.
pub(crate) fn gap(notes: &mut Notes<'_>, word: &Node) -> Clause {
    let gap = known(notes, word).unwrap_or(Clause(""));
    if !gap.0.is_empty() && !clause::is_gap(gap) {
        let message = format!("{gap} is no gap: it has no readings to distinguish");
        notes
            .add(Code::BadCovers, &word.span, message, "a clause")
            .help = Some("a case names the clauses it covers in `covers`".to_owned());
    }
    gap
}

/// The clauses as written: a list of them, or one.
fn words(clauses: &Node) -> &[Node] {
    clauses.list().unwrap_or(std::slice::from_ref(clauses))
}

/// A clause that the register has.
fn known(notes: &mut Notes<'_>, word: &Node) -> Option<Clause> {
    let text = word.word();
    match clause::known(text) {
        Ok(clause) => Some(clause),
        Err(unknown) => {
            let (message, label) = match unknown.is_number {
                true => (
                    format!("the register has no clause {text}"),
                    "not in the register",
                ),
                false => (
                    format!("`{text}` is not the number of a clause"),
                    "`MSCATTER-OOB-03` is one",
                ),
            };
            notes.add(Code::BadClause, &word.span, message, label).help = unknown.help;
            None
        }
    }
}
