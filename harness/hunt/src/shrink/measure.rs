//! How large a case is: what shrinking makes smaller.

use ptodiff_case::Case;
use ptodiff_isa::DType::{
    self, Bfloat16, Float, Float8E4M3, Float8E5M2, Half, Hifloat8, Int8, Int16, Int32, Int64,
    Uint8, Uint16, Uint32, Uint64,
};
use ptodiff_isa::{Argument, BLayout, Call, Dim, GlobalTensor, Operand, Role, SLayout, Tile};

use super::bounds::{data_elements, stored_elements};
use super::parts::{data_role, data_roles, rank};
use super::scale;

/// Element types of data, the simplest first.
pub(super) const DATA: [DType; 14] = [
    Int32, Float, Half, Int8, Uint32, Int16, Uint16, Uint8, Bfloat16, Int64, Uint64, Float8E4M3,
    Float8E5M2, Hifloat8,
];

/// Element types of indices, the simplest first.
const INDEX: [DType; 14] = [
    Int32, Uint32, Int16, Uint16, Int64, Uint64, Int8, Uint8, Float, Half, Bfloat16, Float8E4M3,
    Float8E5M2, Hifloat8,
];

/// The same for offsets, which have no sign where nothing is said.
const OFFSET: [DType; 14] = {
    let mut types = INDEX;
    (types[0], types[1]) = (INDEX[1], INDEX[0]);
    types
};

/// The size of a case: numbers, of which the first that differs between two cases says
/// which is smaller. None gets smaller for ever.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Measure([u128; 21]);

impl Measure {
    /// That of `case`.
    #[must_use]
    pub fn of(case: &Case) -> Self {
        let call = &case.call;
        let operands = call.operands();
        let tensors = || operands.iter().filter_map(|(_, operand)| operand.tensor());
        let tiles = || operands.iter().filter_map(|(_, operand)| operand.tile());
        let data = data_roles(call);
        let data = || data.iter().filter_map(|role| call.operand(*role));
        let index = call.operand(Role::Index);
        let extents = || {
            let of_tiles = tiles().flat_map(|tile| [tile.valid_row, tile.valid_col]);
            of_tiles.chain(tensors().flat_map(|tensor| tensor.shape))
        };
        let strides = || tensors().flat_map(|tensor| tensor.stride);
        let (mut kinds, mut indices, mut values) = (0, 0, 0);
        for (role, _) in &operands {
            let (kind, cost) = scale::of_data(case, *role);
            kinds += kind;
            match role {
                Role::Index => indices += cost,
                _ => values += cost,
            }
        }
        let types = data().map(|operand| place(&DATA, operand.dtype()));
        let types = types.chain(index.map(|index| place(index_types(call), index.dtype())));
        let outer = tensors().flat_map(|tensor| &tensor.shape[..3]);
        Self([
            // Targets that it runs on.
            case.targets.len() as u128,
            // How often the call is issued.
            case.chunks.into(),
            // What is expected of it: entries of every kind.
            expected(case) as u128,
            // Readings that are not the default.
            case.readings.chosen().len() as u128,
            // Launch parameters that are not the default.
            call.launch().map_or(0, |launch| launch.told().len()) as u128,
            // Template arguments: 0 for the default of each, more for those further
            // down in the order of declaration.
            call.arguments().iter().map(rank).sum::<u64>().into(),
            // A scratch.
            call.operand(Role::Scratch).iter().len() as u128,
            // Extents that are 0.
            count(extents(), |dim| dim.get() == 0),
            // Operands with data of another type than the data tile.
            count(data(), |operand| operand.dtype() != call.data_tile().dtype),
            // Element types, by their places in an order of simplicity.
            sum(types),
            // Layouts of tensors and tiles, boxes and memories, 0 for the plain ones.
            sum(operands.iter().map(|(_, operand)| layout(call, *operand))),
            // Outer dimensions of tensors that are not 1.
            count(outer, |dim| dim.get() != 1),
            // Extents and strides known at run time only.
            count(extents().chain(strides()), |dim| dim.known().is_none()),
            // Strides that leave gaps or make elements share a place.
            sum(tensors().map(strided)),
            // Elements of the data tile's valid region, over all chunks.
            data_elements(case, data_role(call)).into(),
            // Elements that data is made for, of all operands.
            sum(operands.iter().map(|(role, _)| data_elements(case, *role))),
            // Elements that the operands take, padding and gaps included.
            sum(operands
                .iter()
                .map(|(_, operand)| stored_elements(*operand))),
            // All strides together.
            sum(strides().map(Dim::get)),
            // How the data is made: 0 where every operand has the simplest.
            kinds.into(),
            // Indices, by how far they are from 0, 1, 2, ..., small numbers and edges.
            indices,
            // Literal data, by how far it is from 1, 2, 3, ... or zeros.
            values,
        ])
    }
}

fn count<T>(all: impl Iterator<Item = T>, is: impl Fn(&T) -> bool) -> u128 {
    all.filter(is).count() as u128
}

fn sum(all: impl Iterator<Item = u64>) -> u128 {
    all.map(u128::from).sum()
}

fn place(of: &[DType], dtype: DType) -> u64 {
    of.iter().take_while(|one| **one != dtype).count() as u64
}

/// Element types of the indices of `call`, the simplest first.
pub(super) const fn index_types(call: &Call) -> &'static [DType; 14] {
    match call {
        Call::Tgatherb(_) => &OFFSET,
        _ => &INDEX,
    }
}

fn expected(case: &Case) -> usize {
    let clauses = case.rejected.len() + case.undefined.len() + case.hangs.len();
    let shown = case.covers.len() + usize::from(case.gap.is_some()) + case.holes.len();
    clauses + shown + case.expect.len()
}

/// How the tile of a form stands where a case does not say.
pub(super) const fn plain_layout(call: &Call) -> (BLayout, SLayout) {
    match call {
        // Its only tile is in L1, in NZ form (001, GM to L1 Gather).
        Call::MgatherL1(_) => (BLayout::ColMajor, SLayout::RowMajor),
        _ => (BLayout::RowMajor, SLayout::NoneBox),
    }
}

fn layout(call: &Call, operand: Operand<'_>) -> u64 {
    let Tile {
        location,
        blayout,
        slayout,
        fractal,
        ..
    } = match operand {
        Operand::Tensor(tensor) => return rank(&Argument::of("layout", tensor.layout)),
        Operand::Tile(tile) => tile,
    };
    let (plain_blayout, plain_slayout) = plain_layout(call);
    let memory = match call {
        Call::MgatherL1(_) => 0,
        _ => rank(&Argument::of("location", *location)),
    };
    memory
        + u64::from(*blayout != plain_blayout)
        + u64::from(*slayout != plain_slayout)
        + u64::from(*fractal != 512)
}

/// Dimensions whose stride is not what the dimensions within take.
fn strided(tensor: &GlobalTensor) -> u64 {
    let packed = |at: usize| tensor.stride[at].get() == packed_stride(tensor, at);
    (0..5).filter(|at| !packed(*at)).count() as u64
}

/// The stride of dimension `at` under which it leaves no gaps.
pub(super) fn packed_stride(tensor: &GlobalTensor, at: usize) -> u64 {
    match (tensor.stride.get(at + 1), tensor.shape.get(at + 1)) {
        // An empty dimension counts as one, so that no stride is 0.
        (Some(stride), Some(extent)) => stride.get().saturating_mul(extent.get().max(1)),
        _ => 1,
    }
}
