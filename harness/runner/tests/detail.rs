//! What a record shows of one case: the pages of `shown`.
//!
//! A block `yaml` has the keys of a case, and `text` what its record has of it; behind `text` may
//! stand a target whose model flips a bit in these slots of the output, under one schedule or all.
//! A block `text holes` has the holes that a trial of it finds, those of open readings too.

use std::{fmt::Write, ops::ControlFlow, path::Path};

use ptodiff_case::{Case, load_str};
use ptodiff_generate::stimulus;
use ptodiff_isa::{Model, Party, Schedule, Target};
use ptodiff_record::CaseRecord;
use ptodiff_runner::{
    Options, altered, model_of, models, run, run_as_implementations, run_with, trial,
};

use crate::shown::{differs, follow};

/// A right model that flips a bit in slots of the output, at the end of a call.
struct Flips {
    target: Target,
    /// Slots, each of `size` bytes.
    slots: Vec<usize>,
    size: usize,
    /// Under this schedule only.
    only: Option<Schedule>,
}

impl Flips {
    fn model(&self) -> impl Model + '_ {
        altered(model_of(self.target), |right, call, memory, how, log| {
            let end = right.execute(call, memory, how, log)?;
            let output = memory.get_mut(call.output()).expect("an output").body_mut();
            if self.only.is_none_or(|only| only == how.schedule) {
                for slot in &self.slots {
                    output[slot * self.size] ^= 1;
                }
            }
            Ok(end)
        })
    }
}

fn case(keys: &str) -> Case {
    let keys = keys.replace('\n', "\n    ");
    let text = format!("cases:\n  - name: x\n    {keys}");
    let corpus = load_str("x.yaml", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    corpus.cases.into_iter().next().expect("one case")
}

/// The record of one case, with `wrong` in the place of the right model of its target.
fn record(case: &Case, wrong: Option<&Flips>) -> CaseRecord {
    let options = Options {
        details: true,
        ..Options::default()
    };
    let mut all: Vec<&dyn Model> = models().to_vec();
    let wrong = wrong.map(Flips::model);
    if let Some(wrong) = &wrong {
        all[wrong.target() as usize] = wrong;
    }
    run_with(&all, std::slice::from_ref(case), &options)
        .expect("it runs")
        .remove(0)
}

/// The model that a page asks for: `a5 reversed 5 12`.
fn wrong(case: &Case, words: &str) -> Option<Flips> {
    let mut words = words.split_whitespace().peekable();
    let target = words.next()?.parse().expect("a target");
    let only = words.next_if_eq(&"reversed").map(|_| Schedule::Reversed);
    Some(Flips {
        target,
        slots: words.map(|slot| slot.parse().expect("a slot")).collect(),
        size: case
            .call
            .operand(case.call.output())
            .expect("an output")
            .dtype()
            .size(),
        only,
    })
}

/// What a page has of a record.
fn told(record: &CaseRecord) -> String {
    let mut out = format!("verdict: {}\n", record.verdict);
    let detail = record.detail.as_ref().expect("details were asked for");
    let again = load_str("x.yaml", &detail.yaml).expect("its text is a case");
    assert_eq!(again.cases[0].id, record.id);
    if let Some(map) = &detail.slots {
        let (rows, cols, band, bytes) = (map.rows, map.cols, map.band, map.slot_bytes);
        let states = String::from(map.states.clone());
        let _ = writeln!(
            out,
            "picture: {rows} rows of {cols}, {band} together, of {bytes} bytes: {states}"
        );
        for (party, wins) in &map.winners {
            let win = |win: &ptodiff_record::Win| {
                let (count, slot, lane) = (win.count, win.slot, win.lane.c);
                format!("{count} from slot {slot} on by column {lane}")
            };
            let wins: Vec<String> = wins.iter().map(win).collect();
            let _ = writeln!(out, "won on {party}: {}", wins.join(", "));
        }
    }
    if !detail.traces.is_empty() {
        assert!(detail.traces.values().all(|trace| !trace.lines.is_empty()));
        let traced: Vec<String> = detail.traces.keys().map(Target::to_string).collect();
        let _ = writeln!(out, "traced: {}", traced.join(" "));
    }
    for source in &detail.sources {
        let _ = writeln!(
            out,
            "source: {} ({}, {}) {}",
            source.0, source.1, source.2, source.3
        );
    }
    for hole in &record.holes {
        let _ = writeln!(out, "hole: {hole}");
    }
    for (party, target) in &record.targets {
        let _ = writeln!(out, "{party} {}", target.verdict);
        for one in &target.findings {
            let _ = write!(out, "{party} found: {}: {}", one.failure_group, one.what);
            let slot = one.slot.as_ref().and_then(|slot| slot.permitted.as_ref());
            out.extend(slot.map(|permitted| format!("; {permitted}")));
            out.push('\n');
        }
    }
    for pair in &record.pairs {
        let _ = write!(
            out,
            "{}/{} {}",
            pair.targets.0, pair.targets.1, pair.verdict
        );
        let schedule = pair.slots.first().and_then(|slot| slot.schedule.as_ref());
        out.extend(schedule.map(|schedule| format!("; {schedule}")));
        out.extend(pair.why.iter().map(|why| format!(": {why}")));
        out.push('\n');
    }
    out.extend(
        record
            .outlier
            .iter()
            .map(|party| format!("outlier {party}\n")),
    );
    out
}

#[test]
fn each_case_shows_what_its_page_has() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shown");
    follow(&folder, |last: &mut Option<Case>, tag, text| {
        if tag == "yaml" {
            *last = Some(case(text));
            return None;
        }
        let case = last.as_ref().expect("a case");
        let Some(begins) = tag.strip_prefix("text holes") else {
            let wrong = wrong(case, tag.strip_prefix("text").expect(tag));
            return differs(text, told(&record(case, wrong.as_ref())));
        };
        let steps = stimulus(case, 0).steps;
        let trial = trial(case, &steps, &Schedule::InOrder);
        assert_eq!(trial.unexplained(), Vec::<String>::new());
        let all = trial.holes().into_iter().chain(trial.open_readings(&[]));
        let all = all.map(|hole| format!("{hole}\n"));
        differs(
            text,
            all.filter(|hole| hole.starts_with(begins.trim())).collect(),
        )
    });
}

