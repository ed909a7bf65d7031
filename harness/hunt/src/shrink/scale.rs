//! How simple single elements and whole operands' data are.

use ptodiff_case::{Case, Fill, IndexPattern};
use ptodiff_generate::Slots;
use ptodiff_isa::{Call, DType, Operand, Role};

use super::number::{MINUS_ONE, Numbers};
use crate::dims::product;
use crate::words::words;

/// Indices up to here are simple whatever they select.
const SMALL: u64 = 8;

/// From here on an index is rather at an edge of its type.
const LARGE: u64 = 1 << 12;

/// How far the elements of one operand are from the simplest.
pub(super) trait Scale {
    /// The simplest value of element `at`, from 0, as bits.
    fn plain(&self, at: usize) -> u64;

    /// 0 for that value, more for others: a smaller number is a simpler value.
    fn cost(&self, at: usize, bits: u64) -> u128;

    /// Values that may do in place of `bits`, the simplest first.
    fn instead(&self, bits: u64) -> Vec<u64>;
}

/// That of the operand of `role`.
pub(super) fn of(case: &Case, role: Role) -> Option<Box<dyn Scale>> {
    let dtype = case.call.operand(role)?.dtype();
    Some(match role {
        Role::Index => Box::new(Indices::new(case, dtype)),
        _ => Box::new(Values::new(&case.call, role, dtype)),
    })
}

/// The scale of a data operand.
pub(super) struct Values {
    numbers: &'static Numbers,
    counts: bool,
}

impl Values {
    /// That of the operand of `role` with elements of `dtype`.
    ///
    /// What a call reads counts 1, 2, 3, ..., so that it shows where a value
    /// came from; what it writes is zero before.
    pub(super) fn new(call: &Call, role: Role, dtype: DType) -> Self {
        Self {
            numbers: Numbers::of(dtype),
            counts: is_read(call, role),
        }
    }
}

/// Whether the call takes its values from the operand of `role`.
fn is_read(call: &Call, role: Role) -> bool {
    match role {
        Role::Source => true,
        Role::Table => role != call.output(),
        Role::Destination | Role::Index | Role::Scratch => false,
    }
}

impl Scale for Values {
    fn plain(&self, at: usize) -> u64 {
        if self.counts {
            self.numbers.counted(at as u64)
        } else {
            0
        }
    }

    fn cost(&self, at: usize, bits: u64) -> u128 {
        if bits == self.plain(at) {
            return 0;
        }
        match self.numbers.place(bits) {
            Some(place @ 0..=1) => 1 + place as u128,
            Some(MINUS_ONE) => 3,
            // Whole numbers, then the others.
            Some(place) => 4 + place.saturating_sub(MINUS_ONE) as u128,
            None => 20,
        }
    }

    fn instead(&self, _: u64) -> Vec<u64> {
        self.numbers.plain()
    }
}

/// The scale of the index operand.
struct Indices {
    /// The first stored value past the slots.
    end: u64,
    /// From one slot to the next in what is stored.
    unit: u64,
    /// Where slots end or may end, the likeliest first.
    ends: Vec<u64>,
    /// Edges of this index type and of the others.
    edges: Vec<u64>,
    /// The bits of an element.
    ones: u64,
}

impl Indices {
    /// That of the indices of `case`, with elements of `dtype`.
    fn new(case: &Case, dtype: DType) -> Self {
        let ones = u64::MAX >> (64 - 8 * dtype.size());
        let top = ones ^ (ones >> 1);
        let end = end(case);
        let unit = unit(case);
        let mut ends = Vec::new();
        for limit in [end].into_iter().chain(other_ends(&case.call)) {
            ends.extend([
                limit.saturating_sub(unit),
                limit,
                limit.saturating_add(unit),
                limit.saturating_mul(2),
            ]);
        }
        let mut edges = vec![ones, top, top - 1, 1 << 31, (1 << 31) - 1, (1 << 32) - 1];
        ends.retain(|end| *end <= ones);
        edges.retain(|edge| *edge <= ones);
        Self {
            end,
            unit,
            ends,
            edges,
            ones,
        }
    }
}

impl Scale for Indices {
    fn plain(&self, at: usize) -> u64 {
        let slot = (at as u64).checked_rem(self.end / self.unit).unwrap_or(0);
        slot.wrapping_mul(self.unit) & self.ones
    }

