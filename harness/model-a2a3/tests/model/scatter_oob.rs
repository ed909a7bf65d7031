//! MSCATTER: out-of-bounds policies and negative indices.

use ptodiff_isa::{
    Call, Coalesce, DType, Mscatter, NegativeIndex, OobAccess, Readings, Role, ScatterOob,
};

use crate::common::{GUARD, bytes, legal, mscatter, nd, run, tile};

const POLICIES: [ScatterOob; 4] = [
    ScatterOob::Undefined,
    ScatterOob::Skip,
    ScatterOob::Clamp,
    ScatterOob::Wrap,
];

/// Rows of a `rows`x8 table after scattering rows of 1s, 2s, 3s ... with `indices`.
fn rows_after(oob: ScatterOob, rows: usize, dtype: DType, indices: &[u32]) -> Vec<u32> {
    let count = indices.len();
    let call = Mscatter {
        oob,
        ..mscatter(
            Coalesce::Row,
            nd(DType::Uint32, rows as u64, 8),
            tile(DType::Uint32, [count as u64, 8], [count as u64, 8]),
            tile(dtype, [1, 8], [1, count as u64]),
        )
    };
    let mut idx = indices.to_vec();
    idx.resize(8, 0);
    let src = (0..count * 8).map(|k| (k / 8 + 1) as u32);
    let table = vec![0_u32; rows * 8];
    let ran = legal(Call::Mscatter(call), [bytes(table), bytes(src), bytes(idx)]);
    let table = ran.table::<u32>();
    let (rows, _) = table.as_chunks::<8>();
    assert!(rows.iter().all(|row| *row == [row[0]; 8]));
    rows.iter().map(|row| row[0]).collect()
}

/// Slots of a table after scattering 1, 2, 3 ... in Elem mode.
fn slots_after(oob: ScatterOob, slots: usize, dtype: DType, indices: [u32; 8]) -> Vec<u32> {
    let call = Mscatter {
        oob,
        ..mscatter(
            Coalesce::Elem,
            nd(DType::Uint32, 1, slots as u64),
            tile(DType::Uint32, [1, 8], [1, 8]),
            tile(dtype, [1, 8], [1, 8]),
        )
    };
    let table = bytes(vec![0_u32; slots]);
    legal(
        Call::Mscatter(call),
        [table, bytes(1..9_u32), bytes(indices)],
    )
    .table()
}

/// MSCATTER-OOB-04, -07, -09.
#[test]
fn rows_out_of_bounds() {
    assert_eq!(
        rows_after(ScatterOob::Skip, 4, DType::Int32, &[1, 4, 2]),
        [0, 1, 3, 0]
    );
    assert_eq!(
        rows_after(ScatterOob::Clamp, 4, DType::Int32, &[4, 9, 1]),
        [0, 3, 0, 2]
    );
    assert_eq!(
        rows_after(ScatterOob::Wrap, 4, DType::Int32, &[9]),
        [0, 1, 0, 0]
    );
    assert_eq!(
        rows_after(ScatterOob::Wrap, 4, DType::Int32, &[4]),
        [1, 0, 0, 0]
    );
}

/// MSCATTER-OOB-05, -08, -10.
#[test]
fn elements_out_of_bounds() {
    let got = slots_after(
        ScatterOob::Skip,
        30,
        DType::Int32,
        [0, 30, 1, 100, 2, 3, 4, 29],
    );
    assert_eq!(got[..6], [1, 3, 5, 6, 7, 0]);
    assert_eq!(got[29], 8);
    assert_eq!(got.iter().filter(|&&v| v == 0).count(), 24);

    let got = slots_after(
        ScatterOob::Clamp,
        30,
        DType::Int32,
        [1000, 1, 2, 3, 4, 5, 6, 7],
    );
    assert_eq!(got[29], 1);

    let got = slots_after(
        ScatterOob::Wrap,
        30,
        DType::Int32,
        [65, 30, 1, 2, 3, 4, 6, 7],
    );
    assert_eq!(got[..8], [2, 3, 4, 5, 6, 1, 7, 8]);
}

/// MSCATTER-OOB-11: below capacity the policies agree.
#[test]
fn policies_agree_in_bounds() {
    for oob in POLICIES {
        let got = slots_after(oob, 8, DType::Int32, [7, 3, 0, 1, 6, 2, 4, 5]);
        assert_eq!(got, [3, 4, 6, 2, 7, 8, 5, 1]);
    }
}

