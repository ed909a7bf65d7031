//! Small scatters, every order of their stores tried, against the permits.
//!
//! The other account here knows no closed form: it keeps the set of states
//! that a table can be in and lets the lanes of each call go in every order
//! that the target leaves open. Slot by slot the permits must be that set.

mod common;

use std::collections::BTreeSet;

use common::{stores::Stores, *};
use ptodiff_contract::{data_duties, legality, permits};
use ptodiff_isa::{
    AddOverflow, BLayout, Call, Coalesce, CpuForm, DType, Dim, LastBy, MaxMinNan, MaxMinZero,
    Mscatter, NegativeIndex, Readings, Role, RowAddOrder, ScatterAtomicOp, ScatterConflict,
    ScatterOob, Subnormals, Target, Tile,
};

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

/// One store of one lane.
#[derive(Clone, Copy)]
struct Store {
    slot: usize,
    bits: u32,
}

/// The values a slot can hold; `None` if it can hold anything.
type Slots = Vec<Option<BTreeSet<u32>>>;

/// Every order of `lanes`, by swapping.
fn orders(lanes: &mut Vec<Store>, from: usize, visit: &mut impl FnMut(&[Store])) {
    if from == lanes.len() {
        visit(lanes);
        return;
    }
    for i in from..lanes.len() {
        lanes.swap(from, i);
        orders(lanes, from + 1, visit);
        lanes.swap(from, i);
    }
}

fn apply(rules: &Stores, states: &[u32], lanes: &[Store], out: &mut Slots) {
    let mut now: Slots = states.iter().map(|&s| Some([s].into())).collect();
    for lane in lanes {
        let next = now[lane.slot].take().and_then(|values| {
            let mut all = BTreeSet::new();
            for v in values {
                all.extend(rules.leave(v, lane.bits)?);
            }
            Some(all)
        });
        now[lane.slot] = next;
    }
    for (all, one) in out.iter_mut().zip(now) {
        match (all.as_mut(), one) {
            (Some(all), Some(one)) => all.extend(one),
            _ => *all = None,
        }
    }
}

/// How many orders of `lanes` differ: slots are apart, so go slot by slot.
fn run(rules: &Stores, plain: bool, before: &Slots, lanes: &[Store]) -> Slots {
    let mut after = before.clone();
    for (slot, result) in after.iter_mut().enumerate() {
        let mut own: Vec<Store> = lanes.iter().filter(|l| l.slot == slot).copied().collect();
        own.iter_mut().for_each(|l| l.slot = 0);
        let Some(old) = before[slot].clone() else {
            // Only a plain store makes such a slot known again.
            if plain && !own.is_empty() {
                *result = Some(own.iter().map(|l| l.bits).collect());
            }
            continue;
        };
        if own.is_empty() {
            continue;
        }
        let mut all: Slots = vec![Some(BTreeSet::new())];
        for state in old {
            if rules.any_order {
                orders(&mut own, 0, &mut |order| {
                    apply(rules, &[state], order, &mut all);
                });
            } else {
                apply(rules, &[state], &own, &mut all);
            }
        }
        *result = all.remove(0);
    }
    after
}

/// Where an index leads: slot or row number, or away.
fn led(raw: u32, signed: bool, reading: NegativeIndex, oob: ScatterOob, n: i128) -> Led {
    let x = match (signed, reading) {
        (true, NegativeIndex::Signed | NegativeIndex::Intended) => i128::from(raw as i32),
        _ => i128::from(raw),
    };
    let literal = reading == NegativeIndex::Signed;
    let fits = x < n && (literal || x >= 0);
    match oob {
        _ if fits && oob != ScatterOob::Wrap => Led::To(x),
        ScatterOob::Undefined => Led::Undefined,
        ScatterOob::Skip => Led::Away,
        ScatterOob::Clamp if x < 0 => Led::To(0),
        ScatterOob::Clamp => Led::To(n - 1),
        ScatterOob::Wrap if literal => Led::To(x % n),
        ScatterOob::Wrap => Led::To((x % n + n) % n),
    }
}

