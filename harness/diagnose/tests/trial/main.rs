//! Each wrong model as an implementation over cases: is its own mistake named?

mod acts;
mod checks;
mod nearest;
mod tails;

use std::{collections::BTreeSet, ops::ControlFlow, path::Path, sync::LazyLock, time::Duration};

use ptodiff_case::{Case, Form};
use ptodiff_diagnose::{Evidence, Explanation, diagnose, explanations};
use ptodiff_isa::{
    BLayout, CacheFlush, Call, Coalesce, Dim, Dispatch, End, Fault, GatherOob, How, Launch, Log,
    Memory, Mgather, Model, Mscatter, Party, Readings, Role, ScatterConflict, ScatterIndex,
    Schedule, Target, Tile,
};
use ptodiff_mutants::{Mutant, mutants};
use ptodiff_record::{CaseRecord, Diagnosis, Finding, TargetVerdict};
use ptodiff_runner::{Options, altered, run_as_implementations};

fn cases(of: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(of);
    ptodiff_case::load(&[folder]).expect("good cases").cases
}

/// Cases of every form, read once.
static CLAUSES: LazyLock<Vec<Case>> = LazyLock::new(|| cases("cases/clauses"));

/// `record` of a party that does not tell where it read.
fn as_of_a_process(mut record: CaseRecord) -> CaseRecord {
    for target in record.targets.values_mut() {
        let before = target.findings.len();
        target.findings.retain(|finding| {
            let kind = finding.failure_group.split(' ').nth(2);
            kind != Some("out-of-bounds")
        });
        if target.findings.is_empty() && before > 0 {
            target.verdict = TargetVerdict::Conforms;
        }
    }
    record
}

/// What is told of a model that is judged as an implementation is.
fn told(model: &dyn Model, cases: &[Case]) -> Vec<Diagnosis> {
    told_of(model, cases, |finding| finding.failure_group.clone())
}

/// The same where `group` says which failure group a finding is of.
fn told_of(model: &dyn Model, cases: &[Case], group: fn(&Finding) -> String) -> Vec<Diagnosis> {
    told_under(model, cases, &[], group)
}

/// The same under these choices for gaps.
fn told_under(
    model: &dyn Model,
    cases: &[Case],
    readings: &[(&str, &str)],
    group: fn(&Finding) -> String,
) -> Vec<Diagnosis> {
    let owned = |(gap, choice): &(&str, &str)| ((*gap).to_owned(), (*choice).to_owned());
    let options = Options {
        targets: vec![model.target()],
        readings: readings.iter().map(owned).collect(),
        ..Options::default()
    };
    let mut evidence = Evidence::of(Party::of(model.target()));
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    run_as_implementations(&[model], cases, &options, |_, record| {
        let record = as_of_a_process(record);
        let findings = record.targets.values().flat_map(|t| &t.findings);
        let numbers: Vec<usize> = findings
            .map(|finding| {
                let name = group(finding);
                let known = groups.iter().position(|(other, _)| *other == name);
                known.unwrap_or_else(|| {
                    groups.push((name, vec![groups.len()]));
                    groups.len() - 1
                })
            })
            .collect();
        evidence.add(&record, numbers);
        ControlFlow::Continue(())
    })
    .expect("it runs");
    let time = Duration::from_secs(600);
    diagnose(&evidence, &groups, cases, &options, 1, time).expect("it is diagnosed")
}

/// Whether what is named first is the mistake, or leaves the same in all cases.
fn is_named(mutant: &Mutant, diagnosis: &Diagnosis) -> bool {
    let Some(first) = diagnosis.fits.first() else {
        return false;
    };
    let same = first.explains == diagnosis.failures && first.contradicts == 0;
    first.name == mutant.name || same
}

