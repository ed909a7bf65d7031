//! The smallest cases, by hand.

use ptodiff_case::{Case, DataPlan, Fill, Form, IndexPattern};
use ptodiff_enumerate::world::build::{gather, scatter};
pub(crate) use ptodiff_enumerate::world::build::{
    l1, l1_tile, matrix as table, nz_tile, packed, tile as part,
};
use ptodiff_isa::{Call, Coalesce, DType, GlobalTensor, Mgather, Mscatter, Role, Tile};
use strum::VariantArray;

/// A full tile by rows in UB.
pub(crate) fn tile(dtype: DType, extents: [u64; 2]) -> Tile {
    part(dtype, extents, extents)
}

/// A scatter by rows.
pub(crate) fn mscatter(table: GlobalTensor, src: Tile, idx: Tile) -> Mscatter {
    scatter(table, src, idx, Coalesce::Row)
}

/// A gather by rows.
pub(crate) fn mgather(dst: Tile, table: GlobalTensor, idx: Tile) -> Mgather {
    gather(dst, table, idx, Coalesce::Row)
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
    let mut call = Call::blank(form);
    for role in Role::VARIANTS {
        call.set_dtype(*role, DType::Int32);
    }
    match &mut call {
        Call::MgatherL1(call) => call.dst = l1_tile(DType::Int32, [1, 1], [1, 1]),
        Call::Tgatherb(call) => call.offset.dtype = DType::Uint32,
        _ => {}
    }
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
