//! A pair that differs in several ways: each is shown with what it is about.

use ptodiff_report::{groups, write_groups};
use serde_json::{Value, json};

use crate::made::{case, header, text};

fn slot(element: u64, at: &str, clauses: &[&str]) -> Value {
    let value = |v: &str| json!({"bits": "0x01", "value": v});
    json!({
        "role": "table", "offset": 4 * element, "element": element, "at": at,
        "initial": value("0"), "got": {"cpu": value("1"), "a5": value("2")}, "clauses": clauses,
    })
}

#[test]
fn slots_and_clauses_stand_under_the_failure_group_that_is_about_them() {
    let (last, order, nan) = ("MSCATTER-ATOM-18", "MSCATTER-ATOM-22", "MSCATTER-CONF-08");
    let of = |place: &str, clauses: &str| format!("MSCATTER cpu/a5 permitted {place} {clauses}");
    let alone = of("valid", last);
    let both = of("valid", &format!("{last}+{order}"));
    let padding = of("padding", last);
    let pair = json!({
        "targets": ["cpu", "a5"], "verdict": "permitted", "differing": 3,
        "clauses": [last, order], "failure_groups": [padding, alone, both],
        "slots": [
            slot(0, "[0, 0]", &[last, order, nan]),
            slot(1, "[0, 1]", &[last, nan]),
            slot(2, "[0, 2] padding", &[last]),
        ],
    });
    let cases = [case("c", json!({"verdict": "permitted", "pairs": [pair]}))];
    let all = groups(&cases);
    let shown = |failure_group: &str| {
        let group = all.iter().find(|g| g.failure_group == failure_group);
        let group = group.expect("a group");
        let slots: Vec<u64> = group.slots.iter().map(|slot| slot.element).collect();
        let clauses: Vec<&str> = group.clauses.iter().map(String::as_str).collect();
        (slots, clauses)
    };
    assert_eq!(shown(&both), (vec![0], vec![last, order]));
    assert_eq!(shown(&alone), (vec![1], vec![last]));
    assert_eq!(shown(&padding), (vec![2], vec![last]));
    let out = text(|to| write_groups(to, &header(), &all));
    let said = "cpu and a5 differ in 3 slots of 3 kinds";
    assert_eq!(out.matches(said).count(), 3, "{out}");
}
