//! What of a text of an implementation is in its failure group.

use ptodiff_isa::{Instruction, Party, Target};
use ptodiff_judge::{Detail, Finding, Place, finding_group};

fn cause(text: &str) -> String {
    let party = Party {
        target: Target::A5,
        form: Some("impl:mine".into()),
    };
    let finding = Finding {
        place: Place::Crash,
        clause: None,
        schedule: None,
        detail: Detail::Text(text.to_owned()),
    };
    let group = finding_group(Instruction::Mgather, &party, &finding);
    let before = format!("MGATHER {party} {} -", finding.place);
    let cause = group.strip_prefix(&before).expect(&group);
    cause.strip_prefix(' ').unwrap_or(cause).to_owned()
}

#[test]
fn one_cause_is_one_group_and_two_are_two() {
    let same = [
        "x.hpp:12: static_assert: Tile<float, 8, Other<3>> rows must be 32 bytes, not 0x1F",
        "/a/b/x.hpp:99: static_assert: Tile<half, 16, 4> rows must be 32 bytes,  not 12",
    ];
    for text in same {
        let group = "x.hpp:#: static_assert: Tile<> rows must be # bytes, not #";
        assert_eq!(cause(text), group);
    }
    let signal = |n| cause(&format!("the implementation was ended by signal {n}"));
    assert_eq!(
        signal("6 (SIGABRT)"),
        "the implementation was ended by signal # (SIGABRT)"
    );
    assert_ne!(signal("6 (SIGABRT)"), signal("11 (SIGSEGV)"));
    // Names keep their digits, comparisons their signs.
    assert_eq!(cause("int32_t a2a3 < 5 / 2"), "int32_t a2a3 < # / #");
    // Two that begin alike; a sign of comparison without a partner is one.
    let long = |end| cause(&format!("{} {end}", "x".repeat(200)));
    assert_eq!(long("a").len(), 100 + 3 + 8);
    assert_ne!(long("a"), long("b"));
    assert_eq!(long("1"), long("2"));
    let check = "check i<n failed: index leads outside of operator<< of Tile<half, 4>";
    let group = "check i<n failed: index leads outside of operator<< of Tile<>";
    assert_eq!(cause(check), group);
    assert_eq!(cause(""), "");
}
