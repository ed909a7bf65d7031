//! Small scatters, every order of their stores tried, against the permits.
//!
//! The other account here knows no closed form: it keeps the set of states
//! that a table can be in and lets the lanes of each call go in every order
//! that the target leaves open. Slot by slot the permits must be that set.

mod common;

use std::collections::BTreeSet;

use common::*;
use ptodiff_contract::{data_duties, legality, permits};
use ptodiff_isa::{
    Call, Coalesce, CpuForm, DType, Dim, Mscatter, NegativeIndex, Readings, Role, ScatterAtomicOp,
    ScatterConflict, ScatterOob, Target, Tile,
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

/// A half in units of 2^-24, its smallest step.
fn half_units(bits: u32) -> i64 {
    let (exp, man) = (bits >> 10 & 31, i64::from(bits & 1023));
    let magnitude = if exp == 0 {
        man
    } else {
        (man + 1024) << (exp - 1)
    };
    if bits & 0x8000 != 0 {
        -magnitude
    } else {
        magnitude
    }
}

/// The half nearest to that many units, found by trying all finite ones.
fn nearest_half(units: i64) -> u32 {
    let sign = if units < 0 { 0x8000 } else { 0 };
    let best = (0..0x7C00_u32).min_by_key(|&b| {
        let far = (half_units(b) - units.abs()).abs();
        (far, b & 1)
    });
    sign | best.unwrap()
}

fn add(dtype: DType, a: u32, b: u32) -> u32 {
    match dtype {
        DType::Int8 => (a as u8).wrapping_add(b as u8).into(),
        DType::Int16 => (a as u16).wrapping_add(b as u16).into(),
        DType::Half => match half_units(a) + half_units(b) {
            0 if a == 0x8000 && b == 0x8000 => 0x8000,
            units => nearest_half(units),
        },
        DType::Bfloat16 => {
            let sum = f32::from_bits(a << 16) + f32::from_bits(b << 16);
            let bits = sum.to_bits();
            if sum.is_nan() {
                0x7FC0
            } else {
                (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
            }
        }
        DType::Float => (f32::from_bits(a) + f32::from_bits(b)).to_bits(),
        _ => a.wrapping_add(b),
    }
}

fn is_nan(dtype: DType, bits: u32) -> bool {
    match dtype {
        DType::Float => f32::from_bits(bits).is_nan(),
        DType::Bfloat16 => f32::from_bits(bits << 16).is_nan(),
        _ => false,
    }
}

/// What a store may leave where `old` stood: `None` once nothing is known.
fn stored(op: ScatterAtomicOp, dtype: DType, old: u32, new: u32) -> Option<Vec<u32>> {
    if op == ScatterAtomicOp::None {
        return Some(vec![new]);
    }
    if op == ScatterAtomicOp::Add {
        let sum = add(dtype, old, new);
        return (!is_nan(dtype, sum)).then(|| vec![sum]);
    }
    let order = match dtype {
        DType::Float => f32::from_bits(old).partial_cmp(&f32::from_bits(new))?,
        DType::Int32 => (old as i32).cmp(&(new as i32)),
        _ => old.cmp(&new),
    };
    let new_wins = match op {
        ScatterAtomicOp::Max => order.is_lt(),
        _ => order.is_gt(),
    };
    Some(match (order.is_eq(), new_wins) {
        (true, _) => vec![old, new],
        (_, true) => vec![new],
        _ => vec![old],
    })
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

fn apply(op: ScatterAtomicOp, dtype: DType, states: &[u32], lanes: &[Store], out: &mut Slots) {
    let mut now: Slots = states.iter().map(|&s| Some([s].into())).collect();
    for lane in lanes {
        let next = now[lane.slot].take().and_then(|values| {
            let mut all = BTreeSet::new();
            for v in values {
                all.extend(stored(op, dtype, v, lane.bits)?);
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
fn run(
    op: ScatterAtomicOp,
    dtype: DType,
    before: &Slots,
    lanes: &[Store],
    any_order: bool,
) -> Slots {
    let mut after = before.clone();
    for (slot, result) in after.iter_mut().enumerate() {
        let mut own: Vec<Store> = lanes.iter().filter(|l| l.slot == slot).copied().collect();
        own.iter_mut().for_each(|l| l.slot = 0);
        let Some(old) = before[slot].clone() else {
            // Only a plain store makes such a slot known again.
            if op == ScatterAtomicOp::None && !own.is_empty() {
                *result = Some(own.iter().map(|l| l.bits).collect());
            }
            continue;
        };
        if own.is_empty() {
            continue;
        }
        let mut all: Slots = vec![Some(BTreeSet::new())];
        for state in old {
            if any_order {
                orders(&mut own, 0, &mut |order| {
                    apply(op, dtype, &[state], order, &mut all);
                });
            } else {
                apply(op, dtype, &[state], &own, &mut all);
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
                f32::INFINITY,
                f32::NAN,
            ])
            .to_bits(),
        DType::Half => random.pick(&[
            0, 0x8000, 0x3C00, 0xBC00, 0x6800, 0xE800, 0x2E66, 0x0001, 0x4248, 0x6801,
        ]),
        DType::Bfloat16 => random.pick(&[
            0, 0x8000, 0x3F80, 0xBF80, 0x4380, 0xC380, 0x3DCD, 0x4040, 0x7F7F, 0x7FC0,
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
    let mut slots: Slots = case.table.iter().map(|&v| Some([v].into())).collect();
    let mut beside = false;
    for (src, idx) in &case.steps {
        let mut lanes = Vec::new();
        for r in 0..rows {
            for c in 0..cols {
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
        }
        let last = call.conflict == ScatterConflict::Last && op == ScatterAtomicOp::None;
        let any_order = case.target == Target::A5 && !last;
        slots = run(op, call.src.dtype, &slots, &lanes, any_order);
    }
    Some((slots, beside))
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
            Slot::Between(low, high) => {
                assert_eq!(dtype, DType::Float, "more writers than are enumerated");
                let value = |b: &[u8]| f32::from_le_bytes(b.try_into().unwrap());
                for v in &all {
                    assert!(
                        value(low) <= value(v) && value(v) <= value(high),
                        "{}",
                        about()
                    );
                }
            }
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
    for _ in 0..150 {
        let call = Mscatter {
            atomic: ScatterAtomicOp::Add,
            ..scatter(
                matrix(DType::Float, 1, 1),
                tile(DType::Float, [2, 8], [2, 3]),
                tile(DType::Int32, [2, 8], [2, 3]),
                Coalesce::Elem,
            )
        };
        let finite = |random: &mut Random| random.pick(&[0.1_f32, 1e8, -1e8, 1.0, 3.7, -0.3]);
        let src = (0..6).map(|_| finite(&mut random).to_bits()).collect();
        compare(&Case {
            call,
            table: vec![finite(&mut random).to_bits()],
            steps: vec![(src, vec![0; 6])],
            readings: Readings::default(),
            target: Target::A5,
        });
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
