//! Text from cases stays text, and nothing leaves the page.

use base64::{Engine, prelude::BASE64_STANDARD};
use ptodiff_record::Header;
use sha2::{Digest, Sha256};

use super::{
    read::{inside, markup, page, page_of, text},
    records::{self, hostile::HOSTILE},
};

/// Every `<name` of the markup, in order.
fn tags(markup: &str) -> Vec<&str> {
    let names = markup.split('<').skip(1);
    names
        .map(|rest| {
            rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '/' && c != '!')
                .next()
                .unwrap_or("")
        })
        .collect()
}

#[test]
fn text_from_cases_makes_no_markup() {
    let page = page(&records::hostile());
    let markup = markup(&page);
    for tag in tags(&markup) {
        let ours = [
            "!doctype", "html", "head", "meta", "title", "link", "body", "svg", "symbol", "path",
            "circle", "rect", "use", "a", "header", "nav", "span", "main", "section", "h1", "h2",
            "p", "b", "bdi", "ul", "li", "div", "table", "thead", "tbody", "tr", "th", "td",
            "details", "summary", "code", "dl", "dt", "dd", "button", "noscript", "form", "label",
            "input", "kbd", "fieldset", "legend", "select", "option", "output",
        ];
        assert!(ours.contains(&tag.trim_start_matches('/')), "<{tag}");
    }
    assert!(!markup.contains("onerror=\""));
    // A tag opened by a name would not be closed.
    let count = |what: &str| page.matches(what).count();
    assert_eq!(count("<script"), count("</script>"));
    assert_eq!(count("<!--"), 0);
}

#[test]
fn hostile_names_are_shown_as_they_are() {
    let shown = text(&page(&records::hostile()));
    for name in HOSTILE {
        let name = ptodiff_edge::text::line(name);
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains(&name), "{name:?} is not in the page");
    }
    let product = (7919 * 7907).to_string();
    assert!(!shown.contains(&product), "a template in a name was filled");
}

#[test]
fn a_header_is_no_markup_either() {
    let header = Header {
        version: "<b>1</b>".into(),
        readings: vec![("</title><script>".into(), "x".into())],
        ..records::header(&[])
    };
    let page = page_of(&header, &[]);
    assert!(!markup(&page).contains("<b>1</b>"));
    assert!(text(&page).contains("</title><script>=x"));
}

#[test]
fn the_page_asks_for_nothing() {
    let page = page(&records::mixed());
    // The name of a vocabulary is no address.
    let rest = page.replace("http://www.w3.org/2000/svg", "");
    for outside in [
        "http:", "https:", "//www", "@import", "url(", " src=", "srcset", "<iframe", "<object",
        "import(",
    ] {
        assert!(!rest.contains(outside), "{outside} in the page");
    }
    for call in [
        "fetch(",
        "XMLHttpRequest",
        "WebSocket",
        "sendBeacon",
        "EventSource",
    ] {
        assert!(!page.contains(call), "{call} in the page");
    }
}

#[test]
fn only_the_pages_own_script_and_style_may_run() {
    let page = page(&records::mixed());
    let policy = inside(&page, "Content-Security-Policy\" content=\"", "\"").expect("a policy");
    let policy = policy.replace("&#x27;", "'").replace("&#x2f;", "/");
    assert!(policy.starts_with("default-src 'none';"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    for (kind, begins, ends) in [
        ("script-src", "<script type=\"module\">", "</script>"),
        ("style-src", "<style>", "</style>"),
    ] {
        let own = inside(&page, begins, ends).expect(begins);
        let digest = BASE64_STANDARD.encode(Sha256::digest(own.as_bytes()));
        let allowed = format!("{kind} 'sha256-{digest}';");
        assert!(policy.contains(&allowed), "{allowed} is not in {policy}");
    }
    assert!(policy.contains("require-trusted-types-for 'script'"));
}

#[test]
fn the_script_makes_no_markup_of_text() {
    let page = page(&[]);
    let script = inside(&page, "<script type=\"module\">", "</script>").expect("a script");
    for way in [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "setAttribute(\"on",
    ] {
        assert!(!script.contains(way), "{way}");
    }
}
