//! Each kind of permit: what it lets pass and what it does not.

use ptodiff_isa::{Clause, DType, OobAccess, Role, ScatterAtomicOp, Schedule, Target};
use ptodiff_judge::{
    Answer, CaseContext, DESCRIBED, Detail, InputChanged, Permitted, Place, TargetVerdict,
    Unjudged, judge_target,
};

use crate::fixture::{
    Fixture, GUARD, INPUT, KEPT, STORED, conforms, findings, floats, ints, kept, places_of, region,
};

const QUIET: f32 = f32::NAN;
const OTHER_NAN: [u8; 4] = 0xffc1_2345_u32.to_le_bytes();

#[test]
fn each_slot_takes_one_of_its_own_candidates() {
    let torn = |row: [i32; 3]| {
        let mut fixture = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
        fixture.one_of(
            0,
            &[&ints(&[1, 2, 3]), &ints(&[4, 5, 6]), &ints(&[7, 8, 9])],
        );
        fixture.but(0, &ints(&row)).verdict()
    };
    conforms(&torn([4, 5, 6]));
    conforms(&torn([7, 2, 6]));
    let found = findings(torn([1, 1, 3]));
    let Detail::Slot(slot) = &found[0].detail else {
        panic!("{found:?}");
    };
    assert_eq!(slot.offset, 4);
    let Permitted::OneOf { first, count: 3 } = &slot.permitted else {
        panic!("{slot:?}");
    };
    assert_eq!(first.iter().map(|v| v.bits).collect::<Vec<_>>(), [2, 5, 8]);
    // A candidate of the slot before.
    assert_eq!(findings(torn([1, 2, 8])).len(), 1);
}

#[test]
fn an_interval_is_numeric_and_inclusive() {
    let sum = |low: f32, high: f32, got: f32| {
        let mut fixture = Fixture::scatter(DType::Float, ScatterAtomicOp::Add);
        fixture.between(4, &floats(&[low]), &floats(&[high]));
        fixture.but(4, &floats(&[got])).verdict()
    };
    for (low, high, got) in [
        (1.0, 2.0, 1.0),
        (1.0, 2.0, 2.0),
        (-2.0, -1.0, -1.5),
        (-1.0, 1.0, 0.0),
        (-0.0, 1.0, -0.0),
        (-0.0, 1.0, 0.0),
        (1.0, f32::INFINITY, f32::INFINITY),
        (QUIET, QUIET, f32::from_le_bytes(OTHER_NAN)),
    ] {
        conforms(&sum(low, high, got));
    }
    for (low, high, got) in [
        (1.0, 2.0, 1.0_f32.next_down()),
        (1.0, 2.0, 2.0_f32.next_up()),
        (-2.0, -1.0, 1.5),
        (1.0, 2.0, QUIET),
        (0.0, 1.0, -0.0),
        (-1.0, -0.0, 0.0),
        (-1.0, f32::MAX, f32::INFINITY),
        (QUIET, QUIET, 0.0),
    ] {
        assert_eq!(findings(sum(low, high, got)).len(), 1, "{low} {high} {got}");
    }
}

#[test]
fn single_values_stand_beside_an_interval() {
    let all = [f32::NEG_INFINITY, QUIET].map(f32::to_le_bytes);
    let sum = |got: [u8; 4]| {
        let mut fixture = Fixture::scatter(DType::Float, ScatterAtomicOp::Add);
        let more: Vec<&[u8]> = all.iter().map(|x| &x[..]).collect();
        fixture.between_or(4, &floats(&[1.0]), &floats(&[2.0]), &more);
        fixture.but(4, &got).verdict()
    };
    for got in [1.5_f32, f32::NEG_INFINITY, QUIET].map(f32::to_le_bytes) {
        conforms(&sum(got));
    }
    conforms(&sum(OTHER_NAN));
    for got in [f32::INFINITY, f32::MIN, 0.0].map(f32::to_le_bytes) {
        let found = findings(sum(got));
        let Detail::Slot(slot) = &found[0].detail else {
            panic!("{found:?}");
        };
        let Permitted::Between { more, .. } = &slot.permitted else {
            panic!("{slot:?}");
        };
        assert_eq!((found.len(), more.len()), (1, 2));
    }
    // One value and others are no interval to whoever reads of it.
    let mut fixture = Fixture::scatter(DType::Float, ScatterAtomicOp::Add);
    let one = floats(&[1.0]);
    fixture.between_or(4, &one, &one, &[&OTHER_NAN]);
    let found = findings(fixture.but(4, &floats(&[2.0])).verdict());
    let Detail::Slot(slot) = &found[0].detail else {
        panic!("{found:?}");
    };
    assert!(matches!(&slot.permitted, Permitted::OneOf { first, count: 2 } if first.len() == 2));
}

