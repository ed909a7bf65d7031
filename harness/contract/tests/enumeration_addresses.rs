//! Calls over tables of any strides, walked store by store, against the permits.
//!
//! The other account counts its way through the dimensions and keeps one image
//! of memory; it knows no formula for an offset.

mod common;

use common::{choices::with, *};
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

/// The offsets of the elements of the first `dims` dimensions, in their order.
fn offsets(table: &GlobalTensor, dims: usize) -> Vec<u64> {
    let mut all = vec![0];
    for d in 0..dims {
        let steps = |at: u64| (0..table.shape[d].get()).map(move |i| (at, i));
        all = all
            .into_iter()
            .flat_map(steps)
            .map(|(at, i)| at + i * table.stride[d].get())
            .collect();
    }
    all
}

struct Case {
    data: Tile,
    idx: Tile,
    table: GlobalTensor,
    mode: Coalesce,
    target: Target,
    choices: [(&'static str, &'static str); 5],
    oob: ScatterOob,
    atomic: ScatterAtomicOp,
    numbers: Vec<u64>,
    /// Elements of the table's body.
    held: usize,
}

impl Case {
    fn any(random: &mut Random) -> Self {
        let target = random.pick(&[A2a3, A2a3, A5, Cpu]);
        let mode = random.pick(&[Coalesce::Row, Coalesce::Elem]);
        let width = 1 + random.below(8);
        let small = |random: &mut Random| random.pick(&[1, 1, 2]);
        let mut table = packed(
            DType::Int32,
            [small(random), small(random), small(random), 3, width],
            Layout::ND,
        );
        if target != A2a3 {
            table.shape[..3].fill(Dim::Static(1));
        }
        // The rows may stand apart, the outer dimensions anywhere.
        table.stride[3] = Dim::Static(width + random.pick(&[0, 0, 3]));
        for d in 0..3 {
            table.stride[d] = Dim::Static(random.below(60));
        }
        if mode == Coalesce::Elem {
            // Flat numbers stay inside where no elements share a place.
            for d in (0..3).rev() {
                let inner = table.shape[d + 1].get() * table.stride[d + 1].get();
                table.stride[d] = Dim::Static(inner + random.pick(&[0, 0, 5]));
            }
        }
        let valid = match random.below(3) {
            0 => 1 + random.below(8),
            _ => width,
        };
        table.shape[4] = Dim::Dynamic(width);
        let rows = 1 + random.below(3);
        let data = tile(DType::Int32, [rows, 8], [rows, valid]);
        let idx = match mode {
            Coalesce::Elem => tile(DType::Int32, [rows, 8], [rows, valid]),
            Coalesce::Row if target == A2a3 => tile(DType::Int32, [1, 8], [1, rows]),
            Coalesce::Row => tile(DType::Int32, [rows, 8], [rows, 1]),
        };
        let reach = offsets(&table, 5).into_iter().max().unwrap() + 1;
        Self {
            data,
            idx,
            table,
            mode,
            target,
            choices: [
                ("padded-elem", random.pick(&["flat", "strided"])),
                ("outer-strides", random.pick(&["ignored", "split"])),
                ("burst-tail", random.pick(&["exact", "rounded"])),
                ("row-index-pitch", "logical"),
                match target {
                    Cpu => ("cpu-padded-table", "strided"),
                    A2a3 | A5 => ("row-pitch", "valid-cols"),
                },
            ],
            oob: random.pick(&[ScatterOob::Skip, ScatterOob::Wrap]),
            atomic: random.pick(&[ScatterAtomicOp::None, ScatterAtomicOp::Add]),
            numbers: (0..rows * 8).map(|_| random.below(14)).collect(),
            held: (reach + random.pick(&[0, 8])) as usize,
        }
    }

    fn chosen(&self, name: &str, choice: &str) -> bool {
        self.choices.contains(&(name, choice))
    }

    /// Where each row or element that an index may name begins.
    fn places(&self) -> Vec<u64> {
        let split = match self.mode {
            Coalesce::Elem => self.chosen("padded-elem", "strided") && self.target == A2a3,
            Coalesce::Row => self.chosen("outer-strides", "split") && self.target == A2a3,
        };
        let dims = if self.mode == Coalesce::Row { 4 } else { 5 };
        let all = offsets(&self.table, dims);
        let pitch = match (self.mode, self.target) {
            (Coalesce::Elem, _) => 1,
            (_, A5) => self.data.valid_col.get(),
            _ => self.table.stride[3].get(),
        };
        let count = |n: u64| n * pitch;
        if split {
            all
        } else {
            (0..all.len() as u64).map(count).collect()
        }
    }

    /// The place that each lane leads to, by logical position.
    fn lanes(&self) -> Vec<Option<u64>> {
        let places = self.places();
        let per_row = match self.mode {
            Coalesce::Row => 1,
            Coalesce::Elem => self.data.valid_col.get() as usize,
        };
        let count = self.data.valid_row.get() as usize * per_row;
        let lead = |&n: &u64| match self.oob {
            ScatterOob::Wrap => Some(places[n as usize % places.len()]),
            _ => places.get(n as usize).copied(),
        };
        self.numbers[..count].iter().map(lead).collect()
    }

    fn index(&self) -> Vec<u8> {
        let mut all = vec![77; (self.idx.rows * self.idx.cols) as usize];
        let cols = self.idx.valid_col.get() as usize;
        let count = self.idx.valid_row.get() as usize * cols;
        for (lane, &n) in self.numbers[..count].iter().enumerate() {
            all[lane / cols * 8 + lane % cols] = n as i64;
        }
        words(&all)
    }
}

