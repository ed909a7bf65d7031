//! What is written is read back to the same call.

use std::path::PathBuf;

use ptodiff_case::{Case, DataPlan, case_yaml, load, load_str};
use ptodiff_isa::{Call, Launch, Target};
use ptodiff_pto::module;

use crate::cases;

#[test]
fn what_has_a_spelling_comes_back() {
    let corpus = load(&[PathBuf::from("../../cases")]).expect("the corpus");
    // Cases like each other stand together in a file: of each kind there are some.
    let some = corpus.cases.iter().step_by(5);
    let count = some.len();
    let (mut written, mut none) = (0, std::collections::BTreeMap::new());
    for case in some {
        let text = match module(case) {
            Ok(text) => text,
            Err(why) => {
                *none.entry(why.to_string()).or_insert(0) += 1;
                continue;
            }
        };
        let read = cases(&text);
        assert_eq!(read.len(), 1, "{text}");
        let own = said(&case.call);
        assert_eq!(said(&read[0].call), own, "{}\n{text}", case.id);
        // 001, Index source: a gather to L1 runs on the cube core.
        let core = match case.call {
            Call::MgatherL1(_) => "kernel_kind<cube>",
            _ => "kernel_kind<vector>",
        };
        assert!(text.contains(core), "{text}");
        // A comment tells of all else.
        let comment = text.contains("// not in this text");
        let whole = own == case.call
            && read[0].call == own
            && case.chunks == 1
            && case.readings == read[0].readings;
        assert_eq!(comment, !whole || read[0].data != data(case), "{text}");
        if matches!(case.targets[..], [Target::A2a3] | [Target::A5] | [_, _, _]) {
            assert_eq!(read[0].targets, case.targets, "{text}");
        }
        // And what was read is a case like any other.
        let yaml = case_yaml(&read[0]);
        let again = load_str("f.yaml", &yaml).expect("a case");
        assert_eq!(again.cases[0].call, read[0].call, "{yaml}");
        written += 1;
    }
    assert!(written * 10 > count * 8, "{written}: {none:?}");
    for why in none.keys() {
        assert!(why.starts_with("the assembler has no word for"), "{why}");
    }
}

/// What of a call the text says.
fn said(call: &Call) -> Call {
    let mut call = *call;
    match &mut call {
        Call::Mscatter(c) => c.launch = Launch::default(),
        Call::Mgather(c) => c.launch = Launch::default(),
        Call::MgatherL1(c) => (c.launch, c.exec) = Default::default(),
        _ => {}
    }
    call
}

/// The data of a case, its seed aside.
fn data(case: &Case) -> DataPlan {
    DataPlan {
        seed: 0,
        ..case.data.clone()
    }
}