    fn cost(&self, at: usize, bits: u64) -> u128 {
        let place = |list: &[u64]| list.iter().position(|edge| *edge == bits);
        if bits == self.plain(at) {
            0
        } else if bits <= SMALL {
            1 + u128::from(bits)
        } else if let Some(end) = place(&self.ends) {
            16 + end as u128
        } else if bits < LARGE {
            64 + u128::from(bits)
        } else if let Some(edge) = place(&self.edges) {
            u128::from(2 * LARGE) + edge as u128
        } else {
            u128::from(4 * LARGE) + u128::from(bits)
        }
    }

    fn instead(&self, bits: u64) -> Vec<u64> {
        let mut all = vec![0, 1, 2];
        all.extend(&self.ends);
        all.extend(
            (0..)
                .map(|k| SMALL << k)
                .take_while(|number| *number < LARGE),
        );
        all.extend(&self.edges);
        all.extend([bits / 2, bits / 2 / self.unit * self.unit]);
        all.extend([bits - bits / 4, bits - bits / 16]);
        all.extend([bits.saturating_sub(self.unit), bits.saturating_sub(1)]);
        all
    }
}

/// What the indices of a case select among.
fn slots(case: &Case) -> Slots {
    let index = case.call.operand(Role::Index);
    Slots::of(&case.call, index.map(Operand::dtype), case.data_readings())
}

/// The first stored index past the slots that the indices of a case select
/// among, as far as one can say without deciding a gap: an edge to aim at.
pub(super) fn end(case: &Case) -> u64 {
    let Slots { capacity, unit, .. } = slots(case);
    capacity.saturating_mul(unit)
}

/// From one slot to the next in what is stored.
pub(super) fn unit(case: &Case) -> u64 {
    slots(case).unit
}

/// Where slots may end too: where only some dimensions of the table count, or
/// only the valid region of a tile.
fn other_ends(call: &Call) -> Vec<u64> {
    match (call.table(), call) {
        (Some(table), _) => vec![
            table.shape[3].get(),
            product(&table.shape[..4]),
            product(&table.shape),
        ],
        (None, Call::TscatterIndex(call)) => {
            vec![product(&[call.dst.valid_row, call.dst.valid_col])]
        }
        (None, _) => Vec::new(),
    }
}

/// How far the data of an operand is from the simplest: first its kind, then
/// the costs of its literal elements.
///
/// What is read is simplest where it counts 1, 2, 3, ...; a table that is
/// written where it is zero; a tile or scratch that is written where it is
/// poison.
pub(super) fn of_data(case: &Case, role: Role) -> (u64, u128) {
    let (Some(operand), Some(scale)) = (case.call.operand(role), of(case, role)) else {
        return (0, 0);
    };
    let cost = |bytes: &[u8]| -> u128 {
        let elements = words(bytes, operand.dtype().size()).enumerate();
        elements.map(|(at, bits)| scale.cost(at, bits)).sum()
    };
    let Some(fill) = case.data.fill(role) else {
        return match &case.data.index {
            IndexPattern::Literal(bytes) => (0, cost(bytes)),
            IndexPattern::Same | IndexPattern::Seq => (1, 0),
            _ => (20, 0),
        };
    };
    let kind = match fill {
        Fill::Poison if is_filled_with_poison(role) => 0,
        Fill::Zeros if !is_read(&case.call, role) && !is_filled_with_poison(role) => 0,
        Fill::Zeros => 1,
        Fill::Poison => 2,
        Fill::Literal(bytes) => {
            let cost = cost(bytes);
            let counts = cost == 0 && is_read(&case.call, role);
            return (if counts { 0 } else { 3 }, cost);
        }
        Fill::Rows(_) => 3,
        Fill::Arange => 4,
        Fill::Ramp => 5,
        Fill::RampBits => 6,
        Fill::Eighths => 7,
        Fill::Special => 8,
        Fill::SmallInts | Fill::Percent | Fill::Distinct | Fill::RandomBits => 20,
    };
    (kind, 0)
}

/// Whether the operand holds poison before the call unless a case says otherwise.
const fn is_filled_with_poison(role: Role) -> bool {
    matches!(role, Role::Destination | Role::Scratch)
}
