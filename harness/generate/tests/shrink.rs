//! Random cases as a proptest strategy.
#![cfg(feature = "proptest")]

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use ptodiff_generate::random::{Drawn, Form, Wish, cases};
use ptodiff_isa::{Call, Dim, Readings, ScatterOob};

/// Shrinks what fails `holds` as far as it goes.
fn least(wish: &Wish, holds: impl Fn(&Drawn) -> bool) -> Drawn {
    let strategy = cases(wish.clone());
    let mut runner = TestRunner::deterministic();
    for _ in 0..1000 {
        let mut tree = strategy
            .new_tree(&mut runner)
            .expect("a strategy never rejects");
        if holds(&tree.current()) {
            continue;
        }
        let mut least = tree.current();
        while tree.simplify() {
            while holds(&tree.current()) {
                if !tree.complicate() {
                    return least;
                }
            }
            least = tree.current();
        }
        return least;
    }
    panic!("nothing fails");
}

#[test]
fn a_failing_case_shrinks_to_a_simple_one() {
    let wish = Wish {
        forms: vec![Form::Mscatter],
        ..Wish::default()
    };
    let clamps = |drawn: &Drawn| match &drawn.case.call {
        Call::Mscatter(call) => call.oob != ScatterOob::Clamp,
        _ => true,
    };
    let case = least(&wish, clamps).case;
    let tile = case.call.data_tile();
    assert_eq!(
        (tile.valid_row, tile.valid_col),
        (Dim::Static(1), Dim::Static(1))
    );
    assert_eq!(case.readings, Readings::default().into());
    assert_eq!(case.chunks, 1);
}
