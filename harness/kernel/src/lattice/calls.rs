//! The calls of a lattice, form by form.

use std::collections::BTreeMap;

use ptodiff_case::Form;
use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GatherExec, GlobalTensor, Launch, Layout, MaskAxis,
    MaskPattern, Mgather, MgatherL1, Mscatter, MscatterFirst, SLayout, Target, Tgatherb, Tile,
    TileType, TscatterIndex, TscatterMask,
};

use super::{Lattice, Points};

/// Rows of the table that stands for all tables.
const TABLE_ROWS: u64 = 1024;

/// Calls at which making more of them stops: far more than a program holds.
const MOST_POINTS: usize = 10_000;

/// Bytes that a row of a tile is a multiple of.
const ROW_UNIT: u64 = 32;

/// Rows of an NZ box.
const BOX_ROWS: u64 = 16;

/// Bytes of an NZ box.
const BOX_BYTES: u64 = 512;

impl Lattice {
    /// The calls, and what no call was made of. The axes are checked.
    pub(crate) fn points(&self) -> Points {
        let mut points = Points {
            calls: Vec::new(),
            left_out: BTreeMap::new(),
        };
        for form in &self.forms {
            for dtype in &self.dtypes {
                for shape in &self.shapes {
                    if points.calls.len() > MOST_POINTS {
                        return points;
                    }
                    self.at(*form, *dtype, *shape, &mut points);
                }
            }
        }
        points
    }

    fn at(&self, form: Form, dtype: DType, (rows, cols): (u64, u64), points: &mut Points) {
        let width = cols * dtype.size() as u64;
        let mut leave = |why: String| *points.left_out.entry(why).or_default() += 1;
        if !width.is_multiple_of(ROW_UNIT) {
            return leave(format!(
                "rows of {cols} {dtype} are no multiple of 32 bytes"
            ));
        }
        if form == Form::MgatherL1 && !rows.is_multiple_of(BOX_ROWS) {
            return leave(format!("a tile in L1 has no {rows} rows: 16 make a box"));
        }
        let data = tile(dtype, rows, cols);
        match form {
            Form::Mscatter => self.mscatter(data, &mut points.calls),
            Form::MscatterFirst => self.mscatter_first(data, &mut points.calls),
            Form::Mgather => self.mgather(data, &mut points.calls),
            Form::MgatherL1 => self.mgather_l1(data, &mut points.calls),
            Form::TscatterIndex => points.calls.push(Call::TscatterIndex(TscatterIndex {
                dst: data,
                src: data,
                idx: tile(offset_dtype(dtype), rows, padded(cols, offset_dtype(dtype))),
            })),
            Form::TscatterMask => {
                points.calls.extend(self.patterns.iter().map(|pattern| {
                    Call::TscatterMask(TscatterMask {
                        dst: tile(dtype, rows, cols * expansion(*pattern)),
                        src: data,
                        pattern: *pattern,
                        axis: MaskAxis::Row,
                    })
                }));
            }
            Form::Tgatherb => points.calls.push(Call::Tgatherb(Tgatherb {
                dst: data,
                src: data,
                offset: tile(DType::Uint32, rows, padded(cols, DType::Uint32)),
            })),
        }
    }

    fn mscatter(&self, src: Tile, calls: &mut Vec<Call>) {
        // What the target's form has no parameter for makes no further call.
        let policies = self.dialect.has_scatter_policies();
        let conflicts = some(&self.conflicts, self.dialect.has_conflict());
        for (idx, mode) in self.indices(&src) {
            for atomic in some(&self.atomics, policies) {
                for oob in some(&self.scatter_oob, policies) {
                    calls.extend(conflicts.iter().map(|conflict| {
                        Call::Mscatter(Mscatter {
                            table: table(src.dtype, src.cols),
                            src,
                            idx,
                            mode,
                            atomic: *atomic,
                            oob: *oob,
                            conflict: *conflict,
                            launch: Launch::default(),
                        })
                    }));
                }
            }
        }
    }

    fn mscatter_first(&self, src: Tile, calls: &mut Vec<Call>) {
        for index in &self.index_dtypes {
            for mode in &self.modes {
                let idx = match mode {
                    Coalesce::Row => tile(*index, src.rows, 1),
                    Coalesce::Elem => tile(*index, src.rows, src.cols),
                };
                for atomic in &self.atomics {
                    calls.extend(self.scatter_oob.iter().map(|oob| {
                        Call::MscatterFirst(MscatterFirst {
                            table: table(src.dtype, src.cols),
                            src,
                            idx,
                            atomic: *atomic,
                            oob: *oob,
                            launch: Launch::default(),
                        })
                    }));
                }
            }
        }
    }

