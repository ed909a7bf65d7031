//! The checks of TSCATTER and TGATHERB, tile to tile (002 and 004,
//! Target-Profile Restrictions).

use ptodiff_isa::{BLayout, DType, Dim, Tgatherb, Tile, TileType, TscatterIndex, TscatterMask};

use super::{Findings, differ, is_element};
use crate::tmask::lanes;

impl Findings {
    /// The checks of TSCATTER by index.
    pub(super) fn tscatter(&mut self, call: &TscatterIndex) {
        let TscatterIndex { dst, src, idx } = call;
        let tiles = [("destination", dst), ("source", src), ("index tile", idx)];
        self.in_ub("TSCATTER-TILE-01", &tiles);
        self.elements("TSCATTER-DTYPE-01", &tiles[..2]);
        self.same_dtype("TSCATTER-DTYPE-03", dst, src);
        self.index_dtype(dst.dtype, idx.dtype);
        for (name, tile) in tiles {
            for (valid, padded) in [(tile.valid_row, tile.rows), (tile.valid_col, tile.cols)] {
                let beyond = valid.known().is_some_and(|valid| valid > padded);
                self.refuse_if(beyond, "TSCATTER-SHAPE-01", || {
                    format!("{name} has {} valid of {padded}", valid.get())
                });
            }
        }
    }

    /// TSCATTER-DTYPE-04 to -07.
    fn index_dtype(&mut self, data: DType, index: DType) {
        use DType::{Int16, Int32, Uint16, Uint32};
        self.refuse_if(
            !matches!(index, Int16 | Int32 | Uint16 | Uint32),
            "TSCATTER-DTYPE-04",
            || format!("indices of {index}"),
        );
        let (clause, bytes) = match data.size() {
            1 => ("TSCATTER-DTYPE-07", 2),
            2 => ("TSCATTER-DTYPE-06", 2),
            4 => ("TSCATTER-DTYPE-05", 4),
            _ => return,
        };
        self.refuse_if(index.size() != bytes, clause, || {
            format!("indices of {index} with elements of {data}")
        });
    }

    /// The checks of TSCATTER by mask, along the columns.
    pub(super) fn mask(&mut self, call: &TscatterMask) {
        let TscatterMask { dst, src, .. } = call;
        let tiles = [("destination", dst), ("source", src)];
        self.in_ub("TSCATTER-TILE-02", &tiles);
        self.elements("TSCATTER-DTYPE-08", &tiles);
        self.same_dtype("TSCATTER-DTYPE-08", dst, src);
        let rows = differ(dst.valid_row, src.valid_row);
        self.refuse_if(rows, "TSCATTER-SHAPE-02", || {
            let (src, dst) = (src.valid_row.get(), dst.valid_row.get());
            format!("{src} valid rows to {dst}")
        });
        let (factor, _) = lanes(call.pattern);
        let wanted = match src.valid_col {
            Dim::Static(cols) => Dim::Static(cols.saturating_mul(factor)),
            Dim::Dynamic(cols) => Dim::Dynamic(cols),
        };
        self.refuse_if(differ(dst.valid_col, wanted), "TSCATTER-SHAPE-03", || {
            let (src, dst) = (src.valid_col.get(), dst.valid_col.get());
            format!("{src} valid columns times {factor} to {dst}")
        });
    }

    /// The checks of TGATHERB.
    pub(super) fn tgatherb(&mut self, call: &Tgatherb) {
        let Tgatherb { dst, src, .. } = call;
        let layout = dst.blayout;
        self.refuse_if(layout != BLayout::RowMajor, "TGATHERB-TILE-01", || {
            format!("destination is {layout}")
        });
        let size = dst.dtype.size();
        self.refuse_if(!matches!(size, 1 | 2 | 4), "TGATHERB-DTYPE-01", || {
            format!("elements of {size} bytes")
        });
        let tiles = [("destination", dst), ("source", src)];
        self.elements("TGATHERB-DTYPE-03", &tiles);
    }

    fn in_ub(&mut self, clause: &'static str, tiles: &[(&str, &Tile)]) {
        for (name, tile) in tiles {
            self.refuse_if(tile.location != TileType::Vec, clause, || {
                format!("{name} in {}", tile.location)
            });
        }
    }

    fn elements(&mut self, clause: &'static str, tiles: &[(&str, &Tile)]) {
        for (name, tile) in tiles {
            self.refuse_if(!is_element(tile.dtype), clause, || {
                format!("{name} of {}", tile.dtype)
            });
        }
    }

    fn same_dtype(&mut self, clause: &'static str, dst: &Tile, src: &Tile) {
        self.refuse_if(dst.dtype != src.dtype, clause, || {
            format!("{} into {}", src.dtype, dst.dtype)
        });
    }
}
