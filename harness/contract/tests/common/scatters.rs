//! Small scatters and what they write.

use ptodiff_isa::{Coalesce, DType, Mscatter};

use super::{Slot, floats, matrix, scatter, tile};

/// 0 to n - 1.
pub(crate) fn up_to(n: i64) -> Vec<i64> {
    (0..n).collect()
}

/// int32 [1,8] into `slots` slots, Elem.
pub(crate) fn eight(slots: u64) -> Mscatter {
    scatter(
        matrix(DType::Int32, 1, slots),
        tile(DType::Int32, [1, 8], [1, 8]),
        tile(DType::Int32, [1, 8], [1, 8]),
        Coalesce::Elem,
    )
}

/// float [rows, 8] into a 4x8 table, Row.
pub(crate) fn rows_of_eight(rows: u64) -> Mscatter {
    scatter(
        matrix(DType::Float, 4, 8),
        tile(DType::Float, [rows, 8], [rows, 8]),
        tile(DType::Int32, [1, 8], [1, rows]),
        Coalesce::Row,
    )
}

/// Rows filled with 1, 2, 3 and so on.
pub(crate) fn numbered(rows: usize, cols: usize) -> Vec<u8> {
    let all: Vec<f32> = (0..rows * cols).map(|i| (i / cols + 1) as f32).collect();
    floats(&all)
}

/// The rows of a table of eight columns: the number that fills each, if one does.
pub(crate) fn fills(slots: &[Slot]) -> Vec<Option<f32>> {
    slots
        .chunks(8)
        .map(|row| match &row[0] {
            Slot::One(b) => {
                assert!(row.iter().all(|s| s == &row[0]));
                Some(f32::from_le_bytes(b[..].try_into().unwrap()))
            }
            Slot::Kept => {
                assert!(row.iter().all(|s| *s == Slot::Kept));
                None
            }
            other => panic!("{other:?}"),
        })
        .collect()
}
