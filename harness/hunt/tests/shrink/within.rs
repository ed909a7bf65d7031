//! A shrink among some calls only.

use ptodiff_case::Fill;
use ptodiff_generate::random::{Form, Space};
use ptodiff_hunt::shrink::shrink_within;
use ptodiff_isa::{Call, Dim, Readings, Target};

use crate::build::{case, mgather, part, table};
use crate::watch::{SEED, TRIES};

/// A padded gather whose extents are all known at run time.
fn open() -> Call {
    let dynamic = |dim: &mut Dim| *dim = Dim::Dynamic(dim.get());
    let dtype = ptodiff_isa::DType::Int32;
    let mut dst = part(dtype, [8, 16], [5, 9]);
    let mut idx = part(dtype, [1, 8], [1, 5]);
    let mut slots = table(dtype, 12, 9);
    for tile in [&mut dst, &mut idx] {
        dynamic(&mut tile.valid_row);
        dynamic(&mut tile.valid_col);
    }
    // As a lattice has them: nothing follows of a shape.
    slots.stride[..3].fill(Dim::Static(1));
    for at in [3, 4] {
        dynamic(&mut slots.shape[at]);
        dynamic(&mut slots.stride[at]);
    }
    Call::Mgather(mgather(dst, slots, idx))
}

/// What is dynamic gets as small as it can, what is static stays, and about
/// another call nobody is asked.
#[test]
fn no_call_outside_is_asked_about_and_within_it_gets_small() {
    let space = Space::new(Target::A5, Readings::default(), [open()]).expect("one call");
    let mut first = case(open());
    assert_eq!(Form::of(&first.call), Form::Mgather);
    first.data.table = Fill::Distinct;
    let mut asked = 0;
    let small = shrink_within(
        &first,
        SEED,
        TRIES,
        &|call| space.holds(call),
        &mut |case| {
            asked += 1;
            assert!(space.holds(&case.call), "{:?}", case.call);
            let rows = case.call.data_tile().valid_row.get();
            rows >= 2
        },
    );
    assert!((10..TRIES).contains(&asked), "{asked}");
    let Call::Mgather(call) = small.call else {
        panic!("another form");
    };
    let extents = |dims: [Dim; 2]| dims.map(|dim| (dim.get(), dim.known().is_none()));
    assert_eq!((call.dst.rows, call.dst.cols), (8, 16));
    assert_eq!(
        extents([call.dst.valid_row, call.dst.valid_col]),
        [(2, true), (1, true)]
    );
    assert_eq!(
        extents([call.table.shape[3], call.table.shape[4]]),
        [(1, true), (1, true)]
    );
    // Without the space the padding goes, too, and nothing is dynamic.
    let free = shrink_within(&first, SEED, TRIES, &|_| true, &mut |case| {
        case.call.data_tile().valid_row.get() >= 2
    });
    assert!(!space.holds(&free.call), "{:?}", free.call);
}
