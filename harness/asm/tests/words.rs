//! The numbers of the forms. Their words are in `cli/tests/cmd/assembly.md`.

use std::collections::HashSet;

use ptodiff_asm::{cpp, forms};
use ptodiff_isa::Target;
use strum::VariantArray;

use crate::calls::calls;

#[test]
fn every_number_stands_in_the_register() {
    let mut seen = HashSet::new();
    for call in calls() {
        seen.extend(forms(&call).into_iter().map(|form| form.clause));
        let targets = Target::VARIANTS.iter();
        let rejected = targets.filter_map(|target| cpp(&call, *target).err());
        seen.extend(rejected.map(|error| error.clause));
    }
    // In the order of `Call`'s variants, then the rejections.
    assert_eq!(seen.len(), 6 + 2 + 6 + 1 + 4 + 1 + 4 + 6);
    for clause in seen {
        assert!(ptodiff_register::find(clause.0).is_some(), "{clause}");
    }
}
