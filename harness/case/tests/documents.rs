//! What YAML makes of a text, and what the reader asks of it.

use ptodiff_case::{Case, Corpus, load_str};

/// A right case but for its name and what a test puts behind it, from column 5.
fn case(name: &str, more: &str) -> String {
    format!(
        "cases:\n  - name: {name}\n    instruction: MGATHER\n    dtype: float\n    \
         tile: {{shape: [1, 8]}}\n    index: {{shape: [1, 8]}}\n    \
         table: {{shape: [1, 1, 1, 1, 8]}}\n    {more}\n"
    )
}

fn read(text: &str) -> Corpus {
    load_str("a.yaml", text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn name(text: &str) -> String {
    let [case]: [Case; 1] = read(text).cases.try_into().unwrap();
    case.name
}

/// Code, place and message of the first mistake.
fn mistake(text: &str) -> String {
    let error = match load_str("a.yaml", text) {
        Ok(_) => panic!("nothing is wrong with\n{text}"),
        Err(error) => error,
    };
    let first = &error.diagnostics()[0];
    let span = &first.place.as_ref().unwrap().span;
    let code = first.code;
    format!("{code:?} {}:{} {}", span.line, span.column, first.message)
}

#[test]
fn a_plain_word_is_what_was_written_whatever_yaml_takes_it_for() {
    let words = [
        "true",
        "False",
        "007",
        "0x1F",
        "0o17",
        "1_000",
        "-5",
        "+5",
        ".5",
        "5.",
        "1e5",
        "1e999",
        ".nan",
        "-.inf",
        "12:30:45",
        "2001-01-01",
        "123456789012345678901234567890",
    ];
    for word in words {
        assert_eq!(name(&case(word, "")), word);
        assert_eq!(name(&case(&format!("{word} # comment"), "")), word);
        assert_eq!(name(&case(&format!("&a {word}"), "name_differs: *a")), word);
        // Where the text does not begin with its first byte, or has others for its ends of lines.
        assert_eq!(name(&format!("\u{feff}\u{feff}{}", case(word, ""))), word);
        assert_eq!(name(&format!("# \u{e4}\u{4e00}\n{}", case(word, ""))), word);
        assert_eq!(name(&case(word, "").replace('\n', "\r\n")), word);
    }
}

/// The limits hold before anything is asked of the document.
#[test]
fn a_document_too_deep_or_with_too_many_nodes_is_rejected_wherever_it_is_so() {
    let deep = |levels: usize| format!("x: {}{}\n", "[".repeat(levels), "]".repeat(levels));
    assert!(mistake(&deep(15)).starts_with("UnknownKey 1:1"));
    assert!(mistake(&deep(16)).starts_with("TooComplex"));
    let wide = |nodes: usize| format!("x: [{}]\n", "a,".repeat(nodes));
    assert!(mistake(&wide(400_000)).starts_with("UnknownKey 1:1"));
    assert!(mistake(&wide(500_000)).starts_with("TooComplex"));
}

/// Keys and containers are values, too; an alias has those that it repeats.
#[test]
fn what_aliases_repeat_counts_as_what_is_written() {
    // The root, two keys, two lists; then 998 values and their list each time.
    let shared = |aliases: usize| {
        let list = "1,".repeat(998);
        format!("a: &l [{list}]\nb: [{}]\n", "*l,".repeat(aliases))
    };
    assert!(mistake(&shared(499)).starts_with("UnknownKey 1:1"));
    for aliases in [500, 2_000] {
        let found = mistake(&shared(aliases));
        assert!(found.starts_with("TooComplex"), "{found}");
        let says = " the document has more than 500000 values, aliases expanded";
        assert!(found.ends_with(says), "{found}");
    }
    let deep = format!("x: {}{}\n", "[".repeat(16), "]".repeat(16));
    assert!(mistake(&deep).ends_with(" containers nest deeper than 16 levels"));
}
