//! `MGatherCheckGm2L1` (001, GM to L1 Gather, Constraints).
//!
//! Valid extents and table shapes are in none of its rules (MGATHERL1-DYN-01):
//! `Rows` and `Cols`, always known, are all that it measures.

use ptodiff_isa::{Coalesce, DType, GatherExec, Layout, MgatherL1, TileType};

use super::{Findings, is_element, is_nz, layout_of};
use crate::nz::{C0_BYTES, FRACTAL_ROWS};

impl Findings {
    /// The checks of MGATHER into L1.
    pub(super) fn mgather_l1(&mut self, call: &MgatherL1) {
        self.l1_dtypes(call);
        self.l1_operands(call);
        self.l1_tile(call);
    }

    fn l1_dtypes(&mut self, call: &MgatherL1) {
        let dtype = call.dst.dtype;
        self.refuse_if(!is_element(dtype), "MGATHERL1-DTYPE-01", || {
            format!("elements of {dtype}")
        });
        let too_wide = call.mode == Coalesce::Row && dtype.size() > 4;
        self.refuse_if(too_wide, "MGATHERL1-DTYPE-03", || {
            format!("rows of {dtype}")
        });
        let index = call.idx.dtype;
        self.refuse_if(
            !matches!(index, DType::Int32 | DType::Uint32),
            "MGATHERL1-DTYPE-05",
            || format!("indices of {index}"),
        );
        self.refuse_if(call.table.dtype != dtype, "MGATHERL1-DTYPE-06", || {
            format!("table of {} with a tile of {dtype}", call.table.dtype)
        });
    }

    fn l1_operands(&mut self, call: &MgatherL1) {
        self.refuse_if(
            call.table.layout != Layout::ND,
            "MGATHERL1-TABLE-01",
            || format!("{} table", call.table.layout),
        );
        self.refuse_if(call.exec == GatherExec::Simt, "MGATHERL1-EXEC-03", || {
            "A2/A3 has no SIMT executor".to_owned()
        });
        let (clause, why) = match (call.mode, call.scratch) {
            (Coalesce::Row, None) => return,
            (Coalesce::Row, Some(_)) => ("MGATHERL1-GAP-05", "Row with a scratch".to_owned()),
            (Coalesce::Elem, None) => ("MGATHERL1-GAP-05", "Elem without a scratch".to_owned()),
            (Coalesce::Elem, Some(scratch)) if scratch.dtype == call.dst.dtype => return,
            (Coalesce::Elem, Some(scratch)) => {
                let why = format!(
                    "scratch of {} with a tile of {}",
                    scratch.dtype, call.dst.dtype
                );
                ("MGATHERL1-SCRATCH-01", why)
            }
        };
        self.refuse_if(true, clause, || why);
    }

    fn l1_tile(&mut self, call: &MgatherL1) {
        let dst = &call.dst;
        let in_l1 = dst.location == TileType::Mat;
        self.refuse_if(!in_l1 || !is_nz(dst), "MGATHERL1-TILE-01", || {
            format!("destination {} in {}", layout_of(dst), dst.location)
        });
        let c0 = C0_BYTES / dst.dtype.size() as u64;
        for (name, clause, extent, block) in [
            ("Cols", "MGATHERL1-TILE-02", dst.cols, c0),
            ("Rows", "MGATHERL1-TILE-03", dst.rows, FRACTAL_ROWS),
        ] {
            self.refuse_if(!extent.is_multiple_of(block), clause, || {
                format!("{name} of the tile is {extent}, no multiple of {block}")
            });
        }
    }
}
