//! A call, its memory, and implementations to ask.

use std::{sync::LazyLock, time::Duration};

use ptodiff_impl::{
    Answered, Ask, Failure, Implementation, Limits, Place, StartError, Trouble, Whom,
};
use ptodiff_isa::{
    Call, DType, Dim, Memory, Readings, Region, Role, Schedule, Target, Tile, TscatterMask,
};

/// Bytes of a guard zone.
pub(crate) const GUARD: usize = 8;

/// What a test may take where nothing is meant to take long.
pub(crate) const LONG: Limits = Limits {
    time: Duration::from_secs(60),
    start: Duration::from_secs(60),
    memory: 2048 << 20,
    jobs: Some(4),
    retries: 1,
};

/// For questions that are never answered.
pub(crate) const SHORT: Limits = Limits {
    time: Duration::from_millis(300),
    ..LONG
};

/// A call of a source and a destination of so many rows of 32 bytes. The mocks
/// have it copy one to the other.
pub(crate) fn call(rows: u64) -> Call {
    let tile = Tile {
        dtype: DType::Uint8,
        rows,
        cols: 32,
        valid_row: Dim::Static(rows),
        valid_col: Dim::Static(32),
        ..Tile::default()
    };
    Call::TscatterMask(TscatterMask {
        dst: tile,
        src: tile,
        ..TscatterMask::default()
    })
}

/// The memory of [`call`]: a destination of ones, a source that counts, guard
/// zones of nines.
pub(crate) fn memory(rows: usize) -> Memory {
    let region = |role, value: fn(usize) -> u8| {
        let len = 32 * rows;
        let mut bytes = vec![9; GUARD + len + GUARD];
        let body = GUARD..GUARD + len;
        for (n, byte) in bytes[body.clone()].iter_mut().enumerate() {
            *byte = value(n);
        }
        Region::new(role, bytes, body)
    };
    Memory {
        regions: vec![
            region(Role::Destination, |_| 1),
            region(Role::Source, |n| (n % 251) as u8),
        ],
    }
}

/// The command of a mock.
pub(crate) fn command(behaviour: &str) -> String {
    let own = std::env::current_exe().expect("a path");
    let own = own.to_str().expect("UTF-8");
    assert!(!own.contains('\''), "the path has to be quoted otherwise");
    format!("'{own}' mock {behaviour}")
}

pub(crate) fn start(behaviour: &str, limits: Limits) -> Result<Implementation, StartError> {
    let place = Place::default();
    Implementation::start("mock", &command(behaviour), Target::A5, limits, place)
}

pub(crate) fn started(behaviour: &str, limits: Limits) -> Implementation {
    start(behaviour, limits).unwrap_or_else(|e| panic!("{e}: {e:?}"))
}

pub(crate) fn ask_on(
    implementation: &Implementation,
    rows: usize,
    memory: &mut Memory,
) -> Answered {
    let call = call(rows as u64);
    implementation.answer(Whom::Kept, &question("a case", &call), memory)
}

/// The question that mocks are asked about `call`.
pub(crate) fn question<'a>(of: &'a str, call: &'a Call) -> Ask<'a> {
    static READINGS: LazyLock<Readings> = LazyLock::new(Readings::default);
    Ask {
        of,
        call,
        readings: &READINGS,
        schedule: Schedule::InOrder,
    }
}

/// Asks once, on memory of one row.
pub(crate) fn ask(implementation: &Implementation) -> Answered {
    ask_on(implementation, 1, &mut memory(1))
}

/// Asks once: why there is no answer.
pub(crate) fn failure(implementation: &Implementation, rows: usize, on: &mut Memory) -> Failure {
    match ask_on(implementation, rows, on) {
        Answered::Failed(failure) => failure,
        other => panic!("{other:?}"),
    }
}

/// Asks once: the trouble, and the last lines of standard error. The memory
/// must be as it was.
pub(crate) fn trouble(implementation: &Implementation) -> (Trouble, Vec<String>) {
    let mut on = memory(1);
    let failure = failure(implementation, 1, &mut on);
    assert_eq!(on, memory(1));
    (failure.trouble, failure.stderr)
}

/// What it counts: mostly the calls that the process which answered had had, from 1.
pub(crate) fn counted(implementation: &Implementation, whom: Whom) -> u64 {
    let call = call(1);
    match implementation.answer(whom, &question("a case", &call), &mut memory(1)) {
        Answered::Done { out_of_bounds } => out_of_bounds,
        other => panic!("{other:?}"),
    }
}

pub(crate) const DONE: Answered = Answered::Done { out_of_bounds: 0 };
