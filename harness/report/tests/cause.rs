//! What the calls have in common to which an implementation gives wrong values.

use std::collections::{BTreeMap, BTreeSet};

use crate::made::header;
use ptodiff_record::{CaseRecord, Diagnosis};
use ptodiff_report::{Groups, biggest, groups, likely_lines, write_annotations};
use serde_json::json;

/// A case of `calls` that `a5:mine` was asked for, with these properties.
fn case(call: &[(&str, &str)], wrong: bool) -> CaseRecord {
    case_that(call, wrong, "valid -")
}

/// As [`case`], with what is wrong as its failure group has it.
fn case_that(call: &[(&str, &str)], wrong: bool, what: &str) -> CaseRecord {
    case_of("MSCATTER", call, wrong, what)
}

/// As [`case_that`], of this instruction.
fn case_of(of: &str, call: &[(&str, &str)], wrong: bool, what: &str) -> CaseRecord {
    let call: BTreeMap<&str, &str> = call.iter().copied().collect();
    let group = format!("{of} a5:mine {what}");
    let said = match what.starts_with("rejection") {
        true => "rejects what the contract lets pass: no",
        false => "wrong",
    };
    let finding = json!({"failure_group": group, "what": said});
    let mine = match wrong {
        true => json!({"verdict": "violates", "findings": [finding]}),
        false => json!({"verdict": "conforms"}),
    };
    let case = json!({
        "id": "a", "name": "a", "instruction": of, "file": "a.yaml", "line": 1,
        "call": call, "verdict": "single", "targets": {"a5:mine": mine}, "pairs": [],
    });
    serde_json::from_value(case).expect("a case")
}

/// The causes where a call is wrong for which `wrong` says so: calls of all policies,
/// modes, atomics and types, each two times. The biggest first.
fn causes(wrong: impl Fn(&[(&str, &str)], usize) -> bool) -> Vec<String> {
    let mut cases = Vec::new();
    for oob in ["Undefined", "Skip", "Clamp", "Wrap"] {
        for mode in ["Row", "Elem"] {
            for atomic in ["None", "Add", "Max"] {
                for dtype in [
                    "half", "float", "int32_t", "uint8_t", "int8_t", "uint16_t", "int16_t",
                    "uint32_t",
                ] {
                    for n in 0..2 {
                        let call = [
                            ("oob", oob),
                            ("mode", mode),
                            ("atomic", atomic),
                            ("dtype", dtype),
                        ];
                        cases.push(case(&call, wrong(&call, n)));
                    }
                }
            }
        }
    }
    let groups = groups(&cases);
    let lines = groups.iter().flat_map(likely_lines);
    lines
        .map(|line| line.replacen("in common", "", 1).trim_start().to_owned())
        .collect()
}

fn has(call: &[(&str, &str)], all: &[(&str, &str)]) -> bool {
    all.iter().all(|property| call.contains(property))
}

#[test]
fn each_thing_that_stands_out_of_indices_and_tiles_is_a_property() {
    let told = |calls: [&[(&str, &str)]; 4]| -> Vec<String> {
        let cases = (0..64).map(|n| case(calls[n % 4], n % 4 < 2));
        let groups = groups(&cases.collect::<Vec<_>>());
        groups.iter().flat_map(likely_lines).collect()
    };
    let all = ["repeated", "repeated, outside", "outside", "negative"];
    let [a, b, c, d] = all.map(|indices| [("dtype", "half"), ("indices", indices)]);
    let repeated = "  in common  indices=repeated: all 32 calls with it fail";
    assert_eq!(told([&a, &b, &c, &d]), [repeated]);
    let [columns, boxes] = [("blayout", "ColMajor"), ("slayout", "RowMajor")];
    let boxed = "  in common  slayout=RowMajor: all 32 calls with it fail";
    assert_eq!(
        told([&[columns, boxes], &[columns, boxes], &[columns], &[columns]]),
        [boxed]
    );
    let columns = [("destination layout", "ColMajor")];
    let destination = "  in common  destination layout=ColMajor: all 32 calls with it fail";
    assert_eq!(told([&columns, &columns, &[], &[]]), [destination]);
    for (role, odd, even, property) in [
        (
            "index",
            "9x1 RowMajor",
            "1x9 RowMajor",
            "indices=one column",
        ),
        ("index", "9x2 ColMajor", "9x2 RowMajor", "indices=ColMajor"),
        (
            "tile",
            "dyn 8x8 RowMajor",
            "8x8 RowMajor",
            "tile=extents at run time",
        ),
    ] {
        let [odd, even] = [odd, even].map(|text| [(role, text)]);
        let line = format!("  in common  {property}: all 32 calls with it fail");
        assert_eq!(told([&odd, &odd, &even, &even]), [line]);
    }
}

