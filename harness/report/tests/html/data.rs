//! What is packed says what the record says.

use ptodiff_record::{CaseDetail, CaseRecord};
use ptodiff_report::html::{BLOCK, FULL, FULL_EACH, FULL_FIRST};
use serde_json::{Value, json};

use super::{
    read::{packed, page, unpacked},
    records,
};

/// What follows the list, of all these cases: the rest of each, and its text.
fn behind(page: &str, cases: &[CaseRecord]) -> Vec<(Value, Option<String>)> {
    let blocks = |of: &'static str| {
        let all =
            (0..cases.len().div_ceil(BLOCK)).map(move |n| unpacked(page, &format!("{of}{n}")));
        all.flat_map(|block| serde_json::from_value::<Vec<Value>>(block).expect("a block"))
    };
    let told = |((case, rest), text): ((&CaseRecord, Value), Value)| {
        let text = match rest["detail"]["yaml"].as_str() {
            Some(text) => Some(text.to_owned()),
            None => text.as_str().map(|text| text.replace('\0', &case.name)),
        };
        (rest, text)
    };
    let all = cases.iter().zip(blocks("")).zip(blocks("text-"));
    all.map(told).collect()
}

#[test]
fn every_case_reads_back_from_its_block() {
    let cases = records::mixed();
    // Some of them stand in a second block.
    assert!(cases.len() > BLOCK);
    let behind = behind(&page(&cases), &cases);
    assert_eq!(behind.len(), cases.len());
    for (case, (rest, text)) in cases.iter().zip(&behind) {
        let whole = serde_json::to_value(case).expect("JSON");
        for field in [
            "targets",
            "pairs",
            "readings",
            "holes",
            "covers",
            "outlier",
            "name_differs",
        ] {
            assert_eq!(rest[field], whole[field], "{field} of {}", case.id);
        }
        assert_eq!(text.as_deref(), case.detail.as_ref().map(|d| &*d.yaml));
        if !rest["detail"].is_null() {
            assert_eq!(rest["detail"], whole["detail"], "{}", case.id);
        }
    }
}

#[test]
fn the_list_has_what_people_look_for() {
    let cases = records::mixed();
    let list = unpacked(&page(&cases), "list");
    let of = |column: &Value, n: usize| {
        let number = column["of"][n].as_u64().expect("a number") as usize;
        column["values"][number].clone()
    };
    for (n, case) in cases.iter().enumerate() {
        assert_eq!(list["id"][n], json!(case.id));
        assert_eq!(list["line"][n], json!(case.line));
        assert_eq!(of(&list["file"], n), json!(case.file));
        assert_eq!(of(&list["verdict"], n), json!(case.verdict));
        assert_eq!(of(&list["instruction"], n), json!(case.instruction));
        assert_eq!(of(&list["suite"], n), json!(case.suite));
        assert_eq!(of(&list["call"]["dtype"], n), json!("float"));
        let bits = list["has"][n].as_u64().expect("bits");
        assert_eq!(bits & 1 != 0, !case.readings.is_empty(), "{}", case.id);
        assert_eq!(bits & 2 != 0, !case.holes.is_empty(), "{}", case.id);
    }
    assert_eq!(of(&list["did"], 0), "a5 violates; cpu=a2a3");
    let words = |column: &str, words: &str, n: usize| -> Vec<String> {
        let numbers = of(&list[column], n);
        let numbers = numbers.as_array().expect("a set").iter();
        let word = |n: &Value| list[words][n.as_u64().expect("a number") as usize].clone();
        numbers
            .map(|n| word(n).as_str().expect("a word").to_owned())
            .collect()
    };
    assert_eq!(
        words("failure_groups", "failure_group", 4),
        ["MSCATTER a2a3/a5 permitted valid MSCATTER-CONF-06+MSCATTER-CONF-10"]
    );
    assert_eq!(
        words("clauses", "clause", 4),
        ["MSCATTER-CONF-06", "MSCATTER-CONF-10"]
    );
    let undefined = cases
        .iter()
        .position(|c| c.id.ends_with("tile_larger_than_index"))
        .expect("there");
    assert_eq!(of(&list["outcomes"], undefined)[0], json!([0, "no-result"]));
    let alone = cases
        .iter()
        .position(|c| c.id.ends_with("beyond_the_source"))
        .expect("there");
    assert_eq!(of(&list["outcomes"], alone)[0], json!([0, "rejected"]));
}

