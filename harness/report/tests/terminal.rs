//! What a person sees, from records written by hand.

use std::collections::BTreeMap;

use ptodiff_isa::{Instruction, Party, Role, Target};
use ptodiff_record::{
    CaseRecord, Covers, FORMAT, Finding, Header, Lane, PairRecord, PairVerdict, ReadingUse, Reason,
    Slot, SlotValue, StData, TargetRecord, TargetVerdict, Unseen, Verdict, Wrong,
};
use ptodiff_report::{Groups, Kind, LINES, groups, write_groups, write_line, write_summary};
use serde_json::json;

fn plain(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).expect("a vector takes everything");
    anstream::adapter::strip_str(std::str::from_utf8(&out).expect("text")).to_string()
}

fn target(verdict: TargetVerdict) -> TargetRecord {
    TargetRecord {
        verdict,
        reasons: vec![],
        findings: vec![],
        wrong: None,
        out_of_bounds: 0,
        unseen: vec![],
        wide: None,
        deviates_from: vec![],
        why: None,
        stderr: vec![],
        flaky: Vec::new(),
    }
}

fn rejected(clause: &str) -> TargetRecord {
    let reason = Reason {
        clause: clause.into(),
        why: "because".into(),
    };
    TargetRecord {
        reasons: vec![reason],
        ..target(TargetVerdict::Rejected)
    }
}

fn pair(a: Target, b: Target, verdict: PairVerdict) -> PairRecord {
    PairRecord {
        targets: (Party::of(a), Party::of(b)),
        verdict,
        why: None,
        clauses: vec![],
        compared: 8,
        differing: 0,
        slots: vec![],
        failure_groups: vec![],
    }
}

fn case(id: &str, verdict: Verdict, targets: [TargetRecord; 3]) -> CaseRecord {
    CaseRecord {
        id: id.into(),
        name: id.into(),
        suite: None,
        instruction: Instruction::Mscatter,
        file: "a.yaml".into(),
        line: 3,
        call: BTreeMap::new(),
        verdict,
        targets: [Target::Cpu, Target::A2a3, Target::A5]
            .into_iter()
            .map(Party::of)
            .zip(targets)
            .collect(),
        pairs: vec![],
        outlier: None,
        readings: vec![],
        name_differs: None,
        unpromised: Vec::new(),
        holes: Vec::new(),
        covers: Covers::default(),
        detail: None,
    }
}

fn conforming() -> [TargetRecord; 3] {
    [(); 3].map(|()| target(TargetVerdict::Conforms))
}

fn header() -> Header {
    Header {
        ptodiff_record: FORMAT,
        version: "0".into(),
        seed: 7,
        st_data: None,
        schedules: 4,
        readings: vec![],
        beside: vec![],
        all_readings: false,
        targets: vec![],
        implementations: vec![],
        cases: 0,
        part: None,
        typed: Vec::new(),
    }
}

fn value(bits: &str, value: &str) -> SlotValue {
    SlotValue {
        bits: bits.into(),
        value: value.into(),
    }
}

fn slot() -> Slot {
    Slot {
        role: Role::Table,
        offset: 12,
        element: 3,
        at: "[0, 0, 0, 0, 3]".into(),
        initial: value("0x00", "0"),
        got: BTreeMap::from([(Party::of(Target::A5), value("0x05", "5"))]),
        permitted: Some("9 (0x09)".into()),
        clauses: vec![],
        lanes: vec![
            Lane::at(0, 1, 2),
            Lane {
                index: Some(3),
                ..Lane::at(0, 2, 0)
            },
            Lane {
                index: Some(3),
                ..Lane::at(0, 2, 1)
            },
            Lane {
                index: Some(-5),
                ..Lane::at(4, 0, 0)
            },
        ],
        more_lanes: 3,
        schedule: Some("reversed".into()),
        whose: vec!["tile (2, 1)".into()],
        due: vec!["tile (0, 0) of call 4".into()],
    }
}

fn violating(id: &str, failure_group: &str) -> CaseRecord {
    let finding = Finding {
        failure_group: failure_group.into(),
        what: "a slot holds what no permit allows".into(),
        clause: Some("MSCATTER-SEM-02".into()),
        schedule: Some("reversed".into()),
        slot: Some(slot()),
        line: None,
    };
    let [cpu, a2a3, mut a5] = conforming();
    a5.verdict = TargetVerdict::Violates;
    a5.wrong = Some(Wrong { slots: 2, of: 16 });
    a5.findings.push(finding);
    CaseRecord {
        outlier: Some(Party::of(Target::A5)),
        ..case(id, Verdict::Violation, [cpu, a2a3, a5])
    }
}

