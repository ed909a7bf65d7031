//! The numbers of the forms. Their words are in `cli/tests/cmd/assembly.md`.

use std::collections::HashSet;

use crate::common::calls;
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use ptodiff_asm::{cpp, forms};
use ptodiff_isa::Target;
use strum::VariantArray;

#[test]
fn every_number_stands_in_the_register() {
    let mut runner = TestRunner::deterministic();
    let mut seen = HashSet::new();
    for _ in 0..300 {
        let call = calls().new_tree(&mut runner).expect("a call").current();
        seen.extend(forms(&call).into_iter().map(|form| form.clause));
        let rejected = Target::VARIANTS
            .iter()
            .filter_map(|target| cpp(&call, *target).err());
        seen.extend(rejected.map(|error| error.clause));
    }
    // In the order of `Call`'s variants, then the rejections.
    assert_eq!(seen.len(), 6 + 2 + 6 + 1 + 4 + 1 + 4 + 6);
    for clause in seen {
        assert!(ptodiff_register::find(clause.0).is_some(), "{clause}");
    }
}
