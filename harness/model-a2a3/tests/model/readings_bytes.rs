//! The readings of MSCATTER-GAP-87, MGATHER-GAP-76 and MGATHERL1-GAP-35: an
//! index of Elem mode that counts bytes.

use std::iter::{once, repeat_n};

use ptodiff_isa::{
    Call, Coalesce, DType, End, Event, GatherOob, GlobalTensor, IndexUnit, Layout, Memory, Mgather,
    MgatherL1, Model, Mscatter, NegativeIndex, OobAccess, PaddedElem, Readings, Role,
    ScatterAtomicOp, ScatterOob, Tile,
};
use ptodiff_model_a2a3::A2a3;

use crate::common::{
    Ran, bytes, in_ub, line, mat, memory, mgather, mgather_l1, mscatter, nd, nz, nz_tile, run_on,
    table, tile,
};

const INDEX_TYPES: [DType; 2] = [DType::Int32, DType::Uint32];

/// One element type of each size.
const ELEMENTS: [DType; 3] = [DType::Int8, DType::Half, DType::Int32];

const NEGATIVE: [NegativeIndex; 3] = [
    NegativeIndex::Unsigned,
    NegativeIndex::Signed,
    NegativeIndex::Intended,
];

/// The policies of a scatter and of a gather that go together.
const POLICIES: [(ScatterOob, GatherOob); 4] = [
    (ScatterOob::Undefined, GatherOob::Undefined),
    (ScatterOob::Skip, GatherOob::Zero),
    (ScatterOob::Clamp, GatherOob::Clamp),
    (ScatterOob::Wrap, GatherOob::Wrap),
];

const UNDEFINED: (ScatterOob, GatherOob) = POLICIES[0];
const DROP: (ScatterOob, GatherOob) = POLICIES[1];
const CLAMP: (ScatterOob, GatherOob) = POLICIES[2];
const WRAP: (ScatterOob, GatherOob) = POLICIES[3];

/// Slots of a table that holds 1 to 10, or takes what is scattered.
const SLOTS: u8 = 10;

fn by_bytes() -> Readings {
    Readings {
        index_unit: IndexUnit::Byte,
        ..Readings::default()
    }
}

/// Each value as an element of `size` bytes.
fn wide(values: impl IntoIterator<Item = u8>, size: usize) -> Vec<u8> {
    let element = |v| once(v).chain(repeat_n(0, size - 1));
    values.into_iter().flat_map(element).collect()
}

/// The lowest byte of each element.
fn lowest(ran: &Ran, role: Role, size: usize) -> Vec<u8> {
    let all = ran.read::<u8>(role);
    all.chunks(size).map(|element| element[0]).collect()
}

fn accepted(call: Call, readings: Readings, before: Memory) -> Ran {
    assert_eq!(A2a3.check(&call, &readings), []);
    let ran = run_on(call, readings, before);
    assert_eq!(ran.outcome, Ok(End::Finished));
    ran
}

/// What is asked of one table of ten slots, by as many indices as are given.
#[derive(Clone, Copy)]
struct Ask<'a> {
    element: DType,
    index: DType,
    oob: (ScatterOob, GatherOob),
    readings: Readings,
    indices: &'a [i32],
}

