//! Mock implementations: the real models, and one thing wrong with calls into a table
//! of five rows or, of one that instantiates calls, with those of one type, or
//! of one that has its own readings, with those under others.

use std::{
    cell::Cell,
    fs,
    io::{self, BufRead as _, BufReader, Write},
    process::{Command, Stdio, exit},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use ptodiff_impl::Answered;
use ptodiff_isa::{
    Call, Coalesce, DType, Dim, End, How, Log, Memory, Model, Readings, Role, ScatterAtomicOp,
    Schedule, Target,
};

use crate::serve::{Greeting, serve};

/// What is asked beside the memory, and of which model.
#[derive(Clone, Copy)]
struct Asked<'a> {
    model: &'a dyn Model,
    call: &'a Call,
    readings: &'a Readings,
    schedule: Schedule,
}

/// What a sanitizer says, and how it goes on.
const SANITIZED: &str = "==17==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000018\n\n\
                         SUMMARY: AddressSanitizer: heap-buffer-overflow lib/ops.hpp:240 in put<int>\n\
                         Shadow byte legend:\n  Addressable:           00\n==17==ABORTING";

/// Is the mock of this behaviour until its input ends.
pub(crate) fn run(behaviour: &str) {
    if behaviour == "dies-at-start" {
        eprintln!("cannot find \u{1b}[31mlibpto.so\nno board");
        exit(4);
    }
    if behaviour == "slow-to-start" {
        thread::sleep(Duration::from_secs(4));
    }
    let own = Cell::new(None);
    // The greeting is the first of two.
    let frames = if behaviour == "leaves" { 2 } else { u32::MAX };
    let (again, harmed) = (Cell::new(false), Cell::new(false));
    let output = Leaves {
        left: frames,
        frame: Vec::new(),
        again: &again,
    };
    serve(
        output,
        |target| {
            if behaviour == "sorry" {
                return Err("only on Mondays".to_owned());
            }
            own.set(Some(target));
            Ok(Greeting {
                name: format!("toy {target}"),
                batch: behaviour.ends_with("-batched").then_some(64),
                sparse: matches!(behaviour, "right" | "corrupts" | "narrow-offsets"),
                ..Greeting::default()
            })
        },
        |call, readings, schedule, memory| {
            let asked = Asked {
                model: model(own.get().expect("a greeting comes first")),
                call,
                readings,
                schedule,
            };
            if let "corrupts" | "forgets-checks" = behaviour {
                return corrupts(behaviour == "corrupts", &harmed, asked, memory);
            }
            if let "names-none" | "checks-nothing" = behaviour {
                return match right(asked, memory) {
                    Answered::Rejected { why, .. } if behaviour == "names-none" => {
                        Answered::Rejected { clause: None, why }
                    }
                    Answered::Rejected { .. } => Answered::Done { out_of_bounds: 0 },
                    other => other,
                };
            }
            if let "asserts" | "sanitized" = behaviour {
                return match right(asked, memory) {
                    Answered::Rejected { why, .. } => {
                        match behaviour {
                            "asserts" => eprintln!("assertion failed: {why}"),
                            _ => eprintln!("{SANITIZED}"),
                        }
                        exit(134)
                    }
                    other => other,
                };
            }
            if let Some(fault) = behaviour.strip_prefix("plant-") {
                return planted(fault, asked, memory);
            }
            if let Some(reading) = behaviour.strip_prefix("reads-") {
                let (gap, choice) = reading.split_once('=').expect("a reading");
                let mut own = *readings;
                own.set(gap, choice).expect("a reading");
                let readings = &own;
                return right(Asked { readings, ..asked }, memory);
            }
            if behaviour == "narrow-offsets" {
                return narrow_offsets(asked, memory);
            }
            if behaviour == "two-byte-rows" {
                return two_byte_rows(asked, memory);
            }
            if behaviour.starts_with("wrong-") {
                return wrong_for(behaviour, asked, memory);
            }
            again.set(behaviour == "twice" && is_odd(behaviour, call, readings));
            if is_odd(behaviour, call, readings) || ["idle", "bound"].contains(&behaviour) {
                wrong(behaviour, asked, memory)
            } else {
                right(asked, memory)
            }
        },
    );
    if behaviour == "leaks" {
        eprintln!("==17==ERROR: LeakSanitizer: detected memory leaks");
        exit(23);
    }
}

