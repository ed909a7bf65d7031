//! All small calls: tiles up to 3x3 in every valid extent, every index vector
//! over a few slots and beyond, every policy, each target. The permits of every
//! slot are what the enumeration reaches.

use crate::common::{compare, same::Seen};
use ptodiff_enumerate::world::{
    Ends, Scatters, World, blocks, displaced, gathered_by_offset, gathers, gathers_to_l1,
    scattered_by_index, scattered_by_mask, scattered_first, scattered_to_rows,
};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Int8, Int32, Uint32};
use Target::{A2a3, A5, Cpu};

/// Counts the calls of a form whose permits are what their enumeration
/// reaches, and that end as they were built to.
#[derive(Default)]
struct Count(u64);

impl Count {
    fn see(&mut self, world: &World<'_>) {
        let World {
            call,
            target,
            readings,
            ..
        } = world;
        let ends = match world.ends {
            Ends::Illegal => Seen::Illegal,
            Ends::Undefined => Seen::Undefined,
            Ends::Settled => Seen::Settled,
        };
        let found = compare(call, &[world.memory], *target, readings);
        assert_eq!(found, ends, "{target} {call:?}");
        self.0 += 1;
    }
}

/// Compares all that `show` shows: so many calls.
fn compared(calls: u64, show: impl FnOnce(&mut dyn FnMut(&World<'_>))) {
    let mut count = Count::default();
    show(&mut |world| count.see(world));
    assert_eq!(count.0, calls);
}

fn templated(mode: Coalesce) -> Scatters {
    Scatters {
        cpu_form: CpuForm::Templated,
        ..Scatters::plain(Cpu, mode)
    }
}

#[test]
fn elements_scattered() {
    compared(49172, |mut see| {
        Scatters::plain(A2a3, Elem).each(512, &mut see);
        Scatters::plain(A5, Elem).each(512, &mut see);
        Scatters::plain(Cpu, Elem).each(125, &mut see);
        templated(Elem).each(125, &mut see);
    });
}

#[test]
fn rows_scattered() {
    compared(23172, |mut see| {
        Scatters::plain(A2a3, Row).each(216, &mut see);
        Scatters::plain(A5, Row).each(216, &mut see);
        templated(Row).each(64, &mut see);
    });
}

#[test]
fn elements_and_rows_combined() {
    use ScatterAtomicOp::{Add, Max, Min};
    compared(63900, |mut see| {
        for mode in [Row, Elem] {
            let mut each = |form: Scatters, dtype, atomic, most| {
                let form = Scatters {
                    dtype,
                    atomic,
                    ..form
                };
                form.each(most, &mut see);
            };
            each(Scatters::plain(A2a3, mode), Int8, Add, 64);
            for dtype in [Int32, Uint32] {
                for atomic in [Add, Max, Min] {
                    each(Scatters::plain(A5, mode), dtype, atomic, 64);
                }
            }
            each(templated(mode), Int32, Add, 64);
            each(templated(mode), Int32, Max, 27);
        }
    });
}

#[test]
fn the_first_revision_scattered() {
    compared(21656, |mut see| scattered_first(128, &mut see));
}

#[test]
fn elements_and_rows_gathered() {
    compared(22632, |mut see| gathers(64, &mut see));
}

#[test]
fn blocks_scattered_and_gathered() {
    compared(2328, |mut see| blocks(9, &mut see));
}

#[test]
fn rows_and_elements_gathered_to_l1() {
    compared(3492, |mut see| gathers_to_l1(9, &mut see));
}

#[test]
fn elements_by_their_displacement() {
    compared(18144, |mut see| displaced(9, &mut see));
}

#[test]
fn tiles_scattered_to_rows() {
    compared(7092, |mut see| scattered_to_rows(9, &mut see));
}

#[test]
fn tiles_scattered_by_index() {
    compared(10878, |mut see| scattered_by_index(40, &mut see));
}

#[test]
fn tiles_scattered_by_mask() {
    compared(2520, |mut see| scattered_by_mask(&mut see));
}

#[test]
fn bytes_gathered() {
    compared(21756, |mut see| gathered_by_offset(40, &mut see));
}
