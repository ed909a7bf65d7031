//! The other end of the protocol.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use ptodiff_impl::call::CallWords;
use ptodiff_isa::{Call, Memory, Region, Role, Target};
use ptodiff_kernel::Dialect;
use serde_json::{Value, json};

use crate::toy::after;

/// Bytes of an output in which the stand-in has room to say what it was given.
const SAYS: usize = 32;

/// Whether the output has that room.
pub(crate) fn has_room(call: &Call, memory: &Memory) -> bool {
    let output = memory.get(call.output()).expect("an output");
    output.body().len() >= SAYS
}

/// A running program.
pub(crate) struct Talk {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    dialect: Dialect,
    /// Whether guard zones of tiles are kept.
    pub(crate) guards: bool,
    /// The readings of each call.
    pub(crate) readings: Value,
}

impl Talk {
    pub(crate) fn start(program: &Path, dialect: Dialect) -> Self {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let to = child.stdin.take();
        let from = BufReader::new(child.stdout.take().expect("piped"));
        Self {
            child,
            to,
            from,
            dialect,
            guards: false,
            readings: match (dialect.target, dialect.suite_forms) {
                (Target::Cpu, true) => json!({"cpu-form": "templated", "scope": "as-the-suite"}),
                _ => json!({}),
            },
        }
    }

    /// Started and greeted as the target that it is for.
    pub(crate) fn greeted(program: &Path, dialect: Dialect) -> Self {
        let mut talk = Self::start(program, dialect);
        let (answer, _) = talk.ask(&hello(dialect.target.into()), &[]);
        assert_eq!(answer["kind"], "hello", "{answer}");
        assert_eq!(answer["protocol"], 1);
        talk
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.offer(bytes).expect("it reads");
    }

    /// Sends what the program may not read to its end.
    pub(crate) fn offer(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        let to = self.to.as_mut().expect("open");
        to.write_all(bytes)?;
        to.flush()
    }

    /// Sends a frame and reads the answer with its payload.
    pub(crate) fn ask(&mut self, frame: &Value, payload: &[u8]) -> (Value, Vec<u8>) {
        self.send(&[frame.to_string().as_bytes(), b"\n", payload].concat());
        self.answer()
    }

    /// Sends several frames, and hands over each of `count` answers as it comes: the other
    /// side may answer before it has read all.
    pub(crate) fn ask_all(&mut self, frames: &[u8], count: usize) -> Vec<Value> {
        let mut to = self.to.take().expect("open");
        std::thread::scope(|scope| {
            let sender = scope.spawn(move || to.write_all(frames).map(|()| to));
            let answers = (0..count).map(|_| self.answer().0).collect();
            self.to = Some(sender.join().expect("no panic").expect("it reads"));
            answers
        })
    }

    fn answer(&mut self) -> (Value, Vec<u8>) {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("text");
        let answer: Value = serde_json::from_str(&line).expect(&line);
        let bytes = answer["bytes"].as_u64().unwrap_or(0);
        let mut payload = Vec::new();
        let mut part = (&mut self.from).take(bytes);
        part.read_to_end(&mut payload).expect("a payload");
        assert_eq!(payload.len() as u64, bytes, "half an answer");
        (answer, payload)
    }

    /// Runs `call` on `memory`.
    pub(crate) fn call(&mut self, call: &Call, memory: &Memory) -> (Value, Memory) {
        let (mut frame, payload) = frame(call, memory);
        frame["readings"] = self.readings.clone();
        let (answer, bytes) = self.ask(&frame, &payload);
        let mut rest = bytes.as_slice();
        let mut after = Memory::default();
        for region in answer["regions"].as_array().into_iter().flatten() {
            let role: Role = region["role"]
                .as_str()
                .expect("a role")
                .parse()
                .expect("a role");
            let length = region["bytes"].as_u64().expect("a length") as usize;
            let (mine, others) = rest.split_at(length);
            rest = others;
            let body = memory
                .get(role)
                .expect("a region of the question")
                .body_range();
            after.regions.push(Region::new(role, mine.to_vec(), body));
        }
        (answer, after)
    }

    /// That `call` reaches the library as it is, where the output has room for it to say so:
    /// whether it has.
    #[track_caller]
    pub(crate) fn reaches(&mut self, call: &Call, memory: &Memory) -> bool {
        let (answer, given) = self.call(call, memory);
        assert_eq!(answer["kind"], "done", "{answer} to {call:?}");
        let has_room = has_room(call, memory);
        if has_room {
            let expected = after(call, memory, self.dialect, self.guards);
            assert!(given == expected, "{call:?} did not reach the library");
        }
        has_room
    }

    /// Ends the input, after which the program has nothing more to say: what it printed on
    /// standard error.
    #[track_caller]
    pub(crate) fn ends_well(self) -> String {
        let (rest, errors, code) = self.end();
        assert_eq!((rest.as_str(), code), ("", Some(0)), "{errors}");
        errors
    }

    /// Ends the input: what the program still says on both outputs, and its exit code.
    pub(crate) fn end(mut self) -> (String, String, Option<i32>) {
        drop(self.to.take());
        let (mut out, mut err) = (Vec::new(), String::new());
        self.from.read_to_end(&mut out).expect("bytes");
        let mut stderr = self.child.stderr.take().expect("piped");
        stderr.read_to_string(&mut err).expect("text");
        let status = self.child.wait().expect("it ends");
        (
            String::from_utf8_lossy(&out).into_owned(),
            err,
            status.code(),
        )
    }
}

pub(crate) fn hello(target: &str) -> Value {
    json!({"kind": "hello", "protocol": 1, "as": target})
}

/// A call's frame and payload.
pub(crate) fn frame(call: &Call, memory: &Memory) -> (Value, Vec<u8>) {
    let mut payload = Vec::new();
    let regions: Vec<Value> = memory
        .regions
        .iter()
        .map(|region| {
            payload.extend_from_slice(region.bytes());
            let body = region.body_range();
            json!({"role": region.role, "body": [body.start, body.len()],
                "bytes": region.bytes().len()})
        })
        .collect();
    let frame = json!({"kind": "call", "id": 17, "call": CallWords(*call),
        "schedule": {"order": "in-order", "of": [1.5e3, null, "\u{e9}\n"]},
        "regions": regions, "bytes": payload.len()});
    (frame, payload)
}
