//! What is packed says what the record says.

use ptodiff_report::html::BLOCK;
use serde_json::json;

use super::{
    read::{packed, page, unpacked},
    records,
};

#[test]
fn every_case_stands_in_its_block_as_in_the_record() {
    let cases = records::mixed();
    let page = page(&cases);
    // Some of them stand in a second block.
    assert!(cases.len() > BLOCK);
    for (n, block) in cases.chunks(BLOCK).enumerate() {
        assert_eq!(unpacked(&page, &n.to_string()), json!(block));
    }
    assert!(packed(&page, &cases.len().div_ceil(BLOCK).to_string()).is_none());
}

#[test]
fn the_list_has_what_people_look_for() {
    let cases = records::mixed();
    let list = unpacked(&page(&cases), "list");
    let row = |id: &str| {
        let at = cases.iter().position(|c| c.id.ends_with(id));
        &list[at.expect("there")]
    };
    for (row, case) in list.as_array().expect("a list").iter().zip(&cases) {
        let own = json!(case);
        for name in [
            "id",
            "line",
            "file",
            "verdict",
            "instruction",
            "suite",
            "call",
        ] {
            assert_eq!(row[name], own[name], "{name} of {}", case.id);
        }
    }
    let first = row("last_writer_0");
    assert_eq!(first["did"], "a5 violates; cpu=a2a3");
    assert_eq!(first["has"], json!([]));
    assert_eq!(list[4]["pairs"]["a2a3/a5"], "permitted");
    assert_eq!(
        list[4]["failure_groups"],
        json!(["MSCATTER a2a3/a5 permitted valid MSCATTER-CONF-06+MSCATTER-CONF-10"])
    );
    assert_eq!(
        list[4]["clauses"],
        json!(["MSCATTER-CONF-06", "MSCATTER-CONF-10"])
    );
    assert_eq!(row("negative_index")["has"], json!(["readings"]));
    assert_eq!(row("tile_larger_than_index")["has"], json!(["holes"]));
    assert_eq!(
        row("tile_larger_than_index")["pairs"]["cpu/a2a3"],
        "no-result"
    );
    assert_eq!(row("beyond_the_source")["pairs"]["cpu/a2a3"], "rejected");
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
    assert_eq!(
        clause["common"]["cases"],
        json!(["tscatter/negative_index"])
    );
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
