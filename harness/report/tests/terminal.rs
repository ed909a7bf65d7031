//! What a person sees, from records written by hand.

use std::collections::BTreeMap;

use ptodiff_isa::{Instruction, Party, Role, Target};
use ptodiff_record::{
    CaseRecord, Covers, FORMAT, Finding, Header, Lane, PairRecord, PairVerdict, ReadingUse, Reason,
    Slot, SlotValue, StData, TargetRecord, TargetVerdict, Unseen, Verdict,
};
use ptodiff_report::{Kind, groups, write_groups, write_line, write_summary};

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
    }
}

fn violating(id: &str, failure_group: &str) -> CaseRecord {
    let finding = Finding {
        failure_group: failure_group.into(),
        what: "a slot holds what no permit allows".into(),
        clause: Some("MSCATTER-SEM-02".into()),
        schedule: Some("reversed".into()),
        slot: Some(slot()),
    };
    let [cpu, a2a3, mut a5] = conforming();
    a5.verdict = TargetVerdict::Violates;
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
    let expected = "
violation MSCATTER a5 valid MSCATTER-SEM-02, 1 case
  rule       MSCATTER-SEM-02
  first      c  a.yaml:3
  outlier    a5
             a slot holds what no permit allows, schedule reversed
             table [0, 0, 0, 0, 3] at byte 12: initial 0 (0x00), a5 5 (0x05) reversed; permitted 9 (0x09)
               written by (1, 2), index 3 at (2, 0) (2, 1), index -5 at (0, 0) of call 4 and 3 more
  reproduce  ptodiff run a.yaml --filter '=c' --seed 7
";
    assert_eq!(text, expected);
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
        assert_eq!(outlier, group.failure_group != "others", "{text}");
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
        silent.contains("\n             a2a3 and a5 differ in 1 slot\n"),
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
        "no violation",
    ] {
        assert!(quiet.contains(part), "`{part}` is not in:\n{quiet}");
    }
    let loud = plain(|to| write_summary(to, &[violating("d", "s")]));
    assert!(
        loud.contains("1 case: 1 violation") && !loud.contains("no violation"),
        "{loud}"
    );
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
