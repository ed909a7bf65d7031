//! Which index chose the slot or the value of a lane.

use ptodiff_data::place;
use ptodiff_isa::{Call, Coalesce, DType, Memory, OffsetGranularity, Operand, Readings, Role};
use ptodiff_judge::Value;

/// The indices of a call, as they belong to its lanes.
pub(crate) struct LaneIndices {
    dtype: DType,
    /// Those of each step, in logical order; none where that is not known.
    steps: Vec<Option<Vec<u8>>>,
    /// Valid rows and columns of the data tile.
    lanes: [u64; 2],
    each: Each,
}

/// What has an index of its own.
#[derive(Clone, Copy)]
enum Each {
    Lane,
    Row,
}

impl LaneIndices {
    /// None where the call has no index for each lane or for each row, as
    /// TSCATTER by mask and TGATHERB by blocks.
    pub(crate) fn of(call: &Call, steps: &[&Memory], readings: &Readings) -> Option<Self> {
        let by_blocks = readings.tgatherb_granularity != OffsetGranularity::Element;
        if matches!(call, Call::Tgatherb(_)) && by_blocks {
            return None;
        }
        let indices = call.operand(Role::Index)?;
        let dtype = indices.dtype();
        let data = call.data_tile();
        let lanes = [data.valid_row.get(), data.valid_col.get()];
        let count = place::bytes(indices)? / dtype.size() as u64;
        let for_lanes = match indices {
            Operand::Tile(_) => place::extents(indices) == lanes,
            Operand::Tensor(_) => lanes[0].checked_mul(lanes[1]) == Some(count),
        };
        let for_rows = count == lanes[0];
        let each = match call.mode() {
            Some(Coalesce::Row) => for_rows.then_some(Each::Row),
            Some(Coalesce::Elem) => for_lanes.then_some(Each::Lane),
            None if for_lanes => Some(Each::Lane),
            None => for_rows.then_some(Each::Row),
        }?;
        Some(Self {
            dtype,
            steps: steps.iter().map(|step| taken(indices, step)).collect(),
            lanes,
            each,
        })
    }

    /// The index of the lane (`r`, `c`) in a step; none for a lane of the padding
    /// that has none.
    pub(crate) fn index(&self, step: usize, r: u64, c: u64) -> Option<i64> {
        let [rows, cols] = self.lanes;
        let n = match self.each {
            Each::Lane if r < rows && c < cols => r.checked_mul(cols)?.checked_add(c)?,
            Each::Row if r < rows => r,
            Each::Lane | Each::Row => return None,
        };
        let mut all = self.steps.get(step)?.as_ref()?.chunks(self.dtype.size());
        let index = all.nth(usize::try_from(n).ok()?)?;
        i64::try_from(Value::read(self.dtype, index).integer()).ok()
    }
}

/// The indices that `memory` holds. Of indices in GM with gaps it is not told
/// whether they are read by their strides: none but where that is all the same.
fn taken(indices: Operand<'_>, memory: &Memory) -> Option<Vec<u8>> {
    let body = memory.get(Role::Index)?.body();
    let values = place::take(indices, body)?;
    match indices {
        Operand::Tile(_) => Some(values),
        Operand::Tensor(_) => body.starts_with(&values).then_some(values),
    }
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
        let indices = LaneIndices::of(&case.call, &[&made.steps[0]], case.data_readings())?;
        Some(lanes.map(|[r, c]| indices.index(0, r, c)))
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
