//! What YAML makes of a text, and what the reader asks of it.

use ptodiff_case::{Case, Code, Corpus, load_str};

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
    let Code::WrongKind = first.code else {
        let code = first.code;
        return format!("{code:?} {}:{} {}", span.line, span.column, first.message);
    };
    format!("{}:{} {}", span.line, span.column, first.message)
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

#[test]
fn a_key_that_is_there_has_a_value_of_its_kind() {
    let word = "one word or number is expected here";
    let list = "a list, `[a, b]`, is expected here";
    let map = "a mapping, `key: value` or `{key: value}`, is expected here";
    for (more, place, message) in [
        ("about:", "8:10", word),
        ("about: ~", "8:12", word),
        ("about: [a]", "8:12", word),
        ("about: {a: b}", "8:12", word),
        ("about: !!null x", "8:19", word),
        ("targets: [cpu, ~]", "8:20", word),
        ("targets:", "8:12", list),
        ("targets: cpu", "8:14", list),
        ("targets: {a: b}", "8:14", list),
        ("launch:", "8:11", map),
        ("launch: 5", "8:13", map),
        ("launch: [a]", "8:13", map),
        ("expect: [~]", "8:14", map),
        ("readings: {cpu-form: }", "8:24", word),
        ("readings: {~: templated}", "8:16", word),
        ("launch: {[a]: 1}", "8:14", word),
        (
            "about: !!int \"5\"",
            "8:18",
            "one word or number without a tag is expected here",
        ),
    ] {
        let found = mistake(&case("a", more));
        assert_eq!(found, format!("{place} {message}"), "{more}");
    }
}

#[test]
fn data_is_a_word_or_a_mapping_with_one_key() {
    let way = "one word, or a mapping with one key, is expected here";
    let unknown = "is not a name that is known here";
    let data = |data: &str| {
        let shape = "shape: [1, 1, 1, 1, 8]";
        case("a", "").replace(shape, &format!("{shape}, data: {data}"))
    };
    for right in [
        "zeros",
        "{zeros: }",
        "{zeros: ~}",
        "{values: [1, 2, 3, 4, 5, 6, 7, 8]}",
    ] {
        assert_eq!(name(&data(right)), "a", "{right}");
    }
    for (wrong, answer) in [
        ("[1]", format!("7:43 {way}")),
        ("{}", format!("7:43 {way}")),
        ("", format!("UnknownName 7:41 `~` {unknown}")),
        ("5", format!("UnknownName 7:43 `5` {unknown}")),
        (
            "{valuess: [1]}",
            format!("UnknownName 7:44 `valuess` {unknown}"),
        ),
        ("{zeros: 5}", "7:51 nothing is expected here".to_owned()),
        (
            "values",
            "7:43 a list, `[a, b]`, is expected here".to_owned(),
        ),
        (
            "{values: }",
            "7:50 a list, `[a, b]`, is expected here".to_owned(),
        ),
        ("npy", "7:43 one word or number is expected here".to_owned()),
        (
            "{zeros: , ramp: }",
            "7:53 data is made in one way, so this mapping has one key".to_owned(),
        ),
    ] {
        assert_eq!(mistake(&data(wrong)), answer, "{wrong}");
    }
    let hot = |hot: &str| {
        case("a", "").replace(
            "index: {shape: [1, 8]",
            &format!("index: {{shape: [1, 8], data: {hot}"),
        )
    };
    assert_eq!(name(&hot("{hot: {slots: 2}}")), "a");
    assert_eq!(
        mistake(&hot("{hot: {}}")),
        "MissingKey 6:40 the key `slots` is missing"
    );
    assert!(mistake(&hot("hot")).starts_with("6:34 a mapping"));
}

/// A key is shown where it stands, also in what an alias or a merge brings.
#[test]
fn a_key_is_unknown_missing_or_given_twice_at_its_place() {
    for (more, answer) in [
        (
            "launch: {dispatc: x}",
            "UnknownKey 8:14 there is no key `dispatc` here",
        ),
        ("launch: {5: x}", "UnknownKey 8:14 there is no key `5` here"),
        (
            "launch: {<<: {foo: 5}}",
            "UnknownKey 8:19 there is no key `foo` here",
        ),
        (
            "rejected: &a {cpuu: x}\n    hangs: *a",
            "UnknownKey 8:19 there is no key `cpuu` here",
        ),
        (
            "launch: {dyn_ub: 1, dyn_ub: 2}",
            "DuplicateKey 8:25 the key `dyn_ub` is given twice",
        ),
    ] {
        assert_eq!(mistake(&case("a", more)), answer);
    }
    let missing = "MissingKey 2:1 the key `cases` is missing";
    assert_eq!(mistake("suite: a5\ndefaults: {seed: 5}\n"), missing);
    assert_eq!(mistake("\n{}\n"), missing);
    // An alias stands where its anchor does.
    let shared = "defaults: {launch: {dyn_ub: &n 5}}\ncases: [{name: a, launch: *n}]\n";
    assert!(mistake(shared).starts_with("1:32 a mapping"));
}

#[test]
fn what_is_no_yaml_or_no_document_comes_before_what_is_no_case_file() {
    for empty in ["", "\n# nothing\n", "---\n", "...\n"] {
        let found = mistake(empty);
        assert!(
            found.starts_with("MissingKey") && found.ends_with("the file is empty"),
            "{found}"
        );
    }
    for (text, answer) in [
        ("~\n", "1:1 a mapping"),
        ("- a\n", "1:1 a mapping"),
        ("cases: x\nfoo: [\n", "Syntax"),
        ("cases: x\n---\na: b\n", "ManyDocuments 3:1"),
        ("cases: *nowhere\n", "Syntax 1:8"),
        ("cases: &a [*a]\n", "Syntax 1:12"),
    ] {
        let found = mistake(text);
        assert!(found.starts_with(answer), "{found}");
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
