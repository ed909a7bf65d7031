//! Random scatters into large tables, noting what is written of them and not.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::common::*;
use crate::fast::{area, extents, laid_out, padded, padding, reach};
use crate::parts::{large, noted};
use crate::property::any_how;
use crate::property_forms::{any_of, any_readings};
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;
use ptodiff_model_a5::A5;

/// Whether the check lets an atomic over a type pass.
fn takes(dtype: DType, atomic: ScatterAtomicOp) -> bool {
    match dtype {
        Int32 | Uint32 | Float => true,
        Half | Bfloat16 => matches!(atomic, ScatterAtomicOp::None | ScatterAtomicOp::Add),
        _ => atomic == ScatterAtomicOp::None,
    }
}

prop_compose! {
    fn any_scatter()(
        dtype in select(vec![Int8, Half, Bfloat16, Float, Int32, Uint32, Int64]),
        // One element; few; more than lanes in all.
        size in prop_oneof![1 => Just((1, 1)), 8 => extents(), 1 => (30..=34_u64, 30..=40_u64)],
        paddings in [padding(), padding()],
        by_column in prop::array::uniform2(prop::bool::weighted(0.2)),
        mode in any_of::<Coalesce>(),
        atomic in any_of::<ScatterAtomicOp>(),
        oob in any_of::<ScatterOob>(),
        conflict in any_of::<ScatterConflict>(),
        dispatch in prop_oneof![9 => Just(Dispatch::Standard), 1 => Just(Dispatch::Direct)],
        flush in prop_oneof![9 => Just(CacheFlush::Appended), 1 => Just(CacheFlush::Missing)],
        first in prop::bool::weighted(0.15),
    ) -> Call {
        let (height, width) = size;
        let src = laid_out(padded(dtype, size, paddings[0]), by_column[0]);
        let atomic = if takes(dtype, atomic) { atomic } else { ScatterAtomicOp::None };
        let launch = Launch { dispatch, flush, ..Launch::default() };
        if first {
            let table = large(dtype, src.cols);
            let cols = if mode == Row { 1 } else { src.cols };
            let call = mscatter_first(table, src, tile(Int32, src.rows, cols));
            return Call::MscatterFirst(MscatterFirst { atomic, oob, launch, ..call });
        }
        let idx = match mode {
            Row if by_column[1] => padded(Int32, (height, 1), paddings[1]),
            Row => tile(Int32, 1, height),
            Elem => laid_out(padded(Int32, size, paddings[1]), by_column[1]),
        };
        let call = mscatter(mode, large(dtype, width), src, idx);
        Call::Mscatter(Mscatter { atomic, oob, conflict, launch, ..call })
    }
}

/// What the operands of a call are made of, each again and again.
#[derive(Clone, Debug)]
struct Stuff {
    data: Vec<u8>,
    /// Where about an index points, and where there.
    indices: Vec<(u8, u32)>,
    /// Whether some lie a little beyond the table, and others anywhere.
    wild: (bool, bool),
    /// Bytes that the table's memory has beyond its last slot.
    more: usize,
    /// Bytes that table, source and index operand lack.
    cut: [usize; 3],
}

prop_compose! {
    fn any_stuff()(
        data in vec(any::<u8>(), 251),
        indices in vec((0..4_u8, any::<u32>()), 1..100),
        wild in any::<(bool, bool)>(),
        more in prop_oneof![3 => Just(0), 1 => Just(1000_usize)],
        cut in prop::array::uniform3(prop_oneof![6 => Just(0_usize), 1 => 1..70_usize]),
    ) -> Stuff {
        Stuff { data, indices, wild, more, cut }
    }
}

impl Stuff {
    fn memory(&self, call: &Call) -> Memory {
        let (table, src, idx, mode) = match call {
            Call::Mscatter(c) => (&c.table, &c.src, &c.idx, c.mode),
            Call::MscatterFirst(c) if c.idx.cols == 1 => (&c.table, &c.src, &c.idx, Row),
            Call::MscatterFirst(c) => (&c.table, &c.src, &c.idx, Elem),
            _ => unreachable!("none is drawn"),
        };
        let height = table.shape[3].get();
        let end = match mode {
            Row => height as u32,
            Elem => (height * table.shape[4].get()) as u32,
        };
        let index = |(about, at): &(u8, u32)| match about {
            0 => at % 9,
            1 => end - 1 - at % 9,
            2 if self.wild.0 => end.saturating_add(at % 9),
            3 if self.wild.0 && self.wild.1 => *at,
            _ => at % end,
        };
        let indices: Vec<u32> = self.indices.iter().map(index).collect();
        let body = |role, of: &[u8], len: usize, cut| {
            let len = len.saturating_sub(cut);
            (role, of.iter().copied().cycle().take(len).collect())
        };
        let [table_cut, src_cut, idx_cut] = self.cut;
        memory(&[
            body(Role::Table, &self.data, reach(table) + self.more, table_cut),
            body(Role::Source, &self.data[7..], area(src), src_cut),
            body(Role::Index, &bytes(&indices), area(idx), idx_cut),
        ])
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_table_that_notes_writes_gets_the_same_ones(
        call in any_scatter(),
        how in any_how(),
        readings in any_readings(),
        stuff in any_stuff(),
    ) {
        let negative_index = how.readings.negative_index;
        let how = How { readings: Readings { negative_index, ..readings }, ..how };
        let mut plain = stuff.memory(&call);
        let mut parts = noted(&plain);
        let (mut log, mut parts_log) = (Log::default(), Log::default());
        let end = A5.execute(&call, &mut plain, &how, &mut log);
        prop_assert_eq!(&end, &A5.execute(&call, &mut parts, &how, &mut parts_log));
        prop_assert!(end.is_ok());
        prop_assert_eq!(log, parts_log);
        prop_assert!(plain == parts, "{:?} {:?}", call, how);
    }
}
