//! A group of divergences shows what all parties left in a slot, and which of
//! them stands against the others.

use ptodiff_isa::Party;
use ptodiff_record::{CaseRecord, PairVerdict, Slot, Verdict};

use super::{
    read::{inside, markup, page},
    records::{self, A2a3, Cpu},
};

/// Two pairs that differ in the same slot: a2a3 and a5, and cpu and a5, in which
/// cpu holds what a2a3 does.
fn both(change: impl FnOnce(&mut Slot)) -> CaseRecord {
    let mut one = records::permitted("a.yaml", "one", "a2a3/a5");
    one.pairs[2].slots.truncate(1);
    let mut slot = one.pairs[2].slots[0].clone();
    let value = slot.got.remove(&Party::of(A2a3)).expect("a value");
    slot.got.insert(Party::of(Cpu), value);
    change(&mut slot);
    let two = &mut one.pairs[1];
    two.verdict = PairVerdict::Permitted;
    two.differing = 1;
    two.failure_groups = vec!["cpu/a5".into()];
    two.slots = vec![slot];
    one
}

/// The slots of the group that begins with a2a3 and a5: its table's markup.
fn slots(case: CaseRecord) -> String {
    let markup = markup(&page(&[case]));
    let begins = "<code class=\"failure-group\">a2a3&#x2f;a5</code>";
    inside(&markup, begins, "</table>")
        .expect("a group")
        .to_owned()
}

/// Columns of a table of slots, but for those that all have.
fn columns(slots: &str) -> Vec<&str> {
    let heads = slots.split("<th scope=\"col\">").skip(1);
    let names = heads.filter_map(|head| head.split('<').next());
    names
        .filter(|name| ["cpu", "a2a3", "a5"].contains(name))
        .collect()
}

fn marked<'a>(slots: &'a str, kind: &str) -> Vec<&'a str> {
    let begins = format!("<td class=\"out s-{kind}\" data-label=\"");
    let cells = slots.split(&begins).skip(1);
    cells.filter_map(|cell| cell.split('"').next()).collect()
}

#[test]
fn the_values_of_all_pairs_stand_side_by_side_and_the_lonely_one_is_marked() {
    let slots = slots(both(|_| {}));
    assert_eq!(columns(&slots), ["cpu", "a2a3", "a5"]);
    assert_eq!(marked(&slots, "permitted"), ["a5"]);
    assert!(slots.contains(">outlier<"), "{slots}");
    assert!(marked(&slots, "violation").is_empty(), "{slots}");
}

#[test]
fn of_two_that_differ_neither_stands_alone() {
    let slots = slots(records::permitted("a.yaml", "one", "a2a3/a5"));
    assert_eq!(columns(&slots), ["a2a3", "a5"]);
    assert!(!slots.contains("class=\"out"), "{slots}");
}

#[test]
fn a_value_of_another_schedule_place_or_outcome_is_left_out() {
    for change in [
        (|slot| slot.schedule = Some("in order".into())) as fn(&mut Slot),
        |slot| slot.offset += 4,
        |slot| {
            for value in slot.got.values_mut() {
                value.bits.push('0');
            }
        },
    ] {
        assert_eq!(columns(&slots(both(change))), ["a2a3", "a5"]);
    }
    // One that says no schedule may be of any.
    let any = both(|slot| slot.schedule = None);
    assert_eq!(columns(&slots(any)), ["cpu", "a2a3", "a5"]);
}

#[test]
fn a_difference_that_no_clause_permits_is_marked_as_such_though_both_conform() {
    let mut one = both(|_| {});
    one.verdict = Verdict::Violation;
    one.pairs[2].verdict = PairVerdict::Violation;
    one.pairs[2].why = Some("no clause permits it".into());
    let slots = slots(one);
    assert!(slots.contains("differ in 9 slots: no clause permits it"));
    assert_eq!(marked(&slots, "violation"), ["a5"]);
    assert!(slots.contains(">not permitted<"), "{slots}");
}

#[test]
fn a_party_that_breaks_its_contract_is_marked_and_no_other() {
    let mut one = records::violating("a.yaml", "one", "finding");
    one.pairs[2].failure_groups = vec!["a2a3/a5".into()];
    one.pairs[2].slots.truncate(1);
    // The second is of the CPU alone: why that may differ is no rule for A5.
    one.pairs[2].slots[0].clauses = ["MSCATTER-CONF-03", "MSCATTER-INDEX-07"]
        .map(Into::into)
        .into();
    let slots = slots(one);
    assert_eq!(marked(&slots, "violation"), ["a5"]);
    assert!(marked(&slots, "permitted").is_empty(), "{slots}");
    assert!(slots.contains(">MSCATTER-CONF-03<"), "{slots}");
    assert!(!slots.contains("MSCATTER-INDEX-07"), "{slots}");
}
