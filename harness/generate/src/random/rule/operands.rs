//! The parts of a call by what they are for, and which of them a rule touches.

use ptodiff_isa::{Call, Coalesce, Dim, Form, GlobalTensor, Role, ScatterAtomicOp, Tile};

use super::Rule;

/// Parts of a case, as a set of bits: two rules that touch the same one would undo each
/// other.
pub(super) type Touched = u8;

const TYPES: Touched = 1;
const INDEX_TYPE: Touched = 1 << 1;
const TILE: Touched = 1 << 2;
const INDEX: Touched = 1 << 3;
const TABLE: Touched = 1 << 4;
const LAUNCH: Touched = 1 << 5;
const SCRATCH: Touched = 1 << 6;
const TARGETS: Touched = 1 << 7;

/// What `rule` touches.
pub(super) const fn touched(rule: Rule) -> Touched {
    use Rule as R;
    match rule {
        // Widths and layouts are counted in elements.
        R::WideType | R::SmallFloat | R::MixedTypes | R::MixedSizes => TYPES | TILE,
        R::IndexType | R::FloatIndex => INDEX_TYPE,
        R::IndexWidth => INDEX_TYPE | TYPES,
        R::AddType | R::ExtremeType | R::ExtremeTarget => TYPES,
        R::TileLayout
        | R::TileBoxes
        | R::TileLocation
        | R::Alignment
        | R::EmptyTile
        | R::EmptyAtRunTime
        | R::IndexShape
        | R::IndexShapeAtRunTime
        | R::TooFewIndices
        | R::IndexRows
        | R::UbBudget
        | R::PartialTile
        | R::MaskRows
        | R::MaskColumns => TILE | INDEX,
        R::IndexLayout | R::IndexBoxes | R::IndexLocation | R::IndexColumns => INDEX,
        R::IndexRange => INDEX | INDEX_TYPE | TABLE | TILE,
        R::TableLayout | R::TablePitch | R::OuterDimensions | R::EmptyTable => TABLE,
        R::TableWidth | R::TableWidthAtRunTime | R::NarrowTable => TABLE | TILE,
        R::NzPair
        | R::NzFractal
        | R::NzTileRows
        | R::NzTileColumns
        | R::NzBlockRows
        | R::NzBlockColumns => TABLE | TILE | TYPES,
        R::DynUb => LAUNCH,
        R::ScratchOperand | R::ScratchSize | R::ScratchType => SCRATCH | TILE,
        R::Executor => LAUNCH,
        R::Form => TARGETS,
    }
}

/// The data tile.
pub(super) fn tile(call: &mut Call) -> Option<&mut Tile> {
    call.tile_mut(Form::of(call).data())
}

/// The index tile, where there is one.
pub(super) fn index(call: &mut Call) -> Option<&mut Tile> {
    call.tile_mut(Role::Index)
}

/// The tile on the other side, where it is one.
pub(super) fn other(call: &mut Call) -> Option<&mut Tile> {
    let other = match Form::of(call).data() {
        Role::Source => Role::Destination,
        _ => Role::Source,
    };
    call.tile_mut(other)
}

/// The table, where there is one.
pub(super) fn table(call: &mut Call) -> Option<&mut GlobalTensor> {
    call.tensor_mut(Role::Table)
}

/// The atomic, where there is one.
pub(super) fn atomic(call: &mut Call) -> Option<&mut ScatterAtomicOp> {
    match call {
        Call::Mscatter(c) => Some(&mut c.atomic),
        Call::MscatterFirst(c) => Some(&mut c.atomic),
        _ => None,
    }
}

/// Whether indices select rows by the call's mode.
pub(super) fn by_row(call: &Call) -> bool {
    call.mode() == Some(Coalesce::Row)
}

/// The same extent, known at compile time.
pub(super) const fn fixed(dim: Dim) -> Dim {
    Dim::Static(dim.get())
}