fn trial<'a>(of: impl Iterator<Item = &'a Mutant>, cases: &[Case]) {
    let (mut missed, mut all) = (Vec::new(), 0);
    for mutant in of {
        // In other forms it is right, and a diagnosis asks nothing of those.
        let own = cases
            .iter()
            .filter(|case| Form::of(&case.call) == mutant.form);
        let own: Vec<Case> = own.cloned().collect();
        // There may be nothing to explain.
        let Some(diagnosis) = told(mutant, &own).into_iter().next() else {
            continue;
        };
        all += 1;
        if !is_named(mutant, &diagnosis) {
            missed.push((mutant.name, diagnosis));
        }
    }
    println!("{} of {all} are not named: {missed:#?}", missed.len());
    assert!(missed.len() * 20 <= all);
}

fn right() -> &'static dyn Model {
    ptodiff_runner::models()[2]
}

/// A model of A5 that rejects what it should and executes so.
fn executes(
    so: fn(&Call, &mut Memory, &How, &mut Log) -> Result<End, Fault>,
) -> impl Model + 'static {
    altered(right(), move |_, call, memory, how, log| {
        so(call, memory, how, log)
    })
}

/// Takes the valid width of a tile for its pitch, and has zeros for what it then would read
/// outside of the source, as a program does that checks its bounds.
fn careful(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let Call::Tgatherb(own) = call else {
        return right().execute(call, memory, how, log);
    };
    let (dst, offset) = (own.dst, own.offset);
    let of = |role| memory.get(role).expect("an operand").body().to_vec();
    let (source, offsets) = (of(Role::Source), of(Role::Index));
    let size = dst.dtype.size();
    let place = |tile: &Tile, r: u64, c: u64| match tile.blayout {
        BLayout::RowMajor => (r * tile.valid_col.get() + c) as usize,
        BLayout::ColMajor => (c * tile.rows + r) as usize,
    };
    let mut out = of(Role::Destination);
    for r in 0..dst.valid_row.get() {
        for c in 0..dst.valid_col.get() {
            let at = 4 * place(&offset, r, c);
            let from = offsets.get(at..).and_then(<[u8]>::first_chunk);
            let from = from.map_or(u32::MAX, |from| u32::from_le_bytes(*from)) as usize;
            let found = source.get(from..from + size).map(<[u8]>::to_vec);
            let to = size * place(&dst, r, c);
            out[to..to + size].copy_from_slice(&found.unwrap_or(vec![0; size]));
        }
    }
    let body = memory.get_mut(Role::Destination).expect("an operand");
    body.body_mut().copy_from_slice(&out);
    Ok(End::Finished)
}

/// What `careful` leaves is explained by this.
const CAREFUL: &str = "takes the valid width of a tile for the distance of its rows, \
                       and has zeros outside of operands";

/// Cases that `careful` runs: those of another granularity it cannot.
fn plain() -> Vec<Case> {
    let mut cases = cases("cases/clauses/tgatherb.yaml");
    cases.retain(|case| {
        let plain = case.readings == ptodiff_isa::TargetReadings::default();
        plain && case.targets.contains(&Target::A5) && case.rejected.len() < 2
    });
    cases
}

/// As `careful`, and nonsense of elements of one byte.
fn careless(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let end = careful(call, memory, how, log);
    if call.data_tile().dtype.size() == 1 {
        let body = memory.get_mut(Role::Destination).expect("an operand");
        body.body_mut().iter_mut().for_each(|byte| *byte ^= 0x5a);
    }
    end
}

#[test]
fn a_failure_that_nothing_explains_hides_no_mistake_of_what_keeps_inside() {
    let mut cases = plain();
    // The nonsense comes first.
    cases.sort_by_key(|case| case.call.data_tile().dtype.size());
    let told = told(&executes(careless), &cases);
    let fit = told[0].fits.iter().find(|fit| fit.sentence == CAREFUL);
    assert!(fit.is_some_and(|fit| fit.explains > 1), "{told:#?}");
}

