//! The pictures of outputs, by numbers worked out by hand: which slot stands
//! where, how it came out, and whose value won.

use std::io::sink;

use ptodiff_isa::{
    Call, End, Fault, How, Log, Memory, Model, Party, Readings, Rejection, Schedule, Target,
};
use ptodiff_record::{CaseDetail, CaseRecord, SlotMap, Verdict};
use ptodiff_runner::{Options, model_of, models, run_with};

/// A right model that flips a bit in slots of the output, at the end of a call.
struct Flips {
    target: Target,
    /// Slots, each of `size` bytes.
    slots: &'static [usize],
    size: usize,
    /// Under this schedule only.
    only: Option<Schedule>,
}

impl Flips {
    const fn on(target: Target, size: usize, slots: &'static [usize]) -> Self {
        Self {
            target,
            slots,
            size,
            only: None,
        }
    }
}

impl Model for Flips {
    fn target(&self) -> Target {
        self.target
    }

    fn check(&self, call: &Call, readings: &Readings) -> Vec<Rejection> {
        model_of(self.target).check(call, readings)
    }

    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<End, Fault> {
        let end = model_of(self.target).execute(call, memory, how, log)?;
        let output = memory.get_mut(call.output()).expect("an output").body_mut();
        if self.only.is_none_or(|only| only == how.schedule) {
            for slot in self.slots {
                output[slot * self.size] ^= 1;
            }
        }
        Ok(end)
    }
}

/// The record of one case, given by the lines of its entry, with `wrong` in
/// the place of the right model of its target.
fn record(entry: &str, wrong: Option<&Flips>) -> CaseRecord {
    let entry: String = entry
        .lines()
        .map(|l| format!("    {}\n", l.trim()))
        .collect();
    let text = format!("cases:\n  - name: x\n{entry}");
    let corpus = ptodiff_case::load_str("x.yaml", &text).expect("a case");
    let mut all: Vec<&dyn Model> = models().to_vec();
    if let Some(wrong) = wrong {
        all.retain(|m| m.target() != wrong.target);
        all.push(wrong);
        all.sort_by_key(|m| m.target());
    }
    let options = Options {
        details: true,
        ..Options::default()
    };
    run_with(&all, &corpus.cases, &options, sink(), |_| {})
        .expect("it runs")
        .remove(0)
}

fn detail(record: &CaseRecord) -> &CaseDetail {
    record.detail.as_ref().expect("details were asked for")
}

/// Rows, columns, columns stored together, and the states.
fn picture(record: &CaseRecord) -> (u64, u64, u64, String) {
    let map = map(record);
    (map.rows, map.cols, map.band, map.states.clone().into())
}

fn map(record: &CaseRecord) -> &SlotMap {
    detail(record).slots.as_ref().expect("a map of the slots")
}

const FLAT: &str = "instruction: MSCATTER
    mode: Elem
    dtype: int32_t
    tile: {shape: [1, 8]}
    index: {shape: [1, 8], data: {values: [7, 6, 5, 4, 3, 2, 1, 0]}}
    table: {shape: [1, 1, 1, 2, 8]}";

#[test]
fn a_case_in_which_nothing_differs_has_its_text_alone() {
    let record = record(FLAT, None);
    assert_eq!(record.verdict, Verdict::Agree);
    let detail = detail(&record);
    assert!(detail.traces.is_empty() && detail.slots.is_none());
    let again = ptodiff_case::load_str("x.yaml", &detail.yaml).expect("its text is a case");
    assert_eq!(again.cases[0].id, record.id);
    assert!(
        detail.yaml.contains("[7, 6, 5, 4, 3, 2, 1, 0]"),
        "{}",
        detail.yaml
    );
}

#[test]
fn details_are_left_out_where_nobody_asks() {
    let corpus = ptodiff_case::load_str(
        "x.yaml",
        "cases:\n  - {name: x, instruction: TSCATTER, mask: P0101, dtype: half, \
         source: {shape: [1, 16]}, destination: {shape: [1, 32]}}\n",
    )
    .expect("a case");
    let records = ptodiff_runner::run(&corpus.cases, &Options::default(), sink(), |_| {});
    assert_eq!(records.expect("it runs")[0].detail, None);
}