/// Standard output, until so many frames went there: then the process ends. A frame comes
/// again, a moment later, where that is asked for.
struct Leaves<'a> {
    left: u32,
    frame: Vec<u8>,
    again: &'a Cell<bool>,
}

impl Write for Leaves<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.frame.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let frame = std::mem::take(&mut self.frame);
        let mut out = io::stdout();
        out.write_all(&frame)?;
        out.flush()?;
        if self.again.take() {
            thread::sleep(Duration::from_millis(30));
            out.write_all(&frame)?;
            out.flush()?;
        }
        self.left -= 1;
        if self.left == 0 {
            eprintln!("had\u{1b}[31m enough");
            exit(3);
        }
        Ok(())
    }
}

fn model(target: Target) -> &'static dyn Model {
    let mut all = ptodiff_runner::models().into_iter();
    all.find(|m| m.target() == target).expect("there are three")
}

/// Scatters rows with byte offsets of 32 bits.
fn narrow_offsets(asked: Asked<'_>, memory: &mut Memory) -> Answered {
    let mut narrow = *asked.call;
    if let Call::Mscatter(c) = &mut narrow {
        let row = c.table.stride[3].get() * c.table.dtype.size() as u64;
        let index = memory.get(Role::Index).expect("indices").body();
        let first = u64::from(u32::from_le_bytes(*index.first_chunk().expect("one")));
        // All rows lie as far apart as makes this one wrap.
        let wrapped = first * row % (1 << 32) / first / c.table.dtype.size() as u64;
        c.table.stride[3] = Dim::Static(wrapped);
    }
    let call = &narrow;
    right(Asked { call, ..asked }, memory)
}

/// Scatters elements of two bytes into the row before the one that is meant.
fn two_byte_rows(asked: Asked<'_>, memory: &mut Memory) -> Answered {
    let Call::TscatterIndex(c) = asked.call else {
        return right(asked, memory);
    };
    let index = memory.get_mut(Role::Index).expect("indices").body_mut();
    let own = index.to_vec();
    for index in index
        .as_chunks_mut::<2>()
        .0
        .iter_mut()
        .filter(|_| c.src.dtype.size() == 2)
    {
        let row = c.dst.cols as u16;
        *index = u16::from_le_bytes(*index).saturating_sub(row).to_le_bytes();
    }
    let answered = right(asked, memory);
    let index = memory.get_mut(Role::Index).expect("indices").body_mut();
    index.copy_from_slice(&own);
    answered
}

fn is_odd(behaviour: &str, call: &Call, readings: &Readings) -> bool {
    let Call::Mscatter(c) = call else {
        return behaviour == "crashes" && matches!(call, Call::Tgatherb(_));
    };
    match behaviour {
        // Whatever is known at run time only.
        "one-type" => c.src.rows == 16 && c.src.dtype == DType::Float && c.mode == Coalesce::Row,
        "own-readings" | "only-own-readings" => *readings != Readings::default(),
        // What the odd case broke stays broken.
        "stays-wrong" => {
            static BROKEN: AtomicBool = AtomicBool::new(false);
            BROKEN.fetch_or(c.table.shape[3].get() == 5, Ordering::Relaxed);
            BROKEN.load(Ordering::Relaxed)
        }
        "tired" | "exhausted" => true,
        _ => c.table.shape[3].get() == 5,
    }
}

