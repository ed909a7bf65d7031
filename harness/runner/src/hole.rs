//! Holes: which of them a case shows.

use ptodiff_case::{
    Hole, HoleKind,
    HolePlace::{self, DataExtents, IndexExtents, TableShape, TableStrides},
};
use ptodiff_contract::legality;
use ptodiff_isa::{
    CacheFlush, Call, Clause, Dim, Model, Party, Readings, Region, Role, ScatterAtomicOp, Target,
    TargetReadings, reading::GAPS,
};
use ptodiff_judge::{Answer, Place, finding};
use ptodiff_register::Kind;

use crate::{context::RunContext, describe, party_run::PartyRun, readings::Asked};

/// The holes that show in `party_runs`, but for those of open readings: in
/// order, each once.
pub(crate) fn holes(
    context: &RunContext<'_>,
    models: &[&dyn Model],
    party_runs: &[PartyRun],
) -> Vec<Hole> {
    let mut all = Vec::new();
    let call = &context.case.call;
    unchecked(context, models, party_runs, &mut all);
    one_sided(party_runs, &mut all);
    static_only(call, context.readings, models, party_runs, &mut all);
    all.sort_unstable();
    all.dedup();
    all
}

/// The gaps on whose reading it depends what comes of the call, as holes; of
/// all gaps, or only of those in `only`, where that is not empty.
pub(crate) fn open_readings(
    context: &RunContext<'_>,
    models: &[&dyn Model],
    only: &[Clause],
) -> Vec<Hole> {
    let mut asked = Asked::new(context, models);
    let mut all: Vec<Hole> = Vec::new();
    for gap in GAPS {
        let clauses = about(gap.clauses, context);
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
fn about(clauses: &[Clause], context: &RunContext<'_>) -> Vec<Clause> {
    let area = ptodiff_case::Form::of(&context.case.call).area();
    let own = |c: &&Clause| c.0.split('-').next() == Some(area);
    match clauses.iter().any(|c| own(&c)) {
        true => clauses.iter().filter(own).copied().collect(),
        false => clauses.to_vec(),
    }
}

/// Which of the holes that the case says it shows it does, as text. Notes
/// the others in `party_runs`, as expectations that are not met.
///
/// Holes of targets that do not take part are passed over, and those where targets differ
/// without all that the case has.
pub(crate) fn expected(
    context: &RunContext<'_>,
    models: &[&dyn Model],
    party_runs: &mut [PartyRun],
) -> Vec<String> {
    let case = context.case;
    // What a case expects holds for its own readings.
    if case.holes.is_empty() || *context.readings != case.readings {
        return Vec::new();
    }
    let mut found = holes(context, models, party_runs);
    let open = case
        .holes
        .iter()
        .filter(|h| h.kind == HoleKind::OpenReading);
    let gaps: Vec<Clause> = open.flat_map(|h| h.clauses.iter().copied()).collect();
    if !gaps.is_empty() {
        found.extend(open_readings(context, models, &gaps));
    }
    let mut shown = Vec::new();
    for hole in &case.holes {
        if found.contains(hole) {
            shown.push(hole.to_string());
            continue;
        }
        let itself = |a: &&mut PartyRun, target| a.party == Party::of(target);
        let takes_part = |target| models.iter().any(|m| m.target() == target);
        let seen_with = match hole.place {
            HolePlace::Differs => &case.targets,
            _ => &hole.targets,
        };
        if !seen_with.iter().all(|target| takes_part(*target)) {
            continue;
        }
        let first = hole.targets.first();
        let party_run = first.and_then(|t| party_runs.iter_mut().find(|a| itself(a, *t)));
        if let Some(party_run) = party_run {
            let elsewhere = found.iter().find(|other| other.is_same_elsewhere(hole));
            let now = elsewhere.map(|other| format!("; it is now {other}"));
            let why = format!("the hole is gone: {hole}{}", now.unwrap_or_default());
            let clause = hole.clauses.first().copied();
            let found = finding(Place::Expectation, clause, why);
            party_run.expected.unmet.push(found);
        }
    }
    shown
}

/// Whether the target accepted the call.
fn accepted(party_run: &PartyRun) -> bool {
    matches!(party_run.answer(), Some(Answer::Ran(_) | Answer::Hung(_)))
}

/// Where the out-of-bounds accesses of a target show, if it had any.
fn oob_access(party_run: &PartyRun) -> Option<HolePlace> {
    let Some(Answer::Ran(ran)) = party_run.answer() else {
        return None;
    };
    let accesses = &ran.oob_accesses;
    let writes = accesses.first.iter().any(|access| access.write);
    match (accesses.count, writes) {
        (0, _) => None,
        (_, true) => Some(HolePlace::OutOfBoundsWrite),
        (_, false) => Some(HolePlace::OutOfBoundsRead),
    }
}

/// Adds preconditions that no check enforces, and accesses that leave operands although
/// none is broken.
fn unchecked(
    context: &RunContext<'_>,
    models: &[&dyn Model],
    party_runs: &[PartyRun],
    all: &mut Vec<Hole>,
) {
    for party_run in party_runs
        .iter()
        .filter(|a| a.party.form.is_none() && accepted(a))
    {
        let hole = if !party_run.is_open() {
            // Without a clause it is a violation, and the judge says so.
            let excused = party_run.promise.permits().and_then(|p| p.oob_accesses);
            let found = oob_access(party_run).zip(excused);
            found.map(|(place, clause)| (HoleKind::LegalOutOfBounds, vec![clause], place))
        } else {
            let broken = party_run.broken().map(|b| b.clause);
            let mut clauses: Vec<Clause> = broken.chain(party_run.promise.hangs()).collect();
            clauses.sort_unstable();
            clauses.dedup();
            let place = effect(context, models, party_run, party_runs);
            Some((HoleKind::UncheckedPrecondition, clauses, place))
        };
        all.extend(hole.map(|(kind, clauses, place)| Hole {
            kind,
            targets: vec![party_run.party.target],
            clauses,
            place,
        }));
    }
}

/// The worst that comes of it.
fn effect(
    context: &RunContext<'_>,
    models: &[&dyn Model],
    party_run: &PartyRun,
    party_runs: &[PartyRun],
) -> HolePlace {
    let Some(Answer::Ran(ran)) = party_run.answer() else {
        return HolePlace::Hang;
    };
    let output = context.case.call.output();
    let left = ran.memory.get(output).map(Region::body);
    let differs = |other: &PartyRun| match other.answer() {
        Some(Answer::Ran(other)) => other.memory.get(output).map(Region::body) != left,
        _ => false,
    };
    match with_indices_inside(context, models, party_run).unwrap_or(oob_access(party_run)) {
        Some(place) => place,
        // Where a clause lets targets part, the precondition is not to blame.
        None if !lets_part(&context.case.call)
            && party_runs.iter().any(|a| a.is_exact() && differs(a)) =>
        {
            HolePlace::Differs
        }
        None => HolePlace::Undefined,
    }
}

/// Whether the call lets a target leave other bytes whatever it breaks: nobody flushes, or values
/// are combined, which CPU ignores (MSCATTER-ATOM-18) and others do in an order of their own.
fn lets_part(call: &Call) -> bool {
    let mut launch = call.launch().into_iter();
    launch.any(|launch| launch.flush == CacheFlush::Missing)
        || call.atomic().is_some_and(|op| op != ScatterAtomicOp::None)
}

/// Where accesses show that leave operands with indices that have a slot: others do so by
/// themselves, and not by what the call breaks. None where it breaks something else then.
fn with_indices_inside(
    context: &RunContext<'_>,
    models: &[&dyn Model],
    party_run: &PartyRun,
) -> Option<Option<HolePlace>> {
    let target = party_run.party.target;
    let model = models.iter().find(|model| model.target() == target)?;
    let reach = !is_of_strides(&context.case.call, target, &context.readings[target]);
    let steps = describe::with_indices_inside(context, reach)?;
    let inside = RunContext {
        steps: &steps,
        ..*context
    };
    let inside = inside.run(party_run.party.clone(), *model, &context.case.call);
    let clauses = |of: &PartyRun| of.broken().map(|broken| broken.clause).collect::<Vec<_>>();
    let same = accepted(&inside) && clauses(&inside) == clauses(party_run);
    same.then(|| oob_access(&inside))
}

/// Whether the call breaks something else with a packed table.
fn is_of_strides(call: &Call, target: Target, readings: &Readings) -> bool {
    let mut packed = *call;
    if let Some(table) = packed.tensor_mut(Role::Table) {
        let mut pitch = 1;
        for (dim, stride) in table.shape.iter().zip(&mut table.stride).rev() {
            *stride = Dim::Static(pitch);
            pitch = pitch.saturating_mul(dim.get());
        }
    }
    let [packed, own] = [&packed, call].map(|call| legality(call, target, readings));
    packed
        .iter()
        .map(|b| b.clause)
        .ne(own.iter().map(|b| b.clause))
}

/// Adds each two targets of which the first accepts, owing nothing, and the
/// second rejects by gaps alone, a statement that it rejected by would say so.
fn one_sided(party_runs: &[PartyRun], all: &mut Vec<Hole>) {
    let own = || party_runs.iter().filter(|a| a.party.form.is_none());
    for rejects in own() {
        let Some(Answer::Rejected(rejections)) = rejects.answer() else {
            continue;
        };
        if !rejections.iter().all(|rejection| is_gap(rejection.clause)) {
            continue;
        }
        let mut clauses: Vec<Clause> = rejections.iter().map(|r| r.clause).collect();
        clauses.sort_unstable();
        clauses.dedup();
        for accepts in own().filter(|a| accepted(a) && a.broken().next().is_none()) {
            all.push(Hole {
                kind: HoleKind::OneSidedRejection,
                targets: vec![accepts.party.target, rejects.party.target],
                clauses: clauses.clone(),
                place: HolePlace::Rejection,
            });
        }
    }
}

fn is_gap(clause: Clause) -> bool {
    ptodiff_register::find(clause.0).is_some_and(|e| e.kind == Kind::Gap)
}

/// Adds what each target that accepts `call` rejects once its dimensions are static.
fn static_only(
    call: &Call,
    readings: &TargetReadings,
    models: &[&dyn Model],
    party_runs: &[PartyRun],
    all: &mut Vec<Hole>,
) {
    let mut fixed = *call;
    if !make_static(&mut fixed, |_| true) {
        return;
    }
    for model in models {
        let target = model.target();
        let accepts =
            |a: &PartyRun| a.party.form.is_none() && a.party.target == target && accepted(a);
        if !party_runs.iter().any(accepts) {
            continue;
        }
        let rejected = |call: &Call| -> Vec<Clause> {
            let rejections = model.check(call, &readings[target]).into_iter();
            rejections.map(|rejection| rejection.clause).collect()
        };
        for clause in rejected(&fixed) {
            let alone = |place: &HolePlace| {
                let mut one = *call;
                make_static(&mut one, |p| p == *place) && rejected(&one).contains(&clause)
            };
            let places = [DataExtents, IndexExtents, TableShape, TableStrides];
            all.push(Hole {
                kind: HoleKind::StaticOnlyCheck,
                targets: vec![target],
                clauses: vec![clause],
                place: places.into_iter().find(alone).unwrap_or(HolePlace::Several),
            });
        }
    }
}

/// Makes the dimensions of `call` static that have one of these places; whether that
/// changes anything.
fn make_static(call: &mut Call, which: impl Fn(HolePlace) -> bool) -> bool {
    use Role::{Destination, Index, Scratch, Source, Table};
    let mut changed = false;
    let mut fix = |place: HolePlace, dim: &mut Dim| {
        // Most are static.
        let Dim::Dynamic(value) = *dim else { return };
        // A tensor of static extents has none that is 0.
        let may = place == DataExtents || value > 0;
        if may && which(place) {
            *dim = Dim::Static(value);
            changed = true;
        }
    };
    for role in [Table, Source, Destination, Index, Scratch] {
        let [extents, shape, strides] = match role {
            Index => [IndexExtents; 3],
            _ => [DataExtents, TableShape, TableStrides],
        };
        if let Some(tile) = call.tile_mut(role) {
            fix(extents, &mut tile.valid_row);
            fix(extents, &mut tile.valid_col);
        } else if let Some(tensor) = call.tensor_mut(role) {
            tensor.shape.iter_mut().for_each(|dim| fix(shape, dim));
            tensor.stride.iter_mut().for_each(|dim| fix(strides, dim));
        }
    }
    changed
}
