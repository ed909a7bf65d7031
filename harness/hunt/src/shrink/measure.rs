//! How large a case is: what shrinking makes smaller.

use ptodiff_case::Case;
use ptodiff_isa::{BLayout, Call, DType, Dim, GlobalTensor, Launch, Operand, Role, SLayout, Tile};

use super::bounds::{data_elements, stored_elements};
use super::parts::{data_role, data_roles, rank, roles};
use super::scale;

/// Element types of data, the simplest first.
pub(super) const DATA: [DType; 14] = [
    DType::Int32,
    DType::Float,
    DType::Half,
    DType::Int8,
    DType::Uint32,
    DType::Int16,
    DType::Uint16,
    DType::Uint8,
    DType::Bfloat16,
    DType::Int64,
    DType::Uint64,
    DType::Float8E4M3,
    DType::Float8E5M2,
    DType::Hifloat8,
];

/// Element types of indices, the simplest first.
const INDEX: [DType; 14] = [
    DType::Int32,
    DType::Uint32,
    DType::Int16,
    DType::Uint16,
    DType::Int64,
    DType::Uint64,
    DType::Int8,
    DType::Uint8,
    DType::Float,
    DType::Half,
    DType::Bfloat16,
    DType::Float8E4M3,
    DType::Float8E5M2,
    DType::Hifloat8,
];

/// The same for offsets, which have no sign where nothing is said.
const OFFSET: [DType; 14] = {
    let mut types = INDEX;
    (types[0], types[1]) = (INDEX[1], INDEX[0]);
    types
};

/// The size of a case. Of two that differ, the first field that differs says
/// which is smaller; every field is a number, so none gets smaller for ever.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Measure {
    /// Targets that it runs on.
    targets: usize,
    /// How often the call is issued.
    chunks: u32,
    /// What is expected of it: entries of every kind.
    expected: usize,
    /// Readings that are not the default.
    readings: usize,
    /// Launch parameters that are not the default.
    launch: usize,
    /// Template arguments: 0 for the default of each, more for those further
    /// down in the order of declaration.
    policies: u64,
    /// 1 with a scratch.
    scratch: u64,
    /// Extents that are 0.
    empty: usize,
    /// Operands with data of another type than the data tile.
    mixed: usize,
    /// Element types, by their places in an order of simplicity.
    types: u64,
    /// Layouts of tensors and tiles, boxes and memories, 0 for the plain ones.
    layouts: u64,
    /// Outer dimensions of tensors that are not 1.
    outer: usize,
    /// Extents and strides known at run time only.
    dynamic: usize,
    /// Strides that leave gaps or make elements share a place.
    strided: usize,
    /// Elements of the data tile's valid region, over all chunks.
    lanes: u64,
    /// Elements that data is made for, of all operands.
    elements: u64,
    /// Elements that the operands take, padding and gaps included.
    stored: u64,
    /// All strides together.
    strides: u64,
    /// How the data is made: 0 where every operand has the simplest.
    kinds: u64,
    /// Indices, by how far they are from 0, 1, 2, ..., small numbers and edges.
    indices: u128,
    /// Literal data, by how far it is from 1, 2, 3, ... or zeros.
    values: u128,
}

