//! Sums of floating-point contributions to one slot on A5, in any order (MSCATTER-ATOM-22),
//! against sums of other arithmetic, an order at a time.

use crate::common::{random::Random, *};
use ptodiff_contract::{legality, permits};
use ptodiff_isa::{
    Call, Coalesce, DType, Memory, Mscatter, Readings, Role, ScatterAtomicOp, Subnormals, Target,
};

/// A type of elements, and whether subnormals are flushed (MSCATTER-GAP-80).
#[derive(Clone, Copy, Debug)]
struct Kind {
    dtype: DType,
    flushes: bool,
}

const HALF: Kind = Kind::kept(DType::Half);
const BFLOAT16: Kind = Kind::kept(DType::Bfloat16);
const SINGLE: Kind = Kind::kept(DType::Float);

impl Kind {
    const fn kept(dtype: DType) -> Self {
        Self {
            dtype,
            flushes: false,
        }
    }

    const fn flushed(self) -> Self {
        Self {
            flushes: true,
            ..self
        }
    }

    /// Stored bits of the significand, and the exponent of the smallest normal number.
    const fn layout(self) -> (i32, i32) {
        match self.dtype {
            DType::Half => (10, -14),
            DType::Bfloat16 => (7, -126),
            _ => (23, -126),
        }
    }

    fn normal(self) -> f64 {
        2.0_f64.powi(self.layout().1)
    }

    fn largest(self) -> f64 {
        let (fraction, least) = self.layout();
        (2.0 - 2.0_f64.powi(-fraction)) * 2.0_f64.powi(1 - least)
    }

    /// To the nearest value, of two to the even one.
    fn rounded(self, x: f64) -> f64 {
        if x == 0.0 || !x.is_finite() {
            return x;
        }
        let (fraction, least) = self.layout();
        let exponent = ((x.to_bits() >> 52) & 0x7FF) as i32 - 1023;
        let unit = 2.0_f64.powi(exponent.max(least) - fraction);
        match (x / unit).round_ties_even() * unit {
            y if y.abs() > self.largest() => f64::INFINITY.copysign(x),
            y if self.flushes && y.abs() < self.normal() => 0.0_f64.copysign(x),
            y => y,
        }
    }

    /// The bit pattern of a value.
    fn bits(self, x: f64) -> u32 {
        let bits = (x as f32).to_bits();
        let sign = bits >> 31 << 15;
        match self.dtype {
            DType::Float => bits,
            DType::Bfloat16 => bits >> 16,
            _ if x.is_nan() => 0x7E00,
            _ if x.is_infinite() => sign | 0x7C00,
            _ if x.abs() < self.normal() => sign | (x.abs() * 2.0_f64.powi(24)) as u32,
            _ => sign | ((bits & 0x7FFF_FFFF) - (112 << 23)) >> 13,
        }
    }

    /// The value of the element `bytes`.
    fn value(self, bytes: &[u8]) -> f64 {
        let bits = bytes
            .iter()
            .rev()
            .fold(0, |all, b| all << 8 | u32::from(*b));
        let single = f64::from(f32::from_bits(bits << (32 - 8 * bytes.len())));
        if self.dtype != DType::Half {
            return single;
        }
        let (exponent, fraction) = (bits >> 10 & 0x1F, f64::from(bits & 0x3FF));
        let size = match exponent {
            0x1F if fraction > 0.0 => f64::NAN,
            0x1F => f64::INFINITY,
            0 => fraction * 2.0_f64.powi(-24),
            _ => (1024.0 + fraction) * 2.0_f64.powi(exponent as i32 - 25),
        };
        size.copysign(single)
    }

