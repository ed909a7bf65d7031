//! What a person sees, from records written by hand.

use ptodiff_isa::{Party, Target};
use ptodiff_record::{CaseRecord, TargetRecord};
use ptodiff_report::{Groups, Kind, LINES, groups, write_groups, write_line, write_summary};
use serde_json::{Value, json};

use crate::made::{self, first_sentence, header, lay, plain};

/// A case of three targets that conform, with `more` laid over it.
fn case(id: &str, more: Value) -> CaseRecord {
    let mut three = json!({
        "file": "a.yaml", "targets": {"a2a3": {"verdict": "conforms"}}, "pairs": [],
    });
    lay(&mut three, more);
    made::case(id, three)
}

/// A target that ended so by this clause.
fn by(clause: &str, verdict: &str) -> Value {
    json!({"verdict": verdict, "reasons": [{"clause": clause, "why": "because"}]})
}

fn pair(a: &str, b: &str, verdict: &str) -> Value {
    json!({"targets": [a, b], "verdict": verdict, "compared": 8})
}

fn slot() -> Value {
    json!({
        "role": "table", "offset": 12, "element": 3, "at": "[0, 0, 0, 0, 3]",
        "initial": {"bits": "0x00", "value": "0"},
        "got": {"a5": {"bits": "0x05", "value": "5"}}, "permitted": "9 (0x09)",
        "lanes": [
            {"step": 0, "r": 1, "c": 2},
            {"step": 0, "r": 2, "c": 0, "index": 3},
            {"step": 0, "r": 2, "c": 1, "index": 3},
            {"step": 4, "r": 0, "c": 0, "index": -5},
        ],
        "more_lanes": 3, "schedule": "reversed",
        "whose": ["tile (2, 1)"], "due": ["tile (0, 0) of call 4"],
    })
}

fn violating(id: &str, failure_group: &str) -> CaseRecord {
    let finding = json!({
        "failure_group": failure_group, "what": "a slot holds what no permit allows",
        "clause": "MSCATTER-SEM-02", "schedule": "reversed", "slot": slot(),
    });
    let wrong = json!({"slots": 2, "of": 16});
    let a5 = json!({"verdict": "violates", "wrong": wrong, "findings": [finding]});
    let more = json!({"verdict": "violation", "outlier": "a5", "targets": {"a5": a5}});
    case(id, more)
}

fn permitted(id: &str, failure_group: &str) -> CaseRecord {
    let mut two = pair("a2a3", "a5", "permitted");
    let more = json!({
        "differing": 1, "failure_groups": [failure_group], "clauses": ["MSCATTER-CONF-06"],
    });
    lay(&mut two, more);
    let pairs = json!([pair("cpu", "a2a3", "agree"), two]);
    case(id, json!({"verdict": "permitted", "pairs": pairs}))
}

/// The parts that a summary of `case` has to have.
fn in_summary(cases: &[CaseRecord], parts: &[&str]) {
    let summary = plain(|to| write_summary(to, cases));
    for part in parts {
        assert!(summary.contains(part), "`{part}` is not in:\n{summary}");
    }
}

#[test]
fn a_line_says_how_targets_compare_why_one_has_no_result_and_which_reading_mattered() {
    let mut a5 = by("MSCATTER-UB-07", "undefined");
    lay(&mut a5, json!({"out_of_bounds": 2}));
    let reading = json!({
        "gap": "cpu-form", "clauses": [], "choice": "templated", "differs_under": {},
    });
    let single = json!({
        "verdict": "single", "readings": [reading],
        "targets": {"a2a3": by("MSCATTER-ATOM-10", "rejected"), "a5": a5},
    });
    let hang = json!({
        "targets": {"a5": by("MSCATTER-LAUNCH-10", "hangs")},
        "pairs": [pair("cpu", "a2a3", "agree")],
    });
    // What no clause is about, the finding says.
    let mut senseless = violating("x", "MSCATTER a5 protocol -");
    let finding = &mut of_a5(&mut senseless).findings[0];
    finding.what = "an answer that makes no sense".into();
    finding.clause = None;
    for (case, says) in [
        (permitted("x", "s"), " permitted  x  cpu=a2a3~a5\n"),
        (
            case("x", single),
            "    single  x  cpu; a2a3 rejected by MSCATTER-ATOM-10; a5 undefined by \
             MSCATTER-UB-07 (2 out-of-bounds accesses) [cpu-form=templated]\n",
        ),
        (
            case("x", hang),
            "     agree  x  cpu=a2a3; a5 hangs by MSCATTER-LAUNCH-10\n",
        ),
        (
            senseless,
            " violation  x  cpu,a2a3; a5 violates (an answer that makes no sense)\n",
        ),
    ] {
        assert_eq!(plain(|to| write_line(to, &case)), says);
    }
}

