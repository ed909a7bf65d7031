//! MGatherCheckGm2L1 (001, GM to L1 Gather / Constraints).

use ptodiff_isa::{Coalesce, GatherExec, Layout, MgatherL1, TileType};

use super::{Rejections, is_element, is_index, is_nz, layout};
use crate::nz::{FRACTAL_ROWS, c0};

/// What is rejected of a gather into L1.
pub(super) fn check(call: &MgatherL1, found: &mut Rejections) {
    let (dst, table, index) = (&call.dst, &call.table, &call.idx);
    let element = dst.dtype;
    found.require(is_element(element), "MGATHERL1-DTYPE-01", || {
        format!("elements of {element}")
    });
    let fits_nd2nz = call.mode == Coalesce::Elem || element.size() <= 4;
    found.require(fits_nd2nz, "MGATHERL1-DTYPE-03", || {
        format!("rows of {element}")
    });
    found.require(is_index(index.dtype), "MGATHERL1-DTYPE-05", || {
        format!("indices of {}", index.dtype)
    });
    found.require(table.dtype == element, "MGATHERL1-DTYPE-06", || {
        format!("table of {} with a tile of {element}", table.dtype)
    });
    found.require(table.layout == Layout::ND, "MGATHERL1-TABLE-01", || {
        format!("{} table", table.layout)
    });
    // A2/A3 has no SIMT engine, whatever the mode (MGATHERL1-GAP-06).
    found.require(call.exec == GatherExec::Scalar, "MGATHERL1-EXEC-03", || {
        "A2/A3 has no SIMT executor".to_owned()
    });
    // The scratch belongs to Elem, and Elem to the scratch (MGATHERL1-GAP-05).
    match (call.mode, call.scratch) {
        (Coalesce::Elem, Some(scratch)) => {
            found.require(scratch.dtype == element, "MGATHERL1-SCRATCH-01", || {
                format!("scratch of {} with a tile of {element}", scratch.dtype)
            });
        }
        (Coalesce::Elem, None) => {
            found.add("MGATHERL1-GAP-05", || "Elem without a scratch".to_owned());
        }
        (Coalesce::Row, Some(_)) => {
            found.add("MGATHERL1-GAP-05", || "Row with a scratch".to_owned());
        }
        (Coalesce::Row, None) => {}
    }
    let in_l1 = dst.location == TileType::Mat && is_nz(dst);
    found.require(in_l1, "MGATHERL1-TILE-01", || {
        format!("destination {} in {}", layout(dst), dst.location)
    });
    let c0 = c0(element.size());
    found.require(dst.cols.is_multiple_of(c0), "MGATHERL1-TILE-02", || {
        format!("Cols of the tile is {}, no multiple of {c0}", dst.cols)
    });
    found.require(
        dst.rows.is_multiple_of(FRACTAL_ROWS),
        "MGATHERL1-TILE-03",
        || {
            format!(
                "Rows of the tile is {}, no multiple of {FRACTAL_ROWS}",
                dst.rows
            )
        },
    );
}
