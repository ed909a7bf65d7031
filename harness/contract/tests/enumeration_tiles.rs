//! Small scatters whose order of stores is open, every order tried: TSCATTER
//! by index, and plain stores of the first revision of MSCATTER.

mod common;

use std::collections::BTreeSet;

use common::{calls::*, *};
use ptodiff_contract::{data_duties, legality, permits};
use ptodiff_isa::*;

use Target::{A2a3, A5, Cpu};

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

/// One store: where, and what.
type Store = (usize, u64);

/// Visits every order of `stores`.
fn orders(stores: &mut Vec<Store>, from: usize, visit: &mut impl FnMut(&[Store])) {
    if from == stores.len() {
        visit(stores);
        return;
    }
    for i in from..stores.len() {
        stores.swap(from, i);
        orders(stores, from + 1, visit);
        stores.swap(from, i);
    }
}

/// What each slot may hold in the end.
fn reached(before: &[u64], stores: &[Store], any_order: bool) -> Vec<BTreeSet<u64>> {
    let mut all = vec![BTreeSet::new(); before.len()];
    let mut run = |order: &[Store]| {
        let mut now = before.to_vec();
        for &(slot, value) in order {
            now[slot] = value;
        }
        for (all, value) in all.iter_mut().zip(now) {
            all.insert(value);
        }
    };
    if any_order {
        orders(&mut stores.to_vec(), 0, &mut run);
    } else {
        run(stores);
    }
    all
}

fn bytes(values: &[u64], size: usize) -> Vec<u8> {
    values
        .iter()
        .flat_map(|v| v.to_le_bytes()[..size].to_vec())
        .collect()
}

/// `found` says of each slot what `expected` lists, `before` standing for kept.
fn same(found: &[Slot], before: &[u64], expected: &[BTreeSet<u64>], size: usize, about: &str) {
    for (at, (slot, values)) in found.iter().zip(expected).enumerate() {
        let mut all: Vec<Vec<u8>> = values.iter().map(|&v| bytes(&[v], size)).collect();
        all.sort();
        let said = match slot {
            Slot::Kept => vec![bytes(&before[at..=at], size)],
            Slot::One(b) => vec![b.clone()],
            Slot::Several(b) => b.clone(),
            other => panic!("slot {at}: {other:?} {about}"),
        };
        assert_eq!(said, all, "slot {at}: {about}");
    }
}

/// Storage position of (r, c) in a tile without boxes.
fn place(t: &Tile, r: u64, c: u64) -> usize {
    (match t.blayout {
        BLayout::RowMajor => r * t.cols + c,
        BLayout::ColMajor => c * t.rows + r,
    }) as usize
}

fn any_tile(dtype: DType, valid: [u64; 2], random: &mut Random) -> Tile {
    let padded = [valid[0] + random.below(2), valid[1] + random.below(3)];
    let mut t = tile(dtype, padded, valid);
    t.blayout = random.pick(&[BLayout::RowMajor, BLayout::ColMajor]);
    t
}

/// One random TSCATTER; whether indices were all in range.
fn tscatter(random: &mut Random, target: Target) -> bool {
    let (data, index) = random.pick(&[
        (DType::Int8, DType::Int16),
        (DType::Half, DType::Uint16),
        (DType::Float, DType::Int32),
    ]);
    let [rows, cols] = random.pick(&[[1, 1], [1, 3], [2, 2], [5, 1], [1, 5]]);
    let region = [rows, cols];
    let wider = [rows + random.below(2), cols + random.below(2)];
    let by_index = random.below(2) == 0;
    let (src_valid, idx_valid) = if by_index {
        (wider, region)
    } else {
        (region, wider)
    };
    let dst_valid = [1 + random.below(2), 1 + random.below(3)];
    let call = TscatterIndex {
        dst: any_tile(data, dst_valid, random),
        src: any_tile(data, src_valid, random),
        idx: any_tile(index, idx_valid, random),
    };
    let readings = Readings {
        tscatter_extent: if by_index {
            ScatterExtent::Index
        } else {
            ScatterExtent::Source
        },
        tscatter_unaddressed: random.pick(&[Unaddressed::Kept, Unaddressed::Zero]),
        tscatter_range: random.pick(&[ScatterRange::Storage, ScatterRange::Valid]),
        negative_index: random.pick(&[NegativeIndex::Unsigned, NegativeIndex::Signed]),
        ..Readings::default()
    };
    let slots_of = |t: &Tile| (t.rows * t.cols) as usize;
    let n = slots_of(&call.dst) as u64;
    let values: Vec<u64> = (0..slots_of(&call.src) as u64).map(|v| v + 1).collect();
    let idx: Vec<u64> = (0..slots_of(&call.idx))
        .map(|_| match random.below(12) {
            0 => random.below(n + 2),
            1 => u64::MAX,
            _ => random.below(n.min(3)),
        })
        .collect();
    let before: Vec<u64> = (0..n).map(|v| v + 100).collect();
    let (size, width) = (data.size(), index.size());
    let mut valid_slots = BTreeSet::new();
    for r in 0..dst_valid[0] {
        for c in 0..dst_valid[1] {
            valid_slots.insert(place(&call.dst, r, c));
        }
    }
    let mask = (1_u64 << (8 * width)) - 1;
    let mut stores = Vec::new();
    let mut good = true;
    for r in 0..rows {
        for c in 0..cols {
            // All small tiles: a negative number is beyond them in each reading.
            let slot = (idx[place(&call.idx, r, c)] & mask) as usize;
            let held = match readings.tscatter_range {
                ScatterRange::Storage => slot < n as usize,
                ScatterRange::Valid => valid_slots.contains(&slot),
            };
            good &= held;
            stores.push((slot, values[place(&call.src, r, c)]));
        }
    }
    let m = memory(&[
        (Role::Destination, &bytes(&before, size)),
        (Role::Source, &bytes(&values, size)),
        (Role::Index, &bytes(&idx, width)),
    ]);
    let about = format!("{target} {call:?} {readings:?} {idx:?}");
    let call = Call::TscatterIndex(call);
    assert_eq!(legality(&call, target, &readings), [], "{about}");
    let p = permits(&call, &[&m], target, &readings).unwrap();
    let found = slots(&p, Role::Destination, before.len() * size);
    let duties = data_duties(&call, &[&m], target, &readings);
    assert_eq!(duties.is_empty(), good, "{about}");
    if !good {
        assert!(found.iter().all(|s| *s == Slot::Anything), "{about}");
        return false;
    }
    let cleared = readings.tscatter_unaddressed == Unaddressed::Zero;
    let start = if cleared {
        vec![0; before.len()]
    } else {
        before.clone()
    };
    let expected = reached(&start, &stores, target != Cpu);
    same(&found, &before, &expected, size, &about);
    true
}

