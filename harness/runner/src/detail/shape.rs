//! The picture that an operand makes: which slot stands in which row and column.

use ptodiff_isa::{BLayout, GlobalTensor, Layout, Operand, SLayout, Tile};

/// Rows and columns of a picture, and columns that are stored together, as
/// [`SlotMap`](ptodiff_record::SlotMap) has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub(super) rows: u64,
    pub(super) cols: u64,
    pub(super) band: u64,
}

impl Shape {
    /// Row by row, `cols` slots each.
    fn by_row(slots: u64, cols: u64) -> Self {
        let cols = cols.clamp(1, slots);
        Self {
            rows: slots.div_ceil(cols),
            cols,
            band: cols,
        }
    }

    /// Column by column, `rows` slots each.
    fn by_column(slots: u64, rows: u64) -> Self {
        let rows = rows.clamp(1, slots);
        Self {
            rows,
            cols: slots.div_ceil(rows),
            band: 1,
        }
    }

    /// Bands of `width` columns one after the other, `rows` rows each.
    fn by_band(slots: u64, rows: u64, width: u64) -> Option<Self> {
        let bands = slots.div_ceil(rows.checked_mul(width).filter(|n| *n > 0)?);
        Some(Self {
            rows,
            cols: bands.checked_mul(width)?,
            band: width,
        })
    }
}

/// The picture of an operand of `slots` slots; none where it has no slot. What is stored in no order of rows, columns or bands
/// is shown in the order of storage.
pub(super) fn shape(operand: Operand<'_>, slots: u64) -> Option<Shape> {
    if slots == 0 {
        return None;
    }
    Some(match operand {
        Operand::Tile(tile) => of_tile(tile, slots),
        Operand::Tensor(table) => of_tensor(table, slots),
    })
}

/// Padding of a tile is part of its picture.
fn of_tile(tile: &Tile, slots: u64) -> Shape {
    let row_by_row = Shape::by_row(slots, tile.cols);
    match (tile.slayout, tile.blayout) {
        (SLayout::NoneBox, BLayout::ColMajor) => Shape::by_column(slots, tile.rows),
        // Blocks of 32 bytes a row, each as high as the tile (MGATHER-NZ-06).
        (SLayout::RowMajor, BLayout::ColMajor) => {
            let width = 32 / tile.dtype.size() as u64;
            Shape::by_band(slots, tile.rows, width).unwrap_or(row_by_row)
        }
        _ => row_by_row,
    }
}

fn of_tensor(table: &GlobalTensor, slots: u64) -> Shape {
    let shape = table.shape.map(|d| d.get());
    let stride = table.stride.map(|d| d.get());
    if table.layout == Layout::NZ {
        return of_blocks(&shape, &stride, slots).unwrap_or(Shape::by_row(slots, shape[4]));
    }
    let is_plane = shape[3] > 1 && shape[4] > 1;
    let columns_first = if is_plane {
        stride[3] < stride[4]
    } else {
        table.layout == Layout::DN
    };
    if columns_first {
        Shape::by_column(slots, pitch(&shape, &stride, 4, slots))
    } else {
        Shape::by_row(slots, pitch(&shape, &stride, 3, slots))
    }
}

/// Slots from one line of the picture to the next, where `next` is the
/// dimension that steps over the innermost one: the smallest stride that all
/// larger ones are multiples of, so that every line begins a line.
fn pitch(shape: &[u64; 5], stride: &[u64; 5], next: usize, slots: u64) -> u64 {
    let outer = || [next, 2, 1, 0].into_iter().filter(|d| shape[*d] > 1);
    let fits = |pitch: &u64| {
        *pitch > 0 && outer().all(|d| stride[d] < *pitch || stride[d].is_multiple_of(*pitch))
    };
    let smallest_first = outer().map(|d| stride[d]).filter(fits).min();
    smallest_first.unwrap_or(slots)
}

/// `Shape<B, BCols, BRows, 16, C0>`: columns of blocks, one after the other.
fn of_blocks(shape: &[u64; 5], stride: &[u64; 5], slots: u64) -> Option<Shape> {
    let width = shape[4];
    let height = shape[2].checked_mul(shape[3])?;
    let block = width.checked_mul(shape[3])?;
    let plain = |d: usize, dense: u64| shape[d] <= 1 || stride[d] == dense;
    if width == 0 || !plain(4, 1) || !plain(3, width) || !plain(2, block) {
        return None;
    }
    // Space between two columns of blocks makes the picture higher.
    let (own, next) = (height.checked_mul(width)?, [1, 0]);
    let column = next.into_iter().find(|d| shape[*d] > 1).map(|d| stride[d]);
    let column = column.unwrap_or(own);
    let whole = |d: usize| shape[d] <= 1 || stride[d].is_multiple_of(column);
    if column < own || !column.is_multiple_of(width) || !whole(0) {
        return None;
    }
    Shape::by_band(slots, column / width, width)
}

#[cfg(test)]
mod tests {
    use ptodiff_enumerate::world::build;
    use ptodiff_isa::{DType, Dim};

    use super::*;

