//! How large a case is: what shrinking makes smaller.

use ptodiff_case::{Case, limits::stored_elements};
use ptodiff_isa::DType::{
    self, Bfloat16, Float, Float8E4M3, Float8E5M2, Half, Hifloat8, Int8, Int16, Int32, Int64,
    Uint8, Uint16, Uint32, Uint64,
};
use ptodiff_isa::{Argument, BLayout, Call, Dim, GlobalTensor, Operand, Role, SLayout, Tile};

use super::bounds::data_elements;
use super::operands::packed_stride;
use super::scale;

/// The size of a case: numbers, of which the first that differs between two cases says
/// which is smaller. None gets smaller for ever.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Measure([u128; 16]);

impl Measure {
    /// That of `case`.
    #[must_use]
    pub fn of(case: &Case) -> Self {
        let call = &case.call;
        let operands = call.operands();
        let tensors = || operands.iter().filter_map(|(_, operand)| operand.tensor());
        let tiles = || operands.iter().filter_map(|(_, operand)| operand.tile());
        let extents = || {
            let of_tiles = tiles().flat_map(|tile| [tile.valid_row, tile.valid_col]);
            of_tiles.chain(tensors().flat_map(|tensor| tensor.shape))
        };
        let strides = || tensors().flat_map(|tensor| tensor.stride);
        let each = |of: &dyn Fn(Role, Operand<'_>) -> u64| {
            sum(operands.iter().map(|(role, operand)| of(*role, *operand)))
        };
        let (mut kinds, mut costs) = (0, 0);
        for (role, _) in &operands {
            let (kind, cost) = scale::of_data(case, *role);
            (kinds, costs) = (kinds + kind, costs + cost);
        }
        let own = call.data_tile().dtype;
        Self([
            // Targets that it runs on.
            case.targets.len() as u128,
            // How often the call is issued.
            case.chunks.into(),
            // What is expected of it.
            (case.rejected.len() + case.undefined.len() + case.hangs.len()) as u128,
            // Readings that are not the default.
            case.readings.chosen().len() as u128,
            // Launch parameters that are not the default.
            call.launch().map_or(0, |launch| launch.told().len()) as u128,
            // Template arguments: 0 for the default of each, more for those further
            // down in the order of declaration.
            sum(call.arguments().iter().map(rank)),
            // A scratch.
            call.operand(Role::Scratch).iter().len() as u128,
            // Extents that are 0.
            count(extents(), |dim| dim.get() == 0),
            // Element types, by their places in an order of simplicity; all of data alike.
            each(&|role, o| {
                let other = role != Role::Index && o.dtype() != own;
                let simpler = simpler_types(call, role, o.dtype()).len() as u64;
                simpler + if other { 100 } else { 0 }
            }),
            // Layouts of tensors and tiles, boxes and memories, 0 for the plain ones.
            each(&|_, o| layout(call, o)),
            // Extents and strides known at run time only, and strides that leave gaps or
            // make elements share a place.
            count(extents().chain(strides()), |dim| dim.known().is_none())
                + sum(tensors().map(strided)),
            // Elements that data is made for, of all operands.
            each(&|role, _| data_elements(case, role)),
            // Elements that the operands take, padding and gaps included.
            each(&|_, o| stored_elements(o)),
            // All extents and strides together.
            sum(extents().chain(strides()).map(Dim::get)),
            // How the data is made: 0 where every operand has the simplest.
            kinds.into(),
            // Literal data, by how far it is from the simplest.
            costs,
        ])
    }
}

fn count<T>(all: impl Iterator<Item = T>, is: impl Fn(&T) -> bool) -> u128 {
    all.filter(is).count() as u128
}

fn sum(all: impl Iterator<Item = u64>) -> u128 {
    all.map(u128::from).sum()
}

/// Element types that are simpler than `dtype`, the simplest first.
pub(super) fn simpler_types(call: &Call, role: Role, dtype: DType) -> Vec<DType> {
    let mut all = vec![
        Int32, Uint32, Float, Half, Int16, Uint16, Int8, Uint8, Bfloat16, Int64, Uint64,
        Float8E4M3, Float8E5M2, Hifloat8,
    ];
    if let (Call::Tgatherb(_), Role::Index) = (call, role) {
        // Offsets have no sign where nothing is said.
        all.swap(0, 1);
    }
    let before = all.iter().take_while(|one| **one != dtype).count();
    all.truncate(before);
    all
}

/// How far a template argument, or what is told like one, is from the simplest: 0 for its
/// default, then in the order of declaration.
pub(super) fn rank(argument: &Argument) -> u64 {
    if argument.is_default() {
        return 0;
    }
    let before = argument.words.iter();
    1 + before.take_while(|one| **one != argument.value).count() as u64
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
