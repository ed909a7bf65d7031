//! What TSCATTER, TGATHERB and the gather of rows to L1 leave behind, against
//! loops over single elements. The loops work on whole regions, so what lies a
//! little outside an operand is in its guard zone here as there.

use proptest::prelude::*;
use proptest::sample::select;

use crate::common::*;
use crate::property_forms::{any_of, any_readings};
use ptodiff_isa::*;
use ptodiff_model_a5::A5;

/// Where an element of a tile begins in its region.
fn place(tile: &Tile, row: u64, col: u64) -> usize {
    let element = match tile.blayout {
        BLayout::RowMajor => row * tile.cols + col,
        BLayout::ColMajor => col * tile.rows + row,
    };
    GUARD + element as usize * tile.dtype.size()
}

fn positions(tile: &Tile) -> impl Iterator<Item = (u64, u64)> + use<> {
    let (rows, cols) = (tile.valid_row.get(), tile.valid_col.get());
    (0..rows).flat_map(move |row| (0..cols).map(move |col| (row, col)))
}

fn number(bytes: &[u8], at: usize, size: usize) -> usize {
    let digits = bytes[at..][..size].iter().rev();
    digits.fold(0, |number, byte| number * 256 + usize::from(*byte))
}

/// The destination's region after a call in order, no index being negative.
fn expected(call: &Call, before: &Memory, readings: &Readings) -> Vec<u8> {
    let bytes = |role| before.get(role).expect("an operand").bytes();
    let mut out = bytes(Role::Destination).to_vec();
    let from = bytes(Role::Source);
    match call {
        Call::TscatterIndex(TscatterIndex { dst, src, idx }) => {
            if readings.tscatter_unaddressed == Unaddressed::Zero {
                out[GUARD..GUARD + area(dst)].fill(0);
            }
            let size = src.dtype.size();
            for (row, col) in positions(src) {
                let at = place(idx, row, col);
                let index = number(bytes(Role::Index), at, idx.dtype.size());
                let to = match readings.tscatter_index {
                    ScatterIndex::Flat => GUARD + index * size,
                    ScatterIndex::Row => place(dst, index as u64, col),
                };
                let value = &from[place(src, row, col)..][..size];
                out[to..][..size].copy_from_slice(value);
            }
        }
        Call::TscatterMask(TscatterMask {
            dst, src, pattern, ..
        }) => {
            let (factor, lane) = match pattern {
                MaskPattern::P1111 => (1, 0),
                MaskPattern::P0101 => (2, 0),
                MaskPattern::P1010 => (2, 1),
                MaskPattern::P0001 => (4, 0),
                MaskPattern::P0010 => (4, 1),
                MaskPattern::P0100 => (4, 2),
                MaskPattern::P1000 => (4, 3),
            };
            if factor > 1 || readings.mask_p1111_padding != MaskPadding::Kept {
                out[GUARD..GUARD + area(dst)].fill(0);
            }
            let size = src.dtype.size();
            for (row, col) in positions(src) {
                let value = &from[place(src, row, col)..][..size];
                out[place(dst, row, factor * col + lane)..][..size].copy_from_slice(value);
            }
        }
        Call::Tgatherb(Tgatherb { dst, offset, .. }) => {
            let size = dst.dtype.size();
            let unit = match readings.tgatherb_granularity {
                OffsetGranularity::Element => size,
                OffsetGranularity::Block => 32,
            };
            let served = (unit / size) as u64;
            for (row, col) in positions(dst).filter(|(_, col)| col % served == 0) {
                let at = place(offset, row, col / served);
                let mut start = number(bytes(Role::Index), at, 4);
                if readings.tgatherb_unaligned == UnalignedOffset::RoundedDown {
                    start -= start % unit;
                }
                let len = served.min(dst.cols - col) as usize * size;
                let value = &from[GUARD + start..][..len];
                out[place(dst, row, col)..][..len].copy_from_slice(value);
            }
        }
        _ => unreachable!("none is drawn"),
    }
    out
}

prop_compose! {
    /// A gather of rows of a wider table, and its memory.
    fn any_l1_rows()(
        dtype in any_data(),
        (blocks, tall) in (1..=3_u64, 1..=2_u64),
        (rows, short, wider) in (1..=16_u64, 0..=16_u64, 0..=5_u64),
        padding in any_of::<L1RowPadding>(),
        // A tile that ends a little too early, but before its guard zone does.
        cut in select(vec![0, 32, 64]),
        seed in any::<u64>(),
    ) -> (MgatherL1, How, Memory) {
        let width = blocks * 32 / dtype.size() as u64;
        let cols = width.saturating_sub(short).max(1);
        let dst = nz(dtype, 16 * tall, width, rows, cols);
        let table = self::rows(dtype, 8, cols + wider);
        let call = mgather_l1(Coalesce::Row, table, dst, flat(DType::Int32, rows), None);
        let how = reading(|readings| readings.l1_row_padding = padding);
        (call, how, operands(&Call::MgatherL1(call), 8, [0, cut, 0, 0], seed))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_chip_forms_do_what_a_plain_loop_does(
        call in any_tiles(),
        readings in any_readings(),
        seed in any::<u64>(),
    ) {
        // By block all tiles are RowMajor (TGATHERB-GAP-10).
        prop_assume!(match &call {
            Call::Tgatherb(c) => {
                readings.tgatherb_granularity == OffsetGranularity::Element
                    || c.dst.blayout == BLayout::RowMajor
            }
            _ => true,
        });
        let end = match (&call, readings.tscatter_index) {
            // One row further may be beyond the guard zone.
            (Call::TscatterIndex(c), ScatterIndex::Row) => c.dst.rows,
            _ => limit(&call) + 3,
        };
        let before = operands(&call, end, [0; 4], seed);
        let expected = expected(&call, &before, &readings);
        let mut after = before;
        let how = How { readings, ..How::default() };
        let end = A5.execute(&call, &mut after, &how, &mut Log::default());
        prop_assert_eq!(end, Ok(End::Finished));
        let got = after.get(Role::Destination).expect("an operand");
        prop_assert!(got.bytes() == expected, "{:?} {:?}", call, readings);
    }

    #[test]
    fn rows_to_l1_stand_where_a_plain_loop_puts_them((call, how, before) in any_l1_rows()) {
        let bytes = |role| before.get(role).expect("an operand").bytes();
        let mut expected = bytes(Role::Destination).to_vec();
        let size = call.dst.dtype.size();
        let (c0, pitch) = (32 / size, call.table.shape[4].get() as usize);
        let cols = call.dst.valid_col.get() as usize;
        for row in 0..call.dst.valid_row.get() as usize {
            let slot = number(bytes(Role::Index), GUARD + 4 * row, 4);
            for col in 0..cols.next_multiple_of(c0) {
                let unit = col / c0 * call.dst.rows as usize + row;
                let to = &mut expected[GUARD + 32 * unit + col % c0 * size..][..size];
                if col < cols {
                    let from = GUARD + (slot * pitch + col) * size;
                    to.copy_from_slice(&bytes(Role::Table)[from..][..size]);
                } else if how.readings.l1_row_padding != L1RowPadding::Kept {
                    to.fill(0);
                }
            }
        }
        let mut after = before.clone();
        let end = A5.execute(&Call::MgatherL1(call), &mut after, &how, &mut Log::default());
        prop_assert_eq!(end, Ok(End::Finished));
        let got = after.get(Role::Destination).expect("an operand");
        prop_assert!(got.bytes() == expected, "{:?}", call);
    }
}
