//! Relations by name.

use ptodiff_hunt::Relation;
use strum::VariantArray as _;

#[test]
fn names_read_back() {
    let names: Vec<_> = Relation::VARIANTS.iter().map(Relation::to_string).collect();
    assert_eq!(
        names.join(" "),
        "readback permutation expansion chunks period clamped relayout executor schedules"
    );
    for (name, relation) in names.iter().zip(Relation::VARIANTS) {
        assert_eq!(name.parse(), Ok(*relation));
    }
}
