//! The calls of a lattice, form by form.

use std::collections::BTreeMap;

use ptodiff_case::Form;
use ptodiff_isa::{
    Argument, BLayout, Call, Coalesce, DType, Dim, GlobalTensor, Layout, MaskAxis, Mgather,
    MgatherL1, Mscatter, MscatterFirst, SLayout, Target, Tgatherb, Tile, TileType, TscatterIndex,
    TscatterMask,
};

use super::{Extents, Lattice, Outer, Points};

/// Rows of a table whose extents are fixed, and of the one that stands for all others.
const TABLE_ROWS: u64 = 32;

/// Calls at which making more of them stops: far more than a program holds.
const MOST_POINTS: usize = 10_000;

/// Bytes that a row of a tile is a multiple of.
const ROW_UNIT: u64 = 32;

/// Rows of an NZ box.
const BOX_ROWS: u64 = 16;

/// Bytes of an NZ box.
const BOX_BYTES: u64 = 512;

impl Lattice {
    /// The calls, and what no call was made of.
    pub(crate) fn points(&self) -> Points {
        let mut points = Points {
            calls: Vec::new(),
            left_out: BTreeMap::new(),
        };
        for form in &self.forms {
            for dtype in &self.dtypes {
                for shape in &self.shapes {
                    if let Some(why) = no_tile(*form, *dtype, *shape) {
                        *points.left_out.entry(why).or_default() += 1;
                        continue;
                    }
                    for with in self.operands(*form, *dtype, &mut points.left_out) {
                        if points.calls.len() > MOST_POINTS {
                            return points;
                        }
                        self.at(*form, *dtype, *shape, with, &mut points.calls);
                    }
                }
            }
        }
        points
    }

    /// How the operands of `form` are made for data of `dtype`, each way once.
    fn operands(
        &self,
        form: Form,
        dtype: DType,
        left_out: &mut BTreeMap<String, usize>,
    ) -> Vec<Operands> {
        let mut leave = |why: &str| *left_out.entry(why.to_owned()).or_default() += 1;
        let outer = if form.in_gm() {
            &self.outer[..]
        } else {
            &[Outer::NONE]
        };
        let outer = outer.iter().filter(|outer| {
            let fits = outer.may_be_one() || !self.wants_flat_tables(form);
            if !fits {
                leave(&format!(
                    "{form} on {} takes tables whose outer dimensions are 1",
                    self.dialect.target
                ));
            }
            fits
        });
        let outer: Vec<Outer> = outer.copied().collect();
        let others: Vec<DType> = if self.table_dtypes.is_empty() {
            vec![dtype]
        } else if self.takes_another_type(form) {
            let fits = |other: &&DType| {
                let fits = other.size() == dtype.size();
                if !fits {
                    leave("a table with elements of another size than the data's");
                }
                fits
            };
            self.table_dtypes.iter().filter(fits).copied().collect()
        } else {
            // It makes no further call.
            if self.table_dtypes.iter().any(|other| *other != dtype) {
                leave(&format!(
                    "{form} on {} with a table of another type than the data",
                    self.dialect.target
                ));
            }
            vec![dtype]
        };
        let mut all = Vec::new();
        for extents in &self.extents {
            for outer in &outer {
                all.extend(others.iter().map(|other| Operands {
                    extents: *extents,
                    outer: *outer,
                    other: *other,
                }));
            }
        }
        all
    }

    /// Whether outer dimensions are to be 1: on CPU (MSCATTER-TABLE-03, MGATHER-TABLE-03) but
    /// for MSCATTER with A5's template parameters, and in the first revision (MSCATTER0-GAP-04).
    fn wants_flat_tables(&self, form: Form) -> bool {
        let templated = form == Form::Mscatter && self.dialect.suite_forms;
        form == Form::MscatterFirst || self.dialect.target == Target::Cpu && !templated
    }