#[test]
fn a_wrong_slot_a_changed_one_and_the_rest_are_distinguished() {
    // Eight lanes write slots 0 to 7; 5 is wrong, and so is 12, which nothing may write.
    let wrong = Flips::on(Target::A5, 4, &[5, 12]);
    let record = record(FLAT, Some(&wrong));
    assert_eq!(record.verdict, Verdict::Violation);
    assert_eq!(picture(&record), (2, 8, 8, "s5v1s2k4v1k3".to_owned()));
    assert_eq!((map(&record).slots, map(&record).slot_bytes), (16, 4));
}

#[test]
fn what_is_wrong_under_one_schedule_alone_is_seen() {
    let wrong = Flips {
        only: Some(Schedule::Reversed),
        ..Flips::on(Target::A5, 4, &[5])
    };
    let record = record(FLAT, Some(&wrong));
    assert_eq!(picture(&record).3, "s5v1s2k8");
}

#[test]
fn rows_of_a_strided_table_have_padding_between_them() {
    // Rows of 8 in a pitch of 12: the last of three ends the body at 2 * 12 + 8.
    // Rows 2 and 0 are written; 9 is padding, and wrong.
    let record = record(
        "instruction: MSCATTER
         mode: Row
         dtype: int32_t
         tile: {shape: [2, 8]}
         index: {shape: [1, 8], valid: [1, 2], data: {values: [2, 0]}}
         table: {shape: [1, 1, 1, 3, 8], stride: [36, 36, 36, 12, 1]}
         targets: [a2a3]",
        Some(&Flips::on(Target::A2a3, 4, &[9])),
    );
    let states = "s8p1v1p2k8p4s8".to_owned();
    assert_eq!(picture(&record), (3, 12, 12, states));
    assert_eq!(map(&record).slots, 32);
}

#[test]
fn padding_of_a_tile_is_padding_whatever_stands_there() {
    // Five of eight columns count, in two rows.
    let record = record(
        "instruction: MGATHER
         mode: Elem
         dtype: int32_t
         tile: {shape: [2, 8], valid: [2, 5]}
         index: {shape: [2, 8], valid: [2, 5], data: seq}
         table: {shape: [1, 1, 1, 1, 16]}",
        Some(&Flips::on(Target::Cpu, 4, &[8])),
    );
    assert_eq!(picture(&record), (2, 8, 8, "s5p3v1s4p3".to_owned()));
}

#[test]
fn a_slot_of_which_nothing_is_promised_is_open() {
    // Under this reading an index beyond the table spoils its own slot only.
    let record = record(
        "instruction: MGATHER
         mode: Elem
         dtype: int32_t
         tile: {shape: [1, 8]}
         index: {shape: [1, 8], data: {values: [700, 1, 2, 3, 4, 5, 6, 7]}}
         table: {shape: [1, 1, 1, 1, 16]}
         targets: [cpu]
         readings: {undefined-gather: slots}",
        Some(&Flips::on(Target::Cpu, 4, &[3])),
    );
    assert_eq!(picture(&record).3, "o1s2v1s4");
}

#[test]
fn a_contested_slot_differs_and_says_who_won_on_each_party() {
    // Four lanes meet in slot 3. The largest source index is lane 6; reversed,
    // lane 0 stores last.
    let record = record(
        "instruction: MSCATTER
         mode: Elem
         conflict: Default
         dtype: int32_t
         tile: {shape: [1, 8]}
         index: {shape: [1, 8], data: {values: [3, 0, 3, 1, 3, 2, 3, 7]}}
         table: {shape: [1, 1, 1, 1, 8]}",
        None,
    );
    assert_eq!(record.verdict, Verdict::Permitted);
    assert_eq!(picture(&record), (1, 8, 8, "s3d1k3s1".to_owned()));
    let winner = |target| {
        let wins = &map(&record).winners[&Party::of(target)];
        assert_eq!(wins.len(), 1);
        (wins[0].slot, wins[0].count, wins[0].lane.c)
    };
    assert_eq!(winner(Target::Cpu), (3, 1, 6));
    assert_eq!(winner(Target::A2a3), (3, 1, 6));
    let shown = record.pairs[1].slots[0].schedule.as_deref();
    assert_eq!((shown, winner(Target::A5)), (Some("reversed"), (3, 1, 0)));
    let traces = &detail(&record).traces;
    assert_eq!(traces.len(), 3);
    assert!(traces.values().all(|t| !t.lines.is_empty()), "{traces:?}");
}

