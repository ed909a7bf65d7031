//! Calls and questions in the words of `PROTOCOL.md`, and back.

use std::collections::BTreeSet;

use ptodiff_generate::random::{Rules, Series, Wish, case};
use ptodiff_impl::{
    Answered, Greeting,
    call::CallWords,
    frame::LONGEST_LINE,
    message::{Order, Question, Reply},
    serve,
};
use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GatherExec, GatherOob, GlobalTensor, Layout, Memory,
    MgatherL1, Readings, SLayout, Schedule, Scope, Target, Tgatherb, Tile, TileType,
};
use serde_json::{Value, json};

fn json(call: &Call) -> Value {
    serde_json::to_value(CallWords(*call)).expect("words")
}

fn call(words: Value) -> Call {
    let words: CallWords = serde_json::from_value(words).expect("words");
    words.0
}

#[test]
fn every_call_is_the_same_after_there_and_back() {
    let mut forms = BTreeSet::new();
    for rules in [Rules::Legal, Rules::Broken(2), Rules::Wild] {
        let wish = Wish {
            rules,
            ..Wish::default()
        };
        let series = Series::new(7);
        for number in 0..400 {
            let drawn = case(&mut series.number(number), &wish).call;
            let words = json(&drawn);
            forms.insert(words["form"].to_string());
            assert_eq!(call(words), drawn);
        }
    }
    assert_eq!(
        forms.into_iter().collect::<Vec<_>>(),
        [
            "\"mgather\"",
            "\"mgather-l1\"",
            "\"mscatter\"",
            "\"mscatter-first\"",
            "\"tgatherb\"",
            "\"tscatter-index\"",
            "\"tscatter-mask\"",
        ]
    );
}

fn tile() -> Tile {
    Tile {
        location: TileType::Vec,
        dtype: DType::Float,
        rows: 8,
        cols: 32,
        valid_row: Dim::Static(8),
        valid_col: Dim::Dynamic(30),
        blayout: BLayout::RowMajor,
        slayout: SLayout::NoneBox,
        fractal: 512,
    }
}

fn byte_gather() -> Call {
    let (dst, src, offset) = (tile(), tile(), tile());
    Call::Tgatherb(Tgatherb { dst, src, offset })
}

fn tensor() -> GlobalTensor {
    GlobalTensor {
        dtype: DType::Half,
        shape: [1, 1, 1, 64, 32].map(Dim::Static),
        stride: [2048, 2048, 2048, 32, 1].map(Dim::Dynamic),
        layout: Layout::ND,
    }
}

#[test]
fn the_words_are_those_of_the_document() {
    let tile_words = json!({
        "location": "Vec", "dtype": "float", "rows": 8, "cols": 32, "valid": [8, 30],
        "valid_dynamic": [false, true], "blayout": "RowMajor", "slayout": "NoneBox", "fractal": 512
    });
    let tensor_words = json!({
        "dtype": "half", "shape": [1, 1, 1, 64, 32],
        "shape_dynamic": [false, false, false, false, false],
        "stride": [2048, 2048, 2048, 32, 1], "stride_dynamic": [true, true, true, true, true],
        "layout": "ND"
    });
    let gather = MgatherL1 {
        dst: tile(),
        table: tensor(),
        idx: tensor(),
        scratch: None,
        mode: Coalesce::Elem,
        oob: GatherOob::Zero,
        exec: GatherExec::Simt,
        launch: ptodiff_isa::Launch {
            dyn_ub_bytes: Some(221_184),
            ..ptodiff_isa::Launch::default()
        },
    };
    let mut words = json!({
        "form": "mgather-l1", "instruction": "MGATHER", "dst": tile_words, "table": tensor_words,
        "idx": tensor_words, "mode": "Elem", "oob": "Zero", "exec": "Simt",
        "launch": {"dyn_ub_bytes": 221_184, "dispatch": "standard", "flush": "appended"}
    });
    assert_eq!(json(&Call::MgatherL1(gather)), words);
    // A key that nobody knows is passed over.
    words["later"] = json!(1);
    words["scratch"] = tensor_words;
    let scratch = Some(tensor());
    assert_eq!(
        call(words),
        Call::MgatherL1(MgatherL1 { scratch, ..gather })
    );
    assert_eq!(
        json(&byte_gather()),
        json!({
            "form": "tgatherb", "instruction": "TGATHERB", "dst": tile_words, "src": tile_words,
            "offset": tile_words
        })
    );
}

