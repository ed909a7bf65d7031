//! Mock implementations: toys that copy the source to the destination, and go wrong
//! in one way each.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufReader, Read, Write},
    process::{Command, Stdio, exit},
    thread,
    time::Duration,
};

use ptodiff_impl::{
    Answered, frame,
    message::{Asked, Question, Reply, Returned},
};
use ptodiff_isa::{Memory, Role};

use crate::{
    common::DONE,
    serve::{Greeting, next, serve},
};

/// Is the mock that `arguments` name: a behaviour, and what it works with.
pub(crate) fn run(arguments: &[String]) {
    let mut arguments = arguments.iter().map(String::as_str);
    let behaviour = arguments.next().unwrap_or_default();
    let with = arguments.next().unwrap_or_default();
    match behaviour {
        "says" => greets_with(with),
        "dies-at-start" => {
            note(with, "start");
            eprintln!("no board");
            exit(4);
        }
        "never-greets" => {
            note(with, "start");
            forever();
        }
        "dies-after-first" => {
            if note(with, "start") > 1 {
                eprintln!("device busy");
                exit(4);
            }
            copies(|_, _| exit(3));
        }
        "starts-one-time-in-five" => {
            if !note(with, "start").is_multiple_of(5) {
                exit(4);
            }
            copies(|_, _| exit(3));
        }
        "says-good-bye" => {
            note(with, &own());
            copies(|_, _| DONE);
            thread::sleep(Duration::from_millis(100));
            note(with, "good bye");
        }
        "stays" => {
            note(with, &own());
            copies(|_, _| DONE);
            forever();
        }
        "sparse" => {
            let greeting = Greeting {
                sparse: true,
                ..Greeting::default()
            };
            copies_as(greeting, io::stdout(), |_, memory| {
                let table = memory.get_mut(Role::Table).expect("a table");
                // One more than stands there.
                table.part_mut(5000..5001).expect("inside")[0] += 1;
                let far = 3 << 32;
                table.part_mut(far..far + 4).expect("inside").fill(8);
                DONE
            });
        }
        "leaves-after-greeting" => copies_to(Leaves(1), |_, _| DONE),
        "leaks" => {
            let mut asked = false;
            copies(|_, _| {
                asked = true;
                DONE
            });
            if asked {
                exit(23);
            }
        }
        "leaves-after-answer" => copies_to(Leaves(2), |_, _| DONE),
        "child-of" => child(with),
        "says-it-again" => copies_to(Again(Vec::new()), |_, _| DONE),
        "alone" | "takes-two" => in_company(behaviour, with),
        "batches" => batches(with),
        "dies-at-77" => {
            note(with, "start");
            let greeting = Greeting {
                batch: Some(8),
                ..Greeting::default()
            };
            copies_as(greeting, io::stdout(), |_, memory| {
                match memory.get(Role::Source).expect("a source").body()[0] {
                    77 => exit(3),
                    _ => DONE,
                }
            });
        }
        _ => copies(|n, memory| answer(behaviour, with, n, memory)),
    }
}

/// Greets, then answers each call with what `does` makes of it: it is told
/// which call of this process it is, from 1, on a memory that has the copy.
fn copies(does: impl FnMut(u64, &mut Memory) -> Answered) {
    copies_to(io::stdout(), does);
}

/// As [`copies`], with its answers written to `output`.
fn copies_to(output: impl Write, does: impl FnMut(u64, &mut Memory) -> Answered) {
    copies_as(Greeting::default(), output, does);
}

/// As [`copies_to`], with a greeting of its own but for the name.
fn copies_as(
    greeting: Greeting,
    output: impl Write,
    mut does: impl FnMut(u64, &mut Memory) -> Answered,
) {
    let mut n = 0;
    serve(
        output,
        |target| {
            Ok(Greeting {
                name: format!("toy \u{1b} {target}"),
                ..greeting.clone()
            })
        },
        |_, _, _, memory| {
            n += 1;
            copy(memory);
            does(n, memory)
        },
    );
}

/// Tells how many of it there are, by files in `folder`.
fn in_company(behaviour: &str, folder: &str) {
    let here = std::path::Path::new(folder).join(own());
    std::fs::write(&here, "").expect("a file");
    let greeting = Greeting {
        jobs: (behaviour == "takes-two").then_some(2),
        ..Greeting::default()
    };
    copies_as(greeting, io::stdout(), |_, _| {
        thread::sleep(Duration::from_millis(5));
        let all = std::fs::read_dir(folder).expect("a folder").count() as u64;
        Answered::Done { out_of_bounds: all }
    });
    std::fs::remove_file(&here).expect("it was there");
}

