//! Sums near the edge of overflow, every order of their writers tried, against the permits.
//!
//! The other account knows no closed form: it lets the lanes of each call go in every order.
//! Calls of every form and reading are drawn in `../../runner/tests/enumerated.rs`, but few
//! sums of them come near the largest number.

use crate::common::{random::Random, same::Seen, *};
use ptodiff_contract::{Permit, Permits, Run};
use ptodiff_isa::{
    Call, Coalesce, DType, Memory, Mscatter, Readings, Role, ScatterAtomicOp, Subnormals, Target,
};

/// Sums in one slot on A5.
struct Sums {
    dtype: DType,
    old: u32,
    /// What is added, of each of one call or two.
    steps: Vec<Vec<u32>>,
    readings: Readings,
}

impl Sums {
    /// Of values near the edge of overflow, with and without infinities, of up to `most`
    /// writers.
    fn any(random: &mut Random, most: u64) -> Self {
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
        let calls = if random.below(4) == 0 { 2 } else { 1 };
        let steps = (0..calls)
            .map(|_| (0..lanes.div_ceil(calls)).map(|_| value(random)).collect())
            .collect();
        Self {
            dtype,
            old: value(random),
            steps,
            readings: Readings {
                subnormals: random.pick(&[Subnormals::Kept, Subnormals::Flushed]),
                ..Readings::default()
            },
        }
    }

    /// Lanes of each call.
    fn lanes(&self) -> usize {
        self.steps[0].len()
    }

    fn call(&self) -> Call {
        let row = |dtype| tile(dtype, [1, 16], [1, self.lanes() as u64]);
        Call::Mscatter(Mscatter {
            atomic: ScatterAtomicOp::Add,
            ..scatter(
                matrix(self.dtype, 1, 1),
                row(self.dtype),
                row(DType::Int32),
                Coalesce::Elem,
            )
        })
    }

    /// The operands of each call. Padding holds what must not show: a NaN, an index of
    /// no use.
    fn memory(&self) -> Vec<Memory> {
        let element = |bits: &u32| bits.to_le_bytes()[..self.dtype.size()].to_vec();
        let mut indices = vec![0; 4 * self.lanes()];
        indices.resize(64, 0xEE);
        let of = |added: &Vec<u32>| {
            let mut source: Vec<u8> = added.iter().flat_map(element).collect();
            source.resize(16 * self.dtype.size(), 0x7F);
            memory(&[
                (Role::Table, &element(&self.old)),
                (Role::Source, &source),
                (Role::Index, &indices),
            ])
        };
        self.steps.iter().map(of).collect()
    }
}

/// Whether some slot has bounds where its values could be listed.
fn has_bounds(p: &Permits, size: usize) -> bool {
    let at = |at: usize| &p.pool[at..][..size];
    // Between two equal ones is no other.
    let is_interval = |run: &Run| match run.permit {
        Permit::Between {
            low, high, wide, ..
        } => wide || at(low) != at(high),
        _ => false,
    };
    runs(p, Role::Table).iter().any(is_interval)
}

/// Of up to eight writers all sums are listed, of twelve mostly.
#[test]
fn sums_at_the_edge_of_overflow() {
    let mut random = Random(0x0F1E_2D3C_4B5A_6978);
    let (mut bounds, mut many) = (0, 0);
    for draw in 0..8_000 {
        // Brute force over so many subsets takes a hundred times as long.
        let most = if draw % 128 == 0 { 12 } else { 8 };
        let sums = Sums::any(&mut random, most);
        let (call, memory) = (sums.call(), sums.memory());
        let steps: Vec<&Memory> = memory.iter().collect();
        let seen = compare(&call, &steps, Target::A5, &sums.readings);
        assert_eq!(seen, Seen::Settled, "draw {draw}");
        let permits = ptodiff_contract::permits(&call, &steps, Target::A5, &sums.readings);
        let writers = sums.lanes() * steps.len();
        if has_bounds(&permits.expect("operands fit"), sums.dtype.size()) {
            assert!(writers > 8, "draw {draw}");
            bounds += 1;
        }
        many += u64::from(writers > 8);
    }
    assert!(bounds * 20 <= many, "{bounds} of {many}");
}
