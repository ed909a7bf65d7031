//! Max and Min of floats: NaNs (MSCATTER-GAP-03) and zeros (MSCATTER-GAP-04).

use ptodiff_isa::{Call, Coalesce, DType, MaxMinNan, MaxMinZero, Mscatter, ScatterAtomicOp};
use strum::VariantArray;

use crate::common::{With, flat, full, made, rows, scatter, templated};

use MaxMinNan::{Anything, ByBits, Ignored, PassedOn};
use MaxMinZero::{Either, Ordered};
use ScatterAtomicOp::{Max, Min};

const SIDES: [ScatterAtomicOp; 2] = [Max, Min];
const NANS: &[MaxMinNan] = MaxMinNan::VARIANTS;
const ZEROS: &[MaxMinZero] = MaxMinZero::VARIANTS;

/// The bits of some values of one dtype.
struct Float {
    dtype: DType,
    one: u32,
    two: u32,
    infinity: u32,
    /// The sign bit, hence -0.0.
    sign: u32,
    quiet: u32,
    /// A quiet NaN whose payload is greater.
    quieter: u32,
    signalling: u32,
}

impl Float {
    /// `quiet` is the bit that makes a NaN quiet.
    const fn new(dtype: DType, one: u32, infinity: u32, quiet: u32) -> Self {
        let sign = 1 << (8 * dtype.size() - 1);
        Self {
            dtype,
            one,
            two: sign >> 1,
            infinity,
            sign,
            quiet: infinity + quiet + 1,
            quieter: infinity + quiet + 3,
            signalling: infinity + 1,
        }
    }
}

const FLOATS: [Float; 3] = [
    Float::new(DType::Half, 0x3C00, 0x7C00, 0x0200),
    Float::new(DType::Bfloat16, 0x3F80, 0x7F80, 0x0040),
    Float::new(DType::Float, 0x3F80_0000, 0x7F80_0000, 0x0040_0000),
];

/// Each of the types, under each of some readings.
fn floats_under<T: Copy>(all: &'static [T]) -> impl Iterator<Item = (&'static Float, T)> {
    let under = move |float| all.iter().map(move |reading| (float, *reading));
    FLOATS.iter().flat_map(under)
}

impl Float {
    /// What a slot holds after all of `src` went to it, in either mode.
    fn left(
        &self,
        nan: MaxMinNan,
        zero: MaxMinZero,
        atomic: ScatterAtomicOp,
        slot: u32,
        src: &[u32],
    ) -> u32 {
        let size = self.dtype.size();
        let bits = |bits: &[u32]| -> Vec<u8> {
            let bytes = bits.iter().map(|b| b.to_le_bytes());
            bytes.flat_map(|b| b[..size].to_vec()).collect()
        };
        let count = src.len() as u64;
        let index = full(DType::Int32, [1, count]);
        let elem = scatter(flat(self.dtype, 1), full(self.dtype, [1, count]), index);
        let row = scatter(rows(self.dtype, 1, 1), full(self.dtype, [count, 1]), index)
            .with(|c| c.mode = Coalesce::Row);
        let readings = templated().with(|c| (c.max_min_nan, c.max_min_zero) = (nan, zero));
        let [elem, row] = [elem, row].map(|call| {
            let call = Call::Mscatter(Mscatter { atomic, ..call });
            let operands: [&[u8]; 3] = [&bits(&[slot]), &bits(src), &vec![0; 4 * src.len()]];
            let mut word = [0; 4];
            word[..size].copy_from_slice(&made(readings, call, &operands));
            u32::from_le_bytes(word)
        });
        assert_eq!(elem, row, "{} {atomic}", self.dtype);
        elem
    }

    fn minus(&self, bits: u32) -> u32 {
        bits | self.sign
    }
}

