//! What a case says besides its call: targets, what is expected, readings, launch.

use ptodiff_case::Case;
use ptodiff_isa::reading::{GAPS, Gap};
use ptodiff_isa::{CacheFlush, Clause, Dispatch, Launch, Target, TargetReadings};

use super::search::{Edit, edit};

/// The case without what it says that must be found: this holds of the whole
/// case only.
pub(super) fn unexpecting(case: &Case) -> Case {
    Case {
        covers: Vec::new(),
        gap: None,
        holes: Vec::new(),
        expect: Vec::new(),
        ..case.clone()
    }
}

/// One target, else one less.
pub(super) fn targets(case: &Case) -> Vec<Edit> {
    let all = &case.targets;
    let alone = all.iter().map(|target| vec![*target]);
    let without = all.iter().map(|target| {
        let mut left = all.clone();
        left.retain(|one| one != target);
        left
    });
    let on = |left: Vec<Target>| {
        edit(|case| {
            for list in expectations(case) {
                list.retain(|(target, _)| left.contains(target));
            }
            case.targets = left;
        })
    };
    alone.chain(without).map(on).collect()
}

/// What is expected of a target, a list for each kind.
const fn expectations(case: &mut Case) -> [&mut Vec<(Target, Clause)>; 3] {
    [&mut case.rejected, &mut case.undefined, &mut case.hangs]
}

/// Nothing is expected, else one thing less.
pub(super) fn expected(case: &Case) -> Vec<Edit> {
    let none = edit(|case| expectations(case).into_iter().for_each(Vec::clear));
    let counts = [&case.rejected, &case.undefined, &case.hangs].map(Vec::len);
    let each = counts.into_iter().enumerate();
    let each = each.flat_map(|(kind, count)| (0..count).map(move |at| (kind, at)));
    let less = each.map(|(kind, at)| {
        edit(move |case| {
            expectations(case)[kind].remove(at);
        })
    });
    [none].into_iter().chain(less).collect()
}

/// All readings at their defaults, else one more.
pub(super) fn readings(case: &Case) -> Vec<Edit> {
    let one = |gap: &Gap| {
        let mut readings = case.readings;
        // The default of a gap is its first choice.
        let set = readings.set(gap.name, gap.choices[0]);
        (set.is_ok() && readings != case.readings).then_some(readings)
    };
    let all = [TargetReadings::default()].into_iter();
    let all = all.chain(GAPS.iter().filter_map(one));
    all.map(|readings| edit(move |case| case.readings = readings))
        .collect()
}

/// The default launch, else one parameter more as it is there.
pub(super) fn launch(_: &Case) -> Vec<Edit> {
    let changes: [fn(&mut Launch); 4] = [
        |launch| *launch = Launch::default(),
        |launch| launch.dyn_ub_bytes = None,
        |launch| launch.dispatch = Dispatch::default(),
        |launch| launch.flush = CacheFlush::default(),
    ];
    let all = changes.map(|change| {
        edit(move |case| {
            if let Some(launch) = case.call.launch_mut() {
                change(launch);
            }
        })
    });
    all.into()
}
