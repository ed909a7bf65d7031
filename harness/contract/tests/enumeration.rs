//! Small scatters, every order of their stores tried, against the permits.
//!
//! The other account knows no closed form: it lets the lanes of each call go in
//! every order that the target leaves open. Slot by slot the permits must be
//! what those orders reach.

use crate::common::{random::Random, same::Seen, *};
use ptodiff_contract::Permit;
use ptodiff_isa::{
    AddOverflow, CacheFlush, Call, Coalesce, CpuForm, DType, IndexUnit, LastBy, Launch, MaxMinNan,
    MaxMinZero, Memory, Mscatter, NegativeIndex, Readings, Role, RowAddOrder, ScatterAtomicOp,
    ScatterConflict, Subnormals, Target, Tile, UndefinedLast,
};

fn store(bytes: &mut [u8], size: usize, at: usize, bits: u32) {
    bytes[at * size..][..size].copy_from_slice(&bits.to_le_bytes()[..size]);
}

fn place(t: &Tile, r: usize, c: usize) -> usize {
    match t.blayout {
        ptodiff_isa::BLayout::RowMajor => r * t.cols as usize + c,
        ptodiff_isa::BLayout::ColMajor => c * t.rows as usize + r,
    }
}

fn values(dtype: DType, random: &mut Random) -> u32 {
    match dtype {
        DType::Float => random
            .pick(&[
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.1,
                1e8,
                -1e8,
                3.5,
                1e-40,
                16_777_216.0,
                3e38,
                3e38,
                f32::MIN_POSITIVE,
                -1.5 * f32::MIN_POSITIVE,
                f32::INFINITY,
                f32::NAN,
                f32::from_bits(0xFFC0_1234),
            ])
            .to_bits(),
        DType::Half => random.pick(&[
            0, 0x8000, 0x3C00, 0xBC00, 0x6800, 0xE800, 0x2E66, 0x0001, 0x4248, 0x6801, 0x0400,
            0x8600, 0x7BFF, 0x7C00, 0x7E01,
        ]),
        DType::Bfloat16 => random.pick(&[
            0, 0x8000, 0x3F80, 0xBF80, 0x4380, 0xC380, 0x3DCD, 0x4040, 0x7F7F, 0x7FC0, 0x0080,
            0x80C0, 0x8003,
        ]),
        DType::Int8 => random.pick(&[0, 1, 127, 128, 255]),
        DType::Int16 => random.pick(&[0, 1, 0x7FFF, 0x8000, 0xFFFF]),
        _ => random.pick(&[0, 1, 7, 9, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]),
    }
}

#[derive(Clone)]
struct Case {
    call: Mscatter,
    table: Vec<u32>,
    /// Source and index by logical position, of each step.
    steps: Vec<(Vec<u32>, Vec<u32>)>,
    readings: Readings,
    target: Target,
}

