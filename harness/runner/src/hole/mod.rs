//! Holes: which of them a case shows.

mod fixed;
mod precondition;
mod rejection;

use ptodiff_case::{Hole, HoleKind, HolePlace};
use ptodiff_isa::{Clause, Model, Party, reading::GAPS};
use ptodiff_judge::{Answer, Detail, Finding, Place};

use crate::{
    Room,
    account::{Account, Scene},
    readings::Asked,
};

/// The holes that show in `accounts`, but for those of open readings: in
/// order, each once.
pub(crate) fn holes(scene: &Scene<'_>, models: &[&dyn Model], accounts: &[Account]) -> Vec<Hole> {
    let mut all = Vec::new();
    precondition::find(&scene.case.call, accounts, &mut all);
    rejection::find(accounts, &mut all);
    fixed::find(&scene.case.call, scene.readings, models, accounts, &mut all);
    all.sort_unstable();
    all.dedup();
    all
}

/// The gaps on whose reading it depends what comes of the call, as holes; of
/// all gaps, or only of those in `only`, where that is not empty. `accounts`
/// tell what the models did under the readings in force.
pub(crate) fn open_readings(
    scene: &Scene<'_>,
    models: &[&dyn Model],
    accounts: &[Account],
    only: &[Clause],
) -> Vec<Hole> {
    let mut room = Room::default();
    let mut asked = Asked::new(scene, models, accounts, &mut room);
    let mut all: Vec<Hole> = Vec::new();
    for gap in GAPS {
        let clauses = about(gap.clauses, scene);
        if !only.is_empty() && !clauses.iter().any(|c| only.contains(c)) {
            continue;
        }
        asked.differences(gap, |target, _, place| {
            let hole = Hole {
                kind: HoleKind::OpenReading,
                targets: vec![target],
                clauses: clauses.clone(),
                place,
            };
            // One hole a gap and target: other bytes say more than other promises.
            match all.iter_mut().find(|known| known.is_same_elsewhere(&hole)) {
                Some(known) => known.place = known.place.min(place),
                None => all.push(hole),
            }
        });
    }
    all.sort_unstable();
    all
}

/// Those of `clauses` that speak of the form of the call; all where none does.
fn about(clauses: &[Clause], scene: &Scene<'_>) -> Vec<Clause> {
    let area = ptodiff_case::Form::of(&scene.case.call).area();
    let own = |c: &&Clause| c.0.split('-').next() == Some(area);
    let own: Vec<Clause> = clauses.iter().filter(own).copied().collect();
    if own.is_empty() {
        clauses.to_vec()
    } else {
        own
    }
}

/// Which of the holes that the case says it shows it does, as text. Notes
/// the others in `accounts`, as expectations that are not met.
///
/// Holes of targets that do not take part are passed over.
pub(crate) fn expected(
    scene: &Scene<'_>,
    models: &[&dyn Model],
    accounts: &mut [Account],
) -> Vec<String> {
    let case = scene.case;
    // What a case expects holds for its own readings.
    if case.holes.is_empty() || *scene.readings != case.readings {
        return Vec::new();
    }
    let mut found = holes(scene, models, accounts);
    let open = case
        .holes
        .iter()
        .filter(|h| h.kind == HoleKind::OpenReading);
    let gaps: Vec<Clause> = open.flat_map(|h| h.clauses.iter().copied()).collect();
    if !gaps.is_empty() {
        found.extend(open_readings(scene, models, accounts, &gaps));
    }
    let mut shown = Vec::new();
    for hole in &case.holes {
        if found.contains(hole) {
            shown.push(hole.to_string());
            continue;
        }
        let itself = |a: &&mut Account, target| a.party == Party::of(target);
        let takes_part = |target| models.iter().any(|m| m.target() == target);
        if !hole.targets.iter().all(|target| takes_part(*target)) {
            continue;
        }
        let first = hole.targets.first();
        let account = first.and_then(|t| accounts.iter_mut().find(|a| itself(a, *t)));
        if let Some(account) = account {
            account.miss(Finding {
                place: Place::Expectation,
                clause: hole.clauses.first().copied(),
                schedule: None,
                detail: Detail::Text(format!("the hole is gone: {hole}")),
            });
        }
    }
    shown
}

/// Whether the target accepted the call.
fn accepted(account: &Account) -> bool {
    matches!(account.answer(), Some(Answer::Ran(_) | Answer::Hung(_)))
}

/// Where the out-of-bounds accesses of a target show, if it had any.
fn oob_access(account: &Account) -> Option<HolePlace> {
    let Some(Answer::Ran(ran)) = account.answer() else {
        return None;
    };
    let writes = ran
        .oob_accesses
        .first
        .iter()
        .any(|oob_access| oob_access.write);
    match (ran.oob_accesses.count, writes) {
        (0, _) => None,
        (_, true) => Some(HolePlace::OutOfBoundsWrite),
        (_, false) => Some(HolePlace::OutOfBoundsRead),
    }
}