    /// What the slot may hold that held `old`, the values of each call added.
    fn permitted(self, old: f64, steps: &[Vec<f64>]) -> Permitted {
        let lanes = steps[0].len();
        let padded = lanes.next_multiple_of(16);
        let row = |dtype| tile(dtype, [1, padded as u64], [1, lanes as u64]);
        let (source, index) = (row(self.dtype), row(DType::Int32));
        let call = Call::Mscatter(Mscatter {
            atomic: ScatterAtomicOp::Add,
            ..scatter(matrix(self.dtype, 1, 1), source, index, Coalesce::Elem)
        });
        let size = self.dtype.size();
        let element = |x: &f64| self.bits(*x).to_le_bytes()[..size].to_vec();
        let of = |values: &Vec<f64>| {
            let mut source: Vec<u8> = values.iter().flat_map(element).collect();
            source.resize(padded * size, 0);
            memory(&[
                (Role::Table, &element(&old)),
                (Role::Source, &source),
                (Role::Index, &vec![0; 4 * padded]),
            ])
        };
        let memory: Vec<Memory> = steps.iter().map(of).collect();
        let steps: Vec<&Memory> = memory.iter().collect();
        let readings = Readings {
            subnormals: match self.flushes {
                true => Subnormals::Flushed,
                false => Subnormals::Kept,
            },
            ..Readings::default()
        };
        assert_eq!(legality(&call, Target::A5, &readings), []);
        let permits = permits(&call, &steps, Target::A5, &readings).expect("operands fit");
        let values = |all: &[Vec<u8>]| all.iter().map(|bytes| self.value(bytes)).collect();
        match &slots(&permits, Role::Table, size)[..] {
            [Slot::One(one)] => Permitted::Listed(vec![self.value(one)]),
            [Slot::Several(all)] => Permitted::Listed(values(all)),
            [Slot::Between(low, high)] if low == high => Permitted::Listed(vec![self.value(low)]),
            [Slot::Between(low, high)] => {
                Permitted::Within(self.value(low), self.value(high), vec![])
            }
            [Slot::BetweenOr(low, high, more)] if low == high => Permitted::Listed(values(more)),
            [Slot::BetweenOr(low, high, more)] => {
                Permitted::Within(self.value(low), self.value(high), values(more))
            }
            other => panic!("{other:?}"),
        }
    }

    /// The same of one call, all of it listed.
    fn listed(self, old: f64, values: &[f64]) -> Vec<u32> {
        match self.permitted(old, &[values.to_vec()]) {
            Permitted::Listed(mut all) => {
                all.sort_by(f64::total_cmp);
                all.iter().map(|x| self.bits(*x)).collect()
            }
            within => panic!("{within:?}"),
        }
    }

    /// The same, all of it between two values.
    fn within(self, values: &[f64]) -> [f64; 2] {
        match self.permitted(0.0, &[values.to_vec()]) {
            Permitted::Listed(all) if all.len() == 1 => [all[0]; 2],
            Permitted::Within(low, high, more) if more.is_empty() => [low, high],
            other => panic!("{other:?}"),
        }
    }
}

/// What a slot may hold.
#[derive(Debug)]
enum Permitted {
    /// One of these.
    Listed(Vec<f64>),
    /// What is between two of them, or one of the others.
    Within(f64, f64, Vec<f64>),
}

impl Permitted {
    fn holds(&self, sum: f64) -> bool {
        let is = |x: &f64| x.total_cmp(&sum).is_eq() || x.is_nan() && sum.is_nan();
        match self {
            Self::Listed(all) => all.iter().any(is),
            Self::Within(low, high, more) => {
                let between = low.total_cmp(&sum).is_le() && sum.total_cmp(high).is_le();
                between || more.iter().any(is)
            }
        }
    }
}

/// Of a few exponents or many, of all signs or one, in coarse steps or fine ones; subnormals,
/// equal values, values near overflow.
fn drawn(random: &mut Random, kind: Kind, n: u64) -> Vec<f64> {
    let (fraction, least) = kind.layout();
    let exponents = 2 * (1 - least) as u64;
    let most = random.pick(&[1, 3, 12, exponents]).min(exponents);
    let width = 1 + random.below(most);
    let any = random.below(exponents + 1 - width);
    let from = random.pick(&[0, exponents - width, any]);
    let steps = random.below(fraction as u64 + 1);
    let negative = random.pick(&[0, 1, 20, 20, 39, 40]);
    let equal = random.below(3) == 0;
    let value = |random: &mut Random| {
        let exponent = (from + random.below(width)) as i32;
        let significand = random.below(1 << fraction) >> steps << steps;
        let hidden = if exponent == 0 { 0 } else { 1 << fraction };
        let unit = 2.0_f64.powi(exponent.max(1) - 1 + least - fraction);
        let size = (hidden | significand) as f64 * unit;
        let sign = if random.below(40) < negative {
            -1.0
        } else {
            1.0
        };
        sign * size
    };
    let few = [value(random), value(random), value(random)];
    (0..n)
        .map(|_| match equal {
            true => random.pick(&few),
            false => value(random),
        })
        .collect()
}

