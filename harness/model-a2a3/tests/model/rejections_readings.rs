//! The static checks that a reading decides.

use ptodiff_isa::{Call, Coalesce, DType, Dim, GlobalTensor, Model, NzDynamic, Readings, Tile};
use ptodiff_model_a2a3::A2a3;

use crate::common::{mgather, mscatter, nd, nz, nz_tile, tile};

/// What is rejected of a scatter and of a gather.
fn clauses(table: GlobalTensor, data: Tile, nz_dynamic: NzDynamic) -> [Vec<&'static str>; 2] {
    let idx = tile(DType::Int32, [1, 8], [1, 1]);
    let readings = Readings {
        nz_dynamic,
        ..Readings::default()
    };
    let (scatter, gather) = (
        mscatter(Coalesce::Row, table, data, idx),
        mgather(Coalesce::Row, data, table, idx),
    );
    [Call::Mscatter(scatter), Call::Mgather(gather)].map(|call| {
        let rejections = A2a3.check(&call, &readings);
        assert!(rejections.iter().all(|r| !r.why.is_empty()));
        rejections.iter().map(|r| r.clause.0).collect()
    })
}

/// MSCATTER-GAP-27, MGATHER-GAP-23: one rejection for the two inner dimensions,
/// none for the outer ones, and none for a table that is not NZ.
#[test]
fn dynamic_inner_dimensions() {
    let by_blocks = nz(DType::Half, [1, 1, 1], 16);
    let data = nz_tile(DType::Half, [16, 16], [1, 16]);
    let with = |dims: &[usize], mut table: GlobalTensor| {
        for &d in dims {
            table.shape[d] = Dim::Dynamic(table.shape[d].get());
        }
        table
    };
    let none: [Vec<&str>; 2] = Default::default();
    let rejected = [vec!["MSCATTER-GAP-27"], vec!["MGATHER-GAP-23"]];
    for dims in [&[3][..], &[4], &[3, 4]] {
        let table = with(dims, by_blocks);
        assert_eq!(clauses(table, data, NzDynamic::Precondition), none);
        assert_eq!(clauses(table, data, NzDynamic::Rejected), rejected);
    }
    let table = with(&[0, 1, 2], by_blocks);
    assert_eq!(clauses(table, data, NzDynamic::Rejected), none);
    let (table, data) = (
        with(&[3, 4], nd(DType::Half, 16, 16)),
        tile(DType::Half, [16, 16], [1, 16]),
    );
    assert_eq!(clauses(table, data, NzDynamic::Rejected), none);
}
