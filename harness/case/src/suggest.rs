//! "Did you mean": the nearest of the words that are known.

/// Words that people use elsewhere for those of this format.
const ELSEWHERE: &[(&str, &[&str])] = &[
    ("a2a3", &["a2", "a3", "a2/a3"]),
    ("int8_t", &["i8", "s8", "si8"]),
    ("uint8_t", &["u8", "ui8"]),
    ("int16_t", &["i16", "s16", "si16"]),
    ("uint16_t", &["u16", "ui16"]),
    ("int32_t", &["i32", "s32", "si32"]),
    ("uint32_t", &["u32", "ui32"]),
    ("int64_t", &["i64", "s64", "si64"]),
    ("uint64_t", &["u64", "ui64"]),
    ("half", &["f16", "fp16", "float16", "float16_t"]),
    ("bfloat16_t", &["bf16"]),
    ("float", &["f32", "fp32", "float32", "float32_t"]),
    ("float8_e4m3_t", &["e4m3", "fp8_e4m3", "f8e4m3"]),
    ("float8_e5m2_t", &["e5m2", "fp8_e5m2", "f8e5m2"]),
    ("hifloat8_t", &["hif8", "hf8"]),
    // Those of the instruction's own operands: which is which, the instruction decides.
    ("source", &["src"]),
    ("destination", &["dst"]),
    ("tile", &["src", "dst"]),
    ("table", &["src", "dst"]),
    ("index", &["idx", "indices", "indexes"]),
];

/// The known words that `folded` is elsewhere.
fn elsewhere<'a>(folded: &str, known: &[&'a str]) -> Vec<&'a str> {
    let meant = ELSEWHERE.iter().filter(|(_, all)| all.contains(&folded));
    let meant = meant.filter_map(|(meant, _)| known.iter().copied().find(|word| word == meant));
    meant.collect()
}

/// The known words nearest to `word` that are near enough to be meant, a few: those that
/// begin with it come first.
pub(crate) fn closest<'a>(word: &str, known: &[&'a str]) -> Vec<&'a str> {
    /// More of them would not help.
    const MOST: usize = 3;
    // A long word cannot be near to any; this keeps hostile ones cheap.
    if word.chars().count() > 64 {
        return Vec::new();
    }
    let folded = word.to_lowercase();
    let meant = elsewhere(&folded, known);
    if !meant.is_empty() {
        return meant;
    }
    let distances = known.iter().copied().map(|candidate| {
        let other = candidate.to_lowercase();
        let distance = strsim::damerau_levenshtein(&folded, &other);
        // `int32` for `int32_t`, `max` for `Max`: what is left out is not a slip of the keys.
        match other.starts_with(&folded) && !folded.is_empty() {
            true => (distance.min(1), false, candidate),
            false => (distance, true, candidate),
        }
    });
    let mut near: Vec<_> = distances
        .filter(|(distance, _, candidate)| *distance * 3 <= candidate.len().max(3))
        .collect();
    near.sort_by_key(|(distance, slip, _)| (*distance, *slip));
    let least = near.first().map_or(0, |(distance, ..)| *distance);
    let nearest = near.iter().take_while(|(distance, ..)| *distance == least);
    nearest.take(MOST).map(|(.., word)| *word).collect()
}

/// The known word nearest to `word`, if one is near enough to be meant.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    closest(word, &Vec::from_iter(known)).first().copied()
}

/// The question whether a known word was meant, or one of several that are as near.
#[must_use]
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let near = closest(word, &Vec::from_iter(known));
    (!near.is_empty()).then(|| format!("did you mean `{}`?", near.join("` or `")))
}

/// Help for a word that is not known: the nearest ones, or all of them.
pub(crate) fn help(word: &str, known: &[&str]) -> Option<String> {
    if let Some(meant) = did_you_mean(word, known.iter().copied()) {
        return Some(meant);
    }
    let quoted: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => None,
        [one] => Some(format!("{one} may stand here")),
        [firsts @ .., last] => Some(format!("{} or {last} may stand here", firsts.join(", "))),
    }
}