#[test]
fn what_keeps_inside_operands_is_explained_as_a_whole() {
    let told = told(&executes(careful), &plain());
    let fits: Vec<_> = told.iter().flat_map(|one| &one.fits).collect();
    assert!(
        fits[0].sentence == CAREFUL && told[0].is_explained() && fits[0].contradicts == 0,
        "{told:?}"
    );
    let sentences: BTreeSet<&str> = fits.iter().map(|fit| &*fit.sentence).collect();
    assert_eq!(sentences.len(), fits.len(), "{told:?}");
}

#[test]
fn a_mistake_that_is_known_is_named() {
    trial(mutants().iter().step_by(58), &CLAUSES);
}

#[test]
#[ignore = "takes minutes"]
fn every_mistake_that_is_known_is_named() {
    trial(mutants().iter(), &cases("cases"));
}

fn named(name: &str) -> &'static Mutant {
    let found = mutants().iter().find(|mutant| mutant.name == name);
    found.expect("one of the mutants")
}

/// That of what `model` does wrong in `cases` everything is explained by `mistake` alone.
fn assert_whole(model: &dyn Model, cases: &[Case], mistake: &str) {
    let told = told(model, cases);
    let fit = &told[0].fits[0];
    assert_eq!(
        (&*fit.sentence, fit.explains, fit.contradicts),
        (mistake, told[0].failures, 0),
        "{told:?}"
    );
}

/// Rows that are gathered come the other way round.
fn upside_down(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let end = right().execute(call, memory, how, log)?;
    if let Call::Mgather(own) = call
        && own.mode == Coalesce::Row
    {
        let pitch = own.dst.cols as usize * own.dst.dtype.size();
        let valid = own.dst.valid_row.get() as usize * pitch;
        let body = memory
            .get_mut(Role::Destination)
            .expect("an operand")
            .body_mut();
        let rows: Vec<Vec<u8>> = body[..valid].chunks(pitch).map(<[u8]>::to_vec).collect();
        body[..valid].copy_from_slice(&rows.into_iter().rev().flatten().collect::<Vec<u8>>());
    }
    Ok(end)
}

/// Beside the indices of the rows there is padding in their tile.
#[test]
fn the_lanes_of_a_tile_are_its_valid_elements() {
    let mut cases = cases("cases/clauses/mgather_bounds.yaml");
    cases.retain(|case| case.targets.contains(&Target::A5));
    let mistake = "takes the index of the last lane for the first, and so on, where mode=Row";
    assert_whole(&executes(upside_down), &cases, mistake);
}

/// Cases that say what a target issues hold a model to it, and no process.
#[test]
fn what_a_process_does_not_tell_contradicts_nothing() {
    let mutant = named("mgather-a2a3-remainder-by-mask");
    let mut cases = CLAUSES.clone();
    cases.retain(|case| matches!(case.call, Call::Mgather(_)));
    assert_whole(mutant, &cases, mutant.mistake);
}

/// Serves the lanes of a scatter from the last to the first where they are in order, and lets
/// their order decide.
fn backwards(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let (mut call, mut how) = (*call, *how);
    if let Call::Mscatter(own) = &mut call {
        own.conflict = ScatterConflict::Default;
    }
    if how.schedule == Schedule::InOrder {
        how.schedule = Schedule::Reversed;
    }
    right().execute(&call, memory, &how, log)
}

/// Never writes the last slot of the destination.
fn one_short(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let (output, size) = (call.output(), call.data_tile().dtype.size());
    let before = memory.get(output).expect("an output").body().to_vec();
    let end = right().execute(call, memory, how, log)?;
    let after = memory.get_mut(output).expect("an output").body_mut();
    let last = after.len() - size;
    after[last..].copy_from_slice(&before[last..]);
    Ok(end)
}

#[test]
fn a_range_that_is_one_too_short_is_told_from_an_element_too_few() {
    let mut cases = CLAUSES.clone();
    cases.retain(|case| matches!(case.call, Call::TscatterIndex(_)));
    let mistake = "takes the last slot of what it writes to for out of range";
    assert_whole(&executes(one_short), &cases, mistake);
}

