//! The readings of MSCATTER-GAP-87, MGATHER-GAP-76 and MGATHERL1-GAP-35: an
//! index of Elem mode that counts bytes.

use ptodiff_isa::{
    Call, Coalesce, DType, End, GatherOob, IndexUnit, Memory, Model, NegativeIndex, Readings, Role,
    ScatterOob,
};
use ptodiff_model_a2a3::A2a3;
use strum::VariantArray;

use crate::common::{
    Ran, With, bytes, line, mat, memory, mgather, mgather_l1, mscatter, outside, reading, run_on,
    tile,
};

use Coalesce::Elem;
use DType::{Half, Int8, Int32, Uint32};

/// The policies of a scatter and of a gather that go together.
type Policies = (ScatterOob, GatherOob);

const UNDEFINED: Policies = (ScatterOob::Undefined, GatherOob::Undefined);
const DROP: Policies = (ScatterOob::Skip, GatherOob::Zero);
const CLAMP: Policies = (ScatterOob::Clamp, GatherOob::Clamp);
const WRAP: Policies = (ScatterOob::Wrap, GatherOob::Wrap);

/// Slots of every table.
const SLOTS: i64 = 10;

fn by_bytes() -> Readings {
    reading(|r| r.index_unit = IndexUnit::Byte)
}

fn accepted(call: Call, readings: Readings, before: Memory) -> Ran {
    assert_eq!(A2a3.check(&call, &readings), []);
    let ran = run_on(call, readings, before);
    assert_eq!(ran.outcome, Ok(End::Finished));
    ran
}

/// A scatter of one element, and the same gathered to UB and to L1.
fn calls(element: DType, index: DType, (to_gm, from_gm): Policies) -> [Call; 3] {
    let table = line(element, SLOTS as u64);
    let (data, idx) = (tile(element, [1, 32], [1, 1]), tile(index, [1, 8], [1, 1]));
    let to_l1 = mat(element, [16, 32 / element.size() as u64], [1, 1]);
    [
        Call::Mscatter(mscatter(Elem, table, data, idx).with(|c| c.oob = to_gm)),
        Call::Mgather(mgather(Elem, data, table, idx).with(|c| c.oob = from_gm)),
        Call::MgatherL1(
            mgather_l1(Elem, to_l1, table).with(|c| (c.idx, c.oob) = (line(index, 1), from_gm)),
        ),
    ]
}

/// The slot that all three reach, in the table or outside, if any.
fn reached(
    element: DType,
    index: DType,
    oob: Policies,
    readings: Readings,
    displacement: i32,
) -> Option<i64> {
    let size = element.size();
    // Slot k holds k + 1, or takes 99.
    let numbers: Vec<u8> = (1..=SLOTS as u8)
        .flat_map(|k| [k, 0, 0, 0][..size].to_vec())
        .collect();
    let found = calls(element, index, oob).map(|call| {
        let mut data = vec![0; 512];
        data[0] = 99;
        let index = match call {
            Call::MgatherL1(_) => bytes([displacement]),
            _ => bytes([displacement; 8]),
        };
        let data_role = match call {
            Call::Mscatter(_) => Role::Source,
            _ => Role::Destination,
        };
        let before = memory([
            (Role::Table, numbers.clone()),
            (data_role, data),
            (Role::Index, index),
            (Role::Scratch, vec![0; 512]),
        ]);
        let ran = accepted(call, readings, before);
        let write = data_role == Role::Source;
        if let [access] = ran.oob_accesses() {
            let slot = access.offset / size as i64;
            let offset = slot * size as i64;
            assert_eq!(*access, outside(Role::Table, offset, size as u64, write));
            return Some(slot);
        }
        assert_eq!(ran.oob_accesses(), []);
        if write {
            let table = ran.table::<u8>();
            return table
                .iter()
                .position(|b| *b == 99)
                .map(|at| (at / size) as i64);
        }
        let value = ran.dst::<u8>()[0];
        (value != 0).then(|| i64::from(value) - 1)
    });
    assert_eq!(found, [found[0]; 3], "{element} {index} {displacement}");
    found[0]
}

/// The same under every reading of negative indices, which must not matter.
fn always(element: DType, index: DType, oob: Policies, displacement: i32) -> Option<i64> {
    let found = NegativeIndex::VARIANTS.iter().map(|negative_index| {
        let readings = by_bytes().with(|c| c.negative_index = *negative_index);
        reached(element, index, oob, readings, displacement)
    });
    let found: Vec<_> = found.collect();
    assert_eq!(found, [found[0]; 3]);
    found[0]
}

/// Byte 4 is in element 4 of bytes, 2 of halves, 1 of words. It is the quotient that is
/// compared with the capacity: of ten words byte 36 is in the last one, 40 is the first
/// byte out, 48 is two words on.
#[test]
fn bytes_are_divided() {
    for index in [Int32, Uint32] {
        for (element, slot) in [(Int8, 4), (Half, 2), (Int32, 1)] {
            for oob in [UNDEFINED, DROP, CLAMP, WRAP] {
                assert_eq!(always(element, index, oob, 4), Some(slot));
                assert_eq!(always(element, index, oob, 0), Some(0));
            }
        }
        for (displacement, dropped, clamped, wrapped) in [
            (36, Some(9), 9, 9),
            (40, None, 9, 0),
            (48, None, 9, 2),
            // With a remainder it goes on with the quotient towards zero.
            (-3, Some(0), 0, 0),
            (7, Some(1), 1, 1),
            (39, Some(9), 9, 9),
            (43, None, 9, 0),
        ] {
            let of = |oob| always(Int32, index, oob, displacement);
            assert_eq!(of(DROP), dropped, "{displacement}");
            assert_eq!((of(CLAMP), of(WRAP)), (Some(clamped), Some(wrapped)));
        }
    }
}

/// Element -13 of ten: put back into 32 bits it is 4294967283, and 3 beyond a multiple of
/// ten; the remainder of C++ is -3. Bytes -7 of words are in element -1 and not -2.
#[test]
fn negative_displacements() {
    use NegativeIndex::{Intended, Signed, Unsigned};
    let far = [Some(4_294_967_283), None, Some(9), Some(3)];
    for (index, negative_index, want) in [
        (Int32, Unsigned, far),
        (Int32, Signed, [Some(-13), Some(-13), Some(-13), Some(-3)]),
        (Int32, Intended, [Some(-13), None, Some(0), Some(7)]),
        (Uint32, Unsigned, far),
        (Uint32, Signed, far),
        (Uint32, Intended, far),
    ] {
        let readings = by_bytes().with(|c| c.negative_index = negative_index);
        for element in [Int8, Half, Int32] {
            let displacement = -13 * element.size() as i32;
            for (oob, want) in [UNDEFINED, DROP, CLAMP, WRAP].into_iter().zip(want) {
                let found = reached(element, index, oob, readings, displacement);
                assert_eq!(found, want, "{element} {index} {negative_index}");
            }
        }
        if negative_index == Intended && index == Int32 {
            assert_eq!(reached(Int32, index, WRAP, readings, -7), Some(9));
        }
    }
    // A displacement is signed where its type is not: byte -2^31 of halves is element
    // -2^30, which is 3221225472; of words -2^29, which is 3758096384.
    for (element, slot) in [(Int8, 8), (Half, 2), (Int32, 4)] {
        assert_eq!(always(element, Uint32, WRAP, i32::MIN), Some(slot));
    }
}