#[test]
fn a_sum_is_nobodys() {
    // Equal values and sums of zeros: every lane could claim the slot.
    let sums = "instruction: MSCATTER
         mode: Elem
         atomic: Add
         dtype: int32_t
         tile: {shape: [1, 8], data: {values: [0, 1, 0, 0, 0, 0, 0, 0]}}
         index: {shape: [1, 8], data: {values: [3, 3, 0, 1, 2, 4, 5, 6]}}
         table: {shape: [1, 1, 1, 1, 8], data: zeros}
         targets: [a2a3, a5]";
    let one = record(sums, Some(&Flips::on(Target::A5, 4, &[7])));
    assert_eq!(picture(&one).3, "s7v1");
    assert!(map(&one).winners.is_empty());
    // Without the sum lane 1 wins, and the record says so.
    let plain = sums.replace("atomic: Add", "atomic: None");
    let one = record(&plain, Some(&Flips::on(Target::A5, 4, &[7])));
    let wins = &map(&one).winners[&Party::of(Target::A2a3)];
    assert_eq!((wins[0].slot, wins[0].lane.c), (3, 1));
}

#[test]
fn a_target_that_rejects_has_no_trace_and_no_part_in_the_picture() {
    // A2/A3 has no Max.
    let entry = FLAT.replace(
        "mode: Elem",
        "mode: Elem\n    atomic: Max\n    targets: [a2a3, a5]",
    );
    let record = record(&entry, Some(&Flips::on(Target::A5, 4, &[0])));
    let traced: Vec<Target> = detail(&record).traces.keys().copied().collect();
    assert!(
        traced.contains(&Target::A5) && !traced.contains(&Target::A2a3),
        "{traced:?}"
    );
    assert_eq!(picture(&record).3, "v1s7k8");
}

#[test]
fn a_case_without_any_result_has_no_picture() {
    // Undefined with an index beyond the table: a precondition is broken everywhere.
    let entry = FLAT.replace(
        "mode: Elem",
        "mode: Elem\n    oob: Undefined\n    rejected: {a5: MSCATTER-TILE-01}",
    );
    let record = record(&entry.replace("[7, 6,", "[700, 6,"), None);
    assert_eq!(record.verdict, Verdict::Violation);
    assert_eq!(detail(&record).slots, None);
    assert!(!detail(&record).traces.is_empty());
}

#[test]
fn very_many_lanes_are_neither_traced_nor_asked_who_won() {
    // All meet in one slot, with values of their own.
    let meet = |lanes: u64| {
        let entry = format!(
            "instruction: TSCATTER
             dtype: int32_t
             source: {{shape: [1, {lanes}]}}
             index: {{shape: [1, {lanes}], dtype: int32_t, data: same}}
             destination: {{shape: [1, {lanes}]}}
             targets: [cpu]"
        );
        record(&entry, Some(&Flips::on(Target::Cpu, 4, &[1])))
    };
    let (few, many) = (meet(8), meet(262_152));
    let traced = |of: &CaseRecord| detail(of).traces[&Target::Cpu].lines[0].clone();
    assert!(!traced(&few).contains("not traced"), "{}", traced(&few));
    assert!(traced(&many).contains("not traced"), "{}", traced(&many));
    assert!(!map(&few).winners.is_empty() && map(&many).winners.is_empty());
    assert!(picture(&many).3.contains("v1"));
}

#[test]
fn lanes_of_a_scatter_have_what_their_source_holds_and_those_of_a_gather_nothing() {
    // Four lanes write slot 3, and on A5 any of them may win.
    let entry = "instruction: MSCATTER
        mode: Elem
        conflict: Default
        dtype: int32_t
        tile: {shape: [1, 8], data: {values: [10, 11, 12, 13, 14, 15, 16, 17]}}
        index: {shape: [1, 8], data: {values: [3, 0, 3, 1, 3, 2, 3, 7]}}
        table: {shape: [1, 1, 1, 1, 8]}";
    let scatter = record(entry, None);
    assert_eq!(scatter.verdict, Verdict::Permitted);
    let sources = detail(&scatter).sources.iter();
    let sources: Vec<_> = sources.map(|s| (s.0, s.1, s.2, s.3.as_str())).collect();
    let due = [
        (0, 0, 0, "10"),
        (0, 0, 2, "12"),
        (0, 0, 4, "14"),
        (0, 0, 6, "16"),
    ];
    assert_eq!(sources, due);
    let entry = entry
        .replace("MSCATTER", "MGATHER")
        .replace("conflict: Default", "");
    let gather = record(&entry, Some(&Flips::on(Target::A5, 4, &[5])));
    assert_eq!(gather.verdict, Verdict::Violation);
    assert!(detail(&gather).sources.is_empty());
}
