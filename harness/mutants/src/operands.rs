//! What the moves of a call are about, and where its elements stand.

use ptodiff_isa::{
    BLayout, Call, CpuForm, DType, Dim, Dispatch, GatherOob, GlobalTensor, Layout, Memory,
    Readings, Role, SLayout, ScatterAtomicOp, ScatterConflict, ScatterExtent, ScatterOob, Target,
    Tile,
};

use crate::mistakes::is_row;

/// What is moved, and where an index may lead. All but a scatter by mask has indices.
#[derive(Clone, Copy)]
pub(crate) struct Operands {
    target: Target,
    /// What an index selects from or writes to; an operand on the chip is flat.
    pub(crate) table: GlobalTensor,
    /// Its role.
    pub(crate) far: Role,
    /// The tile that it is, where it is no table in GM.
    pub(crate) on_chip: Option<Tile>,
    /// The tile whose valid region is served: the source of a scatter, the
    /// destination of a gather.
    pub(crate) tile: Tile,
    /// Its role.
    pub(crate) near: Role,
    /// The index tile; none where the indices stand in GM.
    pub(crate) idx: Option<Tile>,
    /// Bytes of an index.
    pub(crate) index_size: usize,
    pub(crate) row: bool,
    /// Skip is Zero, where it is a gather.
    pub(crate) oob: ScatterOob,
    pub(crate) atomic: ScatterAtomicOp,
    pub(crate) last: bool,
    /// Whether it is MSCATTER of the first revision.
    first: bool,
}

impl Operands {
    pub(crate) fn of(call: &Call, target: Target, readings: &Readings) -> Option<Self> {
        let tile = *call.data_tile();
        let idx = call.operand(Role::Index)?;
        let near = match call.output() {
            Role::Destination if !matches!(call, Call::TscatterIndex(_)) => Role::Destination,
            _ => Role::Source,
        };
        let mut ops = Self {
            target,
            table: call.table().copied().unwrap_or(flat(tile.dtype, 0)),
            far: Role::Table,
            on_chip: None,
            tile,
            near,
            idx: idx.tile().copied(),
            index_size: idx.dtype().size(),
            row: is_row(call),
            oob: ScatterOob::Undefined,
            atomic: ScatterAtomicOp::None,
            last: false,
            first: false,
        };
        match call {
            // The CPU simulator has no parameters (000, CPU Reference Form).
            Call::Mscatter(_)
                if target == Target::Cpu && readings.cpu_form == CpuForm::Documented =>
            {
                ops.row = false;
            }
            Call::Mscatter(c) => {
                (ops.oob, ops.atomic) = (c.oob, c.atomic);
                ops.last = c.conflict == ScatterConflict::Last;
            }
            Call::MscatterFirst(c) => {
                (ops.oob, ops.atomic) = (c.oob, c.atomic);
                ops.first = true;
            }
            Call::Mgather(c) => ops.oob = of_gather(c.oob),
            Call::MgatherL1(c) => ops.oob = of_gather(c.oob),
            Call::TscatterIndex(c) => {
                ops.table = flat(tile.dtype, c.dst.rows.saturating_mul(c.dst.cols));
                (ops.far, ops.on_chip) = (Role::Destination, Some(c.dst));
                if readings.tscatter_extent == ScatterExtent::Index {
                    (ops.tile.valid_row, ops.tile.valid_col) = (c.idx.valid_row, c.idx.valid_col);
                }
            }
            // What an offset counts is bytes; so many have an element from there on.
            Call::Tgatherb(c) => {
                let size = tile.dtype.size() as u64;
                let bytes = c.src.rows.saturating_mul(c.src.cols).saturating_mul(size);
                ops.table = flat(tile.dtype, bytes.saturating_add(1).saturating_sub(size));
                (ops.far, ops.on_chip) = (Role::Source, Some(c.src));
                if target == Target::Cpu {
                    ops.oob = ScatterOob::Clamp;
                }
            }
            Call::TscatterMask(_) => return None,
        }
        Some(ops)
    }

    /// Whether all is as the right steps of a walk are written for: a launch that does not hang on
    /// A5, whole images.
    pub(crate) fn is_plain(&self, call: &Call, memory: &Memory) -> bool {
        let is_image = |tile: &Tile, role| {
            let elements = tile.rows.checked_mul(tile.cols);
            let bytes = elements.and_then(|n| n.checked_mul(tile.dtype.size() as u64));
            let body = memory.get(role).map(|region| region.body_range().len());
            bytes.is_some()
                && bytes == body.map(|len| len as u64)
                && tile.valid_row.get() <= tile.rows
                && tile.valid_col.get() <= tile.cols
        };
        let direct = call
            .launch()
            .is_some_and(|l| l.dispatch == Dispatch::Direct);
        !(direct && self.target == Target::A5)
            && is_image(&self.tile, self.near)
            && self.idx.is_none_or(|idx| is_image(&idx, Role::Index))
            && (self.index_size == 4 || self.far == Role::Destination)
            && self.table.shape.iter().all(|dim| dim.get() > 0)
    }

    pub(crate) fn gathers(&self) -> bool {
        self.near == Role::Destination
    }

    /// Whether the table is in blocks.
    pub(crate) fn nz(&self) -> bool {
        self.table.layout == Layout::NZ
    }

    pub(crate) const fn dtype(&self) -> DType {
        self.tile.dtype
    }

    /// Extent `d` of the table.
    pub(crate) const fn shape(&self, d: usize) -> u64 {
        self.table.shape[d].get()
    }