#[test]
fn one_fault_is_one_cause_wherever_it_shows() {
    let wrap = [("oob", "Wrap")];
    let all = causes(|call, _| has(call, &wrap));
    assert_eq!(all, ["oob=Wrap: all 96 calls with it fail"]);
    let some = causes(|call, n| has(call, &wrap) && n == 0);
    assert_eq!(some, ["oob=Wrap: 48 of the 96 calls with it fail"]);
    // Of one type in each call, of the others seldom.
    let more = causes(|call, n| has(call, &wrap) && (has(call, &[("dtype", "half")]) || n == 0));
    assert_eq!(more, ["oob=Wrap: 54 of the 96 calls with it fail"]);
}

#[test]
fn two_faults_are_two_though_they_share_something() {
    let half = [("atomic", "Add"), ("dtype", "half")];
    let other = [("atomic", "Add"), ("dtype", "uint8_t")];
    let wrap = [("oob", "Wrap"), ("mode", "Row")];
    let all = causes(|call, n| has(call, &half) || has(call, &wrap) && n < 1);
    let told = [
        "oob=Wrap, mode=Row: 25 of the 48 calls with it fail, 2 of them in another group",
        "atomic=Add, dtype=half: all 16 calls with it fail",
    ];
    assert_eq!(all, told);
    let all = causes(|call, _| has(call, &half) || has(call, &other));
    let told = [
        "atomic=Add, dtype=half: all 16 calls with it fail",
        "atomic=Add, dtype=uint8_t: all 16 calls with it fail",
    ];
    assert_eq!(all, told);
}

#[test]
fn a_fault_of_all_types_of_a_width_is_one() {
    let narrow = |call: &[(&str, &str)]| call[3].1 == "half" || call[3].1.contains("16");
    let all = causes(|call, _| narrow(call));
    assert_eq!(all, ["dtype width=16 bits: all 144 calls with it fail"]);
    let wrap = causes(|call, n| narrow(call) && has(call, &[("oob", "Wrap")]) && n == 0);
    assert_eq!(
        wrap,
        ["oob=Wrap, dtype width=16 bits: 18 of the 36 calls with it fail"]
    );
    // One of them is told by its name.
    let half = causes(|call, _| has(call, &[("dtype", "half")]));
    assert_eq!(half, ["dtype=half: all 48 calls with it fail"]);
    let only = causes(|call, _| has(call, &[("dtype", "half")]) && call[1].1 == "Row");
    assert_eq!(only, ["mode=Row, dtype=half: all 24 calls with it fail"]);
}

#[test]
fn nothing_is_said_where_nothing_tells() {
    assert!(causes(|_, _| true).is_empty());
    assert!(causes(|_, _| false).is_empty());
    let one = [
        ("oob", "Wrap"),
        ("mode", "Row"),
        ("atomic", "Add"),
        ("dtype", "half"),
    ];
    assert!(causes(|call, n| has(call, &one) && n == 1).is_empty());
}