fn right(asked: Asked<'_>, memory: &mut Memory) -> Answered {
    let Asked {
        model,
        call,
        readings,
        schedule,
    } = asked;
    if let Some(rejection) = model.check(call, readings).first() {
        return Answered::Rejected {
            clause: Some(rejection.clause.to_string()),
            why: rejection.why.clone(),
        };
    }
    let how = How {
        schedule,
        readings: *readings,
    };
    let mut log = Log::default();
    match model.execute(call, memory, &how, &mut log) {
        Ok(End::Finished) => Answered::Done {
            out_of_bounds: log.oob_accesses.count,
        },
        Ok(End::Hung) => Answered::Hangs,
        Err(_) => exit(6),
    }
}

/// Is right, and ends with the call after one that accesses anything out of bounds.
fn corrupts(dies: bool, harmed: &Cell<bool>, asked: Asked<'_>, memory: &mut Memory) -> Answered {
    if harmed.get() && dies {
        eprintln!("double free or corruption");
        exit(134);
    }
    let answered = right(asked, memory);
    if harmed.get() && matches!(answered, Answered::Rejected { .. }) {
        return Answered::Done { out_of_bounds: 0 };
    }
    harmed.set(
        harmed.get() || matches!(answered, Answered::Done { out_of_bounds } if out_of_bounds > 0),
    );
    answered
}

/// Is wrong where Wrap has to do with an index that is negative, and of two faults also where
/// numbers of one type are added.
fn wrong_for(behaviour: &str, asked: Asked<'_>, memory: &mut Memory) -> Answered {
    let call = asked.call;
    let wraps = call.argument("oob").is_some_and(|oob| oob.value == "Wrap");
    let index = memory.get(Role::Index).map(|region| region.body().to_vec());
    let words = index.unwrap_or_default();
    let negative = words.chunks_exact(4).any(|word| word[3] & 0x80 != 0);
    let adds = call.atomic() == Some(ScatterAtomicOp::Add) && call.data_tile().dtype == DType::Half;
    let answer = right(asked, memory);
    let wrong = wraps && negative || behaviour == "wrong-twice" && adds;
    if wrong && matches!(answer, Answered::Done { .. }) {
        let output = memory.get_mut(call.output()).expect("an output");
        // The order of a sum may change its last bits.
        output
            .body_mut()
            .iter_mut()
            .take(2)
            .for_each(|b| *b ^= 0xFF);
    }
    answer
}

/// Is right, but for faults in what a scatter of 32-bit elements reads, and then in what it
/// leaves: `index+last`.
fn planted(faults: &str, asked: Asked<'_>, memory: &mut Memory) -> Answered {
    if faults == "crash" {
        eprintln!("lane 5 fell");
        exit(3);
    }
    let table = |memory: &Memory| memory.get(Role::Table).expect("a table").body().to_vec();
    let before = table(memory);
    let values = memory.get_mut(Role::Source).expect("values");
    let own_values = values.body().to_vec();
    let behind = values.bytes()[values.body_range().end..][..SIZE].to_vec();
    if faults == "values_late" {
        // The first value is read from a register that the lane before has written.
        let last = own_values.len() - SIZE;
        values.body_mut()[SIZE..].copy_from_slice(&own_values[..last]);
    }
    let index = memory.get_mut(Role::Index).expect("indices");
    let own = index.body().to_vec();
    for fault in faults.split('+') {
        misread(fault, index.body_mut());
    }
    let answered = right(asked, memory);
    let index = memory.get_mut(Role::Index).expect("indices");
    let misread = index.body() != own;
    index.body_mut().copy_from_slice(&own);
    let values = memory.get_mut(Role::Source).expect("values");
    values.body_mut().copy_from_slice(&own_values);
    let mut left = table(memory);
    for fault in faults.split('+') {
        spoil(fault, &before, &mut left);
    }
    if faults == "behind" {
        left[..SIZE].copy_from_slice(&behind);
    }
    let table = memory.get_mut(Role::Table).expect("a table");
    table.body_mut().copy_from_slice(&left);
    match answered {
        // It does not notice that it leaves the table.
        Answered::Done { .. } if misread => Answered::Done { out_of_bounds: 0 },
        other => other,
    }
}