fn permitted(id: &str, failure_group: &str) -> CaseRecord {
    let mut record = case(id, Verdict::Permitted, conforming());
    let mut two = pair(Target::A2a3, Target::A5, PairVerdict::Permitted);
    two.differing = 1;
    two.failure_groups = vec![failure_group.into()];
    two.clauses = vec!["MSCATTER-CONF-06".into()];
    record.pairs = vec![pair(Target::Cpu, Target::A2a3, PairVerdict::Agree), two];
    record
}

#[test]
fn a_line_joins_targets_by_how_they_compare() {
    let line = plain(|to| write_line(to, &permitted("x", "s")));
    assert_eq!(line, " permitted  x  cpu=a2a3~a5\n");
}

#[test]
fn a_line_says_why_a_target_has_no_result_and_which_reading_mattered() {
    let [cpu, _, mut a5] = conforming();
    a5.verdict = TargetVerdict::Undefined;
    a5.out_of_bounds = 2;
    a5.reasons = vec![Reason {
        clause: "MSCATTER-UB-07".into(),
        why: "too large".into(),
    }];
    let mut record = case(
        "x",
        Verdict::Single,
        [cpu, rejected("MSCATTER-ATOM-10"), a5],
    );
    record.readings.push(ReadingUse {
        gap: "cpu-form".into(),
        clauses: vec![],
        choice: "templated".into(),
        differs_under: BTreeMap::new(),
        verdict_under: BTreeMap::new(),
    });
    let line = plain(|to| write_line(to, &record));
    let says = "cpu; a2a3 rejected by MSCATTER-ATOM-10; a5 undefined by MSCATTER-UB-07 (2 out-of-bounds accesses) [cpu-form=templated]";
    assert_eq!(line, format!("    single  x  {says}\n"));
}

#[test]
fn a_line_says_what_was_found_where_no_clause_is_about_it() {
    let mut record = violating("x", "MSCATTER a5 protocol -");
    let a5 = record.targets.get_mut(&Party::of(Target::A5));
    let finding = &mut a5.expect("the target").findings[0];
    finding.what = "an answer that makes no sense".into();
    finding.clause = None;
    let line = plain(|to| write_line(to, &record));
    let says = "cpu,a2a3; a5 violates (an answer that makes no sense)";
    assert_eq!(line, format!(" violation  x  {says}\n"));
}

#[test]
fn violations_come_before_permitted_divergences_and_big_groups_before_small() {
    let cases = [
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
            (Kind::Permitted, "p", 2)
        ]
    );
}

#[test]
fn a_divergence_is_shown_in_full() {
    let cases = [violating("c", "MSCATTER a5 valid MSCATTER-SEM-02")];
    let text = plain(|to| write_groups(to, &header(), &groups(&cases)));
    let says = ptodiff_register::find("MSCATTER-SEM-02").expect("a clause");
    let (says, _) = says.says.split_once(". ").unwrap_or((says.says, ""));
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
        says.trim_end_matches('.')
    );
    assert_eq!(text, expected);
}

/// The lines of the only group of `case`.
fn told(case: &CaseRecord) -> Vec<String> {
    let groups = groups(std::slice::from_ref(case));
    let text = plain(|to| write_groups(to, &header(), &groups));
    text.trim().lines().map(str::to_owned).collect()
}

