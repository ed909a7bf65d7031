//! The smallest cases, by hand.

use ptodiff_case::{Case, DataPlan, Fill, Form, IndexPattern};
use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GlobalTensor, Layout, MaskAxis, MaskPattern, Mgather,
    MgatherL1, Mscatter, MscatterFirst, SLayout, Tgatherb, Tile, TileType, TscatterIndex,
    TscatterMask,
};

/// A full tile by rows in UB.
pub(crate) fn tile(dtype: DType, [rows, cols]: [u64; 2]) -> Tile {
    Tile {
        location: TileType::Vec,
        dtype,
        rows,
        cols,
        valid_row: Dim::Static(rows),
        valid_col: Dim::Static(cols),
        blayout: BLayout::RowMajor,
        slayout: SLayout::NoneBox,
        fractal: 512,
    }
}

/// The same with a smaller valid region.
pub(crate) fn part(dtype: DType, padded: [u64; 2], [rows, cols]: [u64; 2]) -> Tile {
    Tile {
        valid_row: Dim::Static(rows),
        valid_col: Dim::Static(cols),
        ..tile(dtype, padded)
    }
}

/// A tile in NZ form.
pub(crate) fn boxed(tile: Tile) -> Tile {
    Tile {
        blayout: BLayout::ColMajor,
        slayout: SLayout::RowMajor,
        ..tile
    }
}

/// A tensor without gaps.
pub(crate) fn tensor(dtype: DType, layout: Layout, shape: [u64; 5]) -> GlobalTensor {
    let mut stride = [1; 5];
    for at in (0..4).rev() {
        stride[at] = stride[at + 1] * shape[at + 1].max(1);
    }
    GlobalTensor {
        dtype,
        shape: shape.map(Dim::Static),
        stride: stride.map(Dim::Static),
        layout,
    }
}

/// A table by rows.
pub(crate) fn table(dtype: DType, rows: u64, cols: u64) -> GlobalTensor {
    tensor(dtype, Layout::ND, [1, 1, 1, rows, cols])
}

pub(crate) fn mscatter(table: GlobalTensor, src: Tile, idx: Tile) -> Mscatter {
    Mscatter {
        table,
        src,
        idx,
        mode: Coalesce::Row,
        atomic: Default::default(),
        oob: Default::default(),
        conflict: Default::default(),
        launch: Default::default(),
    }
}

pub(crate) fn mgather(dst: Tile, table: GlobalTensor, idx: Tile) -> Mgather {
    Mgather {
        dst,
        table,
        idx,
        mode: Coalesce::Row,
        oob: Default::default(),
        launch: Default::default(),
    }
}

pub(crate) fn mgather_l1(dst: Tile, table: GlobalTensor, idx: GlobalTensor) -> MgatherL1 {
    MgatherL1 {
        dst: Tile {
            location: TileType::Mat,
            ..boxed(dst)
        },
        table,
        idx,
        scratch: None,
        mode: Coalesce::Row,
        oob: Default::default(),
        exec: Default::default(),
        launch: Default::default(),
    }
}

/// A named case of a call; its data as a file leaves it out.
pub(crate) fn case(call: Call) -> Case {
    let mut case = Case::of_call("hands", call);
    case.id = "random/hands".to_owned();
    case
}

/// Literal elements of four bytes.
pub(crate) fn words(values: &[u32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

/// The smallest case of a form: 1 x 1 tiles and a table of one element, all of
/// `int32_t`, no policies.
pub(crate) fn simplest(form: Form) -> Case {
    let one = |dtype| tile(dtype, [1, 1]);
    let (int, index) = (one(DType::Int32), one(DType::Int32));
    let slot = table(DType::Int32, 1, 1);
    let call = match form {
        Form::Mscatter => Call::Mscatter(mscatter(slot, int, index)),
        Form::MscatterFirst => Call::MscatterFirst(MscatterFirst {
            table: slot,
            src: int,
            idx: index,
            atomic: Default::default(),
            oob: Default::default(),
            launch: Default::default(),
        }),
        Form::Mgather => Call::Mgather(mgather(int, slot, index)),
        Form::MgatherL1 => Call::MgatherL1(mgather_l1(int, slot, slot)),
        Form::TscatterIndex => Call::TscatterIndex(TscatterIndex {
            dst: int,
            src: int,
            idx: index,
        }),
        Form::TscatterMask => Call::TscatterMask(TscatterMask {
            dst: int,
            src: int,
            pattern: MaskPattern::P1111,
            axis: MaskAxis::Row,
        }),
        Form::Tgatherb => Call::Tgatherb(Tgatherb {
            dst: int,
            src: int,
            offset: one(DType::Uint32),
        }),
    };
    let mut case = case(call);
    let gathers = matches!(form, Form::Mgather | Form::MgatherL1);
    let number = Fill::Literal(words(&[1]));
    case.data = DataPlan {
        table: if gathers { number.clone() } else { Fill::Zeros },
        source: if gathers { Fill::Distinct } else { number },
        destination: Fill::Poison,
        scratch: Fill::Poison,
        index: match form {
            Form::TscatterMask => IndexPattern::Random,
            _ => IndexPattern::Literal(words(&[0])),
        },
        seed: 0,
    };
    case
}

/// `like` with the name, the place and one target of `case`.
pub(crate) fn named(like: Case, case: &Case) -> Case {
    Case {
        id: case.id.clone(),
        name: case.name.clone(),
        place: case.place.clone(),
        targets: case.targets[..1].to_vec(),
        ..like
    }
}
