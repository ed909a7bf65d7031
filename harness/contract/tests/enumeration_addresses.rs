//! Calls over ND tables of any strides, walked store by store, against the permits.

use crate::common::{random::Random, same::Seen, *};
use ptodiff_isa::*;

use Target::{A2a3, A5, Cpu};

struct Case {
    data: Tile,
    idx: Tile,
    table: GlobalTensor,
    mode: Coalesce,
    target: Target,
    readings: Readings,
    oob: ScatterOob,
    atomic: ScatterAtomicOp,
    numbers: Vec<i64>,
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
        let dense = mode == Coalesce::Elem && random.below(4) > 0;
        if dense {
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
        let data = if target == A5 && random.below(3) == 0 {
            col_major(DType::Int32, [8, valid], [rows, valid])
        } else {
            tile(DType::Int32, [rows, random.pick(&[8, 16])], [rows, valid])
        };
        let idx = match mode {
            Coalesce::Elem => tile(DType::Int32, [rows, 8], [rows, valid]),
            Coalesce::Row if target == A2a3 => tile(DType::Int32, [1, 8], [1, rows]),
            Coalesce::Row => tile(DType::Int32, [rows, 8], [rows, 1]),
        };
        let reach = reach(&table);
        let readings = Self::readings(random, target);
        let unit = match (readings.index_unit, mode) {
            (IndexUnit::Byte, Coalesce::Elem) => 4,
            (IndexUnit::Byte, Coalesce::Row) | (IndexUnit::Element, _) => 1,
        };
        Self {
            data,
            idx,
            table,
            mode,
            target,
            readings,
            oob: random.pick(&[
                ScatterOob::Skip,
                ScatterOob::Skip,
                ScatterOob::Wrap,
                ScatterOob::Wrap,
                ScatterOob::Clamp,
                ScatterOob::Undefined,
            ]),
            atomic: random.pick(&[ScatterAtomicOp::None, ScatterAtomicOp::Add]),
            numbers: (0..rows * 8)
                .map(|_| {
                    let number = Self::number(random);
                    random.index(number, unit, 80) as i64
                })
                .collect(),
            held: (reach + random.pick(&[0, 8])) as usize,
        }
    }

    /// Mostly in range.
    fn number(random: &mut Random) -> u64 {
        let number = random.below(14);
        if random.below(16) == 0 {
            number.wrapping_neg()
        } else {
            number
        }
    }

    /// Mostly such that strides are legal.
    fn readings(random: &mut Random, target: Target) -> Readings {
        let mut readings = random.readings(&[
            "burst-tail",
            "negative-index",
            "undefined-last",
            "undefined-gather",
            "gather-padding",
            "nd-zero-fill",
            "row-add-order",
            "cpu-form",
            "index-unit",
        ]);
        let usual: &[(&str, &[&str])] = &[
            ("padded-elem", &["flat", "strided"]),
            ("outer-strides", &["ignored", "split"]),
            ("row-index-pitch", &["logical"]),
        ];
        random.set(&mut readings, usual);
        match target {
            Cpu => random.set(&mut readings, &[("cpu-padded-table", &["strided"])]),
            A2a3 | A5 => random.set(&mut readings, &[("row-pitch", &["valid-cols"])]),
        }
        if random.below(8) == 0 {
            let narrow: &[&str] = &["partial", "precondition"];
            let strict: &[(&str, &[&str])] = &[
                ("padded-elem", &["precondition"]),
                ("outer-strides", &["precondition"]),
                ("narrow-row", narrow),
                ("width-check", &["row", "both"]),
                ("row-capacity", &["by-target", "precondition"]),
            ];
            random.set(&mut readings, strict);
        }
        readings
    }

    /// Elements of the data tile.
    fn slots(&self) -> u64 {
        self.data.rows * self.data.cols
    }

    fn index(&self) -> Vec<u8> {
        let mut all = vec![77; (self.idx.rows * self.idx.cols) as usize];
        let cols = self.idx.valid_col.get() as usize;
        let count = self.idx.valid_row.get() as usize * cols;
        for (lane, &n) in self.numbers[..count].iter().enumerate() {
            all[lane / cols * 8 + lane % cols] = n;
        }
        words(&all)
    }
}

/// The table's words, each its own.
fn table(case: &Case) -> Vec<u8> {
    words(&(0..case.held as i64).map(|i| 1000 + i).collect::<Vec<_>>())
}

fn compare_scatter(case: &Case) -> Seen {
    let call = Call::Mscatter(Mscatter {
        oob: case.oob,
        atomic: case.atomic,
        ..scatter(case.table, case.data, case.idx, case.mode)
    });
    let src = words(&(0..case.slots() as i64).collect::<Vec<_>>());
    let m = memory(&[
        (Role::Table, &table(case)),
        (Role::Source, &src),
        (Role::Index, &case.index()),
    ]);
    compare(&call, &[&m], case.target, &case.readings)
}

fn compare_gather(case: &Case) -> Seen {
    let at = SCATTERS.iter().position(|policy| *policy == case.oob);
    let call = Call::Mgather(Mgather {
        oob: GATHERS[at.expect("a policy")],
        ..gather(case.data, case.table, case.idx, case.mode)
    });
    let dst = vec![0x55; case.slots() as usize * 4];
    let m = memory(&[
        (Role::Destination, &dst),
        (Role::Table, &table(case)),
        (Role::Index, &case.index()),
    ]);
    compare(&call, &[&m], case.target, &case.readings)
}

#[test]
fn permits_are_what_the_stores_give() {
    let mut random = Random(0x51AB_7E0F_00D5_EED5);
    // Per target and mode, elements by either unit: settled, and left open by a row
    // that leaves.
    let mut seen = [[[0; 2]; 3]; 3];
    for _ in 0..9000 {
        let case = Case::any(&mut random);
        let form = match (case.mode, case.readings.index_unit) {
            (Coalesce::Elem, IndexUnit::Element) => 0,
            (Coalesce::Elem, IndexUnit::Byte) => 1,
            (Coalesce::Row, _) => 2,
        };
        for found in [compare_scatter(&case), compare_gather(&case)] {
            let open = match found {
                Seen::Settled => 0,
                Seen::Undefined => 1,
                Seen::Illegal => continue,
                Seen::Silent(why) => {
                    assert!(matches!(
                        why,
                        "where a negative row lies is not told" | "too large"
                    ));
                    continue;
                }
            };
            seen[case.target as usize][form][open] += 1;
        }
    }
    for target in [A2a3, A5, Cpu] {
        let [elem, by_byte, row] = seen[target as usize].map(|ends| ends[0]);
        assert!(elem > 200 && by_byte > 200 && row > 50, "{seen:?}");
    }
    let [lost, by_byte, _] = seen[A2a3 as usize].map(|ends| ends[1]);
    assert!(lost > 50 && by_byte > 50, "{seen:?}");
    let leaving = |target: Target| seen[target as usize][2][1];
    assert!(leaving(A2a3) > 100 && leaving(A5) > 20, "{seen:?}");
}
