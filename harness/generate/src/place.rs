//! Where the logical positions of an operand stand in its body.

use std::iter::zip;

use ptodiff_isa::{BLayout, GlobalTensor, Layout, Operand, SLayout, Tile};

use crate::element::of_width;

/// Rows of a box (of its columns where its inside is ColMajor).
const BOX_ROWS: u64 = 16;

/// The logical positions of an operand, in row-major order, as places in its body.
pub(crate) enum Places {
    /// Five nested loops, outermost first.
    Nest {
        extents: [u64; 5],
        strides: [u64; 5],
    },
    /// A tile made of boxes; the loops are over its valid rows and columns.
    Boxed {
        valid: [u64; 2],
        /// Extents of one box.
        each: [u64; 2],
        /// From one box to the one below it, and to the right.
        between: [u64; 2],
        /// From one element of a box to the one below it, and to the right.
        inside: [u64; 2],
    },
}

/// Logically consecutive positions: `len` places from `start`, `step` apart, in elements.
pub(crate) struct Run {
    pub(crate) start: usize,
    pub(crate) step: usize,
    pub(crate) len: usize,
}

impl Places {
    /// Those of `operand`.
    pub(crate) fn of(operand: Operand<'_>) -> Self {
        match operand {
            Operand::Tile(tile) => Self::of_tile(tile),
            Operand::Tensor(tensor) => Self::of_tensor(tensor),
        }
    }

    /// The valid region of a tile, position `r * valid_col + c`.
    fn of_tile(tile: &Tile) -> Self {
        let (rows, cols) = (tile.rows, tile.cols);
        let valid = [tile.valid_row.get(), tile.valid_col.get()];
        let strides = match (tile.slayout, tile.blayout) {
            (SLayout::NoneBox, BLayout::RowMajor) => [cols, 1],
            (SLayout::NoneBox, BLayout::ColMajor) => [1, rows],
            (inner, blayout) => {
                let across = tile.fractal / BOX_ROWS / tile.dtype.size() as u64;
                // A box larger than the tile is as good as one of its size.
                let across = across.clamp(1, rows.max(cols).max(1));
                let (each, inside) = match inner {
                    SLayout::ColMajor => ([across, BOX_ROWS], [1, across]),
                    _ => ([BOX_ROWS, across], [across, 1]),
                };
                let area = each[0] * each[1];
                let between = match blayout {
                    BLayout::RowMajor => [each[0] * cols, area],
                    BLayout::ColMajor => [area, rows * each[1]],
                };
                return Self::Boxed {
                    valid,
                    each,
                    between,
                    inside,
                };
            }
        };
        Self::nest(
            [1, 1, 1, valid[0], valid[1]],
            [0, 0, 0, strides[0], strides[1]],
        )
    }

    /// All of a tensor: row-major over its five dimensions, or, for NZ, over
    /// the logical table of `gShape2 * gShape3` rows and
    /// `gShape0 * gShape1 * gShape4` columns that its blocks make up (000, NZ Layout).
    fn of_tensor(tensor: &GlobalTensor) -> Self {
        let [s0, s1, s2, s3, s4] = tensor.shape.map(|d| d.get());
        let [t0, t1, t2, t3, t4] = tensor.stride.map(|d| d.get());
        let (extents, strides) = match tensor.layout {
            Layout::NZ => ([s2, s3, s0, s1, s4], [t2, t3, t0, t1, t4]),
            Layout::ND | Layout::DN => ([s0, s1, s2, s3, s4], [t0, t1, t2, t3, t4]),
        };
        Self::nest(extents, strides)
    }

    /// Nested loops, as many of the inner ones as possible made one.
    fn nest(mut extents: [u64; 5], mut strides: [u64; 5]) -> Self {
        while extents[..4].iter().any(|&e| e != 1) {
            let next = (extents[3], strides[3]);
            if extents[4] == 1 {
                // No step to take but the next loop's.
                strides[4] = next.1;
            } else if next.0 != 1 && next.1 != strides[4].saturating_mul(extents[4]) {
                break;
            }
            extents[4] = extents[4].saturating_mul(next.0);
            extents.copy_within(0..3, 1);
            strides.copy_within(0..3, 1);
            (extents[0], strides[0]) = (1, 0);
        }
        Self::Nest { extents, strides }
    }

    /// How many logical positions there are.
    pub(crate) fn count(&self) -> usize {
        let product = match self {
            Self::Nest { extents, .. } => extents.iter().fold(1, |p: u64, &e| p.saturating_mul(e)),
            Self::Boxed { valid, .. } => valid[0].saturating_mul(valid[1]),
        };
        index(product)
    }

    /// Whether they are one run without gaps from the first place on.
    pub(crate) fn is_dense(&self) -> bool {
        match self {
            Self::Nest { extents, strides } => {
                extents[..4] == [1; 4] && (strides[4] == 1 || extents[4] == 1)
            }
            Self::Boxed { .. } => false,
        }
    }