/// The sums in orders that lead far, and in some that are drawn.
fn some_orders(random: &mut Random, kind: Kind, old: f64, values: &[f64]) -> Vec<f64> {
    let read = |x: f64| match kind.flushes && x.abs() < kind.normal() {
        true => 0.0_f64.copysign(x),
        false => x,
    };
    let add = |sum: f64, x: f64| kind.rounded(sum + x);
    let (old, mut all) = (
        read(old),
        values.iter().map(|x| read(*x)).collect::<Vec<_>>(),
    );
    let fold = |all: &[f64]| all.iter().fold(old, |sum, x| add(sum, *x));
    let mut sums = vec![fold(&all)];
    let keys: [&dyn Fn(f64) -> f64; 4] = [
        &|x| x,
        &f64::abs,
        // All positive ones first, the smallest or largest before the others.
        &|x| if x > 0.0 { x - 2.0 * kind.largest() } else { x },
        &|x| if x > 0.0 { x } else { x + 2.0 * kind.largest() },
    ];
    for key in keys {
        all.sort_by(|a, b| key(*a).total_cmp(&key(*b)));
        sums.push(fold(&all));
        all.reverse();
        sums.push(fold(&all));
        // The first, the last, the second, and so on.
        let n = all.len();
        let at = |i: usize| {
            if i.is_multiple_of(2) {
                i / 2
            } else {
                n - 1 - i / 2
            }
        };
        sums.push(fold(&(0..n).map(|i| all[at(i)]).collect::<Vec<_>>()));
    }
    // Next is what errs most, up or down, what keeps the sum small, or high but for errors.
    let error = |sum: f64, x: f64| add(sum, x) - sum - x;
    let choices: [&dyn Fn(f64, f64) -> f64; 5] = [
        &error,
        &|sum, x| -error(sum, x),
        &|sum, x| -(sum + x).abs(),
        &|sum, x| 1024.0 * error(sum, x) + x,
        &|sum, x| -1024.0 * error(sum, x) - x,
    ];
    for choice in choices {
        let (mut sum, mut left) = (old, all.clone());
        while !left.is_empty() {
            let order =
                |i: &usize, j: &usize| choice(sum, left[*i]).total_cmp(&choice(sum, left[*j]));
            let best = (0..left.len()).max_by(order).expect("one is left");
            sum = add(sum, left.swap_remove(best));
        }
        sums.push(sum);
    }
    for _ in 0..20 {
        for i in (1..all.len()).rev() {
            all.swap(i, random.below(i as u64 + 1) as usize);
        }
        sums.push(fold(&all));
    }
    sums
}

#[test]
fn what_orders_of_many_reach_is_permitted() {
    let mut random = Random(0x0F1E_2D3C_4B5A_6978);
    let mut within = 0;
    for draw in 0..2_000 {
        let kind = random.pick(&[HALF, BFLOAT16, SINGLE]);
        let kind = random.pick(&[kind, kind, kind.flushed()]);
        let most = random.pick(&[20, 60, 196]);
        let n = 5 + random.below(most);
        let values = drawn(&mut random, kind, n);
        let old = random.pick(&[0.0, values[0], values[1] * 0.5]);
        let old = kind.rounded(old);
        let permitted = kind.permitted(old, std::slice::from_ref(&values));
        for sum in some_orders(&mut random, kind, old, &values) {
            let about = format!("draw {draw}: {kind:?} {old} {values:?}");
            assert!(permitted.holds(sum), "{sum} of {permitted:?}, {about}");
        }
        within += u32::from(matches!(permitted, Permitted::Within(..)));
    }
    assert!(within > 500, "{within}");
}

#[test]
fn wrong_sums_of_many_are_not_permitted() {
    // All orders of ones in half end where 2048 and 1 is 2048.
    assert_eq!(HALF.listed(0.0, &[1.0; 4096]), [HALF.bits(2048.0)]);
    assert_eq!(HALF.listed(0.0, &[-1.0; 4096]), [HALF.bits(-2048.0)]);
    // No order leads past the same of bfloat16_t.
    let by_turns = [1.0, -1.0].repeat(1024);
    assert_eq!(BFLOAT16.within(&by_turns), [-256.0, 256.0]);
    // From 0 to 1: half of the sum is lost, or half of it is there twice.
    let mut random = Random(7);
    let mut uniform = || {
        let values = (0..128).map(|_| (random.below(256) as f64) / 256.0);
        values.collect::<Vec<_>>()
    };
    let values = uniform();
    let total: f64 = values.iter().sum();
    let [low, high] = BFLOAT16.within(&values);
    assert!(0.85 * total < low && high < 1.3 * total, "{low} {high}");
    // Around 0: 128 errors of at most 1/16, half of that in the mean.
    let values: Vec<f64> = uniform().iter().map(|x| x - 0.5).collect();
    let total: f64 = values.iter().sum();
    let [low, high] = BFLOAT16.within(&values);
    assert!(total - 4.5 < low && high < total + 4.5, "{low} {high}");
    // Small ones of both signs, about 2 together, are lost or there twice.
    let small = uniform().into_iter().flat_map(|x| [x / 64.0, -x / 64.0]);
    let values: Vec<f64> = small.chain([200.0]).collect();
    let [low, high] = BFLOAT16.within(&values);
    assert!(low >= 196.0 && high <= 204.0, "{low} {high}");
}