#[test]
fn violations_come_before_permitted_divergences_and_big_groups_before_small() {
    let unchecked = "MSCATTER a5 rejection MSCATTER-DTYPE-01";
    let cases = [
        violating("x", unchecked),
        violating("y", unchecked),
        violating("z", unchecked),
        permitted("a", "p"),
        permitted("b", "p"),
        violating("c", "small"),
        violating("d", "big"),
        violating("e", "big"),
    ];
    let found = groups(&cases);
    let order: Vec<_> = found
        .iter()
        .map(|g| (g.kind, g.failure_group.as_str(), g.cases))
        .collect();
    assert_eq!(
        order,
        [
            (Kind::Violation, "big", 2),
            (Kind::Violation, "small", 1),
            // A wrong result matters more than what should not have been run.
            (Kind::Violation, unchecked, 3),
            (Kind::Permitted, "p", 2)
        ]
    );
}

#[test]
fn a_divergence_is_shown_in_full() {
    let cases = [violating("c", "MSCATTER a5 valid MSCATTER-SEM-02")];
    let text = plain(|to| write_groups(to, &header(), &groups(&cases)));
    let expected = format!(
        "
violation MSCATTER a5 valid MSCATTER-SEM-02, 1 case
  case       c  a.yaml:3
  slot       table [0, 0, 0, 0, 3], byte 12; 2 of 16 slots are wrong; schedule reversed
  expected   9 (0x09)
  got        5 (0x05) from a5
  whose      the value of tile (2, 1); that of tile (0, 0) of call 4 is due
  writers    (1, 2), index 3 at (2, 0) (2, 1), index -5 at (0, 0) of call 4 and 3 more
  rule       MSCATTER-SEM-02: {}
  reproduce  ptodiff run a.yaml --filter '=c' --seed 7
",
        first_sentence("MSCATTER-SEM-02")
    );
    assert_eq!(text, expected);
}

/// The lines of the only group of `case`.
fn told(case: &CaseRecord) -> Vec<String> {
    let groups = groups(std::slice::from_ref(case));
    let text = plain(|to| write_groups(to, &header(), &groups));
    text.trim().lines().map(str::to_owned).collect()
}

fn of_a5(case: &mut CaseRecord) -> &mut TargetRecord {
    case.targets.get_mut(&Party::of(Target::A5)).expect("a5")
}

#[test]
fn the_distance_of_a_float_is_in_values_of_its_type() {
    let with = |dtype: &str, due: (&str, &str), got: (&str, &str)| {
        let mut case = violating("c", "S");
        case.call.insert("dtype".into(), dtype.into());
        let slot = of_a5(&mut case).findings[0].slot.as_mut().expect("a slot");
        slot.permitted = Some(format!("{} ({})", due.0, due.1));
        let value = json!({"a5": {"bits": got.1, "value": got.0}});
        slot.got = serde_json::from_value(value).expect("values");
        let lines = told(&case);
        let got = lines.iter().find(|line| line.starts_with("  got"));
        got.expect("a line").clone()
    };
    let one = ("1.0", "0x3f800000");
    let next = with("float", one, ("1.0000001", "0x3f800001"));
    assert_eq!(
        next,
        "  got        1.0000001 (0x3f800001) from a5, 1 ULP away"
    );
    // Across zero.
    let below = with("half", ("0.0", "0x0000"), ("-0.00000012", "0x8002"));
    assert!(below.ends_with(", 2 ULP away"), "{below}");
    for (dtype, got) in [
        ("float", ("NaN", "0x7fc00000")),
        ("int32_t", ("5", "0x00000005")),
    ] {
        let line = with(dtype, one, got);
        assert!(!line.contains("ULP"), "{line}");
    }
}