/// The name of all cases is that of a waiver, which is about all of them.
#[test]
fn what_is_left_of_a_failure_group_beside_a_cause_is_not_called_by_its_name() {
    let call = |n: usize| {
        let dtype = ["half", "float", "int32_t", "uint8_t"][n % 4];
        [("oob", ["Wrap", "Skip"][n % 2]), ("dtype", dtype)]
    };
    let named = |odd: Option<usize>| {
        let wrong = |n: usize| n.is_multiple_of(2) || Some(n) == odd;
        let cases: Vec<CaseRecord> = (0..64).map(|n| case(&call(n), wrong(n))).collect();
        let groups = groups(&cases);
        let names = groups.iter().map(|g| (g.failure_group.clone(), g.cases));
        names.collect::<Vec<_>>()
    };
    let group = "MSCATTER a5:mine valid -";
    assert_eq!(named(None), [(group.to_owned(), 32)]);
    let cause = "MSCATTER a5:mine oob=Wrap".to_owned();
    let others = format!("{group} of other calls");
    assert_eq!(named(Some(7)), [(cause, 32), (others, 1)]);
}

#[test]
fn a_scratch_and_the_tile_that_is_copied_from_it_are_one_group() {
    let [mut case, valid] = ["scratch C", "valid C"].map(|what| case_that(&[], true, what));
    for (party, target) in &mut case.targets {
        let findings = valid.targets[party].findings.clone();
        target.findings.extend(findings);
    }
    let groups = groups(&[case]);
    let name = "MSCATTER a5:mine scratch+valid C";
    assert_eq!(groups.len(), 1);
    assert_eq!((&*groups[0].failure_group, groups[0].cases), (name, 1));
}

#[test]
fn two_calls_that_break_different_rules_have_nothing_in_common() {
    let told = |[one, other]: [&str; 2]| {
        let wrong = [one, other].map(|what| case_that(&[("mode", "Elem")], true, what));
        let right = [0, 1].map(|_| case(&[("mode", "Row")], false));
        let groups = groups(&[wrong, right].concat());
        let lines = groups.iter().map(likely_lines);
        lines.map(|lines| lines.concat()).collect::<Vec<_>>()
    };
    let different = told(["valid MGATHER-OOB-04", "valid MGATHER-OOB-07"]);
    assert_eq!(different, ["", ""]);
    let same = told(["valid MGATHER-OOB-04", "valid MGATHER-OOB-04"]);
    assert_eq!(same, ["  in common  mode=Elem: all 2 calls with it fail"]);
}

/// What calls of two instructions, each of a kind, have in common where so many of them are wrong.
fn of_two(calls: &[(&str, &str, usize, usize)]) -> Vec<String> {
    let each = calls.iter().flat_map(|(of, tile, wrong, right)| {
        let call = [("tile", *tile)];
        (0..wrong + right).map(move |n| case_of(of, &call, n < *wrong, "valid -"))
    });
    let groups = groups(&each.collect::<Vec<_>>());
    groups.iter().flat_map(likely_lines).collect()
}

#[test]
fn what_tells_of_one_instruction_says_nothing_of_another_that_is_wrong_anyway() {
    let (whole, part) = ("1x8 RowMajor", "1x7 in 1x8 RowMajor");
    let apart = of_two(&[
        ("TGATHERB", part, 20, 0),
        ("TGATHERB", whole, 0, 20),
        ("TSCATTER", part, 20, 0),
        ("TSCATTER", whole, 2, 0),
        ("MGATHER", whole, 0, 100),
    ]);
    let told = [
        "  in common  instruction=TSCATTER: all 22 calls with it fail",
        "  in common  tile=partly valid, instruction=TGATHERB: all 20 calls with it fail",
    ];
    assert_eq!(apart, told);
    let one = of_two(&[
        ("TGATHERB", part, 20, 0),
        ("TGATHERB", whole, 0, 20),
        ("TSCATTER", part, 20, 0),
        ("TSCATTER", whole, 0, 20),
    ]);
    let both = ["  in common  tile=partly valid: all 40 calls with it fail"];
    assert_eq!(one, both);
}

#[test]
fn what_all_calls_of_an_instruction_have_is_called_by_that() {
    let calls = |(of, dtype): (&'static str, _), wrong| {
        (0..20).map(move |n| case_of(of, &[("index dtype", dtype)], n < wrong, "valid -"))
    };
    let some = calls(("TGATHERB", "uint32_t"), 15).chain(calls(("MSCATTER", "int32_t"), 0));
    let groups = groups(&some.collect::<Vec<_>>());
    assert_eq!(
        likely_lines(&groups[0]),
        ["  in common  instruction=TGATHERB: 15 of the 20 calls with it fail"]
    );
}