enum Led {
    To(i128),
    Away,
    Undefined,
}

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
            0x8600,
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
    let oob = random.pick(&[
        ScatterOob::Undefined,
        ScatterOob::Skip,
        ScatterOob::Clamp,
        ScatterOob::Wrap,
    ]);
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
        ..scatter(table, src, idx, mode)
    };
    let size: u64 = table.shape.iter().map(|d| d.get()).product();
    // Mostly in range, and few slots, so that writers meet.
    let range = if random.below(3) == 0 { 12 } else { 3 };
    let lanes = rows * cols;
    let steps = (0..1 + random.below(2))
        .map(|_| {
            let src = (0..lanes).map(|_| values(dtype, random)).collect();
            let idx = (0..lanes)
                .map(|_| match (range, random.below(4)) {
                    (12, 0) => (random.below(4) as u32).wrapping_neg(),
                    _ => random.below(range) as u32,
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
            cpu_form: random.pick(&[CpuForm::Documented, CpuForm::Templated]),
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
            ..Readings::default()
        },
        target,
    }
}

/// What the table may hold, and whether something was written beside it;
/// `None` if an index makes all of it undefined.
fn enumerated(case: &Case) -> Option<(Slots, bool)> {
    let call = &case.call;
    let plain = case.target == Target::Cpu && case.readings.cpu_form == CpuForm::Documented;
    let (mode, op, oob) = if plain {
        (Coalesce::Elem, ScatterAtomicOp::None, ScatterOob::Undefined)
    } else {
        (call.mode, call.atomic, call.oob)
    };
    let shape = call.table.shape.map(|d| i128::from(d.get()));
    let capacity = match (mode, case.target) {
        (Coalesce::Elem, _) => shape.iter().product(),
        (Coalesce::Row, Target::A2a3) => shape[..4].iter().product(),
        (Coalesce::Row, _) => shape[3],
    };
    let reading = if case.target == Target::Cpu {
        NegativeIndex::Unsigned
    } else {
        case.readings.negative_index
    };
    let cols = call.src.valid_col.get() as usize;
    let rows = call.src.valid_row.get() as usize;
    let rules = Stores::of(call, mode, op, case.target, &case.readings);
    let by_storage = case.target == Target::A5
        && case.readings.last_by == LastBy::Storage
        && call.src.blayout == BLayout::ColMajor;
    let mut slots: Slots = case.table.iter().map(|&v| Some([v].into())).collect();
    let mut beside = false;
    for (src, idx) in &case.steps {
        let mut lanes = Vec::new();
        for i in 0..rows * cols {
            // Row mode has one store of a column to a slot, whichever goes first.
            let (r, c) = if by_storage && mode == Coalesce::Elem {
                (i % rows, i / rows)
            } else {
                (i / cols, i % cols)
            };
            let lane = r * cols + c;
            let raw = if mode == Coalesce::Row {
                idx[r]
            } else {
                idx[lane]
            };
            let signed = call.idx.dtype == DType::Int32;
            let number = match led(raw, signed, reading, oob, capacity) {
                Led::Undefined => return None,
                Led::Away => continue,
                Led::To(x) => x,
            };
            let slot = match mode {
                Coalesce::Row => number * cols as i128 + c as i128,
                Coalesce::Elem => number,
            };
            match usize::try_from(slot) {
                Ok(slot) => lanes.push(Store {
                    slot,
                    bits: src[lane],
                }),
                Err(_) => beside = true,
            }
        }
        slots = run(&rules, op == ScatterAtomicOp::None, &slots, &lanes);
    }
    Some((slots, beside))
}

/// Bounds of floats hold all values; those of integers are among them.
fn bounded(dtype: DType, bounds: [&[u8]; 2], all: &BTreeSet<u32>, about: &dyn Fn() -> String) {
    let number = |b: &[u8]| {
        let mut wide = [0; 4];
        wide[..b.len()].copy_from_slice(b);
        match dtype {
            DType::Float => f64::from(f32::from_le_bytes(wide)),
            DType::Int8 => f64::from(wide[0].cast_signed()),
            DType::Int16 => f64::from(i16::from_le_bytes([wide[0], wide[1]])),
            DType::Int32 => f64::from(i32::from_le_bytes(wide)),
            _ => panic!("no interval of so few writers: {}", about()),
        }
    };
    let all: Vec<f64> = all
        .iter()
        .map(|v| number(&v.to_le_bytes()[..dtype.size()]))
        .collect();
    let least = all.iter().copied().fold(f64::INFINITY, f64::min);
    let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let [low, high] = bounds.map(number);
    if dtype == DType::Float {
        assert!(low <= least && most <= high, "{}", about());
    } else {
        assert_eq!([low, high], [least, most], "{}", about());
    }
}

fn compare(case: &Case) -> bool {
    let call = Call::Mscatter(case.call);
    if !legality(&call, case.target, &case.readings).is_empty() {
        return false;
    }
    let dtype = case.call.src.dtype;
    let size = dtype.size();
    let mut table = vec![0; case.table.len() * size];
    for (at, &v) in case.table.iter().enumerate() {
        store(&mut table, size, at, v);
    }
    let cols = case.call.src.valid_col.get() as usize;
    let rows = case.call.src.valid_row.get() as usize;
    let steps: Vec<_> = case
        .steps
        .iter()
        .map(|(src, idx)| {
            let (s, i) = (&case.call.src, &case.call.idx);
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
        })
        .collect();
    let steps: Vec<_> = steps.iter().collect();
    let p = permits(&call, &steps, case.target, &case.readings).unwrap();
    let found = slots(&p, Role::Table, table.len());
    let about = || format!("{} {:?} {:?}", case.target, case.call, case.steps);
    let duties = data_duties(&call, &steps, case.target, &case.readings);
    let Some((expected, beside)) = enumerated(case) else {
        assert!(!duties.is_empty() && found.iter().all(|s| *s == Slot::Anything));
        assert!(p.strays.is_some(), "{}", about());
        return true;
    };
    assert!(duties.is_empty(), "{duties:?} {}", about());
    assert_eq!(p.strays.is_some(), beside, "{}", about());
    for (at, (slot, expected)) in found.iter().zip(&expected).enumerate() {
        let old = &table[at * size..][..size];
        let bytes = |v: &u32| v.to_le_bytes()[..size].to_vec();
        let Some(expected) = expected else {
            assert_eq!(*slot, Slot::Anything, "slot {at}: {}", about());
            continue;
        };
        let mut all: Vec<Vec<u8>> = expected.iter().map(bytes).collect();
        all.sort();
        match slot {
            Slot::Kept => assert_eq!(all, [old.to_vec()], "slot {at}: {}", about()),
            Slot::One(b) => assert_eq!(all, std::slice::from_ref(b), "slot {at}: {}", about()),
            Slot::Several(b) => assert_eq!(all, *b, "slot {at}: {}", about()),
            Slot::Between(low, high) => bounded(dtype, [low, high], expected, &about),
            // A sum that is a NaN in one order, or an operand of Max that is one.
            Slot::Anything => panic!("slot {at}: {expected:?} {}", about()),
        }
    }
    true
}

#[test]
fn permits_are_what_the_orders_give() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut compared = [0; 3];
    for _ in 0..12_000 {
        let mut case = case(&mut random);
        // Five and six float contributions have bounds, not candidates.
        if case.call.atomic == ScatterAtomicOp::Add
            && matches!(
                case.call.src.dtype,
                DType::Half | DType::Bfloat16 | DType::Float
            )
        {
            case.steps.truncate(1);
            let lanes = case.steps[0].0.len() as u64;
            if lanes > 4 && case.call.mode == Coalesce::Elem {
                case.call.src.valid_col = Dim::Static(2);
                case.call.idx.valid_col = Dim::Static(2);
                let keep = |v: &mut Vec<u32>| v.truncate(4);
                case.steps.iter_mut().for_each(|(s, i)| {
                    keep(s);
                    keep(i);
                });
            }
        }
        if compare(&case) {
            compared[case.target as usize] += 1;
        }
    }
    assert!(compared.iter().all(|&n| n > 500), "{compared:?}");
}

