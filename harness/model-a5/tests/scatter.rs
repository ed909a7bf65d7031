//! Scatters and gathers of nothing, and addresses beyond 32 bits (MSCATTER-GAP-02, -11, -38).

use crate::common::*;
use ptodiff_isa::ScatterOob::{Clamp, Skip, Undefined, Wrap};

#[test]
fn gap_38_a_run_time_extent_of_0_does_nothing() {
    for (rows_, cols) in [(0, 8), (8, 0), (0, 0)] {
        let none = |dtype| dynamic(valid(dtype, 8, 8, rows_, cols));
        for mode in [Row, Elem] {
            let table = rows(Int32, 4, 8);
            for how in [
                How::default(),
                reading(|r| r.empty_extent = EmptyExtent::NoOp),
            ] {
                for atomic in [ScatterAtomicOp::None, ScatterAtomicOp::Add] {
                    let call = mscatter(mode, table, none(Int32), none(Int32));
                    let call = Mscatter { atomic, ..call };
                    let after = scatter_how(&call, how, &[5; 32], &[1; 64], &[0; 64]);
                    assert_eq!(after, [5; 32]);
                }
                let call = mgather(mode, table, none(Int32), none(Int32));
                let call = call.with(|c| c.oob = GatherOob::Zero);
                let after = gather_how(&call, how, &[5; 64], &[1; 32], &[9; 64]);
                assert_eq!(after, [5; 64]);
                assert_eq!(gathered(call, &[9; 64]), []);
            }
        }
    }
}

#[test]
fn gap_02_an_empty_table_takes_nothing_and_gives_zero_only() {
    let mut table = rows(Int32, 0, 8);
    table.shape[3] = Dim::Dynamic(0);
    let part = |cols| valid(Int32, 1, 8, 1, cols);
    for (mode, src, idx) in [
        (Row, tile(Int32, 2, 8), tile(Int32, 1, 2)),
        (Elem, part(2), part(2)),
        (Elem, part(1), part(1)),
    ] {
        for negative_index in [NegativeIndex::Unsigned, NegativeIndex::Signed] {
            let how = reading(|r| r.negative_index = negative_index);
            let len = (src.rows * src.cols) as usize;
            for oob in [Undefined, Skip, Clamp, Wrap] {
                for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
                    let call = mscatter(mode, table, src, idx);
                    let call = call.with(|c| (c.oob, c.conflict) = (oob, conflict));
                    scatter_how(&call, how, &[], &vec![1; len], &[-1, 0]);
                }
            }
            for (oob, given) in [
                (GatherOob::Undefined, 9),
                (GatherOob::Clamp, 9),
                (GatherOob::Wrap, 9),
                (GatherOob::Zero, 0),
            ] {
                let call = mgather(mode, table, src, idx).with(|c| c.oob = oob);
                let dst = gather_how(&call, how, &vec![9; len], &[], &[-1, 0]);
                assert_eq!(dst[0], given, "{mode} {oob}");
            }
        }
    }
    // Lanes are idle; where lanes own slots, there is none to launch. The scalar path
    // looks at its index first.
    let mut table = flat(Int32, 0);
    table.shape[4] = Dim::Dynamic(0);
    let events = |valid_col, conflict, dispatch| {
        let mut call = mscatter(Elem, table, part(valid_col), part(valid_col));
        (call.oob, call.conflict, call.launch.dispatch) = (Skip, conflict, dispatch);
        traced(Call::Mscatter(call), How::default(), &[0; 8])
    };
    use ScatterConflict::{Default as Any, Last};
    let launched = events(2, Any, Dispatch::Standard);
    assert!(matches!(launched[..], [Event::Launch { .. }]));
    assert_eq!(events(2, Last, Dispatch::Standard), []);
    assert_eq!(events(2, Last, Dispatch::Direct), []);
    let scalar = events(1, Any, Dispatch::Standard);
    assert_eq!(count(&scalar, is_index_load), 1);
}

#[test]
fn gap_11_addresses_are_exact_beyond_32_bits() {
    // Row 40000 of 65536 columns: element 2621440000, in a memory that is small.
    let mut src = tile(Half, 1, 65536);
    src.valid_col = Dim::Dynamic(65536);
    let call = mscatter(Row, rows(Half, 65536, 65536), src, tile(Int32, 1, 1));
    let call = Call::Mscatter(call.with(|c| c.conflict = ScatterConflict::Default));
    let mut memory = memory(&[
        (Role::Table, vec![0; 64]),
        (Role::Source, vec![0; 131_072]),
        (Role::Index, bytes(&[40_000])),
    ]);
    let strays = execute_silently(call, &mut memory, How::default()).oob_accesses;
    assert_eq!(strays.count, 65536);
    let offsets = [strays.first[0].offset, strays.first[1].offset];
    assert_eq!(offsets, [5_242_880_000, 5_242_880_002]);
}