#[test]
fn what_seldom_goes_wrong_is_in_common_to_nothing() {
    let said = |wrong: usize| {
        let adds = (0..60).map(|n| case(&[("atomic", "Add")], n < wrong));
        let others = (0..2000).map(|_| case(&[("atomic", "Max")], false));
        let cases: Vec<_> = adds.chain(others).collect();
        likely_lines(&groups(&cases)[0])
    };
    assert_eq!(said(2), [""; 0]);
    assert_eq!(
        said(3),
        ["  in common  atomic=Add: 3 of the 60 calls with it fail"]
    );
}

#[test]
fn a_size_is_told_by_the_power_of_two_that_calls_with_wrong_values_are_above() {
    let told = |tiles: &[(&str, bool)]| {
        let cases: Vec<CaseRecord> = tiles
            .iter()
            .cycle()
            .take(60)
            .map(|(tile, wrong)| case(&[("tile", tile), ("dtype", "half")], *wrong))
            .collect();
        let groups = groups(&cases);
        groups.iter().flat_map(likely_lines).collect::<String>()
    };
    let many = told(&[
        ("4x16 RowMajor", false),
        ("dyn 1x64 in 1x64 RowMajor", false),
        ("dyn 5x16 in 8x16 RowMajor", true),
        ("2x32 RowMajor", false),
        ("1x128 RowMajor", true),
    ]);
    assert!(
        many.ends_with("elements=more than 64: all 24 calls with it fail"),
        "{many}"
    );
    let odd = told(&[
        ("16x16 RowMajor", false),
        ("16x20 RowMajor", true),
        ("16x24 in 16x32 RowMajor", true),
        ("16x32 RowMajor", false),
        ("16x7 in 16x16 RowMajor", true),
        ("16x48 RowMajor", false),
    ]);
    assert!(
        odd.ends_with("row bytes=no multiple of 32: all 30 calls with it fail"),
        "{odd}"
    );
}

#[test]
fn which_properties_a_call_has_is_told_with_its_size() {
    let call = |tile, oob| case(&[("tile", tile), ("dtype", "half"), ("oob", oob)], false).call;
    let mut cases = Vec::new();
    for (tile, oob) in [
        ("1x64 RowMajor", "Wrap"),
        ("1x128 RowMajor", "Wrap"),
        ("1x64 RowMajor", "Clamp"),
        ("1x128 RowMajor", "Clamp"),
    ] {
        let wrong = tile.contains("128") && oob == "Wrap";
        let one = case(&[("tile", tile), ("dtype", "half"), ("oob", oob)], wrong);
        cases.extend(vec![one; 10]);
    }
    let cause = groups(&cases).remove(0).cause.expect("a cause");
    assert_eq!(cause.properties, ["oob=Wrap", "elements=more than 64"]);
    let (size, policy) = (cause.properties[1].as_str(), cause.properties[0].as_str());
    assert_eq!(cause.had_by(&call("1x65 RowMajor", "Wrap")), [policy, size]);
    assert_eq!(cause.had_by(&call("1x64 RowMajor", "Wrap")), [policy]);
    assert_eq!(cause.had_by(&call("5x13 RowMajor", "Skip")), [size]);
}

#[test]
fn calls_without_an_answer_have_something_in_common_of_their_own() {
    let mut cases = Vec::new();
    for oob in ["Undefined", "Skip", "Clamp", "Wrap"] {
        for (mode, n) in [("Row", 0), ("Elem", 0), ("Row", 1), ("Elem", 1)].repeat(8) {
            let call = [("oob", oob), ("mode", mode)];
            cases.push(match (oob, mode, n) {
                ("Wrap", ..) => case_that(&call, true, "crash - assertion # failed"),
                ("Clamp", "Row", _) => case_that(&call, true, "timeout - no answer within # s"),
                _ => case(&call, (oob, mode) == ("Skip", "Row")),
            });
        }
    }
    let groups = groups(&cases);
    let told = groups.iter().map(|group| {
        let lines = likely_lines(group);
        let line = lines.first().map_or("", |line| line.trim_start());
        (&*group.failure_group, line.to_owned())
    });
    let told: Vec<(&str, String)> = told.collect();
    let in_common = |text: &str| format!("in common  {text}");
    assert_eq!(
        told,
        [
            (
                "MSCATTER a5:mine crash - assertion # failed",
                in_common("oob=Wrap: all 32 calls with it fail")
            ),
            (
                "MSCATTER a5:mine timeout - no answer within # s",
                in_common("oob=Clamp, mode=Row: all 16 calls with it fail")
            ),
            (
                "MSCATTER a5:mine valid -",
                in_common("oob=Skip, mode=Row: all 16 calls with it fail")
            ),
        ]
    );
}