#[test]
fn a_violation_is_told_in_twelve_lines_and_in_more_detail_than_what_is_permitted() {
    let mut case = violating("c", "MSCATTER a5:mine valid MSCATTER-SEM-02");
    let party: Party = "a5:mine".parse().expect("a party");
    let mut own = of_a5(&mut case).clone();
    let slot = own.findings[0].slot.as_mut().expect("a slot");
    slot.got = slot
        .got
        .values()
        .map(|v| (party.clone(), v.clone()))
        .collect();
    slot.lanes = slot.lanes.iter().cycle().take(12).copied().collect();
    own.stderr = (0..20).map(|n| format!("line {n}")).collect();
    case.targets.insert(party.clone(), own);
    *of_a5(&mut case) = case.targets[&Party::of(Target::Cpu)].clone();
    let mut together = Groups::default();
    for n in 0..30 {
        together.add(&CaseRecord {
            id: format!("c{n}"),
            ..case.clone()
        });
    }
    let fit = |n: u32| json!({"name": "n", "sentence": format!("does {n}"), "explains": n, "contradicts": 0});
    let diagnosis = json!({
        "party": "a5:mine", "failure_group": "MSCATTER a5:mine valid MSCATTER-SEM-02",
        "failures": 30, "passes": 5, "fits": [fit(3), fit(2), fit(1)], "unfinished": true,
    });
    together.diagnosed(&serde_json::from_value(diagnosis).expect("a diagnosis"));
    let mut group = together.sorted().remove(0);
    let text = plain(|to| write_groups(to, &header(), std::slice::from_ref(&group)));
    assert!(text.trim().lines().count() <= LINES + 2, "{text}");
    for part in [
        "does 3: explains 3 of 30 failures",
        "the time was up",
        "  stderr     line 18\n             line 19\n",
    ] {
        assert!(text.contains(part), "{text}");
    }
    // Where it was not, the two best stand there.
    group.diagnosis.as_mut().expect("a diagnosis").unfinished = false;
    let text = plain(|to| write_groups(to, &header(), std::slice::from_ref(&group)));
    let second =
        "does 3: explains 3 of 30 failures, contradicts none of 5 passes\n             does 2: ";
    assert!(
        text.contains(second) && !text.contains("does 1: "),
        "{text}"
    );
    let permitted = told(&permitted("p", "p"));
    assert!(
        permitted.len() < told(&violating("c", "S")).len(),
        "{permitted:?}"
    );
}

#[test]
fn an_expectation_that_is_not_met_is_none_of_a_target() {
    let why = "8 columns of half are no multiple of 32 bytes";
    let finding = json!({
        "failure_group": "MSCATTER a2a3 expectation -",
        "what": "rejects; by the case it has a result", "line": 7,
    });
    let unmet = json!({
        "verdict": "violates", "findings": [finding],
        "reasons": [{"clause": "MSCATTER-ALIGN-01", "why": why}],
    });
    let more = |targets: Value, of: &[&str]| json!({"verdict": "violation", "targets": targets, "covers": {"targets": of}});
    let one = case("c", more(json!({"a2a3": unmet}), &["a2a3"]));
    let expected = [
        "expectation not met MSCATTER a2a3 expectation -, 1 case".to_owned(),
        // At the line of what it expects, not at that of its name.
        "  case       c  a.yaml:7".to_owned(),
        "  found      rejects; by the case it has a result".to_owned(),
        format!("  help       {why}: or say rejected: {{a2a3: MSCATTER-ALIGN-01}}"),
        "  reproduce  ptodiff run a.yaml --filter '=c' --seed 7".to_owned(),
    ];
    assert_eq!(told(&one), expected);
    // Where all models are against it, that comes first.
    let both = json!({"cpu": unmet, "a2a3": unmet});
    let all = case("c", more(both, &["cpu", "a2a3"]));
    assert_eq!(
        told(&all)[1],
        "  models     all 2 models agree against what the case expects"
    );
    // Violations stand before it.
    let order: Vec<Kind> = groups(&[all, violating("v", "V")])
        .iter()
        .map(|g| g.kind)
        .collect();
    assert_eq!(order, [Kind::Violation, Kind::Expectation]);
}

