//! Large regions: those of which nothing is drawn are kept from stimulus to stimulus.

use ptodiff_case::{Case, Fill};
use ptodiff_generate::{Stimulus, stimulus, stimulus_into};
use ptodiff_isa::{Backdrop, Coalesce, DType, GlobalTensor, Layout, Region, Role};

use crate::stimulus::build::{case, gather, scatter, tensor, tile};

/// A table of so many rows of 64 elements of `dtype`.
fn table(dtype: DType, rows: u64) -> GlobalTensor {
    let all = rows * 64;
    tensor(
        dtype,
        Layout::ND,
        [1, 1, 1, rows, 64],
        [all, all, all, 64, 1],
    )
}

/// A scatter, or a gather, over a table of `rows` rows filled with `fill`.
fn over(fill: Fill, dtype: DType, rows: u64, scatters: bool) -> Case {
    let idx = tile(DType::Int32, [1, 8], [1, 8]);
    let data = tile(dtype, [8, 64], [8, 64]);
    let call = match scatters {
        true => scatter(Coalesce::Row, table(dtype, rows), data, idx),
        false => gather(Coalesce::Row, data, table(dtype, rows), idx),
    };
    let mut one = case("large", call);
    one.data.table = fill;
    one
}

const DRAWN: [Fill; 4] = [
    Fill::Distinct,
    Fill::RandomBits,
    Fill::SmallInts,
    Fill::Percent,
];

const SET: [Fill; 7] = [
    Fill::Zeros,
    Fill::Ramp,
    Fill::RampBits,
    Fill::Eighths,
    Fill::Special,
    Fill::Arange,
    Fill::Poison,
];

fn backdrop(stimulus: &Stimulus) -> Option<Backdrop> {
    stimulus.steps.first()?.get(Role::Table)?.backdrop()
}

#[test]
fn a_kept_table_is_the_one_that_would_be_made() {
    let mut again = Stimulus::default();
    let (mut kept, mut made) = (0, 0);
    let literal = Fill::Literal(vec![7; 100_000]);
    for fill in DRAWN.iter().chain(&SET).chain([&literal]) {
        // Each differs from the one before in one thing, or in none.
        for (dtype, rows, scatters, seed) in [
            (DType::Float, 1024, true, 0),
            (DType::Float, 1024, true, 0),
            (DType::Float, 1024, true, 1),
            (DType::Int32, 1024, true, 1),
            (DType::Int32, 1024, false, 1),
            (DType::Int32, 1025, false, 1),
            (DType::Int32, 100, false, 1),
            (DType::Half, 2050, false, 1),
            (DType::Bfloat16, 2050, false, 1),
        ] {
            let case = over(fill.clone(), dtype, rows, scatters);
            let before = backdrop(&again);
            stimulus_into(&case, seed, &mut again);
            let now = backdrop(&again);
            assert!(
                again.steps == stimulus(&case, seed).steps,
                "{fill:?} {dtype} {rows}"
            );
            assert_eq!(now.is_some(), rows > 100, "it notes what is written");
            kept += usize::from(now.is_some() && now == before);
            made += usize::from(now.is_some() && now != before);
        }
    }
    // The same thrice, and a gather's table is a scatter's.
    assert_eq!((kept, made), (3 * SET.len(), 96 - 3 * SET.len()));
}

#[test]
fn a_table_that_was_written_is_made_anew() {
    let case = over(Fill::Ramp, DType::Float, 1024, true);
    let mut again = stimulus(&case, 0);
    let untouched = again.clone();
    let of = |again: &Stimulus| backdrop(again).expect("all of it is as it was made");
    let mut last = of(&again);
    let spoil: [fn(&mut Region); 3] = [
        |region| region.part_mut(8..12).expect("inside").fill(9),
        |region| region.body_mut()[5] = 9,
        |region| region.bytes_mut().fill(9),
    ];
    for spoil in spoil {
        let regions = &mut again.steps[0].regions;
        spoil(
            regions
                .iter_mut()
                .find(|r| r.role == Role::Table)
                .expect("a table"),
        );
        stimulus_into(&case, 0, &mut again);
        assert!(again.steps == untouched.steps);
        assert_ne!(of(&again), last);
        last = of(&again);
    }
    // A table kept before another stimulus was made is no longer there.
    stimulus_into(&over(Fill::Zeros, DType::Float, 1024, true), 0, &mut again);
    stimulus_into(&case, 0, &mut again);
    assert!(again.steps == untouched.steps);
    assert_ne!(of(&again), last);
}
