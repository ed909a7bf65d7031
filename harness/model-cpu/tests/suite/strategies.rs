//! Calls, readings and memories of any kind, legal or not.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use ptodiff_isa::reading::GAPS;
use ptodiff_isa::{
    Call, DType, Dim, GlobalTensor, Memory, Mscatter, Readings, Region, Role, Tgatherb, Tile,
    TscatterIndex, TscatterMask,
};
use strum::VariantArray;

use crate::common::{With, gather, gather_l1, scatter};

/// Any word of a kind.
fn any_of<T: Copy + std::fmt::Debug + VariantArray + 'static>() -> impl Strategy<Value = T> {
    select(T::VARIANTS)
}

fn dim(value: impl Strategy<Value = u64>) -> impl Strategy<Value = Dim> {
    (value, any::<bool>()).prop_map(|(v, known)| match known {
        true => Dim::Static(v),
        false => Dim::Dynamic(v),
    })
}

/// Mostly small, sometimes of a size that no memory has.
fn extent() -> impl Strategy<Value = u64> {
    prop_oneof![
        8 => 0_u64..9,
        1 => select(vec![1 << 31, 1 << 32, 1 << 40, 1 << 60, u64::MAX]),
    ]
}

prop_compose! {
    fn tile(dtype: impl Strategy<Value = DType> + 'static)(
        dtype in dtype,
        rows in extent(),
        cols in extent(),
        // Run-time extents drive the loops, so they stay small.
        valid_row in dim(0_u64..9),
        valid_col in dim(0_u64..9),
        (location, blayout, slayout) in (any_of(), any_of(), any_of()),
    ) -> Tile {
        Tile { location, dtype, rows, cols, valid_row, valid_col, blayout, slayout, fractal: 512 }
    }
}

fn data() -> impl Strategy<Value = Tile> {
    tile(any_of())
}

fn index() -> impl Strategy<Value = Tile> {
    prop_oneof![
        tile(select(vec![DType::Int32, DType::Uint32])),
        tile(any_of())
    ]
}

prop_compose! {
    fn table()(
        dtype in any_of(),
        shape in prop::array::uniform5(dim(extent())),
        stride in prop::array::uniform5(dim(extent())),
        layout in any_of(),
    ) -> GlobalTensor {
        GlobalTensor { dtype, shape, stride, layout }
    }
}

/// A call of any instruction but the first revision of MSCATTER.
pub(crate) fn call() -> impl Strategy<Value = Call> {
    let policies = (any_of(), any_of(), any_of(), any_of());
    let to_gm = (table(), data(), index(), policies).prop_map(|(table, src, idx, policies)| {
        let change = |c: &mut Mscatter| (c.mode, c.atomic, c.oob, c.conflict) = policies;
        Call::Mscatter(scatter(table, src, idx).with(change))
    });
    let to_ub = (any_of(), any_of(), data(), table(), index())
        .prop_map(|(mode, oob, dst, table, idx)| Call::Mgather(gather(mode, oob, dst, table, idx)));
    let operands = (data(), table(), table(), prop::option::of(table()));
    let to_l1 = (operands, (any_of(), any_of(), any_of())).prop_map(
        |((dst, table, idx, scratch), (mode, oob, exec))| {
            let call = gather_l1(mode, oob, dst, table, idx);
            Call::MgatherL1(call.with(|c| (c.scratch, c.exec) = (scratch, exec)))
        },
    );
    let by_index = (data(), data(), index())
        .prop_map(|(dst, src, idx)| Call::TscatterIndex(TscatterIndex { dst, src, idx }));
    let by_mask = (data(), data(), any_of(), any_of()).prop_map(|(dst, src, pattern, axis)| {
        Call::TscatterMask(TscatterMask {
            dst,
            src,
            pattern,
            axis,
        })
    });
    let by_bytes = (data(), data(), index())
        .prop_map(|(dst, src, offset)| Call::Tgatherb(Tgatherb { dst, src, offset }));
    // Boxed: their trees of values would fill a test's stack.
    prop_oneof![
        to_gm.boxed(),
        to_ub.boxed(),
        to_l1.boxed(),
        by_index.boxed(),
        by_mask.boxed(),
        by_bytes.boxed(),
    ]
}

/// Any choice for each gap.
pub(crate) fn readings() -> impl Strategy<Value = Readings> {
    vec(any::<usize>(), GAPS.len()).prop_map(|picks| {
        let mut readings = Readings::default();
        for (gap, pick) in GAPS.iter().zip(picks) {
            let choice = gap.choices[pick % gap.choices.len()];
            readings.set(gap.name, choice).expect("its own choice");
        }
        readings
    })
}

/// An operand of any size; its bytes are small numbers so that indices hit.
fn region(role: Role) -> impl Strategy<Value = Region> {
    let byte = prop_oneof![6 => Just(0_u8), 3 => 0_u8..12, 1 => any::<u8>()];
    (vec(byte, 0..300), 0_usize..20, 0_usize..20).prop_map(move |(bytes, before, after)| {
        let end = bytes.len().saturating_sub(after);
        let start = before.min(end);
        Region::new(role, bytes, start..end)
    })
}

/// Every operand that a call may have, of any size.
pub(crate) fn memory() -> impl Strategy<Value = Memory> {
    let roles = [
        Role::Scratch,
        Role::Table,
        Role::Source,
        Role::Destination,
        Role::Index,
    ];
    Vec::from(roles.map(region)).prop_map(|regions| Memory { regions })
}
