//! How large a page of very many cases is.

use ptodiff_record::{CaseRecord, Verdict};
use ptodiff_report::html::{BLOCK, FULL_FIRST, TEXTS};

use super::{
    read::{packed, page, text, unpacked},
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
    serde_json::from_value(unpacked(page, "list")["id"].take()).expect("names")
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

/// From where no more divergent cases are shown whole, a page grows by the same for each
/// case, and by less once texts have taken their room. Those that are shown whole stand first
/// here: so near each other they take 0.2 MB less than among the others.
#[test]
fn a_hundred_thousand_cases_stay_below_eight_megabytes() {
    let differs = |case: &CaseRecord| case.pairs.iter().any(|pair| !pair.slots.is_empty());
    let mut first = 0;
    let mut cases = records::many(10_400);
    cases.sort_by_cached_key(|case| {
        first += usize::from(differs(case));
        !differs(case) || first > FULL_FIRST
    });
    assert!(first > FULL_FIRST, "{first}");
    let few = page(&cases[..FULL_FIRST + 1000]).len();
    cases.truncate(FULL_FIRST + 2000);
    let page = page(&cases);
    let each = (page.len() - few) / 1000;
    assert!(
        page.len() + (100_000 - cases.len()) * each < 7_800_000,
        "{each} bytes a case"
    );
    let blocks = cases.len().div_ceil(BLOCK);
    assert!(packed(&page, &(blocks - 1).to_string()).is_some());
    assert!(packed(&page, &blocks.to_string()).is_none());
    // Whatever a script must not wait for stands before the data.
    let data = page
        .find("<script type=\"application/octet-stream\"")
        .expect("data");
    assert!(page.find("</main>").is_some_and(|main| main < data));
    assert!(data < 200_000, "{data} bytes of markup");
}

#[test]
fn texts_that_do_not_compress_are_left_out_in_the_end() {
    // A block of them takes more than a tenth of the room.
    let mut cases: Vec<_> = (0..13 * BLOCK)
        .map(|n| records::case("a.yaml", &format!("n{n}")))
        .collect();
    let mut noise = Noise(1);
    for case in &mut cases {
        let text = noise.next(TEXTS / 25 / BLOCK);
        case.detail.as_mut().expect("a detail").yaml = text;
    }
    let page = page(&cases);
    let there = |n: usize| packed(&page, &format!("text-{n}")).is_some();
    let texts: usize = (0..13)
        .filter_map(|n| packed(&page, &format!("text-{n}")))
        .map(str::len)
        .sum();
    assert!(texts <= TEXTS && there(0) && !there(12), "{texts} bytes");
    // What is left out is at the end, and cases stay all.
    let first = (0..13).find(|n| !there(*n));
    assert!(first.is_some_and(|first| (first..13).all(|n| !there(n))));
    assert!(packed(&page, "12").is_some());
}
