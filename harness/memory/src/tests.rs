use ptodiff_isa::{DType, Event, Log, Memory, OobAccess, Region, Role, Space};

use crate::Bus;

const GUARD: usize = 8;

/// A table of `body` bytes between guard zones of eight: each byte is its number.
/// A source of eight bytes from 100 on.
fn memory(body: usize) -> Memory {
    let bytes = (0..body as u8 + 16).collect();
    Memory {
        regions: vec![
            Region::new(Role::Table, bytes, GUARD..GUARD + body),
            Region::new(Role::Source, (100..108).collect(), 0..8),
        ],
    }
}

/// What `work` leaves of the table, and the accesses outside of operands.
fn after(body: usize, work: impl FnOnce(&mut Bus<'_>)) -> (Vec<u8>, Vec<OobAccess>) {
    let (mut memory, mut log) = (memory(body), Log::default());
    work(&mut Bus::new(&mut memory, &mut log));
    (memory.regions[0].bytes().to_vec(), log.oob_accesses.first)
}

fn outside(role: Role, offset: i64, len: u64, write: bool) -> OobAccess {
    OobAccess {
        role,
        offset,
        len,
        write,
    }
}

#[test]
fn reads_find_body_guard_zone_and_nowhere() {
    let word = |bytes: [u8; 4]| u64::from(u32::from_le_bytes(bytes));
    let (_, oob_accesses) = after(12, |bus| {
        assert_eq!(bus.read(Role::Table, 0, 4), word([8, 9, 10, 11]));
        assert_eq!(bus.read(Role::Table, 8, 4), word([16, 17, 18, 19]));
        assert_eq!(bus.read(Role::Table, 9, 4), word([17, 18, 19, 20]));
        assert_eq!(bus.read(Role::Table, -2, 4), word([6, 7, 8, 9]));
        assert_eq!(bus.read(Role::Table, 18, 4), word([26, 27, 0xEE, 0xEE]));
        for far in [-12, 20, i64::MIN, i64::MAX] {
            assert_eq!(bus.read(Role::Table, far, 4), word([0xEE; 4]));
        }
        // An operand that the memory lacks has no byte.
        assert_eq!(bus.read(Role::Index, 0, 2), 0xEEEE);
    });
    let offsets: Vec<i64> = oob_accesses
        .iter()
        .map(|oob_access| oob_access.offset)
        .collect();
    assert_eq!(offsets, [9, -2, 18, -12, 20, i64::MIN, i64::MAX, 0]);
    assert!(oob_accesses.iter().all(|oob_access| !oob_access.write));
}

#[test]
fn writes_arrive_in_body_and_guard_zone_only() {
    let (bytes, oob_accesses) = after(12, |bus| {
        bus.write(Role::Table, 0, 2, 0xBBAA);
        bus.write(Role::Table, -1, 2, 0xDDCC);
        bus.write(Role::Table, 19, 4, 0x9998_9796);
        bus.write(Role::Table, i64::MAX, 8, 0);
        bus.write(Role::Table, i64::MIN, 8, 0);
    });
    assert_eq!(bytes[..10], [0, 1, 2, 3, 4, 5, 6, 0xCC, 0xDD, 0xBB]);
    assert_eq!(bytes[26..], [26, 0x96]);
    let written = |offset, len| outside(Role::Table, offset, len, true);
    let far = [written(i64::MAX, 8), written(i64::MIN, 8)];
    assert_eq!(oob_accesses[..2], [written(-1, 2), written(19, 4)]);
    assert_eq!(oob_accesses[2..], far);
}

#[test]
fn an_atomic_is_one_access() {
    let (bytes, oob_accesses) = after(4, |bus| {
        bus.atomic("atomicAdd", Role::Table, 0, 2, 0x0101, |old, new| old + new);
        bus.atomic("atomicAdd", Role::Table, 4, 1, 5, |old, new| old + new);
    });
    assert_eq!(bytes[8..13], [9, 10, 10, 11, 17]);
    assert_eq!(oob_accesses, [outside(Role::Table, 4, 1, true)]);
}

#[test]
fn an_access_that_leaves_the_body_is_counted() {
    let (_, oob_accesses) = after(4, |bus| {
        bus.access(Role::Table, 0, 4, true);
        bus.access(Role::Table, 1, 4, true);
        bus.access(Role::Source, 9, u64::MAX, false);
        // Nothing moved is nothing accessed.
        bus.access(Role::Table, 50, 0, true);
    });
    let expected = [
        outside(Role::Table, 1, 4, true),
        outside(Role::Source, 9, u64::MAX, false),
    ];
    assert_eq!(oob_accesses, expected);
}

#[test]
fn a_transfer_moves_what_there_is() {
    let (bytes, oob_accesses) = after(4, |bus| {
        bus.transfer((Role::Source, 2), (Role::Table, 1), 3);
    });
    assert_eq!(bytes[8..12], [8, 102, 103, 104]);
    assert_eq!(oob_accesses, []);
    let (bytes, oob_accesses) = after(4, |bus| {
        bus.transfer((Role::Source, 6), (Role::Table, -2), 4);
        bus.transfer((Role::Source, 0), (Role::Table, 9), u64::MAX);
    });
    assert_eq!(bytes[6..12], [106, 107, 0xEE, 0xEE, 10, 11]);
    assert_eq!(bytes[16..17], [16]);
    assert_eq!(bytes[17..], [100, 101, 102]);
    assert_eq!(oob_accesses, []);
}

#[test]
fn what_is_accumulated_is_combined_element_by_element() {
    let (bytes, oob_accesses) = after(4, |bus| {
        bus.accumulate((Role::Source, 0), (Role::Table, 0), 4, 2, |old, new| {
            old ^ new
        });
    });
    assert_eq!(bytes[8..12], [8 ^ 100, 9 ^ 101, 10 ^ 102, 11 ^ 103]);
    assert_eq!(oob_accesses, []);
    // Half of the first element lies before the guard zone, half of the last behind.
    let (bytes, _) = after(1, |bus| {
        bus.accumulate((Role::Source, 0), (Role::Table, -9), 20, 2, |_, new| new);
    });
    assert_eq!(bytes[..7], [101, 102, 103, 104, 105, 106, 107]);
    assert_eq!(bytes[7..], [0xEE; 10]);
}

#[test]
fn a_fill_is_one_access() {
    let (bytes, oob_accesses) = after(4, |bus| bus.fill(None, Space::Gm, Role::Table, 2, 4));
    assert_eq!(bytes[8..15], [8, 9, 0, 0, 0, 0, 14]);
    assert_eq!(oob_accesses, [outside(Role::Table, 2, 4, true)]);
    let (bytes, oob_accesses) = after(4, |bus| bus.zero(Role::Table, i64::MIN, u64::MAX));
    assert_eq!(bytes, [0; 20]);
    assert_eq!(oob_accesses, []);
}

#[test]
fn a_trace_shows_what_is_asked_for_in_order() {
    let (mut memory, mut log) = (memory(8), Log::default());
    log.trace = Some(Vec::new());
    let mut bus = Bus::new(&mut memory, &mut log);
    bus.load(Space::Gm, Role::Table, 4, 4);
    bus.read(Role::Table, 0, 4);
    bus.store(Space::Ub, Role::Source, 0, 2, 7);
    bus.atomic("atomicMax", Role::Table, 4, 4, 1, |old, _| old);
    bus.fill(None, Space::L1, Role::Source, 0, 8);
    bus.note(|| Event::SetAtomicAdd(DType::Half));
    let lines: Vec<String> = log.trace.iter().flatten().map(Event::to_string).collect();
    let expected = [
        "load GM table+4 4 bytes",
        "store UB source+0 2 bytes",
        "atomic atomicMax table+4 4 bytes",
        "fill zero L1 source+0 8 bytes",
        "mode set_atomic_add half",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn operands_that_are_missing_are_named() {
    let (mut memory, mut log) = (memory(4), Log::default());
    let bus = Bus::new(&mut memory, &mut log);
    assert_eq!(bus.require(&[Role::Table, Role::Source]), Ok(()));
    let missing = bus.require(&[Role::Table, Role::Index]).unwrap_err();
    assert_eq!(missing.0, "the memory has no index operand");
}

#[test]
fn only_what_is_written_of_a_large_operand_may_differ() {
    let large = 1 << 18;
    let bytes = vec![0; large];
    let mut before = Region::new(Role::Table, bytes, 16..large - 16);
    before.note_writes();
    let mut memory = Memory {
        regions: vec![before.clone()],
    };
    let mut log = Log::default();
    let mut bus = Bus::new(&mut memory, &mut log);
    bus.write(Role::Table, 5000, 4, 1);
    bus.read(Role::Table, 9000, 4);
    let after = &memory.regions[0];
    let mut pages = after.may_differ(&before).expect("one backdrop");
    assert_eq!((pages.next(), pages.next()), (Some(4096..5120), None));
}