/// Takes so many calls at once, and answers when it has all of them: how many they were.
/// `4-swapped` answers the last two of a batch in the wrong order, `4-short` leaves out the
/// last answer, `4-more` gives it twice, `4-twice` the first one, `4-slow` takes a while for each,
/// `4-falls` ends where it is asked several. `4-dies:NOTES` ends
/// before it answers any where one of them has a 77, and notes how often it was started.
fn batches(how: &str) {
    let (most, how) = how.split_once('-').unwrap_or((how, ""));
    let (how, notes) = how.split_once(':').unwrap_or((how, ""));
    if how == "dies" {
        note(notes, "start");
    }
    let most = most.parse().expect("a number");
    let mut input = BufReader::new(io::stdin());
    let mut output = io::stdout();
    let mut wanted = 1;
    let mut held: Vec<(Asked, Vec<u8>)> = Vec::new();
    while let Some((question, bytes)) = next(&mut input) {
        match question {
            Question::Hello {
                protocol, newest, ..
            } => {
                assert_eq!((protocol, newest), (1, 2));
                greets(&mut output, 2, Some(most));
            }
            Question::Batch { calls } => {
                assert!((2..=most as usize).contains(&calls), "{calls}");
                wanted = calls;
                continue;
            }
            Question::Call(asked) => {
                held.push((*asked, bytes));
                if held.len() < wanted {
                    continue;
                }
                let all = held.len() as u64;
                match (how, held.len()) {
                    ("swapped", 2..) => {
                        let last = held.len() - 1;
                        held.swap(last, last - 1);
                    }
                    ("short", 2..) => drop(held.pop()),
                    ("falls", 2..) => exit(3),
                    ("more", 2..) => held.extend(held.last().cloned()),
                    ("twice", 2..) => held.insert(0, held[0].clone()),
                    ("dies", _) if held.iter().any(|(asked, bytes)| has_77(asked, bytes)) => {
                        exit(3)
                    }
                    _ => {}
                }
                for (asked, bytes) in held.drain(..) {
                    if how == "slow" {
                        thread::sleep(Duration::from_millis(400));
                        output.flush().expect("written");
                    }
                    let [to, from] = [0, 1].map(|n| asked.regions[n].body[0] as usize);
                    let from = asked.regions[0].bytes as usize + from;
                    let mut back = bytes[..asked.regions[0].bytes as usize].to_vec();
                    let len = asked.regions[0].body[1] as usize;
                    back[to..to + len].copy_from_slice(&bytes[from..from + len]);
                    gives_back(&mut output, asked.id, &back, all);
                }
                wanted = 1;
            }
        }
        output.flush().expect("written");
    }
}

/// Whether the source of a call begins with it.
fn has_77(asked: &Asked, bytes: &[u8]) -> bool {
    let [to, from] = [0, 1].map(|n| &asked.regions[n]);
    bytes[to.bytes as usize + from.body[0] as usize] == 77
}

fn greets(output: &mut impl Write, protocol: u32, batch: Option<u32>) {
    let hello = Reply::Hello {
        protocol,
        name: String::new(),
        batch,
        jobs: None,
        sparse: false,
    };
    frame::write(output, &hello, &[]).expect("written");
}

/// Answers with what is left in the destination.
fn gives_back(output: &mut impl Write, id: u64, left: &[u8], out_of_bounds: u64) {
    let bytes = left.len() as u64;
    let destination = Returned {
        role: Role::Destination,
        bytes,
        parts: None,
    };
    let done = Reply::Done {
        id,
        regions: vec![destination],
        bytes,
        out_of_bounds,
    };
    frame::write(output, &done, &[left]).expect("written");
}

/// Standard output, where each answer comes once more, a moment later.
struct Again(Vec<u8>);

impl Write for Again {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.0);
        let mut out = io::stdout();
        out.write_all(&bytes)?;
        out.flush()?;
        if bytes.starts_with(b"{\"kind\":\"done\"") {
            thread::sleep(Duration::from_millis(30));
            out.write_all(&bytes)?;
            out.flush()?;
        }
        Ok(())
    }
}

/// Standard output, until so many frames went there: then the process ends.
struct Leaves(u32);

