//! What the names of a function stand for.

use std::collections::HashMap;

use ptodiff_isa::Layout;

use crate::text::Part;

/// A number, or the name of the value that would say it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Number<'t> {
    /// It is known.
    Known(u64),
    /// This value says it.
    Of(Part<'t>),
}

/// What `make_tensor_view` or `partition_view` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shape<'t> {
    /// Extents, outermost first.
    pub(crate) extents: Vec<Number<'t>>,
    /// Strides in elements; none where the view is packed.
    pub(crate) strides: Option<Vec<Number<'t>>>,
    /// Its layout.
    pub(crate) layout: Layout,
}

/// What a value is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Meaning<'t> {
    /// A whole number.
    Constant(i128),
    /// A view.
    View(Shape<'t>),
    /// A tile with the valid rows and columns that `alloc_tile` gives it.
    Tile([Option<Number<'t>>; 2]),
    /// Anything else.
    Other,
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Value<'t> {
    /// What it is.
    pub(crate) means: Meaning<'t>,
    /// Its type, where its definition says one.
    pub(crate) ty: Option<Part<'t>>,
}

/// The values of a function by name. A later definition hides an earlier one: two
/// regions beside each other may use a name twice.
#[derive(Default, Debug)]
pub(crate) struct Scope<'t>(HashMap<&'t str, Value<'t>>);

impl<'t> Scope<'t> {
    /// That `name` is this from here on.
    pub(crate) fn define(&mut self, name: Part<'t>, means: Meaning<'t>, ty: Option<Part<'t>>) {
        // `%r:2` are two values, `%r#0` and `%r#1`.
        if !name.text.contains(':') {
            self.0.insert(name.text, Value { means, ty });
        }
    }

    /// What `name` is.
    pub(crate) fn get(&self, name: &str) -> Option<&Value<'t>> {
        self.0.get(name)
    }

    /// The constant that `name` is.
    pub(crate) fn constant(&self, name: &str) -> Option<i128> {
        match self.get(name)?.means {
            Meaning::Constant(number) => Some(number),
            _ => None,
        }
    }
}
