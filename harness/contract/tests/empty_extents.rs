//! Tiles of which a run-time extent of 0 leaves rows, columns or both out: what
//! their indices still owe, and what their padding still holds.

use crate::common::{random::Random, said::Said, same::Seen, *};
use ptodiff_contract::{legality, permits};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use Target::{A2a3, A5, Cpu};

/// Rows or elements that an index may name.
const CAPACITY: i64 = 16;

/// `t` with these valid extents, each known at run time only where it is 0.
fn valid(t: Tile, extents: [u64; 2]) -> Tile {
    let [valid_row, valid_col] = extents.map(|extent| match extent {
        0 => Dim::Dynamic(0),
        _ => Dim::Static(extent),
    });
    Tile {
        valid_row,
        valid_col,
        ..t
    }
}

/// Operands that scatter and gather have in common.
struct Case {
    target: Target,
    mode: Coalesce,
    data: Tile,
    table: GlobalTensor,
    idx: Tile,
    indices: Vec<u8>,
}

impl Case {
    /// Every shape in which a target takes data without rows or columns.
    fn any(random: &mut Random) -> Self {
        let target = random.pick(&[Cpu, A2a3, A5]);
        let mode = random.pick(&[Row, Elem]);
        let index = random.pick(&[DType::Int32, DType::Uint32]);
        let [rows, cols] = random.pick(&[[0, 0], [0, 1], [0, 3], [1, 0], [2, 0]]);
        let other = mode == Row && random.below(2) == 0;
        let nz = other && target == A2a3;
        let data = if nz {
            nz_tile(DType::Half, [16, 16], [1, 1])
        } else {
            tile(DType::Int32, [2, 8], [1, 1])
        };
        let table = match mode {
            Elem => matrix(DType::Int32, 2, 8),
            Row if nz => packed(DType::Half, [1, 1, 1, 16, 16], Layout::NZ),
            // A5 rejects a table of another width only where it knows the tile's.
            Row if target == A5 && cols > 0 => matrix(DType::Int32, 16, cols),
            Row => matrix(DType::Int32, 16, 8),
        };
        let (idx, pitch) = match target {
            _ if mode == Elem => (valid(tile(index, [2, 8], [1, 1]), [rows, cols]), 1),
            // The kernel takes one index after the other.
            A5 if other => (valid(col_major(index, [8, 1], [1, 1]), [rows, 1]), 1),
            Cpu if other => (valid(tile(index, [2, 8], [1, 1]), [rows, 1]), 8),
            _ => (valid(tile(index, [1, 8], [1, 1]), [1, rows]), 1),
        };
        // Decoys that lead nowhere stand where nobody is to look.
        let mut indices = vec![CAPACITY + 3; (idx.rows * idx.cols) as usize];
        if mode == Row {
            let least = i64::from(i32::MIN);
            for r in 0..rows as usize {
                indices[r * pitch] = random.pick(&[0, CAPACITY - 1, CAPACITY, -1, least]);
            }
        }
        Self {
            target,
            mode,
            data: valid(data, [rows, cols]),
            table,
            idx,
            indices: words(&indices),
        }
    }
}

/// Nothing is said of any operand: all is kept.
fn nothing_happens(call: &Call, m: &Memory, target: Target, readings: &Readings) {
    let p = permits(call, &[m], target, readings).expect("operands fit");
    let untouched = p.operands.iter().all(|o| o.runs.is_empty());
    assert!(untouched && p.oob_accesses.is_none(), "{target} {call:?}");
}

#[test]
fn gathers_and_scatters() {
    let mut random = Random(0x0DD5_EED0_0DD5_EED1);
    // By target: gathers that break a precondition and not, scatters.
    let mut seen = [[0; 3]; 3];
    for _ in 0..20_000 {
        let case = Case::any(&mut random);
        let Case {
            target,
            mode,
            data,
            table,
            idx,
            ..
        } = case;
        let readings = Readings {
            empty_extent: EmptyExtent::NoOp,
            nd_zero_fill: NdZeroFill::WholeTile,
            nz_row_columns: NzRowColumns::Moved,
            ..random.readings(&[
                "negative-index",
                "undefined-gather",
                "gather-padding",
                "cpu-form",
            ])
        };
        let bytes = |random: &mut Random, n| random.elements(n, 1, |random| random.below(256));
        let image = (data.rows * data.cols) * data.dtype.size() as u64;
        let held = reach(&table) * table.dtype.size() as u64;
        let m = memory(&[
            (Role::Destination, &bytes(&mut random, image)),
            (Role::Source, &bytes(&mut random, image)),
            (Role::Table, &bytes(&mut random, held)),
            (Role::Index, &case.indices),
        ]);
        let policy = random.below(4) as usize;
        let back = Call::Mgather(Mgather {
            oob: GATHERS[policy],
            ..gather(data, table, idx, mode)
        });
        let there = Call::Mscatter(Mscatter {
            oob: SCATTERS[policy],
            conflict: random.pick(&[ScatterConflict::Last, ScatterConflict::Default]),
            ..scatter(table, data, idx, mode)
        });
        // Without that reading the NPUs owe an extent.
        for (call, clause) in [(&back, "MGATHER-SHAPE-03"), (&there, "MSCATTER-SHAPE-03")] {
            let broken = legality(call, target, &Readings::default());
            assert_eq!(broken.iter().any(|b| b.clause.0 == clause), target != Cpu);
        }
        let seen = &mut seen[target as usize];
        match compare(&back, &[&m], target, &readings) {
            Seen::Settled => seen[0] += 1,
            // On the CPU alone the rows are gone through (MGATHER-GAP-26).
            found => {
                assert_eq!((found, target, mode), (Seen::Undefined, Cpu, Row));
                seen[1] += 1;
            }
        }
        if target != Cpu {
            nothing_happens(&back, &m, target, &readings);
        }
        match compare(&there, &[&m], target, &readings) {
            Seen::Settled => {
                nothing_happens(&there, &m, target, &readings);
                seen[2] += 1;
            }
            // The templates of the CPU have A5's rule, and its elements one index each.
            found => {
                assert_eq!((found, target), (Seen::Illegal, Cpu));
                assert!(readings.cpu_form == CpuForm::Templated || mode == Row);
            }
        }
    }
    let many = |[gathers, _, scatters]: &[i32; 3]| *gathers > 1000 && *scatters > 500;
    assert!(
        seen.iter().all(many) && seen[Cpu as usize][1] > 100,
        "{seen:?}"
    );
}

#[test]
fn padding_of_the_cpu_is_open_where_that_is_the_reading() {
    let data = valid(tile(DType::Int32, [2, 8], [1, 1]), [0, 1]);
    let call = gather(data, matrix(DType::Int32, 2, 8), data, Elem);
    let readings = Readings {
        empty_extent: EmptyExtent::NoOp,
        gather_padding: GatherPadding::Undefined,
        ..Readings::default()
    };
    let m = memory(&[
        (Role::Destination, &[1; 64]),
        (Role::Table, &[2; 64]),
        (Role::Index, &[0; 64]),
    ]);
    for (target, slot) in [(Cpu, Slot::Anything), (A5, Slot::Kept)] {
        let found = Said::of(&Call::Mgather(call), &[&m], target, &readings);
        assert_eq!(found.slots, vec![slot; 16], "{target}");
    }
}