    /// Whether elements on the other side may differ in type, though not in size: on CPU
    /// alone (MSCATTER-GAP-44, MGATHER-GAP-13), but not under A5's rules (MSCATTER-DTYPE-11).
    fn takes_another_type(&self, form: Form) -> bool {
        self.dialect.target == Target::Cpu
            && match form {
                Form::Mscatter => !self.dialect.suite_forms,
                Form::Mgather => true,
                _ => false,
            }
    }

    fn at(
        &self,
        form: Form,
        dtype: DType,
        (rows, cols): (u64, u64),
        with: Operands,
        calls: &mut Vec<Call>,
    ) {
        let data = with.tile(dtype, rows, cols);
        match form {
            Form::Mscatter | Form::MscatterFirst | Form::Mgather | Form::MgatherL1 => {
                for index in &self.index_dtypes {
                    for mode in &self.modes {
                        calls.extend(self.policies(with.of_table(form, data, *index, *mode)));
                    }
                }
            }
            Form::TscatterIndex => calls.push(Call::TscatterIndex(TscatterIndex {
                dst: data,
                src: data,
                idx: with.padded(offset_dtype(dtype), rows, cols),
            })),
            Form::TscatterMask => {
                for axis in &self.mask_axes {
                    calls.extend(self.patterns.iter().map(|pattern| {
                        let lanes = ptodiff_case::lanes(*pattern);
                        let (rows, cols) = match axis {
                            MaskAxis::Row => (rows, cols * lanes),
                            MaskAxis::Col => (rows * lanes, cols),
                        };
                        Call::TscatterMask(TscatterMask {
                            dst: with.tile(dtype, rows, cols),
                            src: data,
                            pattern: *pattern,
                            axis: *axis,
                        })
                    }));
                }
            }
            Form::Tgatherb => calls.push(Call::Tgatherb(Tgatherb {
                dst: data,
                src: data,
                offset: with.padded(DType::Uint32, rows, cols),
            })),
        }
    }

    /// `call` with every combination of what its template arguments but the mode may be.
    fn policies(&self, call: Call) -> Vec<Call> {
        let mut all = vec![call];
        for argument in call.arguments() {
            let values = self.values(&call, argument);
            let with = |call: Call| {
                values.iter().map(move |value| {
                    let mut call = call;
                    call.set_argument(argument.key, value);
                    call
                })
            };
            all = all.into_iter().flat_map(with).collect();
        }
        all
    }

    /// What `argument` of `call` may be. What the target's form has no parameter for makes no
    /// further call.
    fn values(&self, call: &Call, argument: Argument) -> Vec<&'static str> {
        let counts = self.dialect.has(call, argument.key);
        let by_simt = self.dialect.target == Target::A5 && call.mode() == Some(Coalesce::Elem);
        match argument.key {
            "atomic" => words(&self.atomics, counts),
            "oob" if call.atomic().is_some() => words(&self.scatter_oob, counts),
            "oob" => words(&self.gather_oob, counts),
            "conflict" => words(&self.conflicts, counts),
            "exec" if by_simt => argument.words.to_vec(),
            _ => vec![argument.value],
        }
    }
}