impl Write for Leaves {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0 -= 1;
        if self.0 == 0 {
            eprintln!("good bye");
        }
        io::stdout().flush()?;
        match self.0 {
            0 => exit(3),
            _ => Ok(()),
        }
    }
}

fn own() -> String {
    std::process::id().to_string()
}

fn copy(memory: &mut Memory) {
    let source = memory.get(Role::Source).expect("a source").body().to_vec();
    let destination = memory.get_mut(Role::Destination).expect("a destination");
    destination.body_mut().copy_from_slice(&source);
}

fn answer(behaviour: &str, with: &str, n: u64, memory: &mut Memory) -> Answered {
    match behaviour {
        "right" => DONE,
        "wrong" => {
            let destination = memory.get_mut(Role::Destination).expect("a destination");
            destination.body_mut()[5] ^= 0x80;
            DONE
        }
        "writes-outside" => {
            let destination = memory.get_mut(Role::Destination).expect("a destination");
            destination.bytes_mut()[0] = 0;
            DONE
        }
        "counts" => Answered::Done { out_of_bounds: n },
        "rejects" => Answered::Rejected {
            clause: (with == "clause").then(|| "TSCATTER-LEG-01".to_owned()),
            why: "no\nsuch type".to_owned(),
        },
        "knows-it-hangs" => Answered::Hangs,
        "has-not" => Answered::Unsupported {
            why: "no masks, ".repeat(300),
        },
        "crashes" if n == 2 => {
            eprintln!("lane 3 \u{1b}[31mfell over");
            exit(7);
        }
        "aborts" => std::process::abort(),
        "hangs" if n == 2 => forever(),
        "crashes" | "hangs" => Answered::Done { out_of_bounds: n },
        "grows" => grow(),
        "grows-in-a-child" => {
            spawn("grow", Stdio::null());
            forever()
        }
        "leaves-a-child" => {
            let child = spawn("wait", Stdio::inherit());
            note(with, &child.to_string());
            exit(6);
        }
        "hangs-with-a-child" => {
            let child = spawn("wait", Stdio::inherit());
            note(with, &child.to_string());
            forever()
        }
        "meets" => {
            note(with, "here");
            while std::fs::read_to_string(with).is_ok_and(|text| text.lines().count() < 2) {
                thread::sleep(Duration::from_millis(5));
            }
            DONE
        }
        "chatters" => {
            let line = format!("{}\n", "x".repeat(99));
            let mut stderr = io::stderr().lock();
            for _ in 0..50_000 {
                stderr.write_all(line.as_bytes()).expect("written");
            }
            DONE
        }
        "last-words" => {
            for n in 0..1000 {
                eprintln!("line {n}");
            }
            exit(1);
        }
        "slow-for" => {
            let byte = memory.get(Role::Source).expect("a source").body()[0];
            if byte == 77 { forever() } else { DONE }
        }
        _ => raw(behaviour, with),
    }
}

/// That the destination came back.
pub(crate) const RIGHT: &str =
    r#"{"kind":"done","id":0,"bytes":48,"regions":[{"role":"destination","bytes":48}]}"#;

/// The answer to question 0 written by hand; the loop of [`copies`] does not go on.
fn raw(behaviour: &str, with: &str) -> Answered {
    // As many bytes as the line announces.
    let whole = |line: &str| {
        let announced = serde_json::from_str::<serde_json::Value>(line).ok();
        let bytes = announced
            .and_then(|line| line["bytes"].as_u64())
            .unwrap_or(0);
        [line.as_bytes(), b"\n", &vec![7; bytes as usize]].concat()
    };
    let raw = whole(with);
    let whole = whole(RIGHT);
    let mut out = io::stdout();
    let mut say = |bytes: &[u8]| {
        // Whoever reads may be gone already.
        let told = out.write_all(bytes).and_then(|()| out.flush());
        if told.is_err() {
            exit(9);
        }
    };
    match behaviour {
        "raw" => say(&raw),
        "no-utf-8" => say(b"{\"kind\":\"hangs\",\"id\":0,\"x\":\"\xff\"}\n"),
        "half-a-line" => {
            say(&whole[..20]);
            exit(0);
        }
        "half-the-bytes" => {
            say(&whole[..whole.len() - 10]);
            exit(5);
        }
        "half-and-hangs" => say(&whole[..whole.len() - 10]),
        "no-end-of-line" => loop {
            say(&[b'x'; 4096]);
        },
        "twice" => say(&[&whole[..], &whole[..]].concat()),
        "closes-its-output" => becomes(&format!("exec 1>&-; {with}")),
        other => panic!("no mock does `{other}`"),
    }
    forever()
}

