//! What a case says besides its call: targets, what is expected, readings, launch.

use ptodiff_case::Case;
use ptodiff_isa::reading::GAPS;
use ptodiff_isa::{CacheFlush, Call, Dispatch, Launch, Target, TargetReadings};

use super::search::Search;

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
pub(super) fn targets(search: &mut Search<'_>) -> bool {
    let list = |case: &Case| {
        let all = &case.targets;
        let alone = all.iter().map(|target| vec![*target]);
        let without = all.iter().map(|target| {
            let mut left = all.clone();
            left.retain(|one| one != target);
            left
        });
        alone.chain(without).collect()
    };
    search.exhaust(list, |search, left| Some(on(&search.case, left)))
}

/// The case on fewer targets: nothing is expected of the others.
fn on(case: &Case, targets: Vec<Target>) -> Case {
    let mut out = case.clone();
    for list in [&mut out.rejected, &mut out.undefined, &mut out.hangs] {
        list.retain(|(target, _)| targets.contains(target));
    }
    out.targets = targets;
    out
}

/// Nothing is expected, else one thing less.
pub(super) fn expected(search: &mut Search<'_>) -> bool {
    let list = |case: &Case| {
        let counts = [&case.rejected, &case.undefined, &case.hangs].map(Vec::len);
        let kinds = counts.into_iter().enumerate();
        let each = kinds.flat_map(|(kind, count)| (0..count).map(move |at| Some((kind, at))));
        [None].into_iter().chain(each).collect()
    };
    search.exhaust(list, |search, entry| {
        let mut less = search.case.clone();
        let lists = [&mut less.rejected, &mut less.undefined, &mut less.hangs];
        match entry {
            Some((kind, at)) => {
                lists[kind].remove(at);
            }
            None => lists.into_iter().for_each(Vec::clear),
        }
        Some(less)
    })
}

/// All readings at their defaults, else one more.
pub(super) fn readings(search: &mut Search<'_>) -> bool {
    let list = |case: &Case| {
        let mut all = vec![TargetReadings::default()];
        for gap in GAPS {
            let mut readings = case.readings;
            // The default of a gap is its first choice.
            if readings.set(gap.name, gap.choices[0]).is_ok() && readings != case.readings {
                all.push(readings);
            }
        }
        all
    };
    search.exhaust(list, |search, readings| {
        let case = search.case.clone();
        Some(Case { readings, ..case })
    })
}

/// The default launch, else one parameter more as it is there.
pub(super) fn launch(search: &mut Search<'_>) -> bool {
    search.exhaust_calls(|call| {
        let changes: [fn(&mut Launch); 4] = [
            |launch| *launch = Launch::default(),
            |launch| launch.dyn_ub_bytes = None,
            |launch| launch.dispatch = Dispatch::default(),
            |launch| launch.flush = CacheFlush::default(),
        ];
        changes.map(|change| changed(*call, change)).to_vec()
    })
}

fn changed(mut call: Call, change: fn(&mut Launch)) -> Call {
    if let Some(launch) = call.launch_mut() {
        change(launch);
    }
    call
}
