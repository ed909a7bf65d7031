//! What defines a view or a tile, as it is written in either form.

use ptodiff_case::{Code, nearest};

use crate::attributes::Attributes;
use crate::operation::{self, Stream};
use crate::text::{Fault, Part, Read};
use crate::word;

/// An operation that defines a view or a tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Defining {
    /// Its mnemonic, without `pto.`.
    pub(crate) name: &'static str,
    /// Whether it is made of another value: a pointer or a view.
    has_base: bool,
    /// Its numbers, in the order of the generic form.
    keys: &'static [&'static str],
    /// Its attributes.
    attributes: &'static [&'static str],
}

const ALL: [Defining; 3] = [
    Defining {
        name: "make_tensor_view",
        has_base: true,
        keys: &["shape", "strides"],
        attributes: &["layout"],
    },
    Defining {
        name: "partition_view",
        has_base: true,
        keys: &["offsets", "sizes"],
        attributes: &[],
    },
    Defining {
        name: "alloc_tile",
        has_base: false,
        keys: &["addr", "valid_row", "valid_col"],
        attributes: &[],
    },
];

/// The operation of a mnemonic, `pto.alloc_tile`.
pub(crate) fn defining(mnemonic: &str) -> Option<Defining> {
    let name = mnemonic.strip_prefix("pto.")?;
    ALL.into_iter().find(|own| own.name == name)
}

/// What `mnemonic` may have meant, where it is none of such an operation, but nearly.
pub(crate) fn meant(mnemonic: &str) -> Option<&'static str> {
    let name = mnemonic.strip_prefix("pto.")?;
    let extents = ["set_validshape", "get_validshape"];
    let near = nearest(name, ALL.map(|own| own.name).into_iter().chain(extents));
    near.filter(|near| *near != name)
}

/// A definition as it is written.
#[derive(Debug)]
pub(crate) struct Definition<'t> {
    pub(crate) by: Defining,
    pub(crate) name: Part<'t>,
    /// What it is made of, where it is made of something.
    pub(crate) base: Option<Part<'t>>,
    /// The type of that, where it is written.
    pub(crate) base_ty: Option<Part<'t>>,
    /// Its type.
    pub(crate) ty: Part<'t>,
    pub(crate) attributes: Attributes<'t>,
    /// Values and numbers by their keys.
    lists: Vec<(Part<'t>, Vec<Part<'t>>)>,
}

impl<'t> Definition<'t> {
    /// Reads what follows the mnemonic `name` of `by`.
    pub(crate) fn read(by: Defining, name: Part<'t>, stream: &mut Stream<'_, 't>) -> Read<Self> {
        let base = match by.has_base {
            true => Some(stream.value(name)?),
            false => None,
        };
        let (mut attributes, mut lists) = (Attributes::default(), Vec::new());
        while !stream.eat_word(":") {
            if let Some(key) = stream.eat_key() {
                lists.push((key, stream.numbers(name)?));
            } else if !stream.eat_dictionary(&mut attributes)? && !stream.eat_word(",") {
                return Err(match stream.at("{") {
                    true => stream.unread(name),
                    false => stream.wrong(name, "`:` and a type"),
                });
            }
        }
        let first = stream.ty(name)?;
        let (base_ty, ty) = match stream.eat_word("->") {
            true => (Some(first), stream.ty(name)?),
            false => (None, first),
        };
        Self {
            by,
            name,
            base,
            base_ty,
            ty,
            attributes,
            lists,
        }
        .checked()
    }

    /// Reads what follows the mnemonic `name` of `by` in the generic form.
    pub(crate) fn generic(by: Defining, name: Part<'t>, stream: &mut Stream<'_, 't>) -> Read<Self> {
        let (values, attributes, types) = operation::generic_parts(name, stream)?;
        let ty = stream.ty(name)?;
        let sizes = segments(by, name, &attributes, values.len())?;
        let mut rest = &values[..];
        let mut parts = sizes.into_iter().map(|size| {
            let (part, after) = rest.split_at(size);
            rest = after;
            part
        });
        let base = match by.has_base {
            true => parts.next().and_then(|part| part.first().copied()),
            false => None,
        };
        let key = |text: &'static str| Part { text, at: name.at };
        let lists = by.keys.iter().map(|own| key(own)).zip(parts);
        let lists = lists.filter(|(_, part)| by.has_base || !part.is_empty());
        let lists = lists.map(|(key, part)| (key, part.to_vec())).collect();
        Self {
            by,
            name,
            base,
            base_ty: types.first().copied().filter(|_| by.has_base),
            ty,
            attributes,
            lists,
        }
        .checked()
    }

    /// That it has no key and no attribute but its own, and each once.
    fn checked(self) -> Read<Self> {
        let what = format!("key of `{}`", self.name.text);
        for (at, (key, _)) in self.lists.iter().enumerate() {
            if !self.by.keys.contains(&key.text) {
                return Err(word::unknown(&what, *key, self.by.keys));
            }
            let mut before = self.lists[..at].iter();
            if let Some((first, _)) = before.find(|(known, _)| known.text == key.text) {
                return Err(Fault::twice(*key, *first));
            }
        }
        self.attributes.only(self.by.attributes)?;
        Ok(self)
    }

    /// What stands behind `key`, if anything does.
    pub(crate) fn list(&self, key: &str) -> Option<&[Part<'t>]> {
        let found = self.lists.iter().find(|(known, _)| known.text == key);
        found.map(|(_, list)| &list[..])
    }

    /// What stands behind `key`.
    pub(crate) fn needed(&self, key: &str) -> Read<&[Part<'t>]> {
        self.list(key).ok_or_else(|| {
            let message = format!("`{}` has no `{key}`", self.name.text);
            Fault::new(Code::MissingKey, self.name.range(), message)
        })
    }
}

/// How many of `count` operands are the base and each key: what the attribute says, or all
/// that a view can be.
fn segments(
    by: Defining,
    name: Part<'_>,
    attributes: &Attributes<'_>,
    count: usize,
) -> Read<Vec<usize>> {
    let said = ["operandSegmentSizes", "operand_segment_sizes"];
    let said = said.iter().find_map(|key| attributes.get(key));
    let parts = usize::from(by.has_base) + by.keys.len();
    let sizes = match said {
        Some(value) => {
            let inner = value.after("array<i32").and_then(|rest| {
                let rest = rest.trim().after(":")?;
                rest.trim().text.strip_suffix('>')
            });
            let numbers = inner.unwrap_or_default().split(',');
            let numbers = numbers.map(|number| number.trim().parse().ok());
            numbers.collect::<Option<Vec<usize>>>()
        }
        None if count == 0 && !by.has_base => Some(vec![0; parts]),
        None if count % 2 == 1 && by.has_base => Some(vec![1, count / 2, count / 2]),
        None => None,
    };
    let fits = |sizes: &Vec<usize>| {
        let sum = sizes.iter().try_fold(0_usize, |sum, n| sum.checked_add(*n));
        sizes.len() == parts && sum == Some(count) && !(by.has_base && sizes[0] != 1)
    };
    sizes.filter(fits).ok_or_else(|| {
        let message = format!("`{}` does not say what its operands are", name.text);
        let at = said.map_or(name.range(), |value| value.range());
        let known = by.keys.join(", ");
        let before = if by.has_base { "the value, " } else { "" };
        Fault::new(Code::BadOperation, at, message).help(format!(
            "`operandSegmentSizes` says how many there are of {before}{known}"
        ))
    })
}
