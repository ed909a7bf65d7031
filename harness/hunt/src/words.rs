//! Elements as words: their bits in the low bytes.

/// Elements of `size` bytes, in the low bits of words.
pub(crate) fn words(bytes: &[u8], size: usize) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks_exact(size).map(move |element| {
        let mut word = [0; 8];
        word[..size].copy_from_slice(element);
        u64::from_le_bytes(word)
    })
}

/// The low `size` bytes of each word.
pub(crate) fn bytes(words: impl IntoIterator<Item = u64>, size: usize) -> Vec<u8> {
    let all = words.into_iter();
    all.flat_map(|word| word.to_le_bytes().into_iter().take(size))
        .collect()
}