#[test]
fn what_calls_without_an_answer_have_in_common_is_true_of_the_one_that_is_shown() {
    let calls = |of: &[(&'static str, &'static str)]| {
        let call = of.to_vec();
        (0..8).map(move |_| case_that(&call, true, "crash - it fell"))
    };
    let lone = case_that(&[("oob", "Skip")], true, "crash - it fell");
    let right = ["Skip", "Clamp", "Undefined"].repeat(8);
    let right = right.iter().map(|oob| case(&[("oob", *oob)], false));
    let wrong = calls(&[("oob", "Wrap")]);
    let all: Vec<CaseRecord> = std::iter::once(lone).chain(wrong).chain(right).collect();
    let groups = groups(&all);
    assert_eq!((groups.len(), groups[0].cases), (1, 9));
    let line = "  in common  8 of the 9 have oob=Wrap: all 8 calls with it fail";
    assert_eq!(likely_lines(&groups[0]), [line]);
    assert_eq!(groups[0].first.call["oob"], "Wrap");
}

#[test]
fn what_all_calls_of_a_group_have_is_told_where_that_tells_nearly_as_well() {
    let calls = |conflict, indices, wrong, right| {
        let call = [("conflict", conflict), ("indices", indices)];
        (0..wrong + right).map(move |n| case_that(&call, n < wrong, "rejection - rejects"))
    };
    let all = calls("Last", "repeated", 126, 12)
        .chain(calls("Last", "negative", 11, 1).chain(calls("Last", "outside", 0, 61)))
        .chain(calls("Default", "repeated", 0, 500))
        .chain(calls("Default", "outside", 0, 500));
    let groups = groups(&all.collect::<Vec<_>>());
    let line = "  in common  conflict=Last: 137 of the 211 calls with it fail";
    assert_eq!(likely_lines(&groups[0]), [line]);
}

#[test]
fn legal_calls_that_are_rejected_have_something_in_common_of_their_own() {
    let kinds = ["Undefined", "Skip", "Clamp", "Wrap"].repeat(8);
    let cases = kinds.iter().map(|oob| match *oob {
        "Wrap" => case_that(&[("oob", oob)], true, "rejection MSCATTER-OOB-02"),
        "Clamp" => case(&[("oob", oob)], true),
        _ => case(&[("oob", oob)], false),
    });
    let groups = groups(&cases.collect::<Vec<_>>());
    let lines: Vec<String> = groups.iter().flat_map(likely_lines).collect();
    let told = [
        "  in common  oob=Clamp: all 8 calls with it fail",
        "  in common  oob=Wrap: all 8 calls with it fail",
    ];
    assert_eq!(lines, told);
}

#[test]
fn a_gather_by_offsets_has_the_elements_of_its_destination() {
    let cases: Vec<CaseRecord> = [("1x16 RowMajor", false), ("1x128 RowMajor", true)]
        .iter()
        .cycle()
        .take(60)
        .map(|(tile, wrong)| {
            let source = ("source", "1x256 RowMajor");
            let offset = ("offset", "1x8 RowMajor");
            case(&[("destination", *tile), source, offset], *wrong)
        })
        .collect();
    let told: String = groups(&cases).iter().flat_map(likely_lines).collect();
    assert!(
        told.contains("elements=more than 64: all 30 calls"),
        "{told}"
    );
}