/// Greets with a line of its own and asks nothing; `EARLY` answers each call
/// before it has read it all, `SKIP` never reads the rest, `DEAF` closes its input, `LEAVE` ends without reading it, `ECHO` tells what
/// it was asked.
fn greets_with(line: &str) {
    let mut input = BufReader::new(io::stdin());
    let mut output = io::stdout();
    next(&mut input).expect("a greeting");
    if !matches!(line, "EARLY" | "SKIP" | "DEAF" | "LEAVE" | "ECHO") {
        writeln!(output, "{line}").expect("written");
        forever();
    }
    greets(&mut output, 1, None);
    output.flush().expect("written");
    match line {
        "DEAF" => becomes("exec 0<&-; sleep 600"),
        "SKIP" => {
            // Of the bytes it reads none.
            answer_early(&mut input, &mut output);
            forever();
        }
        "EARLY" => loop {
            early(&mut input, &mut output);
        },
        "LEAVE" => {
            // Of the question it reads one byte.
            let mut byte = [0];
            input.read_exact(&mut byte).expect("a byte");
            exit(2);
        }
        _ => {}
    }
    while let Some((question, _)) = next(&mut input) {
        let Question::Call(asked) = question else {
            panic!("two greetings");
        };
        let Asked {
            id,
            readings,
            schedule,
            regions,
            ..
        } = *asked;
        let why = serde_json::json!([readings, schedule, regions]).to_string();
        frame::write(&mut output, &Reply::Unsupported { id, why }, &[]).expect("written");
        output.flush().expect("written");
    }
}

/// Writes the whole answer before it reads the raw bytes of the question.
fn early(input: &mut impl Read, output: &mut impl Write) {
    let mut rest = vec![0; answer_early(input, output)];
    input.read_exact(&mut rest).expect("the regions");
}

/// As many raw bytes follow as it gives.
fn answer_early(input: &mut impl Read, output: &mut impl Write) -> usize {
    let mut line = Vec::new();
    let mut byte = [0];
    while byte != *b"\n" {
        input.read_exact(&mut byte).expect("a line");
        line.push(byte[0]);
    }
    let Question::Call(asked) = serde_json::from_slice(&line).expect("a question") else {
        panic!("two greetings");
    };
    let left = vec![7; asked.regions[0].bytes as usize];
    gives_back(output, asked.id, &left, 0);
    output.flush().expect("written");
    asked.bytes as usize
}

#[cfg(windows)]
fn becomes(script: &str) {
    panic!("nobody here does `{script}`");
}

/// The only way to close a pipe without leaving safe code: be somebody else who does.
#[cfg(unix)]
fn becomes(script: &str) {
    let mut sh = Command::new("sh");
    sh.args(["-c", script]);
    let error = std::os::unix::process::CommandExt::exec(&mut sh);
    panic!("{error}");
}

/// What a mock starts beside itself.
fn child(what: &str) {
    match what {
        "grow" => {
            grow();
        }
        "wait" => {
            forever();
        }
        other => panic!("no child does `{other}`"),
    }
}

/// Starts a child that has this process's pipes but for its output: its number.
fn spawn(what: &str, stdout: Stdio) -> u32 {
    let own = std::env::current_exe().expect("a path");
    let child = Command::new(own)
        .args(["mock", "child-of", what])
        .stdout(stdout)
        .spawn();
    child.expect("a child").id()
}

/// Holds more and more memory, 256 MiB in the end.
fn grow() -> Answered {
    let mut held = Vec::new();
    for _ in 0..64 {
        held.push(vec![1_u8; 4 << 20]);
    }
    thread::sleep(Duration::from_secs(600));
    exit(held.len() as i32);
}

fn forever() -> Answered {
    thread::sleep(Duration::from_secs(600));
    exit(8);
}

/// Adds a line to the file `name`: how many it has then.
fn note(name: &str, line: &str) -> usize {
    let mut options = OpenOptions::new();
    let mut file: File = options
        .append(true)
        .create(true)
        .open(name)
        .expect("a file");
    writeln!(file, "{line}").expect("written");
    std::fs::read_to_string(name).expect("text").lines().count()
}
