//! Which reading of a gap a random case is run under.

use ptodiff_isa::*;
use strum::VariantArray;

use super::Form;
use super::Form::{
    Mgather as G, MgatherL1 as L, Mscatter as S, MscatterFirst as F, Tgatherb as B,
    TscatterIndex as I, TscatterMask as M,
};
use super::choices::Choices;

/// A parameter of the readings.
struct Parameter {
    /// The forms whose outcome depends on it, a bit each.
    forms: u32,
    /// How often it is the one that is changed.
    weight: u64,
    /// How many choices it has.
    choices: usize,
    /// Takes a choice by its number; 0 is the default.
    set: fn(&mut Readings, usize),
}

impl Parameter {
    /// Its weight in a case of `form`: none where nothing depends on it.
    const fn weight(&self, form: Form) -> u64 {
        self.weight * (self.forms >> form as u32 & 1) as u64
    }
}

const fn bits(mut forms: &[Form]) -> u32 {
    let mut bits = 0;
    while let [form, others @ ..] = forms {
        bits |= 1 << *form as u32;
        forms = others;
    }
    bits
}

macro_rules! parameters {
    ($($field:ident: $choice:ty, $forms:expr, $weight:literal;)*) => {
        /// Every parameter, in the order of `ptodiff_isa::reading::GAPS`.
        const PARAMETERS: &[Parameter] = &[$(Parameter {
            forms: bits(&$forms),
            weight: $weight,
            choices: <$choice>::VARIANTS.len(),
            set: |readings, choice| readings.$field = <$choice>::VARIANTS[choice],
        }),*];
    };
}

parameters! {
    cpu_form: CpuForm, [S], 20;
    negative_index: NegativeIndex, [S, F, G, L, I], 1;
    nz_elem_order: NzElemOrder, [S], 1;
    add_overflow: AddOverflow, [S, F], 1;
    row_add_order: RowAddOrder, [S], 1;
    max_min_nan: MaxMinNan, [S, F], 1;
    max_min_zero: MaxMinZero, [S, F], 1;
    subnormals: Subnormals, [S, F], 1;
    last_by: LastBy, [S], 1;
    padded_elem: PaddedElem, [S, G], 1;
    burst_tail: BurstTail, [S], 1;
    nz_row_columns: NzRowColumns, [S, G], 1;
    row_capacity: RowCapacity, [S, G], 1;
    outer_strides: OuterStrides, [S, G], 1;
    narrow_row: NarrowRow, [S, G], 1;
    width_check: WidthCheck, [S, G], 1;
    row_pitch: RowPitch, [S, G], 1;
    row_index_pitch: RowIndexPitch, [S, G], 1;
    empty_extent: EmptyExtent, [S, G], 3;
    undefined_last: UndefinedLast, [S], 8;
    undefined_gather: UndefinedGather, [G], 3;
    gather_padding: GatherPadding, [G], 1;
    nd_zero_fill: NdZeroFill, [G], 1;
    cpu_padded_table: CpuPaddedTable, [G], 1;
    cpu_row_check: CpuRowCheck, [G], 1;
    cpu_row_index: CpuRowIndex, [G], 1;
    cpu_table_type: CpuTableType, [G], 1;
    index_unit: IndexUnit, [S, G, L], 3;
    nz_dynamic: NzDynamic, [S, G], 1;
    scope: Scope, [L, I, M], 3;
    l1_row_padding: L1RowPadding, [L], 1;
    l1_scratch_zero: L1ScratchZero, [L], 1;
    l1_index_pitch: L1IndexPitch, [L], 1;
    tscatter_extent: ScatterExtent, [I], 1;
    tscatter_index: ScatterIndex, [I], 1;
    tscatter_unaddressed: Unaddressed, [I], 1;
    tscatter_range: ScatterRange, [I], 1;
    mask_p1111_padding: MaskPadding, [M], 1;
    tgatherb_granularity: OffsetGranularity, [B], 1;
    tgatherb_unaligned: UnalignedOffset, [B], 1;
    tgatherb_boundary: OffsetBoundary, [B], 1;
    first_mode: FirstMode, [F], 1;
    first_conflict: FirstConflict, [F], 1;
    first_row_capacity: FirstRowCapacity, [F], 1;
}

/// The weights of each form's parameters, added up.
const WEIGHTS: [u64; Form::ALL.len()] = {
    let mut weights = [0; Form::ALL.len()];
    let (mut form, mut at) = (0, 0);
    while form < weights.len() {
        while at < PARAMETERS.len() {
            weights[form] += PARAMETERS[at].weight(Form::ALL[form]);
            at += 1;
        }
        (form, at) = (form + 1, 0);
    }
    weights
};

/// The defaults, or with one parameter changed that `form` depends on.
pub(super) fn of_form(choices: &mut impl Choices, form: Form) -> Readings {
    let mut readings = Readings::default();
    if choices.one_in(3) {
        let mut left = choices.below(WEIGHTS[form as usize]);
        for parameter in PARAMETERS {
            let weight = parameter.weight(form);
            if left < weight {
                change(choices, parameter, &mut readings);
                break;
            }
            left -= weight;
        }
    }
    readings
}

/// The defaults, or with any one parameter changed.
pub(super) fn any(choices: &mut impl Choices) -> Readings {
    let mut readings = Readings::default();
    if choices.one_in(3) {
        let at = choices.below(PARAMETERS.len() as u64) as usize;
        change(choices, &PARAMETERS[at], &mut readings);
    }
    readings
}

fn change(choices: &mut impl Choices, parameter: &Parameter, readings: &mut Readings) {
    let others = parameter.choices.saturating_sub(1) as u64;
    (parameter.set)(readings, 1 + choices.below(others) as usize);
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::reading::GAPS;

    use super::*;

    #[test]
    fn the_table_has_every_gap_and_every_choice() {
        assert_eq!(PARAMETERS.len(), GAPS.len());
        for (parameter, gap) in PARAMETERS.iter().zip(GAPS) {
            assert_eq!(parameter.choices, gap.choices.len(), "{}", gap.name);
            assert_ne!(parameter.forms, 0, "{}", gap.name);
            for (number, name) in gap.choices.iter().enumerate() {
                let mut readings = Readings::default();
                (parameter.set)(&mut readings, number);
                assert_eq!(readings.choice(gap.name), Some(*name));
            }
        }
    }
}