fn case(random: &mut Random) -> Case {
    let target = random.pick(&[Target::A2a3, Target::A5, Target::A5, Target::Cpu]);
    let mode = random.pick(&[Coalesce::Row, Coalesce::Elem]);
    let dtype = random.pick(&[
        DType::Int8,
        DType::Int16,
        DType::Int32,
        DType::Uint32,
        DType::Half,
        DType::Bfloat16,
        DType::Float,
        DType::Float,
    ]);
    let (rows, cols) = match mode {
        Coalesce::Row => (1 + random.below(4), 1 + random.below(2)),
        Coalesce::Elem => (1 + random.below(2), 1 + random.below(3)),
    };
    let table = match mode {
        Coalesce::Row => packed(
            dtype,
            [1 + random.below(2), 1, 1, 2 + random.below(2), cols],
            ptodiff_isa::Layout::ND,
        ),
        Coalesce::Elem => matrix(dtype, 1 + random.below(3), 1 + random.below(3)),
    };
    let padded = 32 / dtype.size() as u64;
    let shape = |dtype, valid: [u64; 2], random: &mut Random| {
        if target == Target::A5 && random.below(2) == 0 {
            col_major(dtype, [padded, valid[1]], valid)
        } else {
            tile(dtype, [valid[0], padded], valid)
        }
    };
    let index = random.pick(&[DType::Int32, DType::Uint32]);
    let src = shape(dtype, [rows, cols], random);
    let idx = match mode {
        Coalesce::Row => tile(index, [1, 8], [1, rows]),
        Coalesce::Elem => {
            let mut t = shape(index, [rows, cols], random);
            if target == Target::Cpu {
                t.rows = src.rows;
            }
            t
        }
    };
    let oob = random.pick(&SCATTERS);
    let atomic = random.pick(&[
        ScatterAtomicOp::None,
        ScatterAtomicOp::Add,
        ScatterAtomicOp::Add,
        ScatterAtomicOp::Max,
        ScatterAtomicOp::Min,
    ]);
    let call = Mscatter {
        atomic,
        oob,
        conflict: random.pick(&[ScatterConflict::Last, ScatterConflict::Default]),
        launch: Launch {
            flush: random.pick(&[CacheFlush::Appended, CacheFlush::Missing]),
            ..Launch::default()
        },
        ..scatter(table, src, idx, mode)
    };
    let size: u64 = table.shape.iter().map(|d| d.get()).product();
    // Mostly in range, and few slots, so that writers meet.
    let range = if random.below(3) == 0 { 12 } else { 3 };
    let lanes = rows * cols;
    let cpu_form = random.pick(&[CpuForm::Documented, CpuForm::Templated]);
    let index_unit = random.pick(&[IndexUnit::Element, IndexUnit::Byte]);
    let by_element =
        mode == Coalesce::Elem || (target == Target::Cpu && cpu_form == CpuForm::Documented);
    let unit = match index_unit {
        IndexUnit::Byte if by_element => dtype.size() as u64,
        IndexUnit::Byte | IndexUnit::Element => 1,
    };
    let steps = (0..1 + random.below(2))
        .map(|_| {
            let src = (0..lanes).map(|_| values(dtype, random)).collect();
            let idx = (0..lanes)
                .map(|_| {
                    let number = match (range, random.below(4)) {
                        (12, 0) => random.below(4).wrapping_neg(),
                        _ => random.below(range),
                    };
                    random.index(number, unit, 40) as u32
                })
                .collect();
            (src, idx)
        })
        .collect();
    Case {
        call,
        table: (0..size).map(|_| values(dtype, random)).collect(),
        steps,
        readings: Readings {
            cpu_form,
            index_unit,
            negative_index: random.pick(&[
                NegativeIndex::Unsigned,
                NegativeIndex::Signed,
                NegativeIndex::Intended,
            ]),
            add_overflow: random.pick(&[
                AddOverflow::Wrap,
                AddOverflow::Saturate,
                AddOverflow::Mte3Saturates,
            ]),
            row_add_order: random.pick(&[RowAddOrder::InOrder, RowAddOrder::Any]),
            max_min_nan: random.pick(&[
                MaxMinNan::Anything,
                MaxMinNan::Ignored,
                MaxMinNan::PassedOn,
                MaxMinNan::ByBits,
            ]),
            max_min_zero: random.pick(&[MaxMinZero::Either, MaxMinZero::Ordered]),
            subnormals: random.pick(&[Subnormals::Kept, Subnormals::Flushed]),
            last_by: random.pick(&[LastBy::Logical, LastBy::Storage]),
            undefined_last: random.pick(&[UndefinedLast::Precondition, UndefinedLast::Dropped]),
            ..Readings::default()
        },
        target,
    }
}

/// The operands of one step.
fn step(case: &Case, (src, idx): &(Vec<u32>, Vec<u32>)) -> Memory {
    let (s, i) = (&case.call.src, &case.call.idx);
    let size = s.dtype.size();
    let [rows, cols] = [s.valid_row, s.valid_col].map(|d| d.get() as usize);
    let mut table = vec![0; case.table.len() * size];
    for (at, &v) in case.table.iter().enumerate() {
        store(&mut table, size, at, v);
    }
    // Padding holds what must not show: a NaN, an index of no use.
    let mut src_bytes = vec![0x7F; (s.rows * s.cols) as usize * size];
    let mut idx_bytes = vec![0xEE; (i.rows * i.cols) as usize * 4];
    for r in 0..rows {
        for c in 0..cols {
            store(&mut src_bytes, size, place(s, r, c), src[r * cols + c]);
            if case.call.mode == Coalesce::Elem {
                store(&mut idx_bytes, 4, place(i, r, c), idx[r * cols + c]);
            }
        }
        if case.call.mode == Coalesce::Row {
            store(&mut idx_bytes, 4, r, idx[r]);
        }
    }
    memory(&[
        (Role::Table, &table),
        (Role::Source, &src_bytes),
        (Role::Index, &idx_bytes),
    ])
}

fn steps(case: &Case) -> Vec<Memory> {
    case.steps.iter().map(|s| step(case, s)).collect()
}

fn seen(case: &Case) -> Seen {
    let steps = steps(case);
    let steps: Vec<_> = steps.iter().collect();
    let call = Call::Mscatter(case.call);
    compare(&call, &steps, case.target, &case.readings)
}