#[test]
fn bounds_hold_every_order() {
    // Six contributions to one slot: too many to list, few enough to try.
    let mut random = Random(0xDEAD_BEEF_0BAD_CAFE);
    let small = [1.0, -1.0, 1.5, -1.5, 2.25, 1e7].map(|x| x * f32::MIN_POSITIVE);
    for (subnormals, values) in [
        (Subnormals::Kept, [0.1_f32, 1e8, -1e8, 1.0, 3.7, -0.3]),
        (Subnormals::Flushed, [0.1_f32, 1e8, -1e8, 1.0, 3.7, -0.3]),
        (Subnormals::Flushed, small),
    ] {
        for _ in 0..100 {
            let call = Mscatter {
                atomic: ScatterAtomicOp::Add,
                ..scatter(
                    matrix(DType::Float, 1, 1),
                    tile(DType::Float, [2, 8], [2, 3]),
                    tile(DType::Int32, [2, 8], [2, 3]),
                    Coalesce::Elem,
                )
            };
            let src = (0..6).map(|_| random.pick(&values).to_bits()).collect();
            let compared = compare(&Case {
                call,
                table: vec![random.pick(&values).to_bits()],
                steps: vec![(src, vec![0; 6])],
                readings: Readings {
                    subnormals,
                    ..Readings::default()
                },
                target: Target::A5,
            });
            assert!(compared);
        }
    }
}

#[test]
fn nine_lanes_on_nine_slots() {
    let mut random = Random(42);
    for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
        for atomic in [ScatterAtomicOp::None, ScatterAtomicOp::Max] {
            let call = Mscatter {
                atomic,
                conflict,
                ..scatter(
                    matrix(DType::Int32, 3, 3),
                    tile(DType::Int32, [3, 8], [3, 3]),
                    tile(DType::Int32, [3, 8], [3, 3]),
                    Coalesce::Elem,
                )
            };
            let compared = compare(&Case {
                call,
                table: (100..109).collect(),
                steps: vec![(
                    (1..10).collect(),
                    (0..9).map(|_| random.below(4) as u32).collect(),
                )],
                readings: Readings::default(),
                target: Target::A5,
            });
            assert!(compared);
        }
    }
}