    fn tensor(shape: [u64; 5], stride: [u64; 5], layout: Layout) -> GlobalTensor {
        GlobalTensor {
            stride: stride.map(Dim::Static),
            ..build::packed(DType::Int32, shape, layout)
        }
    }

    /// Rows, columns and band of a table.
    fn table(shape: [u64; 5], stride: [u64; 5], layout: Layout, slots: u64) -> [u64; 3] {
        let table = tensor(shape, stride, layout);
        numbers(Operand::Tensor(&table), slots)
    }

    fn numbers(operand: Operand<'_>, slots: u64) -> [u64; 3] {
        let Shape { rows, cols, band } = shape(operand, slots).unwrap();
        [rows, cols, band]
    }

    #[test]
    fn tables_go_by_their_layout_and_their_strides() {
        use Layout::{DN, ND, NZ};
        for (shape, stride, layout, slots, expected) in [
            ([1, 1, 1, 3, 8], [24, 24, 24, 8, 1], ND, 24, [3, 8, 8]),
            ([1, 1, 1, 3, 8], [36, 36, 36, 12, 1], ND, 32, [3, 12, 12]),
            // One row, one column, one element.
            ([1, 1, 1, 1, 8], [8, 8, 8, 8, 1], ND, 8, [1, 8, 8]),
            ([1, 1, 1, 8, 1], [8, 8, 8, 1, 1], ND, 8, [8, 1, 1]),
            ([1; 5], [1; 5], ND, 1, [1, 1, 1]),
            // Outer dimensions continue the rows; where their step is no whole
            // number of rows, a line holds one of them.
            ([1, 1, 2, 3, 4], [24, 24, 12, 4, 1], ND, 24, [6, 4, 4]),
            ([1, 1, 2, 3, 4], [30, 30, 15, 4, 1], ND, 27, [2, 15, 15]),
            ([1, 2, 1, 1, 4], [16, 8, 8, 8, 1], ND, 12, [2, 8, 8]),
            // Four rows of eight columns, each column 4 slots, then in a pitch of 6.
            ([1, 1, 1, 4, 8], [32, 32, 32, 1, 4], DN, 32, [4, 8, 1]),
            ([1, 1, 1, 4, 8], [48, 48, 48, 1, 6], DN, 46, [6, 8, 1]),
            ([1, 1, 1, 1, 8], [8, 8, 8, 1, 1], DN, 8, [1, 8, 1]),
            ([1, 1, 1, 8, 1], [8, 8, 8, 1, 8], DN, 8, [8, 1, 1]),
            // The strides say so too, whatever the name of the layout.
            ([1, 1, 1, 4, 8], [32, 32, 32, 1, 4], ND, 32, [4, 8, 1]),
            // Two columns of two blocks of 16 rows of 8.
            (
                [1, 2, 2, 16, 8],
                [512, 256, 128, 8, 1],
                NZ,
                512,
                [32, 16, 8],
            ),
            // Batches extend the columns.
            (
                [3, 2, 1, 16, 8],
                [256, 128, 128, 8, 1],
                NZ,
                768,
                [16, 48, 8],
            ),
            // Half a block between two columns of blocks: eight rows of padding.
            (
                [1, 2, 1, 16, 8],
                [384, 192, 128, 8, 1],
                NZ,
                320,
                [24, 16, 8],
            ),
            // Blocks that overlap or interleave are no picture: in order of storage.
            ([1, 2, 1, 16, 8], [8, 8, 8, 16, 1], NZ, 256, [32, 8, 8]),
        ] {
            let found = table(shape, stride, layout, slots);
            assert_eq!(found, expected, "{layout} {shape:?} {stride:?}");
        }
    }

    #[test]
    fn tiles_go_by_their_layout_padding_included() {
        let of = |make: fn(DType, [u64; 2], [u64; 2]) -> Tile, [rows, cols]: [u64; 2]| {
            let tile = make(DType::Int32, [rows, cols], [1, 1]);
            numbers(Operand::Tile(&tile), rows * cols)
        };
        assert_eq!(of(build::tile, [4, 8]), [4, 8, 8]);
        assert_eq!(of(build::col_major, [4, 8]), [4, 8, 1]);
        // Eight elements of four bytes a row of a block.
        assert_eq!(of(build::nz_tile, [16, 24]), [16, 24, 8]);
        let boxes = |dtype, padded, valid| Tile {
            slayout: SLayout::RowMajor,
            ..build::tile(dtype, padded, valid)
        };
        assert_eq!(of(boxes, [16, 16]), [16, 16, 16]);
    }

    #[test]
    fn strides_that_make_no_sense_still_make_a_picture() {
        let shape = [2, 2, 2, 2, 2];
        for layout in [Layout::ND, Layout::DN, Layout::NZ] {
            for stride in [[0; 5], [u64::MAX; 5], [1; 5], [1, 2, 3, 5, 7]] {
                let [rows, cols, band] = table(shape, stride, layout, 31);
                assert!(rows * cols >= 31 && cols % band == 0, "{layout} {stride:?}");
            }
        }
        let none = tensor([0; 5], [0; 5], Layout::ND);
        assert_eq!(super::shape(Operand::Tensor(&none), 0), None);
    }
}
