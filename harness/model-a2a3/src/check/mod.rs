//! The static checks of A2/A3, and no more than these.

mod l1;
mod onchip;
mod table;

use ptodiff_isa::{
    BLayout, Call, Clause, DType, Dim, MaskAxis, Readings, Refusal, SLayout, Scope, Tile,
};

/// `TileConfig::fractalABSize`, in bytes.
const FRACTAL_AB_SIZE: u64 = 512;

/// All refusals of `call`, none if it is accepted.
pub(crate) fn refusals(call: &Call, readings: &Readings) -> Vec<Refusal> {
    let mut findings = Findings(Vec::new());
    match call {
        Call::Mscatter(call) => findings.mscatter(call, readings.nz_dynamic),
        Call::Mgather(call) => findings.mgather(call, readings.nz_dynamic),
        Call::MgatherL1(call) => findings.mgather_l1(call),
        Call::TscatterIndex(call) => findings.tscatter(call),
        Call::Tgatherb(call) => findings.tgatherb(call),
        Call::MscatterFirst(_) => findings.refuse_if(true, "MSCATTER0-API-01", || {
            "A2/A3 has no first revision of MSCATTER".to_owned()
        }),
        Call::TscatterMask(call) => {
            let missing = readings.scope == Scope::Documented;
            findings.refuse_if(missing, "TSCATTER-MODE-02", || {
                "A2/A3 has no masked TSCATTER".to_owned()
            });
            findings.refuse_if(call.axis == MaskAxis::Col, "TSCATTER-SHAPE-02", || {
                "expansion along the rows".to_owned()
            });
            if !missing && call.axis == MaskAxis::Row {
                findings.mask(call);
            }
        }
    }
    findings.0
}

/// What was found so far.
struct Findings(Vec<Refusal>);

impl Findings {
    fn refuse_if(&mut self, broken: bool, clause: &'static str, why: impl FnOnce() -> String) {
        if broken {
            self.0.push(Refusal {
                clause: Clause(clause),
                why: why(),
            });
        }
    }
}

/// The nine element dtypes of A2/A3, the same for every instruction
/// (MSCATTER-DTYPE-07, MGATHERL1-DTYPE-01, TSCATTER-DTYPE-01, TGATHERB-DTYPE-03).
fn is_element(dtype: DType) -> bool {
    use DType::{Bfloat16, Float, Half, Int8, Int16, Int32, Uint8, Uint16, Uint32};
    matches!(
        dtype,
        Int8 | Uint8 | Int16 | Uint16 | Int32 | Uint32 | Half | Bfloat16 | Float
    )
}

/// Whether two extents are both known and differ.
fn differ(a: Dim, b: Dim) -> bool {
    matches!((a.known(), b.known()), (Some(a), Some(b)) if a != b)
}

fn is_nd(tile: &Tile) -> bool {
    tile.blayout == BLayout::RowMajor && tile.slayout == SLayout::NoneBox
}

fn is_nz(tile: &Tile) -> bool {
    tile.blayout == BLayout::ColMajor
        && tile.slayout == SLayout::RowMajor
        && tile.fractal == FRACTAL_AB_SIZE
}

fn layout_of(tile: &Tile) -> String {
    format!("{}+{}+{}", tile.blayout, tile.slayout, tile.fractal)
}