#[test]
fn inputs_of_all_steps_are_kept() {
    let fixture = Fixture::stored();
    let mut ran = fixture.ran();
    ran.inputs_changed = vec![InputChanged {
        step: 1,
        role: Role::Source,
    }];
    let found = findings(fixture.judge(&[Answer::Ran(ran)]));
    assert_eq!(places_of(&found), [(Place::Input, Some(INPUT))]);
}

#[test]
fn out_of_bounds_accesses_need_an_excuse() {
    let mut fixture = Fixture::stored();
    let mut ran = fixture.ran();
    ran.oob_accesses.push(OobAccess {
        role: Role::Table,
        offset: 28,
        len: 4,
        write: true,
    });
    let answers = [Answer::Ran(ran)];
    let found = findings(fixture.judge(&answers));
    assert_eq!(places_of(&found), [(Place::OutOfBounds, Some(KEPT))]);
    fixture.permits.oob_accesses = Some(Clause("MSCATTER-OOB-01"));
    conforms(&fixture.judge(&answers));
}

/// Leaves the operands of a fixture in another shape.
type Spoil = fn(&mut Fixture);

#[test]
fn lengths_and_roles_are_always_compared() {
    // Guard zones of 8 bytes on either side; operands of 28, 64 and 32 bytes.
    let spoil: [(Spoil, &str); 6] = [
        (|s| s.after.regions.clear(), "0 operands came back of 3"),
        (
            |s| drop(s.after.regions.remove(0)),
            "2 operands came back of 3",
        ),
        (
            |s| s.after.regions.swap(1, 2),
            "source of 80 bytes, body 8..72 came back as index of 48 bytes, body 8..40",
        ),
        (
            |s| s.after.regions[2] = region(Role::Destination, 32),
            "index of 48 bytes, body 8..40 came back as destination of 48 bytes, body 8..40",
        ),
        (
            |s| s.after.regions[0] = region(Role::Table, 24),
            "table of 44 bytes, body 8..36 came back as table of 40 bytes, body 8..32",
        ),
        (
            |s| {
                let bytes = s.after.regions[0].bytes().to_vec();
                s.after.regions[0] = ptodiff_isa::Region::new(Role::Table, bytes, 4..32);
            },
            "table of 44 bytes, body 8..36 came back as table of 44 bytes, body 4..32",
        ),
    ];
    for (spoil, says) in spoil {
        let mut fixture = Fixture::stored();
        spoil(&mut fixture);
        let found = findings(fixture.verdict());
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].place, &found[0].detail),
            (Place::Shape, &Detail::Text(says.to_owned()))
        );
        assert_eq!(found[0].schedule, Some(Schedule::InOrder));
    }
}

#[test]
fn comparing_nothing_is_an_error() {
    let nothing = TargetVerdict::Unjudged(Unjudged::NothingCompared);
    // Both empty, so equal, and still nothing was compared.
    let mut empty = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
    empty.before.regions[0] = region(Role::Table, 0);
    empty.after = empty.before.clone();
    assert_eq!(empty.verdict(), nothing);
    // No output at all.
    let mut none = Fixture::stored();
    none.before.regions.remove(0);
    none.after.regions.remove(0);
    none.permits.operands.remove(0);
    assert_eq!(none.verdict(), nothing);
}

#[test]
fn a_few_slots_are_described_and_every_kind() {
    let dtype = DType::Int8;
    let mut fixture = Fixture::scatter(dtype, ScatterAtomicOp::None);
    fixture.before.regions[0] = region(Role::Table, 40);
    fixture.after = fixture.before.clone();
    fixture.exactly(0, &[0; 32]);
    // Elements 0..3 and 4..7 are the table's, all others padding.
    assert_eq!(findings(fixture.verdict()).len(), DESCRIBED);
    // The first kept slot that changes is of a new kind, the second is not.
    let fixture = fixture.but(34, &[0, 0]);
    let described = findings(fixture.verdict());
    assert_eq!(described.len(), DESCRIBED + 1);
    assert_eq!(described[DESCRIBED].clause, Some(KEPT));
    // Where nobody reads of them, the first of each kind.
    let brief = CaseContext {
        brief: true,
        ..fixture.context()
    };
    let answers = [fixture.answer()];
    let verdict = judge_target(&brief, &fixture.input(Target::A5, &answers));
    let kinds = [
        (Place::Valid, Some(STORED)),
        (Place::Padding, Some(STORED)),
        (Place::Padding, Some(KEPT)),
    ];
    assert_eq!(places_of(&findings(verdict)), kinds);
}