/// The finding of a5 in a violation.
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
        slot.got = [(Party::of(Target::A5), value(got.1, got.0))].into();
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
    slot.got = [(party.clone(), value("0x05", "5"))].into();
    slot.lanes = (0..12).map(|c| Lane::at(0, 0, c)).collect();
    own.stderr = (0..20).map(|n| format!("line {n}")).collect();
    case.targets.insert(party.clone(), own);
    *of_a5(&mut case) = target(TargetVerdict::Conforms);
    let all: Vec<CaseRecord> = (0..30)
        .map(|n| CaseRecord {
            id: format!("c{n}"),
            ..case.clone()
        })
        .collect();
    let mut together = Groups::default();
    for case in &all {
        together.add(case);
    }
    let fit = |n: u32| json!({"name": "n", "sentence": format!("does {n}"), "explains": n, "contradicts": 0});
    let diagnosis = json!({
        "party": "a5:mine", "failure_group": "MSCATTER a5:mine valid MSCATTER-SEM-02",
        "failures": 30, "passes": 5, "fits": [fit(3), fit(2), fit(1)], "unfinished": true,
    });
    together.diagnosed(&serde_json::from_value(diagnosis).expect("a diagnosis"));
    let group = together.sorted().remove(0);
    let text = plain(|to| write_groups(to, &header(), std::slice::from_ref(&group)));
    let lines: Vec<&str> = text.trim().lines().collect();
    assert!(lines.len() <= LINES + 2, "{text}");
    assert!(text.contains("does 3: explains 3 of 30 failures"), "{text}");
    assert!(text.contains("the time was up"), "{text}");
    assert!(
        text.contains("  stderr     line 18\n             line 19\n"),
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
    let mut case = violating("c", "S");
    let expects = |clause: &str, why: &str| {
        let mut target = rejected(clause);
        target.reasons[0].why = why.into();
        target.verdict = TargetVerdict::Violates;
        target.findings.push(Finding {
            failure_group: "MSCATTER a2a3 expectation -".into(),
            what: "rejects; by the case it has a result".into(),
            clause: None,
            schedule: None,
            slot: None,
            line: Some(7),
        });
        target
    };
    let why = "8 columns of half are no multiple of 32 bytes";
    *of_a5(&mut case) = target(TargetVerdict::Conforms);
    let a2a3 = Party::of(Target::A2a3);
    case.targets.insert(a2a3, expects("MSCATTER-ALIGN-01", why));
    case.covers.targets = vec![Target::A2a3];
    let lines = told(&case);
    let expected = [
        "expectation not met MSCATTER a2a3 expectation -, 1 case".to_owned(),
        // At the line of what it expects, not at that of its name.
        "  case       c  a.yaml:7".to_owned(),
        "  found      rejects; by the case it has a result".to_owned(),
        format!("  help       {why}: or say rejected: {{a2a3: MSCATTER-ALIGN-01}}"),
        "  reproduce  ptodiff run a.yaml --filter '=c' --seed 7".to_owned(),
    ];
    assert_eq!(lines, expected);
    // Where all models are against it, that comes first.
    let cpu = Party::of(Target::Cpu);
    case.targets.insert(cpu, expects("MSCATTER-ALIGN-01", why));
    case.covers.targets.insert(0, Target::Cpu);
    let first = &told(&case)[1];
    assert_eq!(
        first,
        "  models     all 2 models agree against what the case expects"
    );
    // Violations stand before it.
    let order: Vec<Kind> = groups(&[case, violating("v", "V")])
        .iter()
        .map(|g| g.kind)
        .collect();
    assert_eq!(order, [Kind::Violation, Kind::Expectation]);
}

#[test]
fn a_party_stands_alone_only_in_what_is_about_it() {
    // It is a5 that breaks its contract; the others differ as a clause lets them.
    let mut case = violating("c", "MSCATTER a5 valid MSCATTER-SEM-02");
    let mut others = pair(Target::Cpu, Target::A2a3, PairVerdict::Permitted);
    others.failure_groups = vec!["others".into()];
    let mut with_it = pair(Target::A2a3, Target::A5, PairVerdict::Violation);
    with_it.failure_groups = vec!["with it".into()];
    case.pairs = vec![others, with_it];
    let cases = [case];
    for group in groups(&cases) {
        let text = plain(|to| write_groups(to, &header(), std::slice::from_ref(&group)));
        let outlier = text.contains("  outlier    a5\n");
        assert_eq!(outlier, group.failure_group == "with it", "{text}");
    }
}

#[test]
fn a_pair_that_no_clause_lets_differ_says_why_it_may_not() {
    let mut case = permitted("c", "MSCATTER a2a3/a5 contradiction valid -/-");
    case.verdict = Verdict::Violation;
    case.pairs[1].verdict = PairVerdict::Violation;
    case.pairs[1].clauses.clear();
    let shown = |case: &CaseRecord| {
        let cases = std::slice::from_ref(case);
        plain(|to| write_groups(to, &header(), &groups(cases)))
    };
    let silent = shown(&case);
    assert!(
        silent.contains("\n  found      a2a3 and a5 differ in 1 slot\n"),
        "{silent}"
    );
    case.pairs[1].why = Some("no clause lets them differ".into());
    let told = "differ in 1 slot: no clause lets them differ\n";
    assert_eq!(shown(&case), silent.replace("differ in 1 slot\n", told));
}

#[test]
fn the_command_that_shows_it_again_repeats_what_the_run_was_told() {
    let told = Header {
        schedules: 9,
        readings: vec![("cpu-form".into(), "templated".into())],
        ..header()
    };
    let command = ptodiff_record::reproduce::reproduce(&told, &permitted("c", "s"));
    assert_eq!(
        command,
        "ptodiff run a.yaml --filter '=c' --seed 7 --schedules 9 --reading cpu-form=templated"
    );
    // Data that was read is read again.
    let data = |folder: &str, held_to| StData {
        folder: folder.into(),
        suite: Target::A2a3,
        held_to,
    };
    let of = |st_data: StData| {
        let read = Header {
            st_data: Some(st_data),
            ..told.clone()
        };
        ptodiff_record::reproduce::reproduce(&read, &permitted("c", "s"))
    };
    assert_eq!(
        of(data("out/data", Target::A2a3)),
        "ptodiff st check out/data --suite a2a3 --cases a.yaml --filter '=c' --schedules 9 \
         --reading cpu-form=templated"
    );
    assert_eq!(
        of(data("-a b", Target::A5)),
        "ptodiff st check ./'-a b' --suite a2a3 --as a5 --cases a.yaml --filter '=c' \
         --schedules 9 --reading cpu-form=templated"
    );
}