/// MSCATTER-OOB-12: the boundary.
#[test]
fn capacity_is_the_first_index_out() {
    use ScatterOob::{Clamp, Skip, Wrap};
    for oob in [Skip, Clamp, Wrap] {
        assert_eq!(rows_after(oob, 4, DType::Int32, &[3]), [0, 0, 0, 1]);
    }
    assert_eq!(rows_after(Skip, 4, DType::Int32, &[4]), [0, 0, 0, 0]);
    assert_eq!(rows_after(Clamp, 4, DType::Int32, &[4]), [0, 0, 0, 1]);
    assert_eq!(rows_after(Wrap, 4, DType::Int32, &[4]), [1, 0, 0, 0]);
}

/// MSCATTER-OOB-13: 4294967295 mod 10 is 5.
#[test]
fn great_unsigned_indices() {
    let after = |oob| rows_after(oob, 10, DType::Uint32, &[u32::MAX]);
    assert_eq!(after(ScatterOob::Skip), [0; 10]);
    assert_eq!(after(ScatterOob::Clamp), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(after(ScatterOob::Wrap), [0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
}

/// MSCATTER-OOB-15: folded indices collide.
#[test]
fn clamped_indices_collide() {
    assert_eq!(
        rows_after(ScatterOob::Clamp, 4, DType::Int32, &[3, 7, 100]),
        [0, 0, 0, 3]
    );
}

/// MSCATTER-GAP-01 on a 10-row table with index -1: which row is written.
#[test]
fn negative_rows() {
    use NegativeIndex::{Intended, Signed, Unsigned};
    use ScatterOob::{Clamp, Skip, Undefined, Wrap};
    // Row -1 starts 32 bytes before the table; in the Unsigned reading
    // Undefined goes to row 4294967295.
    let cases = [
        (Unsigned, Skip, None),
        (Unsigned, Clamp, Some(9)),
        (Unsigned, Wrap, Some(5)),
        (Unsigned, Undefined, Some(4_294_967_295)),
        (Signed, Skip, Some(-1)),
        (Signed, Clamp, Some(-1)),
        (Signed, Wrap, Some(-1)),
        (Signed, Undefined, Some(-1)),
        (Intended, Skip, None),
        (Intended, Clamp, Some(0)),
        (Intended, Wrap, Some(9)),
        (Intended, Undefined, Some(-1)),
    ];
    for (negative_index, oob, want) in cases {
        for mode in [Coalesce::Row, Coalesce::Elem] {
            // Elem: ten slots instead of ten rows.
            let (width, valid) = match mode {
                Coalesce::Row => (8, 8),
                Coalesce::Elem => (1, 1),
            };
            let call = Mscatter {
                oob,
                ..mscatter(
                    mode,
                    nd(DType::Uint32, 10, width),
                    tile(DType::Uint32, [1, 8], [1, valid]),
                    tile(DType::Int32, [1, 8], [1, 1]),
                )
            };
            let readings = Readings {
                negative_index,
                ..Readings::default()
            };
            let size = 10 * width as usize;
            let ran = run(
                Call::Mscatter(call),
                readings,
                [
                    bytes(vec![0_u32; size]),
                    bytes([1_u32; 8]),
                    bytes([-1_i32; 8]),
                ],
            );
            let row_bytes = 4 * width as i64;
            let inside = want.filter(|row| (0..10).contains(row));
            let got = ran.table::<u32>();
            for row in 0..10 {
                let value = got[row * width as usize];
                assert_eq!(value, u32::from(inside == Some(row as i64)));
            }
            let outside = want.filter(|row| !(0..10).contains(row));
            let oob_access = outside.map(|row| OobAccess {
                role: Role::Table,
                offset: row * row_bytes,
                len: 4 * valid,
                write: true,
            });
            assert_eq!(
                ran.oob_accesses(),
                oob_access.as_slice(),
                "{negative_index} {oob}"
            );
            if outside == Some(-1) {
                let (front, _) = ran.guards(Role::Table);
                assert_eq!(front[GUARD - row_bytes as usize], 1);
            }
        }
    }
}
