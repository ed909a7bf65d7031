//! Calls and questions in the words of `PROTOCOL.md`, and back.

use std::collections::BTreeSet;

use ptodiff_generate::random::{Rules, Series, Wish, case};
use ptodiff_impl::{
    call::CallWords,
    frame::{Collector, LONGEST_LINE},
    message::{Order, Question, Reply},
};
use ptodiff_isa::{
    Call, Coalesce, DType, Dim, GatherExec, GatherOob, GlobalTensor, Layout, MgatherL1, Schedule,
    Target, Tgatherb, Tile,
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
            forms.insert(words["form"].as_str().expect("a name").to_owned());
            assert_eq!(call(words), drawn);
        }
    }
    assert_eq!(
        forms.into_iter().collect::<Vec<_>>().join(" "),
        "mgather mgather-l1 mscatter mscatter-first tgatherb tscatter-index tscatter-mask"
    );
}

fn tile() -> Tile {
    Tile {
        dtype: DType::Float,
        rows: 8,
        cols: 32,
        valid_row: Dim::Static(8),
        valid_col: Dim::Dynamic(30),
        ..Tile::default()
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

/// More of them are in `implementation/said`.
#[test]
fn what_is_no_frame_is_said() {
    let taken = |text: &str| {
        let taken = Collector::default().take(text.as_bytes(), 1024);
        taken.map_err(|bad| bad.to_string())
    };
    let padded = |n: usize| format!("{{{}}}\n", " ".repeat(n - 2));
    assert_eq!(taken(&padded(LONGEST_LINE)), Ok(LONGEST_LINE + 1));
    for (text, why) in [
        (
            &padded(LONGEST_LINE + 1)[..],
            "a line of more than 65536 bytes",
        ),
        ("\n", "`` is no frame: not a JSON object"),
        ("{\"a\":1\n", "is no frame: EOF"),
        ("{\"bytes\":-1}\n", "is no frame: invalid value"),
        ("{\"bytes\":1.0}\n", "is no frame: invalid type"),
        (
            "{\"bytes\":18446744073709551615}\n",
            "at most 1024 make sense",
        ),
    ] {
        let said = taken(text);
        assert!(
            said.as_ref().is_err_and(|said| said.contains(why)),
            "{said:?}"
        );
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
