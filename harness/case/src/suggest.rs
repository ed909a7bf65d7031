//! "Did you mean": the nearest of the words that are known.

/// The known word nearest to `word`, if one is near enough to be meant.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A long word cannot be near to any; this keeps hostile ones cheap.
    if word.chars().count() > 64 {
        return None;
    }
    let folded = word.to_lowercase();
    known
        .into_iter()
        .map(|candidate| {
            let other = candidate.to_lowercase();
            let mut distance = strsim::damerau_levenshtein(&folded, &other);
            // `int32` for `int32_t`, `max` for `Max`: what is left out is not a slip of the keys.
            if other.starts_with(&folded) && !folded.is_empty() {
                distance = distance.min(1);
            }
            (distance, candidate)
        })
        .filter(|(distance, candidate)| *distance * 3 <= candidate.len().max(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Help for a word that is not known: the nearest one, or all of them.
pub(crate) fn help(word: &str, known: &[&str]) -> Option<String> {
    if let Some(near) = nearest(word, known.iter().copied()) {
        return Some(format!("did you mean `{near}`?"));
    }
    let quoted: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => None,
        [one] => Some(format!("{one} may stand here")),
        [firsts @ .., last] => Some(format!("{} or {last} may stand here", firsts.join(", "))),
    }
}
