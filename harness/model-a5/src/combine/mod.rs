//! How a value and its slot become one: the plain store and SIMT's atomics.

mod choose;
mod compare;
mod subnormal;
mod sum;

use std::marker::PhantomData;

pub(crate) use choose::{Kernel, choose};

/// One combination over elements of `W` bytes (000, Atomic Type Support).
pub(crate) trait Combine<const W: usize> {
    /// The lane's atomic intrinsic; none for a plain store.
    const INTRINSIC: Option<&'static str>;
    /// What the slot holds afterwards.
    fn combine(old: [u8; W], new: [u8; W]) -> [u8; W];
    /// The same but for what `settle` sees to. Drafts may be combined further
    /// before they are settled.
    #[inline(always)]
    fn draft(old: [u8; W], new: [u8; W]) -> [u8; W] {
        Self::combine(old, new)
    }
    /// Whether one of the drafts has something to settle.
    #[inline(always)]
    fn unsettled(_: &[[u8; W]]) -> bool {
        false
    }
    /// What `combine` leaves where there is a draft.
    #[inline(always)]
    fn settle(draft: [u8; W]) -> [u8; W] {
        draft
    }
    /// `combine` over neighbouring slots.
    #[inline(always)]
    fn combine_all(slots: &mut [[u8; W]], values: &[[u8; W]]) {
        for (slot, value) in slots.iter_mut().zip(values) {
            *slot = Self::combine(*slot, *value);
        }
    }
}

/// `None`: the value replaces the slot, bit for bit.
pub(crate) struct Replace;

impl<const W: usize> Combine<W> for Replace {
    const INTRINSIC: Option<&'static str> = None;
    #[inline(always)]
    fn combine(_: [u8; W], new: [u8; W]) -> [u8; W] {
        new
    }
    #[inline(always)]
    fn combine_all(slots: &mut [[u8; W]], values: &[[u8; W]]) {
        if slots.len() == values.len() {
            slots.copy_from_slice(values);
        }
    }
}

/// The intrinsic of `Add`.
const ADD: &str = "atomicAdd";

/// `Add` as `T` sums.
struct Add<T>(PhantomData<T>);
/// `Max` as `T` compares; the slot stays where neither is larger.
struct Max<T>(PhantomData<T>);
/// `Min` as `T` compares; the slot stays where neither is smaller.
struct Min<T>(PhantomData<T>);

/// How `Add` sums; for binary32 it is a combination of its own.
trait Sum<const W: usize> {
    fn sum(a: [u8; W], b: [u8; W]) -> [u8; W];
}

/// How `Max` and `Min` compare.
trait Ordered<const W: usize> {
    /// What is compared.
    type Key: PartialOrd;
    fn key(bits: [u8; W]) -> Self::Key;
}

impl<T: Sum<W>, const W: usize> Combine<W> for Add<T> {
    const INTRINSIC: Option<&'static str> = Some(ADD);
    #[inline(always)]
    fn combine(old: [u8; W], new: [u8; W]) -> [u8; W] {
        T::sum(old, new)
    }
}

impl<T: Ordered<W>, const W: usize> Combine<W> for Max<T> {
    const INTRINSIC: Option<&'static str> = Some("atomicMax");
    #[inline(always)]
    fn combine(old: [u8; W], new: [u8; W]) -> [u8; W] {
        if T::key(new) > T::key(old) { new } else { old }
    }
}

impl<T: Ordered<W>, const W: usize> Combine<W> for Min<T> {
    const INTRINSIC: Option<&'static str> = Some("atomicMin");
    #[inline(always)]
    fn combine(old: [u8; W], new: [u8; W]) -> [u8; W] {
        if T::key(new) < T::key(old) { new } else { old }
    }
}
