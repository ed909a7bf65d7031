//! How simple single elements and whole operands' data are.

use std::sync::LazyLock;

use ptodiff_case::{Case, Fill, IndexPattern, float};
use ptodiff_generate::Slots;
use ptodiff_isa::{Call, DType, Operand, Role};
use strum::VariantArray;

use crate::dims::product;
use crate::words::words;

/// Fills that no seed touches, the simplest first.
pub(super) const SEEDLESS: [Fill; 3] = [Fill::Zeros, Fill::Poison, Fill::Ramp];

/// Indices below are simple whatever they select.
const SMALL: u64 = 9;

/// From here on an index is rather at an edge of its type.
const LARGE: u64 = 1 << 12;

/// Bytes above which literal data is less simple than any that no seed touches: nobody
/// reads through it.
const LONG: usize = 1024;

/// How far the elements of one operand are from the simplest.
pub(super) struct Scale {
    plain: Box<dyn Fn(usize) -> u64>,
    /// Values that a reader knows at sight, the simplest first.
    simple: Vec<u64>,
    /// Edges of this index type and of the others.
    edges: Vec<u64>,
    /// From one slot to the next; none of what is no index.
    unit: Option<u64>,
}

impl Scale {
    /// That of the operand of `role`, which the call of `case` has.
    ///
    /// What a call reads counts 1, 2, 3, ..., so that it shows where a value
    /// came from; what it writes is zero before; indices count the slots.
    pub(super) fn of(case: &Case, role: Role) -> Self {
        let dtype = case.call.operand(role).map_or(DType::Int32, |o| o.dtype());
        if role == Role::Index {
            return Self::of_indices(case, dtype);
        }
        let numbers = Numbers::of(dtype);
        let counts = is_read(&case.call, role);
        Self {
            plain: Box::new(move |at| match counts {
                true => numbers.counted[at % numbers.counted.len()],
                false => 0,
            }),
            simple: numbers.special.iter().copied().flatten().collect(),
            edges: Vec::new(),
            unit: None,
        }
    }

    fn of_indices(case: &Case, dtype: DType) -> Self {
        let ones = u64::MAX >> (64 - 8 * dtype.size());
        let top = ones ^ (ones >> 1);
        let Slots { capacity, unit, .. } = slots(case);
        let mut simple: Vec<u64> = (0..SMALL).collect();
        let mut ends = vec![capacity];
        if let Some(table) = case.call.table() {
            // Where only some dimensions count.
            let shape = &table.shape;
            ends.extend([product(&shape[3..4]), product(&shape[..4]), product(shape)]);
        }
        for slots in ends {
            let end = slots.saturating_mul(unit);
            let before = end.saturating_sub(unit);
            simple.extend([before, end, end.saturating_add(unit), end.saturating_mul(2)]);
        }
        let mut edges = vec![ones, top, top - 1, 1 << 31, (1 << 31) - 1, (1 << 32) - 1];
        for list in [&mut simple, &mut edges] {
            list.retain(|edge| *edge <= ones);
        }
        Self {
            plain: Box::new(move |at| {
                let slot = (at as u64).checked_rem(capacity).unwrap_or(0);
                slot.wrapping_mul(unit) & ones
            }),
            simple,
            edges,
            unit: Some(unit),
        }
    }

    /// The simplest value of element `at`, from 0, as bits.
    pub(super) fn plain(&self, at: usize) -> u64 {
        (self.plain)(at)
    }

    /// 0 for that value, more for others: a smaller number is a simpler value.
    pub(super) fn cost(&self, at: usize, bits: u64) -> u128 {
        if bits == self.plain(at) {
            return 0;
        }
        let place = |list: &[u64]| list.iter().position(|one| *one == bits);
        match (place(&self.simple), place(&self.edges)) {
            (Some(place), _) => 1 + place as u128,
            _ if self.unit.is_none() => 100,
            (_, Some(edge)) if bits >= LARGE => u128::from(2 * LARGE) + edge as u128,
            _ if bits < LARGE => 100 + u128::from(bits),
            _ => u128::from(4 * LARGE) + u128::from(bits),
        }
    }

    /// Values that may do in place of `bits`, the simplest first.
    pub(super) fn instead(&self, bits: u64) -> Vec<u64> {
        let mut all = self.simple.clone();
        all.extend(&self.edges);
        if let Some(unit) = self.unit {
            let nearer = [bits / 2 / unit * unit, bits - bits / 4, bits - bits / 16];
            all.extend(nearer);
            all.extend([bits.saturating_sub(unit), bits.saturating_sub(1)]);
        }
        all
    }
}

