//! What a case says that must be found: targets, elements, traces, spellings.

use ptodiff_case::{
    Case, ExpectedOutcome, ExpectedSlot, ExpectedSlots, Spelling, Style, case_yaml, load_str,
};
use ptodiff_isa::{Role, Target};

/// An MSCATTER on a table of 8 elements, with more keys.
fn scatter(more: &str) -> String {
    format!(
        "cases:\n  - name: a\n    instruction: MSCATTER\n    dtype: half\n    \
         tile: {{shape: [1, 16]}}\n    index: {{shape: [1, 16]}}\n    \
         table: {{shape: [1, 1, 1, 1, 8]}}\n    {}\n",
        more.replace('\n', "\n    ")
    )
}

fn only(text: &str) -> Case {
    let corpus = load_str("file.yaml", text);
    let corpus = corpus.unwrap_or_else(|error| panic!("{}", error.render(Style::Plain)));
    assert_eq!(corpus.cases.len(), 1);
    corpus.cases[0].clone()
}

/// What is said of the one operand of the one entry, short: `_`, `any`, or bits.
fn held(text: &str) -> (Role, String) {
    let case = only(text);
    let [entry] = case.expect.as_slice() else {
        panic!("one entry")
    };
    let [held] = entry.slots.as_slice() else {
        panic!("one operand")
    };
    let words = each(held).map(|slot| match slot {
        ExpectedSlot::Kept => "_".to_owned(),
        ExpectedSlot::Any => "any".to_owned(),
        ExpectedSlot::OneOf { bits, or_kept } => {
            let mut words: Vec<_> = bits.iter().map(|bits| format!("{bits:X}")).collect();
            words.extend(or_kept.then(|| "_".to_owned()));
            words.join("|")
        }
    });
    (held.role, words.collect::<Vec<_>>().join(" "))
}

/// What each element holds.
fn each(held: &ExpectedSlots) -> impl Iterator<Item = &ExpectedSlot> {
    let runs = held.runs();
    runs.flat_map(|(run, slot)| run.map(move |_| slot))
}

fn table(slots: &str) -> String {
    held(&scatter(&format!("expect: [{{table: {slots}}}]"))).1
}

#[test]
fn elements_are_given_one_by_one_or_by_where_they_are() {
    let kept = "_ _ _ _ _ _ _ _";
    assert_eq!(table("{}"), kept);
    assert_eq!(table("[_, _, _, _, _, _, _, _]"), kept);
    assert_eq!(table("{7: 1}"), "_ _ _ _ _ _ _ 3C00");
    assert_eq!(table("{2-4: 1}"), "_ _ 3C00 3C00 3C00 _ _ _");
    assert_eq!(
        table("{2-2: 1, rest: any}"),
        "any any 3C00 any any any any any"
    );
    assert_eq!(
        table("{rest: 1, 0: 2}"),
        "4000 3C00 3C00 3C00 3C00 3C00 3C00 3C00"
    );
    assert_eq!(
        table("{1: [1, 2], 5-7: [_, any, 1]}"),
        "_ 3C00 4000 _ _ _ any 3C00"
    );
    assert_eq!(
        table("{0: &a 2, 1: *a}").replace("4000 4000", "x"),
        "x _ _ _ _ _ _"
    );
}

#[test]
fn tokens_are_read_as_they_are_written() {
    let one = |token: &str| {
        let all = table(&format!("{{0: {token}}}"));
        assert_eq!(all, table(&format!("[{token}, _, _, _, _, _, _, _]")));
        all.split(' ').next().unwrap().to_owned()
    };
    assert_eq!(one("0x7C01"), "7C01");
    assert_eq!(one("0X7c01"), "7C01");
    assert_eq!(one("1"), "3C00");
    assert_eq!(one("+1"), "3C00");
    assert_eq!(one("10"), "4900");
    assert_eq!(one("-0.0"), "8000");
    assert_eq!(one("'-0.0'"), "8000");
    // A double in between would round it twice: to 1 + 2^-11, then to even.
    assert_eq!(one("1.00048828125000000000001"), "3C01");
    assert_eq!(one("nan"), "7E00");
    assert_eq!(one("-inf"), "FC00");
    assert_eq!(one("1|2|0x7C01|-inf"), "3C00|4000|7C01|FC00");
    assert_eq!(one("1|_"), "3C00|_");
    assert_eq!(one("_|1"), "3C00|_");
    assert_eq!(one("1 | 2"), "3C00|4000");
}

#[test]
fn integers_are_values_in_either_base() {
    let bytes = "cases:\n  - name: a\n    instruction: TSCATTER\n    dtype: int8_t\n    \
                 source: {shape: [1, 32]}\n    expect: [{destination: {0: [-1, 0x7F, 127|-128]}}]\n";
    let (role, slots) = held(bytes);
    assert_eq!(role, Role::Destination);
    assert!(slots.starts_with("FF 7F 7F|80 _ "), "{slots}");
}

