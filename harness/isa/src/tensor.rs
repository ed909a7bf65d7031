//! Global tensors: five-dimensional operands in GM.

use crate::{DType, tile::Dim, words};

words! {
    /// The `Layout` argument of a `GlobalTensor`.
    #[derive(Default)]
    pub enum Layout {
        /// Row-major.
        #[default]
        ND,
        /// Column-major.
        DN,
        /// Fractal blocks of 16 rows by 32 bytes.
        NZ,
    }
}

/// A `GlobalTensor<DType, Shape<..5>, Stride<..5>, Layout>`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct GlobalTensor {
    /// Its element type.
    pub dtype: DType,
    /// `Shape<S0..S4>`, in elements.
    pub shape: [Dim; 5],
    /// `Stride<S0..S4>`, in elements.
    pub stride: [Dim; 5],
    /// Its layout.
    pub layout: Layout,
}
