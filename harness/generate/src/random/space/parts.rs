//! The parts of a call that are known at run time.

use ptodiff_isa::{Call, Dim, GlobalTensor, Launch, Tile};

/// The operands of a call, to be changed.
pub(super) struct Parts<'a> {
    pub(super) tiles: [Option<&'a mut Tile>; 3],
    pub(super) tensors: [Option<&'a mut GlobalTensor>; 3],
}

/// Those of `call`.
pub(super) fn parts(call: &mut Call) -> Parts<'_> {
    let (tiles, tensors) = match call {
        Call::Mscatter(c) => (
            [Some(&mut c.src), Some(&mut c.idx), None],
            [Some(&mut c.table), None, None],
        ),
        Call::MscatterFirst(c) => (
            [Some(&mut c.src), Some(&mut c.idx), None],
            [Some(&mut c.table), None, None],
        ),
        Call::Mgather(c) => (
            [Some(&mut c.dst), Some(&mut c.idx), None],
            [Some(&mut c.table), None, None],
        ),
        Call::MgatherL1(c) => (
            [Some(&mut c.dst), None, None],
            [Some(&mut c.table), Some(&mut c.idx), c.scratch.as_mut()],
        ),
        Call::TscatterIndex(c) => (
            [Some(&mut c.dst), Some(&mut c.src), Some(&mut c.idx)],
            [None, None, None],
        ),
        Call::TscatterMask(c) => (
            [Some(&mut c.dst), Some(&mut c.src), None],
            [None, None, None],
        ),
        Call::Tgatherb(c) => (
            [Some(&mut c.dst), Some(&mut c.src), Some(&mut c.offset)],
            [None, None, None],
        ),
    };
    Parts { tiles, tensors }
}

impl<'a> Parts<'a> {
    /// Every extent and stride.
    pub(super) fn dims(self) -> impl Iterator<Item = &'a mut Dim> {
        let tiles = self.tiles.into_iter().flatten();
        let valid = tiles.flat_map(|tile| [&mut tile.valid_row, &mut tile.valid_col]);
        let tensors = self.tensors.into_iter().flatten();
        valid.chain(tensors.flat_map(|tensor| tensor.shape.iter_mut().chain(&mut tensor.stride)))
    }
}

/// How `call` is launched, where it is.
pub(super) const fn launch_of(call: &mut Call) -> Option<&mut Launch> {
    match call {
        Call::Mscatter(c) => Some(&mut c.launch),
        Call::MscatterFirst(c) => Some(&mut c.launch),
        Call::Mgather(c) => Some(&mut c.launch),
        Call::MgatherL1(c) => Some(&mut c.launch),
        Call::TscatterIndex(_) | Call::TscatterMask(_) | Call::Tgatherb(_) => None,
    }
}

/// Gives a dynamic dimension another value; a static one stays.
pub(super) const fn set(dim: &mut Dim, value: u64) {
    if let Dim::Dynamic(own) = dim {
        *own = value;
    }
}

/// Gives the dynamic parts of `tensor` the extents and strides of `like`. Where something
/// static differs, outer dimensions step over all that they hold.
pub(super) fn follow(tensor: &mut GlobalTensor, like: &GlobalTensor) {
    for at in 0..5 {
        set(&mut tensor.shape[at], like.shape[at].get());
        set(&mut tensor.stride[at], like.stride[at].get());
    }
    let rows = |of: &GlobalTensor| (of.shape.map(Dim::get), of.stride[3].get());
    if rows(tensor) == rows(like) {
        return;
    }
    let (shape, mut span) = rows(tensor);
    span *= shape[3];
    for at in (0..3).rev() {
        set(&mut tensor.stride[at], span);
        span *= shape[at];
    }
}