#[test]
fn a_slot_that_may_also_be_kept_is_either_and_nothing_else() {
    const STALE: Clause = Clause("MSCATTER-CACHE-02");
    let stale = |permit: fn(&mut Fixture)| {
        let mut fixture = Fixture::scatter(DType::Float, ScatterAtomicOp::None);
        permit(&mut fixture);
        fixture.permits.operands[0].runs[0].or_kept = Some(STALE);
        fixture
    };
    let permits: [fn(&mut Fixture); 3] = [
        |fixture| fixture.exactly(4, &floats(&[2.0])),
        |fixture| fixture.one_of(4, &[&floats(&[2.0]), &floats(&[3.0])]),
        |fixture| fixture.between(4, &floats(&[2.0]), &floats(&[3.0])),
    ];
    for permit in permits {
        conforms(&stale(permit).verdict());
        conforms(&stale(permit).but(4, &floats(&[2.0])).verdict());
        let found = findings(stale(permit).but(4, &floats(&[9.0])).verdict());
        assert!(
            matches!(&found[0].detail, Detail::Slot(slot) if slot.or_kept == Some(STALE)),
            "{found:?}"
        );
    }
}

#[test]
fn guards_are_kept_unless_freed() {
    let mut fixture = Fixture::stored();
    let end = GUARD + 28;
    for at in [end + 1, end + 4, end + 5] {
        fixture.after.regions[0].bytes_mut()[at] ^= 1;
    }
    fixture.after.regions[1].bytes_mut()[GUARD - 3] ^= 1;
    let found = findings(fixture.verdict());
    let places = found.iter().map(|f| match &f.detail {
        Detail::Guard {
            role,
            offset,
            bytes,
            ..
        } => (*role, *offset, *bytes),
        other => panic!("{other:?}"),
    });
    let expected = [(Role::Table, 29, 3), (Role::Source, -3, 1)];
    assert_eq!(places.collect::<Vec<_>>(), expected);
    // A write that leaves its operand may land in any other, which the call needs.
    const ASTRAY: Clause = Clause("MSCATTER-GAP-86");
    fixture.permits.operands[0].guards_free = Some(ASTRAY);
    assert_eq!(fixture.verdict(), TargetVerdict::Undefined(vec![ASTRAY]));
    fixture.after.regions[1].bytes_mut()[GUARD - 3] ^= 1;
    conforms(&fixture.verdict());
    // Free guard zones free no slot.
    let found = findings(fixture.but(4, &ints(&[9])).verdict());
    assert_eq!(places_of(&found), [(Place::Valid, Some(STORED))]);
    // Nor where the call writes none.
    let mut fixture = Fixture::stored();
    fixture.permits.operands[0].runs.clear();
    fixture.permits.operands[0].guards_free = Some(ASTRAY);
    assert!(!findings(fixture.but(4, &ints(&[9])).verdict()).is_empty());
}

#[test]
fn the_staging_area_is_a_place_of_its_own() {
    const STAGED: Clause = Clause("MGATHER-GAP-50");
    let mut fixture = Fixture::gathered();
    for memory in [&mut fixture.before, &mut fixture.after] {
        memory.regions.push(region(Role::Scratch, 8));
    }
    let promised = kept(Role::Scratch, DType::Half, STAGED);
    fixture.permits.operands.push(promised);
    conforms(&fixture.verdict());
    fixture.after.regions[3].body_mut()[4] ^= 1;
    let found = findings(fixture.verdict());
    assert_eq!(places_of(&found), [(Place::Scratch, Some(STAGED))]);
}

#[test]
fn an_answer_of_another_shape_hides_no_other() {
    let fixture = Fixture::stored();
    let mut short = fixture.ran();
    short.memory.regions.pop();
    let wrong = Fixture::stored().but(4, &ints(&[9]));
    let answers = [Answer::Ran(short), wrong.answer()];
    let found = findings(fixture.judge(&answers));
    let places: Vec<_> = found.iter().map(|f| f.place).collect();
    assert_eq!(places, [Place::Shape, Place::Valid]);
}