#[test]
fn a_body_is_a_padded_tile_or_all_that_strides_reach() {
    let count = |text: &str| {
        let (role, slots) = held(text);
        (role, slots.split(' ').count())
    };
    let tile = scatter("expect: [{tile: {0: 1}}]").replace("[1, 16]}", "[1, 16], valid: [1, 3]}");
    assert_eq!(count(&tile), (Role::Source, 16));
    let strided = scatter("expect: [{table: {0: 1}}]").replace(
        "[1, 1, 1, 1, 8]",
        "[1, 1, 2, 3, 4], stride: [9, 9, 100, 10, 2]",
    );
    assert_eq!(count(&strided), (Role::Table, 100 + 2 * 10 + 3 * 2 + 1));
    let empty = scatter("expect: [{table: []}]").replace("1, 8]", "dyn 0, 8]");
    assert_eq!(only(&empty).expect[0].slots[0].elements(), 0);
    let index = scatter("expect: [{index: {0: 1}}]");
    assert_eq!(count(&index), (Role::Index, 16));
    let gather = tile.replace("MSCATTER", "MGATHER");
    assert_eq!(count(&gather), (Role::Destination, 16));
    let to_l1 = "cases:\n  - name: a\n    instruction: MGATHER\n    mode: Elem\n    dtype: half\n    \
                 tile: {location: Mat, shape: [16, 32], valid: [3, 4]}\n    \
                 table: {shape: [1, 1, 1, 1, 8]}\n    expect: [{OPERAND: {0: 1}}]\n";
    let of_l1 = |operand: &str| count(&to_l1.replace("OPERAND", operand));
    assert_eq!(of_l1("tile"), (Role::Destination, 512));
    assert_eq!(of_l1("scratch"), (Role::Scratch, 512));
    assert_eq!(of_l1("index"), (Role::Index, 12));
    let on_chip = "cases:\n  - name: a\n    instruction: TGATHERB\n    dtype: half\n    \
                   source: {shape: [2, 32]}\n    expect: [{OPERAND: {0: 1}}]\n";
    let on_chip = |operand: &str| count(&on_chip.replace("OPERAND", operand));
    assert_eq!(on_chip("source"), (Role::Source, 64));
    assert_eq!(on_chip("offset"), (Role::Index, 64));
}

/// A tile may be as large as UB; only values are counted against the limit.
#[test]
fn large_operands_may_be_named() {
    let text = scatter("expect: [{tile: {0-65535: 1, rest: any}}]")
        .replace("tile: {shape: [1, 16]}", "tile: {shape: [256, 512]}");
    assert_eq!(only(&text).expect[0].slots[0].elements(), 131_072);
}

#[test]
fn an_entry_speaks_of_the_targets_left_over() {
    let targets = |more: &str| -> Vec<Vec<Target>> {
        let case = only(&scatter(more));
        case.expect
            .iter()
            .map(|entry| entry.targets.clone())
            .collect()
    };
    let (cpu, a2a3, a5) = (Target::Cpu, Target::A2a3, Target::A5);
    assert_eq!(targets("expect: [{table: {}}]"), [vec![cpu, a2a3, a5]]);
    let elsewhere = "targets: [a2a3, a5]\nhangs: {a5: MSCATTER-LAUNCH-10}\n\
                     gap: MSCATTER-GAP-01\nexpect:\n  - table: {}\n  \
                     - {answer: a, table: {}}\n  - {targets: [a5], spelled: {cpp: x}}";
    assert_eq!(targets(elsewhere), [vec![a2a3], vec![a2a3, a5], vec![a5]]);
    let order = "expect: [{targets: [a5, cpu], table: {}}]";
    assert_eq!(targets(order), [vec![cpu, a5]]);
}

#[test]
fn one_answer_may_say_different_things_and_of_different_targets() {
    let case = only(&scatter(
        "gap: MSCATTER-GAP-01\nexpect:\n  - {answer: a, targets: [a5], table: {}}\n  \
         - {answer: a, targets: [a2a3, cpu], table: {}}\n  \
         - {answer: a, index: {}}\n  - {answer: a, trace: {order: [x]}}\n  \
         - {answer: a, spelled: {cpp: x, level1: y}}\n  - {answer: a, spelled: {level2: y}}\n  \
         - {answer: b, outcome: undefined}\n  - {answer: c, outcome: hangs, targets: [a5]}\n  \
         - {answer: c, outcome: rejected, targets: [cpu]}\n  - table: {}\n  - table: {}",
    ));
    assert_eq!(case.gap.unwrap().0, "MSCATTER-GAP-01");
    let answers = case.expect.iter().map(|entry| entry.answer.unwrap_or('-'));
    assert_eq!(answers.collect::<String>(), "aaaaaabcc--");
    let outcomes: Vec<_> = case.expect.iter().map(|entry| entry.outcome).collect();
    use ExpectedOutcome::{Hangs, Rejected, Result, Undefined};
    assert_eq!(
        outcomes[5..10],
        [Result, Undefined, Hangs, Rejected, Result]
    );
}

#[test]
fn patterns_are_kept_as_they_are() {
    let case = only(&scatter(
        "covers: MSCATTER-SEM-01\nexpect:\n  - trace:\n      \
         count: {\"* copy  *\": 0, plain: 3}\n      order: [\"*a*\", b*]\n    \
         spelled: {cpp: \"*;\", sketch: \"pto.m *\", synchronous: \"*\"}",
    ));
    assert_eq!(case.covers[0].0, "MSCATTER-SEM-01");
    let trace = &case.expect[0].trace;
    let count = [("* copy  *".to_owned(), 0), ("plain".to_owned(), 3)];
    assert_eq!(trace.count, count);
    assert_eq!(trace.order, ["*a*", "b*"]);
    let spelled: Vec<_> = case.expect[0].spelled.iter().map(|(s, _)| *s).collect();
    let order = [Spelling::Synchronous, Spelling::Sketch, Spelling::Cpp];
    assert_eq!(spelled, order);
}

#[test]
fn a_result_alone_is_an_expectation_and_is_written() {
    let case = only(&scatter("expect: [{outcome: result}]"));
    assert_eq!(case.expect[0].outcome, ExpectedOutcome::Result);
    let text = case_yaml(&case);
    assert!(text.contains("outcome: result"), "{text}");
    assert_eq!(only(&text).expect, case.expect);
}
