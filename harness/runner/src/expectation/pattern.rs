//! Patterns for lines of text: `*` stands for any text, all else for itself.

/// Whether `pattern` fits the whole of `line`. Runs of white space count as
/// one space on both sides.
pub(super) fn fits(pattern: &str, line: &str) -> bool {
    wildmatch::WildMatchPattern::<'*', '\0'>::new(&spaced(pattern)).matches(&spaced(line))
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text_and_nothing_else_does() {
        assert!(fits(
            "load UB index+* 4 bytes",
            "load      UB index+12 4 bytes"
        ));
        assert!(fits("*", ""));
        assert!(fits("a*b*c", "abbc"));
        assert!(!fits("load UB index+*", "store UB index+12 4 bytes"));
        assert!(!fits("load", "load UB"));
        assert!(!fits("lo?d", "load"));
        assert!(fits("dim3{32, 8}", "dim3{32, 8}"));
    }
}