impl Measure {
    /// That of `case`.
    #[must_use]
    pub fn of(case: &Case) -> Self {
        let call = &case.call;
        let operands = call.operands();
        let tensors = || operands.iter().filter_map(|(_, operand)| operand.tensor());
        let tiles = || operands.iter().filter_map(|(_, operand)| operand.tile());
        let sum = |numbers: &mut dyn Iterator<Item = u64>| {
            numbers.fold(0, |all: u64, number| all.saturating_add(number))
        };
        let data = call.data_tile().dtype;
        let dims = || {
            let of_tiles = tiles().flat_map(|tile| [tile.valid_row, tile.valid_col]);
            of_tiles.chain(tensors().flat_map(|tensor| tensor.shape))
        };
        let strides = || tensors().flat_map(|tensor| tensor.stride);
        let (mut kinds, mut indices, mut values) = (0, 0, 0);
        for role in roles(call) {
            let (kind, cost) = scale::of_data(case, role);
            kinds += kind;
            match role {
                Role::Index => indices += cost,
                _ => values += cost,
            }
        }
        let mut types = data_roles(call)
            .into_iter()
            .filter_map(|role| call.operand(role))
            .map(|operand| place(&DATA, operand.dtype()))
            .chain(
                call.operand(Role::Index)
                    .map(|index| place(index_types(call), index.dtype())),
            );
        Self {
            targets: case.targets.len(),
            chunks: case.chunks,
            expected: expected(case),
            readings: case.readings.chosen().len(),
            launch: call.launch().map_or(0, launch),
            policies: policies(call),
            scratch: u64::from(call.operand(Role::Scratch).is_some()),
            empty: dims().filter(|dim| dim.get() == 0).count(),
            mixed: data_roles(call)
                .into_iter()
                .filter_map(|role| call.operand(role))
                .filter(|operand| operand.dtype() != data)
                .count(),
            types: sum(&mut types),
            layouts: sum(&mut operands.iter().map(|(_, operand)| layout(call, *operand))),
            outer: tensors()
                .flat_map(|tensor| &tensor.shape[..3])
                .filter(|dim| dim.get() != 1)
                .count(),
            dynamic: dims()
                .chain(strides())
                .filter(|dim| dim.known().is_none())
                .count(),
            strided: tensors().map(strided).sum(),
            lanes: data_elements(case, data_role(call)),
            elements: sum(&mut roles(call)
                .into_iter()
                .map(|role| data_elements(case, role))),
            stored: sum(&mut operands
                .iter()
                .map(|(_, operand)| stored_elements(*operand))),
            strides: sum(&mut strides().map(Dim::get)),
            kinds,
            indices,
            values,
        }
    }
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

fn launch(launch: &Launch) -> usize {
    let default = Launch::default();
    usize::from(launch.dyn_ub_bytes != default.dyn_ub_bytes)
        + usize::from(launch.dispatch != default.dispatch)
        + usize::from(launch.flush != default.flush)
}

fn policies(call: &Call) -> u64 {
    match call {
        Call::Mscatter(c) => rank(&c.mode) + rank(&c.atomic) + rank(&c.oob) + rank(&c.conflict),
        Call::MscatterFirst(c) => rank(&c.atomic) + rank(&c.oob),
        Call::Mgather(c) => rank(&c.mode) + rank(&c.oob),
        Call::MgatherL1(c) => rank(&c.mode) + rank(&c.oob) + rank(&c.exec),
        Call::TscatterMask(c) => rank(&c.pattern) + rank(&c.axis),
        Call::TscatterIndex(_) | Call::Tgatherb(_) => 0,
    }
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
        Operand::Tensor(tensor) => return rank(&tensor.layout),
        Operand::Tile(tile) => tile,
    };
    let (plain_blayout, plain_slayout) = plain_layout(call);
    let memory = match call {
        Call::MgatherL1(_) => 0,
        _ => rank(location),
    };
    memory
        + u64::from(*blayout != plain_blayout)
        + u64::from(*slayout != plain_slayout)
        + u64::from(*fractal != 512)
}

/// Dimensions whose stride is not what the dimensions within take.
fn strided(tensor: &GlobalTensor) -> usize {
    let packed = |at: usize| tensor.stride[at].get() == packed_stride(tensor, at);
    (0..5).filter(|at| !packed(*at)).count()
}

/// The stride of dimension `at` under which it leaves no gaps.
pub(super) fn packed_stride(tensor: &GlobalTensor, at: usize) -> u64 {
    match (tensor.stride.get(at + 1), tensor.shape.get(at + 1)) {
        // An empty dimension counts as one, so that no stride is 0.
        (Some(stride), Some(extent)) => stride.get().saturating_mul(extent.get().max(1)),
        _ => 1,
    }
}
