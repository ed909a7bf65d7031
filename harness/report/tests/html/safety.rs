//! Text from cases stays text, and nothing leaves the page.

use base64::{Engine, prelude::BASE64_STANDARD};
use ptodiff_record::Header;
use sha2::{Digest, Sha256};

use super::{
    read::{inside, markup, page, page_of, text},
    records::{self, hostile::HOSTILE},
};

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