#[test]
fn a_form_of_another_instruction_is_no_call() {
    let mut words = json(&byte_gather());
    words["instruction"] = json!("MSCATTER");
    let why = serde_json::from_value::<CallWords>(words).expect_err("no call");
    let expected = "the form is one of TGATHERB, the call says MSCATTER";
    assert_eq!(why.to_string(), expected);
}

#[test]
fn schedules_are_the_same_after_there_and_back() {
    for (schedule, words) in [
        (Schedule::InOrder, json!({"order": "in-order"})),
        (Schedule::Reversed, json!({"order": "reversed"})),
        (
            Schedule::Shuffled(u64::MAX),
            json!({"order": "shuffled", "seed": u64::MAX}),
        ),
    ] {
        let order = Order::from(schedule);
        assert_eq!(serde_json::to_value(order).expect("words"), words);
        let back: Order = serde_json::from_value(words).expect("an order");
        assert_eq!(Schedule::from(back), schedule);
    }
}

type Asked = (Call, Readings, Schedule, Memory);

/// What a served implementation says to `input`, line by line, and what it was asked.
fn served(input: &str) -> (Result<(), String>, Vec<Value>, Vec<Asked>) {
    let mut asked = Vec::new();
    let mut output = Vec::new();
    let end = serve(
        input.as_bytes(),
        &mut output,
        1024,
        |target| match target {
            Target::A5 => Ok(Greeting {
                name: "toy".to_owned(),
                batch: Some(16),
                jobs: Some(2),
                sparse: true,
            }),
            Target::Cpu | Target::A2a3 => Err("only a5".to_owned()),
        },
        |call, readings, schedule, memory| {
            asked.push((*call, *readings, schedule, memory.clone()));
            Answered::Hangs
        },
    );
    let text = String::from_utf8(output).expect("text");
    let lines = text.lines();
    let said = lines.map(|line| serde_json::from_str(line).expect("JSON"));
    (end.map_err(|e| e.to_string()), said.collect(), asked)
}

#[test]
fn the_other_end_greets_and_answers_and_takes_nothing_that_makes_no_sense() {
    let (end, said, _) = served(
        "{\"kind\":\"hello\",\"protocol\":1,\"as\":\"cpu\"}\n\
         {\"protocol\":3,\"as\":\"a5\",\"kind\":\"hello\"}\n\
         {\"kind\":\"hello\",\"protocol\":1,\"as\":\"a5\"}\n\
         {\"kind\":\"hello\",\"protocol\":1,\"newest\":2,\"as\":\"a5\"}\n\
         {\"kind\":\"hello\",\"protocol\":2,\"newest\":7,\"as\":\"a5\"}\n",
    );
    assert_eq!(end, Ok(()));
    assert_eq!(
        said,
        [
            json!({"kind": "sorry", "why": "only a5"}),
            json!({"kind": "sorry", "why": "no version 3 here"}),
            json!({"kind": "hello", "protocol": 1, "name": "toy"}),
            json!({"kind": "hello", "protocol": 2, "name": "toy", "batch": 16, "jobs": 2, "sparse": true}),
            json!({"kind": "hello", "protocol": 2, "name": "toy", "batch": 16, "jobs": 2, "sparse": true}),
        ]
    );
    let words = json(&byte_gather());
    let question = |regions: Value, readings: Value, bytes: &str| {
        let line = json!({
            "kind": "call", "id": 9, "call": words, "regions": regions, "readings": readings,
            "schedule": {"order": "reversed"}, "bytes": bytes.len()
        });
        format!("{line}\n{bytes}")
    };
    let body = json!([{"role": "source", "body": [1, 2], "bytes": 4}]);
    let readings = json!({"scope": "as-the-suite"});
    let (end, said, asked) = served(&question(body.clone(), readings, "abcd"));
    assert_eq!(end, Ok(()));
    assert_eq!(said, [json!({"kind": "hangs", "id": 9})]);
    let (_, with, schedule, memory) = &asked[0];
    let suite = Readings {
        scope: Scope::AsTheSuite,
        ..Readings::default()
    };
    assert_eq!((with, schedule), (&suite, &Schedule::Reversed));
    assert_eq!(memory.regions[0].body(), b"bc");

    for (input, why) in [
        (question(body.clone(), json!({}), "abc"), "does not fit"),
        (
            question(body.clone(), json!({}), "abcde"),
            "1 bytes are of no region",
        ),
        (
            question(
                json!([{"role": "source", "body": [3, 2], "bytes": 4}]),
                json!({}),
                "abcd",
            ),
            "does not fit",
        ),
        (
            question(body.clone(), json!({"scope": "x"}), "abcd"),
            "no reading `scope=x`",
        ),
        (
            question(body, json!({"x": "y"}), "abcd"),
            "no reading `x=y`",
        ),
    ] {
        is_no_question(&input, why);
    }
}