impl Ask<'_> {
    fn table(&self) -> GlobalTensor {
        line(self.element, SLOTS.into())
    }

    fn lanes(&self, dtype: DType) -> Tile {
        tile(dtype, [1, 32], [1, self.indices.len() as u64])
    }

    fn index_tile(&self) -> Vec<u8> {
        let mut all = self.indices.to_vec();
        all.resize(32, 0);
        bytes(all)
    }

    fn numbers(&self) -> Vec<u8> {
        wide(1..=SLOTS, self.element.size())
    }

    /// Scatters 1, 2, 3 and so on into zeros.
    fn scatter(&self, atomic: ScatterAtomicOp) -> Ran {
        let (src, idx) = (self.lanes(self.element), self.lanes(self.index));
        let call = Call::Mscatter(Mscatter {
            atomic,
            oob: self.oob.0,
            ..mscatter(Coalesce::Elem, self.table(), src, idx)
        });
        let size = self.element.size();
        let slots = wide(repeat_n(0, SLOTS.into()), size);
        let operands = [slots, wide(1..=32, size), self.index_tile()];
        accepted(call, self.readings, in_ub(&call, operands))
    }

    /// The table after that.
    fn scattered(&self) -> Vec<u8> {
        let ran = self.scatter(ScatterAtomicOp::None);
        assert_eq!(ran.oob_accesses(), []);
        lowest(&ran, Role::Table, self.element.size())
    }

    fn gather(&self) -> Ran {
        let (dst, idx) = (self.lanes(self.element), self.lanes(self.index));
        let call = Call::Mgather(Mgather {
            oob: self.oob.1,
            ..mgather(Coalesce::Elem, dst, self.table(), idx)
        });
        let old = wide(repeat_n(99, 32), self.element.size());
        let operands = [self.numbers(), old, self.index_tile()];
        accepted(call, self.readings, in_ub(&call, operands))
    }

    /// Up to eight lanes, which are the first ones of an NZ tile too.
    fn gather_to_l1(&self) -> Ran {
        let size = self.element.size();
        let c0 = 32 / size as u64;
        let (lanes, slots) = (self.indices.len() as u64, 16 * c0 as usize);
        let call = mgather_l1(
            Coalesce::Elem,
            mat(self.element, [16, c0], [1, lanes]),
            self.table(),
        );
        let call = MgatherL1 {
            idx: line(self.index, lanes),
            oob: self.oob.1,
            ..call
        };
        let before = memory([
            (Role::Destination, wide(repeat_n(99, slots), size)),
            (Role::Table, self.numbers()),
            (Role::Index, bytes(self.indices.iter().copied())),
            (Role::Scratch, wide(repeat_n(77, slots), size)),
        ]);
        accepted(Call::MgatherL1(call), self.readings, before)
    }

    /// What a gather to UB and one to L1 bring, which is the same.
    fn gathered(&self) -> Vec<u8> {
        let [to_ub, to_l1] = [self.gather(), self.gather_to_l1()].map(|ran| {
            assert_eq!(ran.oob_accesses(), []);
            let tile = lowest(&ran, Role::Destination, self.element.size());
            tile[..self.indices.len()].to_vec()
        });
        assert_eq!(to_ub, to_l1);
        to_ub
    }
}

fn ask(element: DType, index: DType, indices: &[i32]) -> Ask<'_> {
    Ask {
        element,
        index,
        oob: UNDEFINED,
        readings: by_bytes(),
        indices,
    }
}

/// Byte 4 is in element 4 of bytes, 2 of halves, 1 of words; byte 8 in 8, 4, 2.
#[test]
fn bytes_are_divided() {
    for (element, [four, eight]) in ELEMENTS.into_iter().zip([[4, 8], [2, 4], [1, 2]]) {
        for index in INDEX_TYPES {
            for negative_index in NEGATIVE {
                let mut ask = ask(element, index, &[8, 4, 0]);
                ask.readings.negative_index = negative_index;
                assert_eq!(ask.gathered(), [eight + 1, four + 1, 1], "{element}");
                let mut want = [0; SLOTS as usize];
                want[usize::from(eight)] = 1;
                want[usize::from(four)] = 2;
                want[0] = 3;
                assert_eq!(ask.scattered(), want, "{element}");
            }
        }
    }
}

