//! Cases that keep to no rule but the limits of a case file.

use ptodiff_case::{Case, IndexPattern};
use ptodiff_isa::{
    BLayout, CacheFlush, Call, Coalesce, DType, Dim, Dispatch, GatherExec, GlobalTensor, Launch,
    Layout, MaskAxis, MaskPattern, MgatherL1, Operand, Role, SLayout, Target, Tgatherb, Tile,
    TileType, TscatterIndex, TscatterMask,
};
use strum::VariantArray;

use super::choices::{Choices, Coins};
use super::context::unit;
use super::data::{DYN_UB, Use, chunks, plan};
use super::extent::{area, dim, extent, tensor};
use super::index::{Ask, pattern, values};
use super::{Form, MOST_LANES, Wish, readings};

/// Longest side of an operand that no lanes bound.
const SIDE: u64 = 40;

/// Makes `case` one of `form`.
pub(super) fn case(choices: &mut impl Choices, form: Form, wish: &Wish, case: &mut Case) {
    let lanes = wish.max_lanes.clamp(1, MOST_LANES);
    let dtype = choices.pick(DType::VARIANTS);
    let data = data_tile(choices, dtype, lanes);
    case.call = call(choices, form, data);
    case.chunks = chunks(choices, &case.call);
    let index = index(choices, &case.call, case.chunks);
    let purpose = choices.pick(&[Use::Moved, Use::Combined]);
    case.data = plan(choices, purpose, index);
    case.readings = readings::any(choices).into();
    targets(choices, wish, &mut case.targets);
}

/// Any of `T`'s values.
fn any<T: VariantArray + Copy>(choices: &mut impl Choices) -> T {
    choices.pick(T::VARIANTS)
}

/// One type for all operands, mostly.
fn like(choices: &mut impl Choices, dtype: DType) -> DType {
    if choices.one_in(6) {
        any(choices)
    } else {
        dtype
    }
}

fn index_type(choices: &mut impl Choices) -> DType {
    if choices.one_in(4) {
        any(choices)
    } else {
        choices.pick(&[DType::Int32, DType::Uint32, DType::Uint16, DType::Int16])
    }
}

/// Makes `targets` some of those that are wished for.
fn targets(choices: &mut impl Choices, wish: &Wish, targets: &mut Vec<Target>) {
    let may = if wish.targets.is_empty() {
        Target::VARIANTS
    } else {
        &wish.targets
    };
    let all = (1_u64 << Target::VARIANTS.len()) - 1;
    let drawn = all - choices.below(all);
    let wished = |target: &&Target| may.contains(target);
    targets.clear();
    let of_drawn = |target: &&Target| drawn >> (**target as u32) & 1 == 1;
    targets.extend(Target::VARIANTS.iter().filter(wished).filter(of_drawn));
    if targets.is_empty() {
        targets.extend(Target::VARIANTS.iter().filter(wished));
    }
}

fn call(choices: &mut impl Choices, form: Form, data: Tile) -> Call {
    match form {
        Form::Mscatter | Form::MscatterFirst | Form::Mgather => in_ub(choices, form, data),
        Form::MgatherL1 => Call::MgatherL1(to_l1(choices, data)),
        Form::TscatterIndex => Call::TscatterIndex(TscatterIndex {
            src: data,
            dst: other_tile(choices, &data),
            idx: index_tile(choices, &data),
        }),
        Form::TscatterMask => {
            let pattern = any::<MaskPattern>(choices);
            let mut dst = other_tile(choices, &data);
            if choices.below(2) == 0 {
                // The documents' expansion, or nearly so.
                let lanes = choices.pick(&[1, 2, 4]);
                dst.cols = data.cols * lanes;
                dst.rows = data.rows;
                dst.valid_row = data.valid_row;
                dst.valid_col = Dim::Dynamic(data.valid_col.get() * lanes);
            }
            Call::TscatterMask(TscatterMask {
                dst,
                src: data,
                pattern,
                axis: any::<MaskAxis>(choices),
            })
        }
        Form::Tgatherb => Call::Tgatherb(Tgatherb {
            dst: data,
            src: other_tile(choices, &data),
            offset: index_tile(choices, &data),
        }),
    }
}

/// A call between UB and GM.
fn in_ub(choices: &mut impl Choices, form: Form, data: Tile) -> Call {
    let mut call = Call::blank(form);
    call.put(Role::Table, Operand::Tensor(&table(choices, &data)));
    call.put(Role::Index, Operand::Tile(&index_tile(choices, &data)));
    // In Mat a gather would be the form to L1.
    let location = match form {
        Form::Mgather => TileType::Vec,
        _ => data.location,
    };
    call.put(form.data(), Operand::Tile(&Tile { location, ..data }));
    for argument in call.arguments() {
        call.set_argument(argument.key, choices.pick(argument.words));
    }
    if let Some(own) = call.launch_mut() {
        *own = launch(choices);
    }
    call
}

fn to_l1(choices: &mut impl Choices, data: Tile) -> MgatherL1 {
    let mode = any(choices);
    let [rows, cols] = [data.valid_row.get(), data.valid_col.get()];
    let shape = match (mode, choices.below(4)) {
        (Coalesce::Row, 0 | 1) => [1, 1, 1, 1, rows.max(1)],
        (Coalesce::Elem, 0 | 1) => [1, 1, 1, rows.max(1), cols.max(1)],
        _ => [1, 1, 1, 1 + choices.below(8), 1 + choices.below(8)],
    };
    let with_scratch = (mode == Coalesce::Elem) != choices.one_in(6);
    let scratch = with_scratch.then(|| {
        let needed = data.rows * data.cols;
        let length = choices.weighted(&[(4, needed), (1, needed + 1), (1, needed.div_ceil(2))]);
        let dtype = like(choices, data.dtype);
        gm(choices, dtype, [1, 1, 1, 1, length])
    });
    let index_type = index_type(choices);
    MgatherL1 {
        dst: Tile {
            location: TileType::Mat,
            ..data
        },
        table: table(choices, &data),
        idx: gm(choices, index_type, shape),
        scratch,
        mode,
        oob: any(choices),
        exec: any::<GatherExec>(choices),
        launch: launch(choices),
    }
}