    /// Calls `f` with every run, in logical order.
    pub(crate) fn each_run(&self, f: impl FnMut(Run)) {
        // An inner extent of 0 would not keep an outer one from being counted through.
        if self.count() == 0 {
            return;
        }
        match self {
            Self::Nest { extents, strides } => nest(extents, strides, f),
            Self::Boxed {
                valid,
                each,
                between,
                inside,
            } => boxed(*valid, *each, *between, *inside, f),
        }
    }
}

/// Elements from the first of a tensor to the last that its shape and strides reach.
pub(crate) fn span(tensor: &GlobalTensor) -> usize {
    let [shape, stride] = [tensor.shape, tensor.stride].map(|dims| dims.map(|dim| dim.get()));
    if shape.contains(&0) {
        return 0;
    }
    let steps = zip(shape, stride).map(|(extent, step)| (extent - 1).saturating_mul(step));
    index(steps.fold(1, u64::saturating_add))
}

/// The element of a tensor's body that column `col` of row `row` is, as
/// [`rows_of`](ptodiff_case::rows_of) counts them.
pub(crate) fn of_row(tensor: &GlobalTensor, row: u64, col: u64) -> usize {
    let (rows, cols): (&[usize], &[usize]) = match tensor.layout {
        Layout::NZ => (&[2, 3], &[0, 1, 4]),
        Layout::ND | Layout::DN => (&[0, 1, 2, 3], &[4]),
    };
    let mut element = 0_u64;
    for (mut left, dims) in [(row, rows), (col, cols)] {
        for &dim in dims.iter().rev() {
            let extent = tensor.shape[dim].get().max(1);
            let step = (left % extent).saturating_mul(tensor.stride[dim].get());
            element = element.saturating_add(step);
            left /= extent;
        }
    }
    index(element)
}

fn nest(extents: &[u64; 5], strides: &[u64; 5], mut f: impl FnMut(Run)) {
    let [e0, e1, e2, e3, e4] = *extents;
    let [s0, s1, s2, s3, s4] = *strides;
    let (step, len) = (index(s4), index(e4));
    let mut rows = |mut start: u64| {
        for _ in 0..e3 {
            let run = Run {
                start: index(start),
                step,
                len,
            };
            f(run);
            start = start.wrapping_add(s3);
        }
    };
    for i0 in 0..e0 {
        for i1 in 0..e1 {
            for i2 in 0..e2 {
                rows(i0 * s0 + i1 * s1 + i2 * s2);
            }
        }
    }
}

fn boxed(
    valid: [u64; 2],
    each: [u64; 2],
    between: [u64; 2],
    inside: [u64; 2],
    mut f: impl FnMut(Run),
) {
    for r in 0..valid[0] {
        let row = r / each[0] * between[0] + r % each[0] * inside[0];
        for (right, c) in (0..valid[1]).step_by(index(each[1])).enumerate() {
            f(Run {
                start: index(row + right as u64 * between[1]),
                step: index(inside[1]),
                len: index(each[1].min(valid[1] - c)),
            });
        }
    }
}

/// A place as an index; one that no memory has where it does not fit.
fn index(place: u64) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}

/// Puts `values`, elements of `size` bytes in logical order, where `places` has them.
///
/// A place outside the body (boxes that do not divide the padded tile) is left out.
pub(crate) fn put(values: &[u8], size: usize, places: &Places, body: &mut [u8]) {
    of_width!(size, put_wide(values, places, body));
}

