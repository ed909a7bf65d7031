//! Indices that count bytes in Elem mode (MSCATTER-GAP-87, MGATHER-GAP-76,
//! MGATHERL1-GAP-35).

use crate::common::*;
use ptodiff_isa::NegativeIndex::{Intended, Signed, Unsigned};
use ptodiff_isa::ScatterConflict::{Default as Any, Last};

/// A type of each element size.
const SIZES: [DType; 3] = [Uint8, Int16, Float];
const INDICES: [DType; 2] = [Int32, Uint32];
const NEGATIVES: [NegativeIndex; 3] = [Unsigned, Signed, Intended];

/// The policies of a scatter and of a gather that go together.
type Policies = (ScatterOob, GatherOob);

const UNDEFINED: Policies = (ScatterOob::Undefined, GatherOob::Undefined);
const DROP: Policies = (ScatterOob::Skip, GatherOob::Zero);
const CLAMP: Policies = (ScatterOob::Clamp, GatherOob::Clamp);
const WRAP: Policies = (ScatterOob::Wrap, GatherOob::Wrap);

/// Slots of every table.
const SLOTS: i64 = 10;

/// Indices count bytes.
fn by_byte(negative_index: NegativeIndex) -> How {
    reading(|readings| {
        readings.index_unit = IndexUnit::Byte;
        readings.negative_index = negative_index;
    })
}

/// A scatter of `cols` elements by either kernel, a gather of them to UB, and two to L1.
fn calls(dtype: DType, index: DType, (to_gm, from_gm): Policies, cols: u64) -> Vec<Call> {
    let table = flat(dtype, SLOTS as u64);
    let part = |dtype| valid(dtype, 1, 8, 1, cols);
    let (data, idx, oob) = (part(dtype), part(index), from_gm);
    let scatter = |conflict| {
        let call = mscatter(Elem, table, data, idx);
        Call::Mscatter(call.with(|c| (c.oob, c.conflict) = (to_gm, conflict)))
    };
    let to_l1 = |exec| {
        let width = 32 / dtype.size() as u64;
        let (dst, scratch) = (nz(dtype, 16, width, 1, cols), flat(dtype, 16 * width));
        let call = mgather_l1(Elem, table, dst, rows(index, 1, cols), Some(scratch));
        Call::MgatherL1(MgatherL1 { oob, exec, ..call })
    };
    let to_ub = Call::Mgather(mgather(Elem, table, data, idx).with(|c| c.oob = oob));
    let all = [
        scatter(Any),
        scatter(Last),
        to_ub,
        to_l1(GatherExec::Scalar),
    ];
    [&all[..], &[to_l1(GatherExec::Simt)]].concat()
}

/// The slot that all of them reach by an index, in the table or outside, if any. It is
/// tried on the scalar path and, beside index 0, on lanes.
fn reached(
    dtype: DType,
    index: DType,
    oob: Policies,
    negative_index: NegativeIndex,
    displacement: i64,
) -> Option<i64> {
    let (how, size) = (by_byte(negative_index), dtype.size());
    let one = |value: u8| [value, 0, 0, 0][..size].to_vec();
    let numbers: Vec<u8> = (1..=SLOTS as u8).flat_map(one).collect();
    let mut found = vec![];
    for cols in [1, 2] {
        for call in calls(dtype, index, oob, cols) {
            assert_eq!(clauses(call, &how.readings), [""; 0]);
            let idx = [displacement as u32, 0, 0, 0, 0, 0, 0, 0];
            // The first of the source is 99, the second 98.
            let src = [one(99), one(98), vec![0; 512]].concat();
            let mut memory = memory(&[
                (Role::Table, numbers.clone()),
                (Role::Source, src),
                (Role::Index, bytes(&idx)),
                (Role::Destination, vec![0; 512]),
                (Role::Scratch, vec![0; 512]),
            ]);
            let log = execute(call, &mut memory, how);
            if let [access] = log.oob_accesses.first[..] {
                found.push(Some(access.offset / size as i64));
                continue;
            }
            let body = |role| memory.get(role).expect("an operand").body();
            found.push(match call {
                Call::Mscatter(call) => {
                    let stored = body(Role::Table).iter().position(|b| *b == 99);
                    // Where both went to slot 0, the second one is left; the Last kernels
                    // own no slot outside (GAP-10).
                    let folded = cols == 2 && stored.is_none() && body(Role::Table)[0] == 98;
                    match stored {
                        Some(at) => Some((at / size) as i64),
                        None if call.conflict == Last || folded => continue,
                        None => None,
                    }
                }
                _ => {
                    let value = i64::from(body(Role::Destination)[0]);
                    (value != 0).then(|| value - 1)
                }
            });
        }
    }
    assert!(
        found.iter().all(|slot| *slot == found[0]),
        "{dtype} {index} {displacement} {found:?}"
    );
    found[0]
}

#[test]
fn gap_76_and_87_an_index_is_a_displacement() {
    for dtype in SIZES {
        let size = dtype.size() as i64;
        for index in INDICES {
            for negative in NEGATIVES {
                for oob in [UNDEFINED, DROP, CLAMP, WRAP] {
                    for slot in [0, 4, 9] {
                        let found = reached(dtype, index, oob, negative, slot * size);
                        assert_eq!(found, Some(slot), "{dtype} {index}");
                    }
                }
                // The quotient is held against the capacity.
                for (slot, wrapped) in [(10, 0), (23, 3)] {
                    let of = |oob| reached(dtype, index, oob, negative, slot * size);
                    assert_eq!(of(UNDEFINED), Some(slot));
                    assert_eq!(of(DROP), None);
                    assert_eq!((of(CLAMP), of(WRAP)), (Some(9), Some(wrapped)));
                }
            }
        }
    }
}

#[test]
fn gap_76_and_87_a_displacement_backwards() {
    for dtype in SIZES {
        let back = -3 * dtype.size() as i64;
        let of = |index, oob, negative| reached(dtype, index, oob, negative, back);
        // 2^32 - 3.
        let far = [Some(4_294_967_293), None, Some(9), Some(3)];
        for (index, negative, expected) in [
            (Int32, Unsigned, far),
            (Int32, Signed, [Some(-3); 4]),
            (Int32, Intended, [Some(-3), None, Some(0), Some(7)]),
            (Uint32, Unsigned, far),
            (Uint32, Signed, far),
            (Uint32, Intended, far),
        ] {
            let found = [UNDEFINED, DROP, CLAMP, WRAP].map(|oob| of(index, oob, negative));
            assert_eq!(found, expected, "{dtype} {index} {negative}");
        }
    }
    // An unsigned index is divided as a signed one: 2^32 - 2^31 / size, which is 2147483648,
    // 3221225472 or 3758096384.
    for (dtype, slot) in SIZES.into_iter().zip([8, 2, 4]) {
        let found = reached(dtype, Uint32, WRAP, Unsigned, 1 << 31);
        assert_eq!(found, Some(slot));
    }
}