fn data_tile(choices: &mut impl Choices, dtype: DType, lanes: u64) -> Tile {
    let [rows, cols] = area(choices, [unit(dtype), unit(dtype)], lanes);
    tile(choices, dtype, [rows, cols])
}

/// A tile whose valid region is `valid`, or nearly so.
fn tile(choices: &mut impl Choices, dtype: DType, valid: [u64; 2]) -> Tile {
    let valid = valid.map(|extent| {
        let less = choices.weighted(&[(12, 0), (1, 1), (1, extent)]);
        extent - less.min(extent)
    });
    let padded = valid.map(|extent| {
        let unit = choices.pick(&[1, unit(dtype), 16]);
        extent.max(1).next_multiple_of(unit) + choices.weighted(&[(6, 0), (1, 1), (1, unit)])
    });
    let mut coins = Coins::draw(choices, 2);
    Tile {
        location: choices.weighted(&[(15, TileType::Vec), (1, TileType::Mat)]),
        dtype,
        rows: padded[0],
        cols: padded[1],
        valid_row: dim(&mut coins, valid[0]),
        valid_col: dim(&mut coins, valid[1]),
        blayout: any::<BLayout>(choices),
        slayout: choices.weighted(&[
            (5, SLayout::NoneBox),
            (2, SLayout::RowMajor),
            (1, SLayout::ColMajor),
        ]),
        fractal: choices.weighted(&[(8, 512), (1, 1024), (1, 32), (1, 1)]),
    }
}

fn other_tile(choices: &mut impl Choices, data: &Tile) -> Tile {
    let dtype = like(choices, data.dtype);
    let valid = if choices.below(2) == 0 {
        [data.rows, data.cols]
    } else {
        [SIDE, SIDE].map(|side| extent(choices, unit(dtype), side))
    };
    tile(choices, dtype, valid)
}

fn index_tile(choices: &mut impl Choices, data: &Tile) -> Tile {
    let dtype = index_type(choices);
    let [rows, cols] = [data.valid_row.get(), data.valid_col.get()];
    let valid = match choices.below(6) {
        0 | 1 => [rows, cols],
        2 => [1, rows],
        3 => [rows, 1],
        4 => [cols, rows],
        _ => [SIDE / 4, SIDE / 4].map(|side| 1 + choices.below(side)),
    };
    tile(choices, dtype, valid)
}

fn table(choices: &mut impl Choices, data: &Tile) -> GlobalTensor {
    let dtype = like(choices, data.dtype);
    let width = match choices.below(4) {
        0 => data.valid_col.get().max(1),
        1 => data.cols,
        2 => unit(dtype),
        _ => extent(choices, unit(dtype), SIDE),
    };
    let rows = choices.pick(&[1, 2, 3, 5, 8, 16, 17, 40]);
    let outer = [(); 3].map(|()| choices.weighted(&[(9, 1), (1, 2), (1, 3)]));
    gm(choices, dtype, [outer[0], outer[1], outer[2], rows, width])
}

/// A tensor of any layout and strides; now and then with nothing in it.
fn gm(choices: &mut impl Choices, dtype: DType, shape: [u64; 5]) -> GlobalTensor {
    let mut stride = [1; 5];
    let kind = choices.weighted(&[(6, 0), (2, 1), (1, 2), (1, 3)]);
    for at in (0..4).rev() {
        stride[at] = match kind {
            0 => stride[at + 1] * shape[at + 1],
            1 => stride[at + 1] * shape[at + 1] + choices.below(9),
            // Elements that share a place, and a layout by columns.
            2 => choices.below(64),
            _ => 1,
        };
    }
    if kind == 3 {
        stride[4] = shape[3];
    }
    let layout = choices.weighted(&[(6, Layout::ND), (1, Layout::DN), (3, Layout::NZ)]);
    let mut tensor = tensor(choices, dtype, shape, stride, layout);
    if choices.one_in(24) {
        tensor.shape[choices.below(5) as usize] = Dim::Dynamic(0);
    }
    tensor
}

fn launch(choices: &mut impl Choices) -> Launch {
    if choices.below(3) < 2 {
        return Launch::default();
    }
    Launch {
        dyn_ub_bytes: choices.pick(&[None, Some(0), Some(1), Some(DYN_UB), Some(DYN_UB + 1)]),
        dispatch: any::<Dispatch>(choices),
        flush: any::<CacheFlush>(choices),
    }
}

/// Any pattern, for as many values as the index operand has.
fn index(choices: &mut impl Choices, call: &Call, chunks: u32) -> IndexPattern {
    let Some(operand) = call.operand(Role::Index) else {
        return IndexPattern::Random;
    };
    let capacity = match call.table() {
        Some(table) => table.shape.iter().map(|dim| dim.get()).product(),
        None => SIDE,
    };
    let ask = Ask {
        between: true,
        ..Ask::any(
            values(operand) * u64::from(chunks),
            operand.dtype(),
            capacity,
        )
    };
    pattern(choices, &ask)
}