#[test]
fn tscatter_leaves_what_some_order_leaves() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for target in [Cpu, A2a3, A5] {
        let compared = (0..1500).filter(|_| tscatter(&mut random, target)).count();
        assert!(compared > 300, "{target}: {compared}");
    }
}

/// One random plain scatter of the first revision; whether it was a legal one.
fn first_revision(random: &mut Random) -> bool {
    let by_row = random.below(2) == 0;
    let [rows, cols] = if by_row {
        random.pick(&[[1, 3], [2, 2], [4, 1]])
    } else {
        random.pick(&[[1, 4], [2, 2], [1, 5]])
    };
    let n = 1 + random.below(3);
    let table = matrix(DType::Int32, n, cols);
    let full = |dtype, rows, cols, random: &mut Random| {
        let mut t = tile(dtype, [rows, cols], [rows, cols]);
        t.blayout = random.pick(&[BLayout::RowMajor, BLayout::ColMajor]);
        t
    };
    let index = random.pick(&[DType::Int32, DType::Uint32]);
    let width = if by_row { 1 } else { cols };
    let call = MscatterFirst {
        oob: random.pick(&[ScatterOob::Skip, ScatterOob::Clamp, ScatterOob::Wrap]),
        ..first(
            table,
            full(DType::Int32, rows, cols, random),
            full(index, rows, width, random),
        )
    };
    let readings = Readings {
        first_conflict: random.pick(&[FirstConflict::Any, FirstConflict::Last]),
        ..Readings::default()
    };
    let idx: Vec<u64> = (0..rows * width).map(|_| random.below(n + 2)).collect();
    let values: Vec<u64> = (1..=rows * cols).collect();
    let before: Vec<u64> = (0..n * cols).map(|v| v + 100).collect();
    let capacity = if by_row { n } else { n * cols };
    let mut stores = Vec::new();
    for r in 0..rows {
        for c in 0..cols {
            let at = place(&call.idx, r, if by_row { 0 } else { c });
            let number = match (call.oob, idx[at]) {
                (_, i) if i < capacity => i,
                (ScatterOob::Clamp, _) => capacity - 1,
                (ScatterOob::Wrap, i) => i % capacity,
                _ => continue,
            };
            let slot = if by_row { number * cols + c } else { number };
            stores.push((slot as usize, values[place(&call.src, r, c)]));
        }
    }
    let m = memory(&[
        (Role::Table, &bytes(&before, 4)),
        (Role::Source, &bytes(&values, 4)),
        (Role::Index, &bytes(&idx, 4)),
    ]);
    let about = format!("{call:?} {idx:?}");
    let call = Call::MscatterFirst(call);
    if !legality(&call, A5, &readings).is_empty() {
        return false;
    }
    let p = permits(&call, &[&m], A5, &readings).unwrap();
    let found = slots(&p, Role::Table, before.len() * 4);
    // Rows may be torn, so single stores are what goes in any order.
    let any = readings.first_conflict == FirstConflict::Any;
    let expected = reached(&before, &stores, any);
    same(&found, &before, &expected, 4, &about);
    true
}

#[test]
fn the_first_revision_leaves_what_some_order_leaves() {
    let mut random = Random(0xDEAD_BEEF_0BAD_CAFE);
    let compared = (0..1500).filter(|_| first_revision(&mut random)).count();
    assert!(compared > 800, "{compared}");
}
