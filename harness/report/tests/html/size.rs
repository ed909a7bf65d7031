//! How large a page of very many cases is.

use ptodiff_report::html::{BLOCK, TEXTS};

use crate::{
    read::{packed, page},
    records,
};

#[test]
fn a_hundred_thousand_cases_stay_below_eight_megabytes() {
    let cases = records::many(100_000);
    let page = page(&cases);
    assert!(page.len() < 8_000_000, "{} bytes", page.len());
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
    // Digits that do not repeat: one takes two thirds of a byte or a little more,
    // a block of them more than a tenth of the room.
    let mut cases: Vec<_> = (0..13 * BLOCK)
        .map(|n| records::case("a.yaml", &format!("n{n}")))
        .collect();
    let mut state = 1u64;
    for case in &mut cases {
        let mut digits = String::new();
        while digits.len() < TEXTS * 3 / 20 / BLOCK {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            digits.push_str(&format!("{:016x}", state ^ state >> 29));
        }
        case.detail.as_mut().expect("a detail").yaml = digits;
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