/// Whether some slot has bounds where its values could be listed.
fn has_bounds(case: &Case) -> bool {
    let steps = steps(case);
    let steps: Vec<_> = steps.iter().collect();
    let call = Call::Mscatter(case.call);
    let p = ptodiff_contract::permits(&call, &steps, case.target, &case.readings).unwrap();
    let dtype = case.call.table.dtype;
    let at = |at: usize| &p.pool[at..][..dtype.size()];
    // Between two equal ones is no other.
    let is_interval = |run: &ptodiff_contract::Run| match run.permit {
        Permit::Between {
            low, high, wide, ..
        } => wide || at(low) != at(high),
        _ => false,
    };
    runs(&p, Role::Table).iter().any(is_interval)
}

#[test]
fn permits_are_what_the_orders_give() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    // By target and by what an index counts.
    let mut settled = [[0; 2]; 3];
    let mut undefined = [[0; 2]; 3];
    for _ in 0..12_000 {
        let case = case(&mut random);
        let [target, unit] = [case.target as usize, case.readings.index_unit as usize];
        match seen(&case) {
            Seen::Settled => {
                assert!(!has_bounds(&case), "{:?}", case.call);
                settled[target][unit] += 1;
            }
            Seen::Undefined => undefined[target][unit] += 1,
            Seen::Illegal => {}
            Seen::Silent(why) => assert_eq!(why, "several calls without a flush"),
        }
    }
    let more_than = |least, seen: &[[i32; 2]; 3]| seen.iter().flatten().all(|&n| n > least);
    assert!(more_than(250, &settled), "{settled:?}");
    assert!(more_than(50, &undefined), "{undefined:?}");
}

/// A draw of sums in one slot on A5, of values near the edge of overflow, with
/// and without infinities, of up to `most` writers in one call or two.
fn at_the_edge(random: &mut Random, most: u64) -> Case {
    let dtype = random.pick(&[DType::Half, DType::Bfloat16, DType::Float]);
    let [largest, fraction] = match dtype {
        DType::Half => [0x7BFF, 10],
        DType::Bfloat16 => [0x7F7F, 7],
        _ => [0x7F7F_FFFF_u32, 23],
    };
    let sign = 1 << (8 * dtype.size() - 1);
    // Exponents below that of the largest, and how often an infinity or a NaN.
    let (below, special) = (1 + random.below(14), random.pick(&[0, 0, 0, 1, 6]));
    let values: Vec<u32> = (0..3 + random.below(6))
        .map(|_| {
            let exponent = (random.below(below) as u32) << fraction;
            let (any, low) = (random.below(1 << fraction) as u32, (1 << fraction) - 1);
            let significand = random.pick(&[0, 1, 2, low, any]);
            (largest - exponent) & !low | significand | random.pick(&[0, sign])
        })
        .collect();
    // Infinities of one sign, or of both; small numbers.
    let up = random.pick(&[0, sign]);
    let value = |random: &mut Random| match random.below(40) {
        n if n < special => (largest + 1) | if random.below(4) == 0 { up ^ sign } else { up },
        39 if special > 0 && random.below(8) == 0 => largest + 2,
        38 => random.pick(&[0, sign, 1, sign | 1, 1 << fraction]),
        _ => random.pick(&values),
    };
    let lanes = 2 + random.below(most - 1);
    let cut = if random.below(4) == 0 { 2 } else { 1 };
    let mut steps: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
    for _ in 0..cut {
        let n = lanes.div_ceil(cut) as usize;
        let src = (0..n).map(|_| value(random)).collect();
        steps.push((src, vec![0; n]));
    }
    let n = steps[0].0.len() as u64;
    Case {
        call: Mscatter {
            atomic: ScatterAtomicOp::Add,
            ..scatter(
                matrix(dtype, 1, 1),
                tile(dtype, [1, 16], [1, n]),
                tile(DType::Int32, [1, 16], [1, n]),
                Coalesce::Elem,
            )
        },
        table: vec![value(random)],
        steps,
        readings: Readings {
            subnormals: random.pick(&[Subnormals::Kept, Subnormals::Flushed]),
            ..Readings::default()
        },
        target: Target::A5,
    }
}

/// Draws so many: of up to eight writers all is listed, of twelve mostly.
fn hold_at_the_edge(draws: u64) {
    let mut random = Random(0x0F1E_2D3C_4B5A_6978);
    let (mut bounds, mut many) = (0, 0);
    for draw in 0..draws {
        // Brute force over so many subsets takes a hundred times as long.
        let most = if draw % 128 == 0 { 12 } else { 8 };
        let case = at_the_edge(&mut random, most);
        assert_eq!(seen(&case), Seen::Settled, "draw {draw}");
        let writers: usize = case.steps.iter().map(|(src, _)| src.len()).sum();
        if has_bounds(&case) {
            assert!(writers > 8, "draw {draw}");
            bounds += 1;
        }
        many += u64::from(writers > 8);
    }
    assert!(bounds * 20 <= many, "{bounds} of {many}");
}

#[test]
fn sums_at_the_edge_of_overflow() {
    hold_at_the_edge(20_000);
}
