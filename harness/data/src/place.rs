//! Where the values of an operand stand in its body.
//!
//! Values are in logical row-major order: over the valid rows and columns of a
//! tile, over the five dimensions of an ND or DN tensor, over the rows and
//! columns of the table that the blocks of an NZ tensor make up (000, NZ Layout).

use ptodiff_isa::{BLayout, GlobalTensor, Layout, Operand, SLayout, Tile};

/// Rows of a box of a tile (its columns, where the inside is column-major).
const BOX_ROWS: u64 = 16;

/// The logical extents of an operand, outermost first, in elements: two for a
/// tile and for an NZ tensor, five for any other tensor.
#[must_use]
pub fn extents(operand: Operand<'_>) -> Vec<u64> {
    match operand {
        Operand::Tile(tile) => vec![tile.valid_row.get(), tile.valid_col.get()],
        Operand::Tensor(tensor) => {
            let shape = tensor.shape.map(|dim| dim.get());
            match tensor.layout {
                Layout::NZ => vec![
                    shape[2].saturating_mul(shape[3]),
                    shape[0].saturating_mul(shape[1]).saturating_mul(shape[4]),
                ],
                Layout::ND | Layout::DN => shape.to_vec(),
            }
        }
    }
}

/// Bytes of the values of an operand; `None` past 2^64.
#[must_use]
pub fn bytes(operand: Operand<'_>) -> Option<u64> {
    count(&extents(operand))?.checked_mul(operand.dtype().size() as u64)
}

/// Elements of an array with these extents; `None` past 2^64.
#[must_use]
pub fn count(extents: &[u64]) -> Option<u64> {
    if extents.contains(&0) {
        return Some(0);
    }
    extents.iter().try_fold(1_u64, |n, e| n.checked_mul(*e))
}

/// The values of an operand, taken out of its body; `None` if the body ends
/// before the last of them.
#[must_use]
pub fn take(operand: Operand<'_>, body: &[u8]) -> Option<Vec<u8>> {
    let size = operand.dtype().size();
    let mut values = Vec::new();
    each(operand, &mut |at| {
        values.extend_from_slice(body.get(at..at.checked_add(size)?)?);
        Some(())
    })?;
    Some(values)
}

/// Puts the values of an operand into its body, and touches nothing else;
/// `None`, with some of them put, if either is too short.
#[must_use]
pub fn put(operand: Operand<'_>, values: &[u8], body: &mut [u8]) -> Option<()> {
    let mut left = values.chunks_exact(operand.dtype().size());
    each(operand, &mut |at| {
        let value = left.next()?;
        body.get_mut(at..at.checked_add(value.len())?)?
            .copy_from_slice(value);
        Some(())
    })
}

/// Hands the byte offset of every value to `f`, in logical order, until it has none.
pub fn each(operand: Operand<'_>, f: &mut impl FnMut(usize) -> Option<()>) -> Option<()> {
    let size = operand.dtype().size();
    Places::of(operand).each_run(|run| {
        let mut at = run.start;
        for _ in 0..run.len {
            f(at.checked_mul(size)?)?;
            at = at.saturating_add(run.step);
        }
        Some(())
    })
}

/// The logical positions of an operand, in row-major order, as places in its body.
pub struct Places(Loops);

enum Loops {
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

/// Logically consecutive positions, in elements; a place past 2^64 is the last that a
/// `usize` can say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// Where the first one stands in the body.
    pub start: usize,
    /// From one to the next.
    pub step: usize,
    /// How many there are.
    pub len: usize,
}

impl Places {
    /// Those of `operand`.
    #[must_use]
    pub fn of(operand: Operand<'_>) -> Self {
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
                    BLayout::RowMajor => [each[0].saturating_mul(cols), area],
                    BLayout::ColMajor => [area, each[1].saturating_mul(rows)],
                };
                return Self(Loops::Boxed {
                    valid,
                    each,
                    between,
                    inside,
                });
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
        Self(Loops::Nest { extents, strides })
    }

    /// How many logical positions there are, as far as a `usize` can count.
    #[must_use]
    pub fn count(&self) -> usize {
        let product = match &self.0 {
            Loops::Nest { extents, .. } => extents.iter().fold(1, |p: u64, &e| p.saturating_mul(e)),
            Loops::Boxed { valid, .. } => valid[0].saturating_mul(valid[1]),
        };
        index(product)
    }

    /// Whether they are one run without gaps from the first place on.
    #[must_use]
    pub fn is_dense(&self) -> bool {
        match &self.0 {
            Loops::Nest { extents, strides } => {
                extents[..4] == [1; 4] && (strides[4] == 1 || extents[4] == 1)
            }
            Loops::Boxed { .. } => false,
        }
    }

    /// Hands every run to `f`, in logical order, until it has none.
    pub fn each_run(&self, f: impl FnMut(Run) -> Option<()>) -> Option<()> {
        // An inner extent of 0 would not keep an outer one from being counted through.
        if self.count() == 0 {
            return Some(());
        }
        match &self.0 {
            Loops::Nest { extents, strides } => nest(extents, strides, f),
            Loops::Boxed {
                valid,
                each,
                between,
                inside,
            } => boxed(*valid, *each, *between, *inside, f),
        }
    }
}

fn nest(
    extents: &[u64; 5],
    strides: &[u64; 5],
    mut f: impl FnMut(Run) -> Option<()>,
) -> Option<()> {
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
            f(run)?;
            start = start.saturating_add(s3);
        }
        Some(())
    };
    for i0 in 0..e0 {
        for i1 in 0..e1 {
            for i2 in 0..e2 {
                let outer = [i0.saturating_mul(s0), i1.saturating_mul(s1)];
                let start = outer
                    .into_iter()
                    .fold(i2.saturating_mul(s2), u64::saturating_add);
                rows(start)?;
            }
        }
    }
    Some(())
}

fn boxed(
    valid: [u64; 2],
    each: [u64; 2],
    between: [u64; 2],
    inside: [u64; 2],
    mut f: impl FnMut(Run) -> Option<()>,
) -> Option<()> {
    for r in 0..valid[0] {
        let row = (r / each[0])
            .saturating_mul(between[0])
            .saturating_add(r % each[0] * inside[0]);
        for (right, c) in (0..valid[1]).step_by(index(each[1])).enumerate() {
            f(Run {
                start: index(row.saturating_add((right as u64).saturating_mul(between[1]))),
                step: index(inside[1]),
                len: index(each[1].min(valid[1] - c)),
            })?;
        }
    }
    Some(())
}

/// A place as an index; one that no memory has where it does not fit.
fn index(place: u64) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}