#[test]
fn a_parameter_that_a_call_does_not_have_is_none() {
    let mut first = records::case("a.yaml", "first");
    first.call.clear();
    let mut last = records::case("a.yaml", "last");
    last.call.clear();
    let middle = records::case("a.yaml", "middle");
    let list = unpacked(&page(&[first, middle, last]), "list");
    assert_eq!(
        list["call"]["mode"],
        json!({"values": [null, "Elem"], "of": [0, 1, 0]})
    );
}

/// Whether each of `cases` is shown with values, map and traces.
fn whole(cases: &[CaseRecord]) -> Vec<bool> {
    let behind = behind(&page(cases), cases);
    let whole = behind.into_iter().map(|(rest, _)| {
        let cut = rest["cut"] == true;
        assert_eq!(
            cut,
            rest["pairs"][2]["slots"].is_null(),
            "values without the rest"
        );
        assert_eq!(cut, rest["detail"].is_null(), "a map without values");
        assert_eq!(rest["text"] == true, cut, "the text is here or there");
        !cut
    });
    whole.collect()
}

#[test]
fn of_very_many_divergent_cases_the_first_of_each_failure_group_are_whole() {
    let like = |failure_group: &str, n: usize| {
        let mut one = records::permitted("a.yaml", &format!("{failure_group}{n}"), failure_group);
        if let Some(detail) = &mut one.detail {
            detail.traces.clear();
        }
        one
    };
    let left = FULL - FULL_FIRST - FULL_EACH;
    let mut some: Vec<_> = (0..FULL_FIRST + 1).map(|n| like("a", n)).collect();
    some.extend((0..FULL_EACH + 1).map(|n| like("b", n)));
    some.extend((0..left + 3).map(|n| like(&format!("s{n}"), 0)));
    let runs = whole(&some);
    let runs: Vec<(bool, usize)> = runs.chunk_by(bool::eq).map(|r| (r[0], r.len())).collect();
    let expected = [
        (true, FULL_FIRST),
        (false, 1),
        (true, FULL_EACH),
        (false, 1),
        (true, left),
        (false, 3),
    ];
    assert_eq!(runs, expected);
}

#[test]
fn a_text_with_the_mark_of_names_reads_back() {
    let mut odd = records::case("a.yaml", "odd");
    let mut nameless = records::case("a.yaml", "");
    let text = "a \0 mark, odd";
    for one in [&mut odd, &mut nameless] {
        one.detail = Some(CaseDetail {
            yaml: text.into(),
            ..CaseDetail::default()
        });
    }
    let cases = [odd, nameless];
    for (_, text) in behind(&page(&cases), &cases) {
        // Spelled out, like all that nobody would see.
        assert_eq!(text.as_deref(), Some("a \\u{0} mark, odd"));
    }
}

#[test]
fn the_register_has_texts_cases_and_readings() {
    let cases = records::mixed();
    let register = unpacked(&page(&cases), "register");
    let find = |kind: &str, id: &str| {
        let all = register[kind].as_array().expect("entries").iter();
        all.clone()
            .find(|e| e["common"]["id"] == id)
            .cloned()
            .expect(id)
    };
    let clause = find("clauses", "TSCATTER-SEM-01");
    let covers = cases
        .iter()
        .position(|c| c.id == "tscatter/negative_index")
        .expect("there");
    assert_eq!(clause["common"]["cases"], json!([covers]));
    assert_eq!(clause["common"]["status"], "covered");
    assert_eq!(
        find("clauses", "MSCATTER-SEM-02")["cited"],
        4,
        "cases in which it was broken"
    );
    let gap = find("gaps", "MGATHER-GAP-02");
    assert_eq!(gap["common"]["status"], "distinguished, as stated");
    assert!(gap["readings"].as_array().is_some_and(|r| r.len() > 1));
}

#[test]
fn a_record_without_texts_is_a_page_too() {
    let mut one = records::permitted("a.yaml", "old", "s");
    one.detail = None;
    let cases = [one];
    let page = page(&cases);
    let (rest, text) = behind(&page, &cases).remove(0);
    assert_eq!(
        (text, &rest["detail"], &rest["text"]),
        (None, &Value::Null, &Value::Null)
    );
    assert_eq!(rest["pairs"][2]["slots"].as_array().map(Vec::len), Some(8));
    assert!(packed(&page, "text-1").is_none());
}
