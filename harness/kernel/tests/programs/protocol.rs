//! Frames that a program must not choke on.

use std::path::Path;

use ptodiff_isa::Call;
use serde_json::{Value, json};

use crate::{
    build::{CPU, memory},
    talk::{Talk, frame, hello},
};

/// Nothing is said and the exit code is 2 after `bytes`; why, on standard error.
fn ends(program: &Path, greeted: bool, bytes: &[u8]) -> String {
    let mut talk = if greeted {
        Talk::greeted(program, CPU)
    } else {
        Talk::start(program, CPU)
    };
    // It may end before it has read all.
    let _ = talk.offer(bytes);
    let (out, errors, code) = talk.end();
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]).into_owned();
    assert_eq!(
        (out.as_str(), code),
        ("", Some(2)),
        "after {start}: {errors}"
    );
    assert!(errors.starts_with("ptodiff implementation: "), "{errors}");
    errors
}

/// Greetings and garbage, to the program of this call of the CPU at `path`.
pub(crate) fn ask(path: &Path, call: Call) {
    let memory = memory(call, 1);
    let mut talk = Talk::start(path, CPU);
    for (greeting, says) in [
        (
            json!({"kind": "hello", "protocol": 3, "newest": 4, "as": "cpu"}),
            "versions 1 and 2",
        ),
        (hello("a5"), "not for a5"),
    ] {
        let (answer, _) = talk.ask(&greeting, &[]);
        assert_eq!(answer["kind"], "sorry");
        assert!(answer["why"].as_str().expect("a reason").contains(says));
    }
    let (answer, _) = talk.ask(&hello("cpu"), &[]);
    assert_eq!(answer["name"], "pto-cpu");

    // A form of another reading than the one that it was generated for.
    talk.readings = json!({"cpu-form": "templated"});
    let (answer, _) = talk.call(&call, &memory);
    assert_eq!(answer["kind"], "unsupported", "{answer}");
    let why = answer["why"].as_str().expect("a reason");
    assert!(why.contains("cpu-form=documented"), "{why}");

    // One call twice, and an unknown form between, all in one process.
    let (good, payload) = frame(&call, &memory);
    let mut unknown = good.clone();
    unknown["call"]["form"] = json!("mshuffle");
    for (question, kind) in [(&good, "done"), (&unknown, "unsupported"), (&good, "done")] {
        assert_eq!(talk.ask(question, &payload).0["kind"], kind);
    }
    talk.ends_well();

    // Several at once, with a newer ptodiff.
    let mut talk = Talk::start(path, CPU);
    let mut newest = hello("cpu");
    newest["newest"] = json!(9);
    let (answer, _) = talk.ask(&newest, &[]);
    assert_eq!(answer["protocol"], 2);
    assert!(answer["batch"].as_u64() >= Some(3) && answer["jobs"].as_u64() >= Some(1));
    let batch = json!({"kind": "batch", "calls": 3}).to_string();
    let mut frames = [batch.as_bytes(), b"\n"].concat();
    for (id, frame) in [(4, &good), (5, &unknown), (6, &good)] {
        let mut frame = frame.clone();
        frame["id"] = json!(id);
        frames.extend_from_slice(format!("{frame}\n").as_bytes());
        frames.extend_from_slice(&payload);
    }
    let answers = talk.ask_all(&frames, 3);
    for (answer, (id, kind)) in answers
        .iter()
        .zip([(4, "done"), (5, "unsupported"), (6, "done")])
    {
        assert_eq!((&answer["id"], &answer["kind"]), (&json!(id), &json!(kind)));
    }
    talk.ends_well();

    let line = |frame: &Value| [frame.to_string().as_bytes(), b"\n"].concat();
    let whole = [line(&good), payload.clone()].concat();
    ends(path, false, &whole);
    let deep = [b"[".repeat(60_000), b"\n".to_vec()].concat();
    let long = b" ".repeat(70_000);
    for garbage in [
        b"garbage\n".as_slice(),
        b"{\"kind\":\"hello\"",
        b"{\"kind\":\"hello\",\"kind\":\"call\"}\n",
        b"{\"kind\":\"hello\"} x\n",
        b"{\"kind\":\"\\ud800\"}\n",
        b"{\"kind\":1e}\n",
        b"\xff\x00\n",
        b"[]\n",
        b"\n",
        &deep,
        &long,
    ] {
        ends(path, true, garbage);
    }
    // Half a payload; a length that lies; regions that do not fit.
    ends(path, true, &whole[..whole.len() - 1]);
    let doctored = |change: fn(&mut Value)| {
        let mut frame = good.clone();
        change(&mut frame);
        ends(path, true, &[line(&frame), payload.clone()].concat())
    };
    doctored(|frame| frame["bytes"] = json!(1));
    doctored(|frame| {
        frame["bytes"] = json!(u64::MAX);
        frame["regions"][0]["bytes"] = json!(u64::MAX);
    });
    doctored(|frame| frame["regions"][0]["body"] = json!([1, u64::MAX]));
    doctored(|frame| frame["regions"][1]["role"] = frame["regions"][0]["role"].clone());
    doctored(|frame| frame["regions"][0]["role"] = json!("scratch"));
    doctored(|frame| frame["regions"][0]["body"][1] = json!(8));
    doctored(|frame| frame["call"]["table"]["stride"][3] = json!(u64::MAX));
    doctored(|frame| frame["call"]["table"]["stride"][3] = json!(1_u64 << 40));
    doctored(|frame| frame["call"]["src"]["valid"] = json!([1]));
    doctored(|frame| frame["call"]["src"]["rows"] = json!(-1));
    doctored(|frame| frame["call"]["src"]["dtype"] = json!("quarter"));
    doctored(|frame| frame["call"] = json!([]));
}