/// All of an axis, or the one value that stands for it where it does not count.
fn words<T: Copy + Into<&'static str>>(axis: &[T], counts: bool) -> Vec<&'static str> {
    let most = if counts { axis.len() } else { 1 };
    axis.iter()
        .take(most)
        .map(|value| (*value).into())
        .collect()
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

/// How the operands of a call are made.
#[derive(Clone, Copy)]
struct Operands {
    extents: Extents,
    outer: Outer,
    /// The type of a table, or of the destination of TSCATTER.
    other: DType,
}

impl Operands {
    /// An extent or a stride of rows and columns.
    const fn dim(self, value: u64) -> Dim {
        match self.extents {
            Extents::Dynamic => Dim::Dynamic(value),
            Extents::Static => Dim::Static(value),
        }
    }

    /// A call of `form`, which has a table, on the tile `data`, its policies as by default.
    fn of_table(self, form: Form, data: Tile, index: DType, mode: Coalesce) -> Call {
        let table = self.table(data.cols);
        let (rows, cols) = match mode {
            Coalesce::Row => (1, data.rows),
            Coalesce::Elem => (data.rows, data.cols),
        };
        let idx = self.padded(index, rows, cols);
        match form {
            Form::Mscatter => Call::Mscatter(Mscatter {
                table,
                src: data,
                idx,
                mode,
                ..Mscatter::default()
            }),
            Form::MscatterFirst => Call::MscatterFirst(MscatterFirst {
                table,
                src: data,
                idx: match mode {
                    Coalesce::Row => self.tile(index, data.rows, 1),
                    Coalesce::Elem => self.tile(index, data.rows, data.cols),
                },
                ..MscatterFirst::default()
            }),
            Form::Mgather => Call::Mgather(Mgather {
                dst: data,
                table,
                idx,
                mode,
                ..Mgather::default()
            }),
            _ => Call::MgatherL1(MgatherL1 {
                dst: Tile {
                    location: TileType::Mat,
                    blayout: BLayout::ColMajor,
                    slayout: SLayout::RowMajor,
                    ..data
                },
                table,
                idx: self.plane(index, rows, cols),
                scratch: match mode {
                    Coalesce::Row => None,
                    Coalesce::Elem => Some(self.plane(data.dtype, 1, data.rows * data.cols)),
                },
                mode,
                ..MgatherL1::default()
            }),
        }
    }

    /// A row-major tile in UB, all of it valid.
    const fn tile(self, dtype: DType, rows: u64, cols: u64) -> Tile {
        Tile {
            location: TileType::Vec,
            dtype,
            rows,
            cols,
            valid_row: self.dim(rows),
            valid_col: self.dim(cols),
            blayout: BLayout::RowMajor,
            slayout: SLayout::NoneBox,
            fractal: BOX_BYTES,
        }
    }

    /// Such a tile with padded rows. They are valid as a whole where that is known at run
    /// time only, and hold what the data needs where it is fixed.
    fn padded(self, dtype: DType, rows: u64, cols: u64) -> Tile {
        let tile = self.tile(dtype, rows, padded(cols, dtype));
        match self.extents {
            Extents::Dynamic => tile,
            Extents::Static => Tile {
                valid_col: Dim::Static(cols),
                ..tile
            },
        }
    }

    /// A packed tensor without outer dimensions.
    const fn plane(self, dtype: DType, rows: u64, cols: u64) -> GlobalTensor {
        const ONE: Dim = Dim::Static(1);
        GlobalTensor {
            dtype,
            shape: [ONE, ONE, ONE, self.dim(rows), self.dim(cols)],
            stride: [ONE, ONE, ONE, self.dim(cols), self.dim(1)],
            layout: Layout::ND,
        }
    }

    /// A packed table. The stride of an outer dimension is fixed where all that it spans is.
    fn table(self, cols: u64) -> GlobalTensor {
        let mut table = self.plane(self.other, TABLE_ROWS, cols);
        let outer = self.outer.dims();
        table.shape[..3].copy_from_slice(&outer);
        let mut span = self.dim(TABLE_ROWS * cols);
        for (at, entries) in outer.into_iter().enumerate().rev() {
            // There is no step from the only entry to another.
            if entries == Dim::Static(1) {
                continue;
            }
            table.stride[at] = span;
            let whole = span.get() * entries.get();
            span = match (span, entries) {
                (Dim::Static(_), Dim::Static(_)) => Dim::Static(whole),
                _ => Dim::Dynamic(whole),
            };
        }
        table
    }
}

/// Why there is no data tile of this shape.
fn no_tile(form: Form, dtype: DType, (rows, cols): (u64, u64)) -> Option<String> {
    if !(cols * dtype.size() as u64).is_multiple_of(ROW_UNIT) {
        return Some(format!(
            "rows of {cols} {dtype} are no multiple of 32 bytes"
        ));
    }
    let boxed = form == Form::MgatherL1 && !rows.is_multiple_of(BOX_ROWS);
    boxed.then(|| format!("a tile in L1 has no {rows} rows: 16 make a box"))
}