/// The numbers of an element type that a reader knows at sight.
struct Numbers {
    /// 1, 2, 3, ... as far as the type tells them apart, or 255.
    counted: Vec<u64>,
    /// Others, each at the same place in every type that has it: 0, 1, -1; of a float 0.5,
    /// -0, the largest finite value, infinities, NaN and the smallest subnormal; of an
    /// integer what stands around its edges.
    special: Vec<Option<u64>>,
}

impl Numbers {
    fn of(dtype: DType) -> &'static Self {
        static ALL: LazyLock<Vec<Numbers>> = LazyLock::new(|| {
            let all = DType::VARIANTS.iter();
            all.map(|dtype| Numbers::new(*dtype)).collect()
        });
        // Every type has an entry, in the order of declaration.
        &ALL[dtype as usize]
    }

    fn new(dtype: DType) -> Self {
        let bits = 8 * dtype.size();
        if dtype.is_integer() {
            let ones = u64::MAX >> (64 - bits);
            let top = ones ^ (ones >> 1);
            let minus_one = dtype.is_signed_integer().then_some(ones);
            return Self {
                counted: (1..(top - 1).min(255)).collect(),
                special: [
                    &[Some(0), Some(1), minus_one][..],
                    &[top, top - 1, ones].map(Some),
                ]
                .concat(),
            };
        }
        let encode = |text: &str| float::encode(dtype, text).ok();
        let most = if bits == 8 { 8 } else { 255 };
        let [infinity, nan] = ["inf", "nan"].map(encode);
        let largest = infinity.or(nan).map(|bits| bits - 1);
        let [one, minus_one, half, minus_zero, below] =
            ["1", "-1", "0.5", "-0.0", "-inf"].map(encode);
        Self {
            counted: (1..=most)
                .filter_map(|n: u8| encode(&n.to_string()))
                .collect(),
            special: vec![
                Some(0),
                one,
                minus_one,
                half,
                minus_zero,
                largest,
                infinity,
                below,
                nan,
                Some(1),
            ],
        }
    }
}

/// The same number as bits of another type, where it is one that a reader knows.
pub(super) fn recoded(bits: u64, from: DType, to: DType) -> Option<u64> {
    let [old, new] = [from, to].map(Numbers::of);
    let special = old.special.iter().position(|one| *one == Some(bits));
    if let Some(at) = special
        // The edges of an integer are none of a float's.
        && (at < 3 || from.is_integer() == to.is_integer())
    {
        return new.special.get(at).copied().flatten();
    }
    let counted = old.counted.iter().position(|one| *one == bits);
    counted.and_then(|at| new.counted.get(at).copied())
}

/// What the indices of a case select among.
pub(super) fn slots(case: &Case) -> Slots {
    let index = case.call.operand(Role::Index);
    Slots::of(&case.call, index.map(Operand::dtype), case.data_readings())
}

/// Whether the call takes its values from the operand of `role`.
fn is_read(call: &Call, role: Role) -> bool {
    role == Role::Source || role == Role::Table && role != call.output()
}

/// How far the data of an operand is from the simplest: first its kind, then
/// the costs of its literal elements.
///
/// What is read is simplest where it counts 1, 2, 3, ...; a table that is
/// written where it is zero; a tile or scratch that is written where it is
/// poison, as where a case says nothing.
pub(super) fn of_data(case: &Case, role: Role) -> (u64, u128) {
    let cost = |bytes: &[u8]| -> u128 {
        let (scale, dtype) = (Scale::of(case, role), case.call.operand(role));
        let elements = words(bytes, dtype.map_or(1, |o| o.dtype().size())).enumerate();
        elements.map(|(at, bits)| scale.cost(at, bits)).sum()
    };
    let Some(fill) = case.data.fill(role) else {
        return match &case.data.index {
            IndexPattern::Literal(bytes) if bytes.len() > LONG => (10, cost(bytes)),
            IndexPattern::Literal(bytes) => (0, cost(bytes)),
            IndexPattern::Same | IndexPattern::Seq => (1, 0),
            _ => (20, 0),
        };
    };
    let is_read = is_read(&case.call, role);
    let untouched = match role {
        Role::Table => Fill::Zeros,
        _ => Fill::Poison,
    };
    match fill {
        fill if !is_read && *fill == untouched => (0, 0),
        Fill::Literal(bytes) if bytes.len() > LONG => (10, cost(bytes)),
        Fill::Literal(bytes) => match cost(bytes) {
            0 if is_read => (0, 0),
            cost => (4, cost),
        },
        fill => match SEEDLESS.iter().position(|one| one == fill) {
            Some(place) => (1 + place as u64, 0),
            None => (20, 0),
        },
    }
}