#[test]
fn a_party_stands_alone_only_in_what_is_about_it() {
    // It is a5 that breaks its contract; the others differ as a clause lets them.
    let of = |a, b, verdict, group: &str| {
        let mut pair = pair(a, b, verdict);
        lay(&mut pair, json!({"failure_groups": [group]}));
        serde_json::from_value(pair).expect("a pair")
    };
    let mut case = violating("c", "MSCATTER a5 valid MSCATTER-SEM-02");
    case.pairs = vec![
        of("cpu", "a2a3", "permitted", "others"),
        of("a2a3", "a5", "violation", "with it"),
    ];
    for group in groups(&[case]) {
        let text = plain(|to| write_groups(to, &header(), std::slice::from_ref(&group)));
        let outlier = text.contains("  outlier    a5\n");
        assert_eq!(outlier, group.failure_group == "with it", "{text}");
    }
}

#[test]
fn a_summary_counts_and_says_what_deserves_a_second_look() {
    let mut weak = permitted("b", "s");
    let unseen = json!({"slots": 4, "clause": "MSCATTER-CONF-06"});
    of_a5(&mut weak).unseen = vec![serde_json::from_value(unseen).expect("a freedom")];
    let single = |verdict, targets| case("c", json!({"verdict": verdict, "targets": targets}));
    let rejected = single(
        "single",
        json!({"a2a3": by("MSCATTER-ATOM-10", "rejected")}),
    );
    let hang = single("agree", json!({"a5": by("MSCATTER-LAUNCH-10", "hangs")}));
    in_summary(
        &[weak, rejected],
        &[
            "2 cases: 1 permitted, 1 single",
            "a2a3                1         1          0      0         0",
            "a2a3/a5              0          1          0             0",
            "a2a3       rejected      1  MSCATTER-ATOM-10",
            "never seen in 1 case:",
        ],
    );
    in_summary(&[violating("d", "s")], &["1 case: 1 violation"]);
    in_summary(
        &[hang],
        &[
            "a5                  0         0          0      1         0",
            "a5         hangs         1  MSCATTER-LAUNCH-10",
        ],
    );
}

#[test]
fn readings_that_go_against_the_documents_or_change_a_verdict_are_shown() {
    let against = json!({
        "deviates_from": [{"clause": "TSCATTER-MODE-02", "why": "no such form"}],
    });
    let reading = json!({
        "gap": "scope", "clauses": [], "choice": "as-the-suite",
        "differs_under": {"documented": ["cpu", "a2a3"]},
        "verdict_under": {"documented": "single"},
    });
    let more = json!({
        "targets": {"cpu": against, "a2a3": against, "a5:Simt": {"verdict": "conforms"}},
        "pairs": [pair("a5", "a5:Simt", "agree")], "readings": [reading],
    });
    let record = case("x", more);
    let line = plain(|to| write_line(to, &record));
    let says = "cpu,a2a3,a5=a5:Simt [scope=as-the-suite; documented: single] deviates from TSCATTER-MODE-02";
    assert_eq!(line, format!("     agree  x  {says}\n"));
    in_summary(
        &[record],
        &[
            "a5:Simt             1         0          0      0         0",
            "a5/a5:Simt           1          0          0             0",
            "a reading mattered in 1 case: scope",
            "scope: as-the-suite -> documented, 1 case: agree becomes single",
            "1 case with a result only under readings that are not the default; they deviate from TSCATTER-MODE-02",
        ],
    );
}