    fn mgather(&self, dst: Tile, calls: &mut Vec<Call>) {
        for (idx, mode) in self.indices(&dst) {
            calls.extend(self.gather_oob.iter().map(|oob| {
                Call::Mgather(Mgather {
                    dst,
                    table: table(dst.dtype, dst.cols),
                    idx,
                    mode,
                    oob: *oob,
                    launch: Launch::default(),
                })
            }));
        }
    }

    fn mgather_l1(&self, dst: Tile, calls: &mut Vec<Call>) {
        let dst = Tile {
            location: TileType::Mat,
            blayout: BLayout::ColMajor,
            slayout: SLayout::RowMajor,
            ..dst
        };
        let execs: &[GatherExec] = match self.dialect.target {
            Target::A5 => &[GatherExec::Scalar, GatherExec::Simt],
            Target::Cpu | Target::A2a3 => &[GatherExec::Scalar],
        };
        for index in &self.index_dtypes {
            for mode in &self.modes {
                let (idx, scratch, execs) = match mode {
                    Coalesce::Row => (line(*index, dst.rows), None, &execs[..1]),
                    Coalesce::Elem => (
                        plane(*index, dst.rows, dst.cols),
                        Some(line(dst.dtype, dst.rows * dst.cols)),
                        execs,
                    ),
                };
                for (oob, exec) in self
                    .gather_oob
                    .iter()
                    .flat_map(|oob| execs.iter().map(move |exec| (oob, exec)))
                {
                    calls.push(Call::MgatherL1(MgatherL1 {
                        dst,
                        table: table(dst.dtype, dst.cols),
                        idx,
                        scratch,
                        mode: *mode,
                        oob: *oob,
                        exec: *exec,
                        launch: Launch::default(),
                    }));
                }
            }
        }
    }

    /// The index tiles for a data tile, with the mode that they are for.
    fn indices(&self, data: &Tile) -> Vec<(Tile, Coalesce)> {
        let each = self
            .index_dtypes
            .iter()
            .flat_map(|index| self.modes.iter().map(move |mode| (*index, *mode)));
        each.map(|(index, mode)| match mode {
            Coalesce::Row => (tile(index, 1, padded(data.rows, index)), mode),
            Coalesce::Elem => (tile(index, data.rows, padded(data.cols, index)), mode),
        })
        .collect()
    }
}

/// All of an axis, or the one value that stands for it where it does not count.
fn some<T>(axis: &[T], counts: bool) -> &[T] {
    if counts {
        axis
    } else {
        &axis[..1.min(axis.len())]
    }
}

/// Columns that make rows of whole 32 bytes.
fn padded(cols: u64, dtype: DType) -> u64 {
    cols.next_multiple_of(ROW_UNIT / dtype.size() as u64)
}

/// The type of TSCATTER's offsets for data of `dtype` (TSCATTER-DTYPE-04 to -06).
const fn offset_dtype(dtype: DType) -> DType {
    match dtype.size() {
        1 | 2 => DType::Int16,
        _ => DType::Int32,
    }
}

/// How many columns of the destination one of the source becomes (TSCATTER-MASK-01).
const fn expansion(pattern: MaskPattern) -> u64 {
    match pattern {
        MaskPattern::P1111 => 1,
        MaskPattern::P0101 | MaskPattern::P1010 => 2,
        MaskPattern::P0001 | MaskPattern::P0010 | MaskPattern::P0100 | MaskPattern::P1000 => 4,
    }
}

/// A row-major tile in UB, all of it valid, as it is known at run time.
const fn tile(dtype: DType, rows: u64, cols: u64) -> Tile {
    Tile {
        location: TileType::Vec,
        dtype,
        rows,
        cols,
        valid_row: Dim::Dynamic(rows),
        valid_col: Dim::Dynamic(cols),
        blayout: BLayout::RowMajor,
        slayout: SLayout::NoneBox,
        fractal: BOX_BYTES,
    }
}

/// A packed tensor with both inner extents and their strides known at run time.
const fn plane(dtype: DType, rows: u64, cols: u64) -> GlobalTensor {
    const ONE: Dim = Dim::Static(1);
    GlobalTensor {
        dtype,
        shape: [ONE, ONE, ONE, Dim::Dynamic(rows), Dim::Dynamic(cols)],
        stride: [ONE, ONE, ONE, Dim::Dynamic(cols), Dim::Dynamic(1)],
        layout: Layout::ND,
    }
}

const fn table(dtype: DType, cols: u64) -> GlobalTensor {
    plane(dtype, TABLE_ROWS, cols)
}

const fn line(dtype: DType, count: u64) -> GlobalTensor {
    plane(dtype, 1, count)
}
