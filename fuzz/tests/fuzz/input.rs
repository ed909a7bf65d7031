//! What bytes stand for.

use arbitrary::Unstructured;
use ptodiff_case::{Case, case_yaml};
use ptodiff_fuzz::corpus::{self, small};
use ptodiff_fuzz::input::{Recipe, is_case, read, text};
use ptodiff_fuzz::oracle::case_reader;
use ptodiff_fuzz::seeds::of_case;
use ptodiff_generate::random::{self, Bytes, Rules, Wish};
use ptodiff_isa::Schedule;

use crate::Noise;

const RECIPES: [Recipe; 4] = [
    Recipe::ANY,
    Recipe::UNCHANGED,
    Recipe::LAWLESS,
    Recipe::LEGAL,
];

#[test]
fn every_seed_is_its_case() {
    assert!(small().len() > 1000, "{} small cases", small().len());
    for (number, case) in small().iter().enumerate() {
        let bytes = of_case(u16::try_from(number).expect("a small number"));
        for recipe in RECIPES {
            let input = read(&bytes, &recipe);
            assert_eq!(input.case, **case);
            assert_eq!(input.schedule, Schedule::InOrder);
        }
    }
}

#[test]
fn small_cases_are_all_that_are_small() {
    let all = &corpus::all().expect("cases/ is read").cases;
    let lanes = |case: &Case| {
        let tile = case.call.data_tile();
        tile.valid_row.get() * tile.valid_col.get() * u64::from(case.chunks)
    };
    let by_lanes = all.iter().filter(|case| lanes(case) <= corpus::MOST_LANES);
    assert!(small().iter().all(|case| lanes(case) <= corpus::MOST_LANES));
    // Few cases of few lanes have operands that are large.
    assert!(small().len() * 10 > by_lanes.count() * 9);
    assert!(all.iter().any(|case| lanes(case) > corpus::MOST_LANES));
}

#[test]
fn bytes_that_are_missing_are_zeros() {
    for recipe in RECIPES {
        assert_eq!(read(&[], &recipe), read(&[0; 300], &recipe));
    }
}

#[test]
fn every_case_can_be_written_down() {
    let mut noise = Noise::new(2);
    for number in 0..1500_u32 {
        let bytes = noise.bytes(300);
        let mut case = read(&bytes, &Recipe::ANY).case;
        case.name = format!("{number}");
        case.id = format!("fuzz/{number}");
        case.suite = None;
        let found = case_reader::reads_back(&case, &case_yaml(&case));
        assert_eq!(found, Ok(()));
    }
}

/// From the third byte on, or the fourth where rules are broken, the bytes are
/// the choices of the grammar.
#[test]
fn the_grammar_draws_what_a_recipe_asks_for() {
    let mut noise = Noise::new(3);
    for _ in 0..500 {
        let bytes = noise.bytes(200);
        for recipe in RECIPES {
            for (first, rules) in (0..).zip(recipe.rules) {
                let (rules, head) = match rules {
                    Rules::Broken(_) => (Rules::Broken(2), vec![first, 0, 4]),
                    rules => (rules, vec![first, 0]),
                };
                let wish = Wish {
                    rules,
                    max_lanes: recipe.max_lanes,
                    ..Wish::default()
                };
                let mut left = Unstructured::new(&bytes);
                let drawn = random::case(&mut Bytes::new(&mut left), &wish);
                let whole = [head, bytes.clone()].concat();
                assert_eq!(read(&whole, &recipe).case, drawn);
            }
        }
    }
}

#[test]
fn the_second_byte_is_the_schedule() {
    let schedule = |byte| read(&[3, byte], &Recipe::ANY).schedule;
    assert_eq!(schedule(0), Schedule::InOrder);
    assert_eq!(schedule(1), Schedule::Reversed);
    assert_eq!(schedule(2), Schedule::Shuffled(1));
    assert_eq!(schedule(255), Schedule::Shuffled(254));
}

#[test]
fn a_text_ends_before_the_first_bad_byte() {
    assert_eq!(text(b"cases"), "cases");
    assert_eq!(text("a\u{e4}".as_bytes()), "a\u{e4}");
    assert_eq!(text(b"ab\xffc"), "ab");
    assert_eq!(text(&"a\u{e4}".as_bytes()[..2]), "a");
    assert!(is_case(&[3]) && !is_case(b"pto.mgather") && !is_case(&[]));
}
