//! The examples of `PROTOCOL.md` are what it says they are.

use ptodiff_isa::{Call, Dim, Memory, Readings, Role, Schedule, Target};
use serde_json::{Value, from_value, json};

use super::{Question, RegionWords, Reply};
use crate::{Ask, LaunchWords, TensorWords, TileWords};

/// Every object of the document that has a key, with what it leaves out filled in.
fn examples() -> Vec<Value> {
    let text = include_str!("../../PROTOCOL.md");
    let filled = [
        (", ...]", "]"),
        ("[false,..]", "[false,false,false,false,false]"),
        ("\"stride\":[..]", "\"stride\":[1,1,1,1,1]"),
        ("[..]", "[true,true,true,true,true]"),
        ("{...}", "null"),
    ];
    let mut text = filled
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    let mut found = Vec::new();
    while let Some(at) = text.find("{\"") {
        let rest = text.split_off(at);
        let mut values = serde_json::Deserializer::from_str(&rest).into_iter::<Value>();
        let example = values.next().expect("an object");
        found.push(example.unwrap_or_else(|e| panic!("{e}: {rest:.200}")));
        text = rest[values.byte_offset()..].to_owned();
    }
    found
}

#[test]
fn each_can_be_read() {
    let mut kinds = Vec::new();
    for example in examples() {
        let kind = example["kind"].as_str().unwrap_or("part").to_owned();
        match &kind[..] {
            "call" => is_a_call(example),
            "batch" => {
                from_value::<Question>(example).expect("an announcement");
            }
            "hello" if example.get("as").is_some() => {
                from_value::<Question>(example).expect("a greeting");
            }
            "part" if example.get("dispatch").is_some() => {
                from_value::<LaunchWords>(example).expect("a launch");
            }
            "part" if example.get("blayout").is_some() => {
                from_value::<TileWords>(example).expect("a tile");
            }
            "part" if example.get("parts").is_some() => {
                from_value::<RegionWords>(example).expect("a region");
            }
            "part" => {
                from_value::<TensorWords>(example).expect("a tensor");
            }
            _ => {
                from_value::<Reply>(example).expect("an answer");
            }
        }
        kinds.push(kind);
    }
    let all = [
        "hello",
        "hello",
        "sorry",
        "call",
        "unsupported",
        "part",
        "part",
        "part",
        "part",
        "done",
        "rejected",
        "hangs",
        "unsupported",
        "batch",
    ];
    assert_eq!(kinds, all);
}

fn is_a_call(mut example: Value) {
    let tile = json!({
        "location": "Vec", "dtype": "float", "rows": 8, "cols": 32, "valid": [8, 32],
        "valid_dynamic": [false, false], "blayout": "RowMajor", "slayout": "NoneBox",
        "fractal": 512,
    });
    example["call"] = json!({
        "instruction": "TGATHERB", "form": "tgatherb", "dst": tile, "src": tile, "offset": tile,
    });
    let Question::Call(asked) = from_value(example).expect("a question") else {
        panic!("no call");
    };
    let mut readings = Readings::default();
    for (gap, choice) in &asked.readings {
        readings.set(gap, choice).expect("a reading");
    }
    readings.set("tgatherb-boundary", "valid").expect("one");
    let about = |call: &Call| {
        let ask = Ask {
            of: "",
            call,
            readings: &readings,
            schedule: Schedule::InOrder,
        };
        super::asked_readings(&ask, &Memory::default(), Target::Cpu)
    };
    // The whole tile is valid, and no index of a scatter is there.
    assert!(!asked.readings.is_empty() && about(&asked.call.0).is_empty());
    let mut padded = asked.call.0;
    padded.tile_mut(Role::Source).expect("a tile").valid_row = Dim::Static(1);
    assert!(about(&padded).keys().eq(["tgatherb-boundary"]));
}