const GATHER: &str = "instruction: MGATHER
mode: Elem
dtype: int32_t
tile: {shape: [1, 8], valid: [1, 1]}
index: {shape: [1, 8], valid: [1, 1], data: {values: [8]}}
table: {shape: [1, 1, 1, 1, 8]}
holes: [unchecked-precondition a5 MGATHER-OOB-01 out-of-bounds-read]
";

/// So are details that nobody asks for.
#[test]
fn a_hole_of_a_target_that_does_not_take_part_is_passed_over() {
    let options = Options {
        jobs: 1,
        targets: vec![Target::A2a3],
        ..Options::default()
    };
    let records = run(&[case(GATHER)], &options).expect("threads start");
    assert_ne!(records[0].verdict, ptodiff_record::Verdict::Violation);
    assert_eq!(records[0].holes, Vec::<String>::new());
    assert_eq!(records[0].detail, None);
}

#[test]
fn very_many_lanes_are_neither_traced_nor_asked_who_won() {
    // All meet in one slot, with values of their own.
    let meet = |lanes: u64| {
        let case = case(&format!(
            "instruction: TSCATTER\ndtype: int32_t\nsource: {{shape: [1, {lanes}]}}\n\
             index: {{shape: [1, {lanes}], dtype: int32_t, data: same}}\n\
             destination: {{shape: [1, {lanes}]}}\ntargets: [cpu]"
        ));
        let record = record(&case, wrong(&case, "cpu 1").as_ref());
        let detail = record.detail.expect("details were asked for");
        let map = detail.slots.expect("a map of the slots");
        assert!(String::from(map.states).contains("v1"));
        let traced = detail.traces[&Target::Cpu].lines[0].clone();
        (!traced.contains("not traced"), !map.winners.is_empty())
    };
    assert_eq!(meet(8), (true, true));
    assert_eq!(meet(262_152), (false, false));
}

/// A diagnosis compares what an implementation left in a run with what wrong models leave.
#[test]
fn in_the_place_of_an_implementation_a_model_has_the_same_places_and_values() {
    let case = case(
        "instruction: MSCATTER\nmode: Elem\nconflict: Last\ndtype: int32_t\ntile: {shape: [1, 8]}\n\
         index: {shape: [1, 8], data: {values: [0, 0, 2, 3, 4, 5, 6, 7]}}\ntable: {shape: [1, 1, 1, 1, 8]}\n\
         rejected: {a5: MSCATTER-SEM-01}",
    );
    let [one, other] = ["a5 2 3", "a5 0 5 6"].map(|words| wrong(&case, words).expect("a model"));
    let models = [one.model(), other.model()];
    let models = models.each_ref().map(|model| model as &dyn Model);
    let mut alone = Vec::new();
    run_as_implementations(
        &models,
        std::slice::from_ref(&case),
        &Options::default(),
        |n, record| {
            alone.push((n, record));
            ControlFlow::Continue(())
        },
    )
    .expect("it runs");
    assert_eq!(alone.iter().map(|(n, _)| *n).collect::<Vec<_>>(), [0, 1]);
    let mut lanes = 0;
    for ((_, alone), wrong) in alone.iter().zip([&one, &other]) {
        let a5 = Party::of(Target::A5);
        assert_eq!(alone.targets.keys().collect::<Vec<_>>(), [&a5]);
        let mut beside = record(&case, Some(wrong)).targets.remove(&a5).expect("a5");
        // What the case expects it does not expect of an implementation.
        beside
            .findings
            .retain(|found| !found.failure_group.contains("expectation"));
        assert!(beside.findings.len() >= 2);
        for slot in beside.findings.iter_mut().filter_map(|f| f.slot.as_mut()) {
            lanes += slot.lanes.len();
            slot.lanes.clear();
            slot.whose.clear();
            slot.due.clear();
        }
        assert_eq!(beside, alone.targets[&a5]);
    }
    assert!(lanes >= 2, "{lanes}");
}
