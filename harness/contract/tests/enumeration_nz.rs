//! Scatters and gathers of A2/A3 over NZ tables, packed and padded, against the permits.

use crate::common::{random::Random, same::Seen, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use Target::A2a3;

const OPEN: [&str; 2] = [
    "two readings speak of the same columns",
    "where a negative row lies is not told",
];

/// The operands that scatter and gather have in common.
struct Case {
    data: Tile,
    idx: Tile,
    table: GlobalTensor,
    mode: Coalesce,
    unit: IndexUnit,
    numbers: Vec<u8>,
}

impl Case {
    fn any(random: &mut Random) -> Self {
        let dtype = random.pick(&[DType::Int32, DType::Float, DType::Half, DType::Int8]);
        let mode = random.pick(&[Row, Elem]);
        let wide = 32 / dtype.size() as u64;
        let shape = random.pick(&[[1, 1, 1], [1, 2, 1], [2, 1, 1], [1, 1, 2], [2, 2, 1]]);
        let [batches, blocks, block_rows] = shape;
        let mut table = packed(dtype, [batches, blocks, block_rows, 16, wide], Layout::NZ);
        if random.below(3) == 0 {
            // Room behind each block row, each block and each batch.
            let mut room = table.shape[3].get() * table.stride[3].get();
            for (dim, count) in [(2, block_rows), (1, blocks), (0, batches)] {
                let stride = room + random.pick(&[0, wide, 5]);
                table.stride[dim] = Dim::Static(stride);
                room = stride * count;
            }
        }
        if random.below(4) == 0 {
            table.shape[3] = Dim::Dynamic(16);
        }
        let columns = batches * blocks * wide;
        let rows = 1 + random.below(3);
        let cols = random.pick(&[1, wide - 1, columns, columns]);
        let lanes = if mode == Row { 1 } else { cols };
        let idx = match mode {
            Row => tile(DType::Int32, [1, 8], [1, rows]),
            Elem => tile(DType::Int32, [rows, columns], [rows, cols]),
        };
        let count = block_rows * 16;
        // Elements meet in few slots, rows are few.
        let capacity = if mode == Row { count } else { count * columns };
        let few = 1 + random.below(capacity.min(40));
        let unit = random.pick(&[IndexUnit::Element, IndexUnit::Byte]);
        let step = match (unit, mode) {
            (IndexUnit::Byte, Elem) => dtype.size() as u64,
            (IndexUnit::Byte, Row) | (IndexUnit::Element, _) => 1,
        };
        let numbers = random.elements(idx.rows * idx.cols, 4, |random| {
            let number = match random.below(8 + lanes) {
                0 => capacity + random.below(3),
                1 => random.below(3).wrapping_neg(),
                2 => capacity - 1,
                _ => random.below(few),
            };
            random.index(number, step, 20 + 4 * lanes)
        });
        Self {
            data: nz_tile(dtype, [16, columns], [rows, cols]),
            idx,
            table,
            mode,
            unit,
            numbers,
        }
    }

    /// Random choices of these gaps, and what the indices count.
    fn readings(&self, random: &mut Random, gaps: &[&str]) -> Readings {
        Readings {
            index_unit: self.unit,
            ..random.readings(gaps)
        }
    }

    fn data(&self, n: u64, random: &mut Random) -> Vec<u8> {
        let dtype = self.data.dtype;
        // Patterns of small magnitude: subnormals and numbers alike.
        random.elements(n, dtype.size(), |random| match dtype {
            DType::Float => random.pick(&[1, 0x3F80_0000, 0xBF80_0000, 0x4CBE_BC20]),
            DType::Half => random.pick(&[1, 0x3C00, 0xBC00, 0x6801]),
            _ => random.below(256),
        })
    }
}

fn scattered(case: &Case, random: &mut Random) -> Seen {
    let call = Mscatter {
        atomic: random.pick(&[ScatterAtomicOp::None, ScatterAtomicOp::Add]),
        oob: random.pick(&SCATTERS),
        ..scatter(case.table, case.data, case.idx, case.mode)
    };
    let readings = case.readings(
        random,
        &[
            "nz-row-columns",
            "nz-elem-order",
            "nz-dynamic",
            "negative-index",
            "add-overflow",
            "subnormals",
            "padded-elem",
        ],
    );
    let step = |random: &mut Random| {
        memory(&[
            (Role::Table, &case.data(reach(&case.table), random)),
            (
                Role::Source,
                &case.data(case.data.rows * case.data.cols, random),
            ),
            (Role::Index, &case.numbers),
        ])
    };
    let steps = [step(random), step(random)];
    let steps: Vec<_> = steps.iter().take(1 + random.below(2) as usize).collect();
    compare(&Call::Mscatter(call), &steps, A2a3, &readings)
}

fn gathered(case: &Case, random: &mut Random) -> Seen {
    let call = Mgather {
        oob: random.pick(&GATHERS),
        ..gather(case.data, case.table, case.idx, case.mode)
    };
    let readings = case.readings(
        random,
        &[
            "nz-row-columns",
            "nz-dynamic",
            "negative-index",
            "gather-padding",
            "nd-zero-fill",
            "undefined-gather",
        ],
    );
    let m = memory(&[
        (
            Role::Destination,
            &case.data(case.data.rows * case.data.cols, random),
        ),
        (Role::Table, &case.data(reach(&case.table), random)),
        (Role::Index, &case.numbers),
    ]);
    compare(&Call::Mgather(call), &[&m], A2a3, &readings)
}

#[test]
fn permits_are_what_the_blocks_give() {
    let mut random = Random(0x00C0_FFEE_0000_5EED);
    for one in [scattered, gathered] {
        // By mode and what an index counts: settled and undefined.
        let mut all = [[[0; 2]; 2]; 2];
        for _ in 0..1400 {
            let case = Case::any(&mut random);
            let seen = &mut all[case.mode as usize][case.unit as usize];
            match one(&case, &mut random) {
                Seen::Settled => seen[0] += 1,
                Seen::Undefined => seen[1] += 1,
                Seen::Illegal => {}
                Seen::Silent(why) => assert!(OPEN.contains(&why), "{why}"),
            }
        }
        let mut seen = all.iter().flatten();
        assert!(seen.all(|s| s[0] > 80 && s[1] > 5), "{all:?}");
    }
}
