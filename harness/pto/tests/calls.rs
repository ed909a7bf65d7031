//! What a text says: the pages of `calls`.
//!
//! A block `pto` is a text, behind it numbers for values that no constant says; `pto file` names
//! one of `files`. A block `yaml` has the cases that it is, and `text` where each stands, what is
//! set aside and what is remarked. A block `pto` with keys of a case has operations: a line
//! behind `! ` has the case that the lines before it are, or the mistake.

use std::path::Path;

use ptodiff_case::{Case, Corpus, Diagnostic, Foreign as _, load_str};
use ptodiff_isa::{Call, Target};

use crate::{
    cases, extract,
    hostile::FILES,
    shown::{differs, follow},
    with,
};

fn corpus(yaml: &str) -> Corpus {
    let read = load_str("f.yaml", yaml);
    read.unwrap_or_else(|e| panic!("{}\n{yaml}", e.render(ptodiff_case::Style::Plain)))
}

/// What is compared of a case.
fn known(case: &Case) -> (String, Vec<Target>, Call) {
    (case.id.clone(), case.targets.clone(), case.call)
}

/// What is read, a line each.
fn told(read: &Corpus, unused: &[Diagnostic]) -> String {
    assert_eq!(read.mistakes, []);
    let mut lines = Vec::new();
    for case in &read.cases {
        let all = ["", ", all policies left out"][usize::from(case.leaves_all_out())];
        let place = &case.place;
        lines.push(format!(
            "{}:{} {}{all}",
            place.span.line, place.span.column, case.name
        ));
    }
    for one in read.set_aside.iter().chain(unused) {
        lines.push(one.summary());
        lines.extend(one.help.iter().map(|help| format!("  {help}")));
    }
    for one in &read.remarks {
        let (line, rule) = (one.spot.span.line, one.rule);
        lines.push(format!("{line}: {rule} of {}: {}", one.case, one.message));
        lines.extend(one.help.iter().map(|help| format!("  {help}")));
    }
    lines.join("\n")
}

#[test]
fn each_text_says_what_its_page_has() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    type Read = Option<(Corpus, Vec<Diagnostic>)>;
    follow(&tests.join("calls"), |last: &mut Read, tag, text| {
        if tag == "pto file" {
            let text = std::fs::read_to_string(tests.join("files").join(text.trim()));
            *last = Some((extract(&text.expect("a file")), Vec::new()));
            return None;
        }
        if let Some(defaults) = tag.strip_prefix("pto instruction") {
            return operations(&format!("instruction{defaults}"), text);
        }
        if let Some(numbers) = tag.strip_prefix("pto") {
            let number = |word: &str| {
                let (name, n) = word.split_once('=').expect(tag);
                (name.to_owned(), n.parse().expect("a number"))
            };
            let files = with(numbers.split_whitespace().map(number).collect());
            let read = files.read(Path::new("f.pto"), text);
            *last = Some((read, files.finish().mistakes));
            return None;
        }
        let (read, unused) = last.as_ref().expect("a text");
        if tag == "text" {
            return differs(text, told(read, unused));
        }
        let read: Vec<_> = read.cases.iter().map(known).collect();
        let expected: Vec<_> = corpus(text).cases.iter().map(known).collect();
        (read != expected).then(|| format!("{read:#?}"))
    });
}

/// What is wrong with operations, over these keys of a case.
fn operations(defaults: &str, text: &str) -> Option<String> {
    let mut operation = String::new();
    for line in text.lines() {
        let Some(keys) = line.strip_prefix('!') else {
            operation += line;
            operation.push('\n');
            continue;
        };
        let keys = keys.trim();
        let own = function(&std::mem::take(&mut operation));
        if keys.starts_with("PTO") {
            let read = extract(&own);
            assert_eq!(read.cases, [], "{own}");
            assert_eq!(read.set_aside[0].code.id(), keys, "{own}");
            continue;
        }
        let yaml = format!("defaults: {{{defaults}}}\ncases: [{{name: f.1, {keys}}}]\n");
        let read: Vec<Call> = cases(&own).iter().map(|case| case.call).collect();
        if read != [corpus(&yaml).cases[0].call] {
            return Some(format!("{own}\n{yaml}\n{read:#?}"));
        }
    }
    None
}

/// `T(...)` is a tile's type, `P(...)` a view's.
fn spelled(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['T', 'P']).filter(|at| *at + 1 < rest.len()) {
        let (before, after) = rest.split_at(at);
        out += before;
        let word = match &after[..1] {
            _ if !after[1..].starts_with('(') => &after[..1],
            "T" => "!pto.tile_buf<",
            _ => "!pto.partition_tensor_view<",
        };
        out += word;
        rest = &after[1..];
        if word.len() > 1 {
            let end = rest.find(')').expect("closed");
            out += &rest[1..end];
            out.push('>');
            rest = &rest[end + 1..];
        }
    }
    out + rest
}

/// In a function, with constants and other values before it.
fn function(operation: &str) -> String {
    let mut text = String::from("func.func @f(%p: !pto.ptr<f32>, %q: !pto.ptr<i32>) {\n");
    for n in [0, 1, 2, 3, 5, 8, 16, 32, 64] {
        text += &format!("  %c{n} = arith.constant {n} : index\n");
    }
    text += "  %m, %i, %d, %s, %o, %t = foo.bar\n";
    text + &spelled(operation) + "\n  return\n}\n"
}

/// Whatever they say, and wherever a line may end: in attributes and types, too.
#[test]
fn comments_say_nothing() {
    let said = |text: &str| {
        let read = extract(text);
        assert_eq!(read.mistakes, [], "{text}");
        let aside = read
            .set_aside
            .iter()
            .map(|one| one.message.replace("\n", ""));
        let aside: Vec<String> = aside.collect();
        (read.cases.iter().map(known).collect::<Vec<_>>(), aside)
    };
    for text in FILES {
        let bare = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or(line));
        let bare: Vec<&str> = bare.collect();
        let bare = bare.join("\n");
        let comment = "// was {pto.target_arch = \"a5\", b = \"c, \u{e9}\u{a0}\n";
        let mut commented = bare.clone();
        for sign in [",", "{", "ins("] {
            commented = commented.replace(sign, &format!("{sign} \0"));
        }
        let commented = commented.replace('\0', comment);
        assert_eq!(said(&commented), said(&bare), "{commented}");
    }
}
