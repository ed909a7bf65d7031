//! Short lists that need no memory of their own.

use std::ops::{Deref, DerefMut};

/// A list whose first `N` items stand in place; a longer one moves away as a whole.
#[derive(Clone, Debug)]
pub(crate) struct Few<T, const N: usize> {
    here: [T; N],
    /// How many of `here` count; all of them once the list has moved.
    len: usize,
    /// All items, once there are more than `N`; else none.
    moved: Vec<T>,
}

impl<T: Copy + Default, const N: usize> Default for Few<T, N> {
    #[inline]
    fn default() -> Self {
        Self {
            here: [T::default(); N],
            len: 0,
            moved: Vec::new(),
        }
    }
}

impl<T: Copy + Default, const N: usize> Few<T, N> {
    /// Becomes a list of `len` items; what they are is not said.
    pub(crate) fn set_len(&mut self, len: usize) {
        self.clear();
        self.len = len.min(N);
        if len > N {
            self.moved.resize(len, T::default());
        }
    }

    /// Drops all but the first `len` items.
    pub(crate) fn truncate(&mut self, len: usize) {
        if len == 0 || self.moved.is_empty() {
            self.len = self.len.min(len);
        }
        self.moved.truncate(len);
    }

    /// Adds an item at the end.
    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        if self.len < N {
            self.here[self.len] = item;
            self.len += 1;
        } else {
            self.push_moved(item);
        }
    }

    #[inline(never)]
    fn push_moved(&mut self, item: T) {
        if self.moved.is_empty() {
            self.moved.extend_from_slice(&self.here);
        }
        self.moved.push(item);
    }

    /// Adds items at the end.
    #[inline]
    pub(crate) fn extend(&mut self, items: impl IntoIterator<Item = T>) {
        for item in items {
            self.push(item);
        }
    }

    /// Drops all items.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.truncate(0);
    }
}

impl<T, const N: usize> Deref for Few<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        if self.moved.is_empty() {
            &self.here[..self.len]
        } else {
            &self.moved
        }
    }
}

impl<T, const N: usize> DerefMut for Few<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        if self.moved.is_empty() {
            &mut self.here[..self.len]
        } else {
            &mut self.moved
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_keeps_its_items_when_it_moves() {
        let mut list = Few::<u32, 3>::default();
        assert!(list.is_empty());
        for n in 0..8 {
            list.push(n);
            assert!(list.iter().copied().eq(0..=n), "{list:?}");
        }
        list[5] = 50;
        assert_eq!(list[4..], [4, 50, 6, 7]);
    }

    #[test]
    fn a_list_is_used_again() {
        for items in [2, 3, 4, 9] {
            let mut list = Few::<u32, 3>::default();
            list.extend(0..items);
            list.clear();
            assert!(list.is_empty());
            list.extend(10..14);
            assert_eq!(list[..], [10, 11, 12, 13]);
        }
    }

    #[test]
    fn a_list_is_cut_wherever_it_stands() {
        for items in [2, 3, 7] {
            for len in 0..=items {
                let mut list = Few::<u32, 3>::default();
                list.extend(0..items);
                list.truncate(len as usize);
                assert!(list.iter().copied().eq(0..len), "{list:?}");
                list.push(9);
                assert!(list.iter().copied().eq((0..len).chain([9])), "{list:?}");
            }
        }
    }

    #[test]
    fn a_list_has_the_length_it_is_given() {
        for (len, before) in [(0, 2), (2, 9), (3, 3), (4, 1), (9, 0), (9, 5)] {
            let mut list = Few::<u32, 3>::default();
            list.extend(0..before);
            list.set_len(len);
            assert_eq!(list.len(), len);
            list.fill(5);
            list.push(7);
            assert_eq!(list.len(), len + 1);
            assert_eq!(list.last(), Some(&7));
        }
    }
}
