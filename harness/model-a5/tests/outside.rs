//! Accesses outside operands.

use crate::common::*;
use ptodiff_isa::NegativeIndex::{Intended, Signed, Unsigned};

/// What leaves its operand, on these bytes.
fn outside_of(call: Call, how: How, operands: &[(Role, Vec<u8>)]) -> OobAccesses {
    execute(call, &mut memory(operands), how).oob_accesses
}

/// MSCATTER-GAP-11: row 40000 of 65536 columns is at element 2621440000, in a memory that
/// is small.
#[test]
fn addresses_are_exact_beyond_32_bits() {
    let mut src = tile(Half, 1, 65536);
    src.valid_col = Dim::Dynamic(65536);
    let call = mscatter(Row, rows(Half, 65536, 65536), src, tile(Int32, 1, 1));
    let call = Call::Mscatter(call.with(|c| c.conflict = ScatterConflict::Default));
    let operands = [
        (Role::Table, vec![0; 64]),
        (Role::Source, vec![0; 131_072]),
        (Role::Index, bytes(&[40_000])),
    ];
    let found = outside_of(call, How::default(), &operands);
    assert_eq!(found.count, 65536);
    let offsets = [found.first[0].offset, found.first[1].offset];
    assert_eq!(offsets, [5_242_880_000, 5_242_880_002]);
}

/// The policies of a scatter and of a gather that go together.
type Policies = (ScatterOob, GatherOob);

/// MSCATTER-GAP-87, MGATHER-GAP-76, MGATHERL1-GAP-35: element -3 of ten, by element and by
/// byte. An unsigned displacement is divided as a signed one and put back into 32 bits.
#[test]
fn negative_indices_without_a_bound() {
    const FAR: i64 = 4_294_967_293;
    const UNDEFINED: Policies = (ScatterOob::Undefined, GatherOob::Undefined);
    for (dtype, negative_index, (to_gm, from_gm), slot) in [
        (Int32, Unsigned, UNDEFINED, FAR),
        (Int32, Signed, UNDEFINED, -3),
        (Int32, Intended, UNDEFINED, -3),
        (Uint32, Unsigned, UNDEFINED, FAR),
        (Uint32, Signed, UNDEFINED, FAR),
        (Uint32, Intended, UNDEFINED, FAR),
        // A signed comparison with the capacity lets it pass.
        (Int32, Signed, (ScatterOob::Skip, GatherOob::Zero), -3),
        (Int32, Signed, (ScatterOob::Clamp, GatherOob::Clamp), -3),
        (Int32, Signed, (ScatterOob::Wrap, GatherOob::Wrap), -3),
    ] {
        for (index_unit, index) in [(IndexUnit::Element, -3), (IndexUnit::Byte, -12)] {
            let how = reading(|r| {
                (r.negative_index, r.index_unit) = (negative_index, index_unit);
            });
            let part = |dtype, cols| valid(dtype, 1, 8, 1, cols);
            let table = flat(Int32, 10);
            // The scalar path, and lanes, of which the second stays inside.
            for cols in [1, 2] {
                let (data, idx) = (part(Int32, cols), part(dtype, cols));
                let to_l1 = |exec| {
                    let (dst, scratch) = (nz(Int32, 16, 8, 1, cols), Some(flat(Int32, 128)));
                    let call = mgather_l1(Elem, table, dst, rows(dtype, 1, cols), scratch);
                    Call::MgatherL1(call.with(|c| (c.exec, c.oob) = (exec, from_gm)))
                };
                let scatter = mscatter(Elem, table, data, idx);
                let conflict = ScatterConflict::Default;
                for call in [
                    Call::Mscatter(scatter.with(|c| (c.oob, c.conflict) = (to_gm, conflict))),
                    Call::Mgather(mgather(Elem, table, data, idx).with(|c| c.oob = from_gm)),
                    to_l1(GatherExec::Scalar),
                    to_l1(GatherExec::Simt),
                ] {
                    let operands = [
                        (Role::Table, vec![0; 40]),
                        (Role::Source, vec![0; 32]),
                        (Role::Destination, vec![0; 512]),
                        (Role::Scratch, vec![0; 512]),
                        (Role::Index, bytes(&[index, 0, 0, 0, 0, 0, 0, 0])),
                    ];
                    let found = outside_of(call, how, &operands).first;
                    let write = call.output() == Role::Table;
                    let expected = outside(Role::Table, 4 * slot, 4, write);
                    assert_eq!(found, [expected], "{dtype} {negative_index} {to_gm}");
                }
            }
        }
    }
}

/// TGATHERB-GAP-14: a block is loaded whole though the padded row has room for 3 words of 8.
#[test]
fn a_block_is_loaded_whole_though_less_is_stored() {
    let call = Call::Tgatherb(Tgatherb {
        dst: tile(Int32, 1, 3),
        src: tile(Int32, 1, 8),
        offset: tile(Uint32, 1, 1),
    });
    let operands = [
        (Role::Source, bytes(&[1, 2, 3, 4, 5, 6, 7, 8])),
        (Role::Index, bytes(&[4])),
        (Role::Destination, vec![0; 12]),
    ];
    let found = outside_of(call, blocks(), &operands).first;
    assert_eq!(found, [outside(Role::Source, 4, 32, false)]);
}