/// Bytes of an element and of an index.
const SIZE: usize = 4;

fn misread(fault: &str, indices: &mut [u8]) {
    let own = indices.to_vec();
    let (all, _) = own.as_chunks::<SIZE>();
    let count = all.len();
    let (to, _) = indices.as_chunks_mut::<SIZE>();
    for (n, to) in to.iter_mut().enumerate() {
        let index = u32::from_le_bytes(all[n]);
        *to = match fault {
            "index" => index * 4,
            "low12" => index & 0xFFF,
            // A byte that is extended with its sign.
            "int8" => index as i8 as u32,
            // The words of a pair of 64 bits are taken in the other order.
            "pairs" => index ^ 1,
            // From 1 on, and 0 has nothing before it.
            "from_one" => index.saturating_sub(1),
            // A lane takes the index of the lane before it, from a register not yet loaded.
            "late" => u32::from_le_bytes(all[n.saturating_sub(1)]),
            "mirrored" => u32::from_le_bytes(all[count - 1 - n]),
            // The loop over warps ends after the first.
            "warp" if n >= 32 => u32::MAX,
            _ => index,
        }
        .to_le_bytes();
    }
}

fn spoil(fault: &str, before: &[u8], left: &mut [u8]) {
    let after = left.to_vec();
    let slots = after.len() / SIZE;
    let at = |slot: usize| slot * SIZE..(slot + 1) * SIZE;
    let is_written = |slot: &usize| before[at(*slot)] != after[at(*slot)];
    let written: Vec<usize> = (0..slots).filter(is_written).collect();
    match fault {
        "nothing" => left.copy_from_slice(before),
        "zeros" => written.iter().for_each(|slot| left[at(*slot)].fill(0)),
        "bytes" => written.iter().for_each(|slot| left[at(*slot)].reverse()),
        "halves" => written
            .iter()
            .for_each(|slot| left[at(*slot)].rotate_left(2)),
        "saturated" => {
            for slot in written {
                let value = i32::from_le_bytes(after[at(slot)].try_into().expect("an element"));
                let short = value.clamp(i16::MIN.into(), i16::MAX.into());
                left[at(slot)].copy_from_slice(&short.to_le_bytes());
            }
        }
        "far" => {
            left.copy_from_slice(before);
            for slot in written.iter().filter(|slot| **slot + 1 < slots) {
                left[at(slot + 1)].copy_from_slice(&after[at(*slot)]);
            }
        }
        "last" | "first" => {
            let slot = match fault {
                "last" => written.last(),
                _ => written.first(),
            };
            let slot = *slot.expect("it writes");
            left[at(slot)].copy_from_slice(&before[at(slot)]);
        }
        // Index 0 is taken for none at all.
        "no_zero" => left[at(0)].copy_from_slice(&before[at(0)]),
        // A value of 0 is taken for a lane that is off.
        "no_value" => (0..slots)
            .filter(|slot| after[at(*slot)] == [0; SIZE])
            .for_each(|slot| left[at(slot)].copy_from_slice(&before[at(slot)])),
        "neighbours" => {
            for pair in written.chunks_exact(2) {
                left[at(pair[0])].copy_from_slice(&after[at(pair[1])]);
                left[at(pair[1])].copy_from_slice(&after[at(pair[0])]);
            }
        }
        "kept" => (0..slots)
            .filter(|slot| !written.contains(slot))
            .for_each(|slot| left[at(slot)].fill(0)),
        _ => {}
    }
}