#[test]
fn exact_sums_have_one_result_whatever_their_number() {
    let single = |x: f32| [x.to_bits()];
    assert_eq!(SINGLE.listed(0.25, &[0.5; 1000]), single(500.25));
    // 2^11 units of half are the most that eleven bits hold.
    assert_eq!(HALF.listed(0.0, &[1.0, 1.0, 1.0, 1.0, 2044.0]), [0x6800]);
    assert_eq!(SINGLE.listed(-0.0, &[-0.0; 7]), single(-0.0));
    assert_eq!(SINGLE.listed(0.0, &[-0.0; 7]), single(0.0));
    assert_eq!(SINGLE.listed(-0.0, &[1.0, -1.0, -0.0]), single(0.0));
}

/// More contributions than orders of them are followed.
#[test]
fn so_many_that_only_what_is_exact_is_known() {
    let by_turns = |value: f64| [value, -value].repeat(1000);
    let half = |x: f64| [HALF.bits(x)];
    // Half holds 2^11 units of 2.
    assert_eq!(HALF.listed(0.0, &[2.0; 1500]), half(3000.0));
    assert_eq!(HALF.listed(0.0, &[2.0; 2048]), half(4096.0));
    assert_eq!(HALF.listed(3.0, &by_turns(1.0)), half(3.0));
    // MSCATTER-GAP-80: differences of whole units are no smaller than one.
    let unit = HALF.normal();
    assert_eq!(HALF.flushed().listed(unit, &by_turns(unit)), half(unit));
    // The largest half.
    assert_eq!(HALF.listed(0.0, &[32.0; 2047]), half(65504.0));
    let mut both = vec![1.0; 1500];
    both[3] = f64::INFINITY;
    both[1100] = f64::NEG_INFINITY;
    assert_eq!(HALF.listed(0.0, &both), half(f64::NAN));
}

#[test]
fn infinities() {
    let [single, half] = [SINGLE, HALF].map(|kind| move |x: f64| kind.bits(x));
    let up = [f64::INFINITY, 1.0, 2.0, 3.0, 4.0];
    assert_eq!(SINGLE.listed(0.0, &up), [single(f64::INFINITY)]);
    assert_eq!(SINGLE.listed(f64::NEG_INFINITY, &up), [single(f64::NAN)]);
    // -inf and then +inf in one order, +inf in the others.
    let up_or_nan = [f64::INFINITY, f64::NAN].map(single);
    for count in [2, 4, 40] {
        let mut down = vec![-3e38; count];
        down[1] = f64::INFINITY;
        assert_eq!(SINGLE.listed(-3e38, &down), up_or_nan);
    }
    // Both are reached before the one that is added.
    let all = [60000.0, 60000.0, -60000.0, -60000.0, f64::NEG_INFINITY];
    assert_eq!(
        HALF.listed(0.0, &all),
        [f64::NEG_INFINITY, f64::NAN].map(half)
    );
    let finite = [f64::NEG_INFINITY, 0.0, f64::INFINITY].map(half);
    assert_eq!(HALF.listed(0.0, &all[..4]), finite);
    // What the slot holds comes first, and no finite sum before it.
    let large = [3e38, -3e38].repeat(50);
    let up = large.iter().enumerate().map(|(i, x)| x - 1e30 * i as f64);
    let up: Vec<f64> = up.map(|x| SINGLE.rounded(x)).collect();
    assert_eq!(SINGLE.listed(f64::INFINITY, &up), [single(f64::INFINITY)]);
}

#[test]
fn nan_in_every_order() {
    let nan = [SINGLE.bits(f64::NAN)];
    // Whatever else there is, and however many.
    for count in 1..30 {
        let mut values = vec![3e38; count];
        assert_eq!(SINGLE.listed(f64::NAN, &values), nan);
        values[count - 1] = f64::NAN;
        assert_eq!(SINGLE.listed(0.0, &values), nan);
        values[count - 1] = f64::NEG_INFINITY;
        assert_eq!(SINGLE.listed(f64::INFINITY, &values), nan);
        values.push(f64::INFINITY);
        assert_eq!(SINGLE.listed(0.0, &values), nan);
    }
    // The first call overflows in every order.
    for more in [vec![], vec![-3e38]] {
        let first = [vec![-3e38, -3e38], more.clone()].concat();
        let then = [vec![f64::INFINITY, -3e38], more].concat();
        match SINGLE.permitted(0.0, &[first, then]) {
            Permitted::Listed(all) => assert!(all.len() == 1 && all[0].is_nan(), "{all:?}"),
            within => panic!("{within:?}"),
        }
    }
}