/// It is the quotient that is compared with the capacity: of ten words byte 36 is
/// in the last one, 40 is the first byte out, 48 is two words on.
#[test]
fn capacity_counts_elements() {
    for index in INDEX_TYPES {
        for (oob, gathered, scattered) in [
            (DROP, [10, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
            (CLAMP, [10, 10, 10], [0, 0, 0, 0, 0, 0, 0, 0, 0, 3]),
            (WRAP, [10, 1, 3], [2, 0, 3, 0, 0, 0, 0, 0, 0, 1]),
        ] {
            let ask = Ask {
                oob,
                ..ask(DType::Int32, index, &[36, 40, 48])
            };
            assert_eq!(ask.gathered(), gathered);
            assert_eq!(ask.scattered(), scattered);
        }
    }
}

/// Where element -13 of ten is, policy by policy: put back into 32 bits it is
/// 4294967283, and 3 beyond a multiple of ten; the remainder of C++ is -3.
fn minus_thirteen(negative: NegativeIndex, index: DType) -> [Option<i64>; 4] {
    match negative {
        NegativeIndex::Signed if index == DType::Int32 => {
            [Some(-13), Some(-13), Some(-13), Some(-3)]
        }
        NegativeIndex::Intended if index == DType::Int32 => [Some(-13), None, Some(0), Some(7)],
        _ => [Some(4_294_967_283), None, Some(9), Some(3)],
    }
}

#[test]
fn negative_displacements() {
    for element in ELEMENTS {
        let size = element.size() as i64;
        let displacement = [-13 * size as i32];
        for index in INDEX_TYPES {
            for negative_index in NEGATIVE {
                let wanted = minus_thirteen(negative_index, index);
                for (oob, want) in POLICIES.into_iter().zip(wanted) {
                    let mut ask = Ask {
                        oob,
                        ..ask(element, index, &displacement)
                    };
                    ask.readings.negative_index = negative_index;
                    one_lane(&ask, want);
                }
            }
        }
    }
}

/// Each instruction reaches `want`, in the table or outside.
fn one_lane(ask: &Ask<'_>, want: Option<i64>) {
    let size = ask.element.size();
    let inside = want.filter(|slot| (0..SLOTS.into()).contains(slot));
    let outside = |write| {
        let access = |slot| OobAccess {
            role: Role::Table,
            offset: slot * size as i64,
            len: size as u64,
            write,
        };
        want.filter(|_| inside.is_none()).map(access)
    };
    for ran in [ask.gather(), ask.gather_to_l1()] {
        assert_eq!(ran.oob_accesses(), outside(false).as_slice());
        if want.is_none() || inside.is_some() {
            let value = inside.map_or(0, |slot| slot as u8 + 1);
            assert_eq!(lowest(&ran, Role::Destination, size)[0], value);
        }
    }
    let ran = ask.scatter(ScatterAtomicOp::None);
    assert_eq!(ran.oob_accesses(), outside(true).as_slice());
    let mut slots = [0; SLOTS as usize];
    if let Some(slot) = inside {
        slots[slot as usize] = 1;
    }
    assert_eq!(lowest(&ran, Role::Table, size), slots);
}

/// A displacement is signed where its type is not: byte -2^31 of halves is
/// element -2^30, which is 3221225472; of words -2^29, which is 3758096384.
#[test]
fn the_most_negative_displacement() {
    for (element, slot) in ELEMENTS.into_iter().zip([8, 2, 4]) {
        let ask = Ask {
            oob: WRAP,
            ..ask(element, DType::Uint32, &[i32::MIN])
        };
        assert_eq!(ask.gathered(), [slot + 1]);
        assert_eq!(ask.scattered()[usize::from(slot)], 1);
    }
}

/// With a remainder it goes on with the quotient towards zero: bytes -3 and 3 of
/// words are in element 0, -7 in -1 and not -2.
#[test]
fn remainders() {
    for index in INDEX_TYPES {
        for negative_index in NEGATIVE {
            let mut ask = Ask {
                oob: DROP,
                ..ask(DType::Int32, index, &[-3, 3, 7, 39, 43])
            };
            ask.readings.negative_index = negative_index;
            assert_eq!(ask.gathered(), [1, 1, 2, 10, 0]);
            assert_eq!(ask.scattered(), [2, 3, 0, 0, 0, 0, 0, 0, 0, 4]);
        }
    }
    let mut ask = Ask {
        oob: WRAP,
        ..ask(DType::Int32, DType::Int32, &[-7])
    };
    ask.readings.negative_index = NegativeIndex::Intended;
    assert_eq!(ask.gathered(), [10]);
    let ask = Ask {
        element: DType::Half,
        indices: &[-1, 5],
        ..ask
    };
    assert_eq!(ask.gathered(), [1, 3]);
}

/// Add reads and writes the same slot; the accesses are those of the documents,
/// each where the quotient says.
#[test]
fn accesses() {
    let ask = ask(DType::Int32, DType::Int32, &[4, 4]);
    let ran = ask.scatter(ScatterAtomicOp::Add);
    assert_eq!(ran.table::<i32>(), [0, 3, 0, 0, 0, 0, 0, 0, 0, 0]);
    let of = |ran: &Ran, wanted: Role| -> Vec<(bool, i64)> {
        let offset = |event: &Event| match event {
            Event::Load { role, offset, .. } if *role == wanted => Some((false, *offset)),
            Event::Store { role, offset, .. } if *role == wanted => Some((true, *offset)),
            _ => None,
        };
        ran.events().iter().filter_map(offset).collect()
    };
    let twice = [(false, 4), (true, 4), (false, 4), (true, 4)];
    assert_eq!(of(&ran, Role::Table), twice);
    assert_eq!(of(&ran, Role::Index), [(false, 0), (false, 4)]);
    for ran in [ask.gather(), ask.gather_to_l1()] {
        assert_eq!(of(&ran, Role::Table), [(false, 4), (false, 4)]);
        assert_eq!(of(&ran, Role::Index), [(false, 0), (false, 4)]);
    }
}

/// The value at the one position that a lane reaches by `displacement`: what a
/// gather brings and where a scatter of 7 goes.
fn reached(table: GlobalTensor, data: Tile, len: u16, displacement: i32) -> (u16, Vec<u16>) {
    let readings = Readings {
        padded_elem: PaddedElem::Strided,
        ..by_bytes()
    };
    let idx = tile(DType::Int32, [1, 8], [1, 1]);
    let slots = vec![7_u16; (data.rows * data.cols) as usize];
    let index = || bytes([displacement; 8]);
    let gather = Call::Mgather(mgather(Coalesce::Elem, data, table, idx));
    let operands = [bytes(0..len), bytes(slots.clone()), index()];
    let value = accepted(gather, readings, in_ub(&gather, operands)).dst()[0];
    let scatter = Call::Mscatter(mscatter(Coalesce::Elem, table, data, idx));
    let operands = [bytes(vec![0_u16; len.into()]), bytes(slots), index()];
    let after = accepted(scatter, readings, in_ub(&scatter, operands)).table::<u16>();
    let sevens = (0..len).filter(|at| after[usize::from(*at)] == 7);
    (value, sevens.collect())
}

/// The quotient is a slot as any other: 8 of rows of eight that lie 16 apart is
/// (1, 0); 40 of an NZ table 32 wide is (1, 8), 20 is (0, 20) in the second block.
#[test]
fn tables_with_gaps_and_blocks() {
    let gaps = table(
        DType::Half,
        [1, 1, 1, 4, 8],
        [64, 64, 64, 16, 1],
        Layout::ND,
    );
    let one = tile(DType::Half, [1, 16], [1, 1]);
    assert_eq!(reached(gaps, one, 56, 16), (16, vec![16]));
    let blocks = nz(DType::Half, [1, 2, 1], 16);
    let one = nz_tile(DType::Half, [16, 16], [1, 1]);
    assert_eq!(reached(blocks, one, 512, 80), (24, vec![24]));
    assert_eq!(reached(blocks, one, 512, 40), (260, vec![260]));
}

/// Row mode counts rows.
#[test]
fn rows_are_rows() {
    let (table, idx) = (nd(DType::Half, 8, 16), tile(DType::Int32, [1, 8], [1, 1]));
    let rows = || bytes((0..8_u16).flat_map(|row| [row; 16]));
    let (ub, l1) = (
        tile(DType::Half, [1, 16], [1, 16]),
        mat(DType::Half, [16, 16], [1, 16]),
    );
    let index = || bytes([6_i32; 8]);

    let call = Call::Mgather(mgather(Coalesce::Row, ub, table, idx));
    let operands = [rows(), bytes([9_u16; 16]), index()];
    let ran = accepted(call, by_bytes(), in_ub(&call, operands));
    assert_eq!(ran.dst::<u16>(), [6; 16]);

    let before = memory([
        (Role::Destination, bytes([9_u16; 256])),
        (Role::Table, rows()),
        (Role::Index, bytes([6_i32])),
    ]);
    let call = Call::MgatherL1(mgather_l1(Coalesce::Row, l1, table));
    let ran = accepted(call, by_bytes(), before);
    assert_eq!(ran.dst::<u16>()[..16], [6; 16]);

    let call = Call::Mscatter(mscatter(Coalesce::Row, table, ub, idx));
    let operands = [rows(), bytes([9_u16; 16]), index()];
    let got = accepted(call, by_bytes(), in_ub(&call, operands)).table::<u16>();
    let want: Vec<u16> = [0, 1, 2, 3, 4, 5, 9, 7]
        .into_iter()
        .flat_map(|v| [v; 16])
        .collect();
    assert_eq!(got, want);
}