/// What stands where after a scatter; `None` if something leaves the table.
fn scattered_by_hand(case: &Case) -> Option<Vec<i64>> {
    let mut memory: Vec<i64> = (0..case.held as i64).map(|i| 1000 + i).collect();
    let cols = case.data.valid_col.get() as usize;
    let tail = case.chosen("burst-tail", "rounded") && case.target == A2a3;
    for (lane, place) in case.lanes().into_iter().enumerate() {
        let Some(place) = place else { continue };
        let from = match case.mode {
            Coalesce::Elem => {
                let from = lane / cols * 8 + lane % cols;
                from..from + 1
            }
            Coalesce::Row if tail => lane * 8..lane * 8 + 8,
            Coalesce::Row => lane * 8..lane * 8 + cols,
        };
        for (i, source) in from.enumerate() {
            let slot = memory.get_mut(place as usize + i)?;
            match case.atomic {
                ScatterAtomicOp::Add => *slot += source as i64,
                _ => *slot = source as i64,
            }
        }
    }
    Some(memory)
}

fn compare_scatter(case: &Case) -> Option<bool> {
    let call = Call::Mscatter(Mscatter {
        oob: case.oob,
        atomic: case.atomic,
        ..scatter(case.table, case.data, case.idx, case.mode)
    });
    let readings = with(&case.choices);
    // The documented CPU has no policy, and none of these choices.
    if case.target == Cpu || !legality(&call, case.target, &readings).is_empty() {
        return None;
    }
    let table = words(&(0..case.held as i64).map(|i| 1000 + i).collect::<Vec<_>>());
    let src = words(&(0..(case.data.rows * 8) as i64).collect::<Vec<_>>());
    let m = memory(&[
        (Role::Table, &table),
        (Role::Source, &src),
        (Role::Index, &case.index()),
    ]);
    let about = format!("{} {call:?} {:?}", case.target, case.choices);
    let p = permits(&call, &[&m], case.target, &readings).unwrap();
    let found = slots(&p, Role::Table, table.len());
    let duties = data_duties(&call, &[&m], case.target, &readings);
    let Some(expected) = scattered_by_hand(case) else {
        assert_eq!(duties.len(), 1, "{about}");
        assert!(found.iter().all(|s| *s == Slot::Anything), "{about}");
        return Some(false);
    };
    assert_eq!(duties, [], "{about}");
    assert_eq!(p.strays, None, "{about}");
    for (at, (slot, &value)) in found.iter().zip(&expected).enumerate() {
        let held = Slot::word(1000 + at as i64);
        let said = if *slot == Slot::Kept { &held } else { slot };
        assert_eq!(*said, Slot::word(value), "slot {at}: {about}");
    }
    Some(true)
}

fn compare_gather(case: &Case) -> Option<bool> {
    let oob = match case.oob {
        ScatterOob::Wrap => GatherOob::Wrap,
        _ => GatherOob::Zero,
    };
    let call = Call::Mgather(Mgather {
        oob,
        ..gather(case.data, case.table, case.idx, case.mode)
    });
    let readings = with(&case.choices);
    if !legality(&call, case.target, &readings).is_empty() {
        return None;
    }
    let table = words(&(0..case.held as i64).map(|i| 1000 + i).collect::<Vec<_>>());
    let dst = vec![0x55; (case.data.rows * 8) as usize * 4];
    let m = memory(&[
        (Role::Destination, &dst),
        (Role::Table, &table),
        (Role::Index, &case.index()),
    ]);
    let about = format!("{} {call:?} {:?}", case.target, case.choices);
    let p = permits(&call, &[&m], case.target, &readings).unwrap();
    let found = slots(&p, Role::Destination, dst.len());
    let cols = case.data.valid_col.get() as usize;
    let len = if case.mode == Coalesce::Row { cols } else { 1 };
    let mut leaves = false;
    for (lane, place) in case.lanes().into_iter().enumerate() {
        let to = match case.mode {
            Coalesce::Row => lane * 8,
            Coalesce::Elem => lane / cols * 8 + lane % cols,
        };
        let gone = place.is_some_and(|at| at as usize + len > case.held);
        leaves |= gone;
        for i in 0..len {
            let expected = match place {
                _ if gone => Slot::Anything,
                Some(at) => Slot::word(1000 + at as i64 + i as i64),
                None => Slot::word(0),
            };
            assert_eq!(found[to + i], expected, "slot {}: {about}", to + i);
        }
    }
    let duties = data_duties(&call, &[&m], case.target, &readings);
    assert_eq!(!duties.is_empty(), leaves, "{about}");
    Some(!leaves)
}

#[test]
fn permits_are_what_the_stores_give() {
    let mut random = Random(0x51AB_7E0F_00D5_EED5);
    // Per target and mode: settled, and left open by a row that leaves.
    let mut seen = [[[0; 2]; 2]; 3];
    for _ in 0..6000 {
        let case = Case::any(&mut random);
        let by_rows = usize::from(case.mode == Coalesce::Row);
        let compared = [compare_scatter(&case), compare_gather(&case)];
        for settled in compared.into_iter().flatten() {
            seen[case.target as usize][by_rows][usize::from(!settled)] += 1;
        }
    }
    for target in [A2a3, A5, Cpu] {
        let [elem, row] = seen[target as usize];
        assert!(elem[0] > 300 && row[0] > 50, "{target}: {seen:?}");
        assert_eq!(elem[1], 0, "{target}: no element leaves");
    }
    let leaving = |target: Target| seen[target as usize][1][1];
    assert!(leaving(A2a3) > 100 && leaving(A5) > 20, "{seen:?}");
}