/// A5 is run under several orders of its lanes, an explanation under the first.
#[test]
fn what_depends_on_the_order_of_lanes_is_explained_by_the_first() {
    let mut cases = cases("cases/st/mscatter-cpu.yaml");
    // Many lanes write one slot: each order leaves another value.
    cases.retain(|case| case.name.contains("_same_"));
    assert_whole(
        &executes(backwards),
        &cases,
        "leaves the first writer of a contested slot",
    );
}

/// The cases of that file are read otherwise than by default, which is nothing to A5.
#[test]
fn a_reading_of_another_target_hides_no_mistake() {
    let mutant = named("mscatter-a5-first-writer-wins");
    assert_whole(
        mutant,
        &cases("cases/axes/mscatter_axes_nd.yaml"),
        mutant.mistake,
    );
}

/// Writes the padding of the tile by row alone.
fn in_row(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let padding = named("mscatter-a5-padding-lanes");
    match call.mode() {
        Some(Coalesce::Row) => padding.execute(call, memory, how, log),
        _ => right().execute(call, memory, how, log),
    }
}

#[test]
fn a_mistake_in_some_calls_is_told_with_what_they_have_in_common() {
    let mut cases = CLAUSES.clone();
    cases.retain(|case| matches!(case.call, Call::Mscatter(_)));
    let mistake = "scatters the padding columns of the tile, too, where mode=Row";
    assert_whole(&executes(in_row), &cases, mistake);
}

/// Takes every tile for row-major.
fn in_rows(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let mut call = *call;
    for role in [Role::Index, Role::Source, Role::Destination] {
        if let Some(tile) = call.tile_mut(role) {
            tile.blayout = BLayout::RowMajor;
        }
    }
    right().execute(&call, memory, how, log)
}

#[test]
fn a_mistake_with_all_tiles_is_one_mistake() {
    let mut cases = CLAUSES.clone();
    cases.retain(|case| matches!(case.call, Call::Tgatherb(_)));
    let mistake = "takes a tile for row-major where it is column-major";
    assert_whole(&executes(in_rows), &cases, mistake);
}

/// Gathers the element after each that an offset leads to.
fn next_element(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let given = memory.get(Role::Source).expect("a source").clone();
    let source = memory.get_mut(Role::Source).expect("a source");
    let size = call.operand(Role::Source).expect("a source").dtype().size();
    source.body_mut().copy_within(size.., 0);
    let end = right().execute(call, memory, how, log);
    *memory.get_mut(Role::Source).expect("a source") = given;
    end
}

#[test]
fn elements_of_a_source_are_of_no_lane() {
    let mut cases = cases("cases/clauses/tgatherb.yaml");
    cases.retain(|case| case.targets.contains(&Target::A5) && case.rejected.is_empty());
    let mistake = "takes the element of the source after the one that is due";
    assert_whole(&executes(next_element), &cases, mistake);
}

/// Finds the rows of the index tile as far from each other as those of the source are.
fn by_the_source(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let Call::Mscatter(Mscatter { src, idx, .. }) = call else {
        return right().execute(call, memory, how, log);
    };
    let given = memory.get(Role::Index).expect("indices").clone();
    let size = idx.dtype.size();
    let mut taken = given.body().to_vec();
    for r in 0..idx.valid_row.get() {
        for c in 0..idx.valid_col.get() {
            let [to, from] = [idx, src].map(|tile| match idx.blayout {
                BLayout::RowMajor => (r * tile.cols + c) as usize * size,
                BLayout::ColMajor => (c * tile.rows + r) as usize * size,
            });
            if let Some(found) = given.body().get(from..from + size) {
                taken[to..to + size].copy_from_slice(found);
            }
        }
    }
    let index = memory.get_mut(Role::Index).expect("indices");
    index.body_mut().copy_from_slice(&taken);
    let end = right().execute(call, memory, how, log);
    *memory.get_mut(Role::Index).expect("indices") = given;
    end
}

