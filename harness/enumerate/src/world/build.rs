//! Builders of small calls and of their operands. Products of extents are
//! taken unchecked: they are those of what fits in memory.

use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GatherExec, GatherOob, GlobalTensor, Launch, Layout,
    Memory, Mgather, MgatherL1, Mscatter, MscatterFirst, Operand, Readings, Region, Role, SLayout,
    ScatterAtomicOp, ScatterConflict, ScatterOob, Scope, Tile, TileType,
};

/// Guard bytes on either side of an operand.
pub const GUARD: usize = 64;

/// A RowMajor tile of `padded` and `valid` [rows, columns].
#[must_use]
pub fn tile(dtype: DType, padded: [u64; 2], valid: [u64; 2]) -> Tile {
    Tile {
        location: TileType::Vec,
        dtype,
        rows: padded[0],
        cols: padded[1],
        valid_row: Dim::Static(valid[0]),
        valid_col: Dim::Static(valid[1]),
        blayout: BLayout::RowMajor,
        slayout: SLayout::NoneBox,
        fractal: 512,
    }
}

/// The same, columns contiguous.
#[must_use]
pub fn col_major(dtype: DType, padded: [u64; 2], valid: [u64; 2]) -> Tile {
    Tile {
        blayout: BLayout::ColMajor,
        ..tile(dtype, padded, valid)
    }
}

/// An NZ tile.
#[must_use]
pub fn nz_tile(dtype: DType, padded: [u64; 2], valid: [u64; 2]) -> Tile {
    Tile {
        slayout: SLayout::RowMajor,
        ..col_major(dtype, padded, valid)
    }
}

/// An NZ tile in L1.
#[must_use]
pub fn l1_tile(dtype: DType, padded: [u64; 2], valid: [u64; 2]) -> Tile {
    Tile {
        location: TileType::Mat,
        ..nz_tile(dtype, padded, valid)
    }
}

/// A tensor of packed strides.
#[must_use]
pub fn packed(dtype: DType, shape: [u64; 5], layout: Layout) -> GlobalTensor {
    let mut stride = [1; 5];
    for i in (0..4).rev() {
        stride[i] = stride[i + 1] * shape[i + 1].max(1);
    }
    GlobalTensor {
        dtype,
        shape: shape.map(Dim::Static),
        stride: stride.map(Dim::Static),
        layout,
    }
}

/// A packed [rows, cols] ND table.
#[must_use]
pub fn matrix(dtype: DType, rows: u64, cols: u64) -> GlobalTensor {
    packed(dtype, [1, 1, 1, rows, cols], Layout::ND)
}

/// A scatter with the default policies.
#[must_use]
pub fn scatter(table: GlobalTensor, src: Tile, idx: Tile, mode: Coalesce) -> Mscatter {
    Mscatter {
        table,
        src,
        idx,
        mode,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Undefined,
        conflict: ScatterConflict::Last,
        launch: Launch::default(),
    }
}

/// A scatter of the first revision with the default policies.
#[must_use]
pub fn first(table: GlobalTensor, src: Tile, idx: Tile) -> MscatterFirst {
    MscatterFirst {
        table,
        src,
        idx,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Undefined,
        launch: Launch::default(),
    }
}

/// A gather with the default policy.
#[must_use]
pub fn gather(dst: Tile, table: GlobalTensor, idx: Tile, mode: Coalesce) -> Mgather {
    Mgather {
        dst,
        table,
        idx,
        mode,
        oob: GatherOob::Undefined,
        launch: Launch::default(),
    }
}

/// A gather to L1 with the default policies; Elem with a packed scratch.
#[must_use]
pub fn l1(dst: Tile, table: GlobalTensor, idx: GlobalTensor, mode: Coalesce) -> MgatherL1 {
    let scratch = matrix(dst.dtype, 1, dst.rows * dst.cols);
    MgatherL1 {
        dst,
        table,
        idx,
        scratch: (mode == Coalesce::Elem).then_some(scratch),
        mode,
        oob: GatherOob::Undefined,
        exec: GatherExec::Scalar,
        launch: Launch::default(),
    }
}

/// The readings of the suites' scope.
#[must_use]
pub fn suite() -> Readings {
    Readings {
        scope: Scope::AsTheSuite,
        ..Readings::default()
    }
}

/// An operand between guard zones.
#[must_use]
pub fn region(role: Role, body: &[u8]) -> Region {
    let mut bytes = vec![0xA5; GUARD];
    bytes.extend_from_slice(body);
    bytes.extend_from_slice(&[0xA5; GUARD]);
    Region::new(role, bytes, GUARD..GUARD + body.len())
}

/// Operands by role.
#[must_use]
pub fn memory(operands: &[(Role, &[u8])]) -> Memory {
    Memory {
        regions: operands.iter().map(|(r, b)| region(*r, b)).collect(),
    }
}

/// Little-endian bytes of 32-bit words.
#[must_use]
pub fn words(values: &[i64]) -> Vec<u8> {
    let bytes = |v: &i64| (*v as u32).to_le_bytes();
    values.iter().flat_map(bytes).collect()
}

/// The operands of a call of packed tensors: these indices, and data of which each
/// element is its own, some of either sign and large, padding included.
pub(super) fn operands(call: &Call, indices: &[i64]) -> Memory {
    let of = |(role, operand): (Role, Operand<'_>)| {
        let dtype = operand.dtype();
        let elements = match operand {
            Operand::Tile(tile) if role == Role::Index => {
                return region(role, &placed(indices, tile));
            }
            Operand::Tensor(_) if role == Role::Index => return region(role, &words(indices)),
            Operand::Tile(tile) => tile.rows * tile.cols,
            Operand::Tensor(tensor) => tensor.shape.iter().map(|d| d.get()).product(),
        };
        let element = |i: u64| {
            let x = (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15 ^ role as u64) >> 24;
            x.to_le_bytes()[..dtype.size()].to_vec()
        };
        region(role, &(0..elements).flat_map(element).collect::<Vec<_>>())
    };
    let regions = call.operands().into_iter().map(of).collect();
    Memory { regions }
}

/// Indices at the valid places of a tile without boxes, decoys elsewhere.
fn placed(idx: &[i64], t: &Tile) -> Vec<u8> {
    let [rows, cols, wide] = [t.rows, t.cols, t.valid_col.get()].map(|n| n as usize);
    let mut all = vec![0x0101_0101; rows * cols];
    for (n, &i) in idx.iter().enumerate() {
        let [r, c] = [n / wide, n % wide];
        let at = match t.blayout {
            BLayout::RowMajor => r * cols + c,
            BLayout::ColMajor => c * rows + r,
        };
        all[at] = i;
    }
    let size = t.dtype.size();
    let bytes = |i: &i64| i.to_le_bytes()[..size].to_vec();
    all.iter().flat_map(bytes).collect()
}
