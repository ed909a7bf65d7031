//! What the static checks reject. A dimension known at run time only is not seen
//! by any of them (MSCATTER-DYN-04, MGATHER-DYN-03).

mod gm_ub;
mod mgather_l1;
mod tgatherb;
mod tscatter;

use ptodiff_isa::{BLayout, Call, Clause, DType, Readings, Rejection, SLayout, Tile};

use crate::nz::FRACTAL_BYTES;

/// All that the checks find in a call, in the order of its constraints.
pub(crate) fn rejections(call: &Call, readings: &Readings) -> Vec<Rejection> {
    let mut found = Rejections::default();
    match call {
        Call::Mscatter(call) => gm_ub::mscatter(call, readings, &mut found),
        Call::MscatterFirst(_) => found.add("MSCATTER0-API-01", || {
            "A2/A3 has no first revision of MSCATTER".to_owned()
        }),
        Call::Mgather(call) => gm_ub::mgather(call, readings, &mut found),
        Call::MgatherL1(call) => mgather_l1::check(call, &mut found),
        Call::TscatterIndex(call) => tscatter::by_index(call, &mut found),
        Call::TscatterMask(call) => tscatter::by_mask(call, readings, &mut found),
        Call::Tgatherb(call) => tgatherb::check(call, &mut found),
    }
    found.0
}

/// The rejections found so far.
#[derive(Default)]
struct Rejections(Vec<Rejection>);

impl Rejections {
    fn add(&mut self, clause: &'static str, why: impl FnOnce() -> String) {
        let clause = Clause(clause);
        self.0.push(Rejection { clause, why: why() });
    }

    /// Adds a rejection unless what a clause asks for holds.
    fn require(&mut self, holds: bool, clause: &'static str, why: impl FnOnce() -> String) {
        if !holds {
            self.add(clause, why);
        }
    }
}

/// The nine element types that every instruction takes on A2/A3.
fn is_element(dtype: DType) -> bool {
    match dtype {
        DType::Int8 | DType::Uint8 | DType::Int16 | DType::Uint16 => true,
        DType::Int32 | DType::Uint32 => true,
        DType::Half | DType::Bfloat16 | DType::Float => true,
        DType::Int64 | DType::Uint64 => false,
        DType::Float8E4M3 | DType::Float8E5M2 | DType::Hifloat8 => false,
    }
}

/// The types of indices that MSCATTER and MGATHER read.
fn is_index(dtype: DType) -> bool {
    matches!(dtype, DType::Int32 | DType::Uint32)
}

/// RowMajor and NoneBox.
fn is_nd(tile: &Tile) -> bool {
    tile.blayout == BLayout::RowMajor && tile.slayout == SLayout::NoneBox
}

/// ColMajor, RowMajor boxes of `TileConfig::fractalABSize` bytes.
fn is_nz(tile: &Tile) -> bool {
    tile.blayout == BLayout::ColMajor
        && tile.slayout == SLayout::RowMajor
        && tile.fractal == FRACTAL_BYTES
}

/// A tile's layout in full.
fn layout(tile: &Tile) -> String {
    format!("{}+{}+{}", tile.blayout, tile.slayout, tile.fractal)
}