#[test]
fn indices_that_are_found_as_the_data_is_are_explained() {
    // Many that fail, and some that tell this mistake from others like it.
    let files = ["axes/mscatter_axes_colmajor", "clauses/mscatter_tiles"];
    let mut cases = files
        .map(|file| cases(&format!("cases/{file}.yaml")))
        .concat();
    cases.retain(|case| match &case.call {
        Call::Mscatter(Mscatter { mode, src, idx, .. }) => {
            *mode == Coalesce::Elem && src.rows * src.cols <= idx.rows * idx.cols
        }
        _ => false,
    });
    let mistake = "takes the distance of the data tile's rows for that of the index tile's";
    assert_whole(&executes(by_the_source), &cases, mistake);
}

/// Takes an index for a row, and leaves zeros where it would leave the destination.
fn by_row(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let (mut how, before) = (*how, (memory.clone(), log.oob_accesses.count));
    how.readings.tscatter_index = ScatterIndex::Row;
    let end = right().execute(call, memory, &how, log)?;
    if log.oob_accesses.count > before.1 {
        *memory = before.0;
        let output = memory.get_mut(call.output()).expect("an output");
        output.body_mut().fill(0);
    }
    Ok(end)
}

/// What it does with a call of which nothing is promised under a reading is for no model to know.
#[test]
fn a_reading_under_which_nothing_is_promised_says_so() {
    let mut cases = CLAUSES.clone();
    cases.retain(|case| matches!(case.call, Call::TscatterIndex(_)));
    let found = told(&executes(by_row), &cases).remove(0);
    let row = found
        .fits
        .iter()
        .find(|fit| fit.name == "tscatter-index=row");
    let row = row.expect("the reading is told");
    assert!(row.explains > 0 && row.unpromised > 0, "{row:?}");
    assert_eq!(row.explains + row.unpromised, found.failures, "{found:#?}");
    let more = format!("promises nothing of {} more", row.unpromised);
    let lines = found.lines(false);
    assert!(lines[0].0.contains(&more), "{lines:#?}");
}

/// Finds what stands behind the table where an index is the first past its end.
fn past_the_end(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let end = right().execute(call, memory, how, log)?;
    let Call::Mgather(Mgather { dst, idx, .. }) = call else {
        return Ok(end);
    };
    let size = dst.dtype.size();
    let table = memory.get(Role::Table).expect("a table");
    let (capacity, behind) = (table.body().len() / size, table.body_range().end);
    let behind = table.bytes()[behind..behind + size].to_vec();
    let indices = memory.get(Role::Index).expect("indices").body().to_vec();
    let body = memory.get_mut(Role::Destination).expect("an operand");
    for r in 0..dst.valid_row.get() {
        for c in 0..dst.valid_col.get() {
            let at = (r * idx.cols + c) as usize * 4;
            let index = indices[at..].first_chunk().expect("an index");
            if u32::from_le_bytes(*index) as usize == capacity {
                let to = (r * dst.cols + c) as usize * size;
                body.body_mut()[to..to + size].copy_from_slice(&behind);
            }
        }
    }
    Ok(end)
}

/// Where a policy takes it elsewhere, too, and not only where it drops it.
#[test]
fn a_check_that_lets_the_end_pass_is_explained() {
    let mut cases = cases("cases/clauses/mgather_bounds.yaml");
    cases.retain(|case| match &case.call {
        Call::Mgather(own) => {
            let [pitch, width] = [own.table.stride[3], own.table.shape[4]].map(Dim::get);
            case.targets.contains(&Target::A5)
                && own.mode == Coalesce::Elem
                && matches!(own.oob, GatherOob::Clamp | GatherOob::Wrap)
                && pitch == width
        }
        _ => false,
    });
    let mistake = "takes the first index past the end for one inside";
    assert_whole(&executes(past_the_end), &cases, mistake);
}

