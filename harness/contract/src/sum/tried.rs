//! Every order of a few additions.

use crate::{
    float::{Format, Rounding},
    sum::{ORDERS, Sum, Term, one_of},
};

/// Tries all orders of a few terms.
pub(super) fn tried<F: Format>(old: f64, terms: &[Term]) -> Sum {
    let mut found = Found {
        bits: [0; ORDERS],
        count: 0,
        nan: false,
    };
    orders::<F>(old, terms, 0, &mut found);
    let sums = &mut found.bits[..found.count];
    sums.sort_unstable();
    one_of::<F>(sums, found.nan)
}

struct Found {
    bits: [u32; ORDERS],
    count: usize,
    nan: bool,
}

impl Found {
    fn add(&mut self, bits: u32) {
        if !self.bits[..self.count].contains(&bits) {
            self.bits[self.count] = bits;
            self.count += 1;
        }
    }
}

fn orders<F: Format>(sum: f64, terms: &[Term], done: u32, found: &mut Found) {
    // Terms come step by step.
    let first = done.trailing_ones() as usize;
    let Some(Term { step, .. }) = terms.get(first) else {
        if sum.is_nan() {
            found.nan = true;
        } else {
            found.add(F::encode(sum, Rounding::Nearest));
        }
        return;
    };
    let same_step = (first..)
        .zip(&terms[first..])
        .take_while(|(_, t)| t.step == *step);
    for (i, term) in same_step.filter(|(i, _)| done & (1 << i) == 0) {
        orders::<F>(F::add(sum, term.value), terms, done | (1 << i), found);
    }
}
