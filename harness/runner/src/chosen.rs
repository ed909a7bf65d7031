//! Which index chose the slot or the value of a lane.

use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, GlobalTensor, Memory, OffsetGranularity, Operand, Readings,
    Role, SLayout, Tile,
};

/// How the indices of a call belong to its lanes.
#[derive(Clone, Copy)]
pub(crate) struct Chosen<'a> {
    indices: Operand<'a>,
    /// Valid columns of the data tile.
    cols: u64,
    each: Each,
}

/// What has an index of its own.
#[derive(Clone, Copy)]
enum Each {
    Lane,
    Row,
}

impl<'a> Chosen<'a> {
    /// None where the call has no index for each lane or for each row, as
    /// TSCATTER by mask and TGATHERB by blocks.
    pub(crate) fn of(call: &'a Call, readings: &Readings) -> Option<Self> {
        let by_blocks = readings.tgatherb_granularity != OffsetGranularity::Element;
        if matches!(call, Call::Tgatherb(_)) && by_blocks {
            return None;
        }
        let indices = call.operand(Role::Index)?;
        let data = call.data_tile();
        let [rows, cols] = [data.valid_row.get(), data.valid_col.get()];
        let for_lanes = match indices {
            Operand::Tile(tile) => [tile.valid_row.get(), tile.valid_col.get()] == [rows, cols],
            Operand::Tensor(_) => Some(count(indices)?) == rows.checked_mul(cols),
        };
        let for_rows = count(indices)? == rows;
        let each = match call.mode() {
            Some(Coalesce::Row) => for_rows.then_some(Each::Row),
            Some(Coalesce::Elem) => for_lanes.then_some(Each::Lane),
            None if for_lanes => Some(Each::Lane),
            None => for_rows.then_some(Each::Row),
        };
        each.map(|each| Self {
            indices,
            cols,
            each,
        })
    }

    /// The index of the lane (`r`, `c`), as it stands in `memory`; none for a
    /// lane of the padding that has none.
    pub(crate) fn index(&self, memory: &Memory, r: u64, c: u64) -> Option<i64> {
        let place = match (self.indices, self.each) {
            (Operand::Tile(tile), Each::Lane) => in_tile(tile, r, c),
            // A tile of one row has the index of row r in column r.
            (Operand::Tile(tile), Each::Row) if tile.valid_row.get() == 1 => in_tile(tile, 0, r),
            (Operand::Tile(tile), Each::Row) => in_tile(tile, r, 0),
            (Operand::Tensor(tensor), Each::Lane) if c < self.cols => {
                in_packed(tensor, r.checked_mul(self.cols)?.checked_add(c)?)
            }
            (Operand::Tensor(_), Each::Lane) => None,
            (Operand::Tensor(tensor), Each::Row) => in_packed(tensor, r),
        };
        let dtype = self.indices.dtype();
        let from = usize::try_from(place?).ok()?.checked_mul(dtype.size())?;
        let body = memory.get(Role::Index)?.body();
        number(dtype, body.get(from..)?)
    }
}

/// Valid elements of an operand.
fn count(operand: Operand<'_>) -> Option<u64> {
    let product = |dims: &[u64]| dims.iter().try_fold(1, |n: u64, &dim| n.checked_mul(dim));
    match operand {
        Operand::Tile(tile) => product(&[tile.valid_row.get(), tile.valid_col.get()]),
        Operand::Tensor(tensor) => product(&tensor.shape.map(|dim| dim.get())),
    }
}

/// Where (`r`, `c`) stands in the body of a tile without boxes, if it is valid.
fn in_tile(tile: &Tile, r: u64, c: u64) -> Option<u64> {
    let valid = r < tile.valid_row.get() && c < tile.valid_col.get();
    match (tile.slayout, tile.blayout) {
        _ if !valid => None,
        (SLayout::NoneBox, BLayout::RowMajor) => r.checked_mul(tile.cols)?.checked_add(c),
        (SLayout::NoneBox, BLayout::ColMajor) => c.checked_mul(tile.rows)?.checked_add(r),
        _ => None,
    }
}

/// Where element `n` of a tensor stands, if it has no gaps.
fn in_packed(tensor: &GlobalTensor, n: u64) -> Option<u64> {
    let mut step = 1;
    for (extent, stride) in tensor.shape.iter().zip(&tensor.stride).rev() {
        if extent.get() != 1 && stride.get() != step {
            return None;
        }
        step = step.checked_mul(extent.get())?;
    }
    (n < step).then_some(n)
}

