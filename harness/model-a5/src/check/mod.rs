//! The static assertions of each instruction. One on a dimension that is known at
//! run time only does not fire (000 and 001, Dynamic Runtime Shapes).

mod mgather_l1;
mod mscatter_first;
mod table;
mod tgatherb;
mod tscatter;

use ptodiff_isa::{Call, Clause, DType, Dim, Readings, Rejection, Tile, TileType};

/// All rejections of a call, in the order in which its document states the checks.
pub(crate) fn rejections(call: &Call, readings: &Readings) -> Vec<Rejection> {
    let mut checks = Checks(Vec::new());
    match call {
        Call::Mscatter(call) => table::mscatter(call, readings, &mut checks),
        Call::Mgather(call) => table::mgather(call, readings, &mut checks),
        Call::MscatterFirst(call) => mscatter_first::check(call, &mut checks),
        Call::MgatherL1(call) => mgather_l1::check(call, &mut checks),
        Call::TscatterIndex(call) => tscatter::by_index(call, readings, &mut checks),
        Call::TscatterMask(call) => tscatter::by_mask(call, readings, &mut checks),
        Call::Tgatherb(call) => tgatherb::check(call, &mut checks),
    }
    checks.0
}

/// The rejections found so far.
struct Checks(Vec<Rejection>);

impl Checks {
    /// `static_assert(holds)`.
    fn require(&mut self, holds: bool, clause: &'static str, why: impl FnOnce() -> String) {
        if !holds {
            self.0.push(Rejection {
                clause: Clause(clause),
                why: why(),
            });
        }
    }

    /// A rule on the element type of what `operand` names.
    fn element_type(&mut self, holds: bool, clause: &'static str, operand: &str, dtype: DType) {
        self.require(holds, clause, || format!("{operand} of {dtype}"));
    }

    /// The element type of a table or scratch is that of the tile.
    fn same(&mut self, clause: &'static str, operand: &str, dtype: DType, tile: DType) {
        self.require(dtype == tile, clause, || {
            format!("a {operand} of {dtype} for a tile of {tile}")
        });
    }

    /// A tile stands in UB.
    fn in_ub(&mut self, clause: &'static str, name: &str, tile: &Tile) {
        self.require(tile.location == TileType::Vec, clause, || {
            format!("a {} {name}", tile.location)
        });
    }
}

/// Whether a condition holds on an extent, where it is known.
fn holds(extent: Dim, condition: impl FnOnce(u64) -> bool) -> bool {
    extent.known().is_none_or(condition)
}

/// Whether a condition holds on two extents, where both are known.
fn both_hold(a: Dim, b: Dim, condition: impl FnOnce(u64, u64) -> bool) -> bool {
    let known = a.known().zip(b.known());
    known.is_none_or(|(a, b)| condition(a, b))
}

/// The types that every instruction lists.
fn is_common(dtype: DType) -> bool {
    use DType::{Bfloat16, Float, Half, Int8, Int16, Int32, Uint8, Uint16, Uint32};
    matches!(
        dtype,
        Int8 | Uint8 | Int16 | Uint16 | Int32 | Uint32 | Half | Bfloat16 | Float
    )
}

/// With those of `__CCE_AICORE__` builds, of which A5 is one (MSCATTER-GAP-62,
/// MGATHER-GAP-55).
fn is_common_or_small_float(dtype: DType) -> bool {
    use DType::{Float8E4M3, Float8E5M2, Hifloat8};
    is_common(dtype) || matches!(dtype, Hifloat8 | Float8E4M3 | Float8E5M2)
}

fn is_index(dtype: DType) -> bool {
    matches!(dtype, DType::Int32 | DType::Uint32)
}