#[test]
fn the_biggest_groups_are_those_of_the_most_cases_wherever_they_stand() {
    let none: &[(&str, &str)] = &[];
    let whats = [
        "valid A",
        "valid B",
        "valid B",
        "rejection C",
        "rejection C",
    ];
    let cases: Vec<CaseRecord> = whats.map(|what| case_that(none, true, what)).to_vec();
    let all = groups(&cases);
    let names = |most| -> Vec<&str> {
        let those = biggest(&all, most);
        those.map(|group| &*group.failure_group).collect()
    };
    let [a, b, c] = ["valid A", "valid B", "rejection C"].map(|g| format!("MSCATTER a5:mine {g}"));
    assert_eq!(names(9), [&b, &a, &c]);
    assert_eq!(names(2), [&b, &c]);
}

/// Ten are annotated; a rejection stands behind wrong values.
#[test]
fn the_largest_groups_are_annotated_wherever_they_stand() {
    let none: &[(&str, &str)] = &[];
    let values = (0..11).map(|n| format!("valid {n:02}"));
    let whats = values.chain(["rejection C", "rejection C"].map(str::to_owned));
    let cases: Vec<CaseRecord> = whats.map(|what| case_that(none, true, &what)).collect();
    let mut out = Vec::new();
    write_annotations(&mut out, &header(), &cases).expect("a vector takes all");
    let told = String::from_utf8(out).expect("text");
    assert!(
        told.contains("title=MSCATTER a5%3Amine rejection C::"),
        "{told}"
    );
}

#[test]
fn what_a_waiver_hides_is_one_group_beside_what_it_does_not() {
    let kinds = [
        ("half", false),
        ("half", true),
        ("float", false),
        ("float", true),
    ];
    let mut all = Groups::default();
    for (n, (dtype, waived)) in kinds.into_iter().enumerate() {
        let mut case = case(&[("dtype", dtype)], true);
        case.id = n.to_string();
        let fails = all.add_but(&case, |_, _| waived.then(|| "known".to_owned()));
        assert_eq!(fails[0].is_waived(), waived);
    }
    let all = all.sorted();
    let told = all
        .iter()
        .map(|g| (g.kind.word(), g.cases, g.first.id.as_str()));
    let told: Vec<_> = told.collect();
    assert_eq!(told, [("violation", 2, "0"), ("waived", 2, "1")]);
}

/// Calls with two faults that break one rule.
pub(crate) fn of_two_causes() -> Vec<CaseRecord> {
    let mut cases = Vec::new();
    for oob in ["Undefined", "Skip", "Clamp", "Wrap"] {
        for dtype in ["half", "float", "int32_t", "uint8_t", "int8_t"] {
            for _ in 0..8 {
                let wrong = oob == "Wrap" || dtype == "half";
                cases.push(case(&[("oob", oob), ("dtype", dtype)], wrong));
            }
        }
    }
    cases
}

/// That of which a mistake explains all.
pub(crate) fn diagnosis(failure_group: &str) -> Diagnosis {
    let fit = json!({"name": "n", "sentence": "does it", "explains": 1, "contradicts": 0});
    let diagnosis = json!({
        "party": "a5:mine", "failure_group": failure_group, "failures": 1, "passes": 1, "fits": [fit],
    });
    serde_json::from_value(diagnosis).expect("a diagnosis")
}

#[test]
fn what_is_diagnosed_of_one_cause_is_not_told_of_another_of_the_same_failure_group() {
    let mut all = Groups::default();
    of_two_causes().iter().for_each(|case| drop(all.add(case)));
    let names: Vec<String> = all.by_cause().into_iter().map(|(name, _)| name).collect();
    let [half, wrap] = ["dtype=half", "oob=Wrap"].map(|cause| format!("MSCATTER a5:mine {cause}"));
    assert_eq!(BTreeSet::from_iter(names), [half, wrap.clone()].into());
    // A failure group of a case is no name of a group.
    for name in [&*wrap, "MSCATTER a5:mine valid -"] {
        all.diagnosed(&diagnosis(name));
    }
    let told = all.sorted();
    let told = told.iter().filter(|group| group.diagnosis.is_some());
    let told: Vec<&str> = told.map(|group| &*group.failure_group).collect();
    assert_eq!(told, [wrap]);
}