fn wrong(behaviour: &str, asked: Asked<'_>, memory: &mut Memory) -> Answered {
    let raw = |bytes: &[u8]| {
        let mut out = io::stdout();
        // Whoever listens may have heard enough.
        let _ = out.write_all(bytes).and_then(|()| out.flush());
    };
    match behaviour {
        "crashes" | "crashes-batched" => {
            eprintln!("lane 3 \u{1b}[31mfell");
            exit(3);
        }
        "hangs" => {
            if let Some(path) = std::env::var_os("MOCK_PID") {
                // A child that has a child of its own.
                let mut child = Command::new("sh");
                child
                    .args(["-c", "sleep 600 & echo $!; wait"])
                    .stdout(Stdio::piped());
                #[expect(
                    clippy::zombie_processes,
                    reason = "whoever kills this one must kill it"
                )]
                let mut child = child.spawn().expect("a child");
                let mut line = String::new();
                let said = child.stdout.take().expect("piped");
                BufReader::new(said).read_line(&mut line).expect("a line");
                let all = [std::process::id().to_string(), child.id().to_string(), line];
                fs::write(path, all.join(" ")).expect("a note");
            }
            thread::sleep(Duration::from_secs(600));
        }
        "says-hangs" => return Answered::Hangs,
        "garbage" => raw(b"Segmentation fault (core dumped)\n"),
        "half" => {
            raw(b"{\"kind\":\"done\",\"id\":0,\"regions\":[");
            exit(0);
        }
        "floods" => loop {
            raw(&[b'x'; 1 << 16]);
        },
        "grows" => {
            let mut held: Vec<Vec<u8>> = Vec::new();
            for _ in 0..1024 {
                held.push(vec![1; 1 << 20]);
            }
            thread::sleep(Duration::from_secs(600));
        }
        // Once, whichever process it is.
        "flaky-reversed" if asked.schedule != Schedule::Reversed => {}
        "flaky" | "flaky-batched" | "flaky-reversed"
            if fs::exists("wrong-once").expect("it can be looked for") => {}
        "flaky" | "flaky-batched" | "flaky-reversed" => {
            fs::write("wrong-once", "").expect("a note");
            eprintln!("lane 3 fell");
            exit(3);
        }
        "own-readings" => {
            let readings = &Readings::default();
            return right(Asked { readings, ..asked }, memory);
        }
        "short" => {
            let mut other = *asked.call;
            if let Call::Mscatter(c) = &mut other {
                let rows = c.src.valid_row.get() - 1;
                c.src.valid_row = Dim::Dynamic(rows);
            }
            let call = &other;
            return right(Asked { call, ..asked }, memory);
        }
        "idle" | "lacks" | "only-own-readings" => {
            let why = "no such tables".to_owned();
            return Answered::Unsupported { why };
        }
        // As a program of `cpp --harness` says it.
        "bound" => {
            let why = "not instantiated: mscatter;x".to_owned();
            return Answered::Unsupported { why };
        }
        "declines" => {
            let why = "static_assert: five rows".to_owned();
            return Answered::Rejected { clause: None, why };
        }
        "names-no-clause" => {
            let (clause, why) = (Some("MSCATTER-XYZ-01".to_owned()), String::new());
            return Answered::Rejected { clause, why };
        }
        _ => {}
    }
    // What is tired or exhausted is right in a new process.
    static ANSWERED: AtomicUsize = AtomicUsize::new(0);
    let before = ANSWERED.fetch_add(1, Ordering::Relaxed);
    let reversed = asked.schedule == Schedule::Reversed;
    let answer = right(asked, memory);
    if behaviour == "slow-slot" {
        thread::sleep(Duration::from_millis(50));
    }
    if matches!(
        behaviour,
        "one-slot" | "slow-slot" | "one-type" | "stays-wrong"
    ) || (behaviour == "tired" && before > 0)
        || (behaviour == "exhausted" && before >= 100)
        || (behaviour == "reversed-slot" && reversed)
    {
        let table = memory.get_mut(Role::Table).expect("a table");
        table.body_mut()[0] ^= 1;
    }
    answer
}