/// That a served implementation ends at `input`, without a word.
fn is_no_question(input: &str, why: &str) {
    let (end, said, _) = served(input);
    assert!(end.as_ref().is_err_and(|e| e.contains(why)), "{end:?}");
    assert_eq!(said, [Value::Null; 0]);
}

/// More of them are in `implementation/said`.
#[test]
fn what_is_no_frame_is_said() {
    let hello = r#"{"kind":"hello","protocol":1,"as":"a5"}"#;
    let padded = |n: usize| format!("{hello}{}\n", " ".repeat(n - hello.len()));
    let (end, said, _) = served(&padded(LONGEST_LINE));
    assert_eq!((end, said.len()), (Ok(()), 1));
    is_no_question(&padded(LONGEST_LINE + 1), "a line of more than 65536 bytes");
    for (input, why) in [
        ("\n", "`` is no frame: not a JSON object"),
        ("{\"a\":1\n", "is no frame: EOF"),
        ("{\"kind\":\"bye\"}\n", "no frame"),
        ("{\"bytes\":-1}\n", "is no frame: invalid value"),
        ("{\"bytes\":1.0}\n", "is no frame: invalid type"),
        (
            "{\"bytes\":18446744073709551615}\n",
            "at most 1024 make sense",
        ),
        (
            "{\"bytes\":3}\nab",
            "in the middle of a frame, after 14 bytes",
        ),
        ("{\"byt", "in the middle of a frame, after 5 bytes"),
    ] {
        is_no_question(input, why);
    }
}

#[test]
fn messages_may_have_their_keys_in_any_order_and_questions_unknown_ones() {
    let reply: Reply = serde_json::from_str(
        r#"{"regions":[{"bytes":4,"role":"table"}],"bytes":4,"id":3,"kind":"done"}"#,
    )
    .expect("a reply");
    assert_eq!(reply.id(), Some(3));
    assert!(
        matches!(reply, Reply::Done { bytes: 4, out_of_bounds: 0, ref regions, .. } if regions.len() == 1)
    );
    let hello: Question =
        serde_json::from_str(r#"{"as":"a2a3","kind":"hello","x":[1],"protocol":1}"#)
            .expect("a greeting");
    let target = Target::A2a3;
    assert_eq!(
        hello,
        Question::Hello {
            protocol: 1,
            newest: 0,
            target
        }
    );
}

/// An implementation that was written for the version before is understood.
#[test]
fn older_words_of_a_reply_are_read() {
    let read = |text: &str| serde_json::from_str::<Reply>(text).expect("a reply");
    let rejected = r#"{"kind":"refused","id":1,"why":"w","clause":"MSCATTER-DTYPE-05"}"#;
    assert_eq!(
        read(rejected),
        read(&rejected.replace("refused", "rejected"))
    );
    let done = r#"{"kind":"done","id":1,"regions":[],"strays":3}"#;
    assert!(matches!(
        read(done),
        Reply::Done {
            out_of_bounds: 3,
            ..
        }
    ));
    assert_eq!(read(done), read(&done.replace("strays", "out_of_bounds")));
}
