//! What small calls vary over.

use ptodiff_isa::{GatherOob, ScatterOob, Target};

/// Every target.
pub(super) const TARGETS: [Target; 3] = [Target::Cpu, Target::A2a3, Target::A5];

/// Every policy of a scatter.
pub(super) const SCATTERS: [ScatterOob; 4] = [
    ScatterOob::Undefined,
    ScatterOob::Skip,
    ScatterOob::Clamp,
    ScatterOob::Wrap,
];

/// Every policy of a gather, beside its counterpart in [`SCATTERS`].
pub(super) const GATHERS: [GatherOob; 4] = [
    GatherOob::Undefined,
    GatherOob::Zero,
    GatherOob::Clamp,
    GatherOob::Wrap,
];

/// Most rows and columns of a valid region.
const SIDE: u64 = 3;

/// Most slots or rows that indices name.
const CAPACITY: u64 = 4;

/// An index vector and the capacity that it is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Indices {
    /// Slots, or rows in Row mode, that an index may name.
    pub(super) capacity: u64,
    /// One index a lane.
    pub(super) vector: Vec<i64>,
}

impl Indices {
    /// Every vector of `lanes` numbers for every capacity up to four: those
    /// below it, the first one beyond, and -1, or without the last ones where
    /// that makes more than `most` vectors.
    pub(super) fn all(lanes: u64, most: u64) -> impl Iterator<Item = Self> {
        (1..=CAPACITY).flat_map(move |capacity| {
            let count = |beyond: u64| (capacity + beyond).checked_pow(lanes as u32);
            let fits = |&beyond: &u64| count(beyond).is_some_and(|n| n <= most);
            let beyond = (0..=2).rev().find(fits);
            let vectors = beyond.map(|beyond| {
                let base = capacity + beyond;
                let nth = move |n| Self {
                    capacity,
                    vector: digits(n, base, lanes, capacity),
                };
                (0..base.pow(lanes as u32)).map(nth)
            });
            vectors.into_iter().flatten()
        })
    }

    /// Whether some index names nothing.
    pub(super) fn beyond(&self) -> bool {
        let held = 0..self.capacity as i64;
        !self.vector.iter().all(|i| held.contains(i))
    }
}

/// The digits of `n`; the second one beyond the capacity stands for -1.
fn digits(mut n: u64, base: u64, lanes: u64, capacity: u64) -> Vec<i64> {
    let mut digit = || {
        let digit = n % base;
        n /= base;
        if digit > capacity { -1 } else { digit as i64 }
    };
    (0..lanes).map(|_| digit()).collect()
}

/// Every [rows, columns] up to 3x3.
pub(super) fn extents() -> impl Iterator<Item = [u64; 2]> {
    (1..=SIDE).flat_map(|r| (1..=SIDE).map(move |c| [r, c]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_all_there_is_below_the_bound() {
        let all: Vec<_> = Indices::all(2, 9).collect();
        // 1 slot with two beyond, 2 with one, 3 with none, 4 too many.
        let counts = [(1, 9), (2, 9), (3, 9), (4, 0)];
        for (capacity, count) in counts {
            let mut of: Vec<_> = all.iter().filter(|a| a.capacity == capacity).collect();
            assert_eq!(of.len(), count, "{capacity}");
            of.sort_by(|a, b| a.vector.cmp(&b.vector));
            of.dedup();
            assert_eq!(of.len(), count, "{capacity}");
        }
        let told = |capacity, vector: &[i64]| {
            let vector = vector.to_vec();
            Indices { capacity, vector }
        };
        assert!(all.contains(&told(1, &[-1, 1])) && told(1, &[0, -1]).beyond());
        assert!(all.contains(&told(2, &[2, 1])) && told(2, &[2, 1]).beyond());
        assert!(all.contains(&told(3, &[2, 0])) && !told(3, &[2, 0]).beyond());
    }
}