// MSCATTER-GAP-03 (a)
#[test]
fn an_ignored_nan_leaves_it_to_the_numbers() {
    for (it, zero) in floats_under(ZEROS) {
        let left = |op, slot, src: &[u32]| it.left(Ignored, zero, op, slot, src);
        let negative = it.minus(it.quiet);
        let all = [it.quiet, it.two, negative, it.signalling];
        assert_eq!(left(Max, it.one, &all), it.two);
        assert_eq!(left(Min, it.one, &all), it.one);
        // Even the number that the other side would pick last.
        let bottom = it.minus(it.infinity);
        assert_eq!(left(Max, it.quiet, &[it.signalling, bottom]), bottom);
        assert_eq!(left(Max, bottom, &[it.quiet]), bottom);
        assert_eq!(left(Min, negative, &[it.infinity, negative]), it.infinity);
        for op in SIDES {
            let nans = [it.signalling, it.quiet, negative];
            assert!(nans.contains(&left(op, nans[0], &nans[1..])));
        }
    }
}

// MSCATTER-GAP-03 (b)
#[test]
fn a_nan_is_passed_on_bit_for_bit() {
    for (it, zero) in floats_under(ZEROS) {
        for op in SIDES {
            let left = |slot, src: &[u32]| it.left(PassedOn, zero, op, slot, src);
            for nan in [it.quiet, it.minus(it.quiet), it.signalling] {
                assert_eq!(left(nan, &[it.one, it.two]), nan);
                assert_eq!(left(it.two, &[it.one, nan, it.two]), nan);
                assert_eq!(left(it.one, &[it.infinity, nan]), nan);
            }
            let nans = [it.signalling, it.quieter];
            assert!(nans.contains(&left(it.one, &nans)));
            // Among numbers nothing is different.
            let more = if op == Max { it.two } else { it.one };
            assert_eq!(left(it.one, &[it.two]), more);
            assert_eq!(left(it.two, &[it.one]), more);
        }
    }
}

// MSCATTER-GAP-03 (d): a positive NaN is above all numbers, a negative one below.
#[test]
fn bits_rank_nans_beyond_the_infinities() {
    for (it, zero) in floats_under(ZEROS) {
        let left = |op, slot, src: &[u32]| it.left(ByBits, zero, op, slot, src);
        // In increasing order, as signed magnitudes.
        let ranks = [
            it.minus(it.quieter),
            it.minus(it.quiet),
            it.minus(it.signalling),
            it.minus(it.infinity),
            it.minus(it.two),
            it.minus(it.one),
            it.sign,
            0,
            it.one,
            it.two,
            it.infinity,
            it.signalling,
            it.quiet,
            it.quieter,
        ];
        for pair in ranks.windows(2) {
            let (low, high) = (pair[0], pair[1]);
            for (slot, src) in [(low, high), (high, low)] {
                assert_eq!(left(Max, slot, &[src]), high, "{slot:#x} {src:#x}");
                assert_eq!(left(Min, slot, &[src]), low, "{slot:#x} {src:#x}");
            }
        }
        let (top, bottom) = (it.quieter, it.minus(it.quieter));
        assert_eq!(left(Max, it.quiet, &[it.one, top, bottom]), top);
        assert_eq!(left(Min, it.quiet, &[it.one, bottom, top]), bottom);
    }
}

// MSCATTER-GAP-04 (b)
#[test]
fn ordered_zeros_have_a_lesser_one() {
    for (it, nan) in floats_under(NANS) {
        let left = |op, slot, src| it.left(nan, Ordered, op, slot, &[src]);
        for (slot, src) in [(0, it.sign), (it.sign, 0)] {
            assert_eq!(left(Max, slot, src), 0, "{nan}");
            assert_eq!(left(Min, slot, src), it.sign, "{nan}");
        }
        // Other negative numbers rank by their value.
        let (minus_one, minus_two) = (it.minus(it.one), it.minus(it.two));
        assert_eq!(left(Max, minus_one, minus_two), minus_one, "{nan}");
        assert_eq!(left(Min, minus_one, minus_two), minus_two, "{nan}");
        assert_eq!(left(Max, it.sign, minus_one), it.sign, "{nan}");
        assert_eq!(left(Min, 0, it.one), 0, "{nan}");
    }
}

// MSCATTER-GAP-04 (a): either may be left; here it is the slot's, whatever NaNs do.
#[test]
fn the_choice_for_nans_moves_no_zero() {
    for (it, nan) in floats_under(&[Anything, Ignored, PassedOn]) {
        for op in SIDES {
            for (slot, src) in [(0, it.sign), (it.sign, 0)] {
                assert_eq!(it.left(nan, Either, op, slot, &[src]), slot, "{nan}");
            }
        }
    }
}