/// Clamps where it should wrap, in gathers and scatters.
fn never_wraps(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let mut call = *call;
    if call.argument("oob").is_some_and(|own| own.value == "Wrap") {
        call.set_argument("oob", "Clamp");
    }
    right().execute(&call, memory, how, log)
}

#[test]
fn bounds_of_gathers_and_scatters_are_one_mistake() {
    let cases: Vec<Case> = ["mgather_axes_colmajor", "mscatter_axes_colmajor"]
        .into_iter()
        .flat_map(|name| cases(&format!("cases/axes/{name}.yaml")))
        .collect();
    let told = told_of(&executes(never_wraps), &cases, |_| "both".to_owned());
    let fit = &told[0].fits[0];
    let mistake =
        "treats indices out of bounds as Clamp does, whatever the call says, where oob=Wrap";
    assert_eq!(
        (&*fit.sentence, fit.explains),
        (mistake, told[0].failures),
        "{told:?}"
    );
    // Where they are groups of their own they become one.
    let whole = (told[0].failures, &told[0].fits[0].sentence);
    let apart = told_of(&executes(never_wraps), &cases, |of| {
        of.failure_group.clone()
    });
    let fit = &apart[0].fits[0];
    assert_eq!((fit.explains, &fit.sentence), whole, "{apart:?}");
    assert!(apart.len() == 1 && apart[0].also.len() > 1, "{apart:?}");
    assert_eq!(apart[0].passes, told[0].passes);
}

/// Stores the bytes of elements of 16 bits the other way round.
fn swaps_halfwords(
    call: &Call,
    memory: &mut Memory,
    how: &How,
    log: &mut Log,
) -> Result<End, Fault> {
    static SWAPS: LazyLock<Explanation> = LazyLock::new(|| {
        let all = explanations(Target::A5, &[Form::Tgatherb], &Readings::default());
        let swaps = |one: &Explanation| one.sentence == "writes elements in the other byte order";
        all.into_iter().find(swaps).expect("a known mistake")
    });
    match call.data_tile().dtype.size() {
        2 => SWAPS.model().execute(call, memory, how, log),
        _ => right().execute(call, memory, how, log),
    }
}

#[test]
fn a_mistake_with_types_of_a_width_is_told_with_that() {
    let mut cases = CLAUSES.clone();
    cases.retain(|case| matches!(case.call, Call::Tgatherb(_)));
    let mistake = "writes elements in the other byte order, where dtype width=16 bits";
    assert_whole(&executes(swaps_halfwords), &cases, mistake);
}

/// Takes an offset for that of a block, and has zeros where it then would leave the source.
fn by_blocks(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let mut how = *how;
    let block = how.readings.set("tgatherb-granularity", "block");
    block.expect("a reading");
    let given = memory.get(Role::Source).expect("a source").clone();
    let source = memory.get_mut(Role::Source).expect("a source");
    let body = source.body_range();
    source.bytes_mut()[..body.start].fill(0);
    source.bytes_mut()[body.end..].fill(0);
    let end = right().execute(call, memory, &how, log);
    *memory.get_mut(Role::Source).expect("a source") = given;
    end
}

/// What a reading leaves open is no failure under it, though the model of it has other values.
#[test]
fn a_reading_explains_what_it_leaves_open() {
    let mut cases = CLAUSES.clone();
    cases.retain(|case| matches!(case.call, Call::Tgatherb(_)));
    let told = told_of(&executes(by_blocks), &cases, |_| "all".to_owned());
    let fit = &told[0].fits[0];
    let told_so = (&*fit.name, fit.contradicts, told[0].is_explained());
    assert_eq!(
        told_so,
        ("tgatherb-granularity=block", 0, true),
        "{told:#?}"
    );
    assert!(fit.explains > 0 && fit.unpromised > 0, "{told:#?}");
}
