//! How large a page of very many cases is.

use ptodiff_record::{CaseRecord, Verdict};

use super::{
    read::{page, text, unpacked},
    records,
};

/// What a browser is to be asked for at most.
const MOST: usize = 10_000_000;

/// Text that hardly gets smaller: a character takes two bytes, and more than two and a half
/// of the page.
struct Noise(u64);

impl Noise {
    fn next(&mut self, characters: usize) -> String {
        let draw = |_| {
            let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
            self.0 = next.wrapping_add(1_442_695_040_888_963_407);
            // One of the unified ideographs.
            char::from_u32(0x4e00 + (self.0 >> 40) as u32 % 0x5000).expect("a character")
        };
        (0..characters).map(draw).collect()
    }
}

fn ids(page: &str) -> Vec<String> {
    let list = unpacked(page, "list");
    let list = list.as_array().expect("a list").iter();
    list.map(|row| row["id"].as_str().expect("a name").to_owned())
        .collect()
}

/// Passes, with so much to say that a thousand and a half fill a page.
fn long(n: usize, noise: &mut Noise) -> CaseRecord {
    let mut case = records::case("a.yaml", &format!("n{n}"));
    case.name_differs = Some(noise.next(2500));
    case
}

#[test]
fn of_more_cases_than_a_page_has_room_for_violations_come_first_and_all_are_counted() {
    let mut noise = Noise(1);
    let mut cases: Vec<_> = (0..1500).map(|n| long(n, &mut noise)).collect();
    let late = (0..700).map(|n| records::violating("late.yaml", &format!("v{n}"), "late"));
    cases.extend(late);
    let page = page(&cases);
    assert!(page.len() < MOST, "{} bytes", page.len());
    let ids = ids(&page);
    let violations = ids.iter().filter(|id| id.starts_with("late/")).count();
    assert_eq!(violations, 700, "a violation is left out");
    assert!(ids.len() > 1200 && ids.len() < 2000, "{} cases", ids.len());
    let shown = text(&page);
    let said = format!(
        "This page has {},{:03} of 2,200 cases, all violations and the first of the others",
        ids.len() / 1000,
        ids.len() % 1000
    );
    assert!(shown.contains(&said), "{shown}");
    assert!(shown.contains("700 violations in 2,200 cases"), "{shown}");
}

#[test]
fn violations_are_bounded_too_and_what_is_left_out_is_said() {
    let mut noise = Noise(2);
    let violating = |n: usize, noise: &mut Noise| {
        let mut case = long(n, noise);
        case.verdict = Verdict::Violation;
        case
    };
    let cases: Vec<_> = (0..1800).map(|n| violating(n, &mut noise)).collect();
    let page = page(&cases);
    assert!(page.len() < MOST, "{} bytes", page.len());
    assert!(page.len() > MOST / 2, "{} bytes", page.len());
    assert!(text(&page).contains("of 1,800 cases, violations first"));
    // Long names alone fill it as well.
    let named = |n: usize| CaseRecord {
        id: format!("a/{}{n}", noise.next(3000)),
        ..records::case("a.yaml", "n")
    };
    let cases: Vec<_> = (0..1500).map(named).collect();
    let page = self::page(&cases);
    assert!(page.len() < MOST, "{} bytes", page.len());
    assert!(text(&page).contains("of 1,500 cases, the first of them"));
}

#[test]
fn whatever_a_script_must_not_wait_for_stands_before_the_data() {
    let page = page(&records::many(1000));
    let data = page.find("<script type=\"application/octet-stream\"");
    let data = data.expect("data");
    assert!(page.find("</main>").is_some_and(|main| main < data));
    assert!(data < 200_000, "{data} bytes of markup");
}