    /// Rows or slots that an index may select.
    pub(crate) fn capacity(&self) -> u64 {
        let to_ub = self.idx.is_some();
        match self.target {
            _ if !self.row && self.first => self.shape(3).saturating_mul(self.shape(4)),
            _ if !self.row => product(&self.table, 5),
            _ if self.nz() => self.shape(2).saturating_mul(16),
            Target::Cpu | Target::A5 if to_ub => self.shape(3),
            _ => product(&self.table, 4),
        }
    }

    /// Elements from one row of the table to the next.
    pub(crate) fn pitch(&self) -> u64 {
        let to_ub = self.idx.is_some();
        match self.target {
            Target::Cpu => self.shape(4),
            Target::A5 if to_ub => self.tile.valid_col.get(),
            _ => self.table.stride[3].get(),
        }
    }

    /// The byte of column `c` of what is selected, rows being `pitch` apart.
    pub(crate) fn slot(&self, selected: i64, pitch: u64, c: u64) -> i64 {
        let element = match (self.nz(), self.row) {
            (true, _) => self.in_blocks(selected, c),
            (false, true) => {
                let [pitch, c] = [pitch, c].map(|n| i64::try_from(n).unwrap_or(i64::MAX));
                selected.saturating_mul(pitch).saturating_add(c)
            }
            (false, false) => selected,
        };
        let counts_bytes = self.far == Role::Source;
        element.saturating_mul(if counts_bytes {
            1
        } else {
            self.dtype().size() as i64
        })
    }

    /// Logical columns of an NZ table.
    pub(crate) fn nz_cols(&self) -> u64 {
        let blocks = self.shape(0).saturating_mul(self.shape(1));
        blocks.saturating_mul(self.shape(4)).max(1)
    }

    /// The element of an NZ table in column `c` of what is selected.
    fn in_blocks(&self, selected: i64, c: u64) -> i64 {
        let selected = u64::try_from(selected).unwrap_or(u64::MAX / 2);
        let cols = self.nz_cols();
        let (r, c) = match self.row {
            true => (selected, c),
            false => (selected / cols, selected % cols),
        };
        let [_, blocks, _, height, width] = self.table.shape.map(|dim| dim.get());
        let block = c / width;
        let digits = [
            block / blocks,
            block % blocks,
            r / height,
            r % height,
            c % width,
        ];
        let parts = digits.into_iter().zip(self.table.stride);
        let element = parts.fold(0, |at: u64, (digit, stride)| {
            at.saturating_add(digit.saturating_mul(stride.get()))
        });
        i64::try_from(element).unwrap_or(i64::MAX)
    }

    /// The byte of the index of `(r, c)`.
    pub(crate) fn index_at(&self, r: u64, c: u64) -> i64 {
        let number = match (self.row, self.idx) {
            (true, Some(idx)) if idx.valid_col.get() == 1 => in_tile(&idx, r, 0),
            (true, Some(idx)) => in_tile(&idx, 0, r),
            (false, Some(idx)) => in_tile(&idx, r, c),
            (true, None) => r,
            (false, None) => r * self.tile.valid_col.get() + c,
        };
        byte(number, self.index_size)
    }

    /// The byte of `(r, c)` in the tile.
    pub(crate) fn tile_at(&self, r: u64, c: u64) -> i64 {
        byte(in_tile(&self.tile, r, c), self.dtype().size())
    }
}

/// The number of element `(r, c)` in the image of `tile`; its boxes are in columns, as high as it.
pub(crate) fn in_tile(tile: &Tile, r: u64, c: u64) -> u64 {
    let width = block_cols(tile);
    match tile.blayout {
        _ if tile.slayout != SLayout::NoneBox => {
            c / width * tile.rows * width + r * width + c % width
        }
        BLayout::RowMajor => r * tile.cols + c,
        BLayout::ColMajor => c * tile.rows + r,
    }
}

/// Columns of one box, of 32 bytes.
pub(crate) const fn block_cols(tile: &Tile) -> u64 {
    32 / tile.dtype.size() as u64
}

/// Positions of `rows` rows of `cols` columns, row by row.
pub(crate) fn rectangle(rows: u64, cols: u64) -> impl Iterator<Item = (u64, u64)> {
    (0..rows).flat_map(move |r| (0..cols).map(move |c| (r, c)))
}

/// The product of the first `n` extents.
pub(crate) fn product(table: &GlobalTensor, n: usize) -> u64 {
    let extents = table.shape[..n].iter();
    extents.fold(1, |all: u64, dim| all.saturating_mul(dim.get()))
}

/// An operand of so many elements in one row.
fn flat(dtype: DType, elements: u64) -> GlobalTensor {
    GlobalTensor {
        dtype,
        shape: [1, 1, 1, 1, elements].map(Dim::Dynamic),
        stride: [elements, elements, elements, elements, 1].map(Dim::Dynamic),
        layout: Layout::ND,
    }
}

const fn of_gather(oob: GatherOob) -> ScatterOob {
    match oob {
        GatherOob::Undefined => ScatterOob::Undefined,
        GatherOob::Clamp => ScatterOob::Clamp,
        GatherOob::Wrap => ScatterOob::Wrap,
        GatherOob::Zero => ScatterOob::Skip,
    }
}

/// The byte at which element `number` begins.
pub(crate) fn byte(number: u64, size: usize) -> i64 {
    i64::try_from(number)
        .unwrap_or(i64::MAX)
        .saturating_mul(size as i64)
}