#[test]
fn a_summary_counts_and_says_what_deserves_a_second_look() {
    let mut weak = permitted("b", "s");
    if let Some(a5) = weak.targets.get_mut(&Party::of(Target::A5)) {
        a5.unseen.push(Unseen {
            slots: 4,
            clause: "MSCATTER-CONF-06".into(),
        });
    }
    let [cpu, _, a5] = conforming();
    let alone = case(
        "c",
        Verdict::Single,
        [cpu, rejected("MSCATTER-ATOM-10"), a5],
    );
    let quiet = plain(|to| write_summary(to, &[weak, alone]));
    for part in [
        "2 cases: 1 permitted, 1 single",
        "a2a3                1         1          0      0         0",
        "a2a3/a5              0          1          0             0",
        "a2a3       rejected      1  MSCATTER-ATOM-10",
        "never seen in 1 case:",
    ] {
        assert!(quiet.contains(part), "`{part}` is not in:\n{quiet}");
    }
    let loud = plain(|to| write_summary(to, &[violating("d", "s")]));
    assert!(loud.contains("1 case: 1 violation"), "{loud}");
}

#[test]
fn a_hang_is_shown_as_what_it_is() {
    let [cpu, a2a3, mut a5] = conforming();
    a5.verdict = TargetVerdict::Hangs;
    a5.reasons = vec![Reason {
        clause: "MSCATTER-LAUNCH-10".into(),
        why: "no SIMT context".into(),
    }];
    let mut record = case("x", Verdict::Agree, [cpu, a2a3, a5]);
    record.pairs = vec![pair(Target::Cpu, Target::A2a3, PairVerdict::Agree)];
    let line = plain(|to| write_line(to, &record));
    let says = "cpu=a2a3; a5 hangs by MSCATTER-LAUNCH-10";
    assert_eq!(line, format!("     agree  x  {says}\n"));
    let summary = plain(|to| write_summary(to, &[record]));
    for part in [
        "a5                  0         0          0      1         0",
        "a5         hangs         1  MSCATTER-LAUNCH-10",
    ] {
        assert!(summary.contains(part), "`{part}` is not in:\n{summary}");
    }
}

#[test]
fn readings_that_go_against_the_documents_or_change_a_verdict_are_shown() {
    let mut record = case("x", Verdict::Agree, conforming());
    let simt = Party::form(Target::A5, "Simt");
    let a5 = Party::of(Target::A5);
    record
        .targets
        .insert(simt.clone(), target(TargetVerdict::Conforms));
    record.pairs = vec![PairRecord {
        targets: (a5, simt),
        ..pair(Target::A5, Target::A5, PairVerdict::Agree)
    }];
    let against = |record: &mut CaseRecord, target| {
        let reason = Reason {
            clause: "TSCATTER-MODE-02".into(),
            why: "no such form".into(),
        };
        let part = record.targets.get_mut(&Party::of(target));
        part.expect("the target").deviates_from.push(reason);
    };
    against(&mut record, Target::Cpu);
    against(&mut record, Target::A2a3);
    record.readings.push(ReadingUse {
        gap: "scope".into(),
        clauses: vec![],
        choice: "as-the-suite".into(),
        differs_under: BTreeMap::from([("documented".into(), vec![Target::Cpu, Target::A2a3])]),
        verdict_under: BTreeMap::from([("documented".into(), Verdict::Single)]),
    });
    let line = plain(|to| write_line(to, &record));
    let says = "cpu,a2a3,a5=a5:Simt [scope=as-the-suite; documented: single] deviates from TSCATTER-MODE-02";
    assert_eq!(line, format!("     agree  x  {says}\n"));
    let summary = plain(|to| write_summary(to, &[record]));
    for part in [
        "a5:Simt             1         0          0      0         0",
        "a5/a5:Simt           1          0          0             0",
        "a reading mattered in 1 case: scope",
        "scope: as-the-suite -> documented, 1 case: agree becomes single",
        "1 case with a result only under readings that are not the default; they deviate from TSCATTER-MODE-02",
    ] {
        assert!(summary.contains(part), "`{part}` is not in:\n{summary}");
    }
}