fn put_wide<const W: usize>(values: &[u8], places: &Places, body: &mut [u8]) {
    let mut values = values.as_chunks::<W>().0;
    let body = body.as_chunks_mut::<W>().0;
    places.each_run(|run| {
        let (now, later) = values.split_at(run.len.min(values.len()));
        values = later;
        let slots = body.get_mut(run.start..).unwrap_or_default();
        if run.step == 1 {
            let len = now.len().min(slots.len());
            slots[..len].copy_from_slice(&now[..len]);
        } else {
            let mut at = 0_usize;
            for value in now {
                let Some(slot) = slots.get_mut(at) else { break };
                *slot = *value;
                at = at.saturating_add(run.step);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::{DType, Dim, TileType};

    use super::*;

    fn tile(dtype: DType, padded: [u64; 2], valid: [u64; 2]) -> Tile {
        Tile {
            location: TileType::Vec,
            dtype,
            rows: padded[0],
            cols: padded[1],
            valid_row: Dim::Static(valid[0]),
            valid_col: Dim::Dynamic(valid[1]),
            blayout: BLayout::RowMajor,
            slayout: SLayout::NoneBox,
            fractal: 512,
        }
    }

    fn tensor(layout: Layout, shape: [u64; 5], stride: [u64; 5]) -> GlobalTensor {
        GlobalTensor {
            dtype: DType::Float,
            shape: shape.map(Dim::Static),
            stride: stride.map(Dim::Static),
            layout,
        }
    }

    fn all(places: &Places) -> Vec<usize> {
        let mut list = Vec::new();
        places.each_run(|run| list.extend((0..run.len).map(|k| run.start + k * run.step)));
        assert_eq!(list.len(), places.count());
        list
    }

    #[test]
    fn other_boxed_tiles() {
        // Boxes of 8 x 16 floats, columns contiguous inside, box (1, 1) is the last of four.
        let mut t = tile(DType::Float, [16, 32], [16, 32]);
        t.slayout = SLayout::ColMajor;
        assert_eq!(all(&Places::of_tile(&t))[9 * 32 + 17], 3 * 128 + 9);
        // Rows contiguous inside, boxes of 16 x 8 one after the other along a row.
        t.slayout = SLayout::RowMajor;
        assert_eq!(all(&Places::of_tile(&t))[2 * 32 + 17], 2 * 128 + 2 * 8 + 1);
    }

    #[test]
    fn boxes_that_do_not_fit_are_left_out() {
        let mut t = tile(DType::Float, [3, 3], [3, 3]);
        t.blayout = BLayout::ColMajor;
        t.slayout = SLayout::RowMajor;
        for fractal in [1, 512, u64::MAX] {
            t.fractal = fractal;
            let places = Places::of_tile(&t);
            let mut body = [0xEE; 36];
            put(&[1; 36], 4, &places, &mut body);
            assert_eq!(body[..4], [1; 4]);
        }
    }

    #[test]
    fn packed_and_strided_nd_tables() {
        let packed = tensor(Layout::ND, [1, 2, 1, 2, 3], [12, 6, 6, 3, 1]);
        assert_eq!(
            all(&Places::of_tensor(&packed)),
            [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
        );
        let mut runs = 0;
        Places::of_tensor(&packed).each_run(|_| runs += 1);
        assert_eq!(runs, 1, "a packed table is one run");

        let padded = tensor(Layout::ND, [1, 2, 1, 2, 3], [99, 20, 1, 8, 1]);
        assert_eq!(span(&padded), 31);
        let padded = all(&Places::of_tensor(&padded));
        assert_eq!(padded, [0, 1, 2, 8, 9, 10, 20, 21, 22, 28, 29, 30]);

        let declared = Places::of_tensor(&tensor(Layout::ND, [1, 1, 1, 2, 3], [1, 1, 1, 3, 1]));
        assert_eq!(all(&declared), [0, 1, 2, 3, 4, 5]);

        let columns = Places::of_tensor(&tensor(Layout::DN, [1, 1, 1, 2, 3], [1, 1, 1, 1, 2]));
        assert_eq!(all(&columns), [0, 2, 4, 1, 3, 5]);
    }

    /// A column of a tile, and a tensor whose only step is an outer one.
    #[test]
    fn loops_of_one_are_no_loops() {
        let mut runs = Vec::new();
        let mut note = |places: &Places| {
            places.each_run(|run| runs.push([run.start, run.step, run.len]));
            places.is_dense()
        };
        assert!(!note(&Places::of_tile(&tile(DType::Half, [4, 16], [4, 1]))));
        let rows = tensor(Layout::ND, [3, 1, 1, 1, 1], [1, 7, 7, 7, 7]);
        assert!(note(&Places::of_tensor(&rows)));
        assert!(note(&Places::of_tile(&tile(DType::Half, [4, 16], [4, 16]))));
        assert!(!note(&Places::of_tile(&tile(DType::Half, [2, 16], [2, 8]))));
        let expected = [[0, 16, 4], [0, 1, 3], [0, 1, 64], [0, 1, 8], [16, 1, 8]];
        assert_eq!(runs, expected);
    }

    #[test]
    fn empty_operands_have_no_places() {
        let empty = tensor(Layout::ND, [1, 1, 1, 0, 5], [1, 1, 1, 5, 1]);
        assert_eq!((Places::of_tensor(&empty).count(), span(&empty)), (0, 0));
        let none = tensor(Layout::NZ, [1, 1, 2, 16, 0], [1, 1, 1, 5, 1]);
        assert_eq!((Places::of_tensor(&none).count(), span(&none)), (0, 0));
        let wide = Places::of_tensor(&tensor(Layout::ND, [1 << 60, 0, 1, 1, 1], [1; 5]));
        assert!(all(&wide).is_empty());
        assert!(all(&Places::of_tile(&tile(DType::Int8, [4, 4], [0, 4]))).is_empty());
        assert!(all(&Places::of_tile(&tile(DType::Int8, [4, 4], [4, 0]))).is_empty());
    }

    #[test]
    fn values_that_run_short_leave_the_rest_alone() {
        let places = Places::of_tile(&tile(DType::Int16, [2, 2], [2, 2]));
        let mut body = [9; 8];
        put(&[1, 0, 2, 0, 3], 2, &places, &mut body);
        assert_eq!(body, [1, 0, 2, 0, 9, 9, 9, 9]);
    }
}
