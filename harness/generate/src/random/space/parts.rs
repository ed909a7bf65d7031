//! The parts of a call that are known at run time.

use ptodiff_isa::{Dim, GlobalTensor, Role};

/// What tiles may play, in the order in which they are changed.
pub(super) const TILES: [Role; 3] = [Role::Destination, Role::Source, Role::Index];

/// What tensors may play, in the order in which they are changed.
pub(super) const TENSORS: [Role; 3] = [Role::Table, Role::Index, Role::Scratch];

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