/// The number at the start of `bytes`.
fn number(dtype: DType, bytes: &[u8]) -> Option<i64> {
    Some(match dtype {
        DType::Int32 => i32::from_le_bytes(*bytes.first_chunk()?).into(),
        DType::Uint32 => u32::from_le_bytes(*bytes.first_chunk()?).into(),
        DType::Int16 => i16::from_le_bytes(*bytes.first_chunk()?).into(),
        DType::Uint16 => u16::from_le_bytes(*bytes.first_chunk()?).into(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The indices of lanes of the case described by `keys`, under its readings.
    fn of<const N: usize>(keys: &str, lanes: [[u64; 2]; N]) -> Option<[Option<i64>; N]> {
        let text = format!("cases:\n  - {{name: x, {keys}}}\n");
        let case = ptodiff_case::load_str("x.yaml", &text).expect("a case");
        let case = &case.cases[0];
        let made = ptodiff_generate::stimulus(case, 0);
        let chosen = Chosen::of(&case.call, &case.readings)?;
        Some(lanes.map(|[r, c]| chosen.index(&made.steps[0], r, c)))
    }

    #[test]
    fn an_index_for_each_lane() {
        let table = "table: {shape: [1, 1, 1, 1, 64]}";
        let index = "index: {shape: [2, 8], valid: [2, 3], data: {values: [1, -2, 3, 4, 5, 6]}}";
        let lanes = [[0, 1], [1, 2], [0, 3], [2, 0]];
        for instruction in ["MSCATTER", "MGATHER"] {
            let call = format!("instruction: {instruction}, mode: Elem, dtype: int32_t");
            let keys = format!("{call}, tile: {{shape: [2, 8], valid: [2, 3]}}, {index}, {table}");
            let found = [Some(-2), Some(6), None, None];
            assert_eq!(of(&keys, lanes), Some(found), "{instruction}");
        }
        // Unsigned, and a tile whose columns stand one after the other.
        let scatter = "instruction: MSCATTER, mode: Elem, dtype: int32_t, tile: {shape: [8, 2]}";
        let values = "values: [0, 1, 2, 4294967295, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]";
        let index = format!(
            "index: {{dtype: uint32_t, shape: [8, 2], blayout: ColMajor, data: {{{values}}}}}"
        );
        let keys = format!("{scatter}, {index}, {table}");
        assert_eq!(
            of(&keys, [[1, 1], [2, 0]]),
            Some([Some(4_294_967_295), Some(4)])
        );
    }

    #[test]
    fn an_index_for_each_row() {
        for (shape, layout) in [("[1, 8]", "RowMajor"), ("[8, 1]", "ColMajor")] {
            let index = format!(
                "{{shape: {shape}, blayout: {layout}, data: {{values: [7, 6, 5, 4, 3, 2, 1, 0]}}}}"
            );
            let keys = format!(
                "instruction: MGATHER, mode: Row, dtype: int32_t, tile: {{shape: [8, 8]}}, \
                 index: {index}, table: {{shape: [1, 1, 1, 8, 8]}}"
            );
            assert_eq!(
                of(&keys, [[0, 3], [2, 7]]),
                Some([Some(7), Some(5)]),
                "{shape}"
            );
        }
    }

    #[test]
    fn indices_in_gm() {
        let call = "instruction: MGATHER, dtype: half, targets: [a5], \
                    tile: {location: Mat, shape: [16, 16], valid: [2, 3]}, \
                    table: {shape: [1, 1, 1, 8, 3]}";
        let values = "data: {values: [6, 5, 4, 3, 2, 1]}";
        let elem = format!("{call}, mode: Elem, index: {{shape: [1, 1, 1, 2, 3], {values}}}");
        let lanes = [[0, 2], [1, 0], [0, 3], [2, 0]];
        assert_eq!(of(&elem, lanes), Some([Some(4), Some(3), None, None]));
        let row = format!(
            "{call}, mode: Row, index: {{shape: [1, 1, 1, 1, 2], data: {{values: [6, 5]}}}}"
        );
        assert_eq!(of(&row, [[1, 2], [0, 0]]), Some([Some(5), Some(6)]));
        // Where they have gaps it is not said.
        let gaps = elem.replace(
            "[1, 1, 1, 2, 3]",
            "[1, 1, 1, 2, 3], stride: [8, 8, 8, 4, 1]",
        );
        assert_eq!(of(&gaps, [[1, 0]]), Some([None]));
    }

    #[test]
    fn what_has_no_index_of_its_own() {
        let mask = "instruction: TSCATTER, mask: P0101, dtype: int32_t, \
                    source: {shape: [1, 8]}, destination: {shape: [1, 16]}";
        assert_eq!(of(mask, [[0, 0]]), None);
        let bytes = "instruction: TGATHERB, dtype: int32_t, source: {shape: [1, 8]}, \
                     destination: {shape: [1, 8]}, \
                     offset: {shape: [1, 8], data: {values: [28, 24, 20, 16, 12, 8, 4, 0]}}";
        assert_eq!(of(bytes, [[0, 1]]), Some([Some(24)]));
        let blocks = format!("{bytes}, readings: {{tgatherb-granularity: block}}");
        assert_eq!(of(&blocks, [[0, 1]]), None);
    }
}
