//! What the names of a function stand for.

use std::collections::HashMap;

use ptodiff_case::Code;
use ptodiff_isa::Layout;

use crate::text::{Fault, Part, Read};

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
    /// Strides in elements; none where it is taken for packed, with rows that are as long as
    /// its own extents say.
    pub(crate) strides: Option<Vec<Number<'t>>>,
    /// Its layout.
    pub(crate) layout: Layout,
    /// Whether a definition says strides and layout.
    pub(crate) told: bool,
    /// The pointer or the argument that it is a view of, and where it begins in it, as far as
    /// that is known.
    pub(crate) from: Option<(&'t str, Vec<Number<'t>>)>,
}

impl<'t> Shape<'t> {
    /// That of a view of which only extents are known: packed, and ND.
    pub(crate) fn packed(extents: Vec<Number<'t>>, name: &'t str) -> Self {
        let inner = |from: usize| {
            extents[from..]
                .iter()
                .try_fold(1_u64, |count, extent| match extent {
                    Number::Known(extent) => count.checked_mul(*extent),
                    Number::Of(_) => None,
                })
        };
        let strides = (1..=extents.len()).map(|from| inner(from).map(Number::Known));
        let strides: Option<Vec<_>> = strides.collect();
        Self {
            strides: strides.filter(|strides| !strides.is_empty()),
            from: Some((name, vec![Number::Known(0); extents.len()])),
            extents,
            layout: Layout::default(),
            told: false,
        }
    }

    /// The part of it that begins at `offsets`.
    pub(crate) fn part(self, offsets: &[Number<'t>], extents: Vec<Number<'t>>) -> Self {
        let from = self.from.and_then(|(name, from)| {
            let sums = from.iter().zip(offsets).map(|pair| match pair {
                (Number::Known(a), Number::Known(b)) => a.checked_add(*b).map(Number::Known),
                (Number::Known(0), other) | (other, Number::Known(0)) => Some(*other),
                _ => None,
            });
            let sums = sums.collect::<Option<Vec<_>>>()?;
            (from.len() == offsets.len()).then_some((name, sums))
        });
        Self {
            extents,
            from,
            ..self
        }
    }
}

/// What a value is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Meaning<'t> {
    /// A whole number.
    Constant(i128),
    /// A view.
    View(Shape<'t>),
    /// A tile, as `alloc_tile` has it.
    Tile {
        /// Its valid rows and columns.
        valid: [Option<Number<'t>>; 2],
        /// Its first byte in the memory that it is in.
        at: Option<Number<'t>>,
    },
    /// A view or a tile whose definition has a mistake: this one.
    Wrong(Box<Fault>),
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

impl Value<'_> {
    const OTHER: Self = Self {
        means: Meaning::Other,
        ty: None,
    };
}

/// The values of a function by name. A later definition hides an earlier one: two
/// regions beside each other may use a name twice.
#[derive(Default, Debug)]
pub(crate) struct Scope<'t> {
    values: HashMap<&'t str, Value<'t>>,
    /// The names that each open region defines.
    regions: Vec<Vec<&'t str>>,
    /// Whether it is a function's, which uses no value that is not here.
    whole: bool,
}

impl<'t> Scope<'t> {
    /// The values of a function, none of which is known yet.
    pub(crate) fn of_function() -> Self {
        Self {
            whole: true,
            ..Self::default()
        }
    }

    /// That `name` is this from here on.
    pub(crate) fn define(&mut self, name: Part<'t>, means: Meaning<'t>, ty: Option<Part<'t>>) {
        self.values.insert(base(name.text), Value { means, ty });
        if let Some(region) = self.regions.last_mut() {
            region.push(base(name.text));
        }
    }

    /// A region begins.
    pub(crate) fn enter(&mut self) {
        self.regions.push(Vec::new());
    }

    /// The region ends that began last: what it defines is not known behind it.
    pub(crate) fn leave(&mut self) {
        for name in self.regions.pop().unwrap_or_default() {
            self.values.insert(name, Value::OTHER);
        }
    }

    /// That `name` may be defined here in a way that only its operation knows.
    pub(crate) fn mention(&mut self, name: Part<'t>) {
        self.values.entry(base(name.text)).or_insert(Value::OTHER);
    }

    /// That `name` is defined, where it has to be.
    pub(crate) fn defines(&self, name: Part<'_>) -> Read<()> {
        if !self.whole || self.values.contains_key(base(name.text)) {
            return Ok(());
        }
        let message = format!("`{}` is not defined", name.text);
        let fault = Fault::new(Code::BadOperation, name.range(), message);
        Err(fault.label("nothing before it has this name"))
    }

    /// What `name` is.
    pub(crate) fn get(&self, name: &str) -> Option<&Value<'t>> {
        self.values.get(name)
    }
}

/// `%r` of `%r:2`, which defines two values, and of `%r#1`, which is one of them.
fn base(name: &str) -> &str {
    name.split([':', '#']).next().unwrap_or(name)
}
